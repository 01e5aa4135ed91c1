import ByteText
import SampleBatches
import Testing

@Suite("A context of a stored batch")
struct ContextReaderTests {
    /// Contexts that differ in a slot or its spelling, in the order of their slots, or in their number.
    private static let texts: [String] = [
        #"[["type","A"],["unit","count"],["device","b","a"],["startDate",60],["value"]]"#,
        #"[["type","A"],["unit","kcal"],["device","b","a"],["startDate",120],["value"]]"#,
        #"[["type","A"],["unit", "count"],["device","b","a"],["startDate",60],["value"]]"#,
        #"[ ["type","A"],["unit","count"] ,["device","b","a"],["startDate",60],["value"] ]"#,
        #"[["type","\u0041"],["unit","count"],["device","b","a"],["startDate",60],["value"]]"#,
        #"[["type","A\/B"],["unit","count"]]"#, #"[["unit","count"],["type","A"]]"#, #"[["value"]]"#,
        #"[["value"],["value"]]"#, #"[["type","A"],["device","b","a\"]"],["value"]]"#,
        #"[["type","A"],["startDate",-60],["value"]]"#, #"[["type","A"],["startDate",-0],["value"]]"#,
        #"[["type","\#(String(repeating: "x", count: 2000))"],["unit","count"],["value"]]"#,
    ]
    /// Such as are refused, some behind a slot that is known.
    private static let wrong: [String] = [
        #"[["type","A"],["unit","count"],]"#, #"[["type","A"]["unit","count"]]"#,
        #"[["type","A"],["unit","count""#,
        #"[["type","A"],["unit","count"],"x"]"#, #"[["type","A"],["startDate",1500]]"#, #"[["type","A"],[]]"#,
    ]

    private func read(_ text: String, with contexts: inout ContextReader) throws -> BatchContext {
        var reader = JSONReader(Array(text.utf8))
        let context = try contexts.context(&reader)
        try reader.finish()
        return context
    }

    @Test("is the same whatever was read before")
    func same() throws {
        for first in Self.texts + Self.wrong {
            for second in Self.texts {
                var (used, fresh) = (ContextReader(), ContextReader())
                _ = try? read(first, with: &used)
                for _ in 0..<2 {
                    let (context, expected) = (
                        try read(second, with: &used), try read(second, with: &fresh)
                    )
                    #expect(context.slots == expected.slots)
                    #expect(context.json == expected.json)
                    // Spelled anew, it has no memory of how it was written.
                    #expect(context.json == BatchContext(slots: expected.slots).json)
                }
            }
        }
    }

    @Test("that is none is refused whatever was read before")
    func refused() {
        for first in Self.texts {
            for second in Self.wrong {
                var contexts = ContextReader()
                _ = try? read(first, with: &contexts)
                #expect(throws: (any Error).self) { try read(second, with: &contexts) }
            }
        }
    }
}
