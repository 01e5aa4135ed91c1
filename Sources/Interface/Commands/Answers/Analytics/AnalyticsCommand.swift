import ByteText
import CommandLineKit
import HealthModel
import HealthQueries
import HealthVault
import SystemIO
import Tables
import Wording

/// The command `healthvault analytics`.
struct AnalyticsCommand: VaultCommand {
    /// The actions on a database.
    enum Action: String, CaseIterable, Sendable {
        case `init`
        case update
        case show
        case records
        case clear

        /// Whether it reads a source.
        var readsSource: Bool { self == .`init` || self == .update }
    }

    var action = Action.show
    var subject: BytePath?
    var database = DatabaseOptions()
    var overwrites = false
    var person = SubjectOptions()
    var rules = AnalyticsRuleOptions()
    var time = TimeOptions()
    var metrics: [Metric] = []
    var passphrase = PassphraseOptions()
    var report = ReportOptions()

    static let grammar = CommandGrammar<Self>(
        name: "analytics",
        summary: "Keeps daily to yearly totals in a small database.",
        discussion: """
            'init' computes steps, distances, energy, heartbeats and sleep of every day, week, month and year of a \
            source and stores them; 'update' does so again with a later export, and changes only what differs, \
            however old. A database is about one person: another person's export is refused, and so is, unless told \
            otherwise, one that is older than the last or lacks more than half of the days. 'show' prints them, 'records' the best days and longest streaks, 'clear' removes all rows. \
            A day without data has no value, which is not the same as zero.

            The database is an SQLite file that only its owner can read. If its name ends in .hvault, it is \
            encrypted instead, and nothing readable reaches the disk.
            """,
        examples: [
            HelpExample(
                "healthvault analytics init health.hvault --database totals.sqlite", "Compute all totals"),
            HelpExample(
                "healthvault analytics show month --database totals.sqlite --metric steps",
                "Show the steps of each month"),
            HelpExample(
                "healthvault analytics update export.zip --database totals.sqlite",
                "Bring them up to date with a later export"),
        ],
        elements: [
            .argument(\.action, "ACTION", "init, update, show, records or clear", as: .choice),
            .optionalArgument(
                \.subject, "SOURCE|PERIOD",
                "with 'init' and 'update': an export, an archive, or a folder with either; with 'show': day, week, month or year",
                as: .file),
            .including(\.database, DatabaseOptions.elements),
            .flag(\.overwrites, "overwrite", "with 'init': replace an existing database of analytics"),
            .including(\.person, SubjectOptions.elements),
            .including(\.rules, AnalyticsRuleOptions.elements),
            .including(\.time, TimeOptions.elements),
            .repeatedOption(
                \.metrics, "metric", value: "METRIC",
                "with 'show': only this metric, such as steps; repeatable",
                as: .choice),
            .including(\.report, ReportOptions.elements),
            .section("passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
            .section(
                "passphrase of the database", [.including(\.database, DatabaseOptions.passphrases)]),
        ])

    func validate() throws(UsageError) {
        try database.validate()
        try passphrase.validate()
        try time.validate()
        try report.validate()
        if action.readsSource, subject == nil {
            throw UsageError(
                .missingArgument, "'analytics \(action.rawValue)' requires a source",
                hint:
                    "for example: healthvault analytics \(action.rawValue) export.zip --database totals.sqlite"
            )
        }
        if action == .show, period == nil {
            throw UsageError(
                .missingArgument, "'analytics show' requires a period",
                hint: "one of: day, week, month, year")
        }
        if action == .records || action == .clear, subject != nil {
            throw UsageError(
                .invalidCombination, "'analytics \(action.rawValue)' takes no such argument")
        }
        if !action.readsSource, passphrase.isGiven {
            throw UsageError(
                .invalidCombination, "'analytics \(action.rawValue)' reads no source",
                hint: "for the passphrase of the database, use --database-passphrase-file")
        }
        if action != .`init`, overwrites {
            throw UsageError(.invalidCombination, "only 'analytics init' takes --overwrite")
        }
        try person.validate()
        if !action.readsSource && person.isGiven || action == .`init` && person.allowsAnything {
            throw UsageError(
                .invalidCombination,
                "only 'analytics init' and 'update' take --person, and 'update' --allow-older and --allow-deletions"
            )
        }
        if action != .`init`, rules.isGiven {
            throw UsageError(
                .invalidCombination, "the database keeps the rules that it was made with",
                hint: "to change them, use 'analytics init --overwrite'")
        }
        if action != .show, !metrics.isEmpty || time.since != nil || time.until != nil || time.last != nil {
            throw UsageError(
                .invalidCombination, "only 'analytics show' takes --metric, --since, --until and --last")
        }
        if report.json || report.csv, action == .clear || report.csv && action != .show {
            throw UsageError(
                .invalidCombination, "'analytics \(action.rawValue)' prints no such report")
        }
        try rules.validate()
    }

    private var period: AnalyticsPeriod? {
        subject.flatMap { $0.text }.flatMap { AnalyticsPeriod(rawValue: $0) }
    }

    func run() async throws -> ExitStatus {
        switch action {
        case .`init`, .update: try await compute()
        case .show: try show(try database.open())
        case .records:
            let library = try database.open()
            guard let records = try library.getHighscoreRecord() else { throw noRows }
            try report.print(AnalyticsTable.records(records, path: database.path))
        case .clear:
            let library = try database.open()
            for user in try library.getAllUsers() { try library.clearDatabaseExceptUser(user) }
            Console.log(
                "removed all rows of \(database.path); 'healthvault analytics update' computes them again")
        }
        return .done
    }

    private var noRows: Absence {
        Absence(
            path: database.path, what: "such rows",
            hint: "'healthvault analytics update SOURCE --database FILE' computes them")
    }

    private func compute() async throws {
        var options = SourceOptions()
        options.path = subject ?? ""
        options.passphrase = passphrase
        let store = try options.open()
        let display = AnalyticsProgress(isShown: !report.json)
        let (library, update) = try compute(store, display)
        display.finish()
        let output = AnalyticsUpdateOutput(update, library.path, zone: try library.zone() ?? "")
        if report.json {
            try Console.print(json: output.json)
        } else {
            for line in output.lines { Console.log(line) }
        }
    }

    private func compute(
        _ store: any HealthStore, _ display: AnalyticsProgress
    ) throws -> (HealthStatsLibrary, AnalyticsUpdate) {
        if action == .`init` {
            let library = try database.create(try rules.settings, replacing: overwrites)
            return (
                library,
                try library.initializeDatabase(
                    from: store, terms: person.terms, progressCallback: display.show)
            )
        }
        let library = try database.open()
        return (
            library,
            try library.updateMissingData(
                from: store, terms: person.terms, progressCallback: display.show)
        )
    }

    private func show(_ library: HealthStatsLibrary) throws {
        guard let period else { return }
        let settings = try library.settings()
        var (first, last) = (time.since, time.until)
        if let length = time.last, let latest = try library.getLatestDailyAnalytics()?.date {
            first = .day(length.start(before: latest))
            last = nil
        }
        let rows = try library.rows(of: period, from: first, to: last)
        guard !rows.isEmpty else { throw noRows }
        try report.print(
            AnalyticsTable.rows(
                rows, period, metrics: metrics, try library.days(), zone: try library.zone() ?? "",
                rule: settings.merge.rule, path: library.path))
    }
}
