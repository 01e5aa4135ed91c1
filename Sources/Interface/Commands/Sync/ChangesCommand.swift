import CommandLineKit
import HealthVault
import SystemIO
import Wording

/// The command `healthvault changes`.
struct ChangesCommand: VaultCommand {
    var source = SourceOptions()
    var since = ""
    var sinceKey = KeyOptions(named: PassphraseOptions.other)
    var types = ChosenTypes()
    var limit: Int?
    var json = false

    static let grammar = CommandGrammar<Self>(
        name: "changes",
        summary: "Lists samples that were added or deleted since an earlier export.",
        discussion: """
            Compares an export or archive with an earlier one. Samples have the same identifier in every export of a \
            phone; one that was changed is listed as deleted and as added. The last line is an anchor, which stands \
            for the newer export; --since takes it the next time, as long as that export or archive is kept. With \
            --limit, the anchor continues after the page: repeat until nothing is left. --json prints a line \
            for each sample, and the anchor in the last one. A passphrase or key ring that is given is used for both archives.
            """,
        examples: [
            HelpExample(
                "healthvault changes export.zip --since health.hvault", "Show what a new export adds"),
            HelpExample(
                "healthvault changes new.zip --since old.zip --types heartRate --json", "List the samples"),
        ],
        elements: [
            .including(\.source, SourceOptions.argument),
            .option(
                \.since, "since", value: "EARLIER", required: true,
                "an earlier export or archive, or an anchor",
                as: ValueParser(expected: "a path or an anchor", completion: .files) { $0.isEmpty ? nil : $0 }
            ),
            .including(\.types, ChosenTypes.elements),
            .option(
                \.limit, "limit", value: "N", "at most N changes, and an anchor that continues after them",
                as: .integer(in: 1...Int.max)),
            .flag(\.json, "json", "print JSON lines"),
            .including(\.source, SourceOptions.options),
            .including(\.sinceKey, KeyOptions.other("passphrase of EARLIER")),
        ])

    func validate() throws(UsageError) {
        try source.validate()
        try sinceKey.validate()
        if StoreAnchor.isAnchor(since), StoreAnchor(since) == nil {
            throw UsageError(.invalidValue, "this is not a complete anchor", hint: "copy the whole line")
        }
    }

    func run() async throws -> ExitStatus {
        let given = StoreAnchor(since)
        var earlier = SourceOptions()
        earlier.path = BytePath(given?.name ?? since)
        earlier.key = sinceKey.or(source.key)
        let older = try earlier.open()
        let newer = try source.open()
        for (store, path) in [(older, earlier.path), (newer, source.path)] where try await store.isPartial() {
            Console.log("warning: \(path) is a part of an export: what it lacks counts as added or deleted")
        }
        let name = Self.name(of: source)
        let types = try await types.types(in: [older, newer])
        var output = ChangeOutput(json: json, try await newer.days())
        guard limit != nil || given?.page != nil else {
            if let given, try await !given.matches(older) {
                throw StoreAnchorError.otherStore(name: given.name)
            }
            for try await span in newer.differences(from: older, of: types) {
                try output.print(span.type, deleted: span.deleted, added: span.added)
            }
            try output.finish(try await StoreAnchor(newer, named: name))
            return .done
        }
        let anchor =
            if let given { given } else { try await StoreAnchor(older, named: Self.name(of: earlier)) }
        let page = try await newer.changes(
            since: anchor, in: older, named: name, of: types, limit: limit)
        let deleted = Dictionary(grouping: page.deleted, by: \.id.type)
        let added = Dictionary(grouping: page.added, by: \.id.type)
        for type in Set(deleted.keys).union(added.keys).sorted(by: { $0.identifier < $1.identifier }) {
            try output.print(type, deleted: deleted[type] ?? [], added: added[type] ?? [])
        }
        try output.finish(page.anchor)
        return .done
    }

    /// Returns the name by which an anchor finds a source again: the absolute path, or the given one, which leads there from
    /// the same folder, if that of the folder is not UTF-8.
    private static func name(of source: SourceOptions) -> String {
        Folder.absolute(source.path).text ?? source.path.text ?? ""
    }
}
