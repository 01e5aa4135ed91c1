import HealthVault
import SystemIO
import Tables
import Wording

/// A destination and its current location.
struct DestinationState {
    private let destination: Destination
    private let result: Result<DestinationLocation, any Error>

    init(of destination: Destination) {
        self.destination = destination
        result = Result { try destination.locate() }
    }

    /// Returns the current location.
    func location() throws -> DestinationLocation { try result.get() }

    private var word: String {
        switch result {
        case .success: "connected"
        case .failure(let error as DestinationError):
            switch error.code {
            case .notMounted: "not connected"
            case .otherDrive: "another drive"
            case .markerMissing: "marker missing"
            default: "unusable"
            }
        case .failure: "unreadable"
        }
    }

    private var free: Int? { (try? result.get()).flatMap { try? $0.freeSpace() } ?? nil }
    private var path: BytePath { (try? result.get())?.path ?? destination.path }

    func details(_ location: DestinationLocation) -> TerminalText {
        var lines: [TerminalText] = ["\(destination.name): \(word), \(location.path)"]
        let filesystem = location.filesystem
        var drive: [TerminalText] = []
        if let type = filesystem.type { drive.append("\(type)") }
        if let label = filesystem.label { drive.append("label \(label)") }
        if let uuid = filesystem.uuid { drive.append("UUID \(uuid)") }
        if !drive.isEmpty { lines.append("drive: \(TerminalText.joined(drive, separator: ", "))") }
        if let free { lines.append("\(Quantities.bytes(free)) free") }
        return .lines(lines)
    }

    private var filesystem: FilesystemIdentity {
        (try? result.get())?.filesystem ?? destination.filesystem
    }

    /// Returns a table of destinations.
    static func table(_ states: [DestinationState]) -> Table<DestinationState> {
        var table = Table(
            "destinations", states,
            [
                TableColumn("name") { $0.destination.name }, TableColumn("path", in: .json) { $0.path },
                TableColumn("state") { $0.word },
                TableColumn("freeBytes", shown: { "\(Quantities.bytes($0).text) free" }) { $0.free },
                TableColumn("path", in: .text) { $0.path },
                TableColumn("uuid", in: .json) { $0.filesystem.uuid },
                TableColumn("label", in: .json) { $0.filesystem.label },
                TableColumn("filesystem", in: .json) { $0.filesystem.type },
            ])
        table.hasTitles = false
        return table
    }
}
