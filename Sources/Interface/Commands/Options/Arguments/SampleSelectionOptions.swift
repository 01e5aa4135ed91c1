import ByteText
package import CommandLineKit
package import HealthModel
package import HealthVault

/// The options that select samples by type and time.
package struct SampleSelectionOptions: Sendable {
    package var types: [SampleTypeName]?
    package var excludedTypes: [SampleTypeName] = []
    package var time = TimeOptions()

    package init() {}

    package static let elements: [GrammarElement<SampleSelectionOptions>] = [
        .option(\.types, "types", value: "A,B", "only samples of these types", as: types),
        .option(\.excludedTypes, "exclude", value: "A,B", "all but samples of these types", as: types),
        .including(\.time, TimeOptions.elements),
    ]

    /// A description of the selection, for the help of commands that have the options.
    package static let discussion = """
        Selection: --types, --exclude, --since, --until, --in and --last write only matching samples and no side files. A \
        type is a short name such as heartRate, a title such as 'Heart Rate', HealthKit's identifier, or a group: \
        \(groups); 'healthvault types' lists them. The start of a sample counts. Days are whole days in the time zone \
        of the export, which 'inspect' shows. --last counts back from the day of the export.
        """

    private static let groups = SampleTypeGroup.allCases.map { SampleTypeName.groupMark + $0.rawValue }
        .joined(separator: ", ")

    /// Parses a list of types and groups.
    package static let types: ValueParser<[SampleTypeName]> = .list(
        of: ValueParser(
            expected: "sample types such as heartRate or group:vitals",
            completion: .choice(SampleTypeName.suggestions)
        ) { SampleTypeName(parsing: $0) })

    package func validate() throws(UsageError) { try time.validate() }

    /// The selected samples; nil if no option selects samples.
    package var samples: SampleSelection? {
        let selection = SampleSelection(
            types: types, excluding: excludedTypes, in: time.range)
        return selection == SampleSelection() ? nil : selection
    }
}
