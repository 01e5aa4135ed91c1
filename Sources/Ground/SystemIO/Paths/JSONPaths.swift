package import ByteText

/// Paths as JSON strings: a byte that is not UTF-8 is written as a lone surrogate, U+DC80 to U+DCFF.
extension JSONWriter {
    /// Writes a path as a string.
    package mutating func string(_ path: BytePath) { string(bytes: path.bytes.span) }

    /// Writes a member with a path.
    package mutating func member(_ name: String, _ path: BytePath) {
        key(name)
        string(path)
    }

    /// Writes a member with an array of paths.
    package mutating func member(_ name: String, _ paths: [BytePath]) {
        key(name)
        array { writer in
            for path in paths { writer.string(path) }
        }
    }
}

extension JSONReader {
    /// Reads a path.
    package mutating func path() throws(JSONError) -> BytePath { BytePath(bytes: try stringBytes()) }
}
