import HealthVault
import SystemIO
import VaultContainer

/// Errors of operations.
enum VaultText {
    static func describe(_ error: VaultError) -> ErrorMessage {
        let path = error.path
        switch error.code {
        case .source(let error): return SourceText.describe(error)
        case .container(let error): return ContainerText.message(error, path: path)
        case .io(let error): return SystemText.describe(error)
        case .format:
            return ErrorMessage(
                "\(path): not in the format it should be in",
                hint: "it was damaged, or written by a newer version",
                .damaged)
        case .targetExists:
            return ErrorMessage(
                "\(path): exists already",
                hint: "choose another name, or --overwrite to replace an archive or export folder",
                .targetExists)
        case .notReplaceable:
            return ErrorMessage(
                "\(path): exists, and is not replaced: it is no archive or export folder, or holds other files too",
                hint: "choose another name, or move it away", .targetExists)
        case .isContinued(let follower):
            return ErrorMessage(
                "\(path): not replaced, because \(follower) seems to continue it and could not be read without it",
                hint: "choose another name, or first move both away or remove \(follower)", .targetExists)
        case .outputMissing:
            return ErrorMessage(
                "\(path): made by this session, and not there any more",
                hint: "put it back, or forget the session with 'healthvault session delete'", .notFound)
        case .otherTarget:
            return ErrorMessage(
                "\(path): not what this session has made",
                hint: "move it away, or export to another name", .targetExists)
        case .unfinishedExists:
            return ErrorMessage(
                "\(path): in the way, and not left behind by an export of this kind",
                hint: "move it or choose another name; an encrypted export is continued with --encrypt",
                .targetExists)
        case .nothingLeft:
            return ErrorMessage(
                "\(path): nothing in it is authentic any more", hint: "use another copy if there is one",
                .damaged)
        case .notResumable(let error):
            let (message, hint, status) = ContainerText.describe(error.code)
            if error.code == .otherSession { return ErrorMessage("\(path): \(message)", hint: hint, status) }
            return ErrorMessage(
                "\(path): an unfinished archive that cannot be continued: \(message)",
                hint: error.code == .wrongPassphrase
                    ? "give the passphrase that it was begun with, or start over: 'healthvault export' with --restart"
                    : "start over: 'healthvault export' with --restart. 'healthvault recover' gets out what is left",
                status)
        case .damagedFileKeepsTarget:
            return ErrorMessage(
                "\(path): damaged in the source, so the existing export was not replaced",
                hint: "choose another name to export everything else", .damaged)
        case .targetIsSource:
            return ErrorMessage(
                "\(path): is the source, or lies in it", hint: "choose a place outside the source", .usage)
        case .noManifest:
            return ErrorMessage("\(path): holds no manifest of an export", .unsupported)
        case .unsupportedManifest:
            return ErrorMessage(
                "\(path): written by a newer version", hint: "use a newer version of this program",
                .unsupported)
        case .manifestTooLarge:
            return ErrorMessage(
                "\(path): the list of its files and batches would be longer than 64 MiB",
                hint: "give larger batches with --batch, or a source with fewer files", .unsupported)
        case .batchTooLarge:
            return ErrorMessage(
                "\(path): larger, as it is or unpacked, than this program reads as a whole",
                hint: "it is refused, because a small file can be made to exhaust a reader", .damaged)
        case .manifestMismatch:
            return ErrorMessage("\(path): not what its manifest says", .damaged)
        case .notAnArchive:
            return ErrorMessage(
                "\(path): not an encrypted archive", hint: "see what it is with 'healthvault inspect'",
                .unsupported)
        case .unknownType(let name): return TypeText.unknown(name)
        case .nothingSelected:
            return ErrorMessage(
                "\(path): holds no samples of these types in this time",
                hint: "see what there is with 'healthvault inspect'", .notFound)
        case .predecessorMissing, .otherPredecessor, .endlessChain:
            return ChainText.describe(error)
        case .session(let error): return SessionErrorText.describe(error, path)
        case .interrupted:
            return ErrorMessage(
                "\(path): stopped before it was complete",
                hint: error.isResumable
                    ? "what was done is kept: the same command goes on"
                    : "nothing of it was kept: start over", .interrupted)
        case .readableOnce:
            return ErrorMessage(
                "standard input can be read only once", hint: "save it as a file first", .unsupported)
        case .internalFailure:
            return ErrorMessage("\(path): a library failed", hint: "please report how it came about", .failed)
        }
    }
}
