import CommandLineKit
import HealthVault
import SystemIO
import VaultContainer
import Wording

/// The command `healthvault inspect`.
struct InspectCommand: VaultCommand {
    var source: BytePath = ""
    var all = false
    var profile = false
    var json = false
    var progress = ProgressStyle.auto
    var quiet = false
    var key = KeyOptions()

    static let grammar = CommandGrammar<Self>(
        name: "inspect",
        summary: "Shows what an export or archive contains.",
        discussion: """
            Shows types, counts, dates, sources and side files. Types are sorted by their number of samples; only the \
            first 20 are shown unless --all is given. Without a passphrase or key ring, or if you enter none, shows only an \
            archive's public header.
            """,
        examples: [
            HelpExample("healthvault inspect export.zip", "Show what an export contains"),
            HelpExample(
                "healthvault inspect health.hvault --all", "Show every type and side file of an archive"),
        ],
        elements: [
            .argument(
                \.source, "SOURCE",
                "an export, an archive, an export folder, or a folder with a chain of archives; - reads XML",
                as: .file),
            .flag(\.all, "all", "list every type, source and side file"),
            .flag(
                \.profile, "profile", "show personal characteristics as well: date of birth, sex, blood type"),
            .json(\.json),
            .progress(\.progress),
            .flag(\.quiet, "quiet", short: "q", "show no progress"),
            .including(\.key, KeyOptions.elements),
        ])

    func validate() throws(UsageError) { try key.validate() }

    func run() async throws -> ExitStatus {
        let folder = source
        let source = try ArchiveFolder.resolved(source)
        var inspector = Inspector(path: source)
        inspector.includesProfile = profile
        inspector.progress = ProgressDisplay(progress, quiet: quiet).handler
        var text = InspectionText(path: source, showsAll: all)
        switch Inspector.kind(of: source) {
        case .container:
            do { text.header = try CleartextHeader(of: source) } catch {
                throw VaultError.wrapping(error, path: source)
            }
            do { text.report = try contents(of: source, in: folder, &inspector) } catch let database
                as EncryptedDatabase
            {
                try database.show(json: json)
                return .done
            }
            if inspector.path != source {
                text.path = inspector.path
                text.header = try CleartextHeader(of: inspector.path)
            }
        case .plainFolder: text.report = try inspector.inspectFolder()
        case .source: text.report = try await inspector.inspectSource()
        }
        if json { try Console.print(json: text.json) } else { try Console.print(text.text) }
        return .done
    }

    /// Returns what an archive contains; nil if nothing opens it and nobody can be asked.
    private func contents(
        of source: BytePath, in folder: BytePath, _ inspector: inout Inspector
    ) throws -> Inspector.Report? {
        guard key.isGiven || Console.errorsAreTerminal else { return nil }
        return try PassphraseAttempts.run(whileAsked: !key.isGiven, correcting: true) {
            let opened: ArchiveKey
            do {
                opened = try key.read(prompt: "Passphrase (Enter shows the header alone): ")
            } catch PassphraseProblem.unusable(.empty)
                where !key.isGiven
            { return nil }
            inspector.path = try ArchiveFolder.confirmed(source, in: folder, key: opened)
            return try EncryptedDatabase.instead(of: inspector.path, opened) {
                try inspector.inspectContainer(key: opened)
            }
        }
    }
}
