/// Finds attributes whose names occur twice.
public enum AttributeNames: Sendable {
    /// The maximum number of names that are compared pairwise; more are hashed.
    private static let few = 12

    /// Returns how many of the attributes have the name of an earlier one.
    public static func duplicates(_ attributes: [ElementNode.Attribute]) -> Int {
        duplicates(attributes.map(\.name))
    }

    /// Returns how many of the names are equal to an earlier one.
    public static func duplicates(_ names: [String]) -> Int {
        guard names.count > few else {
            return names.indices.count { number in
                names[..<number].contains { ExactName($0) == ExactName(names[number]) }
            }
        }
        return names.count - Set(names.lazy.map { ExactName($0) }).count
    }
}
