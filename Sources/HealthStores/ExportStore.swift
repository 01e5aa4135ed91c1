public import AppleHealthExport
import BatchCollection
public import HealthArchive
public import HealthModel
import SampleBatches
import Synchronization
public import SystemIO

/// An export of the Health app as a store of samples.
///
/// Each query is one pass over the document, however many types it asks for.
public final class ExportStore: HealthStore {
    private let document: ExportDocument
    private let known = Mutex(Known())

    /// The facts that were found by reading the document completely.
    private struct Known {
        var contents: StoreContents?
        var fingerprint: StoreFingerprint?
    }

    /// Opens the export at a path: a zip, its folder, or an XML file.
    ///
    /// - Throws: `VaultError` if there is no export at the path; standard input is not accepted, because it can be read
    ///   only once.
    public init(path: BytePath) throws(VaultError) {
        guard path != "-" else { throw VaultError(.readableOnce) }
        do { document = ExportDocument(try ExportSource(opening: path)) } catch {
            throw VaultError.wrapping(error, path: path)
        }
    }

    /// Makes a store of a document that is not in a file, such as a generated one.
    ///
    /// - Parameters:
    ///   - name: The name of the document in messages.
    ///   - facts: The facts that distinguish it from other documents.
    ///   - open: Opens the document anew for each pass.
    public init(
        named name: BytePath, facts: StoreFingerprint, open: @escaping @Sendable () -> any ByteStream
    ) {
        document = ExportDocument(name: name, facts: facts, open: open)
    }

    /// Returns the contents of the export.
    ///
    /// - Throws: `VaultError`; `CancellationError` when the task was cancelled.
    @concurrent public func contents() async throws -> StoreContents {
        if let contents = known.withLock({ $0.contents }) { return contents }
        do {
            let observer = try FingerprintObserver(expectedLength: document.size)
            let stream = try document.open()
            var reader = DocumentReader(stream, name: document.name, observer: observer)
            var sink = InspectionSink()
            while try reader.advance(into: &sink) {
                try Task.checkCancellation()
                await Task.yield()
            }
            var contents = sink.contents()
            let fingerprint = try document.fingerprint(observer, crc32: stream.crc32)
            contents.fingerprint = fingerprint
            let result = contents
            known.withLock { $0 = Known(contents: result, fingerprint: fingerprint) }
            return result
        } catch { throw Self.naming(error) }
    }

    /// Returns a fingerprint that distinguishes this export from any other.
    ///
    /// - Throws: `VaultError`.
    @concurrent public func fingerprint() async throws -> StoreFingerprint {
        if let fingerprint = known.withLock({ $0.fingerprint }) { return fingerprint }
        do { return try document.quickFacts() } catch { throw Self.naming(error) }
    }

    /// Returns the samples of the export that a query asks for; iterating over them throws `VaultError`.
    public func batches(_ query: SampleQuery) -> BatchSequence {
        BatchSequence { [self] in ExportBatches(try pass(query)) }
    }

    /// Returns the batches of a query, without their samples.
    ///
    /// - Throws: `VaultError`; `CancellationError` when the task was cancelled.
    @concurrent public func plan(_ query: SampleQuery) async throws -> [PlannedBatch] {
        do {
            let pass = ExportSteps(try pass(query))
            var plan: [PlannedBatch] = []
            while let batch = try await pass.next({
                PlannedBatch(key: $0.key, count: $0.count, first: $0.first?.seconds)
            }) {
                plan.append(batch)
            }
            return plan
        } catch { throw Self.naming(error) }
    }

    private func pass(_ query: SampleQuery) throws -> sending ExportPass {
        do {
            let expected = try known.withLock { $0.fingerprint } ?? document.quickFacts()
            return try ExportPass(document, query) { [self] seen in try check(seen, against: expected) }
        } catch { throw Self.naming(error) }
    }

    /// Checks that the document of a complete pass is the one that was known before.
    private func check(_ seen: StoreFingerprint, against expected: StoreFingerprint) throws {
        guard expected.compare(seen) != .different else {
            throw VaultError(.source(ExportError(.changed, file: document.name)), path: document.name)
        }
        known.withLock { $0.fingerprint = seen }
    }

    /// Returns cancellation unchanged, and any other error as one of this module.
    fileprivate static func naming(_ error: any Error) -> any Error {
        error is CancellationError ? error : VaultError.wrapping(error)
    }
}

/// The samples of a pass.
private struct ExportBatches: BatchSequence.Source {
    private let steps: ExportSteps

    init(_ pass: sending ExportPass) { steps = ExportSteps(pass) }

    @concurrent mutating func next() async throws -> SampleBatch? {
        do { return try await steps.next { $0.samples() } } catch { throw ExportStore.naming(error) }
    }
}

/// A pass that gives way to other tasks between its steps.
private final class ExportSteps: Sendable {
    private let pass: Mutex<ExportPass>

    init(_ pass: sending ExportPass) { self.pass = Mutex(pass) }

    /// Returns what `make` makes of the next batch; nil after the last.
    func next<Result: Sendable>(_ make: (ClosedBatch) -> Result) async throws -> Result? {
        while true {
            try Task.checkCancellation()
            let found: Result?? = try pass.withLock { pass in
                switch try pass.step() {
                case .batch(let batch): make(batch)
                case .reading: .some(nil)
                case .end: nil
                }
            }
            guard let found else { return nil }
            if let found { return found }
            await Task.yield()
        }
    }
}
