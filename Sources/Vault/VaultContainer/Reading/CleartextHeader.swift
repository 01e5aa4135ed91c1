import ByteText
public import SystemIO

/// The properties of a container that are visible without its passphrase.
public struct CleartextHeader: Sendable, Equatable {
    /// Version of the format.
    public let version: Int
    /// Suite of algorithms.
    public let suite: Int
    /// Plaintext bytes in a segment.
    public let segmentSize: Int
    /// The random identifier, as hexadecimal digits.
    public let identifier: String
    /// Number of times the header was written.
    public let generation: UInt64
    /// Iterations of each key slot in use, by its number from 0.
    public let slots: [Int: Int]
    /// The size of the file.
    public let fileSize: Int
    /// What is wrong with the two headers: one is damaged, or both are intact and differ.
    ///
    /// Whether they are genuine shows only with a passphrase.
    public let warnings: Set<ContainerWarning>

    /// Reads the header of the container at `path`, or the one at its end.
    ///
    /// - Throws: `ContainerError` when neither is usable.
    public init(of path: BytePath) throws(ContainerError) {
        let file = try reading { () throws(SystemError) in try VolumeFile(opening: path, .read) }
        fileSize = try reading { () throws(SystemError) in try file.size() }
        let copies = try HeaderCopies(file, size: fileSize)
        try copies.checkIterations()
        // After an interrupted change of the passphrases, the newer header counts.
        let header = copies.usable.reduce(copies.usable[0]) { $1.generation > $0.generation ? $1 : $0 }
        warnings =
            if copies.usable.count == 2 {
                copies.usable[0] == copies.usable[1] ? [] : [.headerGenerationsDiffer]
            } else {
                (try? copies.primary.get()) == nil ? [.primaryHeaderDamaged] : [.spareHeaderDamaged]
            }
        version = Int(ContainerFormat.version)
        suite = Int(ContainerFormat.suite)
        segmentSize = header.segmentChunks * ContainerFormat.chunkSize
        identifier = Hexadecimal.text([UInt8](header.preamble[32..<64]))
        generation = header.generation
        var slots: [Int: Int] = [:]
        for (number, slot) in header.slots.enumerated() { slots[number] = slot?.iterations }
        self.slots = slots
    }

    /// Returns the random identifier in the first bytes of a file, finished or not; nil if it does not start like a
    /// container.
    public static func identifier(of path: BytePath) -> String? {
        (try? VolumeFile(opening: path, .read)).flatMap { identifier(of: $0) }
    }

    /// Returns the random identifier in the first bytes of an open file in the same way.
    package static func identifier(of file: VolumeFile) -> String? {
        guard let start = try? file.bytes(at: 0, count: ContainerFormat.preambleSize),
            start.count == ContainerFormat.preambleSize, matches(start.span)
        else { return nil }
        return Hexadecimal.text([UInt8](start[32..<64]))
    }

    /// Returns the random identifiers at both places where a finished container has it; one of the two may be
    /// damaged.
    public static func identifiers(of path: BytePath) -> Set<String> {
        guard let file = try? VolumeFile(opening: path, .read), let size = try? file.size() else {
            return []
        }
        let places = [0, size - ContainerFormat.headerSize].filter { $0 >= 0 }
        return Set(
            places.compactMap { place in
                let preamble = try? file.bytes(at: place, count: ContainerFormat.preambleSize)
                guard let preamble, preamble.count == ContainerFormat.preambleSize else { return nil }
                return Hexadecimal.text([UInt8](preamble[32..<64]))
            })
    }

    /// Whether the file starts like a container.
    public static func matches(_ firstBytes: Span<UInt8>) -> Bool {
        guard firstBytes.count >= ContainerFormat.magic.count else { return false }
        return ContainerFormat.magic.indices.allSatisfy { firstBytes[$0] == ContainerFormat.magic[$0] }
    }
}
