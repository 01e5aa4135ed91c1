import SystemIO
package import VaultContainer

/// Advice on errors of containers.
package enum ContainerText {
    private static let failingDrive: TerminalText =
        "use another copy, or copy what is left off this drive soon; 'healthvault recover' saves what can be read"
    private static let otherCopy: TerminalText =
        "use another copy if there is one; 'healthvault recover' gets out what is left"

    package static func advice(_ code: ContainerError.Code) -> Advice {
        switch code {
        case .notContainer: ("see what it is with 'healthvault inspect'", .unsupported)
        case .unsupportedVersion: ("use a newer version of this program", .unsupported)
        case .unsupportedSuite: ("use a newer version of this program", .unsupported)
        case .malformedHeader: (otherCopy, .damaged)
        case .kdfRefused: ("the file was tampered with, or made by another program", .unsupported)
        case .wrongPassphrase:
            ("upper and lower case matter; so does the language of the keyboard", .wrongPassphrase)
        case .slotDamaged: (otherCopy, .damaged)
        case .headerTampered: (otherCopy, .damaged)
        case .incomplete:
            (
                "give the same export command again to go on; 'healthvault recover' gets out what there is",
                .damaged
            )
        case .truncated: (otherCopy, .damaged)
        case .segmentMisplaced: (otherCopy, .damaged)
        case .segmentReplaced: (otherCopy, .damaged)
        case .segmentDamaged: (otherCopy, .damaged)
        case .chunkDamaged: (otherCopy, .damaged)
        case .segmentUnreadable: (failingDrive, .damaged)
        case .segmentHardToRead: (failingDrive, .damaged)
        case .chunkUnreadable: (failingDrive, .damaged)
        case .trailingData: (otherCopy, .damaged)
        case .badFooter: (otherCopy, .damaged)
        case .entryMismatch: (otherCopy, .damaged)
        case .noSuchEntry: ("see what there is with 'healthvault inspect'", .notFound)
        case .invalidUse: ("please report this", .failed)
        case .otherSession: ("start over with 'healthvault export' and --restart", .targetExists)
        case .lastSlot: ("add another one first, or use 'passphrase change'", .usage)
        case .noFreeSlot: ("remove one first", .failed)
        case .iterationsExceeded: ("give fewer --iterations, or remove a passphrase first", .failed)
        case .changeInterrupted: ("finish it with 'passphrase change', or use the new one", .failed)
        case .headersDiffer: ("'passphrase change' writes both again; the content is not affected", .damaged)
        case .noSuchSlot: ("see which there are with 'passphrase list'", .notFound)
        case .passphraseInUse: ("choose another one", .usage)
        case .cryptoFailed: ("", .failed)
        case .compressionFailed: ("", .failed)
        case .io(let error): SystemText.advice(error)
        }
    }
}
