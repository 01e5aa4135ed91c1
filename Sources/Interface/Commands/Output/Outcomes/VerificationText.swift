import ByteText
package import HealthVault
package import SystemIO
import Wording

/// The messages about a verification.
package struct VerificationText {
    let report: VerificationReport
    let archive: BytePath
    /// Whether to say in the words of the format as well where the damage is.
    let isVerbose: Bool

    /// Creates the text.
    package init(report: VerificationReport, archive: BytePath, verbose isVerbose: Bool = false) {
        self.report = report
        self.archive = archive
        self.isVerbose = isVerbose
    }

    /// The maximum number of lines of a kind to show; the rest is counted.
    private static let shown = 20

    /// Writes the verdict to standard output, and everything else to standard error.
    package func print(quiet: Bool) throws(SystemError) {
        showDetails(quiet: quiet)
        if report.isFlawless {
            if !quiet { try Console.print(verdict) }
        } else {
            try Console.print(verdict)
        }
    }

    /// Writes everything to standard error.
    package func show(quiet: Bool) {
        showDetails(quiet: quiet)
        if !report.isFlawless || !quiet { Console.log(verdict) }
    }

    private func showDetails(quiet: Bool) {
        WarningText.show(report.warnings, archive)
        WarningText.show(report.predecessorWarnings)
        for loss in report.losses.prefix(Self.shown) { Console.log(DamageText.describe(loss)) }
        more(report.losses.count, "losses")
        // The owner's words are enough where they say what is lost.
        let technical = report.losses.isEmpty || isVerbose
        let problems = report.problems.filter { technical || !$0.isInsideContainer }
        for problem in problems.prefix(Self.shown) {
            Console.log("\(place(of: problem)): \(describe(problem))")
        }
        more(problems.count, "problems")
        let entries = report.affectedEntries.filter { technical || !DamageText.isBatch($0) }
        for entry in entries.prefix(Self.shown) { Console.log("unreadable: \(entry)") }
        more(entries.count, "unreadable entries")
        if !technical { Console.log("--all shows where \(TerminalText.list(damagedFiles)) is damaged") }
        guard report.isFlawless, !quiet else { return }
        if let manifest = report.manifest {
            let isArchive = Inspector.kind(of: archive) == .container
            for line in MissingPartsText.describe(manifest, isArchive: isArchive) { Console.log(line) }
            let missing = manifest.warnings["missingFiles"] ?? 0
            for line in SourceWarningText.missing(manifest.missingFiles, of: missing) { Console.log(line) }
            for path in report.continues { Console.log("continues: \(path)") }
            let samples = Quantities.count(manifest.writtenSamples, "sample")
            let files = Quantities.count(manifest.files.count, "side file")
            let size = Quantities.bytes(report.size)
            Console.log("\(samples), \(files), \(size) checked in \(Quantities.seconds(report.seconds))")
            if !manifest.hasLines {
                Console.log(
                    "contains no NDJSON: only file digests were checked, not samples")
            }
        }
        if let selection = report.manifest?.selection { Console.log(SelectionText.describe(selection)) }
    }

    private var verdict: TerminalText {
        guard report.blockingWarnings.isEmpty, report.isWhole || report.hasOnlyUnlistedFiles else {
            return "\(TerminalText.list(damagedFiles)): damaged; use another copy if you have one"
        }
        guard report.isWhole else {
            return "\(archive): intact, but it contains additional files; remove them"
        }
        guard report.isFlawless else {
            return
                "\(archive): intact, but it does not match this source, which may be a later or another export"
        }
        guard report.comparedSource else { return "\(archive): intact" }
        if let excess = report.excess { return verdict(excess) }
        guard report.isSameDocument else {
            return
                "\(archive): intact, with the same samples as this source; creation dates, source versions, time "
                + "offsets or the order may differ"
        }
        let part: TerminalText = report.manifest?.selection == nil ? "everything" : "everything selected"
        return "\(archive): intact, and contains \(part) from this source"
    }

    private func verdict(_ excess: VerificationReport.Excess) -> TerminalText {
        var more: [TerminalText] = []
        if excess.samples > 0 { more.append(Quantities.count(excess.samples, "sample")) }
        if excess.files > 0 { more.append(Quantities.count(excess.files, "side file")) }
        let part: TerminalText = report.manifest?.selection == nil ? "everything" : "everything selected"
        var text: TerminalText = "\(archive): intact, and contains \(part) in this source"
        if !more.isEmpty { text = text + ", and " + .joined(more, separator: " and ") + " more" }
        guard !excess.newerFiles.isEmpty else { return text }
        return text + ", with a later \(TerminalText.list(excess.newerFiles))"
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
        if count > Self.shown { Console.log("... and \(count - Self.shown) more of \(count) \(noun)") }
    }

    private func place(of problem: VerificationReport.Problem) -> BytePath {
        if case .predecessor(let path, _) = problem { path } else { archive }
    }

    private func describe(_ problem: VerificationReport.Problem) -> TerminalText {
        switch problem {
        case .container(let error), .predecessor(_, let error): "\(error.code.reason)"
        case .changedFile(let path): "\(path) has changed"
        case .unreadableFile(let path): "\(path) cannot be read from the drive"
        case .noFile(let path): "\(path) is not a regular file"
        case .missingFile(let path): "\(path) is missing"
        case .unlistedFile(let path): "\(path) is not part of the export"
        case .undecodable(let path): "\(path) is not a readable batch"
        case .samples(let type, let span, let expected, let found):
            "\(type) \(span): \(Self.difference(found, expected))"
        case .sideFile(let name): "\(name) is missing or changed"
        case .sourceSamples(let type, let span, let archive, let source):
            "\(type) \(span): \(Self.difference(archive, source)), compared with the source"
        case .sourceFile(let name): "\(name) differs between archive and source"
        case .lostElements(let path, let read, let written): "\(path): \(read) read, \(written) written"
        }
    }

    /// Describes how samples differ from the expected ones: in number, or only in content.
    private static func difference(_ found: Int, _ expected: Int) -> TerminalText {
        let (least, most) = (min(found, expected), max(found, expected))
        guard least < most else { return "some of \(Quantities.count(expected, "sample")) different" }
        let what: TerminalText = found < expected ? "missing or different" : "too many or different"
        return "\(Quantities.count(most - least, "sample")) \(what)"
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in write(&writer) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(_ writer: inout JSONWriter) {
        writer.member("path", archive)
        writer.member("intact", isIntact)
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
        writer.member("losses", objects: report.losses) { loss, writer in
            writer.member("type", loss.type)
            writer.member("span", loss.span)
            writer.member("samples", loss.samples)
        }
        writer.member("damagedFiles", report.manifest?.damagedFiles ?? [])
        writer.member("missingFiles", report.manifest?.missingFiles ?? [])
        writer.key("warnings")
        writer.array { writer in
            let all = report.predecessorWarnings.values.reduce(report.warnings) { $0.union($1) }
            for warning in all.map(\.rawValue).sorted() { writer.string(warning) }
        }
        if let manifest = report.manifest { writer.member("samples", manifest.writtenSamples) }
        writer.member("bytes", report.size)
        writer.member("comparedSource", report.comparedSource)
        if report.comparedSource {
            writer.member(
                "matchesSource", report.excess == nil && !report.problems.contains(where: \.isDifference))
            writer.member("sameDocument", report.isSameDocument)
            writer.member(
                "containsSource", !report.problems.contains(where: \.isDifference))
            writer.member("moreSamples", report.excess?.samples ?? 0)
            writer.member("moreFiles", report.excess?.files ?? 0)
        }
        writer.key("seconds")
        writer.decimal(report.seconds, digits: 3)
        writer.key("keyDerivationSeconds")
        writer.decimal(report.keyDerivationSeconds, digits: 3)
    }

    private var isIntact: Bool { report.isWhole && report.blockingWarnings.isEmpty }

    /// Returns the report on the archives in a folder as JSON.
    package static func json(
        _ report: ArchivesReport, in folder: BytePath, areDatabasesIntact: Bool
    ) -> String {
        let texts = report.reports.map { VerificationText(report: $0.report, archive: $0.path) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", folder)
            writer.member(
                "intact", report.failures.isEmpty && texts.allSatisfy(\.isIntact) && areDatabasesIntact)
            writer.member("archives", objects: texts) { text, writer in text.write(&writer) }
            if !report.others.isEmpty { writer.member("databases", report.others) }
            ErrorMessage.write(report.failures, &writer)
            writer.member("warnings", [String]())
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension VerificationReport.Problem {
    /// Whether it is said in the words of the container's format.
    fileprivate var isInsideContainer: Bool {
        switch self {
        case .container, .predecessor: true
        default: false
        }
    }
}

extension Manifest {
    /// The number of samples that were written, according to the manifest's count of elements.
    fileprivate var writtenSamples: Int {
        elements.filter { path, _ in
            !path.text.contains("/") && Manifest.isSample(path.text)
        }
        .total(\.value.written)
    }
}
