package import HealthVault
import SystemIO

/// The messages about destinations that cannot be used.
package enum DestinationText {
    package static func describe(_ error: DestinationError) -> ErrorMessage {
        switch error.code {
        case .unknown:
            ErrorMessage(
                "no destination is called '\(error.name)'",
                hint:
                    "see them with 'healthvault destination list', or add it with 'healthvault destination add'",
                .notFound)
        case .nameTaken:
            ErrorMessage(
                "a destination is called '\(error.name)' already",
                hint: "choose another name, or first 'healthvault destination remove \(error.name)'",
                .targetExists)
        case .badName:
            ErrorMessage(
                "'\(error.name)' cannot be the name of a destination",
                hint: "use up to 64 letters and digits, with . _ or - between them", .usage)
        case .noSchedule:
            ErrorMessage(
                "nothing is scheduled for '\(error.name)'",
                hint: "see the schedules with 'healthvault schedule show'", .notFound)
        case .notMounted:
            ErrorMessage(
                "\(error.name): the drive is not connected, or not mounted: \(error.path)",
                hint: "connect it and give the same command again", .tryLater)
        case .otherDrive:
            ErrorMessage(
                "\(error.name): another drive is at \(error.path)",
                hint:
                    "connect the right one. If this is to take its place: 'healthvault destination remove "
                    + "\(error.name)', then 'add'", .notFound)
        case .markerMissing:
            ErrorMessage(
                "\(error.name): the marker file .healthvault-destination is gone from \(error.path)",
                hint:
                    "if this is the right folder: 'healthvault destination remove \(error.name)', then 'add'",
                .notFound)
        case .tooLittleSpace(let needed, let free):
            ErrorMessage(
                "\(error.name): needs about \(Quantities.bytes(needed)), and \(Quantities.bytes(free)) are free",
                hint: "make room on it, or keep fewer exports with --keep", .noSpace)
        }
    }
}
