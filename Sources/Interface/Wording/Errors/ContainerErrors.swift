package import SystemIO
package import VaultContainer

extension ContainerError: WordedError {
    private static let failingDrive: TerminalText =
        "use another copy, or copy the archive off this drive soon; 'healthvault recover' saves everything readable"
    private static let otherCopy: TerminalText =
        "use another copy if you have one; 'healthvault recover' saves everything intact"

    /// What to do next.
    package var advice: TerminalText {
        switch code {
        case .notContainer: "'healthvault inspect' shows what it is"
        case .unsupportedVersion: ToolVersion.newerNeeded
        case .unsupportedSuite: ToolVersion.newerNeeded
        case .headerDamaged: Self.otherCopy
        case .malformedHeader: Self.otherCopy
        case .kdfRefused: "the file was tampered with, or made by another program"
        case .wrongPassphrase:
            "check Caps Lock and keyboard layout"
        case .slotDamaged: Self.otherCopy
        case .headerTampered: Self.otherCopy
        case .incomplete:

            "run the same export command again to resume; 'healthvault recover' saves everything written so far"
        case .truncated: Self.otherCopy
        case .segmentMisplaced: Self.otherCopy
        case .segmentReplaced: Self.otherCopy
        case .segmentDamaged: Self.otherCopy
        case .chunkDamaged: Self.otherCopy
        case .segmentUnreadable: Self.failingDrive
        case .segmentHardToRead: Self.failingDrive
        case .chunkUnreadable: Self.failingDrive
        case .trailingData: Self.otherCopy
        case .badFooter: Self.otherCopy
        case .entryMismatch: Self.otherCopy
        case .noSuchEntry: "'healthvault inspect' shows what it contains"
        case .invalidUse: "please report this"
        case .otherSession: "start over with --restart"
        case .lastSlot: "add another one first, or use 'healthvault passphrase change'"
        case .noFreeSlot: "remove one first"
        case .iterationsExceeded: "use fewer --iterations, or remove a passphrase first"
        case .changeInterrupted:
            "use the new passphrase, or finish with 'healthvault passphrase change'"
        case .headersDiffer:
            "'healthvault passphrase change' rewrites both; the contents are not affected"
        case .noSuchSlot: "'healthvault passphrase list' shows the slots"
        case .passphraseInUse: "choose another one"
        case .notKeyRing: "'healthvault keyring make' makes one"
        case .keyRingDamaged: "make it again with 'healthvault keyring make --overwrite'"
        case .wrongRingKey: "use the key file that it was made with"
        case .ringKeyMalformed: "use the file that 'keyring make' or --pseudonym-secret made"
        case .ringKeyExposed: "take them away with 'chmod 600', where the file system supports it"
        case .keyBesideRing: "keep them apart: whoever has both can open all archives in it"
        case .notInKeyRing:
            "make the ring again with 'healthvault keyring make --overwrite'"
        case .keyRingFull: "make several rings, each of a part of the archives"
        case .passphraseMissing: "add a line for it to the file of passphrases"
        case .cryptoFailed: ""
        case .compressionFailed: ""
        case .io(let error): error.advice
        }
    }
}
