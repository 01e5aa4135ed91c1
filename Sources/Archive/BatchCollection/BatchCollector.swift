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
    private var freeSlots: [SlotNumber] = []
    private var types: [TypeState] = []
    private var typeNumbers: [TypeKey: TypeNumber] = [:]
    /// The types of recent kinds, by the low bits of the kinds' serial numbers.
    private var recentKinds = noKinds
    private static let noKinds = [(serial: Int, type: TypeNumber)](
        repeating: (-1, TypeNumber(value: 0)), count: 256)
    /// Batches of types that have ended, to be closed next.
    private var ending: ArraySlice<SlotNumber> = []
    /// The header of the row being appended, for the batch that it goes to.
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
        var slots: [CalendarSpan: SlotNumber] = [:]
        var parts: [CalendarSpan: Int] = [:]
        var lastSpan: CalendarSpan?
        var lastSlot = SlotNumber(value: 0)
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
            current.appendIfSimilar(
                kind, content: content, position: position, start: start, values: values, number: rowCount,
                &arena)
        {
            return
        }
        flushCurrent()
        if rowCount & (Self.idleRows - 1) == 0 { closeIdleTypes() }
        facts.update(kind, at: position, values)
        let type = number(of: kind)
        guard types[type.value].isWanted, query?.covers(start: start) ?? true else { return }
        types[type.value].lastRow = rowCount
        if types[type.value].isEnding { closeEnded(type) }
        let rule = types[type.value].rule
        let elementSize = types[type.value].elementSize
        let row = IncomingRow(
            kind: kind, content: content, position: position, start: start, valuesLength: values.count,
            lineSize: kind.context.lineSize(texts: values.count, content: content?.json.count ?? 0)
                + elementSize)
        let place = BatchPlace(type: type, span: start.map { rule.span(of: $0.seconds) } ?? .undated)
        guard let slot = append(row, values, at: place) else { return }
        if usesCurrent, let start, position >= DocumentFacts.rows, let batch = open[slot.value] {
            current = CurrentBatch(
                batch, like: row, instants: instants(around: start, rule), options, arena,
                elementSize: elementSize)
        }
    }

    /// Appends a row to the open batch of its place, closing others to make room for it.
    ///
    /// - Returns: The batch; nil if the row is too large for an open one.
    private mutating func append(
        _ row: IncomingRow, _ values: Span<UInt8>, at place: BatchPlace
    ) -> SlotNumber? {
        var slot = slot(for: place)
        prepareHeader(of: row, in: slot)
        let size = header.count + values.count
        guard size <= options.byteLimit else {
            appendOversized(row, values, at: place)
            return nil
        }
        if isFull(slot, for: row, size: size) {
            close(slot)
            slot = self.slot(for: place)
            prepareHeader(of: row, in: slot)
        }
        if (open[slot.value]?.rows.missing(for: header.count + values.count) ?? 0) > arena.freeCount {
            // If its open batch is closed, the row starts another batch with a new header.
            makeRoom(pieces: RowArena.pieces(for: header.count + values.count) + 1)
            slot = self.slot(for: place)
            prepareHeader(of: row, in: slot)
        }
        guard let batch = open[slot.value] else { return nil }
        batch.record(row, header: header)
        let header = header
        arena.append(header.span, to: &batch.rows)
        arena.append(values, to: &batch.rows)
        return slot
    }

    /// Returns whether a batch has reached a limit that a row of `size` bytes would exceed.
    private func isFull(_ slot: SlotNumber, for row: IncomingRow, size: Int) -> Bool {
        guard let batch = open[slot.value] else { return false }
        return batch.rows.count + size > options.byteLimit || batch.count >= options.rowLimit
            || batch.lineBytes + row.lineSize > BatchOptions.lineLimit && batch.count != 0
    }

    /// Returns the instants in the same span that the query covers.
    private func instants(around start: Timestamp, _ rule: SpanRule) -> Range<Int> {
        let span = rule.range(around: start.seconds) ?? .min ..< .max
        return span.clamped(to: (query?.start?.seconds ?? .min)..<(query?.end?.seconds ?? .max))
    }

    /// Writes the counts back to the current batch, and releases it.
    private mutating func flushCurrent() {
        guard let (batch, lastRow) = current.flush() else { return }
        types[batch.place.type.value].lastRow = lastRow
    }

    /// Queues all open batches for closing, so that no kinds are retained.
    package mutating func forgetKinds() {
        flushCurrent()
        endTypes { _ in true }
        recentKinds = Self.noKinds
    }

    /// Closes a batch that is still open after the last row; returns false if there are none left.
    package mutating func closeNext() -> Bool {
        flushCurrent()
        while firstOpen < open.count, open[firstOpen] == nil { firstOpen += 1 }
        guard firstOpen < open.count else { return false }
        close(SlotNumber(value: firstOpen))
        return true
    }

    private mutating func prepareHeader(of row: IncomingRow, in slot: SlotNumber) {
        header.removeAll(keepingCapacity: true)
        open[slot.value]?.appendHeader(of: row, arena, to: &header)
    }

    /// Closes the open batch, and puts a row that exceeds the size limit into a separate batch.
    private mutating func appendOversized(_ row: IncomingRow, _ values: Span<UInt8>, at place: BatchPlace) {
        let before = slot(for: place)
        if open[before.value]?.count != 0 { close(before) }
        let slot = slot(for: place)
        prepareHeader(of: row, in: slot)
        guard let batch = open[slot.value].take() else { return }
        batch.record(row, header: header)
        release(slot, of: place)
        closed.append(batch.closed(key: nextKey(for: place), rows: header + values.array))
    }

    private mutating func number(of kind: RowKind) -> TypeNumber {
        let place = kind.serial & 255
        if recentKinds[place].serial == kind.serial { return recentKinds[place].type }
        let key = TypeKey(element: kind.element, type: kind.type)
        let number = typeNumbers[key] ?? TypeNumber(value: types.count)
        if number.value == types.count {
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

    /// Returns the open batch of a place, opening one if there is none.
    private mutating func slot(for place: BatchPlace) -> SlotNumber {
        let type = place.type.value
        if types[type].lastSpan == place.span { return types[type].lastSlot }
        let slot: SlotNumber
        if let known = types[type].slots[place.span] {
            slot = known
        } else {
            slot = freeSlots.popLast() ?? SlotNumber(value: open.count)
            if slot.value == open.count { open.append(nil) }
            open[slot.value] = OpenBatch(at: place)
            types[type].slots[place.span] = slot
        }
        types[type].lastSpan = place.span
        types[type].lastSlot = slot
        return slot
    }

    private mutating func release(_ slot: SlotNumber, of place: BatchPlace) {
        types[place.type.value].slots[place.span] = nil
        types[place.type.value].lastSpan = nil
        freeSlots.append(slot)
    }

    private mutating func nextKey(for place: BatchPlace) -> SampleBatch.Key {
        let type = place.type.value
        let part = (types[type].parts[place.span] ?? 0) + 1
        types[type].parts[place.span] = part
        let key = types[type].key
        return SampleBatch.Key(
            element: key.element.text, type: key.type.text, span: types[type].rule.name(of: place.span),
            part: part)
    }

    private mutating func close(_ slot: SlotNumber) {
        guard let batch = open[slot.value].take() else { return }
        release(slot, of: batch.place)
        let rows = arena.remove(batch.rows)
        guard batch.count > 0 else { return }
        closed.append(batch.closed(key: nextKey(for: batch.place), rows: rows))
    }

    private mutating func closeIdleTypes() {
        let now = rowCount
        endTypes { now - $0.lastRow > Self.idleRows }
    }

    /// Queues the open batches of some types for closing.
    private mutating func endTypes(where hasEnded: (TypeState) -> Bool) {
        for index in types.indices
        where !types[index].slots.isEmpty && !types[index].isEnding && hasEnded(types[index]) {
            types[index].isEnding = true
            ending += slots(of: TypeNumber(value: index))
        }
    }

    /// Closes the batches of a type that counted as ended, because another row has arrived.
    private mutating func closeEnded(_ type: TypeNumber) {
        let slots = slots(of: type)
        ending.removeAll { slots.contains($0) }
        for slot in slots { close(slot) }
        types[type.value].isEnding = false
    }

    /// Returns a type's open batches, sorted by first position in the source so that dictionary order does not
    /// matter.
    private func slots(of type: TypeNumber) -> [SlotNumber] {
        types[type.value].slots.values.sorted { firstPosition(in: $0) < firstPosition(in: $1) }
    }

    private func firstPosition(in slot: SlotNumber) -> Int { open[slot.value]?.firstPosition ?? 0 }

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
        for index in fullest where arena.freeCount < wanted { close(SlotNumber(value: index)) }
    }
}
