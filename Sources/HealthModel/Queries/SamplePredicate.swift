/// Which samples of a type are wanted: by source, device, metadata, workout activity or value.
///
/// ```swift
/// let manual = SamplePredicate.wasUserEntered && .value(.atLeast, Quantity(80, .gram(.kilo)))
/// ```
public struct SamplePredicate: Sendable, Hashable {
    indirect enum Node: Sendable, Hashable {
        case all
        case source(SourceFilter)
        case device(property: String, value: String)
        case metadata(key: String, value: String?)
        case activity(WorkoutActivityType)
        case quantity(Comparison, Double, HealthUnit)
        case category(names: [String])
        case and(Node, Node)
        case or(Node, Node)
        case not(Node)
    }

    /// How values are compared.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        /// Below.
        case below = "<"
        /// Not above.
        case atMost = "<="
        /// The same.
        case equal = "="
        /// Not below.
        case atLeast = ">="
        /// Above.
        case above = ">"
    }

    let node: Node

    /// All samples.
    public static let all = SamplePredicate(node: .all)
    /// Samples of some sources.
    public static func source(_ filter: SourceFilter) -> Self { Self(node: .source(filter)) }
    /// Samples of devices with a property, named as an export names it: `name`, `model`, `hardware`, ...
    public static func device(_ property: String, _ value: String) -> Self {
        Self(node: .device(property: property, value: value))
    }
    /// Samples with a metadata key and, where it is not nil, this value.
    public static func metadata(_ key: String, _ value: String? = nil) -> Self {
        Self(node: .metadata(key: key, value: value))
    }
    /// Samples that a person has typed in.
    public static let wasUserEntered = metadata("HKWasUserEntered", "1")
    /// Workouts of a kind.
    public static func activity(_ type: WorkoutActivityType) -> Self { Self(node: .activity(type)) }
    /// Quantities whose values compare with another one, whatever their units; none that measure something else.
    public static func value(_ comparison: Comparison, _ quantity: Quantity) -> Self {
        Self(node: .quantity(comparison, quantity.value, quantity.unit))
    }
    /// Categories with a value.
    public static func value(_ value: some CategoryValue) -> Self {
        Self(node: .category(names: [value.name] + value.formerNames))
    }

    /// Samples that both predicates want.
    public static func && (left: Self, right: Self) -> Self {
        left == .all ? right : right == .all ? left : Self(node: .and(left.node, right.node))
    }
    /// Samples that one of the predicates wants.
    public static func || (left: Self, right: Self) -> Self { Self(node: .or(left.node, right.node)) }
    /// Samples that a predicate does not want.
    public static prefix func ! (predicate: Self) -> Self { Self(node: .not(predicate.node)) }

    /// Whether it asks for bundle identifiers, which the sources of an export do not have.
    public var needsBundleIdentifier: Bool { node.contains { $0.needsBundleIdentifier } }
}

extension SamplePredicate.Node {
    fileprivate func contains(_ isWanted: (SourceFilter) -> Bool) -> Bool {
        switch self {
        case .source(let filter): isWanted(filter)
        case .and(let left, let right), .or(let left, let right):
            left.contains(isWanted) || right.contains(isWanted)
        case .not(let node): node.contains(isWanted)
        case .all, .device, .metadata, .activity, .quantity, .category: false
        }
    }
}

extension SamplePredicate: CustomStringConvertible {
    /// The predicate in words: `source is "Watch" and value >= 80 kg`.
    public var description: String { node.description }
}

extension SamplePredicate.Node: CustomStringConvertible {
    var description: String {
        switch self {
        case .all: "all"
        case .source(let filter): filter.description
        case .device(let property, let value): "device \(property) is \(value.debugDescription)"
        case .metadata(let key, nil): "has \(key.debugDescription)"
        case .metadata(let key, let value?): "\(key.debugDescription) is \(value.debugDescription)"
        case .activity(let type): "activity is \(type.title)"
        case .quantity(let comparison, let value, let unit):
            "value \(comparison.rawValue) \(Quantity(value, unit))"
        case .category(let names): "value is \(names[0])"
        case .and(let left, let right): "(\(left) and \(right))"
        case .or(let left, let right): "(\(left) or \(right))"
        case .not(let node): "not \(node)"
        }
    }
}
