extension SampleBatch {
    /// Moves the positions of all rows, so that they differ from those in an earlier export.
    ///
    /// - Parameter distance: The number to add to each position.
    public mutating func movePositions(by distance: Int) {
        guard count > 0 else { return }
        // The first row stores its position, the others the distance from the previous row.
        cells[2] += distance
        tally.firstPosition += distance
        tally.lastPosition += distance
    }
}
