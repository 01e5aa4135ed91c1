import HealthModel

/// The sources of a type's samples, each with the kind of its earliest sample's device, which decides its priority.
struct SourceList: Sendable {
    /// What decides the priority of a source.
    struct Source: Sendable, Equatable {
        let name: String
        var kind: SourcePriority.Kind
        /// The earliest start of its samples, in seconds since 1970.
        var firstStart: Int
    }

    private(set) var sources: [Source] = []
    private var numbers: [String: Int] = [:]
    /// The ranks of the sources, once they were requested.
    private var ranks: [Int] = []
    /// Lists of names that rows share.
    private var lists: [[Int]: [String]] = [:]

    /// Creates a list of known sources.
    init(_ sources: [Source] = []) {
        self.sources = sources
        for (number, source) in sources.enumerated() { numbers[source.name] = number }
    }

    /// Returns the number of a source.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - device: The device of one of its samples.
    ///   - start: When that sample starts.
    mutating func number(of name: String, _ device: Device?, start: Int) -> Int {
        let number = numbers[name] ?? sources.count
        if number == sources.count {
            numbers[name] = number
            sources.append(
                Source(name: name, kind: SourcePriority.kind(name, device), firstStart: start))
            ranks = []
        } else if start < sources[number].firstStart {
            sources[number].firstStart = start
            sources[number].kind = SourcePriority.kind(name, device)
            ranks = []
        }
        return number
    }

    /// Returns the rank of each source, 0 for the highest priority.
    mutating func ranks(first names: [String]) -> [Int] {
        guard ranks.isEmpty else { return ranks }
        ranks = [Int](repeating: 0, count: sources.count)
        let known = sources.map { (name: $0.name, kind: $0.kind) }
        for (rank, number) in SourcePriority.order(known, first: names).enumerated() { ranks[number] = rank }
        return ranks
    }

    /// Returns the names of sources, sorted.
    mutating func names(of numbers: [Int]) -> [String] {
        if let names = lists[numbers] { return names }
        let names = numbers.map { sources[$0].name }.sorted()
        lists[numbers] = names
        return names
    }
}
