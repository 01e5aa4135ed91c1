import CommandLineKit
import HealthModel
import HealthVault
import SampleBatches
import SystemIO

/// The options that select a part of an archive: samples of some types and days, or single entries.
struct SelectionOptions: Sendable {
    var types: [SampleTypeName]?
    var excludedTypes: [SampleTypeName] = []
    var time = TimeOptions()
    var entries: [BytePath] = []

    static let elements: [GrammarElement<SelectionOptions>] = [
        .option(\.types, "types", value: "A,B", "only samples of these types", as: types),
        .option(\.excludedTypes, "exclude", value: "A,B", "no samples of these types", as: types),
        .including(\.time, TimeOptions.elements),
        .repeatedOption(
            \.entries, "entry", value: "NAME", "only this file or entry; may be repeated", as: .file),
    ]

    private static let types: ValueParser<[SampleTypeName]> = .list(
        of: ValueParser(
            expected: "sample types such as heartRate or group:vitals",
            completion: .choice(SampleTypeName.suggestions)
        ) { SampleTypeName(parsing: $0) })

    func validate() throws(UsageError) {
        if !entries.isEmpty, samples != nil {
            throw UsageError(
                .invalidCombination, "--entry names entries; types and times do not go with it",
                hint: "decrypt samples and entries into two folders")
        }
        try time.validate()
    }

    /// Whether less than the whole archive is wanted.
    var isGiven: Bool { samples != nil || !entries.isEmpty }

    /// The samples that are wanted; nil if no option is about samples.
    var samples: SampleSelection? {
        let selection = SampleSelection(
            types: types, excluding: excludedTypes, in: time.range)
        return selection == SampleSelection() ? nil : selection
    }
}
