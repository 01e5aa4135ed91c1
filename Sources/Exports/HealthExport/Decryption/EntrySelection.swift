import HealthArchive
import SystemIO
import VaultContainer

/// Selects entries of a container by their names.
enum EntrySelection: Sendable {
    /// Returns the entries with these names, in the order of `entries`.
    ///
    /// A name is the path in the plain folder, the same without `files/` (which is the name in the source), or the
    /// entry's own name. A text that matches no entry is split at its commas, as names may contain commas too.
    ///
    /// - Throws: `ContainerError.noSuchEntry` for a name that no entry has.
    static func entries(
        named names: [BytePath], among entries: [ContainerEntry]
    ) throws(ContainerError) -> [ContainerEntry] {
        var places: [BytePath: [Int]] = [:]
        var sourcePlaces: [BytePath: [Int]] = [:]
        for (index, entry) in entries.enumerated() {
            let path = StoredEntry.plainPath(ofEntry: entry.name)
            for name in Set([path, entry.name]) { places[name, default: []].append(index) }
            if let name = path.dropping(prefix: EntryPath.files) {
                sourcePlaces[name, default: []].append(index)
            }
        }
        func find(_ name: BytePath) -> [Int]? { places[name] ?? sourcePlaces[name] }
        var wanted: Set<Int> = []
        for text in names {
            let parts = text.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .map { BytePath(bytes: $0) }
            for name in find(text) == nil ? parts : [text] {
                guard let found = find(name) else {
                    throw ContainerError(.noSuchEntry, entry: name)
                }
                wanted.formUnion(found)
            }
        }
        return wanted.sorted().map { entries[$0] }
    }
}
