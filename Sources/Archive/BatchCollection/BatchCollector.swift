package import AppleHealthExport
import ByteSpans
package import CivilTime
package import HealthModel
package import SampleBatches

/// Sorts rows into batches by type and span as they arrive, in a fixed amount of memory.
///
/// A batch is closed as a part when it is full or its type has ended; when memory runs out, the fullest batches are
/// closed. If the input mixes types and dates, parts get smaller, but there is never one for each row. All of this
/// depends only on the rows, so the same source always produces the same parts.
package struct BatchCollector: RowSink {
    /// The memory for the rows of open batches, in bytes.
    ///
    /// It affects the batching, as the limits do: a different value produces different parts.
    package static let memory = 4 << 20
    /// The number of rows without a row of a type after which the type counts as ended.
    package static let idleRows = 1 << 16

    private let options: BatchOptions
    /// The samples to collect; nil for all.
    private let query: BatchQuery?
    private var arena: RowArena
    private var open: [OpenBatch?] = []
    private var freeSlots: [Int] = []
    private var types: [TypeState] = []
    private var typeNumbers: [TypeKey: Int] = [:]
    /// The types of recent kinds, by the low bits of the kinds' serial numbers.
    private var recentKinds = [(serial: Int, type: Int)](repeating: (-1, 0), count: 256)
    /// Batches of types that have ended, to be closed next.
    private var ending: ArraySlice<Int> = []
    private var header: [UInt8] = []
    private var rowCount = 0
    private var firstOpen = 0
    /// Appends rows that resemble the previous one, as most do.
    private var current = CurrentBatch()
    private let usesCurrent: Bool

    /// The export date, locale and characteristics, once their elements have been read.
    package private(set) var facts = DocumentFacts()

    /// The batches ready to be written, in order.
    private(set) var closed: [ClosedBatch] = []

    private struct TypeState {
        let key: TypeKey
        let rule: SpanRule
        /// The bytes that the element's name takes in each line.
        let elementSize: Int
        /// Whether the query covers the type.
        let isWanted: Bool
        var slots: [CalendarSpan: Int] = [:]
        var parts: [CalendarSpan: Int] = [:]
        var lastSpan: CalendarSpan?
        var lastSlot = 0
        var lastRow = 0
        /// Whether the type's batches are waiting to be closed.
        var isEnding = false
    }

    /// The number of bytes of rows to close at a time.
    private static let closedAtOnce = 1 << 20

    /// Creates a collector.
    ///
    /// - Parameters:
    ///   - options: How rows are put into batches.
    ///   - query: The samples to collect; nil for all.
    ///   - memory: The memory for the rows of open batches, in bytes.
    ///   - usesCurrent: Whether to append rows that resemble the previous one on a fast path; tests compare results
    ///     with and without it.
    package init(
        options: BatchOptions, query: BatchQuery? = nil, memory: Int = memory, usesCurrent: Bool = true
    ) {
        self.options = options
        self.query = query
        self.usesCurrent = usesCurrent
        // A full batch and the row that fills it must fit, with room left for others.
        arena = RowArena(size: max(memory, 4 * options.byteLimit))
    }

    /// Removes and returns the batches that are ready.
    ///
    /// Batches of ended types are closed a few at a time, because closed batches use memory in addition to that of open
    /// ones.
    package mutating func removeClosed() -> [ClosedBatch] {
        flushCurrent()
        var bytes = closed.total(\.rows.count)
        while bytes < Self.closedAtOnce, let slot = ending.popFirst() {
            let before = closed.count
            close(slot)
            if closed.count > before { bytes += closed[before].rows.count }
        }
        defer { closed.removeAll(keepingCapacity: true) }
        return closed
    }

    package mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, values: Span<UInt8>
    ) {
        rowCount += 1
        if let start, rowCount & (Self.idleRows - 1) != 0,
            current.appendIfSimilar(kind, content, position, start, values, row: rowCount, &arena)
        {
            return
        }
        flushCurrent()
        if rowCount & (Self.idleRows - 1) == 0 { closeIdleTypes() }
        facts.update(kind, at: position, values)
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
            appendOversized(type, span, slot, kind, content, position, start, values, lineSize: lineSize)
            return
        }
        if (open[slot]?.rows.count ?? 0) + size > options.byteLimit
            || (open[slot]?.count ?? 0) >= options.rowLimit
            || (open[slot]?.lineBytes ?? 0) + lineSize > BatchOptions.lineLimit && open[slot]?.count != 0
        {
            slot = reopen(type, span, slot, kind, content, position, values.count)
        }
        if (open[slot]?.rows.missing(for: header.count + values.count) ?? 0) > arena.freeCount {
            // If its open batch is closed, the row starts another batch with a new header.
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

    /// Returns the instants in the same span that the query covers.
    private func instants(around start: Timestamp, _ rule: SpanRule) -> Range<Int> {
        let span = rule.range(around: start.seconds) ?? .min ..< .max
        return span.clamped(to: (query?.start?.seconds ?? .min)..<(query?.end?.seconds ?? .max))
    }

    /// Writes the counts back to the current batch, and releases it.
    private mutating func flushCurrent() {
        guard let (batch, lastRow) = current.flush() else { return }
        types[batch.type].lastRow = lastRow
    }

    /// Queues all open batches for closing, so that no kinds are retained.
    package mutating func forgetKinds() {
        flushCurrent()
        for type in types.indices where !types[type].slots.isEmpty && !types[type].isEnding {
            types[type].isEnding = true
            ending += slots(of: type)
        }
        recentKinds = [(serial: Int, type: Int)](repeating: (-1, 0), count: recentKinds.count)
    }

    /// Closes a batch that is still open after the last row; returns false if there are none left.
    package mutating func closeNext() -> Bool {
        flushCurrent()
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
        batch.recordRow(kind, content, position, start, header, lineSize: lineSize)
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

    /// Closes the open batch, and puts a row that exceeds the size limit into a separate batch.
    private mutating func appendOversized(
        _ type: Int, _ span: CalendarSpan, _ slot: Int, _ kind: RowKind, _ content: RowContent?,
        _ position: Int,
        _ start: Timestamp?, _ values: Span<UInt8>, lineSize: Int
    ) {
        if open[slot]?.count != 0 { close(slot) }
        let slot = self.slot(type, span)
        prepareHeader(slot, kind, content, position, values.count)
        guard let batch = open[slot].take() else { return }
        batch.recordRow(kind, content, position, start, header, lineSize: lineSize)
        releaseSlot(type, span, slot)
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

    private mutating func releaseSlot(_ type: Int, _ span: CalendarSpan, _ slot: Int) {
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
        releaseSlot(batch.type, batch.span, slot)
        let rows = arena.remove(batch.rows)
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

    /// Closes the batches of a type that counted as ended, because another row has arrived.
    private mutating func closeEnded(_ type: Int) {
        let slots = slots(of: type)
        ending.removeAll { slots.contains($0) }
        for slot in slots { close(slot) }
        types[type].isEnding = false
    }

    /// Returns a type's open batches, sorted by first position in the source so that dictionary order does not
    /// matter.
    private func slots(of type: Int) -> [Int] {
        types[type].slots.values.sorted { (open[$0]?.firstPosition ?? 0) < (open[$1]?.firstPosition ?? 0) }
    }

    /// Closes ended types, then the fullest batches, until an eighth of the memory and at least `pieces` pieces are
    /// free.
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
