import Testing

@Suite("Rooms")
struct RoomTests {
    @Test("the folders of a module use each other in one direction", arguments: Groups.swiftModules)
    func circles(module: String) throws {
        let uses = try FolderUses(module)
        #expect(uses.circle == nil)
    }

    @Test("a circle is found, however long")
    func longCircles() {
        var uses = FolderUses()
        uses.add(from: "A", to: "B", type: "X")
        uses.add(from: "B", to: "C", type: "Y")
        uses.add(from: "A", to: "C", type: "Y")
        #expect(uses.circle == nil)
        uses.add(from: "C", to: "A", type: "Z")
        #expect(uses.circle == "A -X-> B -Y-> C -Z-> A")
    }

    @Test("a module is small enough to be known", arguments: Groups.swiftModules)
    func size(module: String) throws {
        let lines = try PackageTree.sources().filter { $0.module == module && $0.isSwift }.map(\.lineCount)
        #expect(lines.reduce(0, +) <= 5500)
    }
}

/// Which folders of a module use types that others define.
private struct FolderUses {
    /// By folder those that it uses, each with one of the types.
    private var uses: [String: [String: String]] = [:]

    init() {}

    init(_ module: String) throws {
        let files = try PackageTree.code().filter { $0.file.isSwift && $0.file.module == module }
        var homes: [String: Set<String>] = [:]
        for (file, code) in files {
            for type in code.topLevelTypes { homes[type, default: []].insert(file.folder) }
        }
        for (file, code) in files {
            for token in code.tokens {
                // A name with two homes may be meant in either.
                guard let folders = homes[token.text], folders.count == 1, let home = folders.first,
                    home != file.folder
                else { continue }
                add(from: file.folder, to: home, type: token.text)
            }
        }
    }

    mutating func add(from user: String, to home: String, type: String) {
        uses[user, default: [:]][home] = min(uses[user]?[home] ?? type, type)
    }

    /// A way from a folder back to it, with the types on the way; nil where there is none.
    var circle: String? {
        for start in uses.keys.sorted() {
            if let way = way(from: start, to: start, passing: [start]) { return start + way }
        }
        return nil
    }

    private func way(from folder: String, to goal: String, passing passed: Set<String>) -> String? {
        for (next, type) in (uses[folder] ?? [:]).sorted(by: { $0.key < $1.key }) {
            if next == goal { return " -\(type)-> \(next)" }
            guard !passed.contains(next) else { continue }
            if let rest = way(from: next, to: goal, passing: passed.union([next])) {
                return " -\(type)-> \(next)" + rest
            }
        }
        return nil
    }
}
