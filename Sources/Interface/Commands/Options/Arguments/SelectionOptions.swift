package import CommandLineKit
package import HealthVault
package import SystemIO

/// The options that select part of an archive: samples by type and time, or single entries.
package struct SelectionOptions: Sendable {
    package var sampleOptions = SampleSelectionOptions()
    package var entries: [BytePath] = []

    package init() {}

    package static let elements: [GrammarElement<SelectionOptions>] = [
        .including(\.sampleOptions, SampleSelectionOptions.elements),
        .repeatedOption(
            \.entries, "entry", value: "NAME", "only this file or entry; repeatable", as: entry),
    ]

    /// Parses the name of an entry.
    ///
    /// Completion offers only names that most archives have; the others are unknown until an archive is opened.
    private static let entry = ValueParser<BytePath>(
        expected: "the name of a file or entry",
        completion: .choice([
            "manifest.json", "prologue.xml", "files/export_cda.xml", "files/workout-routes/",
            "files/electrocardiograms/", "files/clinical-records/", "records/",
        ])
    ) { $0.isEmpty ? nil : BytePath($0) }

    package func validate() throws(UsageError) {
        if !entries.isEmpty, samples != nil {
            throw UsageError(
                .invalidCombination, "--entry cannot be combined with types and times",
                hint: "decrypt samples and entries into two folders")
        }
        try sampleOptions.validate()
    }

    /// Whether only part of the archive is selected.
    package var isGiven: Bool { samples != nil || !entries.isEmpty }

    /// The selected samples; nil if no option selects samples.
    package var samples: SampleSelection? { sampleOptions.samples }
}
