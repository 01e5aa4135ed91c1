extension SampleBatch {
    /// Moves the positions of all rows, so that they differ from those of rows of an earlier export.
    ///
    /// - Parameter distance: What is added to each position.
    public mutating func movePositions(by distance: Int) {
        guard count > 0 else { return }
        // The first row has its position, the others their distances from the row before.
        cells[2] += distance
        tally.firstPosition += distance
        tally.lastPosition += distance
    }
}
