import SystemIO
import VaultContainer

/// The entries of a container that go by some names.
enum EntrySelection: Sendable {
    /// The entries in their order.
    ///
    /// A name is the path that the plain folder has it under, the same without `files/` (which is how the source called
    /// it), or the entry's own. A text that is no name may be several, with commas between them: names have commas too.
    ///
    /// - Throws: `ContainerError.noSuchEntry` for a name that nothing has.
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
