package import CommandLineKit
package import HealthModel
package import SystemIO

/// The options that commands that query a source have in common: source, time, samples, days and form.
package struct AnswerOptions: Sendable {
    package var source = SourceOptions()
    package var time = TimeOptions()
    package var samples = SampleOptions()
    package var days = DayOptions()
    package var report = ReportOptions()

    package init() {}

    /// The argument SOURCE.
    package static let argument: [GrammarElement<AnswerOptions>] = [
        .including(\.source, SourceOptions.argument)
    ]

    /// The argument SOURCE, any number of times.
    package static let arguments: [GrammarElement<AnswerOptions>] = [
        .including(\.source, SourceOptions.arguments)
    ]

    /// The options that select samples.
    package static let selection: [GrammarElement<AnswerOptions>] = [
        .including(\.time, TimeOptions.elements), .including(\.samples, SampleOptions.elements),
    ]

    /// The options for days, the form of the report, and the passphrase.
    package static let form: [GrammarElement<AnswerOptions>] = [
        .including(\.days, DayOptions.elements), .including(\.report, ReportOptions.elements),
        .including(\.source, SourceOptions.options),
    ]

    /// Returns the warnings about samples that are dated after the export, once the source was read.
    package func warnings(
        onLater types: [AnySampleType], in store: any HealthStore
    ) async throws -> [TerminalText] {
        time.warnings(
            onLater: types, in: time.answeredRange, of: try await store.contents(), try days.given)
    }

    package func validate() throws(UsageError) {
        try source.validate()
        try time.validate()
        try report.validate()
    }
}
