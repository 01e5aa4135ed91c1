import AppleHealthExport
import ByteText
import HealthModel
import SystemIO

/// The sections of a JSON document that contain side files.
enum JSONFileSection: String {
    case electrocardiogramData
    case routeData
    case clinicalResources

    /// Determines the section of a file from its name; nil if a JSON document leaves the file out.
    init?(_ name: BytePath) {
        switch SideFileKind(name) {
        case .electrocardiogram: self = .electrocardiogramData
        case .route: self = .routeData
        case .clinicalResource: self = .clinicalResources
        case .other: return nil
        }
    }

    /// Returns the file as a JSON object; nil if it is too large or not in the format that its name implies.
    func value(of file: FormatFile, _ read: FileReading) throws -> [UInt8]? {
        guard let bytes = try file.bytes(read) else { return nil }
        var writer = JSONWriter()
        var isWhole = true
        writer.object { writer in
            writer.member("path", "/\(file.name)")
            switch self {
            case .electrocardiogramData: isWhole = Self.write(electrocardiogram: bytes, file, &writer)
            case .routeData: isWhole = Self.write(route: bytes, &writer)
            case .clinicalResources: isWhole = Self.write(resource: bytes, &writer)
            }
        }
        return isWhole ? writer.bytes : nil
    }

    private static func write(
        electrocardiogram bytes: [UInt8], _ file: FormatFile, _ writer: inout JSONWriter
    ) -> Bool {
        guard let recording = try? Electrocardiogram(csv: bytes, path: "\(file.name)") else { return false }
        if let date = recording.recordedDate { writer.member("recordedDate", date.iso) }
        writer.member("classificationText", recording.classificationText)
        writer.member("symptoms", recording.symptoms)
        for (name, text) in [
            ("softwareVersion", recording.softwareVersion), ("device", recording.device),
            ("lead", recording.lead),
        ] {
            if let text { writer.member(name, text) }
        }
        if let frequency = recording.samplingFrequency {
            writer.key("samplingFrequency")
            writer.raw(Array("\(frequency)".utf8).span)
            writer.member("samplingFrequencyUnit", "Hz")
        }
        writer.member("unit", "uV")
        writer.key("voltages")
        writer.array { writer in
            for voltage in recording.voltages.microvolts { writer.raw(Array("\(voltage)".utf8).span) }
        }
        return true
    }

    private static func write(route bytes: [UInt8], _ writer: inout JSONWriter) -> Bool {
        guard let route = RouteReader.route(in: bytes.span), route.points.allSatisfy(\.isPlain) else {
            return false
        }
        if let name = route.name {
            writer.key("name")
            writer.string(bytes: name.span)
        }
        writer.key("points")
        writer.array { writer in
            for point in route.points {
                writer.object { writer in
                    for (name, text) in point.values {
                        writer.key(name.rawValue)
                        if name == .time {
                            writer.string(bytes: text.span)
                        } else {
                            writer.raw(text.span)
                        }
                    }
                    if route.isInterrupted { writer.member("segment", point.segment) }
                }
            }
        }
        return true
    }

    private static func write(resource bytes: [UInt8], _ writer: inout JSONWriter) -> Bool {
        var reader = JSONReader(bytes)
        do {
            let value = try reader.skip()
            try reader.finish()
            writer.key("resource")
            writer.raw(bytes.span.extracting(value))
            return true
        } catch { return false }
    }
}
