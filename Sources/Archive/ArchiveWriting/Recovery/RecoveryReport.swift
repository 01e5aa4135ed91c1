import ByteText
import HealthArchive
public import SystemIO

/// A report of what a recovery saved and what it did not.
public struct RecoveryReport: Sendable {
    /// An entry that has holes.
    public struct Damage: Sendable, Equatable {
        /// Its name; empty for bytes between entries, whose name is lost.
        public var name: BytePath
        /// Its length in the container.
        public var length: Int
        /// The ranges of its bytes that are lost.
        public var lost: [Range<Int>]

        /// The number of bytes that are lost.
        public var lostBytes: Int { lost.total(\.count) }
    }

    /// Whether the container's index was found; without it, it is unknown what is missing after the last entry.
    public var hasIndex = false
    /// Whether the manifest was found.
    public var hasManifest = false
    /// The file name of the container that this one continues; nil if it continues none.
    ///
    /// The contents of that container were not searched for, and are not listed as lost.
    public var continues: BytePath?
    /// The number of entries that are whole.
    public var wholeEntries = 0
    /// The size of the whole entries in the container, in bytes.
    public var wholeBytes = 0
    /// Entries with holes, and bytes whose entry is unknown.
    public var damaged: [Damage] = []
    /// The volumes of the container that are missing between others, with all that was in them.
    public var missingVolumes: [BytePath] = []
    /// Chunks of 16 KiB that do not authenticate: their segment, and their number in it.
    public var lostChunks: [(segment: Int, chunk: Int)] = []
    /// Batches that the manifest lists and that were not recovered whole.
    public var lostBatches: [BytePath] = []
    /// Side files that the manifest lists and that were not recovered whole.
    public var lostFiles: [BytePath] = []

    /// The number of samples that were recovered.
    public var samples = 0
    /// The number of samples that are lost; nil if the manifest is lost or the container continues another one.
    public var lostSamples: Int?

    /// The batches and side files of which nothing was recovered, not even a part.
    public var lostEntirely: [BytePath] {
        let damaged = Set(
            damaged.map { damage in
                switch StoredEntry(damage.name) {
                case .batch(let batch): batch.stem
                case .piece(let path, _): path
                default: damage.name
                }
            })
        return (lostBatches + lostFiles).filter { !damaged.contains($0) }
    }

    /// The folder that was replaced, if it could not be removed; it is not part of the report file.
    public var leftBehind: BytePath?

    /// Whether nothing is known to be lost.
    public var isComplete: Bool {
        hasIndex && hasManifest && damaged.isEmpty && lostBatches.isEmpty && lostFiles.isEmpty
    }

    /// The report as JSON text.
    public var json: [UInt8] {
        var writer = JSONWriter(pretty: true)
        writer.object { writer in
            writer.member("recovery", 1)
            writer.member("index", hasIndex)
            writer.member("manifest", hasManifest)
            if let continues { writer.member("continues", continues) }
            writer.member("wholeEntries", wholeEntries)
            writer.member("wholeBytes", wholeBytes)
            writer.member("samples", samples)
            if let lostSamples { writer.member("lostSamples", lostSamples) }
            writer.key("damaged")
            writer.array { writer in
                for damage in damaged {
                    writer.object { writer in
                        writer.member("name", damage.name)
                        writer.member("length", damage.length)
                        writer.key("lost")
                        Self.write(damage.lost.map { ($0.lowerBound, $0.upperBound) }, &writer)
                    }
                }
            }
            writer.member("missingVolumes", missingVolumes.map(\.name))
            writer.key("lostChunks")
            Self.write(lostChunks, &writer)
            for (name, list) in [("lostBatches", lostBatches), ("lostFiles", lostFiles)] {
                writer.key(name)
                writer.array { writer in
                    for item in list { writer.string(item) }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func write(_ pairs: [(Int, Int)], _ writer: inout JSONWriter) {
        writer.array { writer in
            for (first, second) in pairs {
                writer.array { writer in
                    writer.integer(first)
                    writer.integer(second)
                }
            }
        }
    }
}
