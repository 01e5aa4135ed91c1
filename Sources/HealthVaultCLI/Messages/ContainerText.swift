import SystemIO
import VaultContainer

/// Errors of containers.
enum ContainerText {
    static func message(_ error: ContainerError, path: BytePath) -> ErrorMessage {
        if case .io(let error) = error.code { return SystemText.describe(error) }
        let (message, hint, status) = describe(error.code)
        var place: TerminalText = path.isEmpty ? "" : "\(path): "
        if let entry = error.entry { place += "\(entry): " }
        return ErrorMessage("\(place)\(message)", hint: hint, status)
    }

    private static let failingDrive: TerminalText =
        "use another copy, or copy what is left off this drive soon; 'healthvault recover' saves what can be read"
    private static let otherCopy: TerminalText =
        "use another copy if there is one; 'healthvault recover' gets out what is left"

    static func describe(
        _ code: ContainerError.Code
    ) -> (message: TerminalText, hint: TerminalText, status: ExitStatus) {
        switch code {
        case .notContainer:
            ("not an encrypted archive", "see what it is with 'healthvault inspect'", .unsupported)
        case .unsupportedVersion:
            ("of another format version", "use a newer version of this program", .unsupported)
        case .unsupportedSuite: ("uses other algorithms", "use a newer version of this program", .unsupported)
        case .malformedHeader: ("the header is damaged", otherCopy, .damaged)
        case .kdfRefused:
            (
                "the header asks for a key derivation that is too weak or too long",
                "the file was tampered with, or made by another program", .unsupported
            )
        case .wrongPassphrase:
            (
                "wrong passphrase", "upper and lower case matter; so does the language of the keyboard",
                .wrongPassphrase
            )
        case .slotDamaged: ("the key slot of this passphrase is damaged", otherCopy, .damaged)
        case .headerTampered:
            ("the header was changed by someone without the passphrase", otherCopy, .damaged)
        case .incomplete:
            (
                "never finished: the export was interrupted",
                "give the same export command again to go on; 'healthvault recover' gets out what there is",
                .damaged
            )
        case .truncated: ("the end is missing", otherCopy, .damaged)
        case .segmentMisplaced(let segment, let found):
            ("segment \(found) stands at the place of segment \(segment)", otherCopy, .damaged)
        case .segmentReplaced(let segment):
            ("segment \(segment) was replaced by an older one", otherCopy, .damaged)
        case .segmentDamaged(let segment): ("segment \(segment) is damaged", otherCopy, .damaged)
        case .chunkDamaged(let segment, let chunk):
            ("chunk \(chunk) of segment \(segment) is damaged", otherCopy, .damaged)
        case .segmentUnreadable(let segment):
            ("the drive does not give back the start of segment \(segment)", failingDrive, .damaged)
        case .segmentHardToRead(let segment):
            ("the drive gave back segment \(segment) only when asked again", failingDrive, .damaged)
        case .chunkUnreadable(let segment, let chunk):
            ("the drive does not give back chunk \(chunk) of segment \(segment)", failingDrive, .damaged)
        case .trailingData: ("bytes follow its end", otherCopy, .damaged)
        case .badFooter: ("the index is damaged", otherCopy, .damaged)
        case .entryMismatch: ("an entry is not what the index says of it", otherCopy, .damaged)
        case .noSuchEntry:
            ("there is no such entry", "see what there is with 'healthvault inspect'", .notFound)
        case .invalidUse:
            ("was to be written in a way that the format forbids", "please report this", .failed)
        case .otherSession:
            (
                "the unfinished export beside it was made of another source, or with other options",
                "start over with 'healthvault export' and --restart", .targetExists
            )
        case .lastSlot:
            (
                "this is the only passphrase; without it nobody could open the archive",
                "add another one first, or use 'passphrase change'", .usage
            )
        case .noFreeSlot:
            (
                "all key slots are taken: eight passphrases open it", "remove one first", .failed
            )
        case .iterationsExceeded:
            (
                "with so many iterations a reader could not try all passphrases any more",
                "give fewer --iterations, or remove a passphrase first", .failed
            )
        case .changeInterrupted:
            (
                "a change of the passphrases was interrupted, and this one is the old one",
                "finish it with 'passphrase change', or use the new one", .failed
            )
        case .headersDiffer:
            (
                "its two headers are not both whole and the same",
                "'passphrase change' writes both again; the content is not affected", .damaged
            )
        case .noSuchSlot:
            ("there is no such key slot", "see which there are with 'passphrase list'", .notFound)
        case .passphraseInUse: ("the new passphrase opens the archive already", "choose another one", .usage)
        case .cryptoFailed: ("the crypto library failed", "", .failed)
        case .compressionFailed: ("there is not enough memory to compress with", "", .failed)
        case .io(let error): (SystemText.describe(error).message, "", .failed)
        }
    }
}
