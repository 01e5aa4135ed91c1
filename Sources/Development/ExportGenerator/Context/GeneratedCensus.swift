/// The counts and totals that a reader must find in a generated document.
public struct GeneratedCensus: Sendable, Equatable {
    /// How often each element occurs, by its path below the root element.
    ///
    /// A record inside a correlation counts as `Correlation/Record`, one at the top level as `Record`.
    public internal(set) var elements: [String: Int] = [:]

    /// The number of top-level records of each type.
    public internal(set) var recordTypes: [String: Int] = [:]

    /// The true total of each type that two devices record, in the unit of its records.
    ///
    /// It is empty for shapes other than ``GeneratorOptions/Shape/watchAndPhone``. Each second counts once:
    /// from the watch where it recorded, else from the iPhone. If only part of a record counts, its value counts
    /// in proportion to the time. A reader that does the same finds distances and energy exactly, and steps
    /// within 0.1 per cent, because records have whole steps.
    public internal(set) var trueTotals: [String: Double] = [:]

    /// The sum of the values of all records of each type in ``trueTotals``.
    ///
    /// Whatever both devices recorded counts twice.
    public internal(set) var naiveTotals: [String: Double] = [:]
}
