import CivilTime

/// An electrocardiogram as a text file: eight lines about the person and the device, the lead, then half a
/// minute of samples, one per line, all in the person's language and number format.
///
/// A decimal comma is not quoted, although a comma also separates labels from values.
struct ElectrocardiogramFile: SideFileContent {
    private static let sampleCount = 15_360

    let name: String
    private let time: Timestamp

    /// Whether a German device wrote the file: true for every tenth one, starting with the second.
    private let isGerman: Bool

    /// The device's classification, in its language.
    private let verdict: String

    private var wave: HeartWave
    private var nextSample = 0

    init(_ index: Int, _ context: ExportContext) {
        // The last of every five was taken on the same day as the one before, so its name has a number.
        let isSecondOfDay = index % 5 == 4
        let slot = context.slot(isSecondOfDay ? index - 1 : index, of: context.amounts.electrocardiograms)
        time = context.time(at: slot.lowerBound + slot.count / 2 + (isSecondOfDay ? 60 : 0))
        name = "electrocardiograms/ecg_\(time.day)\(isSecondOfDay ? "_1" : "").csv"
        isGerman = index % 10 == 1
        let verdicts =
            isGerman
            ? ["Sinusrhythmus", "Uneindeutig"]
            : ["Sinus Rhythm", "Sinus Rhythm", "Atrial Fibrillation", "Inconclusive", "Poor Recording"]
        verdict = verdicts[(isGerman ? index / 10 : index) % verdicts.count]
        wave = HeartWave(context.chance(.electrocardiogram, index))
    }

    mutating func appendNext(to text: inout ByteText) -> Bool {
        guard nextSample < Self.sampleCount else { return false }
        text.append(wave.next(), separator: isGerman ? UInt8(ascii: ",") : UInt8(ascii: "."))
        text.append(UInt8(ascii: "\n"))
        nextSample += 1
        return true
    }

    func appendHead(to text: inout ByteText) {
        var apple: [UInt8] = []
        time.appendApple(to: &apple)
        let date = String(decoding: apple, as: UTF8.self)
        text.append(
            isGerman
                ? """
                Name,Anna Synthetisch
                Geburtstag,"27.03.1987"
                Aufzeichnungsdatum,\(date)
                Klassifizierung,\(verdict)
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
                Recorded Date,\(date)
                Classification,\(verdict)
                Symptoms,
                Software Version,1.90
                Device,"Watch6,2"
                Sample Rate,512 hertz


                Lead,Lead I
                Unit,µV


                """)
    }
}

/// The voltage of a heart, composed of one triangle for each of the waves P, Q, R, S and T, and some noise.
private struct HeartWave {
    private struct Wave {
        let centre: Int
        let width: Int

        /// In nanovolts.
        let height: Int
    }

    private static let waves = [
        Wave(centre: 70, width: 30, height: 90_000),
        Wave(centre: 126, width: 9, height: -110_000),
        Wave(centre: 140, width: 11, height: 940_000),
        Wave(centre: 154, width: 10, height: -210_000),
        Wave(centre: 270, width: 58, height: 190_000),
    ]

    private var chance: SplitMix64
    private var position = 0
    private var period = 430

    init(_ chance: SplitMix64) {
        self.chance = chance
    }

    /// Returns the next sample in microvolts, 512 per second.
    mutating func next() -> FixedPoint {
        var voltage = chance.pick(from: -14_000...14_000)
        for wave in Self.waves {
            let distance = abs(position - wave.centre)
            if distance < wave.width { voltage += wave.height * (wave.width - distance) / wave.width }
        }
        position += 1
        if position == period {
            position = 0
            period = chance.pick(from: 400...470)
        }
        return FixedPoint(units: voltage, digits: 3)
    }
}
