import CommandLineKit
import HealthVault
import SystemIO
import VaultContainer
import VaultCrypto
import Wording

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
        summary: "Manages the passphrases of archives.",
        discussion: """
            An archive has eight key slots, each with a passphrase that opens it. An archive is changed together with all of its chain, which are in the same folder; of a folder, all \
            archives directly in it are changed. What could not be changed is listed, and the status is 3; the same \
            command can be repeated. What else in the folder the old passphrase still opens is listed as well. \
            --slot is about one archive.

            A label says which passphrase it is: 'paper in the safe'. It is encrypted: without a passphrase, even the \
            number of labels is hidden.

            Nothing is encrypted again: only the two headers of 4 KiB are rewritten, which takes a second or two for \
            each archive, and an interrupted write leaves one of them intact. Copies of the archive made earlier still open \
            with the old passphrase.
            """,
        examples: [
            HelpExample(
                "healthvault passphrase add health.hvault --generate-passphrase",
                "Add a passphrase for emergencies, to be kept on paper"),
            HelpExample(
                "healthvault passphrase add health.hvault --label 'paper in the safe'",
                "Add a passphrase with a label"),
            HelpExample("healthvault passphrase change health.hvault", "Change the passphrase"),
        ],
        elements: [
            .action(
                \.action,
                [
                    (.change, "Replaces the passphrase that you enter."), (.add, "Adds another passphrase."),
                    (.label, "Labels the passphrase that you enter or, with --slot, any other."),
                    (.remove, "Removes the passphrase that you enter or, with --slot, any other."),
                    (
                        .list,
                        "Shows the key slots in use; with a passphrase, its slot and the labels as well."
                    ),
                ]),
            .argument(\.archive, "ARCHIVE", "a .hvault file, or a folder with archives", as: .file),
            .only(
                for: [Action.label, .remove],
                [
                    .option(
                        \.slot, "slot", value: "N", "the key slot, as shown by 'list'",
                        as: .integer(in: 0...7))
                ]),
            .only(
                for: [Action.change, .add],
                [
                    .option(
                        \.label, "label", value: "TEXT", "what to call the new passphrase", as: .slotLabel)
                ]),
            .only(
                for: [Action.label],
                [
                    .option(
                        \.label, "label", value: "TEXT", required: true,
                        "what to call the passphrase; '' takes the label away", as: .slotLabel)
                ]),
            .only(for: [Action.change, .add, .label, .remove], [.quiet(\.quiet)]),
            .json(\.json),
            .section(
                "passphrase that opens the archive", [.including(\.passphrase, PassphraseOptions.elements)]),
            KeyOptions.refusingRing("this command changes"),
            .only(
                for: [Action.change, .add],
                [
                    .section(
                        "new passphrase",
                        [.including(\.newPassphrase, NewPassphraseOptions.file(named: "new-passphrase"))]),
                    .iterations(\.iterations),
                ]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        try newPassphrase.validate()
        if let label, label.label == nil, action != .label {
            throw UsageError(
                .invalidCombination, "--label '' works only with 'passphrase label', which takes a label away"
            )
        }
        if passphrase.usesStandardInput, newPassphrase.given.usesStandardInput {
            throw UsageError(
                .invalidCombination, "only one of the two passphrases can come from standard input")
        }
    }

    func run() async throws -> ExitStatus {
        let isFolder = ArchiveFolder.isFolder(archive)
        if !isFolder { try ArchiveCheck.requireContainer(archive) }
        if isFolder, slot != nil {
            throw UsageError(
                .invalidCombination, "--slot is the number of a slot of one archive",
                hint: "give the archive and not its folder")
        }
        let outcome = action == .list ? Outcome() : try edit()
        let paths = isFolder ? try PassphraseArchives(in: archive).paths : [archive]
        let isShown = try json || action == .list ? show(paths, isFolder: isFolder, outcome) : true
        return isShown && outcome.isComplete ? .done : .incomplete
    }

    private var newIterations: Int { iterations ?? ContainerFormat.defaultIterations }

    private func log(_ text: TerminalText) {
        if !quiet, !json { Console.log(text) }
    }
}

// MARK: - Changing

/// An archive that was opened with the passphrase to change, which is not kept meanwhile.
private final class OpenedArchive {
    let path: BytePath
    var editor: SlotEditor

    init(_ path: BytePath, _ editor: consuming SlotEditor) {
        self.path = path
        self.editor = editor
    }
}

/// The archives to change, as far as the passphrase opens them.
private struct OpenedArchives {
    var opened: [OpenedArchive] = []
    var outcome = PassphraseCommand.Outcome()
    /// Why the archives that the given one continues are unknown; nil if they are known.
    var unknown: ArchiveFailure?
    /// Whether there is only one.
    var isSingle: Bool { opened.count + outcome.failures.count == 1 }
}

extension PassphraseCommand {
    private func edit() throws -> Outcome {
        let archives = try passphrase.retrying {
            try open(HeldPassphrase(try passphrase.read(prompt: prompt)))
        }
        var outcome: Outcome
        switch action {
        case .change: outcome = try change(archives)
        case .add: outcome = try add(archives)
        case .label: outcome = label(archives)
        case .remove:
            guard try isRemovalWanted(archives) else {
                log("\(archive): nothing was removed")
                return Outcome()
            }
            outcome = remove(archives)
        case .list: return Outcome()
        }
        if outcome.changed.isEmpty, let failure = outcome.failures.first { throw failure.error }
        if let failure = archives.unknown { outcome.failures.append(failure) }
        tell(outcome)
        return outcome
    }

    /// Opens the archives to change.
    ///
    /// - Throws: An error if the passphrase opens none of them.
    private func open(_ old: HeldPassphrase) throws -> OpenedArchives {
        let all =
            ArchiveFolder.isFolder(archive)
            ? try PassphraseArchives(in: archive) : PassphraseArchives(chainOf: archive, passphrase: old)
        var archives = OpenedArchives()
        archives.unknown = all.failure
        for path in slot == nil ? all.paths : [archive] {
            do {
                let editor = try SlotEditor(opening: path, passphrase: old.passphrase)
                archives.opened.append(OpenedArchive(path, editor))
            } catch { archives.outcome.failures.append(ArchiveFailure(path, error)) }
        }
        if slot != nil, action == .remove { archives.outcome.untouched = all.paths.filter { $0 != archive } }
        if slot == nil, action == .change || action == .remove {
            archives.outcome.stillOpened = all.opened(by: old.passphrase)
        }
        let failures = archives.outcome.failures
        guard archives.opened.isEmpty, !failures.contains(where: { mayBeChanged($0.path) }) else {
            return archives
        }
        if action == .remove { failures.map(\.path).forEach(restoreHeader) }
        if let failure = failures.first(where: \.error.isWrongPassphrase) ?? failures.first {
            throw failure.error
        }
        return archives
    }

    /// Reports what was not changed.
    private func tell(_ outcome: Outcome) {
        guard !json else { return }
        for failure in outcome.failures {
            let word: TerminalText = outcome.changed.contains(failure.path) ? "warning" : "not changed"
            Console.log("\(word): \(ErrorMessage.describe(failure))")
        }
        if !outcome.untouched.isEmpty {
            Console.log(
                "not changed: \(TerminalText.list(outcome.untouched)), where the passphrase may be in another slot"
            )
            Console.log("use 'passphrase list' and 'passphrase remove --slot' with each of them")
        }
        for path in outcome.stillOpened { log("\(path): still opens with the old passphrase") }
    }

    /// Changes one archive after the other; what prevents it in one does not stop the others.
    ///
    /// - Parameters:
    ///   - known: The error that shows that one of several needs no change, perhaps since an interrupted run.
    ///   - body: Changes an archive, and returns what it has done.
    private func apply(
        to archives: OpenedArchives, unless known: ContainerError.Code?,
        _ body: (OpenedArchive) throws -> TerminalText
    ) -> Outcome {
        var outcome = archives.outcome
        for opened in archives.opened {
            do {
                let done = try body(opened)
                outcome.changed.append(opened.path)
                log("\(opened.path): \(done)")
            } catch let error as ContainerError where !archives.isSingle && error.code == known {
                continue
            } catch {
                outcome.failures.append(ArchiveFailure(opened.path, error))
                if slot == nil, action == .change || action == .remove {
                    outcome.stillOpened.append(opened.path)
                }
            }
        }
        return outcome
    }

    private func change(_ archives: OpenedArchives) throws -> Outcome {
        let new = try readNew()
        var outcome = apply(to: archives, unless: nil) { opened in
            try opened.editor.change(to: new, iterations: newIterations, label: label?.label)
            return "passphrase changed"
        }
        // What an interrupted run has changed already has the new one, perhaps in one header, with the other one torn.
        outcome.failures.removeAll { failure in
            guard failure.error.isWrongPassphrase,
                var editor = try? SlotEditor(opening: failure.path, passphrase: new),
                let slot = editor.ownSlot
            else { return false }
            guard mayBeChanged(failure.path) else { return true }
            guard (try? editor.label(slot: slot, label?.label ?? editor.labels[slot])) != nil else {
                return false
            }
            outcome.changed.append(failure.path)
            log("\(failure.path): passphrase changed")
            return true
        }
        if !outcome.changed.isEmpty { log("copies made earlier still open with the old one") }
        return outcome
    }

    /// Whether the new passphrase may open an archive although the old one does not.
    private func mayBeChanged(_ path: BytePath) -> Bool {
        guard action == .change, !newPassphrase.generate else { return false }
        return (try? CleartextHeader(of: path)).map { !$0.warnings.isEmpty } ?? false
    }

    private func add(_ archives: OpenedArchives) throws -> Outcome {
        let new = try readNew()
        let outcome = apply(to: archives, unless: .passphraseInUse) { opened in
            let number = try opened.editor.add(new, iterations: newIterations, label: label?.label)
            return "passphrase added in \(name(of: number, opened.editor.labels))"
        }
        if outcome.changed.isEmpty, outcome.failures.isEmpty {
            throw VaultError.wrapping(ContainerError(.passphraseInUse), path: archive)
        }
        return outcome
    }

    private func label(_ archives: OpenedArchives) -> Outcome {
        apply(to: archives, unless: nil) { opened in
            guard let number = slot ?? opened.editor.ownSlot else { throw ContainerError(.noSuchSlot) }
            try opened.editor.label(slot: number, label?.label)
            return label?.label == nil
                ? "the label of slot \(number) is removed"
                : "labelled: \(name(of: number, opened.editor.labels))"
        }
    }

    private func remove(_ archives: OpenedArchives) -> Outcome {
        var outcome = apply(to: archives, unless: nil) { opened in
            guard let number = slot ?? opened.editor.ownSlot else { throw ContainerError(.noSuchSlot) }
            let name = name(of: number, opened.editor.labels)
            try opened.editor.remove(slot: number)
            return "\(name) removed"
        }
        // What the passphrase does not open needs no change.
        outcome.failures.removeAll { failure in
            guard failure.error.isWrongPassphrase else { return false }
            restoreHeader(failure.path)
            return true
        }
        if !outcome.changed.isEmpty { log("its passphrase still opens copies made earlier") }
        return outcome
    }

    /// Rewrites a header that an interrupted command has torn from the other one, which may not have the passphrase any
    /// more that is to be removed.
    private func restoreHeader(_ path: BytePath) {
        guard (try? SlotEditor.restoreHeader(of: path)) == true else { return }
        log("\(path): a damaged header was rewritten from the other one")
    }

    /// The question for the passphrase: 'remove' removes the one that is entered, unless a slot is given.
    private var prompt: String {
        action == .remove && slot == nil ? "Passphrase to remove: " : "Passphrase: "
    }

    /// Asks once more on a terminal, if the passphrase was asked for there.
    private func isRemovalWanted(_ archives: OpenedArchives) throws -> Bool {
        guard !passphrase.isGiven else { return true }
        var question: TerminalText =
            "Remove the passphrase from \(archives.opened.count) archives?"
        if archives.isSingle, let only = archives.opened.first {
            do {
                guard let number = slot ?? only.editor.ownSlot else { throw ContainerError(.noSuchSlot) }
                let left = try CleartextHeader(of: only.path).slots.count - 1
                let name = name(of: number, only.editor.labels)
                question =
                    "Remove the passphrase in \(name)? Then \(left) will open the archive."
            } catch { throw VaultError.wrapping(error, path: only.path) }
        }
        return Console.confirm(question)
    }

    /// Returns how a slot is called in messages, with its label in front of everything else that people know of it.
    private func name(of slot: Int, _ labels: [Int: SlotLabel]) -> TerminalText {
        guard let label = labels[slot] else { return "slot \(slot)" }
        return "slot \(slot) ('\(label.text)')"
    }

    private func readNew() throws -> Passphrase {
        try newPassphrase.read(prompt: "New passphrase: ", iterations: newIterations)
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
