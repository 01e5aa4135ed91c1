extension Electrocardiogram {
    /// The result of a recording, with HealthKit's numbers.
    public enum Classification: Int, Sendable, CaseIterable {
        /// There is no result.
        case notSet = 0
        /// The heart beats in a uniform pattern.
        case sinusRhythm = 1
        /// The heart beats in an irregular pattern that is a sign of atrial fibrillation.
        case atrialFibrillation = 2
        /// Inconclusive because the heart rate is low.
        case inconclusiveLowHeartRate = 3
        /// Inconclusive because the heart rate is high.
        case inconclusiveHighHeartRate = 4
        /// Inconclusive because the recording is poor.
        case inconclusivePoorReading = 5
        /// Inconclusive for another reason.
        case inconclusiveOther = 6
        /// A result that the phone itself did not know.
        case unrecognized = 100

        /// Reads the result from the text of a file, ignoring case; nil if the text is not understood.
        init?(text: String) {
            let words = text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if words.isEmpty {
                self = .notSet
            } else if let known = Self.byText[words]
                ?? Self.byStart.first(where: { words.hasPrefix($0.start) })?.result
            {
                self = known
            } else {
                return nil
            }
        }

        /// Complete texts: results as files write them, and unambiguous names of the two rhythms.
        private static let byText: [String: Self] = [
            // English
            "sinus rhythm": .sinusRhythm,
            "atrial fibrillation": .atrialFibrillation,
            "inconclusive": .inconclusiveOther,
            "poor recording": .inconclusivePoorReading,
            "unrecognized": .unrecognized,
            // German
            "sinusrhythmus": .sinusRhythm,
            "vorhofflimmern": .atrialFibrillation,
            "uneindeutig": .inconclusiveOther,
            // Japanese
            "洞調律": .sinusRhythm,
            "心房細動": .atrialFibrillation,
            "低心拍数": .inconclusiveLowHeartRate,
            "高心拍数": .inconclusiveHighHeartRate,
            "判定不能": .inconclusiveOther,
            // Chinese, simplified and traditional
            "窦性心律": .sinusRhythm,
            "心房颤动": .atrialFibrillation,
            "房颤": .atrialFibrillation,
            "竇性心律": .sinusRhythm,
            "心房顫動": .atrialFibrillation,
            // French
            "rythme sinusal": .sinusRhythm,
            "fibrillation auriculaire": .atrialFibrillation,
            // Spanish
            "ritmo sinusal": .sinusRhythm,
            "fibrilación auricular": .atrialFibrillation,
            // Italian and Portuguese; the sinus rhythm of both is that of Spanish.
            "ritmo sinusale": .sinusRhythm,
            "fibrillazione atriale": .atrialFibrillation,
            "fibrilação atrial": .atrialFibrillation,
            "fibrilação auricular": .atrialFibrillation,
            // Dutch and Swedish
            "sinusritme": .sinusRhythm,
            "atriumfibrilleren": .atrialFibrillation,
            "boezemfibrilleren": .atrialFibrillation,
            "sinusrytm": .sinusRhythm,
            "förmaksflimmer": .atrialFibrillation,
            // Russian
            "синусовый ритм": .sinusRhythm,
            "мерцательная аритмия": .atrialFibrillation,
            "фибрилляция предсердий": .atrialFibrillation,
            // Korean
            "동리듬": .sinusRhythm,
            "심방세동": .atrialFibrillation,
            "심방 세동": .atrialFibrillation,
        ]

        /// Texts that are followed by a number or an explanation.
        private static let byStart: [(start: String, result: Self)] = [
            ("heart rate over", .inconclusiveHighHeartRate),
            ("high heart rate", .inconclusiveHighHeartRate),
            ("heart rate under", .inconclusiveLowHeartRate),
            ("heart rate below", .inconclusiveLowHeartRate),
            ("low heart rate", .inconclusiveLowHeartRate),
        ]
    }
}
