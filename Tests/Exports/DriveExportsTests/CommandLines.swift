import SystemIO
import Testing

/// Commands of the system as oracles, where they are installed.
enum CommandLines {
    static func isInstalled(_ path: BytePath) -> Bool { (try? FileStatus(at: path)) != nil }

    /// Runs a line with `/bin/sh` and returns its output.
    static func output(of line: String) throws -> String {
        let (bytes, status) = try run(line)
        try #require(status == 0, "\(line)")
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Runs a line with `/bin/sh` and returns its output and exit status.
    static func run(_ line: String) throws -> (output: [UInt8], status: Int32) {
        var output = try LockedPages(count: 1 << 20)
        let (count, status) = try Shell.output(of: line, into: &output)
        return (output.withSpan { span in (0..<count).map { span[$0] } }, status)
    }
}
