import CommandLineKit
import HealthVault
import SystemIO

/// The options that select a part of an archive: samples of some types and days, or single entries.
struct SelectionOptions: Sendable {
    var sampleOptions = SampleSelectionOptions()
    var entries: [BytePath] = []

    static let elements: [GrammarElement<SelectionOptions>] = [
        .including(\.sampleOptions, SampleSelectionOptions.elements),
        .repeatedOption(
            \.entries, "entry", value: "NAME", "only this file or entry; repeatable", as: entry),
    ]

    /// The names that most archives have; the others are known only to those who open one.
    private static let entry = ValueParser<BytePath>(
        expected: "the name of a file or entry",
        completion: .choice([
            "manifest.json", "prologue.xml", "files/export_cda.xml", "files/workout-routes/",
            "files/electrocardiograms/", "files/clinical-records/", "records/",
        ])
    ) { $0.isEmpty ? nil : BytePath($0) }

    func validate() throws(UsageError) {
        if !entries.isEmpty, samples != nil {
            throw UsageError(
                .invalidCombination, "--entry cannot be combined with types and times",
                hint: "decrypt samples and entries into two folders")
        }
        try sampleOptions.validate()
    }

    /// Whether less than the whole archive is wanted.
    var isGiven: Bool { samples != nil || !entries.isEmpty }

    /// The samples that are wanted; nil if no option is about samples.
    var samples: SampleSelection? { sampleOptions.samples }
}
