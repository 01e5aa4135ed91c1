let secondsPerDay = 86_400

/// A day of the Gregorian calendar.
///
/// The conversions use eras of 400 years and years that start in March, so that the leap day is the last of its
/// year and there are no special cases.
struct CivilDate: Equatable {
    let year: Int
    let month: Int
    let day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(daysSince1970: Int) {
        let shifted = daysSince1970 + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.floorDivided(by: 400)
        let yearOfEra = marchYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the last Sunday of a month of 31 days, on which European clocks change.
    static func lastSunday(year: Int, month: Int) -> CivilDate {
        let last = CivilDate(year: year, month: month, day: 31).daysSince1970
        // 1970-01-01 was a Thursday, the fifth day of a week that starts on Sunday.
        return CivilDate(daysSince1970: last - (last + 4) % 7)
    }
}

extension Int {
    func floorDivided(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
}
