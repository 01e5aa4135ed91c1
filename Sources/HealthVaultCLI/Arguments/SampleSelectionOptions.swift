import CommandLineKit
import HealthModel
import HealthVault
import SampleBatches

/// The options that select samples of some types and days.
struct SampleSelectionOptions: Sendable {
    var types: [SampleTypeName]?
    var excludedTypes: [SampleTypeName] = []
    var time = TimeOptions()

    static let elements: [GrammarElement<SampleSelectionOptions>] = [
        .option(\.types, "types", value: "A,B", "only samples of these types", as: types),
        .option(\.excludedTypes, "exclude", value: "A,B", "no samples of these types", as: types),
        .including(\.time, TimeOptions.elements),
    ]

    /// What the options select, for the help of commands that have them.
    static let discussion = """
        With --types, --exclude, --since, --until or --last only the selected samples are written, and no side files. \
        Types are HealthKit's identifiers, short names such as heartRate (see 'healthvault types') or groups: \
        \(groups). A sample is selected by its start. Days are whole, and in the time zone of the export, which \
        'inspect' shows, on any computer. --last counts back from the day of the export.
        """

    private static let groups = SampleTypeGroup.allCases.map { SampleTypeName.groupMark + $0.rawValue }
        .joined(separator: ", ")

    private static let types: ValueParser<[SampleTypeName]> = .list(
        of: ValueParser(
            expected: "sample types such as heartRate or group:vitals",
            completion: .choice(SampleTypeName.suggestions)
        ) { SampleTypeName(parsing: $0) })

    func validate() throws(UsageError) { try time.validate() }

    /// The samples that are wanted; nil if no option is about samples.
    var samples: SampleSelection? {
        let selection = SampleSelection(
            types: types, excluding: excludedTypes, in: time.range)
        return selection == SampleSelection() ? nil : selection
    }
}
