import CommandLineKit
import CommandOutput
import HealthVault
import JSONText
import SystemIO

/// The command `healthvault destination`.
struct DestinationCommand: VaultCommand {
    /// The actions on destinations.
    enum Action: String, CaseIterable, Sendable {
        case add
        case list
        case check
        case remove
    }

    var action = Action.list
    var name: String?
    var path: BytePath?
    var json = false
    var configuration = ConfigurationOption()

    static let grammar = CommandGrammar<Self>(
        name: "destination",
        summary: "Remembers drives and folders that exports are written to.",
        discussion: """
            'add' remembers a folder under a name, by the identity of its drive and a small marker file in it, so that \
            another drive at the same place is never mistaken for it. 'list' shows all destinations, 'check' looks for \
            one of them, and 'remove' forgets one without changing anything on it. Use them with \
            'healthvault export --to NAME'.
            """,
        elements: [
            .argument(\.action, "ACTION", "add, list, check or remove", as: .choice),
            .optionalArgument(\.name, "NAME", "the name of the destination"),
            .optionalArgument(\.path, "PATH", "for 'add': the folder", as: .folder),
            .flag(\.json, "json", "report as JSON"),
            .including(\.configuration, ConfigurationOption.elements),
        ])

    func validate() throws(UsageError) {
        if action != .list, name == nil {
            throw UsageError(
                .missingArgument, "'destination \(action.rawValue)' needs the name of a destination",
                hint: "see them with 'healthvault destination list'")
        }
        if action == .add, path == nil {
            throw UsageError(
                .missingArgument, "'destination add' needs a folder",
                hint: "healthvault destination add stick /media/me/STICK/health")
        }
        if action == .list && name != nil || action != .add && path != nil {
            throw UsageError(
                .invalidCombination, "'destination \(action.rawValue)' takes no further argument")
        }
        if json, action == .add || action == .remove {
            throw UsageError(.invalidCombination, "'destination \(action.rawValue)' reports nothing")
        }
    }

    func run() async throws -> ExitStatus {
        let destinations = try configuration.destinations
        switch action {
        case .add: try add(to: destinations)
        case .list:
            let found = try destinations.all().map { DestinationState(of: $0) }
            if json {
                try Console.print(json: DestinationState.json(found))
            } else if found.isEmpty {
                Console.log("no destinations; add one with 'healthvault destination add NAME PATH'")
            } else {
                try Console.print(DestinationState.table(found))
            }
        case .check:
            let state = DestinationState(of: try destinations.destination(name ?? ""))
            if json { try Console.print(json: DestinationState.json([state])) }
            let location = try state.location()
            if !json { try Console.print(state.details(location)) }
        case .remove:
            try destinations.remove(name ?? "")
            Console.log("forgot \(name ?? ""); nothing on it was changed")
        }
        return .done
    }

    private func add(to destinations: Destinations) throws {
        let added = try destinations.add(name ?? "", path ?? "")
        Console.log("added \(added.destination.name): \(added.destination.path)")
        if added.isOpen {
            Console.log(
                "note: this drive keeps no permissions, so everyone who uses this computer can read what is on it. "
                    + "Encrypted archives stay closed to them")
        }
    }
}
