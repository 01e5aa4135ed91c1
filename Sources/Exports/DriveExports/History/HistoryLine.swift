import CivilTime
import HealthTypes
import JSONText
import SystemIO

extension HistoryRecord {
    /// The record as a line of JSON.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("run", 1)
            writer.member("sequence", sequence)
            writer.member("began", began)
            writer.member("milliseconds", Int((seconds * 1000).rounded()))
            writer.member("destination", destination)
            writer.member("scheduled", isScheduled)
            writer.member("format", format)
            if let units { writer.member("units", units.rawValue) }
            writer.member("result", result.rawValue)
            if let reason { writer.member("reason", reason) }
            if let path { writer.member("path", path) }
            if let identity { writer.member("identity", identity) }
            if let continues { writer.member("continues", continues) }
            if let exported { writer.member("exported", exported) }
            writer.member("samples", samples)
            writer.member("size", size)
            writer.member("part", isPart)
            writer.member("pruned", isPruned)
        }
        return writer.bytes
    }

    /// Reads a line; nil if this version does not support it.
    init?(line: [UInt8]) {
        guard let fields = RecordFields(line: line) else { return nil }
        guard fields.numbers["run"] == 1, let sequence = fields.numbers["sequence"],
            (1...1 << 50).contains(sequence), let began = fields.numbers["began"],
            Timestamp.writableSeconds.contains(began),
            let milliseconds = fields.numbers["milliseconds"], (0...1 << 50).contains(milliseconds),
            let destination = fields.text("destination"), let format = fields.text("format"),
            let result = fields.text("result").flatMap({ Result(rawValue: $0) }),
            let samples = fields.numbers["samples"], (0...1 << 50).contains(samples),
            let size = fields.numbers["size"], (0...1 << 50).contains(size)
        else { return nil }
        self.init(
            began: began, seconds: Double(milliseconds) / 1000, destination: destination, format: format,
            result: result)
        self.sequence = sequence
        exported = fields.numbers["exported"].flatMap { Timestamp.writableSeconds.contains($0) ? $0 : nil }
        isScheduled = fields.flags["scheduled"] ?? false
        units = fields.text("units").flatMap { MeasurementSystem(rawValue: $0) }
        reason = fields.text("reason")
        path = fields.paths["path"]
        identity = fields.text("identity")
        continues = fields.text("continues")
        self.samples = samples
        self.size = size
        isPart = fields.flags["part"] ?? false
        isPruned = fields.flags["pruned"] ?? false
    }
}
