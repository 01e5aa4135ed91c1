public import SampleBatches

/// The number of occurrences of each element, by its path below `HealthData`: `Record`, `Workout/WorkoutEvent`, ...
public struct Census: Sendable, Equatable {
    private var indices: [ExactName: Int] = [:]
    private var paths: [ExactName] = []
    private var numbers: [Int] = []
    /// The indices of the paths of attributes.
    private var attributeIndices: Set<Int> = []

    private var typeIndices: [ExactName: Int] = [:]
    private var typeNames: [ExactName] = []
    private var typeNumbers: [Int] = []

    /// The approximate size of all names in memory, in bytes.
    private var nameBytes = 0
    /// The limit on `nameBytes`.
    ///
    /// Names stay in memory while a document is read, and an untrusted document may have any number of them.
    private static let mostNameBytes = 8 << 20

    /// Whether the names take more memory than allowed.
    var isFull: Bool { nameBytes > Self.mostNameBytes }

    /// Makes an empty census.
    public init() {}

    /// The counts of sample types, by type alone for records and as `Element/Type` for other elements.
    public var types: [ExactName: Int] { Dictionary(uniqueKeysWithValues: zip(typeNames, typeNumbers)) }

    /// Returns the name under which a type is counted.
    public static func typeName(of element: String, _ type: String) -> ExactName {
        ExactName(element == "Record" ? type : element + "/" + type)
    }

    mutating func typeIndex(of element: String, _ type: String) -> Int {
        let name = Self.typeName(of: element, type)
        if let index = typeIndices[name] { return index }
        typeIndices[name] = typeNames.count
        typeNames.append(name)
        nameBytes += name.text.utf8.count + 32
        typeNumbers.append(0)
        return typeNames.count - 1
    }

    mutating func add(type index: Int, _ count: Int) { typeNumbers[index] += count }

    /// The nonzero counts of elements, by path.
    public var counts: [ExactName: Int] { counts { !attributeIndices.contains($0) } }

    /// The elements that Apple's document types do not declare, by path.
    public var unknown: [ExactName: Int] {
        counts.filter { path, _ in
            path.text.split(separator: "/").last.map {
                !DeclaredNames.has(element: String($0)) && $0 != StrayText.element
            } ?? false
        }
    }

    /// The attributes that Apple's document types do not declare for their elements, by path: `Record/@name`.
    public var unknownAttributes: [ExactName: Int] { counts { attributeIndices.contains($0) } }

    private func counts(_ isWanted: (Int) -> Bool) -> [ExactName: Int] {
        var counts: [ExactName: Int] = [:]
        for (index, path) in paths.enumerated() where numbers[index] > 0 && isWanted(index) {
            counts[path] = numbers[index]
        }
        return counts
    }

    /// The limit on attributes counted by name; an untrusted document may have a new attribute in each element.
    private static let mostAttributes = 4096
    /// The path under which attributes beyond the limit are counted.
    private static let furtherAttributes: ExactName = "@*"

    /// Returns the index for counting an attribute that is not declared for its element.
    mutating func index(ofAttribute path: ExactName) -> Int {
        let isListed = attributeIndices.count < Self.mostAttributes || indices[path] != nil
        let index = index(of: isListed ? path : Self.furtherAttributes)
        attributeIndices.insert(index)
        return index
    }

    mutating func index(of path: ExactName) -> Int {
        if let index = indices[path] { return index }
        indices[path] = paths.count
        paths.append(path)
        nameBytes += path.text.utf8.count + 32
        numbers.append(0)
        return paths.count - 1
    }

    mutating func add(_ index: Int, _ count: Int) { numbers[index] += count }
}
