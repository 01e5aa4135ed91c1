import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import Tables
import Wording

/// The command `healthvault schedule`.
struct ScheduleCommand: VaultCommand {
    /// The actions on schedules.
    enum Action: String, CaseIterable, Sendable {
        case set
        case show
        case status
        case remove
    }

    var action = Action.show
    var name: String?
    var daily = false
    var weekly: Weekday?
    var monthly: Int?
    var time: TimeOfDay?
    var source: BytePath?
    var encrypt = false
    var incremental = false
    var format = FormatOptions()
    var range: ExportRange?
    var keep: Int?
    var timer: TimerKind?
    var json = false
    var configuration = ConfigurationOption()
    var stateFolder = StateFolderOption()
    var passphrase = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "schedule",
        summary: "Sets up automatic exports.",
        discussion: """
            'set' schedules a daily, weekly or monthly export to a destination and sets up a timer that runs \
            'healthvault run-due'; missed runs are made up for. The source is an export, or a folder whose newest export \
            is used. Encrypted exports need --passphrase-file or --passphrase-command. 'show' lists all schedules, \
            'status' does what 'healthvault status' does, 'remove' removes the schedule of a destination.
            """,
        examples: [
            HelpExample(
                "healthvault schedule set --weekly sunday --at 02:00 --source ~/Inbox \\\n"
                    + "--to stick --encrypt --passphrase-file ~/key",
                "Encrypt the newest export in a folder every Sunday"),
            HelpExample("healthvault schedule show", "List all schedules"),
        ],
        elements: [
            .argument(\.action, "ACTION", "set, show, status or remove", as: .choice),
            .option(\.name, "to", value: "NAME", "the destination", as: .destination),
            .flag(\.daily, "daily", "every day"),
            .option(
                \.weekly, "weekly", value: "DAY", "every week on a day such as sunday",
                as: ValueParser(
                    expected: "a day of the week such as sunday",
                    completion: .choice(Weekday.allCases.map(\.name))
                ) { Weekday(named: $0) }),
            .option(
                \.monthly, "monthly", value: "DAY", "every month on a day: 1 to 31, or last",
                as: ValueParser(expected: "a day of the month, 1 to 31 or last") { Recurrence.day($0) }),
            .option(
                \.time, "at", value: "HH:MM", "the local time of day",
                as: ValueParser(expected: "a time such as 02:00") { TimeOfDay(parsing: $0) }),
            .option(
                \.source, "source", value: "INBOX", "an export, or a folder with exports",
                as: .file),
            .flag(\.encrypt, "encrypt", short: "e", "write encrypted archives"),
            .flag(
                \.incremental, "incremental",
                "write only what the newest archive at the destination lacks"),
            .including(\.format, FormatOptions.elements),
            .option(
                \.range, "range", value: "RANGE", default: "all",
                "only the latest samples: all, 24h, 7d or 30d",
                as: .choice),
            .option(
                \.keep, "keep", value: "N", "keep only the newest N verified full exports",
                as: .integer(in: 1...1_000_000)),
            .option(
                \.timer, "timer", value: "KIND", default: "systemd if it runs, else cron",
                "what runs 'run-due': systemd, cron, launchd or none",
                as: .choice),
            .json(\.json),
            .including(\.configuration, ConfigurationOption.elements),
            .including(\.stateFolder, StateFolderOption.elements),
            .section("passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
        ])

    private var isSet: Bool {
        daily || weekly != nil || monthly != nil || time != nil || source != nil || encrypt || incremental
            || !format.given.isEmpty || format.units != .source || range != nil || keep != nil
            || passphrase.isGiven
    }

    func validate() throws(UsageError) {
        try passphrase.validate()
        if json, action == .set || action == .remove {
            throw UsageError(
                .invalidCombination, "'schedule \(action.rawValue)' cannot be combined with --json")
        }
        guard action == .set else {
            if isSet || timer != nil && action != .remove {
                throw UsageError(
                    .invalidCombination, "'schedule \(action.rawValue)' takes none of these options")
            }
            if action == .remove, name == nil {
                throw UsageError(
                    .missingArgument, "'schedule remove' requires a destination", hint: "add --to NAME")
            }
            return
        }
        guard name != nil, source != nil, time != nil else {
            throw UsageError(
                .missingArgument, "'schedule set' requires a destination, a time and a source",
                hint:
                    "for example: healthvault schedule set --weekly sunday --at 02:00 --source INBOX --to NAME"
            )
        }
        guard [daily, weekly != nil, monthly != nil].count(where: { $0 }) == 1 else {
            throw UsageError(
                .invalidCombination, "a schedule is either daily, weekly or monthly",
                hint: "use one of --daily, --weekly DAY and --monthly DAY")
        }
        try format.validateUnits(encrypt ? [] : format.formats(nil))
        try validateForm()
    }

    private func validateForm() throws(UsageError) {
        if passphrase.descriptor != nil || passphrase.file == "-" {
            throw UsageError(
                .invalidCombination,
                "a scheduled export cannot read its passphrase from standard input or a descriptor",
                hint: "use --passphrase-file or --passphrase-command")
        }
        if encrypt, !passphrase.isGiven {
            throw UsageError(
                .missingArgument,
                "a scheduled encrypted export requires a passphrase file or command",
                hint: "add --passphrase-file or --passphrase-command")
        }
        if !encrypt, passphrase.isGiven || incremental {
            throw UsageError(
                .invalidCombination, "passphrases and --incremental work only with --encrypt",
                hint: "add --encrypt")
        }
        if encrypt, !format.given.isEmpty {
            throw UsageError(
                .invalidCombination, "--format cannot be combined with --encrypt")
        }
        if incremental, let range, range != .all {
            throw UsageError(
                .invalidCombination, "--incremental cannot be combined with --range",
                hint: "leave out --range")
        }
        if source == "-" {
            throw UsageError(.invalidCombination, "a schedule cannot read standard input")
        }
    }

    func run() async throws -> ExitStatus {
        let schedules = Schedules(try configuration.folder)
        switch action {
        case .set: try set(schedules)
        case .show:
            let found = try ScheduleState.all(configuration, stateFolder)
            if !json, found.isEmpty {
                Console.log("no schedules; see 'healthvault help schedule'")
            } else {
                try ReportOptions(json: json).print(ScheduleState.table(found))
            }
        case .status:
            var status = StatusCommand()
            (status.json, status.configuration, status.stateFolder) = (json, configuration, stateFolder)
            return try await status.run()
        case .remove: try remove(schedules)
        }
        return .done
    }

    private func set(_ schedules: Schedules) throws {
        guard let name, let source, let time else { return }
        let destination = try configuration.destinations.destination(name)
        _ = try FileStatus(at: source)
        let installation = try TimerInstallation(schedules, configuration, stateFolder)
        try installation.validate(timer)
        let recurrence: Recurrence =
            if let weekly { .weekly(weekly) } else if let monthly { .monthly(monthly) } else { .daily }
        var schedule = ExportSchedule(
            destination: name, due: DueTimes(recurrence, at: time), source: Folder.absolute(source),
            created: SystemClock.now())
        if !encrypt {
            var options = DriveExportOptions()
            (options.formats, options.units) = (format.formats(nil), format.units.system)
            if format.given.isEmpty {
                try options.takeForm(of: destination, state: try stateFolder.required())
            }
            (schedule.formats, schedule.units) = (options.formats.map(\.rawValue), options.units)
        }
        schedule.passphraseFile = passphrase.file.map { Folder.absolute($0) }
        schedule.passphraseCommand = passphrase.command
        schedule.isIncremental = incremental
        schedule.range = range ?? .all
        schedule.keep = keep
        // Reports a missing passphrase now instead of at the first run.
        if encrypt { _ = try passphrase.readUnattended() }
        try schedules.set(schedule)
        let days = try LocalZone.days()
        let next = schedule.due.nextDue(after: schedule.created, in: days)
        Console.log("\(recurrence.text) at \(time.text) to \(name); next: \(ScheduleState.time(next, days))")
        try installation.update(timer)
    }

    private func remove(_ schedules: Schedules) throws {
        let name = name ?? ""
        let all = try schedules.all()
        guard all.contains(where: { $0.destination == name }) else {
            throw DestinationError(.noSchedule, name)
        }
        let installation = try TimerInstallation(schedules, configuration, stateFolder)
        // The schedules that are left need a timer.
        if all.contains(where: { $0.destination != name }) { try installation.validate(timer) }
        guard try schedules.remove(name) else { throw DestinationError(.noSchedule, name) }
        Console.log("removed the schedule for \(name)")
        try installation.update(timer)
    }
}
