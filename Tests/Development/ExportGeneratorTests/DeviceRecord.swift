import ByteText
import ExportGenerator

/// A record of a watch or a phone, read from its line without any knowledge of how it was made.
struct DeviceRecord: Sendable {
    let isFromWatch: Bool
    let start: Int
    let end: Int
    let value: Double

    /// Reads a line; nil if it is no record of the type.
    init?(_ line: Substring, ofType type: String) {
        guard line.hasPrefix(" <Record type=\"\(type)\" ") else { return nil }
        let words = line.split(separator: "\"", omittingEmptySubsequences: false)
        func attribute(_ name: String) -> String? {
            let index = words.indices.first { words[$0].hasSuffix(" \(name)=") }
            return index.map { String(words[$0 + 1]) }
        }
        guard
            let device = attribute("device"),
            let start = attribute("startDate").flatMap(Self.seconds),
            let end = attribute("endDate").flatMap(Self.seconds),
            let value = attribute("value").flatMap({ Double($0) })
        else { return nil }
        isFromWatch = device.contains("name:Apple Watch")
        self.start = start
        self.end = end
        self.value = value
    }

    private static func seconds(_ date: String) -> Int? {
        Timestamp(apple: Array(date.utf8).span)?.seconds
    }

    /// The part of the value that belongs to each second.
    var rate: Double { value / Double(end - start) }
}
