import CommandLineKit
import HealthVault
import SampleBatches
import SystemIO

/// A combination of arguments that `healthvault export` refuses.
struct ExportRule: Sendable {
    /// What is wrong with the command line.
    let message: @Sendable (ExportCommand) -> String
    /// What to do instead; empty if that is plain.
    let hint: @Sendable (ExportCommand) -> String
    /// Whether a command breaks the rule.
    let isBroken: @Sendable (ExportCommand) -> Bool

    private init(
        _ message: @escaping @autoclosure @Sendable () -> String,
        hint: @escaping @autoclosure @Sendable () -> String = "",
        _ isBroken: @escaping @Sendable (ExportCommand) -> Bool
    ) {
        self.message = { _ in message() }
        self.hint = { _ in hint() }
        self.isBroken = isBroken
    }

    private init(
        naming message: @escaping @Sendable (ExportCommand) -> String,
        hint: @escaping @Sendable (ExportCommand) -> String,
        _ isBroken: @escaping @Sendable (ExportCommand) -> Bool
    ) {
        self.message = message
        self.hint = hint
        self.isBroken = isBroken
    }

    /// All rules; the first that is broken is reported.
    static let all = destination + encryption + source

    /// What `--to` excludes.
    private static let destination = [
        excludedByDestination("--overwrite") { $0.overwrite },
        excludedByDestination("--session") { $0.session != nil },
        excludedByDestination("--accept-damaged") { $0.acceptDamaged },
        excludedByDestination("--pseudonymise") { $0.pseudonyms.isWanted },
        ExportRule(
            "standard input cannot be exported to a destination, because it cannot be read again",
            hint: "save it as a file first"
        ) { $0.destination.name != nil && $0.source == "-" },
        ExportRule(
            "--incremental works only for complete exports of the Health app, without --batch or a selection",
            hint: "leave out one of them"
        ) { $0.destination.name != nil && $0.destination.incremental && ($0.isConversion || $0.hasBatching) },
    ]

    private static func excludedByDestination(
        _ option: String, _ isGiven: @escaping @Sendable (ExportCommand) -> Bool
    ) -> ExportRule {
        ExportRule("\(option) cannot be combined with --to, where each export gets its own name") {
            $0.destination.name != nil && isGiven($0)
        }
    }

    /// What `--encrypt` excludes, and what needs it.
    private static let encryption = [
        ExportRule(naming: { _ in "--format cannot be combined with --encrypt" }) { command in
            let format = command.format.given.first?.rawValue ?? ""
            return "encrypt first; later, 'healthvault decrypt ARCHIVE --format \(format)' converts it"
        } _: {
            $0.encrypt && !$0.format.given.isEmpty
        },
        ExportRule(naming: { command in
            "'\(command.output ?? "")' looks like an encrypted archive, but --encrypt is missing"
        }) { _ in
            "add --encrypt, or choose another name for an unencrypted folder"
        } _: {
            !$0.encrypt && $0.output?.withoutTrailingSlashes.hasExtension(FurtherName.suffix) == true
        },
        ExportRule(
            "a passphrase was given, but --encrypt is missing",
            hint: "add --encrypt, or leave out the passphrase for unencrypted files"
        ) { !$0.encrypt && $0.run.passphrase.isGiven && $0.kind != .container },
        ExportRule("--iterations works only with --encrypt") { !$0.encrypt && $0.run.givenIterations != nil },
        ExportRule("--split works only with --encrypt", hint: "add --encrypt, or leave it out") {
            !$0.encrypt && $0.run.volumes != nil
        },
        ExportRule("--with-reader works only with --encrypt", hint: "add --encrypt, or leave it out") {
            !$0.encrypt && $0.withReader
        },
        ExportRule("--generate-passphrase works only with --encrypt") {
            !$0.encrypt && $0.run.passphrase.generate
        },
    ]

    /// What depends on the source.
    private static let source = [
        ExportRule(
            "--batch works only for exports of the Health app",
            hint: "leave out --batch, or export the original source"
        ) { $0.hasBatching && ($0.kind != .source || $0.pseudonyms.isWanted) },
        ExportRule(
            "--session works only for exports of everything, which can be resumed",
            hint: "leave out --session"
        ) { $0.session != nil && $0.isConversion },
        ExportRule(
            "--other-passphrase-file is for an archive as SOURCE, if another archive is written",
            hint: "leave it out; --passphrase-file opens SOURCE if no archive is written"
        ) { $0.sourceKey.passphrase.isGiven && (!$0.encrypt || $0.kind != .container) },
        ExportRule(
            "--keyring is for an archive as SOURCE", hint: "a new archive is encrypted with a passphrase"
        ) { $0.sourceKey.hasRing && $0.kind != .container },
        ExportRule("standard input cannot be both the source and the passphrase") {
            $0.source == "-" && $0.run.passphrase.given.usesStandardInput
        },
        ExportRule(
            "--session does not work with standard input, which cannot be read again",
            hint: "save it as a file, or leave out --session"
        ) { $0.source == "-" && $0.session != nil },
        ExportRule(
            "--accept-damaged never replaces an existing archive",
            hint: "leave out --overwrite and choose another name"
        ) { $0.overwrite && $0.acceptDamaged },
    ]
}

extension ExportCommand {
    /// Whether a rule for batches was given.
    fileprivate var hasBatching: Bool { batch != BatchOptions(span: .byLength) }
}
