extension AnySampleType {
    /// All known types: quantities, categories, then the rest.
    ///
    /// The list is created on first use.
    public static let known = quantities + categories + others

    /// Returns the known type with this identifier.
    ///
    /// - Parameter identifier: HealthKit's full name, case-sensitive.
    /// - Returns: nil if the type is not known.
    public static func known(_ identifier: String) -> AnySampleType? { byIdentifier[identifier] }

    /// Returns the known type with this short name.
    ///
    /// - Parameter shortName: A name like ``shortName``, ignoring case: `vo2Max` finds `vO2Max`.
    /// - Returns: nil if no known type has the name.
    public static func known(shortName: String) -> AnySampleType? { byShortName[shortName.lowercased()] }

    /// Returns the known type with this title.
    ///
    /// - Parameter title: The Health app's English name, ignoring case: `Active Energy`.
    /// - Returns: nil if no known type or more than one has the title.
    public static func known(title: String) -> AnySampleType? { byTitle[title.lowercased()] }

    private static let byTitle = Dictionary(grouping: known) { $0.title.lowercased() }
        .compactMapValues { $0.count == 1 ? $0[0] : nil }

    private static let byIdentifier = Dictionary(uniqueKeysWithValues: known.map { ($0.identifier, $0) })

    /// The known types by short name, and by other names used in Swift code.
    private static let byShortName = Dictionary(
        uniqueKeysWithValues: known.map { ($0.shortName.lowercased(), $0) }
            + otherNames.map { name, identifier in (name.lowercased(), AnySampleType(identifier)) })

    /// Names that are not derived from the identifier.
    private static let otherNames = [
        ("bloodOxygen", "HKQuantityTypeIdentifierOxygenSaturation"),
        ("environmentalAudioExposureEvent", "HKCategoryTypeIdentifierAudioExposureEvent"),
        // In HealthKit it is not a sample type.
        ("activitySummary", "HKActivitySummaryTypeIdentifier"),
    ]

    /// Returns the known type with an identifier or short name: `heartRate`.
    ///
    /// - Throws: ``UnknownSampleType`` if no known type has the name. Use ``init(_:)`` for identifiers of future types.
    public static func named(_ name: String) throws(UnknownSampleType) -> AnySampleType {
        guard let type = known(name) ?? known(shortName: name) else { throw UnknownSampleType(name: name) }
        return type
    }
}

/// An error thrown for a name that no known sample type has.
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
