import HealthVault
package import SystemIO
package import VaultCrypto
import Wording

/// The passphrases of several archives, from a file with a line `ARCHIVE TAB PASSPHRASE` for each.
///
/// The text of the file is in locked memory, and wiped with the list.
package final class PassphraseList: Sendable {
    private let text: LockedPages
    private let places: [BytePath: Range<Int>]

    private static let most = 1 << 26

    /// Reads a list.
    ///
    /// - Throws: `PassphraseListError`, `SystemError`.
    package init(reading path: BytePath) throws {
        let file = try FileDescriptor(opening: path, .read)
        let size = try file.status().size
        guard size <= Self.most else { throw PassphraseListError(path: path, problem: .tooLarge) }
        var text = try LockedPages(count: size)
        let count = try text.withMutableSpan { span throws(SystemError) in
            try file.read(into: &span, at: 0)
        }
        places = try text.withSpan { bytes throws(PassphraseListError) in
            do throws(PassphraseListError.Problem) {
                return try Self.places(in: bytes.extracting(0..<count))
            } catch { throw PassphraseListError(path: path, problem: error) }
        }
        self.text = text
    }

    private static func places(
        in bytes: Span<UInt8>
    ) throws(PassphraseListError.Problem) -> [BytePath: Range<Int>] {
        var places: [BytePath: Range<Int>] = [:]
        var (start, line) = (0, 0)
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            line += 1
            defer { start = end + 1 }
            if end == start { continue }
            var tab = start
            while tab < end, bytes[tab] != UInt8(ascii: "\t") { tab += 1 }
            guard tab > start, tab + 1 < end else { throw .malformedLine(line) }
            let archive = BytePath(bytes: (start..<tab).map { bytes[$0] })
            // The line end belongs to it, because that may have two characters.
            let place = (tab + 1)..<min(end + 1, bytes.count)
            do throws(Passphrase.Problem) {
                _ = try Passphrase(preparingLine: bytes.extracting(place)).hasUnassigned
            } catch { throw .unusablePassphrase(line, error) }
            guard places.updateValue(place, forKey: archive) == nil else { throw .repeatedArchive(line) }
        }
        return places
    }

    /// The archives that have a passphrase, as they stand in the file.
    package var archives: some Sequence<BytePath> { places.keys }

    /// Returns the passphrase of an archive; nil if it is not in the list.
    ///
    /// - Throws: `PassphraseProblem`.
    package func passphrase(of archive: BytePath) throws -> Passphrase? {
        guard let place = places[archive] else { return nil }
        do {
            return try text.withSpan { bytes throws(Passphrase.Problem) in
                try Passphrase(preparingLine: bytes.extracting(place))
            }
        } catch { throw PassphraseProblem.unusable(error) }
    }
}
