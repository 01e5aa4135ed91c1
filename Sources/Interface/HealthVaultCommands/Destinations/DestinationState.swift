import CommandOptions
import CommandOutput
import HealthVault
import JSONText
import SystemIO
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

    static func table(_ states: [DestinationState]) -> TerminalText {
        var table = TextTable([.left, .left, .right, .left])
        let rows = states.map { state -> [TerminalText] in
            [
                "\(state.destination.name)", "\(state.word)",
                state.free.map { "\(Quantities.bytes($0)) free" } ?? "", "\(state.path)",
            ]
        }
        return .lines(table.lines(rows))
    }

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

    static func json(_ states: [DestinationState]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("destinations", objects: states) { state, writer in
                writer.member("name", state.destination.name)
                writer.member("path", state.path)
                writer.member("state", state.word)
                if let free = state.free { writer.member("freeBytes", free) }
                let known = (try? state.result.get())?.filesystem ?? state.destination.filesystem
                if let uuid = known.uuid { writer.member("uuid", uuid) }
                if let label = known.label { writer.member("label", label) }
                if let type = known.type { writer.member("filesystem", type) }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
