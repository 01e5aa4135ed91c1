import AppleHealthExport
import SystemIO
import VaultContainer

extension VaultError: CustomStringConvertible {
    /// What happened, and to which file, in a line that can be printed: `health.hvault: wrong passphrase`.
    ///
    /// It holds names of files and types, and no value, passphrase or key.
    public var description: String {
        namesPlace || path.isEmpty ? code.reason.text : "\(path): \(code.reason.text)"
    }

    /// Whether the reason names the file, or is about none.
    private var namesPlace: Bool {
        switch code {
        case .source, .io, .unknownType, .readableOnce: true
        case .container(let error): if case .io = error.code { true } else { false }
        default: false
        }
    }

    /// Whether the passphrase opens no key slot of the archive, or of the unfinished one that was to be continued.
    public var isWrongPassphrase: Bool {
        switch code {
        case .container(let error), .notResumable(let error): error.code == .wrongPassphrase
        default: false
        }
    }
}

extension VaultError.Code {
    /// What happened, without the file that it happened to.
    fileprivate var reason: TerminalText {
        switch self {
        case .source(let error): "\(error)"
        case .container(let error): "\(error)"
        case .io(let error): "\(error)"
        case .session(let error): "\(error)"
        case .format: "not in the format it should be in"
        case .noManifest: "holds no manifest of an export"
        case .unsupportedManifest: "written by a newer version"
        case .manifestTooLarge: "the list of its files and batches would be longer than 64 MiB"
        case .manifestMismatch: "not what its manifest says"
        case .batchTooLarge: "larger, as it is or unpacked, than this program reads as a whole"
        case .notAnArchive: "not an encrypted archive"
        case .severalArchives: "holds several archives, and their names do not tell which is the newest"
        case .notReadBack: "holds no NDJSON, the only plain format that is read back"
        case .nothingLeft: "nothing in it is authentic any more"
        case .unknownType(let name):
            "no sample type is called '\(name)', neither in the source nor among those that are known"
        case .nothingSelected: "holds no samples of these types in this time"
        case .interrupted: "stopped before it was complete"
        case .readableOnce: "standard input can be read only once"
        case .internalFailure: "a library failed"
        case .targetExists: "exists already"
        case .notReplaceable:
            "exists, and is not replaced: it is no archive or export folder, or holds other files too"
        case .isSplit: "not replaced, because it is split into several files"
        case .isContinued(let follower):
            "not replaced, because \(follower) seems to continue it and could not be read without it"
        case .outputMissing: "made by this session, and not there any more"
        case .otherTarget: "not what this session has made"
        case .unfinishedExists: "in the way, and not left behind by an export of this kind"
        case .notResumable(let error) where error.code == .otherSession: "\(error.code.reason)"
        case .notResumable(let error):
            "an unfinished archive that cannot be continued: \(error.code.reason)"
        case .damagedFileKeepsTarget: "damaged in the source, so the existing export was not replaced"
        case .targetIsSource: "is the source, or lies in it"
        case .otherExport(.person): "the export of another person: the date of birth or the sex differs"
        case .otherExport(.sources): "none of the sources in it is in the archive that it is to continue"
        case .otherExport(.samples): "holds hardly any sample of the archive that it is to continue"
        case .predecessorMissing(let name, let vault):
            "continues \(name) (identifier \(vault)), which is not in its folder"
        case .otherPredecessor(let newer): "not the archive that \(newer) continues"
        case .endlessChain: "continues itself, or too many others"
        }
    }
}
