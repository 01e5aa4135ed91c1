/// A part of the document that is written element by element.
protocol Section {
    /// Writes the next element directly below the root.
    ///
    /// - Returns: Whether there was one; must not be called again after it has returned false.
    mutating func appendNext(to stream: inout XMLStream) -> Bool
}

extension Section {
    /// The size of the section in bytes, measured by generating it without output.
    var measuredBytes: Int {
        var section = self
        var stream = XMLStream()
        while section.appendNext(to: &stream) { stream.drain { _ in } }
        return stream.position
    }
}

/// A section of a known number of elements, each of which can be generated on its own.
struct CountedSection: Section {
    private let count: Int
    private let append: (Int, inout XMLStream) -> Void
    private var index = 0

    init(_ count: Int, _ append: @escaping (Int, inout XMLStream) -> Void) {
        self.count = count
        self.append = append
    }

    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        guard index < count else { return false }
        append(index, &stream)
        index += 1
        return true
    }
}
