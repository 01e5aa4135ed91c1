import HealthQueries

extension SampleColumns {
    /// Replaces the lengths of heart rates with the time for which each applies.
    ///
    /// A measurement at one instant applies until the next of its source, for at most ``TimeWeightedMean/longestGap``;
    /// one with a duration for its duration, but no longer than until the next.
    ///
    /// - Parameter isJoint: Whether the samples of all sources form one series.
    mutating func extendToNext(isJoint: Bool) {
        /// The start of the next sample of each source.
        var next: [UInt16: Int] = [:]
        for index in order.reversed().lazy.map({ Int($0) }) {
            let source = isJoint ? 0 : sources[index]
            let own = lengths[index] > 0 ? lengths[index] : TimeWeightedMean.longestGap
            let room = next[source].map { $0 - starts[index] } ?? .max
            lengths[index] = min(own, room)
            next[source] = starts[index]
        }
    }
}
