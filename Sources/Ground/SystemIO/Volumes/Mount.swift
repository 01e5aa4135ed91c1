import ByteText
import Glibc

/// A mounted file system.
public struct Mount: Sendable, Equatable {
    /// The folder in which its root is visible.
    public let point: BytePath
    /// The folder of the file system that is visible there; `/` for all of it.
    public let root: BytePath
    /// The type, as the kernel calls it: `vfat`, `fuseblk`, `fuse.fusefat`.
    public let type: String
    /// The device, or whatever else is mounted.
    public let source: BytePath

    /// Returns all mounts, in the order in which they were made.
    ///
    /// - Throws: `SystemError`.
    public static func all() throws(SystemError) -> [Mount] {
        let file = try FileDescriptor(opening: "/proc/self/mountinfo", .read)
        let text = try file.bytes(at: 0, count: Self.longestList)
        return text.split(separator: UInt8(ascii: "\n")).compactMap { Mount(line: Array($0)) }
    }

    /// The most bytes of the list that are read; thousands of mounts take less.
    private static let longestList = 1 << 22

    /// Returns the mount that a path is on.
    ///
    /// - Parameter path: An absolute path without links.
    public static func holding(_ path: BytePath, among mounts: [Mount]) -> Mount? {
        // Of several mounts at one place, the last one hides the others.
        mounts.filter { path.isInside($0.point) }.max { $0.point.count < $1.point.count }.map { found in
            mounts.last { $0.point == found.point } ?? found
        }
    }

    /// Reads a line of `/proc/self/mountinfo`, see proc(5); nil if it is malformed.
    package init?(line: [UInt8]) {
        let fields = line.split(separator: UInt8(ascii: " "))
        guard let end = fields.firstIndex(of: [UInt8(ascii: "-")]), end >= 6, fields.count > end + 2 else {
            return nil
        }
        root = Self.unescaped(fields[3])
        point = Self.unescaped(fields[4])
        type = String(decoding: fields[end + 1], as: UTF8.self)
        source = Self.unescaped(fields[end + 2])
    }

    /// Replaces `\040` and the like by the bytes that they stand for.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> BytePath {
        var bytes: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ $0 &- 0x30 < 8 }) {
                bytes.append(digits.reduce(0) { $0 &* 8 &+ ($1 &- 0x30) })
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return BytePath(bytes: bytes)
    }
}

extension BytePath {
    /// Whether the path is `folder` or something in it; both are absolute and without links.
    func isInside(_ folder: BytePath) -> Bool {
        folder == "/" || self == folder || hasPrefix(folder + "/")
    }
}
