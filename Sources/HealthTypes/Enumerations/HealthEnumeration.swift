/// An enumeration of HealthKit's, with its numbers.
///
/// An export writes the name of a value: `HKCategoryValueSleepAnalysisAsleepDeep` is
/// ``SleepAnalysisValue/asleepDeep``.
public protocol HealthEnumeration: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {
    /// HealthKit's name of the enumeration: `HKCategoryValueSleepAnalysis`.
    static var typeName: String { get }

    /// The name in an export: `HKCategoryValueSleepAnalysisAsleepDeep`.
    var name: String { get }

    /// Full names that exports of other versions write for a value, beside ``name``.
    static var otherNames: [String: Self] { get }
}

extension HealthEnumeration {
    /// Nothing: most values have had one name at all times.
    public static var otherNames: [String: Self] { [:] }

    /// The name of the enumeration, then that of the case, as almost all are named.
    public var name: String {
        // The cases are named like HealthKit's.
        let member = "\(self)"
        return Self.typeName + member.prefix(1).uppercased() + member.dropFirst()
    }

    /// The name without that of the enumeration, as words: `asleep deep`.
    public var title: String {
        NameWords.words(of: Substring("\(self)"))
            .map { $0.allSatisfy(\.isUppercase) ? String($0) : $0.lowercased() }.joined(separator: " ")
    }

    /// The names that exports of other versions write for it.
    public var formerNames: [String] {
        Self.otherNames.filter { $0.value == self }.map(\.key).sorted()
    }

    /// The value with this name in an export; nil if there is none.
    public init?(named name: String) {
        guard let value = Self.allCases.first(where: { $0.name == name }) ?? Self.otherNames[name] else {
            return nil
        }
        self = value
    }
}
