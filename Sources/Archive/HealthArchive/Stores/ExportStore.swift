public import AppleHealthExport
import ByteText
public import HealthModel
import SampleBatches
import Synchronization
public import SystemIO

/// An export of the Health app as a store of samples.
///
/// Each query is one pass over the document, however many types it covers.
public final class ExportStore: HealthStore {
    private let document: ExportDocument
    /// The source of the side files; nil for a document that is not in a file.
    private let source: ExportSource?
    private let known = Mutex(Known())
    private let processors = Processors.toReadAhead

    /// Facts that are known after reading the whole document.
    private struct Known {
        var contents: StoreContents?
        var characteristics = Characteristics([:])
        var fingerprint: StoreFingerprint?
        /// Whether a pass keeps what it has read for the next one.
        var isKeeping = false
        /// What a pass has kept, and the types that it was about; nil for all.
        var kept: (types: Set<ExactName>?, batches: [PackedBatch])?
    }

    /// Opens the export at a path: a zip, its folder, or an XML file.
    ///
    /// - Parameter progress: Called with the progress of each pass over the document.
    /// - Throws: `VaultError` if there is no export at the path; standard input is not accepted, because it can only be
    ///   read once.
    public init(path: BytePath, progress: @escaping ProgressHandler = { _ in }) throws(VaultError) {
        guard path != "-" else { throw VaultError(.readableOnce) }
        do {
            let source = try ExportSource(opening: path)
            self.source = source
            var document = ExportDocument(source)
            document.progress = progress
            self.document = document
        } catch { throw VaultError.wrapping(error, path: path) }
    }

    /// Returns a store for the document on standard input, which can answer only one query.
    ///
    /// - Parameter progress: Called with the progress of the pass over the document.
    /// - Throws: `VaultError`; a second pass throws `VaultError.readableOnce`.
    public static func standardInput(
        progress: @escaping ProgressHandler = { _ in }
    ) throws(VaultError) -> ExportStore {
        let source: ExportSource
        do { source = try ExportSource(opening: "-") } catch {
            throw VaultError.wrapping(error, path: "-")
        }
        let isRead = Mutex(false)
        let facts = StoreFingerprint(["kind": "export"])
        return ExportStore(named: source.documentName, facts: facts, progress: progress) {
            let isSecond = isRead.withLock { isRead in
                defer { isRead = true }
                return isRead
            }
            guard !isSecond else { throw VaultError(.readableOnce) }
            return try source.openDocument()
        }
    }

    /// Creates a store from a document that is not in a file, such as a generated one.
    ///
    /// - Parameters:
    ///   - name: The name of the document in messages.
    ///   - facts: The facts that distinguish it from other documents.
    ///   - progress: Called with the progress of each pass over the document.
    ///   - open: Opens the document; called for each pass.
    public init(
        named name: BytePath, facts: StoreFingerprint, progress: @escaping ProgressHandler = { _ in },
        open: @escaping @Sendable () throws -> any ByteStream
    ) {
        source = nil
        var document = ExportDocument(name: name, facts: facts, open: open)
        document.progress = progress
        self.document = document
    }

    /// Makes the next pass over batches keep what it reads, compressed, so that further ones about the same types need not read
    /// the document again.
    public func keepSamples() { known.withLock { $0.isKeeping = true } }

    /// Returns the contents of the export.
    ///
    /// - Throws: `VaultError`; `CancellationError` if the task was cancelled.
    @concurrent public func contents() async throws -> StoreContents {
        if let contents = known.withLock({ $0.contents }) { return contents }
        do {
            let observer = try FingerprintObserver(expectedLength: document.size)
            let stream = try document.open()
            var reader = DocumentReader(stream, name: document.name, observer: observer)
            var sink = InspectionSink()
            while try await reader.advance(into: &sink, readingAheadOn: processors) {
                document.report(reader)
                try Task.checkCancellation()
                await Task.yield()
            }
            return try remember(sink, try document.fingerprint(observer, crc32: stream.crc32))
        } catch { throw Self.naming(error) }
    }

    /// Returns the facts about the person, reading the whole export unless that was already done.
    ///
    /// - Throws: `VaultError`; `CancellationError` if the task was cancelled.
    @concurrent public func characteristics() async throws -> Characteristics {
        _ = try await contents()
        return known.withLock { $0.characteristics }
    }

    /// Stores the results of a complete pass.
    private func remember(_ sink: InspectionSink, _ fingerprint: StoreFingerprint) throws -> StoreContents {
        var contents = try sink.contents()
        contents.fingerprint = fingerprint
        let result = contents
        let characteristics = sink.facts.characteristics
        known.withLock { known in
            (known.contents, known.characteristics) = (result, characteristics)
            known.fingerprint = fingerprint
        }
        return result
    }

    /// Returns the fingerprint of this export, as far as it is known.
    ///
    /// - Throws: `VaultError`.
    @concurrent public func fingerprint() async throws -> StoreFingerprint {
        if let fingerprint = known.withLock({ $0.fingerprint }) { return fingerprint }
        do { return try document.quickFacts() } catch { throw Self.naming(error) }
    }

    /// Returns the samples that a query covers, type by type and span by span.
    ///
    /// Iterating over them throws `VaultError`. The whole document is read for the first batch: an export is not
    /// sorted by time, so the requested samples are kept in memory, compressed, until they are read.
    public func batches(_ query: BatchQuery) -> BatchSequence {
        BatchSequence { [self] in
            if let kept = kept(query) { return ExportBatches(kept) }
            let (isInspecting, isKeeping) = known.withLock { ($0.contents == nil, $0.isKeeping) }
            return ExportBatches(try pass(query, inspecting: isInspecting)) { [self] batches in
                guard isKeeping, query.isWhole, query.places == nil else { return }
                known.withLock { $0.kept = (query.types, batches) }
            }
        }
    }

    /// Returns the batches of a query that an earlier pass has kept; nil if none has kept all of them.
    private func kept(_ query: BatchQuery) -> [PackedBatch]? {
        guard query.isWhole, let kept = known.withLock({ $0.kept }) else { return nil }
        if let types = kept.types {
            guard query.unknownKinds.isEmpty, query.types?.isSubset(of: types) ?? false else { return nil }
        }
        return kept.batches.filter {
            query.covers(element: $0.planned.key.element, type: $0.planned.key.type)
                && query.mayCover($0.planned.key, from: $0.planned.first, to: $0.planned.first)
        }
    }

    /// Returns whole batches of the export in the order of a request; iterating over them throws `VaultError`.
    ///
    /// The same pass also determines the contents of the export, so finding the zone of its days takes no extra pass.
    public func spans(_ request: SpanRequest) -> BatchSequence {
        BatchSequence { [self] in
            let query = BatchQuery(request)
            // What was kept is in the order of spans.
            if !request.isNewestFirst, request.leadingType == nil, let kept = kept(query) {
                return ExportBatches(kept)
            }
            let isInspecting = known.withLock { $0.contents == nil }
            return ExportBatches(
                try pass(query, inspecting: isInspecting), newestFirst: request.isNewestFirst,
                leading: request.leadingType)
        }
    }

    /// Returns the batches of a query, without their samples.
    ///
    /// - Throws: `VaultError`; `CancellationError` if the task was cancelled.
    @concurrent public func plan(_ query: BatchQuery) async throws -> [PlannedBatch] {
        do {
            let pass = ExportSteps(try pass(query))
            var plan: [PlannedBatch] = []
            while let batch = try await pass.next({
                PlannedBatch(key: $0.key, count: $0.columns.count, first: $0.columns.first?.seconds)
            }) {
                plan.append(batch)
            }
            return SpanOrder.sorted(plan) { $0 }
        } catch { throw Self.naming(error) }
    }

    private func pass(_ query: BatchQuery, inspecting isInspecting: Bool = false) throws -> sending ExportPass
    {
        do {
            let expected = try known.withLock { $0.fingerprint } ?? document.quickFacts()
            return try ExportPass(document, query, inspecting: isInspecting, on: processors) {
                [self] inspection, seen in
                guard expected.compare(seen) != .different else {
                    throw VaultError(
                        .source(ExportError(.changed, file: document.name)), path: document.name)
                }
                if let inspection {
                    _ = try remember(inspection, seen)
                } else {
                    known.withLock { $0.fingerprint = seen }
                }
            }
        } catch { throw Self.naming(error) }
    }

    /// Returns the paths of the files in a folder of the export.
    @concurrent public func files(in folder: String) async throws -> [StoreFile] {
        (source?.sideFiles ?? []).enumerated().compactMap { number, file in
            guard let path = file.name.text, path.hasPrefix(folder + "/") else { return nil }
            return StoreFile(path: path, length: file.size, handle: String(number))
        }
    }

    /// Returns the bytes of a file of the export of at most `StoreFile.largest`.
    ///
    /// - Throws: `VaultError`; `HealthStoreError`.
    @concurrent public func bytes(of file: StoreFile) async throws -> [UInt8] {
        guard let source, let number = Int(file.handle), source.sideFiles.indices.contains(number) else {
            throw HealthStoreError(.noSuchFile)
        }
        guard source.sideFiles[number].size <= StoreFile.largest else { throw HealthStoreError(.largeFile) }
        do {
            var reader = try SideFileReader(source.sideFiles[number], of: source)
            var bytes: [UInt8] = []
            while reader.length <= source.sideFiles[number].size, let piece = try reader.next() {
                bytes += piece
                try Task.checkCancellation()
            }
            guard !reader.isDamaged, reader.length <= source.sideFiles[number].size else {
                throw ExportError(.damagedArchive, file: source.sideFiles[number].name)
            }
            return bytes
        } catch { throw Self.naming(error) }
    }

    /// Returns cancellation unchanged, and wraps any other error in `VaultError`.
    fileprivate static func naming(_ error: any Error) -> any Error {
        error is CancellationError ? error : VaultError.wrapping(error)
    }
}

/// The batches of a pass, in the order of their spans.
private struct ExportBatches: BatchSequence.Source {
    /// nil for batches that an earlier pass has kept.
    private let steps: ExportSteps?
    private let newestFirst: Bool
    private let leading: AnySampleType?
    /// Called with all batches of the pass, in their order.
    private let keep: @Sendable ([PackedBatch]) -> Void
    /// The batches that were not returned yet, the next one last, so that its memory is released with it.
    private var rest: [PackedBatch]?

    init(
        _ pass: consuming sending ExportPass, newestFirst: Bool = false, leading: AnySampleType? = nil,
        keep: @escaping @Sendable ([PackedBatch]) -> Void = { _ in }
    ) {
        steps = ExportSteps(pass)
        self.keep = keep
        self.leading = leading
        self.newestFirst = newestFirst
    }

    /// Returns batches that an earlier pass has kept.
    init(_ kept: [PackedBatch]) {
        (steps, newestFirst, leading, keep) = (nil, false, nil, { _ in })
        rest = kept.reversed()
    }

    @concurrent mutating func next() async throws -> SampleBatch? {
        do {
            if rest == nil {
                var packer = try PackedBatch.Packer()
                var found: [PackedBatch] = []
                while let batch = try await steps?.next({ $0 }) {
                    found.append(try packer.pack(batch))
                }
                let sorted = SpanOrder.sorted(found, newestFirst: newestFirst, leading: leading) {
                    $0.planned
                }
                keep(sorted)
                rest = sorted.reversed()
            }
            try Task.checkCancellation()
            return try rest?.popLast()?.samples()
        } catch { throw ExportStore.naming(error) }
    }
}

/// A pass that yields to other tasks between its steps.
private actor ExportSteps {
    /// nil while steps are under way, and after an error.
    private var pass: ExportPass?
    private var failure: (any Error)?

    init(_ pass: consuming sending ExportPass) { self.pass = consume pass }

    /// Returns the result of `make` for the next batch; nil after the last.
    ///
    /// After an error, it throws the same again.
    func next<Result: Sendable>(_ make: @Sendable (ClosedBatch) -> Result) async throws -> Result? {
        if let failure { throw failure }
        guard var pass = pass.take() else { preconditionFailure("one task at a time reads batches") }
        do {
            while true {
                try Task.checkCancellation()
                switch try await pass.step() {
                case .batch(let batch):
                    self.pass = consume pass
                    return make(batch)
                case .reading: await Task.yield()
                case .end:
                    self.pass = consume pass
                    return nil
                }
            }
        } catch {
            failure = error
            throw error
        }
    }
}
