import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import VaultContainer
import Wording

/// The command `healthvault verify`.
struct VerifyCommand: VaultCommand {
    var archive: BytePath = ""
    var source: BytePath?
    var jobs = CurrentProcess.processorCount
    var progress = ProgressStyle.auto
    var quiet = false
    var all = false
    var json = false
    var key = KeyOptions()
    var sourceKey = KeyOptions(named: PassphraseOptions.other)

    static let grammar = CommandGrammar<Self>(
        name: "verify",
        summary: "Checks an archive or export folder completely.",
        discussion: """
            Reads everything from the drive and checks every tag, digest and count. With --source, also checks that \
            nothing in the source is missing or different.

            Of a folder, all archives are checked, with the plain folders among them, also in folders below it. Those \
            that this key does not open are named, and the status is 3. --source is compared with the newest \
            one.
            """,
        examples: [
            HelpExample("healthvault verify health.hvault", "Check an archive, for example once a year"),
            HelpExample(
                "healthvault verify health.hvault --source export.zip",
                "Check also that everything in the export is in it"),
        ],
        elements: [
            .argument(
                \.archive, "ARCHIVE",
                "a .hvault file, an export folder, or a folder with archives", as: .file),
            .option(
                \.source, "source", value: "SOURCE", "the export, archive or folder that it was made from",
                as: .file),
            .jobs(\.jobs),
            .progress(\.progress),
            .quiet(\.quiet),
            .flag(\.all, "all", "say as well where the file is damaged, in the words of the format"),
            .json(\.json),
            .including(\.key, KeyOptions.elements),
            .including(\.sourceKey, KeyOptions.other("passphrase of an archive given as --source")),
        ])

    func validate() throws(UsageError) {
        try key.validate()
        try sourceKey.validate()
    }

    func run() async throws -> ExitStatus {
        let isFolder = ArchiveFolder.isFolder(archive)
        let givenSource = source
        let source = try source.map { try ArchiveFolder.resolved($0) }
        var verifier = Verifier(archive: archive)
        verifier.source = source
        verifier.jobs = jobs
        let steps: [VaultProgress.Phase] =
            isFolder || Inspector.kind(of: archive) == .container ? [.authenticating, .checking] : []
        verifier.progress =
            ProgressDisplay(progress, quiet: quiet, steps: steps + (source == nil ? [] : [.comparing]))
            .handler
        // Reports a missing source before reading the whole archive.
        if let source, source != "-" { _ = try FileStatus(at: source) }
        if let source, let givenSource, Inspector.kind(of: source) == .container {
            // A passphrase is that of the archive; a ring may have the keys of both.
            let options = key.hasRing ? sourceKey.or(key) : sourceKey
            try options.unlocking(prompt: "Passphrase of \(source): ") { key in
                let newest = try ArchiveFolder.confirmed(source, in: givenSource, key: key)
                try verifier.setSource(container: newest, key: key)
            }
        }
        let report: VerificationReport
        do {
            if isFolder { return try await verifyArchives(verifier) }
            report = try await verify(verifier)
        } catch let database as EncryptedDatabase {
            try database.check()
            return try database.showVerified(json: json, quiet: quiet)
        } catch let error as VaultError {
            let message = ErrorMessage(error)
            if json, message.status == .damaged, !error.isAboutSource {
                try Console.print(json: json(message))
            }
            throw error
        }
        let text = VerificationText(report: report, archive: archive, verbose: all)
        if json { try Console.print(json: text.json) } else { try text.print(quiet: quiet) }
        guard report.isFlawless else { return .damaged }
        return report.manifest?.failedBatches.isEmpty ?? true ? .done : .incomplete
    }
}

extension VerifyCommand {
    private func verify(_ verifier: Verifier) async throws -> VerificationReport {
        if Inspector.kind(of: archive) == .plainFolder { return try await verifier.verifyFolder() }
        try ArchiveCheck.requireContainer(archive)
        return try await key.unlocking { key in
            try await EncryptedDatabase.instead(of: archive, key) {
                try await verifier.verifyContainer(key: key)
            }
        }
    }

    /// Verifies all archives in a folder.
    private func verifyArchives(
        _ verifier: Verifier
    ) async throws -> ExitStatus {
        // Reported before asking for a passphrase.
        if (try? FolderArchives.paths(below: archive))?.isEmpty == true {
            throw VaultError(.notAnArchive, path: archive)
        }
        var databases: [EncryptedDatabase] = []
        let found = try await key.unlocking { key in
            databases = []
            return try await verifier.verifyArchives(in: archive, key: key) { path in
                guard let database = try EncryptedDatabase(at: path, key: key) else { return false }
                try database.check()
                databases.append(database)
                return true
            }
        }
        if json {
            let areIntact = databases.allSatisfy(\.isIntact)
            try Console.print(
                json: VerificationText.json(found, in: archive, areDatabasesIntact: areIntact))
        } else {
            for database in databases { _ = try database.showVerified(json: false, quiet: quiet) }
            for (path, report) in found.reports {
                try VerificationText(report: report, archive: path, verbose: all).print(quiet: quiet)
            }
            for failure in found.failures {
                let word: TerminalText = Self.isLoss(failure) ? "damaged" : "not checked"
                Console.log("\(word): \(ErrorMessage.describe(failure))")
            }
        }
        let reports = found.reports.map(\.report)
        guard reports.allSatisfy(\.isFlawless), databases.allSatisfy(\.isIntact),
            !found.failures.contains(where: Self.isLoss)
        else {
            return .damaged
        }
        let isComplete = reports.allSatisfy { $0.manifest?.failedBatches.isEmpty ?? true }
        return isComplete && found.failures.isEmpty ? .done : .incomplete
    }

    /// Whether an archive cannot be checked because it, or one that it continues, is damaged or missing.
    private static func isLoss(_ failure: ArchiveFailure) -> Bool {
        [.damaged, .notFound].contains(ErrorKind(failure.error))
    }

    /// Returns the report on an archive that is too damaged to open.
    private func json(_ message: ErrorMessage) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", archive)
            writer.member("intact", false)
            writer.member("problems", [message.message.text])
            writer.member("warnings", [String]())
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
