import ByteText
import HealthModel

/// An `Observation` of a sample that consists of several values.
struct SampleObservation {
    let mapper: FHIRMapper
    /// What recorded the sample.
    let device: DeviceResource?
    /// What is not in the resource.
    private(set) var gaps = FHIRGaps()
    /// Whether the resource has all that it must have.
    private(set) var isComplete = true

    private let text: ObservationText
    private let identity: UInt128
    private let times: [UInt8]
    private let metadata: Metadata
    private let extensions: [UInt8]
    private var values = JSONWriter()
    private var components: [[UInt8]] = []

    init(
        _ sample: AnySample, _ text: ObservationText, _ identity: UInt128, _ mapper: FHIRMapper,
        _ zones: inout RecordedZoneRules
    ) {
        self.text = text
        self.identity = identity
        self.mapper = mapper
        device = DeviceResource(
            sourceName: sample.sourceName, sourceVersion: sample.sourceVersion, device: sample.device)
        metadata = sample.metadata
        extensions = MetadataExtensions.member(metadata.entries)
        let zone = metadata.timeZone.flatMap { zones.rules(of: $0) }
        if let time = ObservedTime(sample, zone) {
            times = time.member
            if time.endsBeforeStart { gaps.add(.endsBeforeStart) }
        } else if sample.element == "ActivitySummary", let day = ActivitySummary(row: sample.row).day {
            times = Array(",\"effectiveDateTime\":\"\(day)\"".utf8)
        } else {
            times = []
            gaps.add(.unreadableStarts)
            isComplete = false
        }
    }

    /// Marks the sample as one without a resource.
    mutating func giveUp(_ gap: FHIRGap) {
        gaps.add(gap)
        isComplete = false
    }

    /// Counts what is not in the resource.
    mutating func omit(_ gap: FHIRGap, _ count: Int) { gaps.add(gap, count) }

    /// Sets the value of the observation: one member whose name starts with `value`.
    mutating func setValue(_ body: (inout JSONWriter) -> Void) {
        values = JSONWriter()
        values.object { writer in body(&writer) }
    }

    /// Adds a component.
    mutating func add(_ codings: [FHIRCoding], text: String? = nil, _ value: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.concept("code", codings, text: text)
            value(&writer)
        }
        components.append(writer.bytes)
    }

    /// Adds a component with a quantity in the unit of a mapping.
    ///
    /// - Returns: false if it cannot be converted to it.
    @discardableResult
    mutating func add(
        _ codings: [FHIRCoding], text: String? = nil, _ quantity: Quantity?, in unit: FHIRUnit?
    ) -> Bool {
        guard let quantity, let observed = ObservedQuantity(quantity, in: unit) else { return false }
        add(codings, text: text) { $0.quantity("valueQuantity", observed) }
        return true
    }

    /// Whether it has a component.
    var hasComponents: Bool { !components.isEmpty }

    /// The resource.
    var json: [UInt8] {
        var json = text.head(identity)
        if let device {
            json += Array(",\"device\":{\"reference\":\"\(mapper.reference(to: device))\"}".utf8)
        }
        json += times
        let value = values.bytes.dropFirst().dropLast()
        if !value.isEmpty { json += [UInt8(ascii: ",")] + value }
        json += extensions
        if !components.isEmpty {
            json += Array(",\"component\":[".utf8)
            for (number, component) in components.enumerated() {
                if number > 0 { json.append(UInt8(ascii: ",")) }
                json.append(copying: component)
            }
            json.append(UInt8(ascii: "]"))
        }
        json.append(UInt8(ascii: "}"))
        return json
    }
}

/// When a sample was observed: an instant or a period, in the zone in which it was recorded.
struct ObservedTime: Sendable {
    /// The members with the times, each with a comma before it.
    let member: [UInt8]
    /// Whether the sample says that it ended before it started.
    let endsBeforeStart: Bool

    init?(_ sample: AnySample, _ zone: ZoneRules?) {
        guard let start = sample.startDate else { return nil }
        let end = sample.endDate ?? start
        endsBeforeStart = end.seconds < start.seconds
        func text(_ time: Timestamp) -> String {
            let offset = zone?.offsetMinutes(at: time.seconds) ?? time.offsetMinutes
            return Timestamp(seconds: time.seconds, offsetMinutes: offset).iso
        }
        var json =
            end.seconds <= start.seconds
            ? ",\"effectiveDateTime\":\"\(text(start))\""
            : ",\"effectivePeriod\":{\"start\":\"\(text(start))\",\"end\":\"\(text(end))\"}"
        if let created = sample.creationDate { json += ",\"issued\":\"\(text(created))\"" }
        member = Array(json.utf8)
    }
}
