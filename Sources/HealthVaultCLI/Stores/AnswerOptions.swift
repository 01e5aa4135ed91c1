import CommandLineKit

/// What the commands that answer from a source have in common: the source, the time, the samples, the days, the form.
struct AnswerOptions: Sendable {
    var source = SourceOptions()
    var time = TimeOptions()
    var samples = SampleOptions()
    var days = DayOptions()
    var report = ReportOptions()

    /// The argument SOURCE.
    static let argument: [GrammarElement<AnswerOptions>] = [.including(\.source, SourceOptions.argument)]

    /// Which samples.
    static let selection: [GrammarElement<AnswerOptions>] = [
        .including(\.time, TimeOptions.elements), .including(\.samples, SampleOptions.elements),
    ]

    /// How they are shown, and the passphrase.
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
