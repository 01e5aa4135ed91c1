import ByteText
import HealthModel

/// A workout, without its measurements.
struct WorkoutSummary: Sendable {
    /// The kind, in words.
    let name: String
    let start: Timestamp?
    let end: Timestamp?
    let seconds: Double
    /// Metres; nil if it has no distance.
    let distance: Double?
    /// Kilocalories.
    let energy: Double?
    /// Beats per minute.
    let heartRate: Double?
    let source: String
    /// The path of the file with the route.
    let route: String?
    /// The seconds in each heart-rate zone; nil if none were measured.
    var zones: [Int]?

    init(_ workout: Workout) {
        let written = workout.activityName ?? ""
        name = workout.activityType.map { Self.words("\($0)") } ?? written
        start = workout.startDate
        end = workout.endDate
        seconds = workout.durationSeconds ?? 0
        distance = workout.totalDistance?.value(in: .meter())
        energy = workout.totalEnergyBurned?.value(in: .kilocalorie)
        heartRate =
            workout.statistics.first { $0.type == .heartRate }?.average?.value(in: .count / .minute)
        source = workout.sourceName ?? ""
        route = workout.routes.lazy.compactMap(\.filePath).first
    }

    /// Returns a name in camel case as words: `Core training`.
    private static func words(_ name: String) -> String {
        var words = ""
        for character in name {
            if character.isUppercase {
                words += " " + character.lowercased()
            } else {
                words.append(character)
            }
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}

/// The samples of a category, counted.
struct CategoryTally: Sendable {
    let type: AnySampleType
    private(set) var count = 0
    /// Days since 1970-01-01.
    private(set) var days: Set<Int> = []
    private(set) var values: [String: Int] = [:]

    init(_ type: AnySampleType) { self.type = type }

    mutating func add(_ sample: CategorySample, _ rule: Days) {
        count += 1
        if let start = sample.startDate { days.insert(rule.dayNumber(of: start.seconds)) }
        // A stranger's file may have any number of names.
        let name = sample.valueName ?? ""
        if values[name] != nil || values.count < 100 { values[name, default: 0] += 1 }
    }

    private static let shownValues = 5

    /// The values in words with the number of each, the most frequent first: `stood 12, idle 3`.
    var valueText: String {
        // Events that only happen have no value worth a word.
        if type.categoryValues == .notApplicable { return "" }
        let sorted = values.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var texts = sorted.prefix(Self.shownValues).filter { !$0.key.isEmpty }.map { name, count in
            "\(type.categoryValues?.member(named: name)?.title ?? name) \(ChartNumber.count(count))"
        }
        if sorted.count > Self.shownValues { texts.append("and \(sorted.count - Self.shownValues) more") }
        return texts.joined(separator: ", ")
    }
}

/// The records of one type of FHIR resource.
struct ClinicalList: Sendable {
    let resourceType: String
    private(set) var count = 0
    /// The first of them.
    private(set) var records: [(received: Timestamp?, path: String?, source: String)] = []

    static let shown = 200

    init(resourceType: String) { self.resourceType = resourceType }

    mutating func add(_ record: ClinicalRecord) {
        count += 1
        guard records.count < Self.shown else { return }
        records.append((record.receivedDate ?? record.startDate, record.filePath, record.sourceName ?? ""))
    }
}

/// A hearing test.
struct HearingTest: Sendable {
    let start: Timestamp?
    /// Hertz, and the softest sounds that were heard, in decibels.
    let points: [(frequency: Double, left: Double?, right: Double?)]

    init(_ sample: AudiogramSample) {
        start = sample.startDate
        points = sample.sensitivityPoints.compactMap { point in
            guard let frequency = point.frequency?.value(in: .hertz()) else { return nil }
            return (frequency, point.leftEar?.value, point.rightEar?.value)
        }.sorted { $0.frequency < $1.frequency }
    }
}
