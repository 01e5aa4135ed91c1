import ByteText
import HealthVault
package import SystemIO
import VaultContainer

extension VaultError: WordedError {
    /// What to do next.
    package var advice: TerminalText {
        if kind == .unsupported, let first = VolumeText.first(ofLater: path) {
            return "it is a part of a split archive: give the first one, \(first)"
        }
        guard [.unsupported, .notFound, .damaged].contains(kind), let missing = VolumeText.missing(from: path)
        else { return usualAdvice }
        return "the archive is split, and lacks \(missing): put all of its parts into one folder"
    }

    /// What to do about something that is no part of a split archive.
    private var usualAdvice: TerminalText {
        switch code {
        case .source(let error): error.advice
        case .container(let error): error.advice
        case .io(let error): error.advice
        case .unknownType(let name): TypeText.advice(unknown: name)
        case .sourceChanged:
            "restore the old source, or start over with 'healthvault export --restart'"
        case .notResumable(let error): advice(notResumable: error)
        case .predecessorMissing:

            "put both into one folder; 'healthvault recover' saves what this one contains by itself"
        case .otherPredecessor(let newer):
            "restore the archive that \(newer.name) was based on, under any name"
        case .endlessChain: "it was not made by this program"
        case .format: "it was damaged, or written by a newer version"
        case .targetExists:
            "choose another name with -o, or use --overwrite"
        case .notReplaceable: "choose another name, or move it away"
        case .isSplit: "choose another name, or remove all of its files first"
        case .isContinued(let follower):
            "choose another name, move both away, or remove \(follower) first"
        case .unfinishedExists:

            "move it away or choose another name; to resume an encrypted export, add --encrypt"
        case .damagedFileKeepsTarget: "choose another name to export everything else"
        case .targetIsSource: "choose a place outside the source"
        case .noManifest: "'healthvault inspect' shows what it is"
        case .unsupportedManifest: ToolVersion.newerNeeded
        case .manifestTooLarge:
            "use larger batches with --batch, or a source with fewer files"
        case .batchTooLarge: "refused, because a small file can be crafted to exhaust memory"
        case .manifestMismatch: ""
        case .digestMismatch: "'healthvault verify' lists every file that has changed"
        case .notAnArchive: "'healthvault inspect' shows what it is"
        case .severalArchives: "give the path of the newest archive"
        case .notReadBack:

            "use the archive or source it was made from, or include ndjson in --format next time"
        case .nothingSelected: "'healthvault inspect' shows what it contains"
        case .personUnknown: "name the person with --person, the same name for each copy"
        case .interrupted:

            isResumable
                ? "progress is kept: run the same command to resume"
                : "nothing was kept; run the command again to start over"
        case .readableOnce: "save it as a file first"
        case .internalFailure: "please report this"
        }
    }

    private func advice(notResumable error: ContainerError) -> TerminalText {
        switch error.code {
        case .otherSession: error.advice
        case .wrongPassphrase: "use the passphrase it was started with, or start over with --restart"
        default: "start over with --restart; 'healthvault recover' saves everything intact"
        }
    }
}

extension RecoveryError: WordedError {
    /// What to do next.
    package var advice: TerminalText {
        switch code {
        case .nothingLeft: "use another copy if you have one"
        }
    }
}
