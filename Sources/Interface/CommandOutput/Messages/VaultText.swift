package import HealthVault
import SystemIO
import VaultContainer

/// Advice on errors of operations.
package enum VaultText {
    package static func advice(_ error: VaultError) -> Advice {
        let usual = usualAdvice(error)
        if usual.status == .unsupported, let first = VolumeText.first(ofLater: error.path) {
            return ("it is a part of a split archive: give the first one, \(first)", .unsupported)
        }
        guard [.unsupported, .notFound, .damaged].contains(usual.status),
            let missing = VolumeText.missing(from: error.path)
        else { return usual }
        return (
            "the archive is split, and lacks \(missing): put all of its parts into one folder", usual.status
        )
    }

    /// Returns the advice on an error about something that is no part of a split archive.
    private static func usualAdvice(_ error: VaultError) -> Advice {
        switch error.code {
        case .source(let error): SourceText.advice(error.code)
        case .container(let error): ContainerText.advice(error.code)
        case .io(let error): SystemText.advice(error)
        case .unknownType(let name): TypeText.advice(unknown: name)
        case .sourceChanged:
            ("restore the old source, or start over with 'healthvault export --restart'", .failed)
        case .notResumable(let error): advice(notResumable: error.code)
        case .predecessorMissing:
            (
                "put both into one folder; 'healthvault recover' saves what this one contains by itself",
                .notFound
            )
        case .otherPredecessor(let newer):
            ("restore the archive that \(newer.name) was based on, under any name", .damaged)
        case .endlessChain: ("it was not made by this program", .damaged)
        case .format: ("it was damaged, or written by a newer version", .damaged)
        case .targetExists:
            ("choose another name with -o, or use --overwrite", .targetExists)
        case .notReplaceable: ("choose another name, or move it away", .targetExists)
        case .isSplit: ("choose another name, or remove all of its files first", .targetExists)
        case .isContinued(let follower):
            ("choose another name, move both away, or remove \(follower) first", .targetExists)
        case .unfinishedExists:
            (
                "move it away or choose another name; to resume an encrypted export, add --encrypt",
                .targetExists
            )
        case .damagedFileKeepsTarget: ("choose another name to export everything else", .damaged)
        case .targetIsSource: ("choose a place outside the source", .usage)
        case .noManifest: ("'healthvault inspect' shows what it is", .unsupported)
        case .unsupportedManifest: (ToolVersion.newerNeeded, .unsupported)
        case .manifestTooLarge:
            ("use larger batches with --batch, or a source with fewer files", .unsupported)
        case .batchTooLarge: ("refused, because a small file can be crafted to exhaust memory", .damaged)
        case .manifestMismatch: ("", .damaged)
        case .digestMismatch: ("'healthvault verify' lists every file that has changed", .damaged)
        case .notAnArchive: ("'healthvault inspect' shows what it is", .unsupported)
        case .severalArchives: ("give the path of the newest archive", .usage)
        case .notReadBack:
            (
                "use the archive or source it was made from, or include ndjson in --format next time",
                .unsupported
            )
        case .nothingSelected: ("'healthvault inspect' shows what it contains", .notFound)
        case .interrupted:
            (
                error.isResumable
                    ? "progress is kept: run the same command to resume"
                    : "nothing was kept; run the command again to start over", .interrupted
            )
        case .readableOnce: ("save it as a file first", .unsupported)
        case .internalFailure: ("please report this", .failed)
        }
    }

    private static func advice(notResumable code: ContainerError.Code) -> Advice {
        let (hint, status) = ContainerText.advice(code)
        return switch code {
        case .otherSession: (hint, status)
        case .wrongPassphrase:
            (
                "use the passphrase it was started with, or start over with --restart",
                status
            )
        default:
            (
                "start over with --restart; 'healthvault recover' saves everything intact",
                status
            )
        }
    }
}
