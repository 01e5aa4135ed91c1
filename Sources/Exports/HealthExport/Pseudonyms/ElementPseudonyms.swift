import ByteText
import HealthModel
import SampleBatches

/// The rule of what an element keeps in a copy that does not name its person.
///
/// It lists what may stay; all else goes, whatever a later version of the Health app or an app invents.
struct ElementPseudonyms {
    private let person: PersonPseudonyms
    /// The names of sources and devices that were met, with what stands in their place.
    private var sources: [HashedBytes: [UInt8]] = [:]
    private var devices: [HashedBytes: [UInt8]?] = [:]

    init(of person: PersonPseudonyms) { self.person = person }

    /// How an attribute stays.
    private enum Rule {
        case number
        case unit
        /// A number, or one of HealthKit's names.
        case value
        /// One of HealthKit's names.
        case name
        case time
        case day
        case source
        case device
        /// The time of day of a beat, in any of the ways in which phones write it.
        case clock
        /// The day of birth, of which the year stays.
        case birth
    }

    private static let rules: [String: Rule] = {
        var rules: [String: Rule] = [
            "type": .name, "workoutActivityType": .name, "value": .value, AttributeKind.dayName: .day,
            "sourceName": .source, AttributeKind.sourceNameOfIOS8: .source, "device": .device, "time": .clock,
            AnySampleType.dateOfBirth.identifier: .birth,
        ]
        for name in ["startDate", "endDate", "creationDate", "date"] { rules[name] = .time }
        for name in [
            "unit", "durationUnit", "totalDistanceUnit", "totalEnergyBurnedUnit",
            "totalSwimmingStrokeCountUnit",
            "totalFlightsClimbedUnit", "activeEnergyBurnedUnit", "frequencyUnit", "leftEarUnit",
            "rightEarUnit",
        ] { rules[name] = .unit }
        for name in [
            "duration", "totalDistance", "totalEnergyBurned", "totalSwimmingStrokeCount",
            "totalFlightsClimbed",
            "average", "minimum", "maximum", "sum", "bpm", "activeEnergyBurned", "activeEnergyBurnedGoal",
            "appleMoveTime", "appleMoveTimeGoal", "appleMoveMinutes", "appleMoveMinutesGoal",
            "appleExerciseTime",
            "appleExerciseTimeGoal", "appleStandHours", "appleStandHoursGoal", "frequencyValue",
            "leftEarValue",
            "rightEarValue", "min", "max", "recordCount",
        ] { rules[name] = .number }
        return rules
    }()

    /// The elements that stay, and those that stay in each of them.
    private static let children: [String: Set<String>] = [
        "ExportDate": [], "Me": [], "ActivitySummary": [], "MetadataEntry": [], "WorkoutStatistics": [],
        "SensitivityPoint": [], "InstantaneousBeatsPerMinute": [],
        "Record": ["MetadataEntry", "HeartRateVariabilityMetadataList"],
        "Correlation": ["MetadataEntry", "Record"],
        "Workout": ["MetadataEntry", "WorkoutEvent", "WorkoutStatistics", "WorkoutActivity"],
        "WorkoutActivity": ["MetadataEntry", "WorkoutEvent", "WorkoutStatistics"],
        "WorkoutEvent": ["MetadataEntry"],
        "Audiogram": ["MetadataEntry", "SensitivityPoint"],
        "HeartRateVariabilityMetadataList": ["InstantaneousBeatsPerMinute"],
    ]

    /// The elements that stay by themselves; all but the first two are samples.
    private static let roots: Set<String> = [
        "ExportDate", "Me", "ActivitySummary", "Record", "Correlation", "Workout", "Audiogram",
    ]
    /// The elements whose type must be known: another one may name an app or a study.
    private static let typed: Set<String> = ["Record", "Correlation", "Audiogram", "WorkoutStatistics"]

    /// The metadata that stays if its value is a number, a quantity or one of HealthKit's names.
    private static let metadata: Set<String> = [
        "HKMetadataKeyHeartRateMotionContext", "HKWasUserEntered", "HKIndoorWorkout", "HKAverageMETs",
        "HKBloodGlucoseMealTime", "HKInsulinDeliveryReason", "HKMenstrualCycleStart",
        "HKSexualActivityProtectionUsed", "HKVO2MaxTestType", "HKVO2MaxValue", "HKSwimmingStrokeStyle",
        "HKSwimmingLocationType", "HKLapLength", "HKHeartRateEventThreshold",
    ]

    /// Returns what stays of an element of the document; nil if nothing does.
    mutating func element(_ element: ElementNode) throws -> ElementNode? {
        guard Self.roots.contains(element.name) else { return nil }
        let name = element.name == "ExportDate" ? "value" : "startDate"
        let start = element.attributes.first { $0.name == name }.flatMap {
            Timestamp(healthApp: $0.text.span)
        }
        // A sample without a time that can be shifted may tell one in another way, and one without a true time tells the shift.
        switch element.name {
        case "Me": break
        case "ActivitySummary":
            let day = element.attributes.first { $0.name == AttributeKind.dayName }
            guard let day = day.flatMap({ CivilDate($0.text.span) }), person.isTrue(day.start.seconds) else {
                return nil
            }
        default: guard let start, person.isTrue(start.seconds) else { return nil }
        }
        return try kept(of: element, delta: start.map { person.delta(at: $0.seconds) } ?? 0)
    }

    private mutating func kept(of element: ElementNode, delta: Int) throws -> ElementNode? {
        guard let inner = Self.children[element.name], isKnown(element) else { return nil }
        var kept = ElementNode(name: element.name)
        if element.name == "MetadataEntry" {
            guard isKept(metadata: element.attributes) else { return nil }
            kept.attributes = element.attributes
            return kept
        }
        for attribute in element.attributes
        where !kept.attributes.contains(where: { $0.name == attribute.name }) {
            guard let text = try text(of: attribute, in: element, delta: delta) else { continue }
            kept.attributes.append(ElementNode.Attribute(attribute.name, text))
        }
        for case .element(let child) in element.children where inner.contains(child.name) {
            if let child = try self.kept(of: child, delta: delta) { kept.children.append(.element(child)) }
        }
        return kept
    }

    private func isKnown(_ element: ElementNode) -> Bool {
        guard Self.typed.contains(element.name) else { return true }
        guard let type = element.attributes.first(where: { $0.name == "type" }) else { return false }
        return AnySampleType(String(decoding: type.text, as: UTF8.self)).isKnown
    }

    private func isKept(metadata attributes: [ElementNode.Attribute]) -> Bool {
        guard attributes.count == 2, attributes[0].name == "key", attributes[1].name == "value" else {
            return false
        }
        return Self.metadata.contains(String(decoding: attributes[0].text, as: UTF8.self))
            && (Self.isName(attributes[1].text) || Self.isQuantity(attributes[1].text))
    }

    /// Returns an attribute's text in the copy; nil if it goes.
    private mutating func text(
        of attribute: ElementNode.Attribute, in element: ElementNode, delta: Int
    ) throws -> [UInt8]? {
        let text = attribute.text
        switch Self.rules[attribute.name] {
        case .value where element.name == "ExportDate": return person.exportDate
        case .time: return time(text, delta)
        case .number: return JSONNumber.matches(text.span) ? text : nil
        case .value: return JSONNumber.matches(text.span) || Self.isName(text) ? text : nil
        case .unit: return Self.isUnit(text[...]) ? text : nil
        case .name: return Self.isName(text) ? text : nil
        case .clock: return Self.isClock(text) ? text : nil
        case .day: return CivilDate(text.span).map { Array("\(person.shifted($0))".utf8) }
        case .birth:
            let day = CivilDate(text.span) ?? Timestamp(compact: text.span)?.day
            return day.map { Array("\(person.shifted($0).year)".utf8) }
        case .source: return try source(text)
        case .device: return try device(text)
        case nil: return nil
        }
    }

    /// Returns a time on the wall, without the offset that tells the season and may tell the country; nil if it cannot be read.
    private func time(_ text: [UInt8], _ delta: Int) -> [UInt8]? {
        guard let time = Timestamp(healthApp: text.span), person.isTrue(time.seconds) else { return nil }
        return PersonPseudonyms.text(of: time.seconds + delta)
    }

    private mutating func source(_ text: [UInt8]) throws -> [UInt8] {
        let key = HashedBytes(text)
        if let known = sources[key] { return known }
        let name = String(decoding: text, as: UTF8.self)
        let kind = SourcePriority.kind(name, nil)
        let pseudonym = Array(try person.name(of: name, kind, otherwise: "Source").utf8)
        sources[key] = pseudonym
        return pseudonym
    }

    /// Returns a description that names the kind of a device, by which samples of several sources are merged.
    private mutating func device(_ text: [UInt8]) throws -> [UInt8]? {
        let key = HashedBytes(DevicePointer.normalized(text))
        if let known = devices[key] { return known }
        var pseudonym: [UInt8]?
        if let device = Device(parsing: String(decoding: text, as: UTF8.self)) {
            // It stays the same device when it gets other software.
            let names = device.properties.keys.filter { !["software", "firmware"].contains($0) }.sorted()
            let kind = SourcePriority.kind("", device)
            let name = try person.name(
                of: names.map { "\($0):\(device.properties[$0] ?? "")" }.joined(separator: ", "), kind,
                otherwise: "Device")
            let model = kind.word.map { ", model:\($0)" } ?? ""
            pseudonym = Array("<<HKDevice: 0x0>, name:\(name)\(model)>".utf8)
        }
        devices[key] = pseudonym
        return pseudonym
    }

    /// Whether a text is a name that HealthKit gives, not one that a person or an app can choose.
    private static func isName(_ text: [UInt8]) -> Bool {
        text.starts(with: "HK".utf8) && text.allSatisfy(isLetterOrDigit)
    }

    private static func isUnit(_ text: ArraySlice<UInt8>) -> Bool {
        (try? HealthUnit(String(decoding: text, as: UTF8.self))) != nil
    }

    /// Whether a text is a number, or a number and its unit.
    private static func isQuantity(_ text: [UInt8]) -> Bool {
        let number = text.prefix { $0 != UInt8(ascii: " ") }
        guard JSONNumber.matches(Array(number).span) else { return false }
        return number.count == text.count || isUnit(text[(number.endIndex + 1)...])
    }

    private static func isClock(_ text: [UInt8]) -> Bool {
        let marks = Array(":.,".utf8)
        // Between the time and AM or PM stands a space or U+202F.
        return String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
            guard let byte = UInt8(exactly: scalar.value) else { return scalar.value == 0x202F }
            return (0x30...0x39).contains(byte) || marks.contains(byte) || " APM".utf8.contains(byte)
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
}

/// The numbers and the shift of one person.
struct PersonPseudonyms: Sendable {
    private let pseudonyms: Pseudonyms
    private let person: String
    /// The rule for the days of the export.
    private let days: Days
    /// The days by which all dates go back.
    private let shift: Int
    /// The times that samples can have.
    private let times: Range<Int>
    /// The date of the export in the copy, as Apple writes it; nil if it is not known.
    let exportDate: [UInt8]?

    /// The most weeks by which dates go back.
    private static let mostWeeks: UInt64 = 520
    private static let numbers: UInt64 = 1_000_000

    /// Creates the numbers of a person.
    ///
    /// Dates go back, so that none lies in the future, by whole weeks: the days of the week are plain from anyone's week anyway,
    /// and statistics by week stay as they are.
    ///
    /// - Parameters:
    ///   - exported: When the export was made; nil if that is not known.
    ///   - until: When the selection ends, which the copy has in place of a later date of the export; nil for no end.
    init(
        _ pseudonyms: Pseudonyms, person: String, days: Days, exported: Int?, until: Int?
    ) throws {
        self.pseudonyms = pseudonyms
        self.person = person
        self.days = days
        shift = 7 * (1 + (try pseudonyms.number(below: Self.mostWeeks, for: ["shift", person])))
        times = Self.firstTime..<(exported.map { $0 + 86400 } ?? .max)
        let shown = exported.map { min($0, until ?? $0) }
        exportDate = shown.flatMap { [shift] in Self.text(of: $0 + days.offset(at: $0) - shift * 86400) }
    }

    /// No sample is older than 1971: what begins in 1970 was written by a clock that nobody had set.
    private static let firstTime = 365 * 86400
    /// The day on which Apple's clocks begin, and those beside it: from 2000-12-31 to 2001-01-02.
    private static let apple = 978_220_800..<978_480_000

    /// Whether a time can be one of a person's, and not one by which programs say that there is none: all of these are known, and
    /// one of them, shifted, tells the shift.
    func isTrue(_ seconds: Int) -> Bool { times.contains(seconds) && !Self.apple.contains(seconds) }

    /// Returns the seconds to add to the times of a sample so that they show, in UTC, its clock on the wall on the shifted day.
    func delta(at seconds: Int) -> Int { days.offset(at: seconds) - shift * 86400 }

    /// Returns a time in UTC as Apple writes it; nil if its year has not four digits.
    static func text(of seconds: Int) -> [UInt8]? {
        guard Timestamp.writable(offsetMinutes: 0).contains(seconds) else { return nil }
        var text: [UInt8] = []
        Timestamp(seconds: seconds, offsetMinutes: 0).appendApple(to: &text)
        return text
    }

    func shifted(_ day: CivilDate) -> CivilDate { CivilDate(daysSince1970: day.daysSince1970 - shift) }

    /// Returns the number of a source or device with its kind: `Watch 428571`.
    fileprivate func name(
        of text: String, _ kind: SourcePriority.Kind, otherwise word: String
    ) throws -> String {
        let word = kind.word ?? word
        let number = "\(try pseudonyms.number(below: Self.numbers, for: [word, person, text]))"
        return "\(word) \(String(repeating: "0", count: 6 - number.utf8.count))\(number)"
    }
}

extension SourcePriority.Kind {
    /// The word by which the kind is told.
    fileprivate var word: String? {
        switch self {
        case .watch: "Watch"
        case .phone: "iPhone"
        case .other: nil
        }
    }
}
