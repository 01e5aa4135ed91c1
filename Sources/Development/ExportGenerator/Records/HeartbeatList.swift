/// The individual heartbeats behind a record of heart rate variability.
///
/// Unlike all other times in the document, theirs are only times of day, in the true local time of that day and the
/// format of the person's language.
struct HeartbeatList {
    private enum TimeForm {
        /// `6:14:48.94 PM`, from version 13 on with a narrow no-break space.
        case twelveHours(space: String)

        /// `17:07:00,29`
        case twentyFourHours(separator: UInt8)
    }

    private let home: HomeTimeZone
    private let form: TimeForm

    init(_ context: ExportContext) {
        home = context.home
        let commaLanguages = ["de", "fr", "es", "it", "nl", "pt", "pl", "ru", "sv", "nb", "da", "fi"]
        let language = context.options.locale.prefix { $0.isLetter }
        if language == "en" {
            form = .twelveHours(space: context.version < .v13 ? " " : "\u{202F}")
        } else {
            let hasComma = commaLanguages.contains(String(language))
            form = .twentyFourHours(separator: hasComma ? UInt8(ascii: ",") : UInt8(ascii: "."))
        }
    }

    func append(from start: Int, _ chance: inout SplitMix64, to stream: inout XMLStream) {
        let count = chance.pick(from: 24...72)
        var hundredths = 0
        stream.text.append("  <HeartRateVariabilityMetadataList>\n")
        for _ in 0..<count {
            hundredths += chance.pick(from: 66...122)
            stream.text.append("   <InstantaneousBeatsPerMinute bpm=\"")
            stream.text.append(chance.pick(from: 49...91))
            stream.text.append("\" time=\"")
            append(start + hundredths / 100, hundredths: hundredths % 100, to: &stream.text)
            stream.text.append("\"/>\n")
        }
        stream.text.append("  </HeartRateVariabilityMetadataList>\n")
        stream.records.beatLists += 1
        stream.records.beats += count
    }

    private func append(_ instant: Int, hundredths: Int, to text: inout ByteText) {
        let wall = home.wallTime(at: instant)
        switch form {
        case .twelveHours(let space):
            text.append(wall.hourOfTwelve)
            append(wall, separator: UInt8(ascii: "."), hundredths, to: &text)
            text.append(space)
            text.append(wall.hour < 12 ? "AM" : "PM")
        case .twentyFourHours(let separator):
            text.append(wall.hour, width: 2)
            append(wall, separator: separator, hundredths, to: &text)
        }
    }

    private func append(_ wall: WallTime, separator: UInt8, _ hundredths: Int, to text: inout ByteText) {
        text.append(UInt8(ascii: ":"))
        text.append(wall.minute, width: 2)
        text.append(UInt8(ascii: ":"))
        text.append(wall.second, width: 2)
        text.append(separator)
        text.append(hundredths, width: 2)
    }
}
