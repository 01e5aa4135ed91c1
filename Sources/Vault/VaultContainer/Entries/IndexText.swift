import ByteText
import DataCompression
import SystemIO

/// Builds the text of an index, compressing it as it grows, so that even a hundred thousand entries take little
/// memory.
struct IndexText: Sendable {
    /// The text that is not in a frame yet.
    private var rest: [UInt8]
    private var frames: [[UInt8]] = []
    private var textLength = 0
    private var framesLength = 0
    private var hasEntries = false
    /// Bytes of text in a frame: with frames four times as long an index is 4 % shorter, but they take more memory until they
    /// are full, and more time at the end, when everything waits.
    private static let frameLength = 1 << 17

    /// Starts the text.
    init(tool: String, created: String) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", ContainerIndex.version)
            writer.member("tool", tool)
            writer.member("created", created)
            writer.key("entries")
            writer.array { _ in }
        }
        // The entries go before the two closing brackets.
        rest = [UInt8](writer.bytes.dropLast(2))
    }

    /// Adds an entry of the payload, with its members if it is a bundle.
    mutating func add(_ entry: ContainerEntry, members: [ContainerEntry] = []) throws(ContainerError) {
        if hasEntries { rest.append(UInt8(ascii: ",")) }
        hasEntries = true
        var writer = JSONWriter()
        Self.write(entry, members, &writer)
        rest += writer.bytes
        try compressFull()
    }

    private static func write(
        _ entry: ContainerEntry, _ members: [ContainerEntry], _ writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("name", entry.name)
            writer.member("offset", entry.offset)
            writer.member("length", entry.length)
            if case .payload(let sha256) = entry.place {
                writer.member("sha256", Hexadecimal.text(sha256))
            }
            for property in entry.properties {
                switch property.value {
                case .text(let value): writer.member(property.name, value)
                case .number(let value): writer.member(property.name, value)
                }
            }
            guard !members.isEmpty else { return }
            writer.key("members")
            writer.array { writer in
                for member in members { write(member, [], &writer) }
            }
        }
    }

    /// Compresses the text that fills whole frames.
    private mutating func compressFull() throws(ContainerError) {
        while rest.count >= Self.frameLength { try compress(count: Self.frameLength) }
    }

    private mutating func compress(count: Int) throws(ContainerError) {
        let part = [UInt8](rest[..<count])
        rest.removeSubrange(..<count)
        var frame = try compression { () throws(CompressionError) in
            // Created for each frame, so that it takes no memory between frames.
            var compressor = try ZstandardCompressor()
            // The index of a small archive is all there is of it; more of it takes longer.
            let isSmall = framesLength == 0 && part.count < Self.frameLength
            return try compressor.compress(part.span, isSmall ? .least : .little)
        }
        textLength += count
        // Thousands of similar names compress so well that readers would refuse them.
        if textLength > ContainerIndex.longestText(ofFrames: framesLength + frame.count) {
            frame = ZstandardCompressor.store(part.span)
        }
        framesLength += frame.count
        guard textLength <= ContainerFormat.largestIndex else { throw ContainerError(.invalidUse) }
        frames.append(frame)
    }

    /// Ends the text.
    ///
    /// - Parameter salts: The salts of the segments that contain payload.
    /// - Returns: The frames.
    mutating func finish(salts: ArraySlice<[UInt8]>) throws(ContainerError) -> [[UInt8]] {
        rest += Array("],\"salts\":".utf8)
        var writer = JSONWriter()
        writer.array { writer in
            for salt in salts { writer.string(Hexadecimal.text(salt)) }
        }
        rest += writer.bytes + [UInt8(ascii: "}")]
        try compressFull()
        if !rest.isEmpty { try compress(count: rest.count) }
        return frames
    }
}
