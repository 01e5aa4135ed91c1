import ArchiveWriting
import ByteText
import HealthArchive
import SampleBatches
import SystemIO
import VaultContainer

/// Writes what is new in an export into a container that continues others.
struct IncrementRun {
    private let plan: IncrementPlan
    private let destination: ContainerDestination
    private let mirroring: Bool
    private let check: () throws -> Void
    /// The offset added to the positions of the newest export, so that they follow all those in the archive.
    private let base: Int
    /// The position of the next sample that is gone.
    private var nextGone: Int
    private var written: [SampleBatch.Key: IdentitySum] = [:]
    private var gone: [SampleBatch.Key: Manifest.Span] = [:]
    private var kept = 0
    /// The number of samples that the newest export no longer has.
    private(set) var vanished = 0

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - plan: What to write.
    ///   - base: A position after all those in the containers that are continued; 0 if none is.
    ///   - destination: The container.
    ///   - mirroring: Whether to drop everything that the newest export does not have.
    ///   - check: Called repeatedly; throws if the run is to stop.
    init(
        _ plan: IncrementPlan, from base: Int, _ destination: ContainerDestination, mirroring: Bool,
        check: @escaping () throws -> Void
    ) {
        self.plan = plan
        self.destination = destination
        self.mirroring = mirroring
        self.check = check
        self.base = base
        let contents = plan.found.contents
        let last = plan.found.groups.flatMap(\.batches).compactMap {
            contents.positions(of: $0.key)?.upperBound
        }
        nextGone = base + (last.max() ?? 0) + 1
    }

    /// The number of samples that the archive did not have.
    var added: Int {
        // A sample that was gone and is back counts as new.
        written.total { Manifest.isSample($0.key.element) ? $0.value.count : 0 } - kept
    }

    /// Writes the batches, the files and the text before the root element.
    ///
    /// - Returns: The manifest of the whole archive.
    mutating func write(jobs: Int, _ terms: EncoderTerms) async throws -> Manifest {
        guard nextGone < SampleBatch.positionLimit else {
            throw VaultError(.manifestMismatch, path: plan.held.path)
        }
        try await EntryPipeline.with(destination, terms, Processors(count: jobs - 1)) { pipeline in
            for change in plan.changes {
                try await write(change, &pipeline)
                count(&pipeline)
                try check()
            }
            try await writeFiles(&pipeline)
            try await pipeline.finish()
            count(&pipeline)
            if let prologue = plan.prologue { try pipeline.add(prologue: prologue) }
        }
        for span in plan.found.manifest.spans {
            guard let sum = written[span.key], sum != span.identity else { continue }
            throw VaultError(.manifestMismatch, path: EntryPath.batch(span.key))
        }
        return manifest()
    }

    private mutating func write(_ change: IncrementPlan.Change, _ pipeline: inout EntryPipeline) async throws
    {
        var samples = IdentityCounts()
        var cursor = ChainCursor()
        for part in change.found {
            var batch = try plan.found.samples(of: part.key, &cursor)
            samples.add(batch)
            // The root element is the row at position 0.
            if change.key.element != "HealthData" { batch.movePositions(by: base) }
            try await pipeline.add(.read(batch))
        }
        var gone = GoneBatches(change.key)
        let isSample = Manifest.isSample(change.key.element)
        for (export, parts) in [(plan.held, change.held), (plan.heldGone, change.heldGone)] where isSample {
            try export.forEach(of: parts) { batch in
                samples.remove(batch) { row, fate in
                    switch fate {
                    case .kept: if export === plan.held { kept += 1 }
                    case .updated: break
                    case .gone:
                        if export === plan.held { vanished += 1 }
                        gone.add(row, of: batch, position: nextGone)
                        nextGone += 1
                    }
                }
            }
        }
        gone.endBatch()
        guard !mirroring else { return }
        for batch in gone.batches { try await pipeline.add(.read(batch)) }
    }

    private func writeFiles(_ pipeline: inout EntryPipeline) async throws {
        for file in plan.changedFiles { try await write(file, plan.found, as: file.path, &pipeline) }
        if plan.isFull {
            for file in plan.keptFiles + plan.keptGoneFiles(mirroring: mirroring) {
                try await write(file, plan.held, as: file.path, &pipeline)
            }
        }
        for file in plan.vanishedFiles where !mirroring {
            try await write(file, plan.held, as: EntryPath.gone(file: file.path), &pipeline)
        }
    }

    private func write(
        _ file: Manifest.File, _ export: StoredExport, as path: BytePath, _ pipeline: inout EntryPipeline
    ) async throws {
        try await pipeline.add(export.contents.pieces(ofFileAt: file.path), as: path) { _ in try check() }
    }

    private mutating func count(_ pipeline: inout EntryPipeline) {
        for batch in pipeline.removeWritten() {
            let (facts, key) = (batch.facts, batch.facts.key.ofSpan)
            guard facts.isGone else {
                written[key, default: IdentitySum()].add(facts.identity)
                continue
            }
            var span = gone[key] ?? Manifest.Span(key: key)
            span.add(facts)
            gone[key] = span
        }
    }

    /// Returns the manifest of the whole archive.
    private func manifest() -> Manifest {
        var manifest = plan.found.manifest
        let changed = Set(plan.changes.map(\.key))
        manifest.exports = plan.isFull ? 1 : plan.held.manifest.exports + 1
        // Unchanged spans keep their number of parts.
        manifest.spans =
            (plan.held.manifest.spans.filter { !changed.contains($0.key) }
            + plan.found.manifest.spans.filter { changed.contains($0.key) }).sorted { $0.key < $1.key }
        manifest.files = plan.files
        guard !mirroring else { return manifest }
        manifest.gone.spans =
            (plan.held.manifest.gone.spans.filter { !changed.contains($0.key) } + gone.values)
            .sorted { $0.key < $1.key }
        let vanished = plan.vanishedFiles.map { file in
            var gone = file
            gone.path = EntryPath.gone(file: file.path)
            return gone
        }
        manifest.gone.files = (plan.keptGoneFiles(mirroring: false) + vanished).sorted { $0.path < $1.path }
        return manifest
    }
}
