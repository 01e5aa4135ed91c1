import ByteText
import HealthModel
import HealthStoreTesting

/// A document of records for tests of queries.
struct TestDocument {
    private var records: [String] = []
    var exportDate = "2024-07-01 12:00:00 +0200"

    /// Adds steps; times are seconds since 1970 in UTC.
    mutating func add(
        _ value: String, from start: Int, to end: Int? = nil, source: String = "Watch", device: String? = nil
    ) {
        add("HKQuantityTypeIdentifierStepCount", value, from: start, to: end, source: source, device: device)
    }

    /// Adds a record.
    mutating func add(
        _ type: String, _ value: String, from start: Int, to end: Int? = nil,
        source: String = "Watch", unit: String? = "count", metadata: String? = nil, device: String? = nil
    ) {
        let times = [start, end ?? start].map { Self.apple($0) }
        let unitText = unit.map { " unit=\"\($0)\"" } ?? ""
        let deviceText = device.map { " device=\"&lt;&lt;HKDevice: 0x1&gt;, name:\($0)&gt;\"" } ?? ""
        let content = metadata.map { "><MetadataEntry key=\"k\" value=\"\($0)\"/></Record>" } ?? "/>"
        records.append(
            "<Record type=\"\(type)\" sourceName=\"\(source)\"\(deviceText)\(unitText) startDate=\"\(times[0])\" "
                + "endDate=\"\(times[1])\" value=\"\(value)\"" + content)
    }

    private static func apple(_ seconds: Int) -> String {
        var bytes: [UInt8] = []
        Timestamp(seconds: seconds, offsetMinutes: 0).appendApple(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    var text: String {
        "<HealthData locale=\"en_GB\">\n<ExportDate value=\"\(exportDate)\"/>\n"
            + records.joined(separator: "\n") + "\n</HealthData>"
    }

    var store: InMemoryStore {
        // A fingerprint of the content: the length alone is the same for many.
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        return InMemoryStore(document: text, fingerprint: StoreFingerprint(["hash": String(hash)]))
    }

    /// 2024-06-01T00:00:00Z.
    static let june = 1_717_200_000
}

/// A generator of numbers that are the same in each run.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 2 + 1 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
