/// A value that samples of a category can have.
public protocol CategoryValue: HealthEnumeration {}

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
    /// The values, in the order of their numbers.
    public let members: [Member]
    private let byName: [String: Int]

    init<Value: CategoryValue>(_ type: Value.Type) {
        typeName = Value.typeName
        members = Value.allCases.map { value in
            Member(name: value.name, rawValue: value.rawValue, title: value.title)
        }
        byName = Dictionary(
            Value.allCases.map { ($0.name, $0.rawValue) }
                + Value.otherNames.map { ($0.key, $0.value.rawValue) }
        ) { first, _ in first }
    }

    /// Returns HealthKit's number for the value with this name in an export; nil if there is none.
    public func rawValue(named name: String) -> Int? { byName[name] }

    /// Returns the value with this name in an export; nil if there is none.
    public func member(named name: String) -> Member? {
        rawValue(named: name).flatMap { number in members.first { $0.rawValue == number } }
    }
}
