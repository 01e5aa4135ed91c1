import HealthFormats
import SampleBatches
import SystemIO
import Testing

/// A stored batch of few bytes that would be many as lines, or as objects in memory.
struct BatchBomb: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> [UInt8]

    /// A list with the same text again and again, or what a number makes of it.
    private static func list(_ count: Int, _ text: (Int) -> String) -> [UInt8] {
        // Not as strings that are joined: what the test takes itself is not to be seen in what is measured.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 << 20)
        for number in 0..<count {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += text(number).utf8
        }
        return bytes
    }

    /// What is the same in all rows is written down once, whatever their number.
    private static func batch(
        element: String = "Record", count: Int, contexts: [UInt8], contents: String = "",
        content: String = "0", columns: [UInt8] = [], contextsFirst: Bool = false, rows: Int? = nil
    ) -> [UInt8] {
        let rows = rows ?? count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 << 20)
        bytes +=
            #"{"format":"healthvault batch 1","element":"\#(element)","type":"T","span":"2020","part":1,"#
            .utf8
        let number = Array(#""count":\#(count),"#.utf8)
        if !contextsFirst { bytes += number }
        bytes += Array(#""contexts":["#.utf8) + contexts + Array("],".utf8)
        if contextsFirst { bytes += number }
        bytes += #""contents":[\#(contents)],"#.utf8
        for (name, value) in [("position", "1"), ("context", "0"), ("content", content)] {
            bytes += Array(#""\#(name)":["#.utf8) + list(rows) { _ in value } + Array("],".utf8)
        }
        return bytes + Array(#""columns":{"#.utf8) + columns + Array("}}".utf8)
    }

    /// A batch whose rows have the same context, and whose columns count what repeats.
    static func counted(_ count: Int, context: String, columns: String) -> [UInt8] {
        let more = "[\(count - 1)]"
        return Array(
            """
            {"format":"healthvault batch 1","element":"Record","type":"T","span":"2020","part":1,"count":\(count),\
            "contexts":[\(context)],"contents":[],"position":[1,\(more)],\
            "content":[0,\(more)],"columns":{\(columns)},"context":[
            """.utf8) + list(count) { _ in "0" } + Array("]}".utf8)
    }

    private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }
    private static let none = Array("[]".utf8)

    static let all: [BatchBomb] = [
        BatchBomb("more rows than lines can be") { batch(count: 1 << 40, contexts: none, rows: 10) },
        BatchBomb("many rows with a long text that all share") {
            batch(count: 100_000, contexts: Array(#"[["unit","\#(long(1 << 20))"]]"#.utf8))
        },
        BatchBomb("many rows with a long name of an attribute") {
            let name = long(1 << 20)
            let values = String(decoding: list(100_000) { _ in "1" }, as: UTF8.self)
            return batch(
                count: 100_000, contexts: Array(#"[["\#(name)"]]"#.utf8),
                columns: Array(#""\#(name)":[\#(values)]"#.utf8))
        },
        BatchBomb("many rows with a long content that all share") {
            batch(
                count: 100_000, contexts: none, contents: #"{"A":["\#(long(1 << 20))"]}"#, content: "1")
        },
        BatchBomb("many rows of an element with a long name") {
            batch(element: long(1 << 20), count: 100_000, contexts: none)
        },
        BatchBomb("many rows of an element whose name is all escapes") {
            batch(element: String(repeating: #"\u0001"#, count: 10_000), count: 10_000, contexts: none)
        },
        BatchBomb("more rows than there are, with many contexts") {
            batch(count: 1 << 40, contexts: list(1_500_000) { #"[["\#($0)"]]"# }, rows: 1)
        },
        BatchBomb("many contexts before the number of rows") {
            batch(
                count: 1 << 40, contexts: list(1_500_000) { #"[["\#($0)"]]"# }, contextsFirst: true, rows: 1)
        },
        BatchBomb("as many contexts as rows") {
            batch(count: 900_000, contexts: list(900_000) { #"[["\#($0)"]]"# })
        },
        BatchBomb("as many contexts as lines can have") {
            batch(count: 400_000, contexts: list(400_000) { #"[["\#($0)"]]"# })
        },
        BatchBomb("many contexts and many columns that no row has") {
            batch(
                count: 200_000, contexts: list(200_000) { _ in "[]" },
                columns: list(100_000) { #""\#($0)":[]"# })
        },
        BatchBomb("many contents as long as they may be") {
            let contents = String(decoding: list(900_000) { #"{"A\#($0)":[]}"# }, as: UTF8.self)
            return batch(count: 1 << 40, contexts: none, contents: contents, rows: 1)
        },
        BatchBomb("a long text that is counted") {
            counted(100_000, context: #"[["unit"]]"#, columns: #""unit":["\#(long(1 << 20))",[99999]]"#)
        },
        BatchBomb("a long text that is counted, in rows that say it twice") {
            counted(
                30, context: #"[["unit"],["unit"]]"#, columns: #""unit":["\#(long(1 << 20))",[59]]"#)
        },
        BatchBomb("as many rows as there may be, in few bytes, with many attributes") {
            let names = (0..<1000).map { "n\($0)" }
            return counted(
                1 << 20, context: "[" + names.map { #"["\#($0)"]"# }.joined(separator: ",") + "]",
                columns: names.map { #""\#($0)":[1,[1048575]]"# }.joined(separator: ","))
        },
        BatchBomb("a time that is a text in other rows, spelled in another way and counted") {
            counted(
                100_000, context: #"[["a",0],["a"]]"#,
                columns: #""a":["\/\#(long(1 << 20))",[199999]]"#)
        },
        BatchBomb("more that is counted than there are rows") {
            counted(10, context: #"[["unit"]]"#, columns: #""unit":[1,[4294967295]]"#)
        },
        BatchBomb("rows for which there is no text") {
            let more = "[559999]"
            return Array(
                """
                {"format":"healthvault batch 1","element":"Record","type":"T","span":"2020","part":1,"count":560000,\
                "contexts":[[["type","X"]]],"contents":[],"position":[1,\(more)],"context":[0,\(more)],\
                "content":[0,\(more)],"columns":{}}
                """.utf8)
        },
        BatchBomb("numbers of repetitions one after the other") {
            let numbers = String(decoding: list(1_000_000) { _ in "[1]" }, as: UTF8.self)
            return counted(300_000, context: #"[["unit"]]"#, columns: #""unit":[1,\#(numbers)]"#)
        },
    ]

    init(_ name: String, _ make: @escaping @Sendable () -> [UInt8]) {
        testDescription = name
        self.make = make
    }
}

@Suite("Stored batches that would be too large")
struct StoredBatchLimitTests {
    // SECURITY.md: "256 MiB"
    @Test("are refused before they are, quickly and with little memory", arguments: BatchBomb.all.indices)
    func bombs(_ number: Int) async {
        await #expect(processExitsWith: .success, "\(BatchBomb.all[number].testDescription)") { [number] in
            let json = BatchBomb.all[number].make()
            let (time, memory) = (SystemClock.processorTime(), CurrentProcess.peakMemory)
            var reader = StoredBatchReader()
            let batch = try? reader.read(json)
            let (seconds, bytes) = (SystemClock.processorTime() - time, CurrentProcess.peakMemory - memory)
            // What is read all the same is small.
            if let batch, batch.count > 300_000 { CurrentProcess.exit(2) }
            // Debug code on a busy machine; as lines these are a hundred gigabytes, and take minutes.
            if seconds > 20 { CurrentProcess.exit(3) }
            if bytes > 250 << 20 { CurrentProcess.exit(4) }
        }
    }

    @Test(
        "are refused as such where it is their lines that are too many",
        arguments: [1, 2, 3, 4, 5, 12, 13, 14])
    func code(_ number: Int) throws {
        var reader = StoredBatchReader()
        #expect(throws: FormatError(.tooLarge)) { try reader.read(BatchBomb.all[number].make()) }
    }

    @Test("are refused where only their columns are read, too")
    func columns() throws {
        let wanted = StoredColumns.Wanted(
            times: [], values: true, positions: false, contexts: false, shared: [])
        var reader = StoredBatchReader()
        var columns = StoredColumns()
        let long = String(repeating: "x", count: 1 << 20)
        let counted = BatchBomb.counted(
            2000, context: #"[["type","T"],["value"]]"#, columns: #""value":["\#(long)",[1999]]"#)
        let shared = BatchBomb.counted(
            2000, context: #"[["unit","\#(long)"],["value"]]"#, columns: #""value":[1,[1999]]"#)
        for json in [counted, shared] {
            #expect(throws: FormatError(.tooLarge)) { try reader.read(wanted, of: json, into: &columns) }
        }
        for json in [BatchBomb.all[17].make()] {
            #expect(throws: FormatError(.inconsistent)) { try reader.read(wanted, of: json, into: &columns) }
        }
    }

    @Test("by their text alone are not looked at")
    func text() {
        var reader = StoredBatchReader()
        let spaces = [UInt8](repeating: 0x20, count: StoredBatchReader.largestText + 1)
        #expect(throws: FormatError(.tooLarge)) { try reader.read(spaces) }
        #expect {
            try reader.read(spaces.dropLast())
        } throws: { ($0 as? FormatError)?.code == .malformed }
    }

    @Test("are none that may be written: a batch at the limit is read")
    func largest() {
        #expect(StoredBatchReader.largestLines >= 2 * BatchOptions.lineLimit)
        #expect(StoredBatchReader.largestText >= BatchOptions.lineLimit)
    }
}
