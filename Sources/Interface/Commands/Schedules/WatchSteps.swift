import CommandLineKit
import HealthVault
import SystemIO
import Wording

/// What `watch` does with an export that has arrived.
enum WatchStep: String, CaseIterable, Sendable {
    /// The exports that schedules ask for.
    case export
    /// An update of a database of analytics.
    case analytics
    /// A synchronisation with targets.
    case sync
}

/// A place to which a step brings exports.
struct WatchPlace: Sendable {
    let step: WatchStep
    /// What it is: a destination, a database, a target.
    let name: String
}

/// What came of a step.
struct WatchResult {
    /// Whose export it was, as the place knows the person; empty for places that do not tell people apart.
    var person = ""
    /// What was changed, in a line.
    var text: TerminalText = ""
    var warnings: [TerminalText] = []
    var status = ExitStatus.done
}

/// The steps of `watch`, with their options.
struct WatchSteps: Sendable {
    var names: [WatchStep] = []
    var database: BytePath?
    var targetTexts: [String] = []
    var person: String?
    var access = ServerAccess()
    var configuration = ConfigurationOption()

    static let elements: [GrammarElement<WatchSteps>] = [
        .option(
            \.names, "then", value: "STEPS", required: true,
            "export, analytics, sync, or several with commas",
            as: .list(of: .choice)),
        .option(\.database, "database", value: "FILE", "the database of the step analytics", as: .file),
        .repeatedOption(
            \.targetTexts, "target", value: "URL", "a target of the step sync; repeatable",
            as: ValueParser(expected: "sqlite:FILE, dir:FOLDER, postgresql://... or fhir+https://...") {
                TargetLocation($0) == nil ? nil : $0
            }),
        .option(
            \.person, "person", value: "NAME",
            "whose exports they are; by default the person is found by the samples, and gets a random name",
            as: .text),
    ]

    static let servers: [GrammarElement<WatchSteps>] = [
        .section("server", [.including(\.access, ServerAccess.elements)]),
        .including(\.configuration, ConfigurationOption.elements),
    ]

    func validate() throws(UsageError) {
        var subject = SubjectOptions()
        subject.person = person
        try subject.validate()
        guard names.contains(.analytics) == (database != nil) else {
            throw UsageError(.invalidCombination, "the step analytics and --database belong together")
        }
        if let database, HealthStatsLibrary.isEncrypted(database) {
            throw UsageError(
                .invalidCombination, "watch cannot update an encrypted database",
                hint: "give a --database without .hvault, or run 'healthvault analytics update' yourself")
        }
        guard names.contains(.sync) == !targetTexts.isEmpty else {
            throw UsageError(.invalidCombination, "the step sync and --target belong together")
        }
        try access.validate(for: targetTexts.compactMap { TargetLocation($0) })
    }

    /// Returns the places to which a step brings the exports of an inbox.
    func places(of step: WatchStep, in inbox: BytePath) throws -> [WatchPlace] {
        switch step {
        case .export:
            let schedules = try Schedules(try configuration.folder).all().filter {
                Folder.absolute($0.source) == inbox
            }
            guard !schedules.isEmpty else {
                throw Absence(
                    path: inbox, what: "exports that a schedule takes",
                    hint: "'healthvault schedule set --source' makes a schedule")
            }
            return schedules.map { WatchPlace(step: step, name: $0.destination) }
        case .analytics: return [WatchPlace(step: step, name: "\(Folder.absolute(database ?? ""))")]
        case .sync: return targetTexts.map { WatchPlace(step: step, name: $0) }
        }
    }

    /// Returns whose data a place has, and what it was last brought to; nil for one that does not tell.
    func subjects(at place: WatchPlace) async throws -> [Subject]? {
        switch place.step {
        case .export: return nil
        case .analytics: return try HealthStatsLibrary(opening: database ?? "").subject().map { [$0] } ?? []
        case .sync:
            guard let target = TargetLocation(place.name) else { return [] }
            return try await target.open(access).subjects()
        }
    }

    /// Brings an export to a place.
    ///
    /// - Parameters:
    ///   - export: The export.
    ///   - place: The place.
    ///   - people: Those whose newer exports were brought there.
    ///   - stateFolder: The folder with the history of exports.
    ///   - display: Shows the progress.
    func bring(
        _ export: ArrivedExport, to place: WatchPlace, after people: Set<String>,
        _ stateFolder: StateFolderOption, _ display: ProgressDisplay
    ) async throws -> WatchResult {
        var terms = SubjectTerms(person: person)
        terms.content = export.content
        terms.superseded = people
        var result = WatchResult()
        switch place.step {
        case .export: result.status = try await exportScheduled(export, to: place.name, stateFolder)
        case .analytics:
            let library = try HealthStatsLibrary(opening: database ?? "")
            let update = try library.updateMissingData(
                from: try ExportStore(path: export.path, progress: display.handler), terms: terms
            ) { display.show($0.currentTask, $0.percentage, of: 100) }
            result.person = try library.subject()?.person ?? ""
            result.text =
                "\(Quantities.count(update.days, "day")), \(Quantities.count(update.changedRows[.day] ?? 0)) changed"
        case .sync:
            guard let target = TargetLocation(place.name) else { break }
            let manager = try SyncManager(target, access, terms: terms)
            manager.delegate = InterruptedSync(display)
            let report = try await manager.synchronize(
                with: try ExportStore(path: export.path, progress: display.handler))
            let output = SyncOutput(report: report, isDry: false)
            output.logUnmapped()
            result.status = report.isComplete && report.total.leftOut == 0 ? .done : .incomplete
            result.person = output.person
            result.text = output.text
            result.warnings = output.warnings
        }
        return result
    }

    /// Makes the export that a schedule asks for, whether or not it is due.
    private func exportScheduled(
        _ export: ArrivedExport, to destination: String, _ stateFolder: StateFolderOption
    ) async throws -> ExitStatus {
        let exports = try DueExports(configuration, stateFolder)
        guard let schedule = try exports.all().map(\.schedule).first(where: { $0.destination == destination })
        else { return .done }
        return AttendedDriveExport.status(
            try await exports.export(
                export.path, version: export.version, for: schedule,
                attendant: AttendedDriveExport(export.path, for: schedule, stateFolder)))
    }
}
