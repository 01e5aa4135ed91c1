public import ByteText
import CUTF8Proc

/// A passphrase, prepared by RFC 8265's OpaqueString profile, so that it has the same bytes on every keyboard.
///
/// Non-ASCII spaces become U+0020 and the text is normalised to NFC; case is kept. All of it happens in locked
/// memory. A text of the form of a ``GeneratedPassphrase`` may be typed without its hyphens, with spaces and in capitals.
public struct Passphrase: ~Copyable, Sendable {
    /// What is wrong with the text of a passphrase.
    public enum Problem: ClassifiedError, Sendable, Equatable {
        /// It is empty.
        case empty
        /// It is longer than `longest` bytes.
        case tooLong
        /// It is not UTF-8.
        case notUTF8
        /// It contains a control character, such as a tab, a line end or NUL.
        case controlCharacter
        /// It contains a code point that is not assigned in this program's Unicode tables; reported only when a
        /// passphrase is set.
        case unassigned
        /// There is no memory for it.
        case outOfMemory
    }

    /// The longest passphrase in bytes, before preparation.
    public static let longest = 4096
    /// The shortest passphrase for a new container, in bytes: some FIPS providers refuse shorter ones.
    public static let shortestForWriting = 8

    /// The prepared bytes.
    public let bytes: SecretBytes
    /// Whether it contains a code point that is not assigned in this program's Unicode tables.
    ///
    /// Tables that include it may compose it, so that the same text would become another passphrase. RFC 8265
    /// therefore refuses it where a passphrase is set (sections 4.1 and 4.2 with RFC 8264, section 8).
    public let hasUnassigned: Bool
    /// The keys that were derived from it.
    package let derivations: KeyDerivations

    /// Prepares the text of a passphrase.
    public init(preparing text: Span<UInt8>) throws(Problem) {
        guard !text.isEmpty else { throw .empty }
        guard text.count <= Self.longest else { throw .tooLong }
        var kinds = Kinds()
        bytes = try Self.prepare(text, &kinds)
        hasUnassigned = kinds.hasUnassigned
        derivations = KeyDerivations()
    }

    /// Prepares the text of a line without its line end (LF or CRLF), as read from a passphrase file.
    public init(preparingLine line: Span<UInt8>) throws(Problem) {
        var count = line.count
        if count > 0, line[count - 1] == 10 {
            count -= 1
            if count > 0, line[count - 1] == 13 { count -= 1 }
        }
        try self.init(preparing: line.extracting(0..<count))
    }

    /// Copies a passphrase, for a second use, with the keys that were derived from it.
    ///
    /// - Throws: `CryptoError` if memory is short.
    public init(copying other: borrowing Passphrase) throws(CryptoError) {
        bytes = try other.bytes.part(0..<other.bytes.count)
        hasUnassigned = other.hasUnassigned
        derivations = other.derivations
    }

    /// Whether both are the same, compared as bytes: Swift's `==` on strings would treat two spellings as equal.
    public func equals(_ other: borrowing Passphrase) -> Bool { bytes.equals(other.bytes) }

    private static func prepare(
        _ text: Span<UInt8>, _ kinds: inout Kinds
    ) throws(Problem) -> SecretBytes {
        // Decomposition turns one code point into at most 18; they are 32-bit numbers.
        let room = text.count * 18 * 4
        do {
            var work = try SecretBytes(zeroes: room)
            let count = work.withMutableSpan { unsafe normalise(text, in: &$0) }
            guard count >= 0 else { throw Problem.notUTF8 }
            guard count > 0 else { throw Problem.empty }
            var prepared = try SecretBytes(zeroes: count * 4)
            let (length, found) = work.withSpan { work in
                prepared.withMutableSpan { unsafe encode(work, count: count, into: &$0) }
            }
            guard !found.hasControl else { throw Problem.controlCharacter }
            kinds = found
            let bytes = try prepared.part(0..<length)
            if let grouped = try GeneratedPassphrase.grouped(bytes) { return grouped }
            return bytes
        } catch let problem as Problem { throw problem } catch { throw .outOfMemory }
    }

    /// Fills `work` with the NFC code points of `text`, 4 bytes each, and returns their number; negative if it is
    /// not UTF-8.
    @unsafe private static func normalise(_ text: Span<UInt8>, in work: inout MutableSpan<UInt8>) -> Int {
        unsafe work.withUnsafeMutableBytes { work in
            unsafe text.withUnsafeBufferPointer { text in
                let points = unsafe work.assumingMemoryBound(to: utf8proc_int32_t.self)
                let options = utf8proc_option_t(UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue)
                let count = unsafe utf8proc_decompose(
                    text.baseAddress, text.count, points.baseAddress, points.count, options)
                guard count >= 0, count <= points.count else { return -1 }
                for index in 0..<count
                where unsafe utf8proc_category(points[index]) == UTF8PROC_CATEGORY_ZS {
                    unsafe points[index] = 0x20
                }
                return unsafe utf8proc_normalize_utf32(points.baseAddress, count, options)
            }
        }
    }

    /// The kinds of code points in a text that are not always allowed.
    private struct Kinds {
        var hasControl = false
        var hasUnassigned = false
    }

    /// Writes `count` code points as UTF-8, and returns the length and the kinds found.
    @unsafe private static func encode(
        _ points: Span<UInt8>, count: Int, into target: inout MutableSpan<UInt8>
    ) -> (length: Int, kinds: Kinds) {
        unsafe points.withUnsafeBytes { points in
            unsafe target.withUnsafeMutableBufferPointer { target in
                var length = 0
                var kinds = Kinds()
                for index in 0..<count {
                    let point = unsafe points.load(fromByteOffset: index * 4, as: utf8proc_int32_t.self)
                    switch utf8proc_category(point) {
                    case UTF8PROC_CATEGORY_CC: kinds.hasControl = true
                    case UTF8PROC_CATEGORY_CN: kinds.hasUnassigned = true
                    default: break
                    }
                    length += unsafe utf8proc_encode_char(
                        point, target.baseAddress.map { unsafe $0 + length })
                }
                return (length, kinds)
            }
        }
    }
}

extension Passphrase.Problem {
    /// What it means.
    public var kind: ErrorKind { self == .outOfMemory ? .failed : .usage }
}
