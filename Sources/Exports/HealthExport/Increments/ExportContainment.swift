import ByteText
public import HealthArchive
import SampleBatches
public import SystemIO
public import VaultContainer

/// A check whether exports have everything that an older one has, so that the older one can be removed.
///
/// It counts what each of them shows as well as what only earlier exports had. Spans with the same count and sum of
/// identities have the same samples; only those of other spans are read.
public struct ExportContainment: Sendable {
    /// What an older export has and the others lack.
    public struct Lack: Sendable, Equatable {
        /// The number of samples.
        public var samples = 0
        /// The number of side files, by name.
        public var files = 0

        /// Whether nothing is lacking.
        public var isNone: Bool { samples == 0 && files == 0 }
    }

    /// An export that was opened.
    private struct Opened {
        let manifest: Manifest
        /// The batches of what it shows, and of what only earlier exports had; none if its format cannot be read back.
        var stored: [StoredExport] = []

        init(_ path: BytePath, _ key: ArchiveKey?) throws {
            if let key {
                let chain = try ContainerChain(opening: path, key: key)
                let (newest, gone) = try StoredExport.both(chain)
                stored = [newest, gone]
                manifest = stored[0].manifest
                return
            }
            do {
                stored = [try StoredExport(folder: path)]
                manifest = stored[0].manifest
            } catch let error as VaultError where error.code == .notReadBack {
                manifest = try Manifest(ofFolder: path)
            }
        }

        var spans: [Manifest.Span] {
            (manifest.spans + manifest.gone.spans).filter { Manifest.isSample($0.key.element) }
        }

        /// Reads the batches whose keys fulfil a condition.
        func forEachBatch(
            _ isWanted: (SampleBatch.Key) -> Bool, _ body: (SampleBatch) -> Void
        ) throws {
            for export in stored { try export.forEach(of: export.batches.filter { isWanted($0.key) }, body) }
        }

        var fileNames: Set<BytePath> { Set((manifest.files + manifest.gone.files).map(\.name)) }
    }

    private let others: [Opened]
    private let key: ArchiveKey?
    /// The samples of the spans of the exports that stay, as far as their manifests tell.
    private let known: [SampleBatch.Key: [IdentitySum]]
    private let names: Set<BytePath>

    /// Opens the exports that stay.
    ///
    /// - Parameter key: The key of archives; nil for folders.
    /// - Throws: `VaultError` if one of them cannot be opened.
    public init(in paths: [BytePath], key: ArchiveKey?) throws(VaultError) {
        var others: [Opened] = []
        for path in paths {
            do { others.append(try Opened(path, key)) } catch {
                throw VaultError.wrapping(error, path: path)
            }
        }
        self.others = others
        self.key = key
        known = Dictionary(grouping: others.flatMap(\.spans), by: \.key).mapValues { $0.map(\.identity) }
        names = others.reduce(into: []) { $0.formUnion($1.fileNames) }
    }

    /// Returns what an older export has and those that stay lack.
    ///
    /// Of formats that cannot be read back, spans are compared by the number of their samples.
    ///
    /// - Throws: `VaultError` if it cannot be opened or read.
    public func lack(of path: BytePath) throws(VaultError) -> Lack {
        do {
            let old = try Opened(path, key)
            var lack = Lack(files: old.fileNames.subtracting(names).count)
            let spans = old.spans.filter { known[$0.key]?.contains($0.identity) != true }
            guard !old.stored.isEmpty, others.allSatisfy({ !$0.stored.isEmpty }) else {
                lack.samples = spans.total { fewest(of: $0) }
                return lack
            }
            for key in Set(spans.map(\.key)).sorted() { lack.samples += try missing(key, of: old) }
            return lack
        } catch { throw VaultError.wrapping(error, path: path) }
    }

    /// Returns how many samples of a span are lacking at least.
    private func fewest(of span: Manifest.Span) -> Int {
        let most = others.map { other in
            other.spans.filter { $0.key == span.key }.total(\.identity.count)
        }.max()
        return max(0, span.identity.count - (most ?? 0))
    }

    /// Reads a span of the older export, and counts its samples that none of the others has.
    private func missing(_ key: SampleBatch.Key, of old: Opened) throws -> Int {
        var samples = IdentityCounts()
        for other in others {
            // Other spans, if it was divided by another rule, have to be read as a whole.
            let isSameRule = other.manifest.batching == old.manifest.batching
            try other.forEachBatch({ isSameRule ? $0.ofSpan == key : $0.isSameType(as: key) }) {
                samples.add($0)
            }
        }
        var missing = 0
        try old.forEachBatch({ $0.ofSpan == key }) { batch in
            samples.remove(batch) { _, fate in if fate == .gone { missing += 1 } }
        }
        return missing
    }
}

extension SampleBatch.Key {
    /// Whether both have the same element and type.
    fileprivate func isSameType(as other: Self) -> Bool { element == other.element && type == other.type }
}
