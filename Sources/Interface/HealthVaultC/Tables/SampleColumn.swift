import SampleBatches
import SystemIO

/// A column of samples that a caller can ask for.
enum SampleColumn: String, Sendable, CaseIterable {
    case type, startDate, endDate, value, valueText, unit, sourceName
    case creationDate, sourceVersion, device, position
    case id, metadata, attributes, content

    /// Those of a query that names none.
    static let usual: [SampleColumn] = [.type, .startDate, .endDate, .value, .valueText, .unit, .sourceName]

    /// The attributes whose texts are read from contexts.
    static let sharedAttributes: Set<String> = [
        "unit", "sourceName", AttributeKind.sourceNameOfIOS8, "sourceVersion", "device",
    ]

    /// Whether it is made sample by sample, because its values have no column of their own in a batch.
    var needsSamples: Bool {
        switch self {
        case .id, .metadata, .attributes, .content: true
        default: false
        }
    }

    /// Whether its values are read from the contexts of rows.
    var isOfContext: Bool {
        switch self {
        case .unit, .sourceName, .sourceVersion, .device: true
        default: false
        }
    }

    /// Returns the columns with these names.
    ///
    /// - Throws: ``UnknownName``.
    static func named(_ names: [String]?) throws -> [SampleColumn] {
        guard let names else { return usual }
        return try names.map { name in
            guard let column = SampleColumn(rawValue: name) else {
                throw UnknownName("column", name, among: allCases.map(\.rawValue))
            }
            return column
        }
    }

    /// Returns how the column is described.
    func field(isPlain: Bool) -> ArrowField {
        switch self {
        case .startDate, .endDate, .creationDate: .time(rawValue)
        case .value: .double(rawValue)
        case .position: .integer(rawValue)
        case .type, .valueText, .unit, .sourceName, .sourceVersion, .device:
            .repeatedText(rawValue, isPlain: isPlain)
        case .id, .content: .text(rawValue)
        case .metadata, .attributes: .map(rawValue)
        }
    }
}
