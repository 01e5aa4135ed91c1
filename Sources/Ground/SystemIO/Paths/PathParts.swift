/// Paths as parts separated by `/`, split byte by byte.
extension BytePath {
    private static let slash = UInt8(ascii: "/")

    /// Returns the path of a name, or of another path, in the folder at this path.
    public static func / (folder: Self, name: Self) -> Self {
        if folder.isEmpty { return name }
        return folder.bytes.last == slash ? folder + name : Self(bytes: folder.bytes + [slash] + name.bytes)
    }

    /// The parts between the slashes, empty ones left out.
    public var parts: [Self] { bytes.split(separator: Self.slash).map { Self(bytes: $0) } }

    /// Joins parts with a slash between each two.
    public static func joined(_ parts: some Sequence<Self>) -> Self {
        Self(bytes: parts.map(\.bytes).joined(separator: [slash]))
    }

    /// Whether the path starts at the root.
    public var isAbsolute: Bool { bytes.first == Self.slash }

    /// The path without slashes at its end.
    public var withoutTrailingSlashes: Self {
        guard let end = bytes.lastIndex(where: { $0 != Self.slash }) else { return isEmpty ? "" : "/" }
        return Self(bytes: bytes[...end])
    }

    /// Whether the name ends with an extension such as `.json`, in upper or lower case.
    ///
    /// What is written under such a name should be what people take it for. With a slash at the end it names a folder.
    public func hasExtension(_ suffix: Self) -> Bool {
        asciiLowercased.hasSuffix(suffix)
    }

    /// The path of the folder that contains it.
    public var parent: Self {
        // The folder of a path without empty parts is what precedes its last slash.
        if let last = bytes.last, last != Self.slash, let end = bytes.lastIndex(of: Self.slash), end > 0,
            !isAbsolute, !hasEmptyParts
        {
            return Self(bytes: bytes[..<end])
        }
        let parent = Self.joined(parts.dropLast())
        return isAbsolute ? "/" + parent : parent.isEmpty ? "." : parent
    }

    /// Whether the path is that of `folder`, a slash, and a name.
    public func isChild(of folder: Self) -> Bool {
        bytes.count - 1 > folder.count && bytes.lastIndex(of: Self.slash) == folder.count && hasPrefix(folder)
    }

    /// Whether two slashes follow each other.
    private var hasEmptyParts: Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == Self.slash, previous == Self.slash { return true }
            previous = byte
        }
        return false
    }

    /// The last part; the whole path if it has none.
    public var name: Self {
        guard let last = bytes.lastIndex(where: { $0 != Self.slash }) else { return self }
        let start = bytes[...last].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        return Self(bytes: bytes[start...last])
    }

    /// Returns the path of a name in the same folder.
    public func sibling(_ name: Self) -> Self {
        let folder = parent
        return folder == "." ? name : folder / name
    }

    /// Whether the path can only lead to something below the folder that it starts from.
    ///
    /// No part is empty, `.` or `..`, and none contains NUL, where it would end early.
    public var staysInside: Bool { hasOnlyNames(orNothing: false) }

    /// Whether no part is `.` or `..`, and none contains NUL; slashes may follow each other.
    public var hasOnlyNames: Bool { hasOnlyNames(orNothing: true) }

    /// - Parameter mayBeEmpty: Whether a part may be empty.
    private func hasOnlyNames(orNothing mayBeEmpty: Bool) -> Bool {
        func isFine(_ length: Int, _ dots: Int) -> Bool {
            mayBeEmpty && length == 0 || Self.isName(length: length, dots: dots)
        }
        // Archives have thousands of names, so no part is copied for this.
        var (length, dots) = (0, 0)
        for byte in bytes {
            if byte == Self.slash {
                guard isFine(length, dots) else { return false }
                (length, dots) = (0, 0)
            } else {
                guard byte != 0 else { return false }
                length += 1
                if byte == UInt8(ascii: ".") { dots += 1 }
            }
        }
        return isFine(length, dots)
    }

    /// Whether the path is the name of something in a folder.
    public var isPlainName: Bool { staysInside && !bytes.contains(Self.slash) }

    /// Whether a part of this length, with this number of dots, is neither empty nor `.` nor `..`.
    private static func isName(length: Int, dots: Int) -> Bool { length > 2 || length > dots }
}
