import HealthModel

/// The sources of a type's samples, each with the device of its earliest sample, which decides its priority.
struct SourceList: Sendable {
    private(set) var sources: [(name: String, device: Device?)] = []
    private var firstStarts: [Int] = []
    private var numbers: [String: Int] = [:]

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
            sources.append((name, device))
            firstStarts.append(start)
        } else if start < firstStarts[number] {
            firstStarts[number] = start
            sources[number].device = device
        }
        return number
    }

    /// Returns the rank of each source, 0 for the highest priority.
    func ranks(first names: [String]) -> [Int] { SourcePriority.ranks(sources, first: names) }
}
