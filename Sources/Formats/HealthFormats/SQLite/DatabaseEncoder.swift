import ByteText
import Database
import SampleBatches

/// Encodes batches as database rows.
final class DatabaseEncoder: FormatEncoder, @unchecked Sendable {
    // @unchecked: used by one worker at a time.
    private let days: Days

    init(_ days: Days) { self.days = days }

    func encode(_ batch: SampleBatch) throws -> EncodedRows {
        var encoded = EncodedRows()
        var rows = DatabaseRows()
        if FormatSection(element: batch.key.element, type: batch.key.type) == .about {
            batch.forEachRowTexts { row, attributes in
                rows.about += attributes.map { (Array($0.name.utf8), JSONEscaping.repaired($0.text)) }
                // No attribute has this name.
                let odd = attributes.filter { !JSONEscaping.isWellFormed($0.text.span) }
                if let exact = NestedRows.other(odd, []) { rows.about.append((Array("#other".utf8), exact)) }
                if row.content > 0 {
                    rows.about.append((Array("#content".utf8), batch.contents[row.content - 1]))
                }
            }
            encoded.form = rows
            return encoded
        }
        let layouts = batch.contexts.map { SampleLayout($0) }
        rows.origins = layouts.map(\.origin)
        rows.summed = batch.key.isCumulative ? batch : nil
        addSamples(batch, layouts, &rows)
        rows.copies = CopyDetection.copies(in: rows.identities)
        try addNested(batch, layouts, &rows, &encoded)
        if exactTexts > 0 { encoded.asText["values"] = exactTexts }
        encoded.form = rows
        return encoded
    }

    /// The number of numeric values in the batch whose exact text is kept.
    private var exactTexts = 0

    private func addSamples(_ batch: SampleBatch, _ layouts: [SampleLayout], _ rows: inout DatabaseRows) {
        let identities = RowIdentities(batch)
        rows.samples.reserveCapacity(batch.count)
        rows.identities.reserveCapacity(batch.count)
        exactTexts = 0
        var known = KnownDay(days)
        batch.forEachPlace { place in
            let context = batch.context(at: place.cell)
            let layout = layouts[context]
            var row = DatabaseRows.SampleRow(
                origin: context, start: nil, position: place.position)
            rows.identities.append(identities.identity(at: place.cell))
            row.start =
                layout.start.map { batch.seconds(at: place.cell, layout.fields, count: $0) }
                ?? (place.isDay ? nil : place.start)
            row.end =
                layout.end.map { batch.seconds(at: place.cell, layout.fields, count: $0) }
                ?? layout.compactTime("endDate", of: batch, at: place.cell)
            row.startDay = place.start.map {
                place.isDay ? $0.flooredQuotient(by: 86400) : known.dayNumber(of: $0)
            }
            row.endDay = row.end.map { known.dayNumber(of: $0) } ?? row.startDay
            row.created =
                layout.created.map { batch.seconds(at: place.cell, layout.fields, count: $0) }
                ?? layout.compactTime("creationDate", of: batch, at: place.cell)
            switch layout.value {
            case .text(let cell):
                let token = batch.token(at: place.cell, cell)
                if token.first != UInt8(ascii: "\""), let number = batch.number(at: place.cell, cell) {
                    row.value = number
                    if !ColumnValue.isExact(token.span, number) {
                        rows.texts.append((rows.samples.count, token))
                        exactTexts += 1
                    }
                } else {
                    rows.texts.append(
                        (rows.samples.count, JSONEscaping.repaired(JSONEscaping.text(ofToken: token))))
                }
            case .constant(let token):
                rows.texts.append(
                    (rows.samples.count, JSONEscaping.repaired(JSONEscaping.text(ofToken: token))))
            case .enclosed, .time, nil: break
            }
            if layout.hasPointer { rows.devicePointers += 1 }
            rows.samples.append(row)
        }
    }

    /// The instants that SQLite can format as text at any UTC offset.
    private static let inner = -62_167_132_800..<253_402_214_400
    /// The instants in the years 0 to 9999.
    private static let years = -62_167_219_200..<253_402_300_800

    private static func isFarTime(_ attribute: ElementNode.Attribute, in element: String) -> Bool {
        guard AttributeKind(of: attribute.name, in: element) == .time,
            let time = Timestamp(apple: attribute.text.span)
        else { return false }
        return !years.contains(time.seconds) || !years.contains(time.seconds + time.offsetMinutes * 60)
    }

    /// Adds the rows of separate tables, and the data that has no column.
    private func addNested(
        _ batch: SampleBatch, _ layouts: [SampleLayout], _ rows: inout DatabaseRows,
        _ encoded: inout EncodedRows
    ) throws {
        var nested = NestedRows()
        let contents = try batch.contents.map { content throws(FormatError) in
            do throws(JSONError) { return try ContentReader.children(of: content) } catch {
                throw FormatError(error)
            }
        }
        let table = ElementTable.number(ofSamples: batch.key.element)
        let hasFarTimes = rows.samples.contains { row in
            ![row.start, row.end, row.created].allSatisfy { $0.map(Self.inner.contains) ?? true }
        }
        let hasExtras =
            table != nil || layouts.contains(where: \.hasExtras) || batch.mayHaveMalformedText || hasFarTimes
        var number = 0
        // Most contents are only metadata, and many samples share them.
        let shared = contents.map { nested.metadata(alone: $0) }
        func add(_ row: SampleBatch.Row, _ attributes: [ElementNode.Attribute]) {
            var rest: [ElementNode.Attribute] = []
            if hasExtras {
                rest =
                    table.map { nested.add($0, sample: number, attributes, in: batch.key.element) }
                    ?? attributes.filter { !ElementTable.sampleAttributes.contains($0.name) }
                rest += layouts[row.context].rest(of: attributes)
                if hasFarTimes { rest += attributes.filter { Self.isFarTime($0, in: batch.key.element) } }
            }
            var leftOver: [ElementNode.Child] = []
            if row.content > 0, let metadata = shared[row.content - 1] {
                rows.samples[number].metadata = metadata
            } else if row.content > 0 {
                let found = nested.add(contents[row.content - 1], sample: number)
                rows.samples[number].metadata = found.metadata
                leftOver = found.rest
            }
            if !rest.isEmpty { encoded.asText["attributes", default: 0] += 1 }
            if let other = NestedRows.other(rest, leftOver) { rows.others.append((number, other)) }
            number += 1
        }
        if hasExtras {
            batch.forEachRowTexts { row, attributes in add(row, attributes) }
        } else if !contents.isEmpty {
            batch.forEachRow { _ in
            } value: { _, _, _, _ in
            } endRow: { row in
                add(row, [])
            }
        }
        rows.elements = nested.rows
        rows.metadata = nested.metadata
    }
}

/// The day of an instant, which most often is that of the one before as well.
private struct KnownDay {
    private let days: Days
    private var range = 0..<0
    private var number = 0

    init(_ days: Days) { self.days = days }

    mutating func dayNumber(of instant: Int) -> Int {
        guard !range.contains(instant) else { return number }
        number = days.dayNumber(of: instant)
        let start = days.start(ofDay: number)
        range = start..<max(start, days.start(ofDay: number + 1))
        return number
    }
}

/// The places of the values in a context's samples.
private final class SampleLayout {
    let fields: ContextFields
    var origin = DatabaseRows.Origin()
    /// The numbers of the instants, as `SampleBatch.seconds` counts them.
    var start: Int?
    var end: Int?
    var created: Int?
    let value: ContextFields.Field?
    var hasPointer = false
    /// The attributes that have no column in the sample table, or that their column cannot represent.
    private(set) var extras: Set<String> = []
    private let duplicates: Bool

    var hasExtras: Bool { !extras.isEmpty || duplicates }

    init(_ context: BatchContext) {
        fields = ContextFields(context)
        value = fields["value"]
        let names = context.slots.map(\.name)
        duplicates = Set(names.map { ExactName($0) }).count < names.count
        for slot in context.slots where !ElementTable.sampleAttributes.contains(slot.name) {
            extras.insert(slot.name)
        }
        if case .enclosed = value { extras.insert("value") }
        if case .time = value { extras.insert("value") }
        origin.source = text("sourceName") ?? text(AttributeKind.sourceNameOfIOS8)
        origin.version = text("sourceVersion")
        origin.unit = text("unit")
        origin.device = device(fields["device"])
        let startName =
            AttributeKind.startNames.first { name in
                if case .time = fields[name] { true } else { false }
            } ?? "startDate"
        (start, origin.startOffset) = time(startName)
        if startName != "startDate" { _ = time("startDate") }
        (end, origin.endOffset) = time("endDate")
        (created, origin.creationOffset) = time("creationDate")
    }

    /// Returns a text shared by all samples of the context.
    private func text(_ name: String) -> [UInt8]? {
        switch fields[name] {
        case .constant(let token):
            let text = JSONEscaping.text(ofToken: token)
            if !JSONEscaping.isWellFormed(text.span) { extras.insert(name) }
            return JSONEscaping.repaired(text)
        case nil: return nil
        default:
            extras.insert(name)
            return nil
        }
    }

    private func device(_ field: ContextFields.Field?) -> [UInt8]? {
        switch field {
        case .enclosed(_, let before, let after):
            hasPointer = true
            // Any pointer will do, because it is not kept.
            let token = Array("\"".utf8) + before + Array("0x0".utf8) + after + Array("\"".utf8)
            let text = JSONEscaping.text(ofToken: token)
            if !JSONEscaping.isWellFormed(text.span) { extras.insert("device") }
            return JSONEscaping.repaired(DevicePointer.removed(from: text))
        case .constant: return text("device").map { DevicePointer.removed(from: $0) }
        case nil: return nil
        default:
            extras.insert("device")
            return nil
        }
    }

    private func time(_ name: String) -> (count: Int?, offset: Int?) {
        switch fields[name] {
        case .time(let count, let offsetMinutes): return (count, offsetMinutes)
        case nil: return (nil, nil)
        default:
            extras.insert(name)
            return (nil, nil)
        }
    }

    /// Returns a time in the form of iOS 8, in seconds.
    func compactTime(_ name: String, of batch: SampleBatch, at cell: Int) -> Int? {
        guard extras.contains(name), case .text(let place)? = fields[name] else { return nil }
        return batch.time(at: cell, place)?.seconds
    }

    /// Returns the attributes that have a column in the sample table, but that it cannot represent.
    func rest(of attributes: [ElementNode.Attribute]) -> [ElementNode.Attribute] {
        var seen: Set<ExactName> = []
        return attributes.filter { attribute in
            guard ElementTable.sampleAttributes.contains(attribute.name) else { return false }
            let isFirst = seen.insert(ExactName(attribute.name)).inserted
            return !isFirst || extras.contains(attribute.name)
                || attribute.name == "value" && !JSONEscaping.isWellFormed(attribute.text.span)
        }
    }
}
