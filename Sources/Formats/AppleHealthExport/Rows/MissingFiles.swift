import HealthModel
import SampleBatches
import SipHash
public import SystemIO

/// The side files that a document refers to, routes of workouts and clinical records, and that its source lacks.
public struct MissingFiles: Sendable {
    /// The paths of the first hundred, in the order of the document.
    public private(set) var paths: [BytePath] = []
    /// The number of different paths.
    public var count: Int { identities.count }

    /// The paths of the files that the source has; nil if the document came alone.
    private let present: Set<String>?
    private var identities: Set<UInt128> = []

    /// More than these come from a forged export.
    private static let mostIdentities = 1 << 16
    private static let mostPaths = 100
    private static let longestPath = 1024

    init(besides present: Set<String>?) { self.present = present }

    /// Returns whether elements of this name may refer to files.
    static func mayBeNamed(in element: String) -> Bool { element == "Workout" || element == "ClinicalRecord" }

    /// Adds the files that a row refers to, given with its content, its cells and the bytes with their tokens.
    mutating func add(_ kind: RowKind, _ content: RowContent?, _ cells: Span<Int>, _ text: Span<UInt8>) {
        guard present != nil else { return }
        if kind.element == "ClinicalRecord" {
            add(kind.context.text("resourceFilePath", cells, text))
        } else if let content, MarkupReader.place(of: Self.reference, in: content.json.span, from: 0) != nil {
            let children = (try? ContentReader.children(of: content.json)) ?? []
            for route in children.elements("WorkoutRoute") {
                add(route.elements("FileReference").first?["path"])
            }
        }
    }

    private static let reference = Array("\"FileReference\"".utf8)

    private mutating func add(_ text: String?) {
        // The path starts with a slash, though it is relative to the export.
        guard let path = text.map({ String($0.drop { $0 == "/" }) }), !path.isEmpty,
            present?.contains(path) == false, identities.count < Self.mostIdentities
        else { return }
        var hash = SipHash128()
        hash.update(path.utf8Span.span)
        guard identities.insert(hash.finish()).inserted, paths.count < Self.mostPaths,
            path.utf8.count <= Self.longestPath
        else { return }
        paths.append(BytePath(path))
    }
}
