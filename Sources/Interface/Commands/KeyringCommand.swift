import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import VaultContainer
import VaultCrypto
import Wording

/// The command `healthvault keyring`.
struct KeyringCommand: VaultCommand {
    /// The actions on key rings.
    enum Action: String, CaseIterable, Sendable {
        case make
        case show
    }

    var action = Action.show
    var path: BytePath = ""
    var output: BytePath?
    var keyFile: BytePath?
    var passphrases: BytePath?
    var jobs = CurrentProcess.processorCount
    var overwrite = false
    var quiet = false
    var json = false
    var passphrase = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "keyring",
        summary: "Collects the keys of many archives in one file, for jobs over all of them.",
        discussion: """
            A passphrase costs a key derivation for each archive that it opens. 'make' derives once for each archive in \
            a folder, and writes a key ring: the keys of all of them, encrypted under the key in the key file. Where both files are, all these archives open at once, with no passphrase.

            The key file has 32 random bytes; it is made if it is missing. Keep it apart from the ring: whoever has \
            both can read all archives in it, for ever, whatever happens to their passphrases. Ring and archives may \
            lie where others see them. They see how many archives there are, and the identifiers that also stand in \
            the archives.

            Archives that cannot be opened are listed, the others are in the ring, and the exit status is 3. With \
            --overwrite, keys that the old ring has already are not derived again.
            """,
        examples: [
            HelpExample(
                "healthvault keyring make study -o study.keyring --key-file ../study.key",
                "Make a ring of all archives in a folder; asks for their passphrase"),
            HelpExample(
                "healthvault keyring make study -o study.keyring --key-file ../study.key \\\n"
                    + "--passphrases list.tsv",
                "The same with a passphrase for each archive"),
            HelpExample(
                "healthvault query study/0001.hvault stepCount \\\n"
                    + "--keyring study.keyring --key-file ../study.key",
                "Query an archive with it"),
        ],
        elements: [
            .action(
                \.action,
                [
                    (.make, "Collects the keys of all archives in a folder, and in those below it."),
                    (
                        .show,
                        "Lists the identifiers in a ring; with --key-file it also checks every byte of it."
                    ),
                ]),
            .only(
                for: [Action.make],
                [
                    .argument(\.path, "FOLDER", "the folder of archives", as: .file),
                    .option(
                        \.output, "output", short: "o", value: "PATH", required: true,
                        "the key ring to write", as: .file),
                    .option(
                        \.keyFile, "key-file", value: "FILE", required: true,
                        "the key of the ring; it is made if it is missing", as: .file),
                    .option(
                        \.passphrases, "passphrases", value: "FILE",
                        "lines of archive, tab and passphrase, paths from the folder on", as: .file),
                    .flag(\.overwrite, "overwrite", "replace an older ring once the new one is complete"),
                    .jobs(\.jobs),
                    .section(
                        "passphrase of all archives", [.including(\.passphrase, PassphraseOptions.elements)]),
                ]),
            .only(
                for: [Action.show],
                [
                    .argument(\.path, "RING", "the key ring", as: .file),
                    .option(\.keyFile, "key-file", value: "FILE", "the key of the ring", as: .file),
                ]),
            .quiet(\.quiet),
            .json(\.json),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        try OutputName.validate(output, .keyRing)
        if passphrases != nil, passphrase.isGiven {
            throw UsageError(.invalidCombination, "--passphrases excludes a common passphrase")
        }
    }

    func run() async throws -> ExitStatus {
        switch action {
        case .make: try await make()
        case .show: try show()
        }
    }

    private func show() throws -> ExitStatus {
        let identifiers: [String]
        if let keyFile {
            identifiers = try KeyRing.open(path, keyFile: keyFile).identifiers
        } else {
            do { identifiers = try KeyRing.statedIdentifiers(in: path) } catch {
                throw VaultError.wrapping(error, path: path)
            }
        }
        try KeyRingText.show(identifiers, of: path, isAuthentic: keyFile != nil, json: json, quiet: quiet)
        return .done
    }

    private func make() async throws -> ExitStatus {
        var maker = KeyRingMaker(folder: path, target: output ?? "", keyFile: keyFile ?? "")
        maker.isReplacing = overwrite
        maker.jobs = jobs
        maker.isInterrupted = Interruption.isRequested
        let archives = try maker.archives()
        guard !archives.isEmpty else {
            throw Absence(path: path, what: "archive", hint: "archives have names that end in .hvault")
        }
        maker.progress = ProgressDisplay(.auto, quiet: quiet || json).handler
        let report: KeyRingReport
        if let passphrases {
            let list = try PassphraseList(reading: passphrases)
            let paths = Set(archives)
            for archive in list.archives where !paths.contains(path / archive) {
                throw PassphraseListError(path: passphrases, problem: .noSuchArchive(archive))
            }
            let folder = path
            report = try await maker.make { archive in
                try list.passphrase(of: Self.relative(archive, to: folder))
            }
        } else {
            report = try await passphrase.retrying {
                let secret = HeldPassphrase(try passphrase.read(prompt: "Passphrase of all archives: "))
                return try await maker.make { _ in try secret.copy() }
            }
        }
        try KeyRingText.show(report, ring: maker.target, key: maker.keyFile, json: json, quiet: quiet)
        return report.failures.isEmpty ? .done : .incomplete
    }

    /// Returns the path of an archive from a folder on.
    private static func relative(_ archive: BytePath, to folder: BytePath) -> BytePath {
        BytePath(bytes: archive.bytes.dropFirst((folder / "x").count - 1))
    }
}
