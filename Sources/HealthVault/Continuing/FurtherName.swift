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
        let stem =
            target.endsWithBytes(of: suffix)
            ? String(decoding: target.utf8.dropLast(suffix.utf8.count), as: UTF8.self) : target
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
}
