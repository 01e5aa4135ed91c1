/// An electrocardiogram: when it was taken and what its file is called.
struct Electrocardiogram {
    let instant: Int
    let fileName: String

    /// Whether a German device wrote the file: true for every tenth one, starting with the second.
    let isGerman: Bool

    /// The device's classification, in its language.
    let verdict: String

    init(_ index: Int, _ context: ExportContext) {
        // The last of every five was taken on the same day as the one before, so its name has a number.
        let isSecondOfDay = index % 5 == 4
        let day = isSecondOfDay ? index - 1 : index
        let slot = context.slot(day, of: context.amounts.electrocardiograms)
        instant = slot.lowerBound + slot.count / 2 + (isSecondOfDay ? 60 : 0)
        isGerman = index % 10 == 1
        let verdicts =
            isGerman
            ? ["Sinusrhythmus", "Uneindeutig"]
            : ["Sinus Rhythm", "Sinus Rhythm", "Atrial Fibrillation", "Inconclusive", "Poor Recording"]
        verdict = verdicts[(isGerman ? index / 10 : index) % verdicts.count]
        var name = ByteText()
        name.append("electrocardiograms/ecg_")
        WallTime(instant, offsetSeconds: context.clock.offsetSeconds).appendDate(to: &name)
        if isSecondOfDay { name.append("_1") }
        name.append(".csv")
        fileName = name.string
    }
}
