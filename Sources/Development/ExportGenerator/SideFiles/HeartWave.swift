/// The voltage of a heart, composed of one triangle for each of the waves P, Q, R, S and T, and some noise.
struct HeartWave {
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
