import CommandLineKit

/// Paths as they are typed in a shell.
enum ShellQuoting {
    static func quote(_ path: String) -> String {
        // What starts like an option is one, in quotes or not.
        if path.hasPrefix("-") { return quote("./" + path) }
        let isPlain = path.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || [0x2e, 0x2f, 0x5f, 0x2d].contains(byte)
        }
        return isPlain && !path.isEmpty ? path : shellQuoted(path)
    }
}
