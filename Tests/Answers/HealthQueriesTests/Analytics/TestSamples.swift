import ByteText
import HealthModel
import HealthStoreTesting
import SystemIO

/// A document of samples that tests add to and remove from.
struct TestSamples {
    /// A sample; times are seconds since 1970.
    struct Item {
        var type: String
        var value: String
        var start: Int
        var end: Int
        var source = "Watch"
        var unit: String? = "count"
        var zone: String?
        /// Whether it is a workout, whose kind is the value.
        var isWorkout = false
    }

    var items: [Item] = []
    var exportDate = "2024-07-01 12:00:00 +0200"

    /// 2024-06-01T00:00:00Z.
    static let june = 1_717_200_000

    /// Adds steps.
    mutating func steps(_ value: String, _ start: Int, _ end: Int, source: String = "Watch") {
        items.append(
            Item(
                type: "HKQuantityTypeIdentifierStepCount", value: value, start: start, end: end,
                source: source))
    }

    /// Adds a quantity.
    mutating func add(
        _ type: String, _ value: String, _ start: Int, _ end: Int, unit: String, source: String = "Watch"
    ) {
        items.append(
            Item(
                type: "HKQuantityTypeIdentifier" + type, value: value, start: start, end: end, source: source,
                unit: unit))
    }

    /// Adds a stage of sleep.
    mutating func sleep(_ stage: String, _ start: Int, _ end: Int, source: String = "Watch") {
        items.append(
            Item(
                type: "HKCategoryTypeIdentifierSleepAnalysis",
                value: "HKCategoryValueSleepAnalysis" + stage, start: start, end: end, source: source,
                unit: nil))
    }

    /// Adds a running workout.
    mutating func run(_ start: Int, _ end: Int) {
        items.append(
            Item(
                type: "", value: "HKWorkoutActivityTypeRunning", start: start, end: end, unit: nil,
                isWorkout: true))
    }

    private static func apple(_ seconds: Int) -> String {
        var bytes: [UInt8] = []
        Timestamp(seconds: seconds, offsetMinutes: 0).appendApple(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func text(_ item: Item) -> String {
        let times =
            "sourceName=\"\(item.source)\" startDate=\"\(apple(item.start))\" endDate=\"\(apple(item.end))\""
        if item.isWorkout { return "<Workout workoutActivityType=\"\(item.value)\" \(times)/>" }
        let unit = item.unit.map { " unit=\"\($0)\"" } ?? ""
        let zone =
            item.zone.map { "><MetadataEntry key=\"HKTimeZone\" value=\"\($0)\"/></Record>" } ?? "/>"
        return "<Record type=\"\(item.type)\" value=\"\(item.value)\"\(unit) \(times)" + zone
    }

    /// A store of the samples.
    var store: InMemoryStore {
        let text =
            "<HealthData locale=\"en_GB\">\n<ExportDate value=\"\(exportDate)\"/>\n"
            + items.map { Self.text($0) }.joined(separator: "\n") + "\n</HealthData>"
        // The length alone is the same for many.
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        return InMemoryStore(
            document: text, fingerprint: StoreFingerprint(["hash": String(hash), "kind": "test"]))
    }
}

/// Runs a test with the path of a database that does not exist yet, in a folder that is removed afterwards.
func withDatabase<Result>(
    _ name: BytePath = "analytics.sqlite", _ body: (BytePath) throws -> Result
) throws -> Result {
    let folder: BytePath = "/tmp/healthvault-analytics-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    try Folder.make(folder)
    defer { try? Folder.removeAll(folder) }
    return try body(folder / name)
}
