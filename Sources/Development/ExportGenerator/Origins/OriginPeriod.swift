/// A fifth of a year, during which the person's devices and their systems stay the same.
struct OriginPeriod {
    static let count = 80
    static let length = 73 * secondsPerDay

    /// The release of iOS 8, with which the Health app began.
    static let beginning = CivilDate(year: 2014, month: 9, day: 15).daysSince1970 * secondsPerDay

    let index: Int
    private let year: Int

    /// Creates a period with systems no newer than those of `lastYear`.
    init(_ index: Int, lastYear: Int) {
        self.index = index
        year = min(2014 + index / 5, lastYear)
    }

    static func index(at instant: Int) -> Int {
        min(max((instant - beginning) / length, 0), count - 1)
    }

    var watchSystem: String {
        let major = year < 2025 ? max(year - 2013, 1) : year - 1999
        return "\(major).\(minor)"
    }

    var phoneSystem: String {
        let major = year < 2025 ? year - 2006 : year - 1999
        return "\(major).\(minor)"
    }

    var watchHardware: String {
        let models = [
            "Watch1,2", "Watch1,2", "Watch2,4", "Watch2,4", "Watch4,4", "Watch4,4", "Watch6,2", "Watch6,2",
            "Watch6,7", "Watch6,7", "Watch7,3", "Watch7,12",
        ]
        return models[min(year - 2014, models.count - 1)]
    }

    var phoneHardware: String {
        let models = [
            "iPhone7,2", "iPhone7,2", "iPhone8,1", "iPhone8,1", "iPhone10,4", "iPhone10,4", "iPhone12,8",
            "iPhone12,8", "iPhone14,5", "iPhone14,5", "iPhone16,1", "iPhone18,3",
        ]
        return models[min(year - 2014, models.count - 1)]
    }

    /// The creation date that systems since 2025 add to some device texts.
    var creationDate: String {
        year >= 2025 && index % 2 == 0 ? ", creation date:2025-09-\(16 + index % 10) 22:56:09 +0000" : ""
    }

    private var minor: String {
        ["0", "1", "2", "3.1", "6"][index % 5]
    }
}
