package import HealthVault
import SystemIO

/// The messages about destinations that cannot be used.
package enum DestinationText {
    package static func describe(_ error: DestinationError) -> ErrorMessage {
        switch error.code {
        case .unknown:
            ErrorMessage(
                "no destination named '\(error.name)'",
                hint:
                    "'healthvault destination list' shows all, 'healthvault destination add' adds one",
                .notFound)
        case .nameTaken:
            ErrorMessage(
                "a destination named '\(error.name)' already exists",
                hint: "choose another name, or run 'healthvault destination remove \(error.name)' first",
                .targetExists)
        case .badName:
            ErrorMessage(
                "'\(error.name)' is not a valid destination name",
                hint: "use up to 64 letters and digits, with . _ or - between them", .usage)
        case .noSchedule:
            ErrorMessage(
                "nothing is scheduled for '\(error.name)'",
                hint: "'healthvault schedule show' lists all schedules", .notFound)
        case .unknownRecord:
            ErrorMessage(
                "\(error.path): damaged, or written by a newer version",
                hint: "restore it from a backup, or delete it and set up again what it had; "
                    + "if a newer version wrote it, " + ToolVersion.newerNeeded, .unsupported)
        case .notMounted:
            ErrorMessage(
                "\(error.name): drive not connected or not mounted: \(error.path)",
                hint: "connect it and run the same command again", .tryLater)
        case .otherDrive:
            ErrorMessage(
                "\(error.name): a different drive is at \(error.path)",
                hint:
                    "connect the right drive; to use this one instead, run 'healthvault destination remove "
                    + "\(error.name)' and add it again", .notFound)
        case .markerMissing:
            ErrorMessage(
                "\(error.name): the marker file .healthvault-destination is missing from \(error.path)",
                hint:
                    "if this is the right folder, run 'healthvault destination remove \(error.name)' and add it again",
                .notFound)
        case .encrypted:
            ErrorMessage(
                "\(error.name): its exports are encrypted, and --encrypt is missing",
                hint: "add --encrypt, or name the format of unencrypted files: --format ndjson", .usage)
        case .tooLittleSpace(let needed, let free, let hasExports):
            ErrorMessage(
                "\(error.name): about \(Quantities.bytes(needed)) needed, only \(Quantities.bytes(free)) free",
                hint: hasExports
                    ? "free some space, or keep fewer exports with --keep"
                    : "free some space, or use a larger drive", .noSpace)
        }
    }
}
