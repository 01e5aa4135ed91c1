import CommandLineKit
import HealthVault
import SystemIO
import Wording

/// The command `healthvault history`.
struct HistoryCommand: VaultCommand {
    var name: String?
    var verify = false
    var json = false
    var stateFolder = StateFolderOption()
    var configuration = ConfigurationOption()
    var passphrase = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "history",
        summary: "Lists exports to destinations.",
        discussion: """
            Shows for each export when it was made, how it ended, and whether its file still exists. --verify checks \
            the existing files as 'healthvault verify' does. Only exports to destinations are listed.
            """,
        examples: [
            HelpExample("healthvault history --to stick", "List the exports on a drive"),
            HelpExample("healthvault history --verify", "Check all exports on connected drives"),
        ],
        elements: [
            .option(\.name, "to", value: "NAME", "only exports to this destination", as: .destination),
            .flag(\.verify, "verify", "check each file that still exists"),
            .json(\.json),
            .including(\.stateFolder, StateFolderOption.elements),
            .including(\.configuration, ConfigurationOption.elements),
            .section("passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        guard !verify, passphrase.isGiven else { return }
        throw UsageError(.invalidCombination, "a passphrase works only with --verify")
    }

    func run() async throws -> ExitStatus {
        let history = History(inState: try stateFolder.required().path)
        let records = try history.all().filter { name == nil || $0.destination == name }
        // The history also has the exports to destinations that were removed.
        if let name, records.isEmpty { _ = try configuration.destinations.destination(name) }
        var places = OutputPlaces(try configuration.destinations.all())
        var lines: [HistoryLine] = []
        for record in records { lines.append(HistoryLine(record: record, place: places.place(of: record))) }
        var status = ExitStatus.done
        if verify, !lines.isEmpty { status = try await check(&lines, history) }
        if !json, lines.isEmpty {
            Console.log("no exports to destinations yet")
        } else {
            try ReportOptions(json: json).print(HistoryLine.table(lines))
        }
        return status
    }

    /// Verifies the files that still exist, and notes those that are intact and were not verified before.
    private func check(_ lines: inout [HistoryLine], _ history: History) async throws -> ExitStatus {
        var secret: HeldPassphrase?
        var status = ExitStatus.done
        var (opened, unchecked) = (0, 0)
        for index in lines.indices {
            if case .damaged = lines[index].place {
                lines[index].isWhole = false
                status = .damaged
            }
            guard case .there(let path) = lines[index].place else { continue }
            var verifier = Verifier(archive: path)
            verifier.jobs = CurrentProcess.processorCount
            do {
                let report: VerificationReport
                if lines[index].record.isEncrypted {
                    let held = try secret ?? HeldPassphrase(passphrase.read(prompt: "Passphrase: "))
                    secret = held
                    let copy = try held.copy()
                    report = try await verifier.verifyContainer(passphrase: copy)
                    opened += 1
                } else {
                    report = try await verifier.verifyFolder()
                }
                lines[index].isWhole = report.isFlawless
                lines[index].record = try history.confirm(lines[index].record, at: path, report)
            } catch let error as VaultError {
                // An archive with another passphrase is not damaged, but nobody knows that it is whole.
                guard !error.isWrongPassphrase else {
                    Console.log("\(path): not checked, because it has another passphrase")
                    unchecked += 1
                    continue
                }
                lines[index].isWhole = false
            }
            if lines[index].isWhole == false { status = .damaged }
        }
        guard status == .done, unchecked > 0 else { return status }
        return opened > 0 ? .incomplete : .wrongPassphrase
    }
}
