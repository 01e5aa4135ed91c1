import AppleHealthExport
import SystemIO
import VaultContainer

extension VaultError: CustomStringConvertible {
    /// What happened, and to which file, in a line that can be printed: `health.hvault: wrong passphrase`.
    ///
    /// It contains names of files and types, but no values, passphrases or keys.
    public var description: String {
        namesPlace || path.isEmpty ? code.reason.text : "\(path): \(code.reason.text)"
    }

    /// Whether the reason names the file, or does not concern one.
    private var namesPlace: Bool {
        switch code {
        case .source, .io, .unknownType, .readableOnce: true
        case .container(let error): if case .io = error.code { true } else { false }
        default: false
        }
    }

    /// Whether the passphrase does not open any key slot of the archive, or of the unfinished one to be continued, or a
    /// key ring does not have the key.
    public var isWrongPassphrase: Bool {
        switch code {
        case .container(let error), .notResumable(let error):
            [.wrongPassphrase, .notInKeyRing].contains(error.code)
        default: false
        }
    }
}

extension VaultError.Code {
    /// What happened, without the name of the affected file.
    fileprivate var reason: TerminalText {
        switch self {
        case .source(let error): "\(error)"
        case .container(let error): "\(error)"
        case .io(let error): "\(error)"
        case .sourceChanged: "the source has changed since the session began"
        case .format(let error): "\(error)"
        case .noManifest: "contains no manifest"
        case .unsupportedManifest: "written by a newer version"
        case .manifestTooLarge: "the manifest would exceed 64 MiB"
        case .manifestMismatch: "does not match its manifest"
        case .digestMismatch: "does not match its digest in SHA256SUMS"
        case .batchTooLarge: "larger, packed or unpacked, than any batch this program writes"
        case .notAnArchive: "not an encrypted archive"
        case .severalArchives: "contains several archives, and their names do not show which is the newest"
        case .notReadBack: "contains no NDJSON, the only plain format that can be read back"
        case .unknownType(let name):
            "unknown sample type '\(name)'"
        case .nothingSelected: "contains no matching samples"
        case .personUnknown: "does not state the day of birth and the sex of the person"
        case .interrupted: "interrupted"
        case .readableOnce: "standard input can be read only once"
        case .internalFailure: "a library failed"
        case .targetExists: "already exists"
        case .notReplaceable:
            "exists, and is not replaced: not an export of this program, or it contains other files"
        case .isSplit: "not replaced, because it is split into several files"
        case .isContinued(let follower):
            "not replaced, because \(follower) appears to continue it and could not be read without it"
        case .unfinishedExists: "in the way, and not left by an export of this kind"
        case .notResumable(let error) where error.code == .otherSession: "\(error.code.reason)"
        case .notResumable(let error):
            "an unfinished archive that cannot be resumed: \(error.code.reason)"
        case .damagedFileKeepsTarget: "damaged in the source, so the existing export was not replaced"
        case .targetIsSource: "is the source or inside it"
        case .predecessorMissing(let name, let vault):
            "continues \(name) (identifier \(vault)), which is not in its folder"
        case .otherPredecessor(let newer): "not the archive that \(newer) continues"
        case .endlessChain: "continues itself, or too many others"
        }
    }
}
