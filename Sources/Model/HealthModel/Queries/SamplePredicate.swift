/// A condition on samples of a type: source, device, metadata, workout activity or value.
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
        case number(Comparison, Double)
        case category(names: [String])
        case and(Node, Node)
        case or(Node, Node)
        case not(Node)
    }

    /// A comparison of values.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        /// Less than.
        case below = "<"
        /// Less than or equal to.
        case atMost = "<="
        /// Equal to.
        case equal = "="
        /// Greater than or equal to.
        case atLeast = ">="
        /// Greater than.
        case above = ">"
    }

    let node: Node

    /// All samples.
    public static let all = SamplePredicate(node: .all)
    /// Samples of some sources.
    public static func source(_ filter: SourceFilter) -> Self { Self(node: .source(filter)) }
    /// Samples of devices with this value of a property, named as in an export: `name`, `model`, `hardware`, ...
    public static func device(_ property: String, _ value: String) -> Self {
        Self(node: .device(property: property, value: value))
    }
    /// Samples with a metadata key and, if not nil, this value.
    public static func metadata(_ key: String, _ value: String? = nil) -> Self {
        Self(node: .metadata(key: key, value: value))
    }
    /// Samples that a person entered.
    public static let wasUserEntered = metadata("HKWasUserEntered", "1")
    /// Workouts of a kind.
    public static func activity(_ type: WorkoutActivityType) -> Self { Self(node: .activity(type)) }
    /// Quantities whose values satisfy a comparison after unit conversion; incompatible units never match.
    public static func value(_ comparison: Comparison, _ quantity: Quantity) -> Self {
        Self(node: .quantity(comparison, quantity.value, quantity.unit))
    }
    /// Quantities whose numbers, in whatever unit the source has them, satisfy a comparison.
    public static func value(_ comparison: Comparison, asWritten number: Double) -> Self {
        Self(node: .number(comparison, number))
    }
    /// Categories with a value.
    public static func value(_ value: some CategoryValue) -> Self {
        Self(node: .category(names: [value.name] + value.formerNames))
    }

    /// Samples that match both predicates.
    public static func && (left: Self, right: Self) -> Self {
        left == .all ? right : right == .all ? left : Self(node: .and(left.node, right.node))
    }
    /// Samples that match at least one of the predicates.
    public static func || (left: Self, right: Self) -> Self { Self(node: .or(left.node, right.node)) }
    /// Samples that do not match a predicate.
    public static prefix func ! (predicate: Self) -> Self { Self(node: .not(predicate.node)) }

    /// Units of which each must be that of a sample's value, or one that can be converted to it, for the sample to match.
    public var requiredUnits: [HealthUnit] { node.requiredUnits }

    /// Whether it needs bundle identifiers, which sources in an export do not have.
    public var needsBundleIdentifier: Bool { node.contains { $0.needsBundleIdentifier } }
}

extension SamplePredicate.Node {
    fileprivate func contains(_ isWanted: (SourceFilter) -> Bool) -> Bool {
        switch self {
        case .source(let filter): isWanted(filter)
        case .and(let left, let right), .or(let left, let right):
            left.contains(isWanted) || right.contains(isWanted)
        case .not(let node): node.contains(isWanted)
        case .all, .device, .metadata, .activity, .quantity, .number, .category: false
        }
    }
}

extension SamplePredicate.Node {
    fileprivate var requiredUnits: [HealthUnit] {
        switch self {
        case .quantity(_, _, let unit): [unit]
        case .and(let left, let right): left.requiredUnits + right.requiredUnits
        case .all, .source, .device, .metadata, .activity, .number, .category, .or, .not: []
        }
    }
}

extension SamplePredicate: CustomStringConvertible {
    /// The predicate in words: `(source is "Watch" and value >= 80.0 kg)`.
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
        case .number(let comparison, let value): "value \(comparison.rawValue) \(value)"
        case .category(let names): "value is \(names[0])"
        case .and(let left, let right): "(\(left) and \(right))"
        case .or(let left, let right): "(\(left) or \(right))"
        case .not(let node): "not \(node)"
        }
    }
}
