import ByteSpans

/// Writes times fast: most of them are on the same day as the one before and have its offset.
public struct TimeWriter: Sendable {
    private struct Day: Sendable {
        var offsetMinutes = Int.min
        /// Midnight at the offset, in seconds since 1970.
        var midnight = 0
        /// The form of that midnight.
        var text: [UInt8] = []
    }

    private var last = Day()

    /// Remembers no day.
    public init() {}

    /// Appends the form that `Timestamp.appendISO` gives.
    public mutating func appendISO(_ time: Timestamp, to output: inout [UInt8]) {
        let second = time.seconds - last.midnight
        guard time.offsetMinutes == last.offsetMinutes, second >= 0, second < 86400 else {
            remember(time)
            time.appendISO(to: &output)
            return
        }
        let text = last.text.span
        output.append(addingCapacity: Timestamp.length) { (bytes: inout OutputSpan<UInt8>) in
            func two(_ value: Int) {
                bytes.append(0x30 + UInt8(truncatingIfNeeded: value / 10))
                bytes.append(0x30 + UInt8(truncatingIfNeeded: value % 10))
            }
            // "2023-05-13T" "10" ":" "36" ":" "12" "+02:00"
            bytes.append(copying: text.extracting(0..<11))
            two(second / 3600)
            bytes.append(UInt8(ascii: ":"))
            two(second / 60 % 60)
            bytes.append(UInt8(ascii: ":"))
            two(second % 60)
            bytes.append(copying: text.extracting(19..<25))
        }
    }

    private mutating func remember(_ time: Timestamp) {
        let local = time.seconds + time.offsetMinutes * 60
        last.offsetMinutes = time.offsetMinutes
        last.midnight = time.seconds - (local - local.flooredQuotient(by: 86400) * 86400)
        last.text = []
        Timestamp(seconds: last.midnight, offsetMinutes: time.offsetMinutes).appendISO(to: &last.text)
    }
}
