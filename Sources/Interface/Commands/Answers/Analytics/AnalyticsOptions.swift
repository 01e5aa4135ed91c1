import ByteText
import CommandLineKit
import HealthQueries
import HealthVault
import SystemIO

/// The option for the database of analytics, with its passphrase.
struct DatabaseOptions: Sendable {
    var path: BytePath = ""
    var passphrase = NewPassphraseOptions(named: PassphraseOptions.other)

    static let elements: [GrammarElement<DatabaseOptions>] = [
        .option(
            \.path, "database", value: "FILE", required: true,
            "the database; encrypted if the name ends in .hvault", as: .file)
    ]

    static let passphrase: [GrammarElement<DatabaseOptions>] = [
        .including(\.passphrase.given, [PassphraseOptions.file(named: PassphraseOptions.other)])
    ]

    static let newPassphrase: [GrammarElement<DatabaseOptions>] = [
        .including(\.passphrase, NewPassphraseOptions.file(named: PassphraseOptions.other))
    ]

    func validate() throws(UsageError) {
        try passphrase.validate()
        if !HealthStatsLibrary.isEncrypted(path) {
            try OutputName.validate(path, .database, option: "--database")
        }
        if passphrase.isGiven, !HealthStatsLibrary.isEncrypted(path) {
            throw UsageError(
                .invalidCombination, "the database is not encrypted, so it takes no passphrase",
                hint: "use a name that ends in .hvault")
        }
    }

    /// Creates the database; asks for a passphrase if it is encrypted.
    func create(_ settings: AnalyticsSettings, replacing: Bool) throws -> HealthStatsLibrary {
        guard HealthStatsLibrary.isEncrypted(path) else {
            return try HealthStatsLibrary(creating: path, settings, replacing: replacing)
        }
        if !replacing, (try? FileStatus(at: path)) != nil { throw AnalyticsError(.existing, path: path) }
        let secret = try passphrase.read(
            prompt: "Passphrase of the database: ", iterations: ContainerFormat.defaultIterations)
        return try HealthStatsLibrary(
            creating: path, settings, passphrase: HeldPassphrase(secret), replacing: replacing)
    }

    /// Opens the database; asks for its passphrase if it is encrypted.
    func open() throws -> HealthStatsLibrary {
        guard HealthStatsLibrary.isEncrypted(path) else { return try HealthStatsLibrary(opening: path) }
        guard (try? FileStatus(at: path)) != nil else { throw AnalyticsError(.missing, path: path) }
        return try passphrase.given.retrying {
            let secret = try passphrase.given.read(prompt: "Passphrase of the database: ")
            return try HealthStatsLibrary(opening: path, passphrase: HeldPassphrase(secret))
        }
    }
}

/// The options for the rules by which analytics are computed.
struct AnalyticsRuleOptions: Sendable {
    var days = DayOptions()
    var weekStart = WeekStartOption()
    var merge = MergeOptions()

    static let elements: [GrammarElement<AnalyticsRuleOptions>] = [
        .including(\.days, DayOptions.elements),
        .including(\.weekStart, WeekStartOption.elements),
        .including(\.merge, MergeOptions.elements),
    ]

    func validate() throws(UsageError) { try merge.validate() }

    /// The rules.
    var settings: AnalyticsSettings {
        get throws {
            AnalyticsSettings(days: try days.given, firstWeekday: weekStart.weekday, merge: merge.rule)
        }
    }
}
