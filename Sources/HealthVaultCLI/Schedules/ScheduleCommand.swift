import CommandLineKit
import CommandOutput
import HealthVault
import SampleBatches
import SystemIO

/// The command `healthvault schedule`.
struct ScheduleCommand: VaultCommand {
    /// The actions on schedules.
    enum Action: String, CaseIterable, Sendable {
        case set
        case show
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
        summary: "Sets up exports that are made automatically.",
        discussion: """
            'set' makes an export to the destination NAME due every day, week or month, and tells the system to run \
            'healthvault run-due'. A run that was missed is made as soon as possible. SOURCE is an export, or a folder \
            in which exports arrive: the newest one is taken. An encrypted export needs a passphrase that is there when \
            nobody is: a file or a command. 'show' lists the schedules, 'remove' removes that of a destination.
            """,
        elements: [
            .argument(\.action, "ACTION", "set, show or remove", as: .choice),
            .option(\.name, "to", value: "NAME", "the destination", as: .text),
            .flag(\.daily, "daily", "every day"),
            .option(
                \.weekly, "weekly", value: "DAY", "every week on this day, such as sunday",
                as: ValueParser(
                    expected: "a day of the week such as sunday",
                    completion: .choice(Weekday.allCases.map(\.name))
                ) { Weekday(named: $0) }),
            .option(
                \.monthly, "monthly", value: "DAY", "every month on this day: 1 to 31, or last",
                as: ValueParser(expected: "a day of the month, 1 to 31 or last") { Recurrence.day($0) }),
            .option(
                \.time, "at", value: "HH:MM", "when on that day, in local time",
                as: ValueParser(expected: "a time such as 02:00") { TimeOfDay(parsing: $0) }),
            .option(
                \.source, "source", value: "INBOX", "the export, or the folder in which exports arrive",
                as: .file),
            .flag(\.encrypt, "encrypt", short: "e", "make encrypted archives"),
            .flag(
                \.incremental, "incremental",
                "write only what the newest archive at the destination does not have"),
            .including(\.format, FormatOptions.elements),
            .option(
                \.range, "range", value: "RANGE", "all, 24h, 7d or 30d: samples of the last time only",
                as: .choice),
            .option(
                \.keep, "keep", value: "N", "keep only the newest N verified full exports",
                as: .integer(in: 1...1_000_000)),
            .option(
                \.timer, "timer", value: "KIND", "systemd, cron, launchd or none: how 'run-due' is started",
                as: .choice),
            .flag(\.json, "json", "report as JSON"),
            .including(\.configuration, ConfigurationOption.elements),
            .including(\.stateFolder, StateFolderOption.elements),
            .section("Passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
        ])

    private var isSet: Bool {
        daily || weekly != nil || monthly != nil || time != nil || source != nil || encrypt || incremental
            || !format.given.isEmpty || range != nil || keep != nil || passphrase.isGiven
    }

    func validate() throws(UsageError) {
        try passphrase.validate()
        guard action == .set else {
            if isSet || timer != nil && action == .show {
                throw UsageError(.invalidCombination, "'schedule \(action.rawValue)' sets nothing")
            }
            if action == .remove, name == nil || json {
                throw UsageError(
                    .missingArgument, "'schedule remove' needs a destination", hint: "add --to NAME")
            }
            return
        }
        guard name != nil, source != nil, time != nil else {
            throw UsageError(
                .missingArgument, "'schedule set' needs a destination, a time and a source",
                hint: "healthvault schedule set --weekly sunday --at 02:00 --source INBOX --to NAME")
        }
        guard [daily, weekly != nil, monthly != nil].count(where: { $0 }) == 1 else {
            throw UsageError(
                .invalidCombination, "a schedule is daily, weekly or monthly",
                hint: "give one of --daily, --weekly DAY and --monthly DAY")
        }
        try validateForm()
    }

    private func validateForm() throws(UsageError) {
        if passphrase.descriptor != nil || passphrase.file == "-" {
            throw UsageError(
                .invalidCombination, "nobody will be there to give the passphrase",
                hint: "use --passphrase-file or --passphrase-command")
        }
        if encrypt, !passphrase.isGiven {
            throw UsageError(
                .missingArgument,
                "a scheduled encrypted export needs a passphrase that is there when nobody is",
                hint: "add --passphrase-file or --passphrase-command")
        }
        if !encrypt, passphrase.isGiven || incremental {
            throw UsageError(
                .invalidCombination, "a passphrase and --incremental are for encrypted archives",
                hint: "add --encrypt")
        }
        if encrypt, !format.given.isEmpty {
            throw UsageError(
                .invalidCombination, "an encrypted archive has no format: every one can be made of it later")
        }
        if incremental, let range, range != .all {
            throw UsageError(
                .invalidCombination, "--incremental finds out by itself what is new",
                hint: "leave out --range")
        }
        if source == "-" {
            throw UsageError(.invalidCombination, "standard input cannot be exported again and again")
        }
    }

    func run() async throws -> ExitStatus {
        let schedules = Schedules(try configuration.folder)
        switch action {
        case .set: try set(schedules)
        case .show:
            let found = try ScheduleState.all(configuration, stateFolder)
            if json {
                try Console.print(json: ScheduleState.json(found))
            } else if found.isEmpty {
                Console.log("no schedules; see 'healthvault help schedule'")
            } else {
                try Console.print(ScheduleState.table(found))
            }
        case .remove:
            guard try schedules.remove(name ?? "") else {
                throw DestinationError(.noSchedule, name ?? "")
            }
            Console.log("removed the schedule of \(name ?? "")")
            try TimerInstallation(schedules, configuration, stateFolder).update(timer)
        }
        return .done
    }

    private func set(_ schedules: Schedules) throws {
        guard let name, let source, let time else { return }
        _ = try configuration.destinations.destination(name)
        _ = try FileStatus(at: source)
        let recurrence: Recurrence =
            if let weekly { .weekly(weekly) } else if let monthly { .monthly(monthly) } else { .daily }
        var schedule = ExportSchedule(
            destination: name, due: DueTimes(recurrence, at: time), source: Folder.absolute(source),
            created: SystemClock.now())
        schedule.formats = encrypt ? [] : format.formats.map(\.rawValue)
        schedule.passphraseFile = passphrase.file.map { Folder.absolute($0) }
        schedule.passphraseCommand = passphrase.command
        schedule.isIncremental = incremental
        schedule.range = range ?? .all
        schedule.keep = keep
        // A key that is missing now is noticed now.
        if encrypt { _ = try passphrase.readUnattended() }
        try schedules.set(schedule)
        let days = try LocalZone.days()
        let next = schedule.due.nextDue(after: schedule.created, in: days)
        Console.log("\(recurrence.text) at \(time.text) to \(name); next: \(ScheduleState.time(next, days))")
        try TimerInstallation(schedules, configuration, stateFolder).update(timer)
    }
}
