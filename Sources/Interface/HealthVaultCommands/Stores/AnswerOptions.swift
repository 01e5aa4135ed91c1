import CommandLineKit
import CommandOutput

/// The options that commands that query a source have in common: source, time, samples, days and form.
struct AnswerOptions: Sendable {
    var source = SourceOptions()
    var time = TimeOptions()
    var samples = SampleOptions()
    var days = DayOptions()
    var report = ReportOptions()

    /// The argument SOURCE.
    static let argument: [GrammarElement<AnswerOptions>] = [.including(\.source, SourceOptions.argument)]

    /// The options that select samples.
    static let selection: [GrammarElement<AnswerOptions>] = [
        .including(\.time, TimeOptions.elements), .including(\.samples, SampleOptions.elements),
    ]

    /// The options for days, the form of the report, and the passphrase.
    static let form: [GrammarElement<AnswerOptions>] = [
        .including(\.days, DayOptions.elements), .including(\.report, ReportOptions.elements),
        .including(\.source, SourceOptions.options),
    ]

    func validate() throws(UsageError) {
        try source.validate()
        try time.validate()
        try report.validate()
    }
}
