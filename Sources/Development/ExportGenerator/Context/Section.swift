/// A part of the document that is written element by element.
protocol Section {
    /// Writes the next element directly below the root.
    ///
    /// - Returns: Whether there was one; must not be called again after it has returned false.
    mutating func appendNext(to stream: inout XMLStream) -> Bool
}

extension Section {
    /// Returns the size of the section in bytes, measured by generating it without output.
    func measuredBytes(_ context: ExportContext) -> Int {
        var section = self
        var stream = XMLStream(context)
        while section.appendNext(to: &stream) { stream.drain { _ in } }
        return stream.position
    }
}

/// One of several elements of a kind.
protocol NumberedElement {
    init(_ index: Int, _ context: ExportContext)

    func append(to stream: inout XMLStream)
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

    init(_ count: Int, of kind: (some NumberedElement).Type, _ context: ExportContext) {
        self.init(count) { index, stream in kind.init(index, context).append(to: &stream) }
    }

    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        guard index < count else { return false }
        append(index, &stream)
        index += 1
        return true
    }
}
