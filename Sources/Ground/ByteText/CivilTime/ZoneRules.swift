/// The offsets of a time zone over the years, read from a TZif file (RFC 8536) as found on every Unix.
public struct ZoneRules: Sendable, Equatable {
    /// When the offset changes, in seconds since 1970, ascending.
    private var transitions: [Int] = []
    /// The offset from each transition on, in seconds east of UTC.
    private var offsets: [Int] = []
    /// The offset before the first transition.
    private var firstOffset = 0
    /// The rule after the last transition; nil if the offset no longer changes.
    private var future: DaylightRule?

    /// Reads a TZif file of version 2 or later, whose times have 64 bits.
    ///
    /// - Returns: nil if the bytes are not such a file.
    public init?(tzif bytes: Span<UInt8>) {
        guard let short = TZifHeader(bytes, at: 0), short.version >= UInt8(ascii: "2") else { return nil }
        let start = TZifHeader.length + short.bodyLength(timeLength: 4)
        guard let header = TZifHeader(bytes, at: start) else { return nil }
        let body = start + TZifHeader.length
        let end = body + header.bodyLength(timeLength: 8)
        guard header.types > 0, end < bytes.count, bytes[end] == UInt8(ascii: "\n") else { return nil }
        let numbers = body + header.transitions * 8
        let types = numbers + header.transitions
        func offset(ofType number: Int) -> Int? {
            guard number < header.types else { return nil }
            let offset = Int(Int32(truncatingIfNeeded: bytes.bigEndian(at: types + number * 6, count: 4)))
            return offset.magnitude < Self.offsetLimit ? offset : nil
        }
        guard let first = offset(ofType: 0) else { return nil }
        firstOffset = first
        for number in 0..<header.transitions {
            let time = Int(truncatingIfNeeded: bytes.bigEndian(at: body + number * 8, count: 8))
            guard transitions.last.map({ $0 < time }) ?? true,
                let offset = offset(ofType: Int(bytes[numbers + number]))
            else { return nil }
            transitions.append(time)
            offsets.append(offset)
        }
        let footer = bytes.extracting((end + 1)...)
        let footerEnd = footer.firstIndex(of: UInt8(ascii: "\n"), from: 0)
        guard footerEnd < footer.count else { return nil }
        guard footerEnd > 0 else { return }
        guard let rule = DaylightRule(footer.array(0..<footerEnd)) else { return nil }
        future = rule
    }

    /// The exclusive limit of offsets: no zone is a week ahead, so a larger offset means a broken file.
    private static let offsetLimit = 7 * 86400

    /// Returns the offset at an instant, in seconds east of UTC.
    ///
    /// - Parameter seconds: The instant, in seconds since 1970.
    public func offset(at seconds: Int) -> Int {
        let count = transitionCount(upTo: seconds)
        if count == transitions.count, let future { return future.offset(at: seconds) }
        return count == 0 ? firstOffset : offsets[count - 1]
    }

    /// Returns a range of instants around one that all have its offset.
    func range(around seconds: Int) -> Range<Int> {
        let count = transitionCount(upTo: seconds)
        guard count < transitions.count else {
            return future == nil ? (transitions.last ?? .min)..<Int.max : seconds..<(seconds + 1)
        }
        return (count == 0 ? Int.min : transitions[count - 1])..<transitions[count]
    }

    private func transitionCount(upTo seconds: Int) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The header of either half of a TZif file.
private struct TZifHeader {
    static let length = 44

    let version: UInt8
    let transitions: Int
    let types: Int
    private let otherCounts: (utc: Int, standard: Int, leaps: Int, characters: Int)

    init?(_ bytes: Span<UInt8>, at start: Int) {
        guard start <= bytes.count - Self.length, bytes.matches(at: start, Array("TZif".utf8)) else {
            return nil
        }
        version = bytes[start + 4]
        func count(_ number: Int) -> Int {
            Int(truncatingIfNeeded: bytes.bigEndian(at: start + 20 + number * 4, count: 4))
        }
        otherCounts = (count(0), count(1), count(2), count(5))
        transitions = count(3)
        types = count(4)
    }

    /// Returns the number of bytes between this header and the data after its body; counts have 32 bits, so the sum
    /// cannot overflow.
    func bodyLength(timeLength: Int) -> Int {
        transitions * (timeLength + 1) + types * 6 + otherCounts.characters
            + otherCounts.leaps * (timeLength + 4) + otherCounts.standard + otherCounts.utc
    }
}

extension Span<UInt8> {
    fileprivate func bigEndian(at start: Int, count: Int) -> UInt64 {
        (start..<start + count).reduce(0) { $0 << 8 | UInt64(self[$1]) }
    }
}
