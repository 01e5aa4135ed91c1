import ByteText
import HealthModel
import SampleBatches

/// Writes the quantities and categories of a batch as `Observation`s.
struct RecordObservations {
    private let batch: SampleBatch
    private let type: AnySampleType
    private let mapper: FHIRMapper
    private let text: ObservationText
    private let layout: RecordLayout
    private var categories: CategoryTexts
    private let isQuantity: Bool
    /// The zones that were read, those of earlier batches included.
    private(set) var zones: RecordedZoneRules
    private var contents: [RecordContent?]
    /// The rows as samples, for those with metadata in attributes.
    private lazy var samples = batch.samples
    private var startTimes = TimeWriter()
    private var endTimes = TimeWriter()
    private var creationTimes = TimeWriter()

    /// The values of the row that is being read.
    private struct Values {
        var start: Int?
        var end: Int?
        var created: Int?
        var value: Range<Int>?
        var startOffset = 0
        var endOffset = 0
        var createdOffset = 0

        /// Sets the time with a role.
        mutating func set(_ time: Timestamp, as role: RecordLayout.Role) {
            switch role {
            case .start: (start, startOffset) = (time.seconds, time.offsetMinutes)
            case .end: (end, endOffset) = (time.seconds, time.offsetMinutes)
            case .created: (created, createdOffset) = (time.seconds, time.offsetMinutes)
            case .value, .other: break
            }
        }
    }

    init(_ batch: SampleBatch, _ mapper: FHIRMapper, _ zones: RecordedZoneRules) {
        self.batch = batch
        self.mapper = mapper
        self.zones = zones
        type = batch.sampleType
        text = ObservationText(type, mapper)
        layout = RecordLayout(batch, text, mapper)
        categories = CategoryTexts(type)
        contents = [RecordContent?](repeating: nil, count: batch.contents.count)
        isQuantity = type.kind == .quantity || layout.hasUnits
    }

    /// Writes each row that is not an exact copy of another one.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - gaps: Counts what is not in the resources.
    ///   - emit: Called with each resource.
    mutating func write(_ rows: FHIRRows, _ gaps: inout FHIRGaps, _ emit: FHIREmit) throws {
        var values = Values()
        var number = 0
        var json: [UInt8] = []
        let bytes = batch.text
        try batch.forEachRow { (_: SampleBatch.Row) throws(any Error) in
            values = Values()
        } value: { row, _, value, _ throws(any Error) in
            let column = layout.columns[row.column]
            switch (column.role, value) {
            case (_, .instant(let seconds)):
                let time = Timestamp(seconds: seconds, offsetMinutes: column.offsetMinutes)
                values.set(time, as: column.role)
            case (.value, .token(let range)): values.value = range
            case (.other, .token): break
            case (_, .token(let range)):
                guard let time = Timestamp(compactToken: bytes.span.extracting(range)) else { break }
                values.set(time, as: column.role)
            }
        } endRow: { row throws(any Error) in
            defer { number += 1 }
            guard !rows.isCopy(number) else { return }
            json.removeAll(keepingCapacity: true)
            let identity = rows.identities[number]
            guard write(row, number, values, bytes.span, identity, &gaps, to: &json) else { return }
            try emit("Observation", identity, layout.contexts[row.context].device, json.span)
        }
    }

    /// Writes a row, and returns whether it has a resource.
    private mutating func write(
        _ row: SampleBatch.Row, _ number: Int, _ values: Values, _ bytes: Span<UInt8>, _ identity: UInt128,
        _ gaps: inout FHIRGaps, to json: inout [UInt8]
    ) -> Bool {
        guard let start = values.start else {
            gaps.add(.unreadableStarts)
            return false
        }
        let context = layout.contexts[row.context]
        let content = content(row, number)
        var end = values.end ?? start
        if end < start {
            gaps.add(.endsBeforeStart)
            end = start
        }
        gaps.add(.attributes, context.otherCount)
        if let content { gaps.add(.nestedElements, content.otherCount) }
        appendHead(context, identity, to: &json)
        var times = values
        if let zone = content?.zone {
            times.startOffset = zone.offsetMinutes(at: start) ?? values.startOffset
            times.endOffset = zone.offsetMinutes(at: end) ?? values.endOffset
            times.createdOffset =
                values.created.flatMap { zone.offsetMinutes(at: $0) } ?? values.createdOffset
        }
        appendTimes(start, end, times, to: &json)
        var duration: [UInt8] = []
        if isQuantity {
            guard appendQuantity(context, values.value, bytes, &gaps, to: &json) else { return false }
        } else {
            let category = categoryText(context, values.value, bytes)
            json.append(copying: category.member)
            if let code = category.durationCode { duration = Self.component(code, seconds: end - start) }
        }
        appendTail(content, duration, to: &json)
        return true
    }

    /// Returns what the metadata and the nested content of a row add; nil if it has none.
    private mutating func content(_ row: SampleBatch.Row, _ number: Int) -> RecordContent? {
        if layout.contexts[row.context].hasAttributeMetadata {
            let sample = samples[number]
            return RecordContent(sample.metadata, sample.row.children, of: type, mapper, &zones)
        }
        guard row.content > 0 else { return nil }
        if let known = contents[row.content - 1] { return known }
        let content = RecordContent(batch.contents[row.content - 1], of: type, mapper, &zones)
        contents[row.content - 1] = content
        return content
    }

    private func appendHead(_ context: RecordLayout.Context, _ identity: UInt128, to json: inout [UInt8]) {
        let (opening, middle, body) = (ObservationText.opening, text.identifier, context.body)
        let room = opening.count + middle.count + body.count + 2 * FHIRIdentity.length
        json.append(addingCapacity: room) { (output: inout OutputSpan<UInt8>) in
            output.append(copying: opening.span)
            Hexadecimal.append(identity, to: &output)
            output.append(copying: middle.span)
            Hexadecimal.append(identity, to: &output)
            output.append(copying: body.span)
        }
    }

    private mutating func appendTimes(_ start: Int, _ end: Int, _ values: Values, to json: inout [UInt8]) {
        json.append(addingCapacity: Self.timesLength) { (output: inout OutputSpan<UInt8>) in
            if start == end {
                output.append(copying: Self.instant.span)
                startTimes.appendISO(seconds: start, offsetMinutes: values.startOffset, to: &output)
                output.append(UInt8(ascii: "\""))
            } else {
                output.append(copying: Self.period.span)
                startTimes.appendISO(seconds: start, offsetMinutes: values.startOffset, to: &output)
                output.append(copying: Self.periodEnd.span)
                endTimes.appendISO(seconds: end, offsetMinutes: values.endOffset, to: &output)
                output.append(copying: Self.periodClose.span)
            }
            guard let created = values.created else { return }
            output.append(copying: Self.issued.span)
            creationTimes.appendISO(seconds: created, offsetMinutes: values.createdOffset, to: &output)
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Appends the value, and returns false if it has none in the unit of the type.
    private func appendQuantity(
        _ context: RecordLayout.Context, _ range: Range<Int>?, _ bytes: Span<UInt8>, _ gaps: inout FHIRGaps,
        to json: inout [UInt8]
    ) -> Bool {
        let constant = context.value ?? []
        guard let range else {
            return appendQuantity(context, constant.span, &gaps, to: &json)
        }
        return appendQuantity(context, bytes.extracting(range), &gaps, to: &json)
    }

    private func appendQuantity(
        _ context: RecordLayout.Context, _ token: Span<UInt8>, _ gaps: inout FHIRGaps, to json: inout [UInt8]
    ) -> Bool {
        json.append(copying: Self.quantity)
        var isNumber = false
        switch context.conversion {
        case .shift(let shift):
            let room = FHIRDecimal.mostBytes(of: token.count, shift: shift)
            json.append(addingCapacity: room) { (output: inout OutputSpan<UInt8>) in
                isNumber = FHIRDecimal.append(token, shift: shift, to: &output)
            }
        case .factor(let conversion, let isPercent):
            if let value = DecimalText.number(ofToken: token, 0..<token.count) {
                let converted = conversion(value)
                if let text = FHIRDecimal.text(isPercent ? converted * 100 : converted) {
                    json.append(copying: text)
                    isNumber = true
                }
            }
        case .none:
            gaps.add(.unknownUnits)
            return false
        }
        if !isNumber { gaps.add(.unreadableValues) }
        json.append(copying: context.unit)
        return isNumber
    }

    private mutating func categoryText(
        _ context: RecordLayout.Context, _ range: Range<Int>?, _ bytes: Span<UInt8>
    ) -> CategoryTexts.Text {
        if let range { return categories.text(bytes.extracting(range)) }
        guard let value = context.value else { return categories.textWithoutValue() }
        return categories.text(value.span)
    }

    private func appendTail(_ content: RecordContent?, _ component: [UInt8], to json: inout [UInt8]) {
        if let content {
            json.append(copying: content.members)
            if !content.components.isEmpty || !component.isEmpty {
                json.append(copying: Self.components)
                json.append(copying: content.components)
                if !content.components.isEmpty, !component.isEmpty { json.append(UInt8(ascii: ",")) }
                json.append(copying: component)
                json.append(UInt8(ascii: "]"))
            }
        } else if !component.isEmpty {
            json.append(copying: Self.components)
            json.append(copying: component)
            json.append(UInt8(ascii: "]"))
        }
        json.append(UInt8(ascii: "}"))
    }

    /// Returns a component with a duration in minutes.
    private static func component(_ code: FHIRCoding, seconds: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.concept("code", [code])
            writer.quantity("valueQuantity", ObservedQuantity(Double(seconds) / 60, FHIRUnit(.minute)))
        }
        return writer.bytes
    }

    private static let instant = Array(",\"effectiveDateTime\":\"".utf8)
    private static let period = Array(",\"effectivePeriod\":{\"start\":\"".utf8)
    private static let periodEnd = Array("\",\"end\":\"".utf8)
    private static let periodClose = Array("\"}".utf8)
    private static let issued = Array(",\"issued\":\"".utf8)
    private static let quantity = Array(",\"valueQuantity\":{\"value\":".utf8)
    private static let components = Array(",\"component\":[".utf8)
    /// An upper bound on the bytes of all times of a row.
    private static let timesLength = 200
}
