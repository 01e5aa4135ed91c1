import CommandLineKit
import CommandOptions
import CommandOutput
import HealthVault
import SystemIO

/// The command `healthvault watch`.
struct WatchCommand: VaultCommand {
    var inbox: BytePath = ""
    var steps = WatchSteps()
    var once = false
    var unit = false
    var quiet = false
    var stateFolder = StateFolderOption()

    static let grammar = CommandGrammar<Self>(
        name: "watch",
        summary: "Waits for new exports in a folder, and handles each.",
        discussion: """
            Notices an export as soon as it is complete, and runs the steps of --then: 'export' makes the exports that \
            'healthvault schedule' knows for this folder, due or not; 'analytics' updates the database given with \
            --database; 'sync' brings the targets given with --target in step. An export with the same content as an \
            earlier one is skipped. A step that fails is reported and tried again later, and the others still run; \
            'healthvault status' shows what was done. --unit prints a systemd user service that runs the command: \
            save it as ~/.config/systemd/user/healthvault-watch.service and enable it with systemctl --user.
            """,
        examples: [
            HelpExample(
                "healthvault watch ~/Inbox --then sync --target sqlite:health.db",
                "Keep a database up to date"),
            HelpExample(
                "healthvault watch ~/Inbox --then export,analytics --database totals.sqlite --once",
                "Handle what has arrived, and end"),
        ],
        elements: [
            .argument(\.inbox, "INBOX", "the folder in which exports arrive", as: .folder),
            .including(\.steps, WatchSteps.elements),
            .flag(\.once, "once", "handle what is there, and end"),
            .flag(\.unit, "unit", "print a systemd unit that runs this command, and end"),
            .quiet(\.quiet),
            .including(\.steps, WatchSteps.servers),
            .including(\.stateFolder, StateFolderOption.elements),
        ])

    func validate() throws(UsageError) {
        try steps.validate()
        if unit, once { throw UsageError(.invalidCombination, "--unit and --once exclude each other") }
    }

    func run() async throws -> ExitStatus {
        if unit {
            let arguments = try steps.arguments(for: inbox, stateFolder) + (quiet ? ["--quiet"] : [])
            // The program refuses such an argument.
            if let path = arguments.first(where: { $0.text == nil }) {
                throw UsageError(
                    .invalidValue, "a service cannot run healthvault with a path that is not UTF-8: \(path)",
                    hint: "use other folders")
            }
            try Console.print(WatchUnit(running: arguments).service)
            return .done
        }
        _ = try OpenFolder(opening: inbox)
        Interruption.keepProgress()
        let folder = Folder.absolute(inbox)
        let records = WatchRecords(try stateFolder.required())
        var watcher = InboxWatcher(folder)
        var status = ExitStatus.done
        var handled = ""
        var nextTry = 0.0
        while !Interruption.isRequested() {
            switch watcher.look() {
            case .export(let export) where export.version != handled || SystemClock.uptime() >= nextTry:
                let result = try await handle(export, folder, records)
                handled = export.version
                nextTry = result == .done ? .infinity : SystemClock.uptime() + Self.retrySeconds
                if result != .done { status = result }
            case .settling:
                // A file that is being written changes all the time.
                SystemClock.sleep(milliseconds: Self.settlingMilliseconds)
                continue
            case .incomplete(let path):
                Console.log("\(path): not a complete export")
                status = .incomplete
                continue
            default: break
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

    /// Runs the steps that an export has not been through.
    private func handle(
        _ export: ArrivedExport, _ folder: BytePath, _ records: WatchRecords
    ) async throws -> ExitStatus {
        var record = try records.record(of: export, in: folder)
        var worst = ExitStatus.done
        for step in steps.names where !Interruption.isRequested() {
            var reason: String?
            var means = ""
            do {
                means = try steps.means(of: step, in: folder)
                if record.isDone(step.rawValue, with: means) { continue }
                let status = try await steps.run(step, export, in: folder, stateFolder)
                if status != .done {
                    worst = status
                    reason = status.reason
                }
            } catch {
                let message = ErrorMessage(error)
                Console.log("\(export.path): \(step.rawValue) failed")
                message.show()
                worst = message.status
                reason = message.status.reason
            }
            if let reason {
                record.fail(step.rawValue, reason)
            } else {
                record.finish(step.rawValue, with: means)
            }
            record.time = SystemClock.now()
            try records.save(record, of: export)
            if reason == nil, !quiet { Console.log("\(export.path): \(step.rawValue) done") }
        }
        return worst
    }
}
