package import HealthVault
package import SystemIO

extension DestinationError: WordedError {
    /// What happened, and to which destination.
    package var words: TerminalText {
        switch code {
        case .unknown: "no destination named '\(name)'"
        case .nameTaken: "a destination named '\(name)' already exists"
        case .badName: "'\(name)' is not a valid destination name"
        case .noSchedule: "nothing is scheduled for '\(name)'"
        case .unknownRecord: "\(path): damaged, or written by a newer version"
        case .notMounted: "\(name): drive not connected or not mounted: \(path)"
        case .otherDrive: "\(name): a different drive is at \(path)"
        case .markerMissing: "\(name): the marker file .healthvault-destination is missing from \(path)"
        case .encrypted: "\(name): its exports are encrypted, and --encrypt is missing"
        case .tooLittleSpace(let needed, let free, _):
            "\(name): about \(Quantities.bytes(needed)) needed, only \(Quantities.bytes(free)) free"
        }
    }

    /// What to do next.
    package var advice: TerminalText {
        switch code {
        case .unknown: "'healthvault destination list' shows all, 'healthvault destination add' adds one"
        case .nameTaken: "choose another name, or run 'healthvault destination remove \(name)' first"
        case .badName: "use up to 64 letters and digits, with . _ or - between them"
        case .noSchedule: "'healthvault schedule list' lists all schedules"
        case .unknownRecord:
            "\(ToolVersion.newerNeeded); if it is damaged, restore it from a backup, or delete it and set up again what it had"
        case .notMounted: "connect it and run the same command again"
        case .otherDrive:
            "connect the right drive; to use this one instead, run 'healthvault destination remove \(name)' and add it again"
        case .markerMissing:
            "if this is the right folder, run 'healthvault destination remove \(name)' and add it again"
        case .encrypted: "add --encrypt, or name the format of unencrypted files: --format ndjson"
        case .tooLittleSpace(_, _, let hasExports):
            hasExports
                ? "free some space, or keep fewer exports with --keep"
                : "free some space, or use a larger drive"
        }
    }
}
