import ByteText
import ExportGenerator
import HealthFormats
import HealthModel
import SampleBatches
import SystemIO
import Testing

@Suite("Stored batches that this program did not write")
struct StoredBatchReaderTests {
    /// A stored batch put together by hand.
    private struct Text {
        var contexts = #"[["startDate",60],["value"]]"#
        var contents: [String] = []
        var count: Int
        var position: [String]
        var context: [String]
        var content: [String]
        var starts: [String]
        var values: [String]

        init(rows: Int) {
            count = rows
            position = (0..<rows).map { $0 == 0 ? "7" : "1" }
            context = .init(repeating: "0", count: rows)
            content = context
            starts = (0..<rows).map { $0 == 0 ? "1600000000" : "1" }
            values = context
        }

        /// The text, with something in front of each value of an array and behind it.
        ///
        /// - Parameter counts: Whether values like the one before them are only counted.
        func json(space: String = "", counts: Bool = false) -> [UInt8] {
            func array(_ values: [String], counts: Bool = counts) -> String {
                let values = counts ? StoredBatchReaderTests.counting(values, space: space) : values
                return "[" + values.map { space + $0 + space }.joined(separator: ",") + "]"
            }
            let columns = "\"startDate\":" + array(starts) + ",\"value\":" + array(values)
            return Array(
                """
                {"format":"healthvault batch 1","element":"Record","type":"T","span":"2020","part":1,"count":\(count),\
                "contexts":[\(contexts)],"contents":[\(contents.joined(separator: ","))],\
                "position":\(array(position)),"context":\(array(context, counts: false)),"content":\(array(content)),\
                "columns":{\(columns)}}
                """.utf8)
        }
    }

    /// The values of an array in which some that are like the one before them are counted, once or in two parts.
    static func counting(_ values: [String], space: String = "") -> [String] {
        var counted: [String] = []
        var place = 0
        while place < values.count {
            let end = values[place...].firstIndex { $0 != values[place] } ?? values.count
            counted.append(values[place])
            let times = end - place - 1
            let parts = times > 3 ? [times / 2, times - times / 2] : [times]
            counted += parts.filter { $0 > 0 }.map { "[\(space)\($0)\(space)]" }
            place = end
        }
        return counted
    }

    /// The lines of a batch, which say everything that is in it.
    private func lines(_ json: [UInt8]) throws -> String {
        var reader = StoredBatchReader()
        let batch = Result { try reader.read(json) }
        // Without being assembled, its rows are accepted as well or not, and have the same identities.
        let identity = try? reader.identity(of: json)
        #expect(identity?.sum == (try? batch.get())?.identitySum())
        var writer = NDJSONWriter()
        var lines: [UInt8] = []
        writer.write(try batch.get(), to: &lines)
        return String(decoding: lines, as: UTF8.self)
    }

    @Test("are read the same whether at a glance or by the rules, however many rows they have")
    func rows() throws {
        for rows in 1..<40 {
            var text = Text(rows: rows)
            // There are no more contents than rows.
            let contents = min(rows, 9)
            text.contents = (1...contents).map { "{\"A\":[{\"a\":\"\($0)\"}]}" }
            text.content = (0..<rows).map { String($0 % (contents + 1)) }
            let atAGlance = try lines(text.json())
            #expect(atAGlance.split(separator: "\n").count == rows)
            for space in [" ", "\n", "\t \r"] { #expect(try lines(text.json(space: space)) == atAGlance) }
        }
    }

    @Test("may count values that are like the one before", arguments: 0..<30)
    func repetitions(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        for rows in [2, 3, 8, 9, 10, 63, 300] {
            var text = Text(rows: rows)
            text.contexts = #"[["startDate",60],["value"]],[["startDate"],["value"]]"#
            text.contents = [#"{"A":[{"a":"1"}]}"#]
            let spelled = [
                "1", "-0", "98.6", "12345678901", "1e3", #""a,[2],""#, #""\/""#, "\"ä\"", #""\"""#,
            ]
            for row in 1..<rows {
                // Mostly the same as before.
                func next(_ values: inout [String], _ other: () -> String) {
                    values[row] = random.below(4) > 0 ? values[row - 1] : other()
                }
                next(&text.position) { String(1 + random.below(12_345_678)) }
                next(&text.context) { String(random.below(2)) }
                next(&text.content) { String(random.below(2)) }
                next(&text.values) { spelled[random.below(spelled.count)] }
                next(&text.starts) { String(random.below(100)) }
            }
            let plain = try lines(text.json())
            for space in ["", " ", "\n"] {
                #expect(try lines(text.json(space: space, counts: true)) == plain)
            }
        }
    }

    @Test("may have values of any length", arguments: 1...40)
    func lengths(_ length: Int) throws {
        let digits = String(repeating: "7", count: length)
        let values = [
            digits, "-" + digits, "0." + digits, digits + ".5", "\"" + digits + "\"", digits + "e5", "0",
            "\"" + digits + "\\n\"", "\"" + digits + "\u{7f}\"", "\"" + digits + "ä\"",
            "\"" + digits + ",]\"",
        ]
        for rows in 1...3 {
            for value in values {
                var text = Text(rows: rows)
                text.values[rows / 2] = value
                let read = try lines(text.json())
                #expect(read == (try lines(text.json(space: " "))))
                #expect(read.contains("\"value\":" + value + "}") || value.contains("\u{7f}"))
            }
        }
    }

    @Test("may have the same text many times, but nothing else between and behind it", arguments: 0...24)
    func repeatedTexts(_ length: Int) throws {
        let value = "\"" + String(repeating: "ab,c", count: 6).prefix(length) + "\""
        let others = [value, "1", "\"ab\"", value + " ", value + value, "", "\"\\n\"", "\"ü\""]
        for rows in [1, 2, 3, 9, 30] {
            for place in Set([0, 1, rows / 2, rows - 1]) where place < rows {
                for other in others {
                    var text = Text(rows: rows)
                    text.values = .init(repeating: value, count: rows)
                    text.values[place] = other
                    let (found, expected) = (try? lines(text.json()), try? lines(text.json(space: " ")))
                    #expect(found == expected && (found == nil) == [value + value, ""].contains(other))
                    text.values.append(value)
                    #expect(throws: FormatError.self) { try lines(text.json()) }
                    text.values.removeLast(2)
                    #expect(throws: FormatError.self) { try lines(text.json()) }
                }
            }
        }
    }

    @Test("may have steps of time of any size, both ways", arguments: 0...11)
    func steps(_ digits: Int) throws {
        let step = (0..<digits).reduce(1) { value, _ in value * 10 }
        for distance in [step - 1, step, 1 - step, -step] where distance.magnitude < 200_000_000_000 {
            var text = Text(rows: 3)
            text.starts[1] = String(distance)
            text.starts[2] = "-0"
            let start = Timestamp(seconds: 1_600_000_000 + distance, offsetMinutes: 60)
            guard Timestamp.writable(offsetMinutes: 60).contains(start.seconds) else {
                #expect(throws: FormatError(.inconsistent)) { try lines(text.json()) }
                continue
            }
            let read = try lines(text.json())
            #expect(read.split(separator: "\n")[1...].allSatisfy { $0.contains(start.iso) })
            #expect(read == (try lines(text.json(space: " "))))
        }
    }

    @Test("may have a column that holds times in some rows and texts in others")
    func mixed() throws {
        var text = Text(rows: 4)
        text.contexts = #"[["startDate",60],["value"]],[["startDate"],["value"]]"#
        text.context = ["0", "1", "1", "0"]
        text.starts = ["1600000000", #""yesterday""#, "12", "5"]
        let read = try lines(text.json())
        #expect(read == (try lines(text.json(space: " "))))
        let rows = read.split(separator: "\n")
        #expect(rows[1].contains(#""startDate":"yesterday""#) && rows[2].contains("12"))
        #expect(rows[3].contains(Timestamp(seconds: 1_600_000_005, offsetMinutes: 60).iso))
    }

    @Test("are refused where an array has too few values, too many, or others than it should")
    func refused() throws {
        let changes: [(inout Text) -> Void] = [
            { $0.count += 1 }, { $0.count -= 1 }, { $0.count = -1 }, { $0.count = .max },
            { $0.position.removeLast() }, { $0.position.append("1") }, { $0.position[5] = "0" },
            { $0.position[5] = "-1" }, { $0.position[5] = "281474976710656" }, { $0.position[0] = "1.5" },
            { $0.context.removeLast() }, { $0.context.append("0") }, { $0.context[5] = "1" },
            { $0.context[5] = "-1" }, { $0.content.removeLast() }, { $0.content[5] = "1" },
            { $0.content[5] = "-1" }, { $0.starts.removeLast() }, { $0.starts.append("1") },
            { $0.starts[5] = "\"1\"" }, { $0.starts[5] = "01" }, { $0.starts[5] = "-" },
            { $0.starts[5] = "" }, { $0.starts[5] = "9223372036854775807" }, { $0.starts[5] = "1 1" },
            { $0.values.removeLast() }, { $0.values.append("1") }, { $0.values[5] = "01" },
            { $0.values[5] = "1." }, { $0.values[5] = ".5" }, { $0.values[5] = "null" },
            { $0.values[5] = "\"a" }, { $0.values[5] = "" }, { $0.values[5] = "[[1]]" },
            { $0.values[5] = "[2]" }, { $0.values[5] = "[0]" }, { $0.values[5] = "[-1]" },
            { $0.values[5] = "[1.0]" }, { $0.values[5] = "[01]" }, { $0.values[5] = "[\"1\"]" },
            { $0.values[5] = "[1,1]" }, { $0.values[5] = "[]" }, { $0.values[5] = "[9223372036854775807]" },
            { $0.values[8] = "1,[1]" }, { $0.values[0] = "[1]" }, { $0.values[0] = "[1],1" },
            { $0.starts[0] = "[1]" }, { $0.starts[5] = "[2]" }, { $0.starts[5] = "[0],1" },
            { $0.context[0] = "[1]" }, { $0.context[5] = "[1]" }, { $0.context[8] = "0,[1]" },
            { $0.content[5] = "[0],0" }, { $0.position[5] = "[5]" }, { $0.position[8] = "1,[100000000000]" },
            { $0.contexts = #"[["startDate",60],["other"]]"# },
            { $0.contexts = #"[["startDate",60],["value","a","b"]]"# },
        ]
        for (number, change) in changes.enumerated() {
            var text = Text(rows: 9)
            _ = try lines(text.json())
            change(&text)
            for space in ["", " "] {
                #expect(throws: FormatError.self, "\(number)") { try lines(text.json(space: space)) }
            }
        }
    }

    @Test("are refused where they have a member twice, whichever would be read")
    func members() throws {
        let text = String(decoding: Text(rows: 2).json(), as: UTF8.self)
        _ = try lines(Array(text.utf8))
        for member in [
            #""count":2"#, #""contexts":[]"#, #""contents":[]"#, #""position":[7,1]"#,
            #""context":[0,0 and more]"#, #""content":[0,0]"#, #""columns":{}"#, #""else":1,"else":1"#,
        ] {
            for text in ["{\(member),\(text.dropFirst())", "\(text.dropLast()),\(member)}"] {
                #expect(throws: FormatError.self) { try lines(Array(text.utf8)) }
            }
        }
    }

    @Test("may have an attribute twice in a row, next to rows that do not")
    func repeated() throws {
        var text = Text(rows: 7)
        text.contexts = #"[["startDate",60],["value"],["value"]],[["startDate",60],["value"]]"#
        text.context = ["0", "0", "1", "0", "0", "1", "1"]
        text.values = (0..<11).map(String.init)
        #expect(try lines(text.json()).split(separator: "\n").count == 7)
    }

    @Test("may have texts of any length next to short ones")
    func longTexts() throws {
        for length in [1000, 40_000, 3_000_000] {
            var text = Text(rows: 150)
            text.values[70] = "\"" + String(repeating: "x", count: length) + "\""
            #expect(try lines(text.json()).utf8.count > length)
        }
    }

    @Test("may count texts of any length")
    func longRepetitions() throws {
        for (length, rows) in [(1, 300), (20, 300), (40, 2), (200, 9), (1000, 300), (40_000, 70)] {
            var text = Text(rows: rows)
            text.values = .init(repeating: "\"" + String(repeating: "x", count: length) + "\"", count: rows)
            let counted = text.json(counts: true)
            let plain = try lines(text.json())
            #expect(try lines(counted) == plain)
            var (reader, writer) = (StoredBatchReader(), NDJSONWriter())
            let batch = try reader.read(counted)
            var pieces: [UInt8] = []
            try writer.forEachPiece(of: batch, size: 1 << 10) { piece in
                for index in piece.indices { pieces.append(piece[index]) }
            }
            #expect(String(decoding: pieces, as: UTF8.self) == plain)
            var builder = SampleBatchBuilder(rowsOf: batch)
            _ = builder.add(batch.contexts[0])
            batch.forEachBatchRow { builder.append($0.head, $0) }
            var again: [UInt8] = []
            writer.write(builder.batch, to: &again)
            #expect(String(decoding: again, as: UTF8.self) == plain)
        }
    }

    @Test("share contexts with those that were read before, and are the same as without")
    func sharedContexts() throws {
        var reader = StoredBatchReader()
        var writer = StoredBatchWriter()
        for minutes in 0..<700 {
            var text = Text(rows: 2)
            // Names as long as this do not all fit into what is kept.
            let name = String(repeating: "x", count: 100) + String(minutes % 650)
            text.contexts = "[[\"\(name)\",\"a\"],[\"startDate\",\(minutes)],[\"value\"]]"
            var fresh = StoredBatchReader()
            let (one, other) = (try reader.read(text.json()), try fresh.read(text.json()))
            #expect(writer.write(one) == writer.write(other))
            #expect(one.identitySum() == other.identitySum())
        }
    }

    @Test("may hold contexts and contents twice, and say the same")
    func twice() throws {
        var text = Text(rows: 6)
        text.contents = [#"{"metadata":[{"a":"1"}]}"#, #"{"metadata":[{"a":"2"}]}"#]
        text.content = ["1", "0", "2", "1", "1", "2"]
        var doubled = text
        doubled.contexts += "," + text.contexts
        doubled.context = ["0", "1", "1", "0", "1", "0"]
        doubled.contents += text.contents
        doubled.content = ["1", "0", "4", "3", "1", "2"]
        var reader = StoredBatchReader()
        let (once, twice) = (try reader.read(text.json()), try reader.read(doubled.json()))
        #expect(twice.contexts.count == 2 && twice.contents.count == 4)
        #expect(try lines(text.json()) == lines(doubled.json()))
        #expect(once.identitySum() == twice.identitySum())
        #expect(try once.census() == twice.census())
        #expect(once.samples.elementsEqual(twice.samples))
    }

    /// A batch of some rows, all of whose columns hold one text.
    private func wide(rows: Int, contexts: [String], columns: [String]) -> [UInt8] {
        let context = (0..<rows).map { String($0 % contexts.count) }.joined(separator: ",")
        let zeros = [String](repeating: "0", count: rows).joined(separator: ",")
        let ones = [String](repeating: "1", count: rows).joined(separator: ",")
        return Array(
            """
            {"format":"healthvault batch 1","element":"Record","type":"T","span":"2020","part":1,"count":\(rows),\
            "contexts":[\(contexts.map { "[\($0)]" }.joined(separator: ","))],"contents":[],\
            "position":[\(ones)],"context":[\(context)],"content":[\(zeros)],\
            "columns":{\(columns.joined(separator: ","))}}
            """.utf8)
    }

    /// A name that a context has again and again, as a time and as a text, in each of many rows.
    private func manySlots(_ size: Int) -> [UInt8] {
        let slots = [String](repeating: #"["a"],["a",0]"#, count: size / 2).joined(separator: ",")
        return wide(rows: 5 * size, contexts: [slots], columns: [#""a":[]"#])
    }

    /// Many columns with a time in one row and a text in the other one.
    private func manyMixed(_ size: Int) -> [UInt8] {
        let names = (0..<size).map { "n\($0)" }
        let texts = names.map { "[\"\($0)\"]" }.joined(separator: ",")
        let times = names.map { "[\"\($0)\",0]" }.joined(separator: ",")
        return wide(rows: 2, contexts: [texts, times], columns: names.map { "\"\($0)\":[\"x\",1]" })
    }

    /// Many columns with a text that is spelled in another way, behind a long one.
    private func manyRespelled(_ size: Int) -> [UInt8] {
        let names = (0..<size).map { "n\($0)" }
        let long = String(repeating: #"\/"#, count: 80 * size)
        return wide(
            rows: 1, contexts: [names.map { "[\"\($0)\"]" }.joined(separator: ",")],
            columns: names.map { "\"\($0)\":[\"\($0 == "n0" ? long : #"\/"#)\"]" })
    }

    /// The processor time that this thread takes to read a text, in seconds.
    private func cost(of json: [UInt8]) -> Double {
        var reader = StoredBatchReader()
        let start = SystemClock.processorTime()
        _ = try? reader.read(json)
        return SystemClock.processorTime() - start
    }

    // SECURITY.md: "in proportion to the bytes that are read, inflated and written"
    @Test(
        "take no time that is out of proportion to their length", .timeLimit(.minutes(15)),
        arguments: ["slots", "mixed", "respelled"])
    func proportions(_ name: String) throws {
        let make = try #require(["slots": manySlots, "mixed": manyMixed, "respelled": manyRespelled][name])
        let (small, large) = (make(1_000), make(4_000))
        // In turns, so that what else the machine does slows both down.
        let rounds = (0..<5).map { _ in (small: cost(of: small), large: cost(of: large)) }
        // Four times the length; sixteen times the time where it grows with the square.
        #expect((rounds.map(\.large).min() ?? 0) < 9 * (rounds.map(\.small).min() ?? 0))
    }

    @Test("come to an end, however wide they are", .timeLimit(.minutes(15)))
    func wideOnes() throws {
        var reader = StoredBatchReader()
        let most = BatchContext.mostSlots
        #expect(throws: FormatError(.tooLarge)) { try reader.read(manySlots(most)) }
        #expect(try reader.read(manyMixed(most)).count == 2)
        #expect(try reader.read(manyRespelled(most)).count == 1)
        for make in [manySlots, manyMixed, manyRespelled] {
            #expect {
                try reader.read(make(most + 2))
            } throws: { [.malformed, .tooLarge].contains(($0 as? FormatError)?.code) }
        }
    }
}
