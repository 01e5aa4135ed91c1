import CommandLineKit
import HealthModel
import HealthQueries
import HealthVault
import SampleBatches

/// The command `healthvault ecg`.
struct ElectrocardiogramCommand: VaultCommand {
    /// The actions on electrocardiograms.
    enum Action: String, CaseIterable, Sendable {
        case list
        case show
    }

    var action = Action.list
    var source = SourceOptions()
    var recording: String?
    var days = DayOptions()
    var report = ReportOptions()

    static let grammar = CommandGrammar<Self>(
        name: "ecg",
        summary: "Lists the electrocardiograms, or shows one.",
        discussion: """
            'list' numbers them in the order of their times; 'show' takes such a number or the name of the file, and \
            shows what the file says. With --csv, 'show' prints a line for each voltage, with the seconds since the \
            start and the microvolts; with --json all of it. The person's name and date of birth, which the files \
            hold as well, are never shown.
            """,
        elements: [
            .argument(\.action, "ACTION", "list or show", as: .choice),
            .including(\.source, SourceOptions.argument),
            .optionalArgument(\.recording, "RECORDING", "a number or file name, for 'show'", as: .text),
            .including(\.days, DayOptions.elements),
            .including(\.report, ReportOptions.elements),
            .including(\.source, SourceOptions.options),
        ])

    func validate() throws(UsageError) {
        try source.validate()
        try report.validate()
        if action == .list, recording != nil {
            throw UsageError(
                .invalidCombination, "'ecg list' lists all electrocardiograms",
                hint: "use 'ecg show' for one of them")
        }
        if action == .show, recording == nil {
            throw UsageError(
                .missingArgument, "'ecg show' needs the number or file name of a recording",
                hint: "see them with 'healthvault ecg list'")
        }
    }

    func run() async throws -> ExitStatus {
        let store = try source.open()
        let list = try await store.electrocardiograms()
        let output = ElectrocardiogramOutput(
            list, LocalTime(days: try await days.days(of: store)), path: source.path)
        guard let recording else {
            guard !list.recordings.isEmpty || !list.unreadable.isEmpty else {
                throw Absence(
                    path: source.path, what: "electrocardiograms",
                    hint: "see what there is with 'healthvault inspect'")
            }
            try report.print(text: output.listText, csv: output.listCSV, json: output.listJSON)
            return list.unreadable.isEmpty ? .done : .incomplete
        }
        guard let number = output.number(of: recording) else {
            throw Absence(
                path: source.path, what: "electrocardiogram '\(recording)'",
                hint: "see them with 'healthvault ecg list'")
        }
        try report.print(
            text: output.text(number), csv: output.csv(number), json: output.json(number))
        return .done
    }
}
