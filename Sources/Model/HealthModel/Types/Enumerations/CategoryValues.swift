import Synchronization

/// The values that samples of a category can have.
public struct CategoryValues: Sendable, Equatable {
    /// One of the values.
    public struct Member: Sendable, Equatable {
        /// The name in an export: `HKCategoryValueSleepAnalysisAsleepDeep`.
        public let name: String
        /// HealthKit's number for the value.
        public let rawValue: Int
        /// The name without the enumeration's name, as words: `asleep deep`.
        public let title: String
    }

    /// HealthKit's name of the enumeration: `HKCategoryValueSleepAnalysis`.
    public let typeName: String
    private let names: Names

    init<Value: CategoryValue>(_ type: Value.Type) {
        typeName = Value.typeName
        names = Names {
            let members = Value.allCases.map { value in
                Member(name: value.name, rawValue: value.rawValue, title: value.title)
            }
            let byName = Dictionary(
                members.map { ($0.name, $0.rawValue) }
                    + Value.otherNames.map { ($0.key, $0.value.rawValue) }
            ) { first, _ in first }
            return (members, byName)
        }
    }

    /// The values, in the order of their numbers.
    public var members: [Member] { names.value.members }

    /// Returns HealthKit's number for the value with this name in an export; nil if there is none.
    public func rawValue(named name: String) -> Int? { names.value.byName[name] }

    /// Whether both have the same values.
    public static func == (left: Self, right: Self) -> Bool {
        left.typeName == right.typeName && left.members == right.members
    }

    /// The names of the values, made on first use: a command knows all types, and shows the values of a few.
    private final class Names: Sendable {
        typealias Value = (members: [Member], byName: [String: Int])

        private let known = Mutex<Value?>(nil)
        private let make: @Sendable () -> Value

        init(_ make: @escaping @Sendable () -> Value) { self.make = make }

        var value: Value {
            known.withLock { known in
                let value = known ?? make()
                known = value
                return value
            }
        }
    }

    /// Returns the value with this name in an export; nil if there is none.
    public func member(named name: String) -> Member? {
        rawValue(named: name).flatMap { number in members.first { $0.rawValue == number } }
    }
}

extension CategoryValues {
    /// ``SleepAnalysisValue``.
    public static let sleepAnalysis = CategoryValues(SleepAnalysisValue.self)
    /// ``SeverityValue``.
    public static let severity = CategoryValues(SeverityValue.self)
    /// ``PresenceValue``.
    public static let presence = CategoryValues(PresenceValue.self)
    /// ``AppetiteChangesValue``.
    public static let appetiteChanges = CategoryValues(AppetiteChangesValue.self)
    /// ``MenstrualFlowValue``.
    public static let menstrualFlow = CategoryValues(MenstrualFlowValue.self)
    /// ``VaginalBleedingValue``.
    public static let vaginalBleeding = CategoryValues(VaginalBleedingValue.self)
    /// ``CervicalMucusQualityValue``.
    public static let cervicalMucusQuality = CategoryValues(CervicalMucusQualityValue.self)
    /// ``ContraceptiveValue``.
    public static let contraceptive = CategoryValues(ContraceptiveValue.self)
    /// ``OvulationTestResultValue``.
    public static let ovulationTestResult = CategoryValues(OvulationTestResultValue.self)
    /// ``PregnancyTestResultValue``.
    public static let pregnancyTestResult = CategoryValues(PregnancyTestResultValue.self)
    /// ``ProgesteroneTestResultValue``.
    public static let progesteroneTestResult = CategoryValues(ProgesteroneTestResultValue.self)
    /// ``NotApplicableValue``.
    public static let notApplicable = CategoryValues(NotApplicableValue.self)
    /// ``AppleStandHourValue``.
    public static let appleStandHour = CategoryValues(AppleStandHourValue.self)
    /// ``AppleWalkingSteadinessEventValue``.
    public static let appleWalkingSteadinessEvent = CategoryValues(AppleWalkingSteadinessEventValue.self)
    /// ``EnvironmentalAudioExposureEventValue``.
    public static let environmentalAudioExposureEvent = CategoryValues(
        EnvironmentalAudioExposureEventValue.self)
    /// ``HeadphoneAudioExposureEventValue``.
    public static let headphoneAudioExposureEvent = CategoryValues(HeadphoneAudioExposureEventValue.self)
    /// ``LowCardioFitnessEventValue``.
    public static let lowCardioFitnessEvent = CategoryValues(LowCardioFitnessEventValue.self)
}
