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
        named names: [String], among entries: [ContainerEntry]
    ) throws(ContainerError) -> [ContainerEntry] {
        var places: [[UInt8]: [Int]] = [:]
        var sourcePlaces: [[UInt8]: [Int]] = [:]
        for (index, entry) in entries.enumerated() {
            let path = Array(StoredEntry.plainPath(ofEntry: entry.name).utf8)
            for name in Set([path, Array(entry.name.utf8)]) { places[name, default: []].append(index) }
            if path.starts(with: EntryPath.files.utf8) {
                sourcePlaces[Array(path.dropFirst(EntryPath.files.utf8.count)), default: []].append(index)
            }
        }
        func find(_ name: String) -> [Int]? {
            let name = Array(name.utf8)
            return places[name] ?? sourcePlaces[name]
        }
        var wanted: Set<Int> = []
        for text in names {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
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
