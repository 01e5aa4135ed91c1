import CommandLineKit
import CommandOutput
import HealthVault
import JSONText
import SystemIO
import VaultContainer
import VaultCrypto

/// The command `healthvault passphrase`.
struct PassphraseCommand: VaultCommand {
    /// The actions on key slots.
    enum Action: String, CaseIterable, Sendable {
        case change
        case add
        case remove
        case list
    }

    var action = Action.list
    var archive: BytePath = ""
    var slot: Int?
    var iterations: Int?
    var json = false
    var quiet = false
    var passphrase = PassphraseOptions()
    var newPassphrase = NewPassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "passphrase",
        summary: "Changes, adds, removes or lists the passphrases of an archive.",
        discussion: """
            Only the two headers of 4 KiB are rewritten, so that it takes a second whatever the archive's size; a torn \
            write leaves one of them whole. Each passphrase has one of eight key slots. 'change' replaces the \
            passphrase that opens the archive, 'add' gives it one more, 'remove' removes the slot of the passphrase \
            given, or another one with --slot. Copies of the archive made before still open with the old passphrase.
            """,
        elements: [
            .argument(\.action, "ACTION", "change, add, remove or list", as: .choice),
            .argument(\.archive, "ARCHIVE", "a .hvault file", as: .file),
            .option(
                \.slot, "slot", value: "N", "with remove: the number of the slot, as 'list' shows it",
                as: .integer(in: 0...7)),
            .option(
                \.iterations, "iterations", value: "N", "iterations of PBKDF2 for the new passphrase",
                as: .integer(in: ContainerFormat.writableIterations)),
            .flag(\.json, "json", "report as JSON"),
            .flag(\.quiet, "quiet", short: "q", "say nothing but errors"),
            .section(
                "Passphrase that opens the archive", [.including(\.passphrase, PassphraseOptions.elements)]),
            .section(
                "New passphrase",
                [.including(\.newPassphrase, NewPassphraseOptions.elements(named: "new-passphrase"))]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        try newPassphrase.validate()
        if quiet, action == .list {
            throw UsageError(.invalidCombination, "'passphrase list' has nothing to say but its list")
        }
        if slot != nil, action != .remove {
            throw UsageError(.invalidCombination, "--slot goes with 'passphrase remove' only")
        }
        if iterations != nil, action == .remove || action == .list {
            throw UsageError(
                .invalidCombination, "--iterations goes with 'passphrase change' and 'passphrase add' only")
        }
        if newPassphrase.isGiven, action == .remove || action == .list {
            throw UsageError(
                .invalidCombination,
                "a new passphrase goes with 'passphrase change' and 'passphrase add' only")
        }
        if passphrase.isGiven, action == .list {
            throw UsageError(
                .invalidCombination, "'passphrase list' needs no passphrase",
                hint: "it shows what everyone can see who has the file")
        }
        if passphrase.usesStandardInput, newPassphrase.given.usesStandardInput {
            throw UsageError(.invalidCombination, "both passphrases cannot come from standard input")
        }
    }

    func run() async throws -> ExitStatus {
        try ArchiveCheck.requireContainer(archive)
        do {
            switch action {
            case .list: break
            case .change, .add, .remove: try edit()
            }
            try report()
        } catch let error as ContainerError { throw VaultError(.container(error), path: archive) }
        return .done
    }

    private func edit() throws {
        let current = try passphrase.read(prompt: "Passphrase: ")
        var editor = try SlotEditor(opening: archive, passphrase: current)
        switch action {
        case .change:
            try editor.change(to: try readNew(), iterations: newIterations)
            log("the passphrase was changed. The old one still opens copies that were made before")
        case .add:
            let number = try editor.add(try readNew(), iterations: newIterations)
            log("the passphrase was added in slot \(number)")
        case .remove:
            guard let number = slot ?? editor.ownSlot else { throw ContainerError(.noSuchSlot) }
            try editor.remove(slot: number)
            log("slot \(number) was removed. Its passphrase still opens copies that were made before")
        case .list: break
        }
    }

    private func readNew() throws -> Passphrase {
        try newPassphrase.read(prompt: "New passphrase: ", iterations: newIterations)
    }

    private var newIterations: Int { iterations ?? ContainerFormat.defaultIterations }

    private func log(_ text: TerminalText) {
        if !quiet, !json { Console.log("\(archive): \(text)") }
    }

    private func report() throws {
        guard json || action == .list else { return }
        let header = try CleartextHeader(of: archive)
        guard json else {
            for line in SlotText.lines(header.slots) { try Console.print(line) }
            if header.copiesDiffer {
                Console.log("warning: \(archive): \(WarningText.describe(.headerGenerationsDiffer))")
            }
            return
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("archive", archive)
            writer.member("generation", Int(clamping: header.generation))
            SlotText.write(header.slots, &writer)
        }
        try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
    }
}
