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
        case list
        case run
        case status
        case remove
    }

    var action = Action.list
    var name = ""
    var due: DueTimes?
    var source: BytePath = ""
    var encrypt = false
    var incremental = false
    var format = FormatOptions()
    var period: CalendarPeriod?
    var keep: Int?
    var timer: TimerKind?
    var json = false
    var configuration = ConfigurationOption()
    var stateFolder = StateFolderOption()
    var passphrase = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "schedule",
        summary: "Makes exports automatically.",
        discussion: """
            'set' schedules an export to a destination, and sets up a timer that runs 'healthvault schedule run'. A missed \
            export is made once. If a drive is not connected or no export has arrived, the export stays due; 'status' \
            shows why. The source is an export, or a folder whose newest export is used. Encrypted exports need \
            --passphrase-file or --passphrase-command.

            'run' prints nothing unless something fails. 'status' ends with 0 if all is well, with 75 if an export \
            waits, and with 1 if one failed.
            """,
        examples: [
            HelpExample(
                "healthvault schedule set --every 'sunday 02:00' --source ~/Inbox \\\n"
                    + "--to stick --encrypt --passphrase-file ~/key",
                "Encrypt the newest export in a folder every Sunday"),
            HelpExample("healthvault schedule status", "Show what is due, and what it waits for"),
        ],
        elements: [
            .action(
                \.action,
                [
                    (.set, "Schedules an export to a destination, which has at most one schedule."),
                    (.list, "Shows all schedules."),
                    (.run, "Makes the exports that are due, as the timer does."),
                    (
                        .status,
                        "Shows whether exports are up to date, and what was done with those that 'healthvault watch' found."
                    ),
                    (.remove, "Removes the schedule of a destination."),
                ]),
            .only(
                for: [Action.set],
                [
                    .option(
                        \.due, "every", value: "'DAY HH:MM'", required: true,
                        "when: day, a weekday such as sunday, 1 to 31, or last, and a local time",
                        as: ValueParser(
                            expected:
                                "a day and a time such as 'day 02:00', 'sunday 02:00', '31 02:00' or 'last 02:00'",
                            completion: .choice(
                                (["day"] + Weekday.allCases.map(\.name) + ["last"]).map { "\($0) 02:00" })
                        ) { DueTimes(parsing: $0) }),
                    .option(
                        \.source, "source", value: "INBOX", required: true,
                        "an export, or a folder with exports", as: .file),
                ]),
            .only(
                for: [Action.set, .remove],
                [.option(\.name, "to", value: "NAME", required: true, "the destination", as: .destination)]),
            .only(
                for: [Action.set],
                [
                    .flag(\.encrypt, "encrypt", short: "e", "write encrypted archives"),
                    .flag(
                        \.incremental, "incremental",
                        "write only what the newest archive at the destination lacks"),
                    .including(\.format, FormatOptions.elements),
                    .including(\.period, TimeOptions.length),
                    .option(
                        \.keep, "keep", value: "N", "keep only the newest N verified full exports",
                        as: .integer(in: 1...1_000_000)),
                    .section("passphrase", [.including(\.passphrase, PassphraseOptions.lasting)]),
                ]),
            .only(
                for: [Action.set, .remove],
                [
                    .option(
                        \.timer, "timer", value: "KIND", default: "systemd if it runs, else cron",
                        "what runs 'schedule run': systemd, cron, launchd or none",
                        as: .choice)
                ]),
            .only(for: [Action.list, .status], [.json(\.json)]),
            .including(\.configuration, ConfigurationOption.elements),
            .including(\.stateFolder, StateFolderOption.elements),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        guard action == .set else { return }
        try format.validateUnits(encrypt ? [] : format.formats(nil))
        try validateForm()
    }

    private func validateForm() throws(UsageError) {
        if passphrase.file == "-" {
            throw UsageError(
                .invalidCombination, "a scheduled export cannot read its passphrase from standard input",
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
        if incremental, period != nil {
            throw UsageError(
                .invalidCombination, "--incremental cannot be combined with --last", hint: "leave out --last")
        }
        if source == "-" {
            throw UsageError(.invalidCombination, "a schedule cannot read standard input")
        }
    }

    func run() async throws -> ExitStatus {
        let schedules = Schedules(try configuration.folder)
        switch action {
        case .set: try set(schedules)
        case .list:
            let found = try ScheduleState.all(configuration, stateFolder)
            if !json, found.isEmpty {
                Console.log("no schedules; see 'healthvault help schedule'")
            } else {
                try ReportOptions(json: json).print(ScheduleState.table(found))
            }
        case .run: return try await DueExports(configuration, stateFolder).runAll(stateFolder)
        case .status: return try ScheduleStatus(configuration, stateFolder).print(json: json)
        case .remove: try remove(schedules)
        }
        return .done
    }

    private func set(_ schedules: Schedules) throws {
        guard let due else { return }
        let destination = try configuration.destinations.destination(name)
        _ = try FileStatus(at: source)
        let installation = try TimerInstallation(schedules, configuration, stateFolder)
        try installation.validate(timer)
        var schedule = ExportSchedule(
            destination: name, due: due, source: Folder.absolute(source),
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
        schedule.period = period
        schedule.keep = keep
        // Reports a missing passphrase now instead of at the first run.
        if encrypt { _ = try passphrase.readUnattended() }
        try schedules.set(schedule)
        let days = try LocalZone.days()
        let next = schedule.due.nextDue(after: schedule.created, in: days)
        Console.log(
            "\(due.recurrence.words) at \(due.time.text) to \(name); next: \(ScheduleState.time(next, days))")
        try installation.update(timer)
    }

    private func remove(_ schedules: Schedules) throws {
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
