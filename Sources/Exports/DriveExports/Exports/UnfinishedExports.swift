import JSONText
import SystemIO

/// The unfinished archives at destinations that continue others, so that they can be told from files of others.
///
/// Exports that have a record of their own are not among them.
struct UnfinishedExports: Sendable {
    private let file: RecordLines
    /// The maximum number of lines: the oldest are dropped.
    private static let most = 100

    /// Creates the list in a state folder.
    init(inState folder: BytePath) { file = RecordLines(folder, "unfinished") }

    /// The identities.
    var identities: Set<String> {
        get throws(SystemError) { Set(try file.all().compactMap { Self.identity(in: $0) }) }
    }

    private static func identity(in line: [UInt8]) -> String? { RecordFields(line: line)?.text("identity") }

    /// Adds the identity of an archive, and the path that it is to have.
    ///
    /// - Throws: `SystemError`.
    func add(_ identity: String, _ target: BytePath) throws {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("unfinished", 1)
            writer.member("identity", identity)
            writer.member("path", target)
        }
        let line = writer.bytes
        try file.change { lines in
            lines.removeAll { Self.identity(in: $0) == identity }
            lines = lines.suffix(Self.most - 1) + [line]
        }
    }

    /// Removes an identity.
    ///
    /// - Throws: `SystemError`.
    func remove(_ identity: String) throws {
        try file.change { lines in lines.removeAll { Self.identity(in: $0) == identity } }
    }
}
