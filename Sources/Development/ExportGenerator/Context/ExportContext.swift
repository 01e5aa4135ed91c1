/// The values that all parts of an export share.
struct ExportContext: Sendable {
    let options: GeneratorOptions

    /// The version that determines which elements, attributes and types occur.
    let version: GeneratorOptions.DTDVersion

    let clock: ExportClock
    let home: HomeTimeZone

    /// The period that the data covers, in seconds since 1970; it ends with the export itself.
    let span: ClosedRange<Int>

    let origins: Origins
    let amounts: Amounts

    init(_ requested: GeneratorOptions) {
        var options = requested
        options.xmlBytes = max(options.xmlBytes, GeneratorOptions.minimumXMLBytes)
        options.years = min(max(options.years, 1), 100)
        self.options = options
        version = options.dtdVersion ?? .v14
        clock = ExportClock(offsetSeconds: options.exportDate.offsetSeconds)
        home = HomeTimeZone(offsetSeconds: options.exportDate.offsetSeconds)
        let end = options.exportDate.secondsSince1970
        span = end - options.years * 365 * secondsPerDay...end
        origins = Origins(version)
        amounts = Amounts(options)
    }

    func chance(_ stream: SplitMix64.Stream, _ index: Int = 0) -> SplitMix64 {
        SplitMix64(seed: options.seed, stream: stream, index: index)
    }

    /// Returns the span from September 20 of a year to the export, but at least the last 90 days.
    func span(since year: Int) -> ClosedRange<Int> {
        let first = CivilDate(year: year, month: 9, day: 20).daysSince1970 * secondsPerDay
        guard first > span.lowerBound else { return span }
        return min(first, span.upperBound - 90 * secondsPerDay)...span.upperBound
    }

    /// Returns the period of one of `count` items that are spread evenly over the years.
    func slot(_ index: Int, of count: Int) -> Range<Int> {
        let length = (span.upperBound - span.lowerBound) / count
        let start = span.lowerBound + index * length
        return start..<start + length
    }
}
