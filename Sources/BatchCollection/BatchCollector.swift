package import AppleHealthExport
import ByteSpans
package import HealthModel
package import SampleBatches

/// Sorts rows into batches by type and span while they come, with a fixed amount of memory.
///
/// A batch is closed as a part when it is full or when its type has ended, and the fullest ones are when the memory is
/// used up: where the input mixes types and dates, parts get smaller, but there is never one for each row. All of it
/// follows from the rows alone, so that the same source always makes the same parts.
package struct BatchCollector: RowSink {
    /// Memory for the rows of open batches.
    ///
    /// Part of the batching, like the limits: another value makes other parts.
    package static let memory = 4 << 20
    /// A type without a row among so many is taken to have ended.
    package static let idleRows = 1 << 16

    private let options: BatchOptions
    /// What is wanted; nil for everything.
    private let query: SampleQuery?
    private var arena: RowArena
    private var open: [OpenBatch?] = []
    private var freeSlots: [Int] = []
    private var types: [TypeState] = []
    private var typeNumbers: [TypeKey: Int] = [:]
    /// The type of a kind by its serial number, for the kinds met last.
    private var recentKinds = [(serial: Int, type: Int)](repeating: (-1, 0), count: 256)
    /// Batches of types that have ended, to be closed next.
    private var ending: ArraySlice<Int> = []
    private var header: [UInt8] = []
    private var rowCount = 0
    private var firstOpen = 0
    /// Takes the rows that are like the one before, which most are.
    private var current = CurrentBatch()
    private let usesCurrent: Bool

    /// Export date and locale, once they were met.
    package private(set) var facts = DocumentFacts()

    /// Batches that are ready to be written, in their order.
    private(set) var closed: [ClosedBatch] = []

    private struct TypeState {
        let key: TypeKey
        let rule: SpanRule
        /// Bytes of the element's name in each line.
        let elementSize: Int
        /// The query covers it.
        let isWanted: Bool
        var slots: [CalendarSpan: Int] = [:]
        var parts: [CalendarSpan: Int] = [:]
        var lastSpan: CalendarSpan?
        var lastSlot = 0
        var lastRow = 0
        /// Its batches are waiting to be closed.
        var isEnding = false
    }

    /// So many bytes of rows are closed at once.
    private static let closedAtOnce = 1 << 20

    /// - Parameters:
    ///   - options: How rows are put into batches.
    ///   - query: What is wanted; nil for everything.
    ///   - memory: For the rows of open batches.
    ///   - usesCurrent: Rows like the one before are taken without a closer look; tests hold both ways against each
    ///     other.
    package init(
        options: BatchOptions, query: SampleQuery? = nil, memory: Int = memory, usesCurrent: Bool = true
    ) {
        self.options = options
        self.query = query
        self.usesCurrent = usesCurrent
        // A full batch and the row that fills it must fit, and still leave room for others.
        arena = RowArena(size: max(memory, 4 * options.byteLimit))
    }

    /// Batches that are ready.
    ///
    /// Those of ended types are closed a few at a time, because a closed batch is held beside the memory of
    /// the open ones.
    package mutating func takeClosed() -> [ClosedBatch] {
        settle()
        var bytes = closed.total(\.rows.count)
        while bytes < Self.closedAtOnce, let slot = ending.popFirst() {
            let before = closed.count
            close(slot)
            if closed.count > before { bytes += closed[before].rows.count }
        }
        defer { closed.removeAll(keepingCapacity: true) }
        return closed
    }

    package mutating func take(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, values: Span<UInt8>
    ) {
        rowCount += 1
        if let start, rowCount & (Self.idleRows - 1) != 0,
            current.take(kind, content, position, start, values, row: rowCount, &arena)
        {
            return
        }
        settle()
        if rowCount & (Self.idleRows - 1) == 0 { closeIdleTypes() }
        facts.take(kind, at: position, values)
        let type = number(of: kind)
        guard types[type].isWanted, query?.covers(start: start) ?? true else { return }
        types[type].lastRow = rowCount
        if types[type].isEnding { closeEnded(type) }
        let span = start.map { types[type].rule.span(of: $0.seconds) } ?? .undated
        var slot = slot(type, span)
        prepareHeader(slot, kind, content, position, values.count)
        let size = header.count + values.count
        let elementSize = types[type].elementSize
        let lineSize =
            kind.context.lineSize(texts: values.count, content: content?.json.count ?? 0) + elementSize
        if size > options.byteLimit {
            takeGiant(type, span, slot, kind, content, position, start, values, lineSize: lineSize)
            return
        }
        if (open[slot]?.rows.count ?? 0) + size > options.byteLimit
            || (open[slot]?.count ?? 0) >= options.rowLimit
            || (open[slot]?.lineBytes ?? 0) + lineSize > BatchOptions.lineLimit && open[slot]?.count != 0
        {
            slot = reopen(type, span, slot, kind, content, position, values.count)
        }
        if (open[slot]?.rows.missing(for: header.count + values.count) ?? 0) > arena.freeCount {
            // Without its open batch the row may start one, with a header of its own.
            makeRoom(pieces: RowArena.pieces(for: header.count + values.count) + 1)
            slot = self.slot(type, span)
            prepareHeader(slot, kind, content, position, values.count)
        }
        append(slot, kind, content, position, start, values, lineSize: lineSize)
        if usesCurrent, let start, position >= DocumentFacts.rows, let batch = open[slot] {
            current = CurrentBatch(
                batch, kind, content, instants: instants(around: start, types[type].rule), options, arena,
                elementSize: elementSize)
        }
    }

    /// The instants that lie in the same span, and that are wanted.
    private func instants(around start: Timestamp, _ rule: SpanRule) -> Range<Int> {
        let span = rule.range(around: start.seconds) ?? .min ..< .max
        return span.clamped(to: (query?.start?.seconds ?? .min)..<(query?.end?.seconds ?? .max))
    }

    /// Writes down what the current batch took, and lets go of it.
    private mutating func settle() {
        guard let (batch, lastRow) = current.settled() else { return }
        types[batch.type].lastRow = lastRow
    }

    /// Closes all open batches, so that no kind is held any more.
    package mutating func forgetKinds() {
        settle()
        for type in types.indices where !types[type].slots.isEmpty && !types[type].isEnding {
            types[type].isEnding = true
            ending += slots(of: type)
        }
        recentKinds = [(serial: Int, type: Int)](repeating: (-1, 0), count: recentKinds.count)
    }

    /// Closes a batch that is still open after the last row; false when none is left.
    package mutating func closeNext() -> Bool {
        settle()
        while firstOpen < open.count, open[firstOpen] == nil { firstOpen += 1 }
        guard firstOpen < open.count else { return false }
        close(firstOpen)
        return true
    }

    private mutating func append(
        _ slot: Int, _ kind: RowKind, _ content: RowContent?, _ position: Int, _ start: Timestamp?,
        _ values: Span<UInt8>, lineSize: Int
    ) {
        guard let batch = open[slot] else { return }
        batch.note(kind, content, position, start, header, lineSize: lineSize)
        let header = header
        arena.append(header.span, to: &batch.rows)
        arena.append(values, to: &batch.rows)
    }

    private mutating func prepareHeader(
        _ slot: Int, _ kind: RowKind, _ content: RowContent?, _ position: Int, _ valueCount: Int
    ) {
        header.removeAll(keepingCapacity: true)
        open[slot]?.appendHeader(kind, content, position, valueCount, arena, to: &header)
    }

    private mutating func reopen(
        _ type: Int, _ span: CalendarSpan, _ slot: Int, _ kind: RowKind, _ content: RowContent?,
        _ position: Int,
        _ valueCount: Int
    ) -> Int {
        close(slot)
        let slot = self.slot(type, span)
        prepareHeader(slot, kind, content, position, valueCount)
        return slot
    }

    /// A row that is larger than a batch may be becomes a batch of its own, behind the one that is open.
    private mutating func takeGiant(
        _ type: Int, _ span: CalendarSpan, _ slot: Int, _ kind: RowKind, _ content: RowContent?,
        _ position: Int,
        _ start: Timestamp?, _ values: Span<UInt8>, lineSize: Int
    ) {
        if open[slot]?.count != 0 { close(slot) }
        let slot = self.slot(type, span)
        prepareHeader(slot, kind, content, position, values.count)
        guard let batch = open[slot].take() else { return }
        batch.note(kind, content, position, start, header, lineSize: lineSize)
        forget(type, span, slot)
        let key = nextKey(type, span)
        closed.append(batch.closed(key: key, rows: header + values.array))
    }

    private mutating func number(of kind: RowKind) -> Int {
        let place = kind.serial & 255
        if recentKinds[place].serial == kind.serial { return recentKinds[place].type }
        let key = TypeKey(element: kind.element, type: kind.type)
        let number = typeNumbers[key] ?? types.count
        if number == types.count {
            typeNumbers[key] = number
            types.append(
                TypeState(
                    key: key, rule: options.rule(forType: kind.type),
                    elementSize: BatchContext.lineSize(ofElement: kind.element),
                    isWanted: query?.covers(element: kind.element, type: kind.type) ?? true))
        }
        recentKinds[place] = (kind.serial, number)
        return number
    }

    private mutating func slot(_ type: Int, _ span: CalendarSpan) -> Int {
        if types[type].lastSpan == span { return types[type].lastSlot }
        let slot: Int
        if let known = types[type].slots[span] {
            slot = known
        } else {
            slot = freeSlots.popLast() ?? open.count
            if slot == open.count { open.append(nil) }
            open[slot] = OpenBatch(type: type, span: span)
            types[type].slots[span] = slot
        }
        types[type].lastSpan = span
        types[type].lastSlot = slot
        return slot
    }

    private mutating func forget(_ type: Int, _ span: CalendarSpan, _ slot: Int) {
        types[type].slots[span] = nil
        types[type].lastSpan = nil
        freeSlots.append(slot)
    }

    private mutating func nextKey(_ type: Int, _ span: CalendarSpan) -> SampleBatch.Key {
        let part = (types[type].parts[span] ?? 0) + 1
        types[type].parts[span] = part
        let key = types[type].key
        return SampleBatch.Key(
            element: key.element.text, type: key.type.text, span: types[type].rule.name(of: span), part: part)
    }

    private mutating func close(_ slot: Int) {
        guard let batch = open[slot].take() else { return }
        forget(batch.type, batch.span, slot)
        let rows = arena.take(batch.rows)
        guard batch.count > 0 else { return }
        closed.append(batch.closed(key: nextKey(batch.type, batch.span), rows: rows))
    }

    private mutating func closeIdleTypes() {
        for type in types.indices
        where !types[type].slots.isEmpty && rowCount - types[type].lastRow > Self.idleRows {
            guard !types[type].isEnding else { continue }
            types[type].isEnding = true
            ending += slots(of: type)
        }
    }

    /// The type was taken to have ended, but another row came.
    private mutating func closeEnded(_ type: Int) {
        let slots = slots(of: type)
        ending.removeAll { slots.contains($0) }
        for slot in slots { close(slot) }
        types[type].isEnding = false
    }

    /// A type's open batches by their rows' place in the source, which no dictionary order can change.
    private func slots(of type: Int) -> [Int] {
        types[type].slots.values.sorted { (open[$0]?.firstPosition ?? 0) < (open[$1]?.firstPosition ?? 0) }
    }

    /// Closes ended types, or else the fullest batches, until an eighth of the memory is free and a row of so many
    /// pieces finds room.
    private mutating func makeRoom(pieces: Int) {
        closeIdleTypes()
        let wanted = max(arena.pieceCount / 8, pieces)
        while arena.freeCount < wanted, let slot = ending.popFirst() { close(slot) }
        guard arena.freeCount < wanted else { return }
        let fullest = open.indices.filter { open[$0] != nil }.sorted {
            let left = open[$0].map { ($0.rows.pieceCount, -$0.firstPosition) } ?? (0, 0)
            let right = open[$1].map { ($0.rows.pieceCount, -$0.firstPosition) } ?? (0, 0)
            return left > right
        }
        for slot in fullest where arena.freeCount < wanted { close(slot) }
    }
}
