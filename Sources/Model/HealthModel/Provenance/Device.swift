import SampleBatches

/// The device that measured a sample, as HealthKit describes it.
///
/// An export writes `<<HKDevice: 0x2812f5540>, name:Apple Watch, manufacturer:Apple Inc., hardware:Watch6,2>`; the
/// pointer, which changes with almost every record, and the creation date are dropped.
public struct Device: Sendable, Hashable {
    /// The properties by their names in an export: `name`, `manufacturer`, `model`, `hardware`, `firmware`,
    /// `software`, `localIdentifier`, `UDI`, ...
    public let properties: [String: String]

    /// Reads a description.
    ///
    /// - Returns: nil if it is not in HealthKit's form.
    public init?(parsing text: String) {
        let bytes = DevicePointer.normalized(Array(text.utf8))
        let description = String(decoding: bytes, as: UTF8.self)
        guard description.hasPrefix("<<HKDevice: >"), description.hasSuffix(">") else { return nil }
        var properties: [String: String] = [:]
        var key: String?
        // Values contain commas too: `hardware:Watch6,2`.
        var rest: Substring? = description.dropFirst("<<HKDevice: >".count).dropLast()
        while let text = rest {
            let (part, after) = text.split(at: ", ").map { ($0.before, $0.after) } ?? (text, nil)
            rest = after
            guard !part.isEmpty else { continue }
            if let colon = part.firstIndex(of: ":"), part[..<colon].allSatisfy({ $0.isLetter }) {
                let name = String(part[..<colon])
                properties[name] = String(part[part.index(after: colon)...])
                key = name
            } else if let key {
                properties[key, default: ""] += ", \(part)"
            }
        }
        self.properties = properties
    }

    /// Creates a device.
    public init(
        name: String? = nil, manufacturer: String? = nil, model: String? = nil,
        hardwareVersion: String? = nil,
        softwareVersion: String? = nil
    ) {
        var properties: [String: String] = [:]
        properties["name"] = name
        properties["manufacturer"] = manufacturer
        properties["model"] = model
        properties["hardware"] = hardwareVersion
        properties["software"] = softwareVersion
        self.properties = properties
    }

    /// Its name: `Apple Watch`.
    public var name: String? { properties["name"] }
    /// Its manufacturer.
    public var manufacturer: String? { properties["manufacturer"] }
    /// Its model: `Watch`, `iPhone`.
    public var model: String? { properties["model"] }
    /// The version of its hardware: `Watch6,2`.
    public var hardwareVersion: String? { properties["hardware"] }
    /// The version of its software.
    public var softwareVersion: String? { properties["software"] }

    /// The description as an export writes it, with a null pointer.
    var text: String {
        let known = ["name", "manufacturer", "model", "hardware", "firmware", "software"]
        let names =
            known.filter { properties[$0] != nil } + properties.keys.filter { !known.contains($0) }.sorted()
        let parts = names.map { "\($0):\(properties[$0] ?? "")" }
        return "<<HKDevice: 0x0>, \(parts.joined(separator: ", "))>"
    }
}
