package import HealthVault
import SystemIO
import VaultContainer

/// Advice on errors of operations.
package enum VaultText {
    package static func advice(_ error: VaultError) -> Advice {
        switch error.code {
        case .source(let error): SourceText.advice(error.code)
        case .container(let error): ContainerText.advice(error.code)
        case .io(let error): SystemText.advice(error)
        case .unknownType(let name): TypeText.advice(unknown: name)
        case .session(let error): SessionErrorText.advice(error)
        case .notResumable(let error): advice(notResumable: error.code)
        case .otherExport:
            (
                "leave out --incremental, or use another destination; on a terminal you are asked, and can say yes",
                .failed
            )
        case .predecessorMissing:
            (
                "put the two into one folder; 'healthvault recover' gets out what this one holds alone",
                .notFound
            )
        case .otherPredecessor(let newer):
            ("give back the one that it was when \(newer.name) was made, under any name", .damaged)
        case .endlessChain: ("it was not made by this program", .damaged)
        case .format: ("it was damaged, or written by a newer version", .damaged)
        case .targetExists:
            ("choose another name, or --overwrite to replace an archive or export folder", .targetExists)
        case .notReplaceable: ("choose another name, or move it away", .targetExists)
        case .isSplit: ("choose another name, or first remove all of its files", .targetExists)
        case .isContinued(let follower):
            ("choose another name, or first move both away or remove \(follower)", .targetExists)
        case .outputMissing:
            ("put it back, or forget the session with 'healthvault session delete'", .notFound)
        case .otherTarget: ("move it away, or export to another name", .targetExists)
        case .unfinishedExists:
            ("move it or choose another name; an encrypted export is continued with --encrypt", .targetExists)
        case .nothingLeft: ("use another copy if there is one", .damaged)
        case .damagedFileKeepsTarget: ("choose another name to export everything else", .damaged)
        case .targetIsSource: ("choose a place outside the source", .usage)
        case .noManifest: ("", .unsupported)
        case .unsupportedManifest: ("use a newer version of this program", .unsupported)
        case .manifestTooLarge:
            ("give larger batches with --batch, or a source with fewer files", .unsupported)
        case .batchTooLarge: ("it is refused, because a small file can be made to exhaust a reader", .damaged)
        case .manifestMismatch: ("", .damaged)
        case .notAnArchive: ("see what it is with 'healthvault inspect'", .unsupported)
        case .severalArchives: ("give the path of the newest archive", .usage)
        case .notReadBack:
            (
                "use the archive or the source that it was made of; --format with ndjson among others is read back",
                .unsupported
            )
        case .nothingSelected: ("see what there is with 'healthvault inspect'", .notFound)
        case .interrupted:
            (
                error.isResumable
                    ? "what was done is kept: the same command goes on"
                    : "nothing of it was kept: start over", .interrupted
            )
        case .readableOnce: ("save it as a file first", .unsupported)
        case .internalFailure: ("please report how it came about", .failed)
        }
    }

    private static func advice(notResumable code: ContainerError.Code) -> Advice {
        let (hint, status) = ContainerText.advice(code)
        return switch code {
        case .otherSession: (hint, status)
        case .wrongPassphrase:
            (
                "give the passphrase that it was begun with, or start over: 'healthvault export' with --restart",
                status
            )
        default:
            (
                "start over: 'healthvault export' with --restart. 'healthvault recover' gets out what is left",
                status
            )
        }
    }
}
