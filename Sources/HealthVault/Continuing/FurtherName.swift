import SystemIO
import VaultContainer

/// The names of further containers: `health.hvault` is continued by `health.2.hvault`, that by `health.3.hvault`.
public enum FurtherName: Sendable {
    /// What the name of a container ends with.
    static let suffix = ".hvault"

    /// The first name for a further container that nothing bears, neither finished nor unfinished.
    ///
    /// - Parameters:
    ///   - target: The path of the first container.
    ///   - number: The lowest number to take.
    public static func free(for target: String, from number: Int) -> String {
        let stem = stem(of: target)
        var number = max(2, number)
        while true {
            let path = stem + ".\(number)" + suffix
            let isTaken = [path, path + ContainerWriter.temporarySuffix].contains { place in
                (try? FileStatus(at: place, followingLinks: false)) != nil
            }
            if !isTaken { return path }
            number += 1
        }
    }

    /// A container beside the one at a path that bears the name of one which continues it, nil where none does.
    static func follower(of path: String) -> String? {
        let name = stem(of: Folder.name(of: path))
        var (prefix, least) = (name + ".", 2)
        if let dot = name.lastIndex(of: "."), let number = Int(name[name.index(after: dot)...]) {
            (prefix, least) = (String(name[...dot]), number + 1)
        }
        let numbers = ((try? Folder.entries(of: Folder.parent(of: path))) ?? []).compactMap { entry -> Int? in
            guard entry.text.startsWithBytes(of: prefix), entry.text.endsWithBytes(of: suffix) else {
                return nil
            }
            return Int(stem(of: entry.text).dropFirst(prefix.count))
        }
        return numbers.filter { $0 >= least }.sorted()
            .map { Folder.path(of: prefix + "\($0)" + suffix, beside: path) }
            .first {
                (try? FileStatus(at: $0))?.kind == .file && !CleartextHeader.vaultIdentifiers(of: $0).isEmpty
            }
    }

    /// A path without what the name of a container ends with.
    private static func stem(of path: String) -> String {
        path.endsWithBytes(of: suffix)
            ? String(decoding: path.utf8.dropLast(suffix.utf8.count), as: UTF8.self) : path
    }
}
