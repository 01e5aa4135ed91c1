package import JSONText

extension SampleBatch {
    /// Returns how often each element occurs in the batch, by its path below the root element.
    package func census() throws(JSONError) -> [ExactName: Int] {
        var counts = [ExactName(key.element): count]
        var tally = ContentTally(element: key.element)
        let uses = self.tally.contentUses
        for (content, times) in zip(contents, uses) where !tally.count(content, times: times) {
            try ContentCensus.add(content, in: key.element, times: times, to: &counts)
        }
        for (path, times) in tally.counts { counts[path, default: 0] += times }
        return counts
    }
}
