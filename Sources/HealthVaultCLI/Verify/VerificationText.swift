import ByteSpans
import CommandOutput
import HealthVault
import JSONText
import SampleBatches
import SystemIO
import VaultContainer

/// The messages about a check.
struct VerificationText {
    let report: VerificationReport
    let archive: BytePath

    /// The number of lines of a kind that are shown; the rest is counted.
    private static let shown = 20

    func show(quiet: Bool) {
        WarningText.show(report.warnings, archive)
        WarningText.show(report.predecessorWarnings)
        for problem in report.problems.prefix(Self.shown) {
            Console.log("\(place(of: problem)): \(describe(problem))")
        }
        more(report.problems.count, "problem")
        for entry in report.affectedEntries.prefix(Self.shown) { Console.log("cannot be read: \(entry)") }
        more(report.affectedEntries.count, "entry that cannot be read")
        guard report.isFlawless else {
            Console.log(verdict)
            return
        }
        guard !quiet else { return }
        if let manifest = report.manifest {
            let isArchive = Inspector.kind(of: archive) == .container
            for line in MissingPartsText.describe(manifest, isArchive: isArchive) { Console.log(line) }
            for path in report.continues { Console.log("read as one with: \(path)") }
            let samples = Quantities.count(manifest.writtenSamples, "sample")
            let files = Quantities.count(manifest.files.count, "side file")
            let size = Quantities.bytes(report.size)
            Console.log("\(samples), \(files), \(size) checked in \(Quantities.seconds(report.seconds))")
            if !manifest.hasLines {
                Console.log(
                    "its formats hold no NDJSON, so that the digests of files were checked, and no samples")
            }
        }
        let selection = report.manifest?.selection
        if let selection { Console.log(SelectionText.describe(selection)) }
        guard report.comparedSource else {
            Console.log("\(archive): whole")
            return
        }
        guard report.isSameDocument else {
            Console.log(
                "\(archive): whole. The source is another document with the same samples: creation dates, versions of "
                    + "sources, offsets of times or the order may differ")
            return
        }
        let part: TerminalText = selection == nil ? "" : "that was selected "
        Console.log("\(archive): whole, and all of the source \(part)is in it")
    }

    /// The conclusion from the problems.
    private var verdict: TerminalText {
        guard report.blockingWarnings.isEmpty, report.isWhole || report.hasOnlyUnlistedFiles else {
            return "\(TerminalText.list(damagedFiles)): damaged. Use another copy if there is one"
        }
        guard report.isWhole else {
            return
                "\(archive): all that was written is there and as it was, and something that was not; take that out"
        }
        return "\(archive): whole in itself, but the source holds something else: "
            + "it may be an export of another day, or another one altogether"
    }

    /// The containers with problems; problems that belong to no other container belong to the archive itself.
    private var damagedFiles: [BytePath] {
        var files = Set(report.predecessorWarnings.filter { !$0.value.subtracting([.weakKdf]).isEmpty }.keys)
        var isOwn = !report.warnings.subtracting([.weakKdf]).isEmpty
        for problem in report.problems {
            if case .predecessor(let path, _) = problem { files.insert(path) } else { isOwn = true }
        }
        return (isOwn ? [archive] : []) + files.sorted()
    }

    private func more(_ count: Int, _ noun: TerminalText) {
        if count > Self.shown { Console.log("... and \(count - Self.shown) more of \(count): \(noun)") }
    }

    private func place(of problem: VerificationReport.Problem) -> BytePath {
        if case .predecessor(let path, _) = problem { path } else { archive }
    }

    private func describe(_ problem: VerificationReport.Problem) -> TerminalText {
        switch problem {
        case .container(let error), .predecessor(_, let error): "\(error.code.reason)"
        case .changedFile(let path): "\(path) is not what it was when it was written"
        case .unreadableFile(let path): "the drive does not give back \(path)"
        case .noFile(let path): "\(path) is not a regular file"
        case .missingFile(let path): "\(path) is missing"
        case .unlistedFile(let path): "\(path) does not belong to the export"
        case .undecodable(let path): "\(path) cannot be read as a batch"
        case .samples(let type, let span, let expected, let found):
            "\(type) \(span): \(found) samples instead of \(expected), or others"
        case .sideFile(let name): "\(name) is missing or not what it was"
        case .sourceSamples(let type, let span, let archive, let source):
            "\(type) \(span): \(archive) samples in the archive, \(source) in the source, or others"
        case .sourceFile(let name): "\(name) differs between archive and source"
        case .lostElements(let path, let read, let written): "\(path): \(read) read, \(written) written"
        }
    }

    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("archive", archive)
            writer.member("whole", report.isWhole && report.blockingWarnings.isEmpty)
            writer.key("problems")
            writer.array { writer in
                for problem in report.problems {
                    let place = place(of: problem)
                    let text: TerminalText = place == archive ? "" : "\(place): "
                    writer.string((text + describe(problem)).text)
                }
            }
            writer.member("continues", report.continues)
            writer.member("affectedEntries", report.affectedEntries)
            writer.member("damagedFiles", report.manifest?.damagedFiles ?? [])
            writer.key("warnings")
            writer.array { writer in
                let all = report.predecessorWarnings.values.reduce(report.warnings) { $0.union($1) }
                for warning in all.map(\.rawValue).sorted() { writer.string(warning) }
            }
            if let manifest = report.manifest { writer.member("samples", manifest.writtenSamples) }
            writer.member("bytes", report.size)
            writer.member("comparedSource", report.comparedSource)
            if report.comparedSource {
                writer.member("matchesSource", !report.problems.contains(where: \.isDifference))
                writer.member("sameDocument", report.isSameDocument)
            }
            writer.key("seconds")
            writer.decimal(report.seconds, digits: 3)
            writer.key("keyDerivationSeconds")
            writer.decimal(report.keyDerivationSeconds, digits: 3)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Manifest {
    /// The number of samples that were written, by the manifest's own count of elements.
    fileprivate var writtenSamples: Int {
        elements.filter { path, _ in
            !path.text.contains("/") && Manifest.isSample(path.text)
        }
        .total(\.value.written)
    }
}
