import ByteText
import HealthModel
import SampleBatches

/// The metadata of a sample as extensions.
enum MetadataExtensions: Sendable {
    /// The address of the extension with one entry.
    static let url = "urn:healthvault:metadata"

    /// Returns the member `extension` with a comma before it; empty if there is no metadata.
    static func member(_ entries: [Metadata.Entry]) -> [UInt8] {
        let entries = entries.compactMap { entry in
            FHIRText.string(entry.key).map { Metadata.Entry(key: $0, value: entry.value) }
        }
        guard !entries.isEmpty else { return [] }
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("extension")
            writer.array { writer in
                for entry in entries { write(entry, &writer) }
            }
        }
        return [UInt8(ascii: ",")] + writer.bytes.dropFirst().dropLast()
    }

    private static func write(_ entry: Metadata.Entry, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("extension")
            writer.array { writer in
                part("key", &writer) { $0.member("valueString", entry.key) }
                if let quantity = quantity(entry) {
                    part("value", &writer) { $0.quantity("valueQuantity", quantity) }
                } else if let text = FHIRText.string(entry.value) {
                    part("value", &writer) { $0.member("valueString", text) }
                }
                if let title = title(entry) { part("title", &writer) { $0.member("valueString", title) } }
            }
            writer.member("url", url)
        }
    }

    private static func part(
        _ name: String, _ writer: inout JSONWriter, _ value: (inout JSONWriter) -> Void
    ) {
        writer.object { writer in
            writer.member("url", name)
            value(&writer)
        }
    }

    /// Returns the quantity that an entry states: `418 cm`; nil if it states none.
    static func quantity(_ entry: Metadata.Entry) -> ObservedQuantity? {
        guard let quantity = Quantity(parsing: entry.value), let text = quantity.text else { return nil }
        guard quantity.unit == .percent else {
            return ObservedQuantity(text, FHIRUnit(quantity.unit))
        }
        // The Health app writes a humidity of 64 % as 6400 %, because it multiplies twice.
        let shift = entry.key == "HKWeatherHumidity" ? -2 : 0
        return FHIRDecimal.text(Array(text.utf8).span, shift: shift).map {
            ObservedQuantity(number: $0, FHIRUnit(.percent))
        }
    }

    /// Returns the name of the number that an entry states; nil for entries of unknown keys.
    private static func title(_ entry: Metadata.Entry) -> String? {
        guard entry.key == "HKWeatherCondition", let number = Int(entry.value) else { return nil }
        return weather.indices.contains(number) ? weather[number] : nil
    }

    /// The cases of `HKWeatherCondition`, by number.
    private static let weather = [
        "none", "clear", "fair", "partly cloudy", "mostly cloudy", "cloudy", "foggy", "haze", "windy",
        "blustery", "smoky", "dust", "snow", "hail", "sleet", "freezing drizzle", "freezing rain",
        "mixed rain and hail", "mixed rain and snow", "mixed rain and sleet", "mixed snow and sleet",
        "drizzle",
        "scattered showers", "showers", "thunderstorms", "tropical storm", "hurricane", "tornado",
    ]
}

/// A quantity of FHIR: a number and a unit.
struct ObservedQuantity: Sendable {
    private let number: [UInt8]
    private let unit: FHIRUnit

    init(number: [UInt8], _ unit: FHIRUnit) {
        self.number = number
        self.unit = unit
    }

    /// Creates a quantity from a number as it is written; nil if it is not finite.
    init?(_ text: String, _ unit: FHIRUnit) {
        guard let number = FHIRDecimal.text(Array(text.utf8).span, shift: unit.isPercent ? 2 : 0) else {
            return nil
        }
        self.init(number: number, unit)
    }

    /// Creates a quantity from a computed number; nil if it is not finite.
    init?(_ value: Double, _ unit: FHIRUnit) {
        guard let number = FHIRDecimal.text(unit.isPercent ? value * 100 : value) else { return nil }
        self.init(number: number, unit)
    }

    /// Creates a quantity in the unit of a mapping; nil if it cannot be converted.
    init?(_ quantity: Quantity, in unit: FHIRUnit?) {
        let unit = unit ?? FHIRUnit(quantity.unit)
        if unit.unit == quantity.unit {
            self.init(quantity.text ?? "\(quantity.value)", unit)
        } else {
            guard let value = quantity.value(in: unit.unit) else { return nil }
            self.init(value, unit)
        }
    }

    fileprivate func write(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.number("value", number)
            Self.writeUnit(unit, &writer)
        }
    }

    /// Writes the unit: its name, and its code if UCUM has it.
    static func writeUnit(_ unit: FHIRUnit, _ writer: inout JSONWriter) {
        writer.text("unit", unit.name)
        guard let code = unit.code else { return }
        writer.member("system", FHIRCoding.ucumSystem)
        writer.member("code", code)
    }
}

extension JSONWriter {
    /// Writes a member with a quantity; nothing if there is none.
    mutating func quantity(_ name: String, _ quantity: ObservedQuantity?) {
        guard let quantity else { return }
        key(name)
        quantity.write(&self)
    }
}
