import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import Wording

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
        summary: "Manages drives and folders for exports.",
        discussion: """
            'add' registers a folder under a name, by its drive's UUID and a marker file, so another drive at the same \
            path is not mistaken for it. 'list' shows all destinations, 'check' looks for one, 'remove' unregisters \
            one and changes nothing on it. Export to a destination with 'healthvault export --to NAME'.
            """,
        examples: [
            HelpExample(
                "healthvault destination add stick /media/me/STICK/health", "Register a folder on a drive"),
            HelpExample("healthvault destination list", "Show which drives are connected"),
        ],
        elements: [
            .argument(\.action, "ACTION", "add, list, check or remove", as: .choice),
            .optionalArgument(\.name, "NAME", "the name of the destination", as: .destination),
            .optionalArgument(\.path, "PATH", "with 'add': the folder", as: .folder),
            .json(\.json),
            .including(\.configuration, ConfigurationOption.elements),
        ])

    func validate() throws(UsageError) {
        if action != .list, name == nil {
            throw UsageError(
                .missingArgument, "'destination \(action.rawValue)' requires the name of a destination",
                hint: "'healthvault destination list' shows all")
        }
        if action == .add, path == nil {
            throw UsageError(
                .missingArgument, "'destination add' requires a folder",
                hint: "for example: healthvault destination add stick /media/me/STICK/health")
        }
        if action == .list && name != nil || action != .add && path != nil {
            throw UsageError(
                .invalidCombination, "'destination \(action.rawValue)' takes no such argument")
        }
        if json, action == .add || action == .remove {
            throw UsageError(
                .invalidCombination, "'destination \(action.rawValue)' cannot be combined with --json")
        }
    }

    func run() async throws -> ExitStatus {
        let destinations = try configuration.destinations
        switch action {
        case .add: try add(to: destinations)
        case .list:
            let found = try destinations.all().map { DestinationState(of: $0) }
            if !json, found.isEmpty {
                Console.log("no destinations; add one with 'healthvault destination add NAME PATH'")
            } else {
                try ReportOptions(json: json).print(DestinationState.table(found))
            }
        case .check:
            let state = DestinationState(of: try destinations.destination(name ?? ""))
            if json { try ReportOptions(json: json).print(DestinationState.table([state])) }
            let location = try state.location()
            if !json { try Console.print(state.details(location)) }
        case .remove:
            try destinations.remove(name ?? "")
            Console.log("removed \(name ?? ""); nothing on the drive was changed")
        }
        return .done
    }

    private func add(to destinations: Destinations) throws {
        if let path { try OutputFolder.makeIfAgreed(path) }
        let added = try destinations.add(name ?? "", path ?? "")
        Console.log("added \(added.destination.name): \(added.destination.path)")
        if added.isOpen {
            Console.log(
                "note: this drive stores no permissions, so every user of this computer can read unencrypted files on it"
            )
        }
    }
}
