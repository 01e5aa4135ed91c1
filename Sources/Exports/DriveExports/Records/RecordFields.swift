import JSONText
import SystemIO

/// The members of a record that was stored as a line of JSON; what a later version may add, such as objects, is left out.
struct RecordFields {
    /// Texts, which may be paths that are not UTF-8.
    private(set) var paths: [String: BytePath] = [:]
    private(set) var numbers: [String: Int] = [:]
    private(set) var flags: [String: Bool] = [:]
    private(set) var lists: [String: [String]] = [:]
    /// The names of members of other kinds, such as null.
    private(set) var others: Set<String> = []

    /// Reads a line; nil if it is not such a record.
    init?(line: [UInt8]) {
        var reader = JSONReader(line)
        do {
            try reader.object { reader, name in
                switch try reader.kind() {
                case .number: numbers[name] = try reader.integer()
                case .bool: flags[name] = try reader.bool()
                case .array:
                    try reader.array { reader in
                        if try reader.kind() == .string {
                            lists[name, default: []].append(try reader.string())
                        } else {
                            others.insert(name)
                            _ = try reader.skip()
                        }
                    }
                case .string: paths[name] = try reader.path()
                default:
                    others.insert(name)
                    _ = try reader.skip()
                }
            }
            try reader.finish()
        } catch { return nil }
    }

    /// Returns a text; nil if there is none, or it is not UTF-8.
    func text(_ name: String) -> String? { paths[name]?.text }
}
