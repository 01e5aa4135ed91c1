import ByteText
public import HealthModel
public import SampleBatches
public import SystemIO
public import VaultContainer

/// An archive as a store of samples: an encrypted container, or a plain export folder.
///
/// Only the batches of a container that a query needs are decrypted.
public final class ArchiveStore: HealthStore {
    private let archive: OpenArchive

    /// Opens the container at a path.
    ///
    /// - Parameter gone: Whether to use only samples that later exports no longer contain.
    /// - Throws: `VaultError`.
    public init(container path: BytePath, key: ArchiveKey, gone: Bool = false) throws(VaultError) {
        do {
            let chain = try ContainerChain(opening: path, key: key, acceptingDamage: true)
            archive = try OpenArchive(StoredExport(chain, isGone: gone))
        } catch {
            throw VaultError.wrapping(error, path: path)
        }
    }

    /// Creates a store of an archive that is open.
    ///
    /// - Throws: `VaultError`.
    package init(_ export: StoredExport) throws(VaultError) {
        do { archive = try OpenArchive(export) } catch { throw VaultError.wrapping(error, path: export.path) }
    }

    /// Opens the plain export folder at a path.
    ///
    /// - Throws: `VaultError`.
    public init(folder path: BytePath) throws(VaultError) {
        do { archive = try OpenArchive(StoredExport(folder: path)) } catch {
            throw VaultError.wrapping(error, path: path)
        }
    }

    /// Returns the contents of the archive.
    ///
    /// - Throws: `VaultError`.
    @concurrent public func contents() async throws -> StoreContents {
        do { return try archive.contents() } catch { throw VaultError.wrapping(error, path: archive.path) }
    }

    /// Returns the fingerprint of this archive.
    ///
    /// - Throws: `VaultError`.
    @concurrent public func fingerprint() async throws -> StoreFingerprint { archive.fingerprint }

    /// Returns the samples that a query covers; iterating over them throws `VaultError`.
    public func batches(_ query: BatchQuery) -> BatchSequence {
        BatchSequence { [archive] in ArchiveBatches(archive, query) }
    }

    /// Returns whole batches of the archive in the order of a request; iterating over them throws `VaultError`.
    ///
    /// Only batches that may contain a requested sample are decrypted, each when it is requested.
    public func spans(_ request: SpanRequest) -> BatchSequence {
        BatchSequence { [archive] in
            do {
                let starts = request.starts(in: try archive.contents())
                return ArchiveSpans(archive, archive.batches(request, starts: starts)[...])
            } catch { throw VaultError.wrapping(error, path: archive.path) }
        }
    }

    /// Returns whether the manifest says that samples were left out, or could not be read or written.
    @concurrent public func isPartial() async throws -> Bool { archive.isPartial }

    /// Returns the sums of spans that the manifest states.
    @concurrent public func spanSums(of types: [AnySampleType]?) async throws -> [SpanSum]? {
        archive.spanSums(of: types)
    }

    /// Returns the parts of a span again, only those that may have samples that start in a time; iterating over them
    /// throws `VaultError`.
    public func spanAgain(_ span: SampleBatch.Key, starts: ClosedRange<Int>?) -> BatchSequence? {
        BatchSequence { [archive] in
            let group = archive.groups.first { $0.element == span.element && $0.type == span.type }
            let parts = (group?.batches ?? []).filter { batch in
                guard batch.key.ofSpan == span.ofSpan else { return false }
                // Rows without a start may be in any part; they come before all others.
                guard let starts, starts.lowerBound > .min, let first = batch.first, let last = batch.last
                else { return true }
                return first.seconds <= starts.upperBound && last.seconds >= starts.lowerBound
            }
            return ArchiveSpans(archive, parts[...])
        }
    }

    /// Returns the facts about the person.
    ///
    /// - Throws: `VaultError`.
    @concurrent public func characteristics() async throws -> Characteristics {
        do { return try archive.characteristics() } catch {
            throw VaultError.wrapping(error, path: archive.path)
        }
    }

    /// Returns the files in a folder of the archive's source.
    @concurrent public func files(in folder: String) async throws -> [StoreFile] { archive.files(in: folder) }

    /// Returns the bytes of a file of at most `StoreFile.largest`.
    ///
    /// - Throws: `VaultError`; `HealthStoreError`.
    @concurrent public func bytes(of file: StoreFile) async throws -> [UInt8] {
        do { return try archive.bytes(of: file) } catch let error as HealthStoreError { throw error } catch {
            throw VaultError.wrapping(error, path: archive.path)
        }
    }
}

/// Batches of an archive, as stored.
private struct ArchiveSpans: BatchSequence.Source {
    private let path: BytePath
    private var ahead: ReadAhead

    init(_ archive: OpenArchive, _ batches: ArraySlice<StoredExport.Batch>) {
        path = archive.path
        ahead = archive.readAhead(batches)
    }

    @concurrent mutating func next() async throws -> SampleBatch? {
        try Task.checkCancellation()
        do { return try await ahead.next() } catch { throw VaultError.wrapping(error, path: path) }
    }
}

/// The batches of an archive that a query covers, regrouped for the query.
private struct ArchiveBatches: BatchSequence.Source {
    private let archive: OpenArchive
    private let query: BatchQuery
    private var rest: ArraySlice<StoredExport.Group>
    private var regrouping: BatchRegrouping<PackedBatch>
    /// The entries of the group that is being read.
    private var entries: ArraySlice<StoredExport.Batch> = []
    private var ready: ArraySlice<BatchRegrouping<PackedBatch>.Part> = []
    private var isFinished = false
    private var cursor = ChainCursor()
    private let packer = SharedPacker()

    init(_ archive: OpenArchive, _ query: BatchQuery) {
        self.archive = archive
        self.query = query
        rest =
            archive.groups.filter { query.covers(element: $0.element, type: $0.type) }
            .sorted { $0.identifier < $1.identifier }[...]
        let packer = packer
        regrouping = BatchRegrouping(query.batchSize) {
            query.covers(start: $0)
        } keep: {
            try packer.pack($0)
        }
    }

    @concurrent mutating func next() async throws -> SampleBatch? {
        do {
            while true {
                switch ready.popFirst() {
                case .batch(let batch): return batch
                case .waiting(let packed): return try packed.samples()
                case nil: break
                }
                if isFinished { return nil }
                try Task.checkCancellation()
                try advance()
                ready = regrouping.removeReady()[...]
            }
        } catch is DuplicatePosition {
            throw VaultError(.manifestMismatch, path: archive.path)
        } catch is CancellationError {
            throw CancellationError()
        } catch { throw VaultError.wrapping(error, path: archive.path) }
    }

    private mutating func advance() throws {
        if let entry = entries.popFirst() {
            try regrouping.append(try archive.samples(of: entry, &cursor), lowest: entry.first)
        } else if let group = rest.popFirst() {
            try regrouping.begin(element: group.element, type: group.type)
            packer.reset()
            entries = group.batches.filter { covers($0) }[...]
        } else {
            try regrouping.finish()
            isFinished = true
        }
    }

    /// Returns whether the batch may contain samples that the query covers.
    private func covers(_ batch: StoredExport.Batch) -> Bool {
        guard query.mayCover(batch.key, from: batch.first?.seconds, to: batch.last?.seconds) else {
            return false
        }
        guard let first = batch.first, let last = batch.last else { return query.start == nil }
        return (query.end.map { first.seconds < $0.seconds } ?? true)
            && (query.start.map { last.seconds >= $0.seconds } ?? true)
    }
}
