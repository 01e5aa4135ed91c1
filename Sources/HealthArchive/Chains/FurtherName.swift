public import SystemIO
import VaultContainer

/// The names of further containers: `health.hvault` is continued by `health.2.hvault`, that by `health.3.hvault`.
public enum FurtherName: Sendable {
    /// The suffix of container names.
    public static let suffix: BytePath = ".hvault"

    /// Returns the first name for a further container that no file has, neither finished nor unfinished.
    ///
    /// - Parameters:
    ///   - target: The path of the first container.
    ///   - number: The lowest number to use.
    public static func free(for target: BytePath, from number: Int) -> BytePath {
        let stem = stem(of: target)
        var number = max(2, number)
        while true {
            let path: BytePath = "\(stem).\(number)\(suffix)"
            let isTaken = [path, path + ContainerWriter.temporarySuffix].contains { place in
                (try? FileStatus(at: place, followingLinks: false)) != nil
            }
            if !isTaken { return path }
            number += 1
        }
    }

    /// Returns a container beside the one at a path whose name marks it as a continuation; nil if there is none.
    static func follower(of path: BytePath) -> BytePath? {
        let name = stem(of: path.name)
        let most = ContainerChain.longest
        var series = [(stem: name, numbers: 2...most)]
        // The second of a series is continued by the third.
        if let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")),
            let number = Int(String(decoding: name.bytes[(dot + 1)...], as: UTF8.self)),
            (2..<most).contains(number)
        {
            series.append((stem: BytePath(bytes: name.bytes[..<dot]), numbers: (number + 1)...most))
        }
        return series.lazy.flatMap { stem, numbers in
            numbers.lazy.map { path.sibling("\(stem).\($0)\(suffix)") }
        }.first { isContainer($0) }
    }

    private static func isContainer(_ path: BytePath) -> Bool {
        (try? FileStatus(at: path))?.kind == .file && (try? CleartextHeader(of: path)) != nil
    }

    /// Returns a path without the suffix of container names.
    private static func stem(of path: BytePath) -> BytePath { path.dropping(suffix: suffix) ?? path }
}
