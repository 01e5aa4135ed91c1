/// An electrocardiogram as a text file: eight lines about the person and the device, the lead, then half a
/// minute of samples, one per line, all in the person's language and number format.
///
/// A decimal comma is not quoted, although a comma also separates labels from values.
struct ElectrocardiogramFile: SideFileGenerator {
    private static let sampleCount = 15_360

    private let recording: Electrocardiogram
    private let clock: ExportClock
    private var wave: HeartWave
    private var nextSample = -1

    init(_ index: Int, _ context: ExportContext) {
        recording = Electrocardiogram(index, context)
        clock = context.clock
        wave = HeartWave(context.chance(.electrocardiogram, index))
    }

    mutating func appendNext(to text: inout ByteText) -> Bool {
        guard nextSample < Self.sampleCount else { return false }
        if nextSample < 0 {
            appendHead(to: &text)
        } else {
            let separator = recording.isGerman ? UInt8(ascii: ",") : UInt8(ascii: ".")
            text.append(wave.next(), separator: separator)
            text.append(UInt8(ascii: "\n"))
        }
        nextSample += 1
        return true
    }

    private func appendHead(to text: inout ByteText) {
        var date = ByteText()
        clock.append(recording.instant, to: &date)
        text.append(
            recording.isGerman
                ? """
                Name,Anna Synthetisch
                Geburtstag,"27.03.1987"
                Aufzeichnungsdatum,\(date.string)
                Klassifizierung,\(recording.verdict)
                Symptome,
                Softwareversion,1.90
                Gerät,"Watch6,2"
                Messrate,511,562\u{A0}Hertz


                Ableitung,Ableitung I
                Einheit,µV


                """
                : """
                Name,Anna Synthetic
                Date of Birth,"Mar 27, 1987"
                Recorded Date,\(date.string)
                Classification,\(recording.verdict)
                Symptoms,
                Software Version,1.90
                Device,"Watch6,2"
                Sample Rate,512 hertz


                Lead,Lead I
                Unit,µV


                """)
    }
}
