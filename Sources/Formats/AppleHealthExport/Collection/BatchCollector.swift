package import ByteText
package import HealthModel
package import SampleBatches

/// Sorts rows into batches by type and span as they arrive, in a fixed amount of memory.
///
/// A batch is closed as a part when it is full or its type has ended; when memory runs out, the fullest batches are
/// closed. If the input mixes types and dates, parts get smaller. All of this depends only on the rows, so the same source
/// always produces the same parts.
package struct BatchCollector: RowSink, ~Copyable {
    /// The memory for the rows of open batches, in bytes.
    ///
    /// It affects the batching, as the limits do: a different value produces different parts.
    package static let memory = 3 << 20
    /// The number of rows without a row of a type after which the type counts as ended.
    package static let idleRows = 1 << 16

    private let options: BatchOptions
    /// The samples to collect; nil for all.
    private let query: BatchQuery?
    private var memory: MemoryPieces
    private var open: [Slot?] = []
    private var freeSlots: [SlotNumber] = []
    private var types: [TypeState] = []
    private var typeNumbers: [TypeKey: TypeNumber] = [:]
    /// The types of recent kinds, by the low bits of the kinds' identifiers.
    private var recentKinds = noKinds
    private static let noKinds = [(kind: UInt128?, type: TypeNumber)](
        repeating: (nil, TypeNumber(value: 0)), count: 256)
    /// Batches of types that have ended, to be closed next.
    private var ending: ArraySlice<SlotNumber> = []
    private var rowCount = 0
    private var firstOpen = 0
    /// The batch of the last row, taken out of its slot, because most rows go to the same batch as the one before.
    private var current: OpenBatch?
    private let usesCurrent: Bool
    /// The block of a row that comes by itself.
    private var single = RowBlock(capacity: 1, columns: 0)
    private var places = ContentPlaces()
    private var messages = IdentityMessages()

    /// The export date, locale and characteristics, once their elements have been read.
    package private(set) var facts = DocumentFacts()

    /// The batches ready to be written, in order.
    private(set) var closed: [ClosedBatch] = []

    /// The place of an open batch, which is empty while that is the current one.
    private final class Slot {
        var batch: OpenBatch?
        init(_ batch: consuming OpenBatch) { self.batch = consume batch }
    }

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

    /// The number of rows after which some batches of ended types are closed.
    private static let closingRows = 1 << 10
    /// The number of bytes of rows to close then: closed batches use memory in addition to that of open ones.
    private static let closedAtOnce = 1 << 18

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
        self.memory = MemoryPieces(size: max(memory, 4 * options.byteLimit))
    }

    /// Removes and returns the batches that are ready.
    package mutating func removeClosed() -> [ClosedBatch] {
        defer { closed.removeAll(keepingCapacity: true) }
        return closed
    }

    package mutating func append(
        _ kind: RowKind, contents: [RowContent], position: Int, _ rows: RowBlock, text: Span<UInt8>
    ) {
        if !DocumentFacts.mayHave(at: position), !types[number(of: kind).value].isWanted {
            advance(by: rows.count)
            return
        }
        var row = 0
        while row < rows.count {
            // Up to the row at which batches may be closed.
            let most = Self.closingRows - 1 - rowCount & (Self.closingRows - 1)
            let appended =
                current?.appendSimilar(
                    kind, contents, position: position, rows, from: row, most: most, text: text,
                    number: rowCount, &memory, options, &places, &messages) ?? 0
            rowCount += appended
            row += appended
            guard row < rows.count else { break }
            if DocumentFacts.mayHave(at: position + row) {
                let cells = rows.values(of: row, columns: kind.context.columns.count)
                facts.update(kind, at: position + row, cells.span, text)
            }
            let place = rows.content(of: row)
            append(
                kind, content: place == 0 ? nil : contents[place - 1], position: position + row, rows, row,
                text)
            row += 1
        }
    }

    package mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
        text: Span<UInt8>, size: Int
    ) {
        facts.update(kind, at: position, cells, text)
        single.set(cells, start: start, size: size, content: content == nil ? 0 : 1)
        append(kind, content: content, position: position, single, 0, text)
    }

    /// Appends a row of a block, if it is wanted.
    private mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, _ block: RowBlock, _ index: Int,
        _ text: Span<UInt8>
    ) {
        putBack()
        advance(by: 1)
        let start = block.start(of: index)
        let size = block.size(of: index)
        let type = number(of: kind)
        guard types[type.value].isWanted, query?.covers(start: start) ?? true else { return }
        types[type.value].lastRow = rowCount
        if types[type.value].isEnding { closeEnded(type) }
        let rule = types[type.value].rule
        let elementSize = types[type.value].elementSize
        let row = IncomingRow(
            kind: kind, content: content, position: position, start: start, size: size,
            lineSize: kind.context.lineSize(texts: size, content: content?.json.count ?? 0) + elementSize)
        let place = BatchPlace(type: type, span: start.map { rule.span(of: $0.seconds) } ?? .undated)
        append(row, block, index, text, at: place)
        if usesCurrent, let start, !DocumentFacts.mayHave(at: position) {
            let instants = instants(around: start, rule)
            current?.acceptSimilar(to: row, instants: instants, elementSize: elementSize)
        } else {
            putBack()
        }
    }

    /// Counts rows; after a certain number of them, looks for types that have ended, and closes some of their batches.
    private mutating func advance(by rows: Int) {
        let count = rowCount + rows
        let boundary = count & ~(Self.closingRows - 1)
        if boundary > rowCount {
            putBack()
            rowCount = boundary
            if boundary & (Self.idleRows - 1) == 0 { closeIdleTypes() }
            closeSomeEnded()
        }
        rowCount = count
    }

    /// Closes batches of ended types, but not many at once.
    private mutating func closeSomeEnded() {
        var bytes = 0
        while bytes < Self.closedAtOnce, let slot = ending.popFirst() {
            let before = closed.count
            close(slot)
            if closed.count > before { bytes += closed[before].rowSize }
        }
    }

    /// Appends a row to the open batch of its place, closing others to make room for it.
    private mutating func append(
        _ row: IncomingRow, _ block: RowBlock, _ index: Int, _ text: Span<UInt8>, at place: BatchPlace
    ) {
        var size = makeCurrent(place, for: row)
        guard size <= options.byteLimit else {
            appendOversized(row, block, index, text, at: place)
            return
        }
        if current?.isFull(for: row, size: size, options) == true {
            closeCurrent()
            size = makeCurrent(place, for: row)
        }
        var missing = current?.missingPieces(for: row, size: size) ?? 0
        // Ended batches give way first.
        while missing > memory.free, let slot = ending.popFirst() { close(slot) }
        if missing > memory.free {
            putBack()
            // If its open batch is closed, the row starts another batch, in which it has another size.
            makeRoom(pieces: OpenBatch.pieces(for: row, size: size))
            size = makeCurrent(place, for: row)
            missing = current?.missingPieces(for: row, size: size) ?? 0
        }
        memory.take(missing)
        current?.append(row, block, index, text, size: size, number: rowCount, &places, &messages)
    }

    /// Returns the instants in the same span that the query covers.
    private func instants(around start: Timestamp, _ rule: SpanRule) -> Range<Int> {
        let span = rule.range(around: start.seconds) ?? .min ..< .max
        return span.clamped(to: (query?.start?.seconds ?? .min)..<(query?.end?.seconds ?? .max))
    }

    /// Makes the open batch of a place the current one, opening it if there is none.
    ///
    /// - Returns: The size of a row that is appended next.
    private mutating func makeCurrent(_ place: BatchPlace, for row: IncomingRow) -> Int {
        let slot = slot(for: place)
        current = open[slot.value]?.batch.take()
        return current?.size(of: row) ?? 0
    }

    /// Puts the current batch back into its slot.
    private mutating func putBack() {
        guard let batch = current.take() else { return }
        let type = batch.place.type.value
        types[type].lastRow = max(types[type].lastRow, batch.lastRow)
        let slot = slot(for: batch.place)
        open[slot.value]?.batch = consume batch
    }

    /// Closes all open batches, so that no kinds are retained.
    package mutating func forgetKinds() {
        putBack()
        endTypes { _ in true }
        while let slot = ending.popFirst() { close(slot) }
        recentKinds = Self.noKinds
    }

    /// Closes a batch that is still open after the last row; returns false if there are none left.
    package mutating func closeNext() -> Bool {
        putBack()
        if let slot = ending.popFirst() {
            close(slot)
            return true
        }
        while firstOpen < open.count, open[firstOpen] == nil { firstOpen += 1 }
        guard firstOpen < open.count else { return false }
        close(SlotNumber(value: firstOpen))
        return true
    }

    /// Closes the open batch, and puts a row that exceeds the size limit into a separate batch.
    private mutating func appendOversized(
        _ row: IncomingRow, _ block: RowBlock, _ index: Int, _ text: Span<UInt8>, at place: BatchPlace
    ) {
        if current?.count != 0 {
            closeCurrent()
            _ = makeCurrent(place, for: row)
        }
        let slot = slot(for: place)
        open[slot.value] = nil
        release(slot, of: place)
        guard var batch = current.take() else { return }
        batch.append(
            row, block, index, text, size: batch.size(of: row), number: rowCount, &places, &messages)
        closed.append(batch.closed(key: nextKey(for: place)))
    }

    private mutating func number(of kind: RowKind) -> TypeNumber {
        let place = Int(truncatingIfNeeded: kind.identifier) & 255
        if recentKinds[place].kind == kind.identifier { return recentKinds[place].type }
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
        recentKinds[place] = (kind.identifier, number)
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
            open[slot.value] = Slot(
                OpenBatch(at: place, element: types[type].key.element.text))
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

    private mutating func closeCurrent() {
        guard let place = current?.place else { return }
        putBack()
        close(slot(for: place))
    }

    private mutating func close(_ slot: SlotNumber) {
        guard let batch = open[slot.value].take()?.batch.take() else { return }
        let place = batch.place
        release(slot, of: place)
        memory.release(batch.pieces)
        guard batch.count > 0 else { return }
        closed.append(batch.closed(key: nextKey(for: place)))
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

    private func firstPosition(in slot: SlotNumber) -> Int {
        open[slot.value]?.batch?.firstPosition ?? 0
    }

    /// Closes ended types, then the fullest batches, until an eighth of the memory and at least `pieces` pieces are
    /// free.
    private mutating func makeRoom(pieces: Int) {
        closeIdleTypes()
        let wanted = max(memory.count / 8, pieces)
        while let slot = ending.popFirst() { close(slot) }
        guard memory.free < wanted else { return }
        let batches = open.indices.compactMap { index in
            open[index].map { (index, $0.batch?.pieces ?? 0, $0.batch?.firstPosition ?? 0) }
        }
        let fullest = batches.sorted { ($0.1, -$0.2) > ($1.1, -$1.2) }
        for (index, _, _) in fullest where memory.free < wanted { close(SlotNumber(value: index)) }
    }
}
