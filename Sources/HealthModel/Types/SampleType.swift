/// A kind of data that HealthKit keeps, as far as it is known beforehand.
///
/// An export may hold types that are not among ``known``: of these the identifier is all there is, and
/// ``title(of:)`` and ``shortName(of:)`` still make something readable of it.
public struct SampleType: Sendable, Hashable {
    /// What kind of samples a type has.
    public enum Kind: String, Sendable, CaseIterable {
        /// A number with a unit.
        case quantity
        /// One of a few values.
        case category
        /// Several samples that belong together, as the two of a blood pressure.
        case correlation
        /// A medical record that an institution has sent.
        case clinical
        /// What is said once about the person and not at a time.
        case characteristic
        /// A type of its own making: workouts, electrocardiograms, assessments.
        case other
    }

    /// How several samples of a quantity become one number, as HealthKit's aggregation styles are called.
    public enum Aggregation: String, Sendable, CaseIterable {
        /// Added up.
        case cumulative
        /// The mean, each sample counting the same.
        case discreteArithmetic
        /// The mean, each sample counting as long as it lasts.
        case discreteTemporallyWeighted
        /// The level of a steady sound with the same energy.
        case discreteEquivalentContinuousLevel
    }

    /// HealthKit's name, as it stands in an export: `HKQuantityTypeIdentifierHeartRate`.
    public let identifier: String
    /// What kind of samples it has.
    public let kind: Kind
    /// What the Health app calls it in English.
    public let title: String
    /// HealthKit's own unit, for quantities; an export has the unit that its owner prefers.
    public let canonicalUnit: String?
    /// How samples are summed up, for quantities.
    public let aggregation: Aggregation?

    init(
        identifier: String, kind: Kind, title: String, canonicalUnit: String? = nil,
        aggregation: Aggregation? = nil
    ) {
        self.identifier = identifier
        self.kind = kind
        self.title = title
        self.canonicalUnit = canonicalUnit
        self.aggregation = aggregation
    }

    /// The identifier in short: `heartRate`.
    public var shortName: String { Self.shortName(of: identifier) }

    /// All types that are known: quantities, categories, then the rest.
    ///
    /// Identifiers and titles after SpeziHealthKit (MIT), units and aggregation styles after the header
    /// `HKTypeIdentifiers.h` of iOS 18.1. The list is made when it is first asked for.
    public static let known = quantities + categories + others

    /// The known type with this identifier.
    ///
    /// - Parameter identifier: HealthKit's name, in full and in its own case.
    /// - Returns: nil where the type is not known.
    public static func known(_ identifier: String) -> SampleType? { byIdentifier[identifier] }

    /// The known type with this short name.
    ///
    /// - Parameter shortName: What ``shortName`` gives, in any case: `vo2Max` finds `vO2Max`.
    /// - Returns: nil where no known type has the name.
    public static func known(shortName: String) -> SampleType? { byShortName[shortName.lowercased()] }

    private static let byIdentifier = Dictionary(uniqueKeysWithValues: known.map { ($0.identifier, $0) })

    private static let byShortName = Dictionary(
        uniqueKeysWithValues: known.map { ($0.shortName.lowercased(), $0) })
}
