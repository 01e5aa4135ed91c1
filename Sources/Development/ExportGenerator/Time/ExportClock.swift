/// Writes instants as in the main document: all with the offset of the export.
struct ExportClock: Sendable {
    let offsetSeconds: Int
    private let suffix: [UInt8]

    init(offsetSeconds: Int) {
        self.offsetSeconds = offsetSeconds
        let minutes = abs(offsetSeconds) / 60
        var text = ByteText()
        text.append(offsetSeconds < 0 ? "-" : "+")
        text.append(minutes / 60, width: 2)
        text.append(minutes % 60, width: 2)
        suffix = text.bytes
    }

    /// Writes `2026-01-15 09:30:00 +0100`.
    func append(_ instant: Int, to text: inout ByteText) {
        let wall = WallTime(instant, offsetSeconds: offsetSeconds)
        wall.appendDate(to: &text)
        text.append(UInt8(ascii: " "))
        wall.appendTime(to: &text)
        text.append(UInt8(ascii: " "))
        text.append(suffix)
    }

    /// Writes `20260115093000+0100`, the form of the clinical document.
    func appendCompact(_ instant: Int, to text: inout ByteText) {
        let wall = WallTime(instant, offsetSeconds: offsetSeconds)
        text.append(wall.date.year, width: 4)
        text.append(wall.date.month, width: 2)
        text.append(wall.date.day, width: 2)
        text.append(wall.hour, width: 2)
        text.append(wall.minute, width: 2)
        text.append(wall.second, width: 2)
        text.append(suffix)
    }
}
