/// A type of data that HealthKit stores, known in advance or not.
///
/// An export may contain types that are not in ``known``: for these there is only the identifier, of which
/// ``title(of:)`` and ``shortName(of:)`` still make something readable.
public struct SampleType: Sendable, Hashable {
    /// What kind of samples a type has.
    public enum Kind: String, Sendable, CaseIterable {
        /// A number with a unit.
        case quantity
        /// One of a few values.
        case category
        /// Several samples that belong together, such as the two of a blood pressure.
        case correlation
        /// A medical record that an institution has sent.
        case clinical
        /// A fact that is stated once about the person, without a time.
        case characteristic
        /// A special type: workouts, electrocardiograms, assessments.
        case other
    }

    /// How several samples of a quantity become one number, named like HealthKit's aggregation styles.
    public enum Aggregation: String, Sendable, CaseIterable {
        /// Added up.
        case cumulative
        /// The mean, with equal weights.
        case discreteArithmetic
        /// The mean, weighted by the duration of the samples.
        case discreteTemporallyWeighted
        /// The level of a steady sound with the same energy.
        case discreteEquivalentContinuousLevel
    }

    /// HealthKit's name, as it is in an export: `HKQuantityTypeIdentifierHeartRate`.
    public let identifier: String
    /// What kind of samples it has.
    public let kind: Kind
    /// What the Health app calls it in English.
    public let title: String
    /// HealthKit's own unit, for quantities; an export uses the unit that its owner prefers.
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

    /// The short form of the identifier: `heartRate`.
    public var shortName: String { Self.shortName(of: identifier) }

    /// All known types: quantities, categories, then the rest.
    ///
    /// Identifiers and titles are from SpeziHealthKit (MIT), units and aggregation styles from the header
    /// `HKTypeIdentifiers.h` of iOS 18.1. The list is created on first use.
    public static let known = quantities + categories + others

    /// Returns the known type with this identifier.
    ///
    /// - Parameter identifier: HealthKit's name, in full and in its own case.
    /// - Returns: nil if the type is not known.
    public static func known(_ identifier: String) -> SampleType? { byIdentifier[identifier] }

    /// Returns the known type with this short name.
    ///
    /// - Parameter shortName: A name like ``shortName``, in any case: `vo2Max` finds `vO2Max`.
    /// - Returns: nil if no known type has the name.
    public static func known(shortName: String) -> SampleType? { byShortName[shortName.lowercased()] }

    private static let byIdentifier = Dictionary(uniqueKeysWithValues: known.map { ($0.identifier, $0) })

    private static let byShortName = Dictionary(
        uniqueKeysWithValues: known.map { ($0.shortName.lowercased(), $0) })
}
