import CommandOutput
import HealthVault
import SystemIO

/// The messages at the end of a recovery.
struct RecoveryText {
    let report: RecoveryReport
    let target: BytePath

    private static let shown = 20

    func show() {
        let whole = Quantities.count(report.wholeEntries)
        let all = Quantities.count(report.wholeEntries + report.damaged.count)
        Console.log("\(whole) of \(all) entries are whole, \(Quantities.bytes(report.wholeBytes))")
        list(report.damaged.map(describe), "entries with holes")
        list(report.lostBatches.map { "lost: \($0)" }, "batches that are lost")
        list(report.lostFiles.map { "lost: \($0)" }, "files that are lost")
        if !report.hasIndex {
            Console.log(
                "warning: without the archive's index nobody knows whether something is missing at its end")
        } else if !report.hasManifest {
            Console.log("warning: the list of what the export holds is lost")
        }
        if let name = report.continues {
            Console.log("this archive continues \(name), which was not read: recover that one, too")
        }
        Console.log("\(report.isComplete ? "nothing is lost" : "what is left"): \(target)")
        Console.log("written unencrypted: \(target)")
    }

    private func describe(_ damage: RecoveryReport.Damage) -> TerminalText {
        let name: TerminalText = damage.name.isEmpty ? "bytes between the entries" : "\(damage.name)"
        return
            "\(name): \(Quantities.count(damage.lostBytes)) of \(Quantities.count(damage.length)) bytes are lost"
    }

    private func list(_ lines: [TerminalText], _ what: TerminalText) {
        for line in lines.prefix(Self.shown) { Console.log(line) }
        if lines.count > Self.shown {
            Console.log("... and \(lines.count - Self.shown) more of \(lines.count) \(what)")
        }
    }
}
