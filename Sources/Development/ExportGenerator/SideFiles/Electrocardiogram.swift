import ByteText

extension GeneratedSideFile {
    /// An electrocardiogram as a text file: eight lines about the person and the device, the lead, then half a
    /// minute of samples, one per line, all in the person's language and number format.
    ///
    /// A German device wrote every tenth one, starting with the second. A decimal comma is not quoted, although a
    /// comma also separates labels from values.
    static func electrocardiogram(_ index: Int, _ context: ExportContext) -> GeneratedSideFile {
        // The last of every five was taken on the same day as the one before, so its name has a number.
        let isSecondOfDay = index % 5 == 4
        let slot = context.slot(isSecondOfDay ? index - 1 : index, of: context.electrocardiograms)
        let time = context.time(at: slot.lowerBound + slot.count / 2 + (isSecondOfDay ? 60 : 0))
        var date = ByteText()
        date.append(time)
        let written = String(decoding: date.bytes, as: UTF8.self)
        let isGerman = index % 10 == 1
        let verdicts =
            isGerman
            ? ["Sinusrhythmus", "Uneindeutig"]
            : ["Sinus Rhythm", "Sinus Rhythm", "Atrial Fibrillation", "Inconclusive", "Poor Recording"]
        let verdict = verdicts[(isGerman ? index / 10 : index) % verdicts.count]
        let head =
            isGerman
            ? """
            Name,Anna Synthetisch
            Geburtstag,"27.03.1987"
            Aufzeichnungsdatum,\(written)
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
            Recorded Date,\(written)
            Classification,\(verdict)
            Symptoms,
            Software Version,1.90
            Device,"Watch6,2"
            Sample Rate,512 hertz


            Lead,Lead I
            Unit,µV


            """
        let name = "electrocardiograms/ecg_\(time.day)\(isSecondOfDay ? "_1" : "").csv"
        return GeneratedSideFile(name: name) {
            var chance = context.chance(.electrocardiogram, index)
            var (rest, position, period) = (15_360, 0, 430)
            return SideFileContent(head: head) { text in
                guard rest > 0 else { return false }
                rest -= 1
                // In nanovolts: some noise, and a triangle for each of the waves P, Q, R, S and T.
                var voltage = chance.pick(from: -14_000...14_000)
                for (centre, width, height) in [
                    (70, 30, 90_000), (126, 9, -110_000), (140, 11, 940_000), (154, 10, -210_000),
                    (270, 58, 190_000),
                ] {
                    let distance = abs(position - centre)
                    if distance < width { voltage += height * (width - distance) / width }
                }
                position += 1
                if position == period { (position, period) = (0, chance.pick(from: 400...470)) }
                let microvolts = FixedPoint(units: voltage, digits: 3)
                text.append(microvolts, separator: UInt8(ascii: isGerman ? "," : "."))
                text.append("\n")
                return true
            }
        }
    }
}
