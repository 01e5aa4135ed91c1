import SystemIO

/// The unfinished archives at destinations that continue others, so that they can be told from files of others.
///
/// Exports that have a record of their own are not among them.
struct UnfinishedExports: Sendable {
    private let file: RecordFile<Archive>
    /// The maximum number of lines: the oldest are dropped.
    private static let most = 100

    /// Creates the list in a state folder.
    init(inState folder: BytePath) { file = RecordFile(folder, "unfinished") }

    /// An archive: its identity, and the path that it is to have.
    private struct Archive: FileRecord {
        var identity = ""
        var path: BytePath = ""

        static let blank = Archive()
        static let fields: RecordFields<Archive> = [
            .version("unfinished"), .field(\.identity, "identity", .text), .field(\.path, "path", .path),
        ]
    }

    /// The identities.
    var identities: Set<String> { get throws { Set(try file.all().map(\.identity)) } }

    /// Adds the identity of an archive, and the path that it is to have.
    ///
    /// - Throws: `SystemError`.
    func add(_ identity: String, _ target: BytePath) throws {
        try file.replace(
            { $0.identity == identity }, with: Archive(identity: identity, path: target), keeping: Self.most)
    }

    /// Removes an identity.
    ///
    /// - Throws: `SystemError`.
    func remove(_ identity: String) throws { try file.replace { $0.identity == identity } }
}
