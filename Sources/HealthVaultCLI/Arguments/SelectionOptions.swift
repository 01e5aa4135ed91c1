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
            \.entries, "entry", value: "NAME", "only this file or entry; may be repeated", as: .file),
    ]

    func validate() throws(UsageError) {
        if !entries.isEmpty, samples != nil {
            throw UsageError(
                .invalidCombination, "--entry names entries; types and times do not go with it",
                hint: "decrypt samples and entries into two folders")
        }
        try sampleOptions.validate()
    }

    /// Whether less than the whole archive is wanted.
    var isGiven: Bool { samples != nil || !entries.isEmpty }

    /// The samples that are wanted; nil if no option is about samples.
    var samples: SampleSelection? { sampleOptions.samples }
}
