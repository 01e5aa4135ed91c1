extension ValueParser where Value == String {
    /// Any text, unchanged.
    public static var text: Self { Self(expected: "text") { $0 } }
    /// The path of a file or folder.
    public static var path: Self { Self(expected: "a path", completion: .files) { $0.isEmpty ? nil : $0 } }
    /// The path of a folder.
    public static var folder: Self {
        Self(expected: "a folder", completion: .folders) { $0.isEmpty ? nil : $0 }
    }

    /// One of these words.
    public static func choice(of words: [String]) -> Self {
        Self(expected: "one of \(words.joined(separator: ", "))", completion: .choice(words)) { text in
            words.contains(text) ? text : nil
        }
    }
}

extension ValueParser where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of the cases, written as its raw value.
    public static var choice: Self { choice(among: Array(Value.allCases)) }

    /// One of some cases, written as its raw value.
    public static func choice(among cases: [Value]) -> Self {
        let words = cases.map(\.rawValue)
        return Self(expected: "one of \(words.joined(separator: ", "))", completion: .choice(words)) { text in
            cases.first { $0.rawValue == text }
        }
    }
}

extension ValueParser where Value: FixedWidthInteger & Sendable {
    /// Any whole number of the type.
    public static var integer: Self { integer(in: Value.min...Value.max) }

    /// A whole number within the bounds.
    public static func integer(in range: ClosedRange<Value>) -> Self {
        let expected =
            switch (range.lowerBound, range.upperBound) {
            case (.min, .max): "a whole number"
            case (let lower, .max): "a whole number of at least \(lower)"
            case (let lower, let upper): "a whole number from \(lower) to \(upper)"
            }
        return Self(expected: expected) { text in
            Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueParser where Value == Int {
    /// A number of bytes of at least `least`, with or without a unit: `650MB`, `4GiB`.
    ///
    /// - Parameters:
    ///   - least: The smallest accepted number.
    ///   - expected: A description of valid values; see ``expected``.
    public static func byteCount(atLeast least: Int, expected: String) -> Self {
        let units = [
            "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20,
            "gib": 1 << 30,
        ]
        return Self(expected: expected) { text in
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), let unit = units[text.dropFirst(digits.count).lowercased()]
            else { return nil }
            let (bytes, overflows) = number.multipliedReportingOverflow(by: unit)
            return overflows || bytes < least ? nil : bytes
        }
    }
}

extension ValueParser {
    /// Returns a parser of the same texts, whose values are converted.
    public func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueParser<Other> {
        ValueParser<Other>(expected: expected, completion: completion) { (text) throws(RejectedValue) in
            transform(try convert(text))
        }
    }

    /// One or more values, separated by commas and optional spaces; the error names the wrong one.
    public static func list<Element>(of element: ValueParser<Element>) -> Self where Value == [Element] {
        let completion: ValueCompletion =
            switch element.completion {
            case .choice(let words), .list(let words): .list(words())
            case .none, .files, .folders, .names: .none
            }
        return Self(
            expected: "\(element.expected), several with commas", completion: completion
        ) { (text) throws(RejectedValue) in
            var values: [Element] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                var word = part.drop { $0 == " " }
                while word.last == " " { word.removeLast() }
                guard !word.isEmpty else { throw RejectedValue(part: text) }
                values.append(try element.convert(String(word)))
            }
            return values
        }
    }
}
