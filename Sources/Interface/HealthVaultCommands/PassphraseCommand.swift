import CommandLineKit
import CommandOptions
import CommandOutput
import HealthVault
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
        summary: "Changes, adds, labels, removes or lists the passphrases of archives.",
        discussion: """
            'change' replaces a passphrase, 'add' adds another one, 'remove' removes the one that you enter or, with \
            --slot, any other. 'list' shows the key slots in use, of which an archive has eight; with a passphrase it \
            marks the slot that the passphrase opens, and shows the labels.

            An archive is changed together with all of its chain, which are in the same folder; of a folder, all \
            archives directly in it are changed. What could not be changed is listed, and the status is 3; the same \
            command can be repeated. What else in the folder the old passphrase still opens is listed as well. \
            --slot is about one archive.

            A label says which passphrase it is: 'paper in the safe'. It is encrypted: without a passphrase, even the \
            number of labels is hidden. 'add' and 'change' take one with --label, 'label' gives one to the passphrase \
            that you enter or, with --slot, to any other.

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
                "Add a passphrase, and say which one it is"),
            HelpExample("healthvault passphrase change health.hvault", "Change the passphrase"),
        ],
        elements: [
            .argument(\.action, "ACTION", "change, add, label, remove or list", as: .choice),
            .argument(\.archive, "ARCHIVE", "a .hvault file, or a folder with archives", as: .file),
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

extension PassphraseCommand {
    private func edit() throws -> Outcome {
        let old = try passphrase.retrying {
            let old = try passphrase.read(prompt: prompt)
            try checkOpening(try archivesToChange(old).paths, old)
            return old
        }
        let archives = try archivesToChange(old)
        let paths = slot == nil ? archives.paths : [archive]
        var outcome = Outcome()
        switch action {
        case .change: try change(paths, old, &outcome)
        case .add: try add(paths, old, &outcome)
        case .label: label(paths, old, &outcome)
        case .remove:
            guard try isRemovalWanted(paths, old) else {
                log("\(archive): nothing was removed")
                return outcome
            }
            remove(paths, old, &outcome)
            if slot != nil { outcome.untouched = archives.paths.filter { $0 != archive } }
        case .list: break
        }
        if outcome.changed.isEmpty, let failure = outcome.failures.first { throw failure.error }
        if let failure = archives.failure { outcome.failures.append(failure) }
        if action == .change || action == .remove, slot == nil {
            outcome.stillOpened = archives.opened(by: old, among: outcome.failures.map(\.path))
        }
        tell(outcome)
        return outcome
    }

    private func archivesToChange(_ old: borrowing Passphrase) throws -> PassphraseArchives {
        ArchiveFolder.isFolder(archive)
            ? try PassphraseArchives(in: archive) : PassphraseArchives(chainOf: archive, passphrase: old)
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

    /// Checks that a passphrase opens one of the archives.
    private func checkOpening(_ paths: [BytePath], _ old: borrowing Passphrase) throws {
        var failures: [VaultError] = []
        for path in paths.reversed() {
            do {
                _ = try SlotEditor(opening: path, passphrase: old)
                return
            } catch { failures.append(VaultError.wrapping(error, path: path)) }
        }
        if paths.contains(where: mayBeChanged) { return }
        if action == .remove { paths.forEach(restoreHeader) }
        if let failure = failures.first(where: \.isWrongPassphrase) ?? failures.first { throw failure }
    }

    /// Changes one archive after the other; what prevents it in one does not stop the others.
    ///
    /// - Parameters:
    ///   - known: The error that shows that one of several needs no change, perhaps since an interrupted run.
    ///   - body: Changes an archive, and returns what it has done.
    private func apply(
        to paths: [BytePath], _ outcome: inout Outcome, unless known: ContainerError.Code?,
        _ body: (BytePath) throws -> TerminalText
    ) {
        for path in paths {
            do {
                let done = try body(path)
                outcome.changed.append(path)
                log("\(path): \(done)")
            } catch let error as ContainerError where paths.count > 1 && error.code == known {
                continue
            } catch { outcome.failures.append(ArchiveFailure(path, error)) }
        }
    }

    private func change(
        _ paths: [BytePath], _ old: borrowing Passphrase, _ outcome: inout Outcome
    ) throws {
        let new = try readNew()
        apply(to: paths, &outcome, unless: nil) { path in
            do {
                var editor = try SlotEditor(opening: path, passphrase: old)
                try editor.change(to: new, iterations: newIterations, label: label?.label)
            } catch let error as ContainerError where error.code == .wrongPassphrase && mayBeChanged(path) {
                // One header was torn when a change was interrupted; the other one may know the new passphrase alone.
                var editor = try SlotEditor(opening: path, passphrase: new)
                guard let slot = editor.ownSlot else { throw error }
                try editor.label(slot: slot, label?.label ?? editor.labels[slot])
            }
            return "passphrase changed"
        }
        // What an interrupted run has changed already has the new one.
        outcome.failures.removeAll { failure in
            failure.error.isWrongPassphrase
                && (try? ContainerReader(opening: failure.path, passphrase: new)) != nil
        }
        if !outcome.changed.isEmpty { log("copies made earlier still open with the old one") }
    }

    /// Whether the new passphrase may open an archive although the old one does not.
    private func mayBeChanged(_ path: BytePath) -> Bool {
        guard action == .change, !newPassphrase.generate else { return false }
        return (try? CleartextHeader(of: path)).map { !$0.warnings.isEmpty } ?? false
    }

    private func add(
        _ paths: [BytePath], _ old: borrowing Passphrase, _ outcome: inout Outcome
    ) throws {
        let new = try readNew()
        apply(to: paths, &outcome, unless: .passphraseInUse) { path in
            var editor = try SlotEditor(opening: path, passphrase: old)
            let number = try editor.add(new, iterations: newIterations, label: label?.label)
            return "passphrase added in \(name(of: number, editor.labels))"
        }
        if outcome.changed.isEmpty, outcome.failures.isEmpty {
            throw VaultError.wrapping(ContainerError(.passphraseInUse), path: archive)
        }
    }

    private func label(_ paths: [BytePath], _ old: borrowing Passphrase, _ outcome: inout Outcome) {
        apply(to: paths, &outcome, unless: nil) { path in
            var editor = try SlotEditor(opening: path, passphrase: old)
            guard let number = slot ?? editor.ownSlot else { throw ContainerError(.noSuchSlot) }
            try editor.label(slot: number, label?.label)
            return label?.label == nil
                ? "the label of slot \(number) is removed" : "labelled: \(name(of: number, editor.labels))"
        }
    }

    private func remove(_ paths: [BytePath], _ old: borrowing Passphrase, _ outcome: inout Outcome) {
        // What the passphrase does not open needs no change.
        apply(to: paths, &outcome, unless: .wrongPassphrase) { path in
            do { return "\(try removed(from: path, old)) removed" } catch let error as ContainerError {
                if error.code == .wrongPassphrase { restoreHeader(path) }
                throw error
            }
        }
        if !outcome.changed.isEmpty { log("its passphrase still opens copies made earlier") }
    }

    /// Removes a slot, and returns how it is called.
    private func removed(from path: BytePath, _ old: borrowing Passphrase) throws -> TerminalText {
        var editor = try SlotEditor(opening: path, passphrase: old)
        guard let number = slot ?? editor.ownSlot else { throw ContainerError(.noSuchSlot) }
        let name = name(of: number, editor.labels)
        try editor.remove(slot: number)
        return name
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
    private func isRemovalWanted(_ paths: [BytePath], _ old: borrowing Passphrase) throws -> Bool {
        guard !passphrase.isGiven else { return true }
        var question: TerminalText = "Remove the passphrase from \(paths.count) archives? (yes or no) "
        if paths.count == 1 {
            do {
                let editor = try SlotEditor(opening: archive, passphrase: old)
                guard let number = slot ?? editor.ownSlot else { throw ContainerError(.noSuchSlot) }
                let left = try CleartextHeader(of: archive).slots.count - 1
                let name = name(of: number, editor.labels)
                question =
                    "Remove the passphrase in \(name)? Then \(left) will open the archive. (yes or no) "
            } catch { throw VaultError.wrapping(error, path: archive) }
        }
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
