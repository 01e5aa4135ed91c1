import AppleHealthExport
import BatchCollection
import SampleBatches
import SystemIO

/// Reads a source again and compares what is in it with an archive's manifest.
struct SourceCheck {
    let source: BytePath
    let jobs: Int
    let progress: ProgressHandler

    /// The result of a comparison.
    struct Outcome {
        var problems: [VerificationReport.Problem] = []
        /// Whether the document is the one that the archive was made of, judging by its length and CRC-32.
        var isSameDocument = false
    }

    func compare(_ expected: ManifestReader.Result) async throws -> Outcome {
        guard let batching = BatchOptions(parsing: expected.manifest.batching) else {
            throw VaultError(.unsupportedManifest, path: EntryPath.manifest)
        }
        let input = try ExportInput(try ExportSource(opening: source), batching)
        let days = try expected.manifest.days()
        let (sums, length) = try await sums(
            input, expected.manifest.selection.map { RowFilter($0, days) },
            acceptsTruncated: expected.manifest.isTruncated)
        let fingerprint = expected.manifest.fingerprint
        var problems: [VerificationReport.Problem] = []
        for key in Set(expected.spans.keys).union(sums.keys).sorted() {
            let mine = expected.spans[key]
            let theirs = sums[key]
            if mine?.count != theirs?.count || mine?.identity != theirs?.hexadecimal {
                problems.append(
                    .sourceSamples(
                        type: key.displayType, span: key.span, archive: mine?.count ?? 0,
                        source: theirs?.count ?? 0))
            }
        }
        if expected.manifest.selection == nil { problems += try fileProblems(input, expected.manifest.files) }
        return Outcome(
            problems: problems,
            isSameDocument: fingerprint.length == length && fingerprint.crc32 == input.document.crc32)
    }

    private func fileProblems(
        _ input: ExportInput, _ files: [Manifest.File]
    ) throws -> [VerificationReport.Problem] {
        var problems: [VerificationReport.Problem] = []
        // By the paths in the export, because a zip may contain two files of one name.
        let known = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
        let paths = EntryPath.files(input.source.sideFiles.map(\.name))
        for (file, path) in zip(input.source.sideFiles, paths) {
            var reader = try SideFileReader(file, of: input.source)
            while try reader.next() != nil {}
            let mine = known[path]
            if mine?.length != reader.length || mine?.crc32 != reader.crc32
                || mine?.isDamaged != reader.isDamaged
            {
                problems.append(.sourceFile(name: file.name))
            }
        }
        let present = Set(paths)
        for file in files where !present.contains(file.path) {
            problems.append(.sourceFile(name: file.name))
        }
        return problems
    }

    private func sums(
        _ input: ExportInput, _ filter: RowFilter?, acceptsTruncated: Bool
    ) async throws -> (sums: [SampleBatch.Key: IdentitySum], length: Int) {
        let processors = Processors(count: jobs - 1)
        var workers = OrderedWorkers<ClosedBatch, (SampleBatch.Key, IdentitySum)>(processors) { closed in
            let batch = closed.samples()
            return (closed.key, (filter?.rows(of: batch) ?? batch).identitySum())
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
        var reader = DocumentReader(input.document, name: input.source.documentName)
        var state = VaultProgress()
        state.total = input.source.documentSize
        do {
            while try await reader.advance(into: &collector, readingAheadOn: processors) {
                try await submit(collector.removeClosed(), &workers)
                state.done = reader.bytesRead
                state.subject = input.source.documentName.description
                progress(state)
                try VaultError.checkInterruption(of: source)
            }
        } catch let error as ExportError where error.code == .truncated && acceptsTruncated {
            // The archive was made of what was left of the source, and so is the comparison.
        }
        repeat { try await submit(collector.removeClosed(), &workers) } while collector.closeNext()
        try await submit(collector.removeClosed(), &workers)
        try await workers.finish { Self.add($0, to: &sums) }
        return (sums, reader.bytesRead)
    }

    private static func add(
        _ result: (SampleBatch.Key, IdentitySum), to sums: inout [SampleBatch.Key: IdentitySum]
    ) {
        // The selection contains nothing of it.
        guard result.1.count > 0 else { return }
        var key = result.0
        key.part = 0
        sums[key, default: IdentitySum()].add(result.1)
    }
}
