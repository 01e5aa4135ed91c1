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
    }

    var action = Action.show
    var source = SourceOptions()
    var period = AnalyticsPeriod.day
    var database = DatabaseOptions()
    var overwrites = false
    var person = SubjectOptions()
    var rules = AnalyticsRuleOptions()
    var time = TimeOptions()
    var metrics: [Metric] = []
    var report = ReportOptions()

    static let grammar = CommandGrammar<Self>(
        name: "analytics",
        summary: "Keeps daily to yearly totals in a small database.",
        discussion: """
            The totals are steps, distances, energy, heartbeats and sleep of every day, week, month and year. A database \
            is about one person: another person's export is refused, and so is, unless told otherwise, one that is older \
            than the last or lacks more than half of the days. A day without data has no value, which is not the same as \
            zero.

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
            .action(
                \.action,
                [
                    (.`init`, "Computes all totals of a source, and stores them in a new database."),
                    (
                        .update,
                        "Updates a database with a later export; changes only what differs, however old."
                    ),
                    (.show, "Prints the totals of each day, week, month or year."),
                    (.records, "Prints the best days and the longest streaks."),
                    (.clear, "Removes all rows of a database."),
                ]),
            .only(for: [Action.`init`, .update], [.including(\.source, SourceOptions.argument)]),
            .only(
                for: [Action.show],
                [.argument(\.period, "PERIOD", "day, week, month or year", as: .choice)]),
            .including(\.database, DatabaseOptions.elements),
            .only(
                for: [Action.`init`, .update], [.including(\.person, SubjectOptions.person)]),
            .only(for: [Action.update], [.including(\.person, SubjectOptions.allowances)]),
            .only(
                for: [Action.`init`],
                [
                    .flag(\.overwrites, "overwrite", "replace an existing database of analytics"),
                    .including(\.rules, AnalyticsRuleOptions.elements),
                ]),
            .only(
                for: [Action.show],
                [
                    .including(\.time, TimeOptions.elements),
                    .repeatedOption(
                        \.metrics, "metric", value: "METRIC", "only this metric, such as steps; repeatable",
                        as: .choice),
                    .flag(\.report.csv, "csv", "print CSV"),
                ]),
            .only(for: [Action.`init`, .update, .show, .records], [.json(\.report.json)]),
            .only(
                for: [Action.`init`, .update],
                [.including(\.source, SourceOptions.options)]),
            .only(
                for: [Action.`init`],
                [.section(passphraseSection, [.including(\.database, DatabaseOptions.newPassphrase)])]),
            .only(
                for: [Action.update, .show, .records, .clear],
                [.section(passphraseSection, [.including(\.database, DatabaseOptions.passphrase)])]),
        ])

    private static let passphraseSection = "passphrase of the database"

    func validate() throws(UsageError) {
        try database.validate()
        try source.validate()
        try time.validate()
        try report.validate()
        try person.validate()
        try rules.validate()
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
        let display = ProgressDisplay(.auto, quiet: report.json)
        let store = try source.open(progress: display.handler)
        let (library, update) = try compute(store) { display.show($0.currentTask, $0.percentage, of: 100) }
        let output = AnalyticsUpdateOutput(update, library.path, zone: try library.zone() ?? "")
        if report.json {
            try Console.print(json: output.json)
        } else {
            for line in output.lines { Console.log(line) }
        }
    }

    private func compute(
        _ store: any HealthStore, _ show: @escaping @Sendable (InitializationProgress) -> Void
    ) throws -> (HealthStatsLibrary, AnalyticsUpdate) {
        if action == .`init` {
            let library = try database.create(try rules.settings, replacing: overwrites)
            return (
                library,
                try library.initializeDatabase(
                    from: store, terms: person.terms, progressCallback: show)
            )
        }
        let library = try database.open()
        return (
            library,
            try library.updateMissingData(
                from: store, terms: person.terms, progressCallback: show)
        )
    }

    private func show(_ library: HealthStatsLibrary) throws {
        let settings = try library.settings()
        var (first, last) = (time.first, time.final)
        let exported = try library.exportDay()
        if let length = time.last, let exported {
            first = .day(length.start(before: exported))
            last = .day(exported)
        }
        let rows = try library.rows(of: period, from: first, to: last)
        guard !rows.isEmpty else { throw noRows }
        var warnings: [TerminalText] = []
        if let exported, time.final == nil {
            let later = try library.rows(of: period).count { $0.startDate > exported }
            if later > 0 {
                let count = Quantities.count(later, period.rawValue)
                let verb = later == 1 ? "is" : "are"
                let omission = time.last == nil ? "" : ", and not shown"
                warnings.append("\(count) \(verb) dated after the export\(omission)")
            }
        }
        try report.print(
            AnalyticsTable.rows(
                rows, period, metrics: metrics, try library.days(), zone: try library.zone() ?? "",
                rule: settings.merge.rule, warnings: warnings, path: library.path))
    }
}
