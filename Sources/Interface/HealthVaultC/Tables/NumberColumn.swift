/// Collects numbers of a column, some of which may be missing.
struct NumberColumn<Number: BitwiseCopyable & ExpressibleByIntegerLiteral> {
    private let numbers = ArrowBuffer()
    private var count = 0
    /// Whether each row has a number; empty as long as all have one.
    private var areValid: [Bool] = []

    /// Makes room for rows.
    func reserve(_ count: Int) { numbers.reserve(count, of: Number.self) }

    /// Appends rows.
    ///
    /// - Parameters:
    ///   - more: How many.
    ///   - valid: Whether each has a number; nil if all have one.
    ///   - body: Appends the numbers, any number where there is none.
    mutating func append(
        count more: Int, are valid: [Bool]? = nil, _ body: (inout OutputSpan<Number>) -> Void
    ) {
        if let valid {
            beginValidity()
            areValid += valid
        } else if !areValid.isEmpty {
            areValid.append(contentsOf: repeatElement(true, count: more))
        }
        numbers.append(atMost: more, body)
        count += more
    }

    /// Appends rows without numbers.
    mutating func append(nulls more: Int) {
        append(count: more, are: [Bool](repeating: false, count: more)) { output in
            for _ in 0..<more { output.append(0) }
        }
    }

    private mutating func beginValidity() {
        if areValid.isEmpty { areValid = [Bool](repeating: true, count: count) }
    }

    /// The column.
    var column: ArrowColumn {
        let validity = Validity(areValid)
        return ArrowColumn(
            length: count, nullCount: validity.nullCount, buffers: [validity.buffer, numbers])
    }
}
