/// A well-formed enough document whose names, values and nesting are as odd as a reader still takes them.
package struct AdversarialDocument {
    /// Its text.
    package private(set) var bytes: [UInt8] = []
    private var state: UInt64

    private static let names = [
        "type", "value", "startDate", "endDate", "creationDate", "device", "sourceName", "unit", "element",
        "position",
        "metadata", "children", "attributes", "Record", "MetadataEntry", "HKCharacteristicX", "key", "date",
        "é", "a:b",
        "dateComponents", "duration", "text",
    ]
    private static let elements = [
        "Record", "Workout", "MetadataEntry", "WorkoutEvent", "lower", "HKCharacteristicThing",
        "ActivitySummary", "Ü",
    ]
    private static let values = [
        "", "1", "1.50", "-0", "1e5", "007", "+1", ".5", "1e999999", "text", "a b", "&quot;&lt;&amp;",
        "&#10;&#9;", "é’\u{a0}",
        "2023-05-13 10:36:12 +0200", "2023-05-13 10:36:12 -0000", "2023-02-29 10:36:12 +0200",
        "2023-05-13T10:36:12+02:00", "0001-01-01 00:00:00 +2359", "9999-12-31 23:59:59 -2359", "2023-05-13",
        "1969-12-31 23:59:59 +0000", "&lt;&lt;HKDevice: 0x2812f5540&gt;, name:Watch&gt;",
        "&lt;&lt;HKDevice: 0x&gt;",
        "&#60;&lt;HKDevice: 0xABC&gt;", "<<HKDevice: 0x1>".replacingLessThan, "\u{1}\u{b}\u{1f}", "\\",
        "\\u0041", "&nope;",
        "\u{1F600}", "&#x1F600;", "\u{2028}", "\u{7f}",
    ]

    /// Makes a document; the same seed gives the same one.
    package init(seed: UInt64) {
        state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
        put("<?xml version=\"1.0\"?><HealthData")
        attributes()
        put(">")
        for _ in 0..<(5 + below(40)) {
            element(depth: 0)
            put(["", "\n", " \n  ", "<!-- -->"][below(4)])
        }
        put("</HealthData>")
    }

    private mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    private mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    private mutating func put(_ text: String) { bytes += Array(text.utf8) }

    private mutating func attributes() {
        for _ in 0..<below(6) {
            put(" " + Self.names[below(Self.names.count)] + "=")
            let quote = below(8) == 0 ? "'" : "\""
            put(quote)
            for _ in 0...below(2) { put(Self.values[below(Self.values.count)]) }
            // Now and then a byte that is no UTF-8.
            if below(30) == 0 { bytes.append(UInt8(0x80 + below(0x80))) }
            put(quote)
        }
    }

    private mutating func element(depth: Int) {
        let name = Self.elements[below(Self.elements.count)]
        put("<" + name)
        attributes()
        guard depth < 4, below(3) == 0 else {
            put("/>")
            return
        }
        put(">")
        for _ in 0..<below(5) {
            switch below(6) {
            case 0: put("text & <![CDATA[<b>]]>")
            case 1: put("\n   ")
            default: element(depth: depth + 1)
            }
        }
        put("</" + name + ">")
    }
}

extension String {
    fileprivate var replacingLessThan: String { split(separator: "<").map { "&lt;" + $0 }.joined() }
}
