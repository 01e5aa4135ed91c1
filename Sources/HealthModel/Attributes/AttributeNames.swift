/// Finds attributes whose names occur twice.
public enum AttributeNames: Sendable {
    /// So many names are compared with each other; more are hashed.
    private static let few = 12

    /// How many of the attributes have the name of an earlier one.
    public static func duplicates(_ attributes: [ElementNode.Attribute]) -> Int {
        guard attributes.count > few else {
            return attributes.indices.count { number in
                attributes[..<number].contains { $0.name.utf8.elementsEqual(attributes[number].name.utf8) }
            }
        }
        return attributes.count - Set(attributes.lazy.map { ExactName($0.name) }).count
    }
}
