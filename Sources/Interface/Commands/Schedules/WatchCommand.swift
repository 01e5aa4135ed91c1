import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import Wording

/// The command `healthvault watch`.
struct WatchCommand: VaultCommand {
    var inbox: BytePath = ""
    var steps = WatchSteps()
    var once = false
    var quiet = false
    var stateFolder = StateFolderOption()

    static let grammar = CommandGrammar<Self>(
        name: "watch",
        summary: "Waits for new exports in a folder, and handles each.",
        discussion: """
            Notices an export as soon as it is complete, and runs the steps of --then: 'export' makes the exports that \
            'healthvault schedule' knows for this folder, due or not; 'analytics' updates the database given with \
            --database; 'sync' brings the targets given with --target in step. Of each person the newest export counts, by \
            its own date; one that a target was brought to already is skipped, and another person's is kept apart or \
            refused, as by 'healthvault sync'. A step that fails is reported and tried again later, and the others still run; \
            'healthvault schedule status' shows what was done.
            """,
        examples: [
            HelpExample(
                "healthvault watch ~/Inbox --then sync --target sqlite:health.db",
                "Keep a database up to date"),
            HelpExample(
                "healthvault watch ~/Inbox --then export,analytics \\\n"
                    + "--database totals.sqlite --once",
                "Handle what has arrived, and end"),
        ],
        elements: [
            .argument(\.inbox, "INBOX", "the folder in which exports arrive", as: .folder),
            .including(\.steps, WatchSteps.elements),
            .flag(\.once, "once", "handle what is there, and end"),
            .quiet(\.quiet),
            .including(\.steps, WatchSteps.servers),
            .including(\.stateFolder, StateFolderOption.elements),
        ])

    func validate() throws(UsageError) { try steps.validate() }

    func run() async throws -> ExitStatus {
        _ = try OpenFolder(opening: inbox)
        if !once, !quiet { Console.log("watching \(inbox); Ctrl-C ends") }
        Interruption.keepProgress()
        let folder = Folder.absolute(inbox)
        let records = WatchRecords(try stateFolder.required())
        var watcher = InboxWatcher(folder)
        var status = ExitStatus.done
        var (handled, named): (Set<String>, Set<String>) = ([], [])
        let start = SystemClock.uptime()
        var nextTry = 0.0
        while !Interruption.isRequested() {
            let sight = watcher.look()
            for file in sight.incomplete where named.insert("\(file.version) \(file.path)").inserted {
                Console.log("\(file.path): not a complete export")
                status = .incomplete
            }
            let versions = Set(sight.exports.map { "\($0.version) \($0.path)" })
            if versions != handled || SystemClock.uptime() >= nextTry {
                let result = try await handle(sight.exports, folder, records)
                handled = versions
                let isFailed = result != .done && result != .incomplete
                nextTry = isFailed ? SystemClock.uptime() + Self.retrySeconds : .infinity
                if isFailed || result != .done && status == .done { status = result }
            }
            guard sight.settling.isEmpty else {
                if once, SystemClock.uptime() - start >= Self.patienceSeconds {
                    for path in sight.settling { Console.log("\(path): still changing, and left for later") }
                    return status == .done ? .incomplete : status
                }
                // A file that is being written changes all the time.
                SystemClock.sleep(milliseconds: Self.settlingMilliseconds)
                continue
            }
            if once { return status }
            watcher.wait(milliseconds: Self.pollMilliseconds)
        }
        return .done
    }

    /// The longest time between two looks; a change in the folder ends it.
    private static let pollMilliseconds = 2000
    private static let settlingMilliseconds = 500
    private static let retrySeconds = 300.0
    /// How long --once waits for a file that keeps changing.
    private static let patienceSeconds = 60.0

    /// Brings exports to the places of all steps, the newest first.
    private func handle(
        _ exports: [ArrivedExport], _ folder: BytePath, _ records: WatchRecords
    ) async throws -> ExitStatus {
        var worst = ExitStatus.done
        guard let newest = exports.first else { return worst }
        for step in steps.names {
            // What became of each export, with the reason where the step is not done.
            var outcomes: [BytePath: String?] = [:]
            func report(_ status: ExitStatus, _ export: ArrivedExport, _ reason: String?) {
                if worst == .done || worst == .incomplete && status != .done { worst = status }
                // The reason of a failure stays, whatever follows.
                let known = outcomes[export.path] ?? nil
                if known == nil || known == ErrorKind.refused.reason, known == nil || reason != nil {
                    outcomes[export.path] = .some(reason)
                }
            }
            do {
                for place in try steps.places(of: step, in: folder) {
                    try await bring(exports, to: place, folder, records, report)
                }
            } catch {
                let message = ErrorMessage(error)
                Console.log("\(step.rawValue) failed")
                message.show()
                report(message.status, newest, message.kind.reason)
            }
            for export in exports {
                guard let reason = outcomes[export.path] else { continue }
                var record = try records.record(of: export, in: folder)
                record.finish(step.rawValue, reason, at: SystemClock.now())
                try records.save(record, of: export)
            }
        }
        return worst
    }

    /// Brings exports to a place: of each person the newest, unless it was brought there last.
    ///
    /// Older ones of the same person are passed over. They are told by what the place has; what was found out is recorded,
    /// so that they need not be read again.
    private func bring(
        _ exports: [ArrivedExport], to place: WatchPlace, _ folder: BytePath, _ records: WatchRecords,
        _ report: (ExitStatus, ArrivedExport, String?) -> Void
    ) async throws {
        let title = TerminalText(escaping: place.name)
        var (known, people): ([Subject]?, Set<String>) = (nil, [])
        for export in exports where !Interruption.isRequested() {
            var record = try records.record(of: export, in: folder)
            do {
                if known == nil { known = try await steps.subjects(at: place) ?? [] }
                if place.step == .export {
                    if try records.isLast(export, at: place.name, in: folder) { return }
                } else if let subject = known?.first(where: { $0.content == export.content }) {
                    people.insert(subject.person)
                    continue
                }
                if record.isOf(people, at: place.name) { continue }
                let result = try await steps.bring(
                    export, to: place, after: people, stateFolder, ProgressDisplay(.auto, quiet: quiet))
                record.identify(result.person, at: place.name)
                try records.save(record, of: export, lastAt: place.step == .export ? place.name : nil)
                report(result.status, export, nil)
                for warning in result.warnings { Console.log("\(export.path): \(warning)") }
                if !quiet {
                    let target: TerminalText = steps.targetTexts.count > 1 ? " with \(title)" : ""
                    let text: TerminalText = result.text.isEmpty ? "" : ": " + result.text
                    Console.log("\(export.path): \(place.step.rawValue) done\(target)\(text)")
                }
                if place.step == .export { return }
                people.insert(result.person)
            } catch {
                let message = ErrorMessage(error)
                guard let doubt = (error as? any DoubtfulError)?.subjectDoubt else {
                    Console.log("\(title): \(place.step.rawValue) failed")
                    message.show()
                    report(message.status, export, message.kind.reason)
                    // Another export may be readable; what ails the place ails it for all.
                    guard let error = error as? VaultError, error.isAboutSource, place.step != .export else {
                        return
                    }
                    continue
                }
                if case .older(let person) = doubt {
                    record.identify(person, at: place.name)
                    try records.save(record, of: export)
                    if !people.insert(person).inserted { continue }
                }
                Console.log("\(export.path): \(place.step.rawValue) refused by \(title)")
                message.show()
                report(.incomplete, export, ErrorKind.refused.reason)
            }
        }
    }
}
