import ByteText
import CommandLineKit
import HealthModel
import HealthQueries
import HealthReport
import HealthVault
import SystemIO
import Tables
import Wording

/// The command `healthvault report`.
struct ReportCommand: VaultCommand {
    var source = SourceOptions()
    var output: BytePath = ""
    var sections: [ReportSection] = []
    var time = TimeOptions()
    var series = SeriesOptions()
    var overwrite = false
    var maximumHeartRate: Int?
    var person: String?

    static let grammar = CommandGrammar<Self>(
        name: "report",
        summary: "Writes a page with charts of everything: activity, heart, sleep, workouts and more.",
        discussion: """
            The page is one HTML file without scripts that needs no network; each chart has its table. It is not \
            encrypted: everyone who has the file can read it. Sections are overview, activity, heart, sleep, body, \
            workouts, ecg, hearing, nutrition, symptoms, clinical, records and sources; of an archive, only what they \
            need is decrypted. For a PDF, open the page in a browser and print it.
            """,
        examples: [
            HelpExample("healthvault report health.hvault -o report.html", "Write a report of all data"),
            HelpExample(
                "healthvault report export.zip -o heart.html --sections heart,ecg --last 2y",
                "Write a report about the heart, of the last two years"),
        ],
        elements: [
            .including(\.source, SourceOptions.argument),
            .option(
                \.output, "output", short: "o", value: "FILE", required: true, "the page to write",
                as: .file),
            .option(
                \.sections, "sections", value: "A,B", default: "all that have data", "one or more sections",
                as: .list(of: .choice)),
            .including(\.time, TimeOptions.elements),
            .including(\.series, SeriesOptions.elements),
            .option(
                \.maximumHeartRate, "max-heart-rate", value: "BPM",
                default: "220 less the age, where the source has the day of birth",
                "the maximum heart rate, of which the zones of workouts are tenths",
                as: .integer(in: 60...250)),
            .option(
                \.person, "person", value: "NAME", default: "the page does not say",
                "whom the page is about: their name, date of birth and age are then shown", as: .text),
            .flag(\.overwrite, "overwrite", "replace a page that an earlier run wrote"),
            .including(\.source, SourceOptions.options),
        ])

    func validate() throws(UsageError) {
        try source.validate()
        try time.validate()
        try series.validate()
        try SubjectOptions.validate(person)
        try OutputName.validate(output, .page)
    }

    func run() async throws -> ExitStatus {
        let file = DocumentFile(output, start: ReportPage.documentStart, replacing: overwrite)
        try file.check()
        let display = ProgressDisplay(.auto, quiet: false)
        let store = try source.open(progress: display.handler)
        var request = ReportRequest(
            in: time.range, merge: series.merge.rule,
            system: MeasurementSystem(rawValue: series.units.rawValue),
            days: try series.days.given, firstWeekday: series.weekStart.weekday)
        request.maximumHeartRate = maximumHeartRate.map { Double($0) }
        request.name = person
        if !sections.isEmpty { request.sections = Set(sections) }
        let page = try await ReportPage.make(of: store, request) { title, done, total in
            display.show(title, Double(done), of: Double(total))
        }
        guard !page.sections.isEmpty else { throw VaultError(.nothingSelected, path: source.path) }
        try file.save(page.bytes)
        let names = page.sections.map { TerminalText(escaping: $0.rawValue) }
        Console.log("\(Quantities.bytes(page.bytes.count)): \(TerminalText.joined(names, separator: ", "))")
        Console.log("written unencrypted: \(output)")
        return .done
    }
}
