import CivilTime

/// An electrocardiogram as a text file: eight lines about the person and the device, the lead, then half a
/// minute of samples, one per line, all in the person's language and number format.
///
/// A decimal comma is not quoted, although a comma also separates labels from values.
struct Electrocardiogram {
    private static let sampleCount = 15_360

    let name: String
    private let head: String
    private let separator: UInt8
    private let wave: HeartWave

    init(_ index: Int, _ context: ExportContext) {
        // The last of every five was taken on the same day as the one before, so its name has a number.
        let isSecondOfDay = index % 5 == 4
        let slot = context.slot(isSecondOfDay ? index - 1 : index, of: context.amounts.electrocardiograms)
        let time = context.time(at: slot.lowerBound + slot.count / 2 + (isSecondOfDay ? 60 : 0))
        name = "electrocardiograms/ecg_\(time.day)\(isSecondOfDay ? "_1" : "").csv"
        // A German device wrote every tenth one, starting with the second.
        let isGerman = index % 10 == 1
        separator = UInt8(ascii: isGerman ? "," : ".")
        wave = HeartWave(context.chance(.electrocardiogram, index))
        var date = ByteText()
        date.append(time)
        let written = String(decoding: date.bytes, as: UTF8.self)
        let verdicts =
            isGerman
            ? ["Sinusrhythmus", "Uneindeutig"]
            : ["Sinus Rhythm", "Sinus Rhythm", "Atrial Fibrillation", "Inconclusive", "Poor Recording"]
        let verdict = verdicts[(isGerman ? index / 10 : index) % verdicts.count]
        let lines =
            isGerman
            ? [
                ("Name", "Anna Synthetisch"), ("Geburtstag", "\"27.03.1987\""),
                ("Aufzeichnungsdatum", written),
                ("Klassifizierung", verdict), ("Symptome", ""), ("Softwareversion", "1.90"),
                ("Gerät", "\"Watch6,2\""), ("Messrate", "511,562\u{A0}Hertz\n\n"),
                ("Ableitung", "Ableitung I"), ("Einheit", "µV\n"),
            ]
            : [
                ("Name", "Anna Synthetic"), ("Date of Birth", "\"Mar 27, 1987\""), ("Recorded Date", written),
                ("Classification", verdict), ("Symptoms", ""), ("Software Version", "1.90"),
                ("Device", "\"Watch6,2\""), ("Sample Rate", "512 hertz\n\n"), ("Lead", "Lead I"),
                ("Unit", "µV\n"),
            ]
        head = lines.map { "\($0),\($1)\n" }.joined()
    }

    var content: SideFileContent {
        var (wave, rest) = (wave, Self.sampleCount)
        let separator = separator
        return SideFileContent(head: head) { text in
            guard rest > 0 else { return false }
            rest -= 1
            text.append(wave.next(), separator: separator)
            text.append("\n")
            return true
        }
    }
}

/// The voltage of a heart, composed of one triangle for each of the waves P, Q, R, S and T, and some noise.
private struct HeartWave {
    /// The places and widths of the waves in samples, and their heights in nanovolts.
    private static let waves = [
        (70, 30, 90_000), (126, 9, -110_000), (140, 11, 940_000), (154, 10, -210_000), (270, 58, 190_000),
    ]

    private var chance: SplitMix64
    private var position = 0
    private var period = 430

    init(_ chance: SplitMix64) { self.chance = chance }

    /// Returns the next sample in microvolts, 512 per second.
    mutating func next() -> FixedPoint {
        var voltage = chance.pick(from: -14_000...14_000)
        for (centre, width, height) in Self.waves {
            let distance = abs(position - centre)
            if distance < width { voltage += height * (width - distance) / width }
        }
        position += 1
        if position == period {
            position = 0
            period = chance.pick(from: 400...470)
        }
        return FixedPoint(units: voltage, digits: 3)
    }
}
