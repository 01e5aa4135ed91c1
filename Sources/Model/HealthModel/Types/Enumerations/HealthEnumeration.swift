/// A HealthKit enumeration, whose cases have HealthKit's names and numbers (`HKCategoryValues.h`, `HKWorkout.h`,
/// `HKCharacteristicObjects.h` and others).
///
/// An export writes the name of a value: `HKCategoryValueSleepAnalysisAsleepDeep` is
/// ``SleepAnalysisValue/asleepDeep``.
public protocol HealthEnumeration: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {
    /// HealthKit's name of the enumeration: `HKCategoryValueSleepAnalysis`.
    static var typeName: String { get }

    /// The name in an export: `HKCategoryValueSleepAnalysisAsleepDeep`.
    var name: String { get }

    /// Full names other than ``name`` that exports of other versions write for a value.
    static var otherNames: [String: Self] { get }
}

extension HealthEnumeration {
    /// Empty: most values have always had the same name.
    public static var otherNames: [String: Self] { [:] }

    /// Returns the values under the names that they have in another enumeration.
    static func names(in otherType: String) -> [String: Self] {
        Dictionary(
            uniqueKeysWithValues: allCases.map { (otherType + $0.name.dropFirst(typeName.count), $0) })
    }

    /// The enumeration's name followed by the case's, which is the form of almost all names.
    public var name: String {
        // The cases have HealthKit's names.
        let member = "\(self)"
        return Self.typeName + member.prefix(1).uppercased() + member.dropFirst()
    }

    /// The name without the enumeration's name, as words: `asleep deep`.
    public var title: String {
        NameWords.words(of: Substring("\(self)"))
            .map { $0.allSatisfy(\.isUppercase) ? String($0) : $0.lowercased() }.joined(separator: " ")
    }

    /// The names that exports of other versions write for the value.
    public var formerNames: [String] {
        Self.otherNames.filter { $0.value == self }.map(\.key).sorted()
    }

    /// Creates the value with this name in an export; nil if there is none.
    public init?(named name: String) {
        guard let value = Self.allCases.first(where: { $0.name == name }) ?? Self.otherNames[name] else {
            return nil
        }
        self = value
    }
}

/// A value that samples of a category can have.
public protocol CategoryValue: HealthEnumeration {}
