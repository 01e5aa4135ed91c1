import ByteText
package import HealthVault
package import SystemIO
import Wording

/// The messages at the end of a recovery.
package struct RecoveryText {
    let report: RecoveryReport
    let target: BytePath

    /// Creates the text.
    package init(report: RecoveryReport, target: BytePath) {
        self.report = report
        self.target = target
    }

    private static let shown = 20

    package func show() {
        for path in report.missingVolumes {
            Console.log("warning: \(path) is missing, and all that was in it")
        }
        let whole = Quantities.count(report.wholeEntries)
        let all = Quantities.count(report.wholeEntries + report.damaged.count)
        Console.log("\(whole) of \(all) entries intact, \(Quantities.bytes(report.wholeBytes))")
        if let lost = report.lostSamples {
            let samples = Quantities.count(LengthSum.of(report.samples, lost), "sample")
            Console.log(
                lost == 0 ? "all \(samples) recovered" : "\(Quantities.count(lost)) of \(samples) lost")
        } else {
            Console.log("\(Quantities.count(report.samples, "sample")) recovered")
        }
        list(report.damaged.map(describe), "damaged entries")
        list(report.lostEntirely.map { "lost: \($0)" }, "lost batches and files")
        if !report.hasIndex {
            Console.log(
                "warning: the index is lost, so entries may be missing at the end of the archive")
        } else if !report.hasManifest {
            Console.log("warning: the manifest is lost, so it is unknown what else the export contained")
        }
        if let name = report.continues {
            Console.log("this archive continues \(name), which was not read: recover that one as well")
        }
        if report.isComplete { Console.log("nothing is lost") }
        Console.log("written unencrypted: \(target)")
    }

    private func describe(_ damage: RecoveryReport.Damage) -> TerminalText {
        let name: TerminalText = damage.name.isEmpty ? "bytes between entries" : "\(damage.name)"
        return
            "\(name): \(Quantities.count(damage.lostBytes)) of \(Quantities.count(damage.length, "byte")) lost"
    }

    private func list(_ lines: [TerminalText], _ what: TerminalText) {
        for line in lines.prefix(Self.shown) { Console.log(line) }
        if lines.count > Self.shown {
            Console.log("... and \(lines.count - Self.shown) more of \(lines.count) \(what)")
        }
    }
}
