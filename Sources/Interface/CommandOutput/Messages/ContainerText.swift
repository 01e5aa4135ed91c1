import SystemIO
package import VaultContainer

/// Advice on errors of containers.
package enum ContainerText {
    private static let failingDrive: TerminalText =
        "use another copy, or copy the archive off this drive soon; 'healthvault recover' saves everything readable"
    private static let otherCopy: TerminalText =
        "use another copy if you have one; 'healthvault recover' saves everything intact"

    package static func advice(_ code: ContainerError.Code) -> Advice {
        switch code {
        case .notContainer: ("'healthvault inspect' shows what it is", .unsupported)
        case .unsupportedVersion: (ToolVersion.newerNeeded, .unsupported)
        case .unsupportedSuite: (ToolVersion.newerNeeded, .unsupported)
        case .headerDamaged: (otherCopy, .damaged)
        case .malformedHeader: (otherCopy, .damaged)
        case .kdfRefused: ("the file was tampered with, or made by another program", .unsupported)
        case .wrongPassphrase:
            ("check Caps Lock and keyboard layout", .wrongPassphrase)
        case .slotDamaged: (otherCopy, .damaged)
        case .headerTampered: (otherCopy, .damaged)
        case .incomplete:
            (
                "run the same export command again to resume; 'healthvault recover' saves everything written so far",
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
        case .noSuchEntry: ("'healthvault inspect' shows what it contains", .notFound)
        case .invalidUse: ("please report this", .failed)
        case .otherSession: ("start over with --restart", .targetExists)
        case .lastSlot: ("add another one first, or use 'healthvault passphrase change'", .usage)
        case .noFreeSlot: ("remove one first", .failed)
        case .iterationsExceeded: ("use fewer --iterations, or remove a passphrase first", .failed)
        case .changeInterrupted:
            ("use the new passphrase, or finish with 'healthvault passphrase change'", .failed)
        case .headersDiffer:
            ("'healthvault passphrase change' rewrites both; the contents are not affected", .damaged)
        case .noSuchSlot: ("'healthvault passphrase list' shows the slots", .notFound)
        case .passphraseInUse: ("choose another one", .usage)
        case .notKeyRing: ("'healthvault keyring make' makes one", .unsupported)
        case .keyRingDamaged: ("make it again with 'healthvault keyring make --overwrite'", .damaged)
        case .wrongRingKey: ("use the key file that it was made with", .wrongPassphrase)
        case .ringKeyMalformed: ("use the file that 'healthvault keyring make' made", .usage)
        case .ringKeyExposed: ("take them away with 'chmod 600', where the file system supports it", .usage)
        case .keyBesideRing: ("keep them apart: whoever has both can open all archives in it", .usage)
        case .notInKeyRing:
            ("make the ring again with 'healthvault keyring make --overwrite'", .wrongPassphrase)
        case .keyRingFull: ("make several rings, each of a part of the archives", .failed)
        case .passphraseMissing: ("add a line for it to the file of passphrases", .wrongPassphrase)
        case .cryptoFailed: ("", .failed)
        case .compressionFailed: ("", .failed)
        case .io(let error): SystemText.advice(error)
        }
    }
}
