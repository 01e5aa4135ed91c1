public import SampleBatches

/// A name for sample types, as people write it: an identifier, its short form, a title, or a group of types.
public enum SampleTypeName: Sendable, Hashable {
    /// A known type.
    case type(AnySampleType)
    /// All types of a group.
    case group(SampleTypeGroup)
    /// An unknown name, either a type in the store or a typo.
    case other(String)

    /// The prefix of group names.
    public static let groupMark = "group:"

    /// Reads `HKQuantityTypeIdentifierHeartRate`, `heartRate`, `Heart Rate` or `group:vitals`.
    ///
    /// - Returns: nil if the text is empty or names a group that does not exist.
    public init?(parsing text: String) {
        if text.lowercased().hasPrefix(Self.groupMark) {
            let name = text.dropFirst(Self.groupMark.count)
            guard let group = SampleTypeGroup(rawValue: name.lowercased()) else { return nil }
            self = .group(group)
        } else if let type = Self.known(text) {
            self = .type(type)
        } else {
            guard !text.isEmpty else { return nil }
            self = .other(text)
        }
    }

    /// Returns the known type with a name, in the singular or plural: `workout`, `workouts`, `heart rates`.
    private static func known(_ text: String) -> AnySampleType? {
        // Most people write this one, for which no table has to be made.
        if let type = AnySampleType.known(member: text) { return type }
        func exact(_ text: String) -> AnySampleType? {
            AnySampleType.known(text) ?? AnySampleType.known(shortName: text)
                ?? AnySampleType.known(title: text)
        }
        let named =
            exact(text) ?? exact(text + "s")
            ?? (text.hasSuffix("s") ? exact(String(text.dropLast())) : nil)
        if let named { return named }
        let lowercased = text.lowercased()
        return AnySampleType.known.first { $0.identifier.lowercased() == lowercased }
    }

    /// The names to choose from: the short names of all known types, and the groups.
    public static var suggestions: [String] {
        AnySampleType.known.map(\.shortName) + SampleTypeGroup.allCases.map { groupMark + $0.rawValue }
    }

    /// Returns the identifiers that the name stands for.
    ///
    /// - Parameter held: The identifiers in a store; an unknown name must match one of these or its short form.
    /// - Returns: nil if the name is neither known nor in the store.
    public func identifiers(among held: @autoclosure () -> Set<ExactName>) -> [String]? {
        switch self {
        case .type(let type): return [type.identifier]
        case .group(let group): return group.types.map(\.identifier)
        case .other(let name):
            let held = held()
            if held.contains(ExactName(name)) { return [name] }
            let lowercased = name.lowercased()
            let short = held.filter { held in
                // Clinical records are identified by their element and type; people know them by their type.
                let shortName = AnySampleType.shortName(of: held.text).lowercased()
                return shortName == lowercased || shortName.hasSuffix("/" + lowercased)
                    || held.text.lowercased() == lowercased
                    || AnySampleType.title(of: held.text).lowercased() == lowercased
            }
            return short.isEmpty ? nil : short.sorted().map(\.text)
        }
    }
}

/// Sample types that belong together, as the Health app groups them.
///
/// A type may belong to several groups: heart rate is also one of the vitals. Types in no group (clinical records,
/// unknown types) can only be named individually.
public enum SampleTypeGroup: String, Sendable, CaseIterable {
    /// Movement, energy and workouts.
    case activity
    /// Measurements of the body.
    case body
    /// Cycle tracking and pregnancy.
    case cycle
    /// Sound levels and hearing tests.
    case hearing
    /// The heart, its rate and its rhythm.
    case heart
    /// Walking and mobility.
    case mobility
    /// Food and drink.
    case nutrition
    /// Breathing.
    case respiratory
    /// Sleep and what is measured during it.
    case sleep
    /// Symptoms.
    case symptoms
    /// Vital signs.
    case vitals

    /// The types of the group, in the order of ``AnySampleType/known``.
    public var types: [AnySampleType] { AnySampleType.known.filter { $0.groups.contains(self) } }
}
