import SampleBatches

/// The contents of a block in a batch, preceded by no content.
struct ContentPlaces {
    /// Their numbers in the batch; 0 for those that it does not have.
    private(set) var numbers = [0]
    private var lengths = [0]
    /// What each adds to the size of a row: nothing if it is listed.
    private var sizes = [0]
    /// For each, the first place of the same content.
    private var firsts = [0]
    /// The places of those that rows to be appended have, but none in the batch.
    private(set) var new: [Int] = []
    private var listedCount = 0

    /// Removes all but no content.
    ///
    /// - Parameter count: The number of contents that the batch has listed.
    mutating func removeAll(listed count: Int = 0) {
        numbers.removeSubrange(1...)
        lengths.removeSubrange(1...)
        sizes.removeSubrange(1...)
        firsts.removeSubrange(1...)
        new.removeAll(keepingCapacity: true)
        listedCount = count
    }

    /// Appends a content.
    ///
    /// - Parameter number: Its number in the batch; nil if it is new.
    mutating func append(_ number: Int?, length: Int, isListed: Bool) {
        firsts.append(numbers.count)
        numbers.append(number ?? 0)
        lengths.append(length)
        sizes.append(isListed ? 0 : RowValues.size(ofToken: length))
    }

    /// Appends a content that is there already, and that the batch does not have.
    mutating func append(sameAs place: Int) {
        firsts.append(place)
        numbers.append(0)
        lengths.append(lengths[place])
        sizes.append(sizes[place])
    }

    /// Says what a content adds to a row that is going to be appended.
    ///
    /// - Returns: What it adds to the row's size, and its length.
    mutating func use(_ place: Int) -> (size: Int, length: Int) {
        let place = firsts[place]
        let use = (sizes[place], lengths[place])
        if numbers[place] == 0, !new.contains(place) {
            new.append(place)
            // Listed, it only counts once.
            if OpenBatch.isListed(lengths[place], after: listedCount) {
                listedCount += 1
                sizes[place] = 0
            }
        }
        return use
    }

    /// Sets the number of a content that was new, wherever it is.
    mutating func set(_ number: Int, at place: Int) {
        for other in place..<numbers.count where firsts[other] == place { numbers[other] = number }
    }
}
