import ArchiveWriting
import DataCompression
import HealthArchive
import HealthFormats
import Synchronization
import SystemIO
import VaultCrypto

/// Puts elements into the order of their positions, with little memory, if they come in any other.
///
/// Runs of a few megabytes are sorted, compressed, and written to an encrypted file without a name. Each run is cut at the
/// same positions, so that the elements between two of them can be read from all runs.
final class ElementSpool: Sendable {
    /// The number of parts.
    let partCount: Int
    /// The position that the first part starts at.
    private let first: Int
    /// The number of positions of a part.
    private let width: Int
    private let file: SpoolFile
    private let tools: Pool<Tools>
    /// The path of the source, for messages.
    private let source: BytePath
    private let state = Mutex(State())

    /// The length of text from which a run is written.
    private static let runLength = 1 << 22
    /// The maximum number of parts: for each of them and each run, four bytes stay in memory.
    private static let mostParts = 1 << 10
    /// The minimum number of positions of a part, below a megabyte of usual elements.
    private static let narrowest = 1 << 11

    /// What only one thread uses at a time.
    private final class Tools: @unchecked Sendable {
        // @unchecked: the pool hands the tools to one task at a time.
        var cipher: AES256GCM
        var compressor: ZstandardCompressor
        var decompressor: ZstandardDecompressor

        init(_ file: SpoolFile) throws {
            cipher = try file.cipher()
            compressor = try ZstandardCompressor()
            decompressor = try ZstandardDecompressor()
        }
    }

    private struct State {
        var runs: [Run] = []
        var size = 0
        /// The number of parts of all runs.
        var count: UInt64 = 0
    }

    /// The places of a run's parts.
    private struct Run {
        let start: Int
        /// The number of the first part.
        let number: UInt64
        /// The end of each part, from the start of the run.
        let ends: [UInt32]

        /// The place of a part; nil if it has no elements.
        func place(of part: Int) -> SpooledPlace? {
            let begin = part == 0 ? 0 : Int(ends[part - 1])
            let length = Int(ends[part]) - begin
            return length == 0
                ? nil : SpooledPlace(number: number + UInt64(part), start: start + begin, length: length)
        }
    }

    /// Makes the file.
    ///
    /// - Parameters:
    ///   - folder: The folder, on which there has to be room for the elements.
    ///   - positions: The positions of all elements.
    ///   - source: The path of the source, for messages.
    init(in folder: OpenFolder, _ positions: ClosedRange<Int>, _ source: BytePath) throws {
        let count = positions.upperBound - positions.lowerBound + 1
        first = positions.lowerBound
        width = max(Self.narrowest, (count + Self.mostParts - 1) / Self.mostParts)
        partCount = (count + width - 1) / width
        self.source = source
        let file = try SpoolFile(in: folder)
        self.file = file
        tools = Pool { try Tools(file) }
    }

    /// Sorts and writes a run of elements whose positions are in the range.
    ///
    /// Several threads may call it at once.
    func add(_ elements: XMLRowWriter.Lines) throws {
        try tools.with { tools in
            var frames: [(part: Int, bytes: [UInt8])] = []
            try elements.forEachPart {
                ($0 - first) / width
            } _: { part, bytes in
                frames.append((part, try tools.compressor.compress(bytes.span, .passing)))
            }
            var ends = [UInt32](repeating: 0, count: partCount)
            var length = 0
            var next = frames[...]
            for part in 0..<partCount {
                if next.first?.part == part { length += next.removeFirst().bytes.count + AES256GCM.tagLength }
                guard let end = UInt32(exactly: length) else {
                    throw VaultError(.format(FormatError(.tooLarge)), path: source)
                }
                ends[part] = end
            }
            let run = reserve(ends)
            for (part, bytes) in frames {
                guard let place = run.place(of: part) else { continue }
                _ = try file.write(bytes, number: place.number, at: place.start, &tools.cipher)
            }
        }
    }

    /// Writes elements, and removes them, once they are long enough for a run.
    func addIfLong(_ elements: inout XMLRowWriter.Lines) throws {
        guard elements.text.count >= Self.runLength else { return }
        try add(elements)
        elements.removeAll()
    }

    /// Adds a run with places and numbers that no other has.
    private func reserve(_ ends: [UInt32]) -> Run {
        state.withLock { state in
            let run = Run(start: state.size, number: state.count, ends: ends)
            state.runs.append(run)
            state.size += Int(ends.last ?? 0)
            state.count += UInt64(partCount)
            return run
        }
    }

    /// Returns the text of the elements of a part, in order, and their number; call it when all have been added.
    func elements(ofPart part: Int) throws -> (text: [UInt8], count: Int) {
        let places = state.withLock { state in state.runs.compactMap { $0.place(of: part) } }
        return try tools.with { tools in
            XMLRowWriter.Lines.sorted(
                try places.map { place in
                    let frame = try file.bytes(at: place, &tools.cipher)
                    return try tools.decompressor.decompress(frame.span, limit: .max)
                })
        }
    }
}
