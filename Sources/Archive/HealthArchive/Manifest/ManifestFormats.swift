import ByteText
import SystemIO

extension Manifest {
    /// Returns the text of a manifest with a list of formats at its end.
    ///
    /// The text is otherwise unchanged, so that a folder with further formats has the manifest of one without them.
    package static func text(_ json: [UInt8], adding formats: [Format]) -> [UInt8] {
        var end = json.count
        while end > 0, json[end - 1] != UInt8(ascii: "}") { end -= 1 }
        end -= 1
        while end > 0, [0x20, 0x0a].contains(json[end - 1]) { end -= 1 }
        guard end > 0, !formats.isEmpty else { return json }
        var writer = JSONWriter()
        RecordValue.list(of: .object).write(formats, &writer)
        return Array(json[..<end]) + Array(",\n  \"formats\": ".utf8) + writer.bytes + Array("\n}\n".utf8)
    }

    /// Whether a plain folder contains its batches as NDJSON, the only format that can be read back.
    public var hasLines: Bool { has(["ndjson"]) }

    /// Whether a plain folder contains the side files unchanged.
    package var hasFiles: Bool { has(["ndjson", "csv"]) }

    private func has(_ wanted: [String]) -> Bool {
        formats.isEmpty || formats.contains { wanted.contains($0.format) }
    }
}
