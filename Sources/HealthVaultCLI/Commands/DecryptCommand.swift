import CommandLineKit
import HealthVault
import SystemIO

/// The command `healthvault decrypt`.
struct DecryptCommand: VaultCommand {
    var archive = ""
    var output: String?
    var stored = false
    var tar = false
    var jobs = Process.processorCount
    var progress = ProgressStyle.auto
    var quiet = false
    var overwrite = false
    var passphrase = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "decrypt",
        summary: "Gives back what an encrypted archive holds.",
        discussion: """
            The folder is byte for byte what an export without --encrypt would have written. It gets its name when \
            every byte was found authentic. --tar streams the archive's inside to standard output as it is \
            authenticated: whether the stream is whole, only the exit status tells.
            """,
        elements: [
            .argument(\.archive, "ARCHIVE", "a .hvault file", as: .path),
            .option(\.output, "output", short: "o", value: "DIR", "the folder to make", as: .folder),
            .flag(\.stored, "stored", "give the entries as they rest in the archive"),
            .flag(\.tar, "tar", "write a tar stream to standard output"),
            .option(\.jobs, "jobs", short: "j", value: "N", "processors to use", as: .integer(in: 1...256)),
            .option(\.progress, "progress", value: "STYLE", "auto, plain, json or none", as: .choice),
            .flag(\.quiet, "quiet", short: "q", "say nothing but errors"),
            .flag(\.overwrite, "overwrite", "replace an existing export folder"),
            .section("Passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        if tar, output != nil || stored {
            throw UsageError(
                .invalidCombination, "--tar writes to standard output; -o and --stored do not go with it")
        }
    }

    func run() async throws -> ExitStatus {
        var decryptor = Decryptor(archive: archive)
        decryptor.jobs = jobs
        decryptor.replacing = overwrite
        try ArchiveCheck.requireContainer(archive)
        if tar {
            guard !Console.outputIsTerminal else {
                throw UsageError(
                    .invalidCombination, "a tar stream is nothing for a terminal",
                    hint: "send it to a file or to tar -t")
            }
            let passphrase = try passphrase.read(prompt: "Passphrase: ")
            let output = FileDescriptor(inherited: 1, name: "standard output")
            WarningText.show(try decryptor.writeTar(to: output, passphrase: passphrase))
            return .done
        }
        let target = Folder.withoutSlash(output ?? "health-export")
        try decryptor.check(target: target)
        let display = ProgressDisplay(progress, quiet: quiet)
        decryptor.progress = display.handler
        let passphrase = try passphrase.read(prompt: "Passphrase: ")
        let summary = try await decryptor.decrypt(
            to: target, as: stored ? .stored : .plain, passphrase: passphrase)
        display.finish()
        WarningText.show(summary.warnings, archive)
        WarningText.show(summary.predecessorWarnings)
        if !quiet {
            Console.note(
                Quantities.count(summary.files, "file") + ", " + Quantities.bytes(summary.size) + " in "
                    + Quantities.seconds(summary.seconds))
            Console.note("written unencrypted: " + target)
        }
        return .done
    }
}
