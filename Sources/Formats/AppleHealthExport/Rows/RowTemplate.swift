import ByteText
import SampleBatches

/// The start tag of a kind of row as bytes with holes.
///
/// If the next element matches, its names and shared texts need not be parsed again. A class, so that it can be tried
/// without being copied.
final class RowTemplate: Sendable {
    /// The kind of value in a hole.
    enum Hole: Hashable, Sendable {
        /// A time with this offset.
        case time(offsetMinutes: Int)
        /// A text with nothing to resolve or escape; a number if it is `measured` and spelled like a number.
        case text(measured: Bool)
        /// The pointer of a device description.
        case pointer
    }

    let kind: RowKind
    let key: Key
    /// The bytes with holes.
    let pattern: Pattern

    /// The properties that distinguish templates.
    struct Key: Equatable, Sendable {
        /// The bytes around the holes, concatenated.
        let literal: [UInt8]
        /// For each hole, the offset in `literal` where the piece before it ends.
        let cuts: [Int]
        /// The kinds of values in the holes; times with different offsets are different kinds.
        let holes: [Hole]

        static func == (left: Self, right: Self) -> Bool {
            left.literal.count == right.literal.count
                && left.literal.span.matches(at: 0, right.literal) && left.cuts == right.cuts
                && left.holes == right.holes
        }

        /// The bytes before the first hole.
        var textBeforeValues: ArraySlice<UInt8> { literal[..<(cuts.first ?? literal.count)] }
    }

    /// Creates the template of a kind.
    ///
    /// - Parameter other: One whose memory for the times is shared if they are alike, because there may be thousands.
    init(kind: RowKind, key: Key, like other: RowTemplate?) {
        self.kind = kind
        self.key = key
        pattern = Pattern(kind.context, key, like: other)
    }
}

extension RowTemplate {
    /// The bytes of a start tag, and the holes in them.
    ///
    /// It is not copyable, so that nothing is counted when an element is matched.
    struct Pattern: ~Copyable, Sendable {
        /// The bytes around the holes, concatenated.
        private let literal: [UInt8]
        /// The holes, each with the range of the literal before it.
        private let steps: [Step]
        /// Where the literal after the last hole starts.
        private let tail: Int
        private let ending: Ending
        /// The number of holes before the first time; 0 if there is no time, or a day among them, which must be read.
        private let leadCount: Int
        /// The first times, if there is nothing but literals between them.
        private let times: SimilarTimes
        /// Whether there is a single hole behind them, which mostly has a number.
        private let endsWithNumber: Bool
        /// The offset of the start time; nil if there is none.
        let startOffset: Int?
        /// Number of holes.
        var count: Int { steps.count }
        /// The size of the values without the bytes of tokens, as `RowValues` counts it.
        private let fixedSize: Int

        /// What follows the last hole of an empty element up to the next one, as Apple indents it: mostly a quote and `/>` before
        /// the white space.
        private struct Ending: Sendable {
            let word: UInt64
            let mask: UInt64
            /// Number of bytes.
            let count: Int

            init(_ tail: ArraySlice<UInt8>) {
                let bytes = tail + Array("/>\n ".utf8)
                count = bytes.count
                // No bytes are those of a longer one.
                let isShort = count < 8
                word = isShort ? bytes.span.partialWord(at: 0, count: count) : 1
                mask = isShort ? 1 << UInt64(8 * count) - 1 : 0
            }
        }

        private struct Step: Sendable {
            let literal: Range<Int>
            let hole: Hole
            /// Whether it says when the row starts.
            let isStart: Bool

            var isTime: Bool { if case .time = hole { true } else { false } }
        }

        init(_ context: BatchContext, _ key: Key, like other: RowTemplate?) {
            literal = key.literal
            // A start that is a text in place of a time has no template.
            let starts = context.startSlot ?? (context.startsOnDay ? context.startTextSlot : nil)
            var steps: [Step] = []
            for (number, hole) in key.holes.enumerated() {
                let start = number == 0 ? 0 : key.cuts[number - 1]
                steps.append(
                    Step(
                        literal: start..<key.cuts[number], hole: hole,
                        isStart: context.columns[number].slot == starts))
            }
            self.steps = steps
            tail = key.cuts.last ?? 0
            ending = Ending(literal[tail...])
            let lead = context.startsOnDay ? 0 : steps.firstIndex { $0.isTime } ?? 0
            let first = steps[lead...].prefix { $0.isTime }
            leadCount = lead
            let behind = steps[lead...].dropFirst().map { $0.literal.count } + [0]
            let lengths = Array(behind.prefix(first.count))
            let start = first.firstIndex { $0.isStart }.map { $0 - lead }
            if let other, other.pattern.times.follow(fromLiteralLengths: lengths, start: start) {
                times = other.pattern.times
            } else {
                times = SimilarTimes(literalLengths: lengths, start: start)
            }
            let isNumber = if case .text(measured: true)? = steps.last?.hole { true } else { false }
            endsWithNumber = isNumber && !times.isEmpty && lead + times.count + 1 == steps.count
            if let start = steps.first(where: { $0.isStart }) {
                if case .time(let offsetMinutes) = start.hole {
                    startOffset = offsetMinutes
                } else {
                    startOffset = 0
                }
            } else {
                startOffset = nil
            }
            fixedSize = steps.total { $0.isTime ? RowValues.sizeOfTime : RowValues.size(ofToken: 0) }
        }
    }
}

extension RowTemplate.Pattern {
    /// What the last row had up to its last time, which is mostly the same in the next row but for the times of the day.
    struct Lead {
        /// Where the row starts.
        var start = 0
        /// The number of bytes up to the first time; 0 if there is no row yet, or no time.
        var length = 0
        /// The number of bytes of tokens in them.
        var tokens = 0
        /// The place of the row in its block.
        var row = 0
        /// The midnights before its times, in seconds since 1970.
        var midnights = SimilarTimes.Numbers(repeating: 0)
    }

    /// The result of matching a start tag.
    struct Match {
        let end: Int
        let isEmpty: Bool
    }

    /// How far a start tag is matched.
    private struct Progress {
        /// The offset of the next byte.
        var index: Int
        /// The number of holes with the literals before them, and with the literal behind unless it is 0.
        var number = 0
        /// The cell of the next value.
        var cell: Int
        /// The number of bytes of tokens.
        var tokens = 0
        /// The last time, in seconds since 1970.
        var seconds = 0
    }

    /// The maximum length of a value that a template matches, in bytes; the general parser reads longer ones.
    static let longestText = 1 << 10

    /// Matches the element at `start`.
    ///
    /// - Parameters:
    ///   - lead: What the row before had up to its last time, if it is in the same window.
    ///   - row: The place of the row in the block.
    ///   - cells: Receives the start, the size and the values, as in a `RowBlock` for ``TemplateCache/mostHoles``.
    /// - Returns: nil if the element is of another kind or needs the general parser; then `lead` can no longer be used.
    @inline(__always)
    func match(
        _ bytes: Span<UInt8>, at start: Int, after lead: inout Lead, _ times: inout TimeReader, row: Int,
        _ cells: inout MutableSpan<Int>
    ) -> Match? {
        var progress = Progress(index: start, cell: RowBlock.headColumns * RowBlock.most + row)
        if lead.length > 0, bytes.matches(at: start, bytes, lead.start..<(lead.start + lead.length)),
            let last = self.times.read(
                bytes, at: start, after: lead, row: row, cell: progress.cell + leadCount * RowBlock.most,
                &cells)
        {
            progress.seconds = last
            for _ in 0..<leadCount {
                cells[progress.cell] = cells[progress.cell + lead.row - row] + (start - lead.start)
                progress.cell += RowBlock.most
            }
            progress.index += lead.length + self.times.length
            progress.cell += self.times.count * RowBlock.most
            progress.number = leadCount + self.times.count
            progress.tokens = lead.tokens
            lead.start = start
            lead.row = row
        }
        if endsWithNumber, progress.number + 1 == count, let end = endOfNumber(bytes, from: progress.index) {
            cells[progress.cell] = TokenPlace(progress.index..<end).code
            progress.tokens += end - progress.index
            progress.index = end
        } else {
            guard let whole = matchHoles(bytes, at: start, progress, &lead, &times, row: row, &cells) else {
                return nil
            }
            progress = whole
        }
        let index = progress.index
        cells[RowBlock.most + row] = fixedSize + progress.tokens
        if index + 8 <= bytes.count, bytes.word(at: index) & ending.mask == ending.word {
            return Match(end: index + ending.count, isEmpty: true)
        }
        return matchTail(bytes, at: index)
    }

    /// Matches the end of the element after its last value.
    private func matchTail(_ bytes: Span<UInt8>, at start: Int) -> Match? {
        let literal = literal.span
        guard bytes.matches(at: start, literal, tail..<literal.count) else { return nil }
        let index = start + literal.count - tail
        guard index + 1 < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: ">") { return Match(end: index + 1, isEmpty: false) }
        guard bytes[index] == UInt8(ascii: "/"), bytes[index + 1] == UInt8(ascii: ">") else { return nil }
        return Match(end: index + 2, isEmpty: true)
    }

    /// Matches the holes that are left of the element at `start`, one by one, with the literals between them.
    @inline(never)
    private func matchHoles(
        _ bytes: Span<UInt8>, at start: Int, _ progress: Progress, _ lead: inout Lead,
        _ times: inout TimeReader,
        row: Int, _ cells: inout MutableSpan<Int>
    ) -> Progress? {
        var progress = progress
        var isAfterLiteral = progress.number > 0
        let (literal, steps) = (literal.span, steps.span)
        while progress.number < steps.count {
            let step = steps[progress.number]
            if !isAfterLiteral {
                guard bytes.matches(at: progress.index, literal, step.literal) else { return nil }
                progress.index += step.literal.count
            }
            isAfterLiteral = false
            let index = progress.index
            switch step.hole {
            case .time(let offsetMinutes):
                guard let time = times.read(bytes, at: index), times.offsetMinutes == offsetMinutes else {
                    return nil
                }
                let place = progress.number - leadCount
                if place == 0 {
                    (lead.start, lead.length) = (start, index - start)
                    (lead.tokens, lead.row) = (progress.tokens, row)
                }
                if place < self.times.count { lead.midnights[place] = times.midnight }
                cells[progress.cell] = time - progress.seconds
                progress.seconds = time
                if step.isStart { cells[row] = time }
                progress.index += Timestamp.length
            case .text(let measured):
                if measured, let end = endOfNumber(bytes, from: index) {
                    cells[progress.cell] = TokenPlace(index..<end).code
                    progress.tokens += end - index
                    progress.index = end
                } else {
                    guard let end = endOfPlain(bytes, from: index) else { return nil }
                    let text = bytes.extracting(index..<end)
                    // The quotes of a string are those of the attribute.
                    let token =
                        measured && JSONNumber.matches(text) ? index..<end : (index - 1)..<(end + 1)
                    cells[progress.cell] = TokenPlace(token).code
                    progress.tokens += token.count
                    progress.index = end
                    if step.isStart {
                        // Whatever else it says, the general parser reads.
                        guard let day = CivilDate(text)?.start else { return nil }
                        cells[row] = day.seconds
                    }
                }
            case .pointer:
                guard let end = endOfPointer(bytes, from: index) else { return nil }
                cells[progress.cell] = TokenPlace(index..<end).code
                progress.tokens += end - index + 2
                progress.index = end
            }
            progress.number += 1
            progress.cell += RowBlock.most
        }
        return progress
    }

    /// Finds the quote after a number of the most common form: up to eight digits, with any number of decimals.
    ///
    /// - Returns: The offset of the quote; nil for anything else.
    @inline(__always)
    private func endOfNumber(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        guard start + 8 < bytes.count else { return nil }
        let (digits, further) = EightBytes(bytes.word(at: start)).digitCounts
        var index = start + digits
        guard digits > 0, bytes[start] != 0x30 || digits == 1 else { return nil }
        if bytes[index] == UInt8(ascii: ".") {
            let decimals = index + 1
            index = max(start + further, decimals)
            if further == 8 {
                let end = min(bytes.count, start + Self.longestText + 1)
                index = bytes.extracting(..<end).endOfRun(from: index) { $0.digitCount }
                guard index < end else { return nil }
            }
            guard index > decimals else { return nil }
        }
        return bytes[index] == UInt8(ascii: "\"") ? index : nil
    }

    /// Returns the offset of the quote after an ASCII text with nothing to resolve or escape; nil for other texts.
    @inline(__always)
    private func endOfPlain(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        let end = min(bytes.count, start + Self.longestText + 1)
        let index = bytes.extracting(..<end).endOfPlainMarkup(from: start)
        return index < end && bytes[index] == UInt8(ascii: "\"") ? index : nil
    }

    @inline(__always)
    private func endOfPointer(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        guard start + 2 < bytes.count, bytes[start] == UInt8(ascii: "0"),
            bytes[start + 1] == UInt8(ascii: "x")
        else {
            return nil
        }
        let end = min(bytes.count, start + Self.longestText + 1)
        let index = bytes.extracting(..<end).endOfHexadecimal(from: start + 2)
        return index > start + 2 && index < end ? index : nil
    }
}
