/// Paths with `/` between their parts, taken apart byte by byte.
///
/// Swift compares and splits strings by characters, and a slash with a combining mark behind it is another character;
/// every file system takes it for a slash all the same.
public enum RelativePath: Sendable {
    private static let slash = UInt8(ascii: "/")

    /// The parts between the slashes, empty ones included.
    public static func parts(of path: String) -> [String] {
        path.utf8.split(separator: slash, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The path leads to something below the folder that it starts from, and to nothing else.
    public static func staysInside(_ path: String) -> Bool {
        // Archives have thousands of names, so that no part is taken out of them for this.
        var (length, dots) = (0, 0)
        for byte in path.utf8 {
            if byte == slash {
                guard isName(length: length, dots: dots) else { return false }
                (length, dots) = (0, 0)
            } else {
                length += 1
                if byte == UInt8(ascii: ".") { dots += 1 }
            }
        }
        return isName(length: length, dots: dots)
    }

    /// A part of so many bytes, some of them dots, is neither empty nor `.` nor `..`.
    private static func isName(length: Int, dots: Int) -> Bool { length > 2 || length > dots }
}

extension String {
    /// The bytes start with those of `prefix`.
    public func startsWithBytes(of prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// The bytes end with those of `suffix`.
    public func endsWithBytes(of suffix: String) -> Bool {
        utf8.reversed().starts(with: suffix.utf8.reversed())
    }

    /// The text without the first `count` bytes.
    public func droppingBytes(_ count: Int) -> String {
        String(decoding: utf8.dropFirst(count), as: UTF8.self)
    }
}
