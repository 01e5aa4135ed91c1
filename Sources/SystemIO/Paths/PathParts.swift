/// Paths with `/` between their parts, taken apart byte by byte.
extension BytePath {
    private static let slash = UInt8(ascii: "/")

    /// What lies under a name, or a path, in the folder at this path.
    public static func / (folder: Self, name: Self) -> Self {
        if folder.isEmpty { return name }
        return folder.bytes.last == slash ? folder + name : Self(bytes: folder.bytes + [slash] + name.bytes)
    }

    /// The parts between the slashes, empty ones left out.
    public var parts: [Self] { bytes.split(separator: Self.slash).map { Self(bytes: $0) } }

    /// The parts with a slash between each two.
    public static func joined(_ parts: some Sequence<Self>) -> Self {
        Self(bytes: parts.map(\.bytes).joined(separator: [slash]))
    }

    /// The path starts at the root of all files.
    public var isAbsolute: Bool { bytes.first == Self.slash }

    /// The path without slashes at its end.
    public var withoutTrailingSlashes: Self {
        guard let end = bytes.lastIndex(where: { $0 != Self.slash }) else { return isEmpty ? "" : "/" }
        return Self(bytes: bytes[...end])
    }

    /// The folder that holds what the path leads to.
    public var parent: Self {
        let parent = Self.joined(parts.dropLast())
        return isAbsolute ? "/" + parent : parent.isEmpty ? "." : parent
    }

    /// The last part; all of a path that has none.
    public var name: Self { parts.last ?? self }

    /// What bears a name in the folder that holds this.
    public func sibling(_ name: Self) -> Self {
        let folder = parent
        return folder == "." ? name : folder / name
    }

    /// The path leads to something below the folder that it starts from, and to nothing else.
    ///
    /// No part is empty, `.` or `..`, and none ends before its time at a NUL.
    public var staysInside: Bool {
        // Archives have thousands of names, so that no part is taken out of them for this.
        var (length, dots) = (0, 0)
        for byte in bytes {
            if byte == Self.slash {
                guard Self.isName(length: length, dots: dots) else { return false }
                (length, dots) = (0, 0)
            } else {
                guard byte != 0 else { return false }
                length += 1
                if byte == UInt8(ascii: ".") { dots += 1 }
            }
        }
        return Self.isName(length: length, dots: dots)
    }

    /// The path is the name of something in a folder.
    public var isPlainName: Bool { staysInside && !bytes.contains(Self.slash) }

    /// A part of so many bytes, some of them dots, is neither empty nor `.` nor `..`.
    private static func isName(length: Int, dots: Int) -> Bool { length > 2 || length > dots }
}
