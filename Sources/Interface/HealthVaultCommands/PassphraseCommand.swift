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
        case label
        case remove
        case list
    }

    /// The value of --label: no label, if it is empty.
    struct GivenLabel: Sendable {
        let label: SlotLabel?
    }

    var action = Action.list
    var archive: BytePath = ""
    var slot: Int?
    var label: GivenLabel?
    var iterations: Int?
    var json = false
    var quiet = false
    var passphrase = PassphraseOptions()
    var newPassphrase = NewPassphraseOptions(named: "new-passphrase")

    static let grammar = CommandGrammar<Self>(
        name: "passphrase",
        summary: "Changes, adds, labels, removes or lists the passphrases of an archive.",
        discussion: """
            'change' replaces a passphrase, 'add' adds another one, 'remove' removes the one that you enter or, with \
            --slot, any other. 'list' shows the key slots in use, of which an archive has eight; with a passphrase it \
            marks the slot that the passphrase opens, and shows the labels.

            A label says which passphrase it is: 'paper in the safe'. It is encrypted: without a passphrase, even the \
            number of labels is hidden. 'add' and 'change' take one with --label, 'label' gives one to the passphrase \
            that you enter or, with --slot, to any other.

            Nothing is encrypted again: only the two headers of 4 KiB are rewritten, which takes a second for any \
            archive, and an interrupted write leaves one of them intact. Copies of the archive made earlier still open \
            with the old passphrase.
            """,
        examples: [
            HelpExample(
                "healthvault passphrase add health.hvault --generate-passphrase",
                "Add a passphrase for emergencies, to be kept on paper"),
            HelpExample(
                "healthvault passphrase add health.hvault --label 'paper in the safe'",
                "Add a passphrase, and say which one it is"),
            HelpExample("healthvault passphrase change health.hvault", "Change the passphrase"),
        ],
        elements: [
            .argument(\.action, "ACTION", "change, add, label, remove or list", as: .choice),
            .argument(\.archive, "ARCHIVE", "a .hvault file", as: .file),
            .option(
                \.slot, "slot", value: "N", "with 'remove' and 'label': the key slot, as shown by 'list'",
                as: .integer(in: 0...7)),
            .option(
                \.label, "label", value: "TEXT",
                "what to call the passphrase; with 'label', '' takes the label away",
                as: .slotLabel),
            .option(
                \.iterations, "iterations", value: "N", default: DefaultText.iterations,
                "PBKDF2 iterations for the new passphrase",
                as: .integer(in: ContainerFormat.writableIterations)),
            .json(\.json),
            .quiet(\.quiet),
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
        if slot != nil, action != .remove, action != .label {
            throw UsageError(
                .invalidCombination, "--slot works only with 'passphrase remove' and 'passphrase label'")
        }
        if label == nil, action == .label {
            throw UsageError(.missingArgument, "'passphrase label' requires --label TEXT")
        }
        if let label, label.label == nil, action != .label {
            throw UsageError(
                .invalidCombination, "--label '' works only with 'passphrase label', which takes a label away"
            )
        }
        if label != nil, action == .remove || action == .list {
            throw UsageError(
                .invalidCombination, "--label does not work with 'passphrase \(action.rawValue)'")
        }
        if iterations != nil, action != .change, action != .add {
            throw UsageError(
                .invalidCombination, "--iterations works only with 'passphrase change' and 'passphrase add'")
        }
        if newPassphrase.isGiven, action != .change, action != .add {
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
            case .change: try change()
            case .add, .label, .remove: try edit()
            }
            try report()
        } catch let error as ContainerError { throw VaultError.wrapping(error, path: archive) }
        return .done
    }

    private func change() throws {
        do {
            var editor = try openedEditor()
            try editor.change(to: try readNew(), iterations: newIterations, label: label?.label)
        } catch let error as ContainerError where error.code == .wrongPassphrase && mayBeChanged {
            // One header was torn when a change was interrupted; the other one may know the new passphrase alone.
            var editor = try SlotEditor(opening: archive, passphrase: try readNew())
            guard let slot = editor.ownSlot else { throw error }
            try editor.label(slot: slot, label?.label ?? editor.labels[slot])
        }
        log("passphrase changed; copies made earlier still open with the old one")
    }

    /// Whether the new passphrase may open the archive although the old one does not.
    private var mayBeChanged: Bool {
        guard !newPassphrase.generate, let header = try? CleartextHeader(of: archive) else { return false }
        return !header.warnings.isEmpty
    }

    private func openedEditor() throws -> SlotEditor {
        try passphrase.retrying {
            try SlotEditor(opening: archive, passphrase: try passphrase.read(prompt: prompt))
        }
    }

    private func edit() throws {
        var editor = try openedEditor()
        switch action {
        case .add:
            let number = try editor.add(try readNew(), iterations: newIterations, label: label?.label)
            log("passphrase added in \(name(of: number, editor.labels))")
        case .label:
            guard let number = slot ?? editor.ownSlot else { throw ContainerError(.noSuchSlot) }
            try editor.label(slot: number, label?.label)
            log(
                label?.label == nil
                    ? "the label of slot \(number) is removed"
                    : "labelled: \(name(of: number, editor.labels))")
        case .remove:
            guard let number = slot ?? editor.ownSlot else { throw ContainerError(.noSuchSlot) }
            let name = name(of: number, editor.labels)
            guard try isRemovalWanted(name) else {
                log("nothing was removed")
                return
            }
            try editor.remove(slot: number)
            log("\(name) removed; its passphrase still opens copies made earlier")
        case .change, .list: break
        }
    }

    /// The question for the passphrase: 'remove' removes the one that is entered, unless a slot is given.
    private var prompt: String {
        action == .remove && slot == nil ? "Passphrase to remove: " : "Passphrase: "
    }

    /// Asks once more on a terminal, if the passphrase was asked for there.
    private func isRemovalWanted(_ name: TerminalText) throws -> Bool {
        guard !passphrase.isGiven else { return true }
        let left = try CleartextHeader(of: archive).slots.count - 1
        let question: TerminalText =
            "Remove the passphrase in \(name)? Then \(left) will open the archive. (yes or no) "
        return Terminal.confirm(question: question.text)
    }

    /// Returns how a slot is called in messages, with its label in front of everything else that people know of it.
    private func name(of slot: Int, _ labels: [Int: SlotLabel]) -> TerminalText {
        guard let label = labels[slot] else { return "slot \(slot)" }
        return "slot \(slot) ('\(label.text)')"
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
        let listing =
            action == .list && passphrase.isGiven
            ? try SlotListing(of: archive, openedBy: try passphrase.readUnattended()) : nil
        guard json else {
            for line in SlotText.lines(header.slots, listing) { try Console.print(line) }
            WarningText.show(header.warnings, archive)
            return
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", archive)
            writer.member("generation", Int(clamping: header.generation))
            if let opened = listing?.opened { writer.member("openedSlot", opened) }
            writer.member("warnings", header.warnings.map(\.rawValue).sorted())
            SlotText.write(header.slots, listing, &writer)
        }
        try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
    }
}

extension ValueParser where Value == PassphraseCommand.GivenLabel {
    /// The label of a key slot, or an empty text.
    fileprivate static var slotLabel: Self {
        Self(expected: "1 to \(SlotLabel.longest) bytes of text without control characters") { text in
            guard !text.isEmpty else { return PassphraseCommand.GivenLabel(label: nil) }
            return SlotLabel(text).map { PassphraseCommand.GivenLabel(label: $0) }
        }
    }
}
