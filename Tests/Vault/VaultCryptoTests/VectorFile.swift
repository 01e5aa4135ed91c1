import SystemIO
import Testing

/// A file of published test vectors: records of `name: value` lines with a blank line between them.
///
/// Values are hexadecimal; a line that starts with `#` is a comment and says where the vectors come from.
struct VectorFile {
    struct Malformed: Error {
        let line: String
    }

    struct Record: Sendable, CustomTestStringConvertible {
        let number: Int
        let fields: [String: [UInt8]]

        subscript(_ name: String) -> [UInt8] {
            get throws {
                guard let value = fields[name] else { throw Malformed(line: "\(name) of record \(number)") }
                return value
            }
        }

        /// A field as an unsigned integer, the most significant byte first.
        func integer(_ name: String) throws -> Int { try self[name].reduce(0) { $0 << 8 | Int($1) } }

        var testDescription: String { "record \(number)" }
    }

    /// The folder of fixtures, from where this file was compiled.
    private static let folder = BytePath(#filePath).parent / "../../../Fixtures/vectors"

    static func records(_ name: String) throws -> [Record] {
        let text = String(decoding: try fileBytes("\(folder)/\(name).txt"), as: UTF8.self)
        var records: [Record] = []
        var fields: [String: [UInt8]] = [:]
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines + [""] {
            if line.hasPrefix("#") { continue }
            if line.isEmpty {
                if !fields.isEmpty { records.append(Record(number: records.count + 1, fields: fields)) }
                fields = [:]
                continue
            }
            let parts = line.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let value = bytes(hexadecimal: parts[1].drop { $0 == " " }) else {
                throw Malformed(line: String(line))
            }
            fields[String(parts[0])] = value
        }
        return records
    }
}

/// The bytes that pairs of hexadecimal digits stand for, nil where something else is among them.
func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// The whole content of a file.
func fileBytes(_ path: BytePath) throws -> [UInt8] {
    let file = try FileDescriptor(opening: path, .read)
    return try file.bytes(at: 0, count: try file.status().size)
}
