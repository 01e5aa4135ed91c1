extension AnySampleType {
    /// All known types: quantities, categories, then the rest.
    ///
    /// The list is created on first use.
    public static let known = quantities + categories + others

    /// Returns the known type with this identifier.
    ///
    /// - Parameter identifier: HealthKit's name, in full and in its own case.
    /// - Returns: nil if the type is not known.
    public static func known(_ identifier: String) -> AnySampleType? { byIdentifier[identifier] }

    /// Returns the known type with this short name.
    ///
    /// - Parameter shortName: A name like ``shortName``, in any case: `vo2Max` finds `vO2Max`.
    /// - Returns: nil if no known type has the name.
    public static func known(shortName: String) -> AnySampleType? { byShortName[shortName.lowercased()] }

    /// Returns the known type with this title.
    ///
    /// - Parameter title: What the Health app calls it in English, in any case: `Active Energy`.
    /// - Returns: nil if no known type has the title, or several do.
    public static func known(title: String) -> AnySampleType? { byTitle[title.lowercased()] }

    private static let byTitle = Dictionary(grouping: known) { $0.title.lowercased() }
        .compactMapValues { $0.count == 1 ? $0[0] : nil }

    private static let byIdentifier = Dictionary(uniqueKeysWithValues: known.map { ($0.identifier, $0) })

    /// By the short form of the identifier, and by the other name that Swift code uses.
    private static let byShortName = Dictionary(
        uniqueKeysWithValues: known.map { ($0.shortName.lowercased(), $0) }
            + otherNames.map { name, identifier in (name.lowercased(), AnySampleType(identifier)) })

    /// Names that are not made of the identifier.
    private static let otherNames = [
        ("bloodOxygen", "HKQuantityTypeIdentifierOxygenSaturation"),
        ("environmentalAudioExposureEvent", "HKCategoryTypeIdentifierAudioExposureEvent"),
        // In HealthKit it is not a sample type.
        ("activitySummary", "HKActivitySummaryTypeIdentifier"),
    ]

    /// Returns the known type that a person means by an identifier or a short name: `heartRate`.
    ///
    /// - Throws: ``UnknownSampleType`` for a name that no known type has. Use ``init(_:)`` for the identifier of
    ///   a type of tomorrow.
    public static func named(_ name: String) throws(UnknownSampleType) -> AnySampleType {
        guard let type = known(name) ?? known(shortName: name) else { throw UnknownSampleType(name: name) }
        return type
    }
}

/// A name that no known sample type has.
public struct UnknownSampleType: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Creates the error for a name.
    public init(name: String) { self.name = name }

    /// What happened, in a printable line: `no known sample type is called "hartRate"`.
    public var description: String {
        "no known sample type is called \(name.debugDescription)"
    }
}
