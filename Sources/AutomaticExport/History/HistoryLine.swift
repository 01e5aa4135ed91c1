import JSONText
import SampleBatches
import SystemIO
import VaultContainer

extension HistoryRecord {
    /// The record as a line of JSON.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("run", 1)
            writer.member("began", began)
            writer.member("milliseconds", Int(seconds * 1000))
            writer.member("destination", destination)
            writer.member("scheduled", isScheduled)
            writer.member("format", format)
            writer.member("result", result.rawValue)
            if let reason { writer.member("reason", reason) }
            if let path { writer.member("path", path) }
            if let identity { writer.member("identity", identity) }
            if let continues { writer.member("continues", continues) }
            writer.member("samples", samples)
            writer.member("size", size)
            writer.member("pruned", isPruned)
        }
        return writer.bytes
    }

    /// Reads a line; nil if it is not one that this version knows.
    init?(line: [UInt8]) {
        var texts: [String: BytePath] = [:]
        var numbers: [String: Int] = [:]
        var flags: [String: Bool] = [:]
        var reader = JSONReader(line)
        do {
            try reader.object { reader, name in
                switch try reader.kind() {
                case .number: numbers[name] = try reader.integer()
                case .bool: flags[name] = try reader.bool()
                default: texts[name] = try reader.path()
                }
            }
            try reader.finish()
        } catch { return nil }
        guard numbers["run"] == 1, let began = numbers["began"], Timestamp.writableSeconds.contains(began),
            let milliseconds = numbers["milliseconds"], (0...1 << 50).contains(milliseconds),
            let destination = texts["destination"]?.text, let format = texts["format"]?.text,
            let result = (texts["result"]?.text).flatMap({ Result(rawValue: $0) }),
            let samples = numbers["samples"], (0...1 << 50).contains(samples),
            let size = numbers["size"], (0...1 << 50).contains(size)
        else { return nil }
        self.init(
            began: began, seconds: Double(milliseconds) / 1000, destination: destination, format: format,
            result: result)
        isScheduled = flags["scheduled"] ?? false
        reason = texts["reason"]?.text
        path = texts["path"]
        identity = texts["identity"]?.text
        continues = texts["continues"]?.text
        self.samples = samples
        self.size = size
        isPruned = flags["pruned"] ?? false
    }
}
