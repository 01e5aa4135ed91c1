import CommandLineKit
import HealthModel
import HealthQueries
import HealthReport
import HealthVault
import Tables
import Wording

/// The command `healthvault ecg`.
struct ElectrocardiogramCommand: QuestionCommand {
    /// The actions on electrocardiograms.
    enum Action: String, CaseIterable, Sendable {
        case list
        case show
    }

    var action = Action.list
    var answer = AnswerOptions()
    var recording: String?
    var drawing = DrawingOptions()

    static let grammar = CommandGrammar<Self>(
        name: "ecg",
        summary: "Lists and shows electrocardiograms.",
        discussion: """
            'list' numbers the recordings by time. 'show' takes a number or file name; with --csv it prints the seconds \
            since the start and the microvolts of each point, with --json everything; with -o it writes a drawing \
            on the usual grid, 25 mm/s and 10 mm/mV when printed at 100 %. The name and date of birth in the files \
            are never shown.
            """,
        examples: [
            HelpExample("healthvault ecg list export.zip", "List all recordings"),
            HelpExample(
                "healthvault ecg show health.hvault 1 --csv", "Print the voltages of the first recording"),
            HelpExample("healthvault ecg show export.zip 1 -o ecg.svg", "Draw the first recording"),
        ],
        elements: [
            .action(
                \.action,
                [(.list, "Lists all recordings, numbered by time."), (.show, "Shows or draws a recording.")]),
            .only(for: [Action.list], [.including(\.answer, AnswerOptions.arguments)]),
            .only(
                for: [Action.show],
                [
                    .including(\.answer, AnswerOptions.argument),
                    .argument(\.recording, "RECORDING", "a number from 'list', or a file name", as: .text),
                    .including(\.drawing, DrawingOptions.elements),
                ]),
            .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) {
        try answer.validate()
        try drawing.validate()
        if drawing.output != nil, answer.report.json || answer.report.csv {
            throw UsageError(.invalidCombination, "-o works only without --json and --csv")
        }
    }

    func ask() async throws -> ExitStatus {
        try drawing.check()
        let store = try answer.source.open()
        let list = try await store.electrocardiograms()
        guard let recording else {
            guard !list.recordings.isEmpty || !list.unreadable.isEmpty else {
                throw Absence(
                    path: answer.source.path, what: "electrocardiograms",
                    hint: "'healthvault inspect' shows what it contains")
            }
            let time = try await time(in: store)
            try answer.report.print(ElectrocardiogramTable.list(list, time, path: answer.source.path))
            return list.unreadable.isEmpty ? .done : .incomplete
        }
        if let file = list.unreadable.first(where: { $0.isCalled(recording) }) {
            throw UnreadableRecording(path: answer.source.path, file: file)
        }
        guard let number = list.number(of: recording) else {
            throw Absence(
                path: answer.source.path, what: "electrocardiogram '\(recording)'",
                hint: "'healthvault ecg list' shows all recordings")
        }
        guard drawing.output == nil else {
            let paper = ElectrocardiogramPaper(
                list.recordings[number], days: try await answer.days.days(of: store))
            try drawing.save(paper.document)
            return .done
        }
        let (time, found) = (try await time(in: store), list.recordings[number])
        if answer.report.csv || answer.report.json {
            try answer.report.print(
                ElectrocardiogramTable.voltages((number, found), time, path: answer.source.path))
        } else {
            try answer.report.print(ElectrocardiogramTable.facts(found, time))
        }
        return .done
    }

    /// Returns the form of times; without a given time zone, this reads an export to its end.
    private func time(in store: any HealthStore) async throws -> LocalTime {
        LocalTime(days: try await answer.days.days(of: store))
    }
}

extension ElectrocardiogramList {
    /// Returns the index of the recording with a number, counted from 1, or with a file name; nil if there is none.
    fileprivate func number(of text: String) -> Int? {
        if let number = Int(text), number >= 1, number <= recordings.count { return number - 1 }
        return recordings.firstIndex { RecordingName.matches($0.path, text) }
    }
}

extension ElectrocardiogramList.Unreadable {
    fileprivate func isCalled(_ name: String) -> Bool { RecordingName.matches(path, name) }
}
