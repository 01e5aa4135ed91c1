/// What a reader must find in a generated document.
public struct GeneratedCensus: Sendable, Equatable {
    /// How often each element occurs, by its path below the root element.
    ///
    /// A record inside a correlation counts as `Correlation/Record`, one at the top level as `Record`.
    public internal(set) var elements: [String: Int] = [:]

    /// How many records at the top level have each type.
    public internal(set) var recordTypes: [String: Int] = [:]
}
