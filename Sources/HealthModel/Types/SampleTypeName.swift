public import SampleBatches

/// How people name sample types: by an identifier, in short, or several at once as a group.
public enum SampleTypeName: Sendable, Hashable {
    /// A type that is known.
    case type(SampleType)
    /// All types of a group.
    case group(SampleTypeGroup)
    /// The name of a type that is not known, if it is no slip: what a store holds tells.
    case other(String)

    /// What stands before the name of a group.
    public static let groupMark = "group:"

    /// Reads `HKQuantityTypeIdentifierHeartRate`, `heartRate` or `group:vitals`.
    ///
    /// - Returns: nil for nothing, and for a group that does not exist.
    public init?(parsing text: String) {
        if text.hasPrefix(Self.groupMark) {
            let name = text.dropFirst(Self.groupMark.count)
            guard let group = SampleTypeGroup(rawValue: name.lowercased()) else { return nil }
            self = .group(group)
        } else if let type = SampleType.known(text) ?? SampleType.known(shortName: text) {
            self = .type(type)
        } else {
            guard !text.isEmpty else { return nil }
            self = .other(text)
        }
    }

    /// The names to choose from: those of all known types in short, and the groups.
    public static var suggestions: [String] {
        SampleType.known.map(\.shortName) + SampleTypeGroup.allCases.map { groupMark + $0.rawValue }
    }

    /// The identifiers that are meant.
    ///
    /// - Parameter held: The identifiers of a store: a type that is not known goes by one of these, or by what is left
    ///   of it in short.
    /// - Returns: nil where neither this program nor the store knows the name.
    public func identifiers(among held: Set<ExactName>) -> [String]? {
        switch self {
        case .type(let type): return [type.identifier]
        case .group(let group): return group.types.map(\.identifier)
        case .other(let name):
            if held.contains(ExactName(name)) { return [name] }
            let short = held.filter { held in
                // Clinical records go by their element and type; people know them by their type.
                let shortName = SampleType.shortName(of: held.text).lowercased()
                return shortName == name.lowercased() || shortName.hasSuffix("/" + name.lowercased())
            }
            return short.isEmpty ? nil : short.sorted().map(\.text)
        }
    }
}
