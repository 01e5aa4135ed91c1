public import SystemIO
import VaultContainer

/// The names of further containers: `health.2.hvault` continues `health.hvault`, and `health.3.hvault` continues that.
public enum FurtherName: Sendable {
    /// The suffix of container names.
    public static let suffix: BytePath = ".hvault"

    /// Returns the first name for a further container that no file has, finished or unfinished.
    ///
    /// - Parameters:
    ///   - target: The path of the first container.
    ///   - number: The lowest number to use.
    public static func free(for target: BytePath, from number: Int) -> BytePath {
        let stem = stem(of: target)
        var number = max(2, number)
        while true {
            let path: BytePath = "\(stem).\(number)\(suffix)"
            let places = [path, path + ContainerFormat.temporarySuffix, VolumeName.volume(1, of: path)]
            let isTaken = places.contains { place in
                (try? FileStatus(at: place, followingLinks: false)) != nil
            }
            if !isTaken { return path }
            number += 1
        }
    }

    /// Returns the name of the first container of a series, without its suffix, and the number of this one; nil if the
    /// name has another form.
    static func parts(of name: BytePath) -> (stem: BytePath, number: Int)? {
        let whole = VolumeName.whole(ofFirst: name) ?? name
        let stem = stem(of: whole)
        guard stem != whole, !stem.isEmpty else { return nil }
        guard let dot = stem.bytes.lastIndex(of: UInt8(ascii: ".")),
            let number = Int(String(decoding: stem.bytes[(dot + 1)...], as: UTF8.self)), number > 1,
            case let first = BytePath(bytes: stem.bytes[..<dot]), "\(first).\(number)" == stem
        else { return (stem, 1) }
        return (first, number)
    }

    /// Returns a free path for the container that continues the one at a path: the next number of its series.
    public static func next(after path: BytePath) -> BytePath {
        let (stem, number) = parts(of: path.name) ?? (path.name, 1)
        let next = path.sibling("\(stem).\(number + 1)\(suffix)")
        // An unfinished one does not count: it is continued.
        let places = [next, VolumeName.volume(1, of: next)]
        let isTaken = places.contains { (try? FileStatus(at: $0, followingLinks: false)) != nil }
        return isTaken ? free(for: path.sibling(stem), from: number + 2) : next
    }

    /// Returns a container whose name marks it as a continuation of the one at a path; nil if there is none.
    package static func follower(of path: BytePath) -> BytePath? {
        let most = ContainerChain.longest
        let whole = VolumeName.whole(ofFirst: path.name) ?? path.name
        var series = [(stem: stem(of: whole), numbers: 2...most)]
        // The second of a series is continued by the third.
        if let found = parts(of: path.name), (2..<most).contains(found.number) {
            series.append((stem: found.stem, numbers: (found.number + 1)...most))
        }
        return series.lazy.flatMap { stem, numbers in
            numbers.lazy.map { path.sibling("\(stem).\($0)\(suffix)") }
        }.first { isContainer($0) } ?? addition(to: path, whole)
    }

    /// Returns an archive at a destination whose name marks it as a later one of the same chain.
    private static func addition(to path: BytePath, _ whole: BytePath) -> BytePath? {
        guard let name = ArchiveName(stem(of: whole.name)), let entries = try? Folder.entries(of: path.parent)
        else {
            return nil
        }
        return entries.lazy.map { VolumeName.whole(ofFirst: $0.name) ?? $0.name }.first { other in
            guard let other = ArchiveName(stem(of: other)), other.addition != nil else { return false }
            return other.first == name.first && other > name
        }.map { path.sibling($0) }.flatMap { isContainer($0) ? $0 : nil }
    }

    private static func isContainer(_ path: BytePath) -> Bool {
        (try? FileStatus(at: VolumeName.start(of: path)))?.kind == .file
            && (try? CleartextHeader(of: path)) != nil
    }

    /// Returns a path without the suffix of container names, in upper or lower case.
    private static func stem(of path: BytePath) -> BytePath {
        path.hasExtension(suffix) ? BytePath(bytes: path.bytes.dropLast(suffix.count)) : path
    }
}
