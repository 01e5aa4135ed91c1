import AppleHealthExport
import ByteText
import HealthFormats
import HealthModel
import SampleBatches
import SystemIO

/// A check that reads a source again and compares its contents with an archive's manifest.
struct SourceCheck {
    let source: BytePath
    /// The archive to compare with it.
    let archive: StoredExport
    /// The samples in the archive that only earlier exports had.
    let archiveGone: StoredExport?
    let jobs: Int
    let progress: ProgressHandler
    let isInterrupted: @Sendable () -> Bool

    /// The result of a comparison.
    struct Outcome {
        var problems: [VerificationReport.Problem] = []
        /// Whether the document is the one that the archive was made from, judging by its length and CRC-32.
        var isSameDocument = false
        /// What the archive has beyond the source, if it contains all of the source.
        var excess: VerificationReport.Excess?

        /// Whether there is nothing that the source has and the archive lacks.
        mutating func accept(_ excess: VerificationReport.Excess?) {
            guard let excess else { return }
            self.excess = excess
            problems = []
        }
    }

    func compare(_ expected: Manifest) async throws -> Outcome {
        guard let batching = BatchOptions(parsing: expected.batching) else {
            throw VaultError(.unsupportedManifest, path: EntryPath.manifest)
        }
        let acceptsDamage = expected.isTruncated || !expected.skipped.isEmpty
        let opened = try ExportSource(opening: source, acceptingDamage: acceptsDamage)
        let input = try ExportInput(opened, batching)
        let days = try expected.days()
        let filter = expected.selection.map { RowFilter($0, days) }
        let (sums, length, exportDate) = try await sums(input, filter, acceptsDamage: acceptsDamage)
        let fingerprint = expected.fingerprint
        let isSame = fingerprint.length == length && fingerprint.crc32 == input.document.crc32
        var outcome = Outcome(
            problems: Self.problems(expected.sums, sums, isSameDocument: isSame), isSameDocument: isSame)
        if expected.selection == nil {
            outcome.problems += try fileProblems(
                input, expected.files, exportDate: isSame && expected.exports == 1 ? nil : exportDate)
        }
        // Standard input can be read only once.
        guard !outcome.problems.isEmpty, !isSame, source != "-" else { return outcome }
        let containment = SourceContainment(
            archive: archive, gone: archiveGone, source: sums, isByType: false,
            sourceDate: Timestamp(healthApp: Array(exportDate.utf8).span),
            sourceFiles: Set(opened.sideFiles.map(\.name)))
        let excess = try containment.excess(outcome.problems) { wanted, body in
            let again = try ExportInput(opened, batching)
            var collector = BatchCollector(options: batching)
            func pass() throws {
                for closed in collector.removeClosed() where wanted.contains(closed.key.ofSpan) {
                    let batch = try closed.columns.samples()
                    body(closed.key.ofSpan, filter?.rows(of: batch) ?? batch)
                }
                try VaultError.checkInterruption(of: source, isInterrupted)
            }
            var reader = DocumentReader(
                again.document, name: again.source.documentName, acceptsDamage: acceptsDamage)
            while try reader.advance(into: &collector) { try pass() }
            repeat { try pass() } while collector.closeNext()
            try pass()
        }
        outcome.accept(excess)
        return outcome
    }

    /// Compares with an archive or a plain folder, whose batches may have other spans.
    func compare(_ expected: Manifest, _ stored: StoredExport) async throws -> Outcome {
        let manifest = expected
        let days = try manifest.days()
        let filter = manifest.selection.map { RowFilter($0, days) }
        var sums: [SampleBatch.Key: IdentitySum] = [:]
        let batches = stored.batches
        var state = VaultProgress(
            .comparing, subject: source.description,
            total: batches.total { stored.contents.length(of: $0.key) })
        try await stored.read(batches, on: Processors(count: jobs - 1)) { batch, _ in
            (batch.key, (filter?.rows(of: batch) ?? batch).identitySum())
        } use: {
            Self.add($0, to: &sums)
        } didRead: { _, length in
            state.done += length
            progress(state)
            try VaultError.checkInterruption(of: source, isInterrupted)
        }
        let isSameRule = manifest.batching == stored.manifest.batching
        let isSame = manifest.fingerprint == stored.manifest.fingerprint
        var problems = Self.problems(
            isSameRule ? manifest.sums : Self.byType(manifest.sums), isSameRule ? sums : Self.byType(sums),
            isSameDocument: isSame)
        if manifest.selection == nil {
            let mine = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
            let theirs = Dictionary(stored.manifest.files.map { ($0.path, $0) }) { first, _ in first }
            for path in Set(mine.keys).union(theirs.keys).sorted() where mine[path] != theirs[path] {
                if let mine = mine[path], let theirs = theirs[path],
                    manifest.exports > 1 || !isSame,
                    try FileContent.digest(of: mine, in: archive)
                        == FileContent.digest(of: theirs, in: stored)
                {
                    continue
                }
                problems.append(.sourceFile(name: (theirs[path] ?? mine[path])?.name ?? path))
            }
        }
        var outcome = Outcome(problems: problems, isSameDocument: isSame)
        guard !problems.isEmpty, !isSame else { return outcome }
        let containment = SourceContainment(
            archive: archive, gone: archiveGone, source: isSameRule ? sums : Self.byType(sums),
            isByType: !isSameRule, sourceDate: stored.manifest.exported,
            sourceFiles: Set(stored.manifest.files.map(\.name)))
        let excess = try containment.excess(problems) { wanted, body in
            try stored.forEach(of: batches.filter { wanted.contains(containment.key(of: $0.key)) }) { batch in
                body(containment.key(of: batch.key), filter?.rows(of: batch) ?? batch)
                try VaultError.checkInterruption(of: source, isInterrupted)
            }
        }
        outcome.accept(excess)
        return outcome
    }

    /// Adds up the sums of all spans of each type.
    private static func byType(_ sums: [SampleBatch.Key: IdentitySum]) -> [SampleBatch.Key: IdentitySum] {
        var types: [SampleBatch.Key: IdentitySum] = [:]
        for (key, sum) in sums {
            types[key.ofType, default: IdentitySum()].add(sum)
        }
        return types
    }

    private static func problems(
        _ archive: [SampleBatch.Key: IdentitySum], _ source: [SampleBatch.Key: IdentitySum],
        isSameDocument: Bool
    ) -> [VerificationReport.Problem] {
        // Another export has another export date, which affects nothing else.
        let keys = StoreDifference.spans(from: archive, to: source).filter {
            isSameDocument || $0.element != "ExportDate"
        }
        return keys.map { key in
            .sourceSamples(
                type: key.displayType, span: key.span, archive: archive[key]?.count ?? 0,
                source: source[key]?.count ?? 0)
        }
    }

    /// Returns the files that differ.
    ///
    /// - Parameter exportDate: The time of the export if the archive is of another one or of several, whose files may
    ///   have the same content with other offsets; nil if they must be the same byte for byte.
    private func fileProblems(
        _ input: ExportInput, _ files: [Manifest.File], exportDate: String?
    ) throws -> [VerificationReport.Problem] {
        var problems: [VerificationReport.Problem] = []
        // By the paths in the export, because a zip may contain two files with the same name.
        let known = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
        let paths = EntryPath.files(input.source.sideFiles.map(\.name))
        for (file, path) in zip(input.source.sideFiles, paths) {
            var reader = try SideFileReader(file, of: input.source)
            while try reader.next() != nil {
                try VaultError.checkInterruption(of: source, isInterrupted)
            }
            let mine = known[path]
            if mine?.length != reader.length || mine?.crc32 != reader.crc32
                || mine?.isDamaged != reader.isDamaged
            {
                if let mine, let exportDate, try isSame(mine, file, of: input, exportDate) { continue }
                problems.append(.sourceFile(name: file.name))
            }
        }
        let present = Set(paths)
        for file in files where !present.contains(file.path) {
            problems.append(.sourceFile(name: file.name))
        }
        return problems
    }

    /// Returns whether a file of the source has the same content as one in the archive.
    private func isSame(
        _ mine: Manifest.File, _ file: ExportSource.SideFile, of input: ExportInput, _ exportDate: String
    ) throws -> Bool {
        let theirs = try FileContent.digest(exportDate: exportDate) { body in
            var reader = try SideFileReader(file, of: input.source)
            while let piece = try reader.next() { try body(piece) }
        }
        return try FileContent.digest(of: mine, in: archive) == theirs
    }

    private func sums(
        _ input: ExportInput, _ filter: RowFilter?, acceptsDamage: Bool
    ) async throws -> (sums: [SampleBatch.Key: IdentitySum], length: Int, exportDate: String) {
        let processors = Processors(count: jobs - 1)
        var workers = OrderedWorkers<ClosedBatch, (SampleBatch.Key, IdentitySum)>(processors) { closed in
            guard let filter else { return (closed.key, closed.columns.identity) }
            return (closed.key, filter.rows(of: try closed.columns.samples()).identitySum())
        }
        var sums: [SampleBatch.Key: IdentitySum] = [:]
        func submit(
            _ batches: [ClosedBatch],
            _ workers: inout OrderedWorkers<ClosedBatch, (SampleBatch.Key, IdentitySum)>
        )
            async throws
        {
            for batch in batches { try await workers.submit(batch) { Self.add($0, to: &sums) } }
        }
        var collector = BatchCollector(options: input.batching)
        var reader = DocumentReader(
            input.document, name: input.source.documentName, acceptsDamage: acceptsDamage)
        while try await reader.advance(into: &collector, readingAheadOn: processors) {
            try await submit(collector.removeClosed(), &workers)
            progress(
                input.size.progress(.comparing, input.source.documentName.description, done: reader.bytesRead)
            )
            try VaultError.checkInterruption(of: source, isInterrupted)
        }
        repeat { try await submit(collector.removeClosed(), &workers) } while collector.closeNext()
        try await submit(collector.removeClosed(), &workers)
        try await workers.finish { Self.add($0, to: &sums) }
        return (sums, reader.bytesRead, collector.facts.exportDate)
    }

    private static func add(
        _ result: (SampleBatch.Key, IdentitySum), to sums: inout [SampleBatch.Key: IdentitySum]
    ) {
        // The selection does not contain any of its rows.
        guard result.1.count > 0 else { return }
        var key = result.0
        key.part = 0
        sums[key, default: IdentitySum()].add(result.1)
    }
}
