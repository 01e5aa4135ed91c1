import CommandLineKit
import CommandOutput
import HealthVault
import SystemIO

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
        summary: "Lists the exports that were made to destinations.",
        discussion: """
            For each export it shows when it was made, what became of it, and whether its file is still there. With \
            --verify, the files that are there are read through and checked as 'healthvault verify' does. The history \
            has times, names and totals only; exports to other places than destinations are not in it.
            """,
        elements: [
            .option(\.name, "to", value: "NAME", "only exports to this destination", as: .text),
            .flag(\.verify, "verify", "check each file that is still there"),
            .flag(\.json, "json", "report as JSON"),
            .including(\.stateFolder, StateFolderOption.elements),
            .including(\.configuration, ConfigurationOption.elements),
            .section("Passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        guard !verify, passphrase.isGiven else { return }
        throw UsageError(.invalidCombination, "a passphrase is needed with --verify only")
    }

    func run() async throws -> ExitStatus {
        let destinations = Dictionary(
            try configuration.destinations.all().map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
        let records = try History(inState: try stateFolder.required().path).all()
            .filter { name == nil || $0.destination == name }
        var places = OutputPlaces(destinations)
        var lines: [HistoryLine] = []
        for record in records { lines.append(HistoryLine(record: record, place: places.place(of: record))) }
        var status = ExitStatus.done
        if verify, !lines.isEmpty { status = try await check(&lines) }
        if json {
            try Console.print(json: HistoryLine.json(lines))
        } else if lines.isEmpty {
            Console.log("no exports to destinations yet")
        } else {
            try Console.print(HistoryLine.table(lines))
        }
        return status
    }

    /// Verifies the files that are there.
    private func check(_ lines: inout [HistoryLine]) async throws -> ExitStatus {
        var secret: HeldPassphrase?
        var status = ExitStatus.done
        for index in lines.indices {
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
                } else {
                    report = try await verifier.verifyFolder()
                }
                lines[index].isWhole = report.isFlawless
            } catch let error as VaultError {
                // Another archive may have another passphrase, and is no worse for that.
                guard !error.isWrongPassphrase else {
                    Console.log("\(path): has another passphrase, and was not checked")
                    continue
                }
                lines[index].isWhole = false
            }
            if lines[index].isWhole == false { status = .damaged }
        }
        return status
    }
}
