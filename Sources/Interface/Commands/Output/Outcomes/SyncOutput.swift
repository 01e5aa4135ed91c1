import ByteText
import HealthModel
package import HealthVault
import SystemIO
import Wording

/// The report of a synchronisation.
package struct SyncOutput {
    private let report: SyncReport
    private let isDry: Bool

    package init(report: SyncReport, isDry: Bool) {
        self.report = report
        self.isDry = isDry
    }

    /// Prints the report.
    package func print(json: Bool, quiet: Bool) throws(SystemError) {
        logUnmapped()
        if json { return try Console.print(json: self.json) }
        for warning in warnings { Console.log(warning) }
        guard !quiet else { return }
        try Console.print(text)
    }

    /// Says how many samples a server has no place for, in every form of the report.
    package func logUnmapped() {
        guard report.unmapped > 0 else { return }
        Console.log("left out: \(Quantities.count(report.unmapped, "sample")) without a FHIR resource")
    }

    /// What must be said besides.
    package var warnings: [TerminalText] {
        var warnings: [TerminalText] = []
        if report.isPartial {
            warnings.append(
                "warning: the source is a part of an export, so nothing was deleted from the target")
        }
        if report.isFurtherPerson {
            warnings.append(
                "warning: the target has no samples of this person, so they are kept apart as \(people)")
        }
        if report.total.leftOut > 0 {
            let count = Quantities.count(report.total.leftOut, "sample")
            warnings.append("warning: \(count) left out, which the target cannot store")
        }
        if !report.staleTypes.isEmpty {
            let count = Quantities.count(report.staleTypes.count, "type")
            let reason: TerminalText =
                report.isPartial
                ? "the source is a part of an export"
                : "they cannot be computed, or the target cannot store them"
            warnings.append(
                "warning: days, nights, workouts and electrocardiograms of \(count) were left as they were: \(reason)"
            )
        }
        return warnings + reasons
    }

    /// The maximum number of types to list; the rest is counted.
    private static let shownTypes = 20

    /// The lines about the types with samples that the target did not take, those with the most samples first.
    private var reasons: [TerminalText] {
        let refused = report.reasons.map { type, reason in
            (count: report.types[type]?.leftOut ?? 0, title: type.title, reason: reason)
        }.sorted { ($1.count, $0.title) < ($0.count, $1.title) }
        var lines = refused.prefix(Self.shownTypes).map { count, title, reason -> TerminalText in
            "  \(title): \(Quantities.count(count, "sample")), \(reason)"
        }
        let rest = refused.count - lines.count
        if rest > 0 { lines.append("  and \(Quantities.count(rest, "more type"))") }
        if !refused.isEmpty { lines.append("  --exclude TYPES does not try them again") }
        return lines
    }

    /// What was changed, in a line.
    package var text: TerminalText {
        let total = report.total
        guard !total.isEmpty else { return "the target is up to date" }
        let verb: TerminalText = isDry ? "would be " : ""
        return
            "\(Quantities.count(total.added)) \(verb)added, \(Quantities.count(total.updated)) \(verb)updated, "
            + "\(Quantities.count(total.deleted)) \(verb)deleted in \(Quantities.count(report.types.count, "type"))"
    }

    /// Whose samples they are, as the target knows the person.
    package var person: String { report.people.first ?? "" }

    private var people: TerminalText { TerminalText(escaping: report.people.joined(separator: ", ")) }

    private var json: String {
        var writer = JSONWriter()
        func write(_ counts: SyncCounts, _ writer: inout JSONWriter) {
            writer.member("added", counts.added)
            writer.member("updated", counts.updated)
            writer.member("deleted", counts.deleted)
            writer.member("leftOut", counts.leftOut)
        }
        writer.object { writer in
            write(report.total, &writer)
            writer.member("dryRun", isDry)
            if let person = report.people.first { writer.member("person", person) }
            writer.member("partial", report.isPartial)
            writer.member("stale", report.staleTypes.count)
            writer.key("types")
            writer.array { writer in
                for (type, counts) in report.types.sorted(by: { $0.key.identifier < $1.key.identifier }) {
                    writer.object { writer in
                        writer.member("type", type.identifier)
                        write(counts, &writer)
                        if let reason = report.reasons[type] { writer.member("reason", reason) }
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
