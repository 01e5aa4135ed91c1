import HealthVault
import SystemIO

/// The current places of the exports in the history.
struct OutputPlaces {
    /// The place of an export.
    enum Place {
        /// It is at this path.
        case there(BytePath)
        /// It is there, and is not whole: cut off, or without some of its files.
        case damaged
        /// It is gone, or something else has its name.
        case missing
        /// The drive is not connected.
        case away
        /// It was removed to make room for newer ones.
        case pruned
        /// Nothing was written.
        case none
    }

    private let destinations: [String: Destination]
    private var folders: [String: BytePath?] = [:]

    init(_ destinations: [String: Destination]) { self.destinations = destinations }

    mutating func place(of record: HistoryRecord) -> Place {
        guard let path = record.path, let identity = record.identity else { return .none }
        if record.isPruned { return .pruned }
        guard let folder = folder(of: record.destination) else { return .away }
        let found = folder / path.name
        guard OutputIdentity.of(found, isEncrypted: record.isEncrypted) == identity else { return .missing }
        return record.isWhole(at: found) ? .there(found) : .damaged
    }

    private mutating func folder(of name: String) -> BytePath? {
        if let known = folders[name] { return known }
        let folder = (try? destinations[name]?.locate())?.path
        folders[name] = folder
        return folder
    }
}
