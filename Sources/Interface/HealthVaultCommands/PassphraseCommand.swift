import CommandLineKit
import CommandOptions
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
            'change' replaces a passphrase, 'add' adds another one, 'remove' removes the one that you enter or, with \
            --slot, any other. 'list' shows the key slots in use, of which an archive has eight; with a passphrase it \
            marks the slot that the passphrase opens.

            Nothing is encrypted again: only the two headers of 4 KiB are rewritten, which takes a second for any \
            archive, and an interrupted write leaves one of them intact. Copies of the archive made earlier still open \
            with the old passphrase.
            """,
        examples: [
            HelpExample(
                "healthvault passphrase add health.hvault --generate-passphrase",
                "Add a passphrase for emergencies, to be kept on paper"),
            HelpExample("healthvault passphrase change health.hvault", "Change the passphrase"),
        ],
        elements: [
            .argument(\.action, "ACTION", "change, add, remove or list", as: .choice),
            .argument(\.archive, "ARCHIVE", "a .hvault file", as: .file),
            .option(
                \.slot, "slot", value: "N", "with 'remove': the key slot to remove, as shown by 'list'",
                as: .integer(in: 0...7)),
            .option(
                \.iterations, "iterations", value: "N", default: DefaultText.iterations,
                "PBKDF2 iterations for the new passphrase",
                as: .integer(in: ContainerFormat.writableIterations)),
            .flag(\.json, "json", "print a JSON report"),
            .flag(\.quiet, "quiet", short: "q", "print errors only"),
            .section(
                "passphrase that opens the archive", [.including(\.passphrase, PassphraseOptions.elements)]),
            .section(
                "new passphrase",
                [.including(\.newPassphrase, NewPassphraseOptions.elements(named: "new-passphrase"))]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        try newPassphrase.validate()
        if quiet, action == .list {
            throw UsageError(.invalidCombination, "'passphrase list' cannot be combined with --quiet")
        }
        if slot != nil, action != .remove {
            throw UsageError(.invalidCombination, "--slot works only with 'passphrase remove'")
        }
        if iterations != nil, action == .remove || action == .list {
            throw UsageError(
                .invalidCombination, "--iterations works only with 'passphrase change' and 'passphrase add'")
        }
        if newPassphrase.isGiven, action == .remove || action == .list {
            throw UsageError(
                .invalidCombination,
                "'passphrase \(action.rawValue)' takes no new passphrase",
                hint: "use 'passphrase change' or 'passphrase add'")
        }
        if passphrase.usesStandardInput, newPassphrase.given.usesStandardInput {
            throw UsageError(
                .invalidCombination, "only one of the two passphrases can come from standard input")
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
        var editor = try passphrase.retrying {
            try SlotEditor(opening: archive, passphrase: try passphrase.read(prompt: prompt))
        }
        switch action {
        case .change:
            try editor.change(to: try readNew(), iterations: newIterations)
            log("passphrase changed; copies made earlier still open with the old one")
        case .add:
            let number = try editor.add(try readNew(), iterations: newIterations)
            log("passphrase added in slot \(number)")
        case .remove:
            guard let number = slot ?? editor.ownSlot else { throw ContainerError(.noSuchSlot) }
            guard try isRemovalWanted(number) else {
                log("nothing was removed")
                return
            }
            try editor.remove(slot: number)
            log("slot \(number) removed; its passphrase still opens copies made earlier")
        case .list: break
        }
    }

    /// The question for the passphrase: 'remove' removes the one that is entered, unless a slot is given.
    private var prompt: String {
        action == .remove && slot == nil ? "Passphrase to remove: " : "Passphrase: "
    }

    /// Asks once more on a terminal, if the passphrase was asked for there.
    private func isRemovalWanted(_ number: Int) throws -> Bool {
        guard !passphrase.isGiven else { return true }
        let left = try CleartextHeader(of: archive).slots.count - 1
        return Terminal.confirm(
            question:
                "Remove the passphrase in slot \(number)? Then \(left) will open the archive. (yes or no) ")
    }

    /// Returns the number of the slot that the passphrase opens.
    private func openedSlot() throws -> Int? {
        try SlotEditor.slot(of: archive, openedBy: try passphrase.readUnattended())
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
        let opened = action == .list && passphrase.isGiven ? try openedSlot() : nil
        guard json else {
            for line in SlotText.lines(header.slots, opened: opened) { try Console.print(line) }
            if header.copiesDiffer {
                Console.log("warning: \(archive): \(WarningText.describe(.headerGenerationsDiffer))")
            }
            return
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", archive)
            writer.member("generation", Int(clamping: header.generation))
            if let opened { writer.member("openedSlot", opened) }
            writer.member(
                "warnings", header.copiesDiffer ? [ContainerWarning.headerGenerationsDiffer.rawValue] : [])
            SlotText.write(header.slots, &writer)
        }
        try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
    }
}
