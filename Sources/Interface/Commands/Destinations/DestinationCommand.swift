import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import Tables
import Wording

/// The command `healthvault destination`.
struct DestinationCommand: VaultCommand {
    /// The actions on destinations.
    enum Action: String, CaseIterable, Sendable {
        case add
        case list
        case check
        case history
        case remove
    }

    var action = Action.list
    var name: String?
    var path: BytePath?
    var verify = false
    var json = false
    var stateFolder = StateFolderOption()
    var configuration = ConfigurationOption()
    var key = KeyOptions()

    static let grammar = CommandGrammar<Self>(
        name: "destination",
        summary: "Manages drives and folders for exports.",
        discussion: """
            A destination is a folder under a name. It is known by its drive's UUID and a marker file, so another drive at \
            the same path is not mistaken for it. Export to it with 'healthvault encrypt --to NAME'.
            """,
        examples: [
            HelpExample(
                "healthvault destination add stick /media/me/STICK/health", "Register a folder on a drive"),
            HelpExample("healthvault destination list", "Show which drives are connected"),
            HelpExample(
                "healthvault destination history --verify", "Check all exports on connected drives"),
        ],
        elements: [
            .action(
                \.action,
                [
                    (.add, "Registers a folder under a name."),
                    (.list, "Shows all destinations, and which are connected."),
                    (.check, "Says whether a destination is connected, and shows its drive and free space."),
                    (
                        .history,
                        "Shows when exports to destinations were made, how they ended, and whether their files still exist."
                    ),
                    (.remove, "Unregisters a destination; nothing on it changes."),
                ]),
            .only(
                for: [Action.add, .check, .remove],
                [.argument(\.name, "NAME", "the name of the destination", as: .destination)]),
            .only(
                for: [Action.history],
                [
                    .optionalArgument(\.name, "NAME", "the name of the destination", as: .destination),
                    .flag(
                        \.verify, "verify",
                        "check each file that still exists, as 'healthvault verify' does"),
                    .including(\.stateFolder, StateFolderOption.elements),
                ]),
            .only(for: [Action.add], [.argument(\.path, "PATH", "the folder", as: .folder)]),
            .only(for: [Action.list, .check, .history], [.json(\.json)]),
            .including(\.configuration, ConfigurationOption.elements),
            .only(
                for: [Action.history],
                [.including(\.key, KeyOptions.elements)]),
        ])

    func validate() throws(UsageError) {
        try key.validate()
        guard !verify, key.isGiven else { return }
        throw UsageError(.invalidCombination, "a passphrase or key ring works only with --verify")
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
        case .history:
            let history = DestinationHistory(
                name: name, verify: verify, json: json, state: try stateFolder.required(),
                destinations: destinations, key: key)
            return try await history.show()
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
