import SystemIO
import VaultContainer

/// The names of further containers: `health.hvault` is continued by `health.2.hvault`, that by `health.3.hvault`.
public enum FurtherName: Sendable {
    /// What the name of a container ends with.
    public static let suffix = ".hvault"

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
        let most = ContainerChain.longest
        var series = [(prefix: name + ".", numbers: 2...most)]
        // The second of a series is continued by the third.
        if let dot = name.lastIndex(of: "."), let number = Int(name[name.index(after: dot)...]),
            (2..<most).contains(number)
        {
            series.append((prefix: String(name[...dot]), numbers: (number + 1)...most))
        }
        return series.lazy.flatMap { prefix, numbers in numbers.lazy.map { "\(prefix)\($0)\(suffix)" } }
            .map { Folder.path(of: $0, beside: path) }.first { isContainer($0) }
    }

    private static func isContainer(_ path: String) -> Bool {
        (try? FileStatus(at: path))?.kind == .file && (try? CleartextHeader(of: path)) != nil
    }

    /// A path without what the name of a container ends with.
    private static func stem(of path: String) -> String {
        path.endsWithBytes(of: suffix)
            ? String(decoding: path.utf8.dropLast(suffix.utf8.count), as: UTF8.self) : path
    }
}
