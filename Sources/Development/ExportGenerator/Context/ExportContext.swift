import ByteText

let secondsPerDay = 86_400

/// The values that all parts of an export share.
struct ExportContext: Sendable {
    let options: GeneratorOptions

    /// The version that determines which elements, attributes and types occur.
    let version: GeneratorOptions.DTDVersion
    let home: HomeTimeZone
    /// The period that the data covers, in seconds since 1970; it ends with the export itself.
    let span: ClosedRange<Int>
    let origins: Origins

    init(_ requested: GeneratorOptions) {
        var options = requested
        options.xmlBytes = max(options.xmlBytes, GeneratorOptions.minimumXMLBytes)
        options.years = min(max(options.years, 1), 100)
        self.options = options
        version = options.dtdVersion ?? .v14
        home = HomeTimeZone(offsetMinutes: options.exportDate.offsetMinutes)
        let end = options.exportDate.seconds
        span = end - options.years * 365 * secondsPerDay...end
        origins = Origins(version)
    }

    func chance(_ stream: SplitMix64.Stream, _ index: Int = 0) -> SplitMix64 {
        SplitMix64(seed: options.seed, stream: stream, index: index)
    }

    /// Returns a value that exists since a version.
    func since<Value>(_ first: GeneratorOptions.DTDVersion, _ value: @autoclosure () -> Value) -> Value? {
        version >= first ? value() : nil
    }

    /// Returns an instant with the offset of the export.
    func time(at instant: Int) -> Timestamp {
        Timestamp(seconds: instant, offsetMinutes: options.exportDate.offsetMinutes)
    }

    /// Returns an instant that is no later than the export.
    func capped(_ instant: Int) -> Int { min(instant, span.upperBound) }

    /// Returns the span from September 20 of a year to the export, but at least the last 90 days.
    func span(since year: Int) -> ClosedRange<Int> {
        guard let first = CivilDate(year: year, month: 9, day: 20)?.start.seconds, first > span.lowerBound
        else { return span }
        return min(first, span.upperBound - 90 * secondsPerDay)...span.upperBound
    }

    /// Returns the period of one of `count` items that are spread evenly over the years.
    func slot(_ index: Int, of count: Int) -> Range<Int> {
        let length = (span.upperBound - span.lowerBound) / count
        let start = span.lowerBound + index * length
        return start..<start + length
    }

    /// Draws an instant in the period of one of `count` items.
    func instant(_ index: Int, of count: Int, from chance: inout SplitMix64) -> Int {
        let slot = slot(index, of: count)
        return slot.lowerBound + chance.below(slot.count)
    }

    /// Returns the origin of a sample from a device object with a new memory address.
    func provenance(of origin: Origin, at instant: Int, from chance: inout SplitMix64) -> Provenance {
        Provenance(edition: origins.edition(of: origin, at: instant), address: chance.address())
    }
}

/// The number of elements and files of each kind, except plain records.
///
/// Large exports follow the proportions of real ones, with a workout for every megabyte and a blood pressure for
/// every six. Small ones have a few of each, and leave most of the room to the records.
extension ExportContext {
    private var isHeavy: Bool { options.sideFiles == .heavy }

    /// Returns the wanted number, or as many as fit into a twentieth of the document, but at least one.
    private func affordable(_ wanted: Int, ofBytes size: Int) -> Int {
        max(1, min(wanted, options.xmlBytes / 20 / size))
    }

    var routeFiles: Int { isHeavy ? 500 : 6 }
    var electrocardiograms: Int { isHeavy ? 50 : 3 }
    var clinicalFiles: Int { isHeavy ? 142 : 5 }
    /// Clinical records in the document; there may be more files.
    var clinicalRecords: Int { affordable(clinicalFiles, ofBytes: 500) }
    var workouts: Int { max(options.xmlBytes / 1_060_000, affordable(routeFiles, ofBytes: 3000)) }
    var bloodPressures: Int { max(options.xmlBytes / 5_900_000, affordable(10, ofBytes: 2000)) }
    var activitySummaries: Int { affordable(options.years * 365, ofBytes: 600) }
    var audiograms: Int { affordable(3, ofBytes: 2000) }
    var visionPrescriptions: Int { affordable(2, ofBytes: 1000) }
    /// The routes that workouts have, spread evenly over them.
    private var routes: Int { min(routeFiles, workouts) }

    /// Returns the route of a workout, or nil if it has none.
    func route(ofWorkout index: Int) -> Int? {
        let route = index * routes / workouts
        return index == workout(ofRoute: route) ? route : nil
    }

    /// Returns the workout of a route, or nil if there are more routes than workouts.
    func workout(ofRoute route: Int) -> Int? {
        route < routes ? (route * workouts + routes - 1) / routes : nil
    }
}
