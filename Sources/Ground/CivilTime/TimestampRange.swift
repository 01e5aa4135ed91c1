extension Timestamp? {
    /// Replaces the value with the earlier of the two.
    @inlinable
    @inline(__always)
    public mutating func lower(to other: Timestamp?) {
        guard let other else { return }
        if let mine = self, mine.seconds <= other.seconds { return }
        self = other
    }

    /// Replaces the value with the later of the two.
    @inlinable
    @inline(__always)
    public mutating func raise(to other: Timestamp?) {
        guard let other else { return }
        if let mine = self, mine.seconds >= other.seconds { return }
        self = other
    }
}
