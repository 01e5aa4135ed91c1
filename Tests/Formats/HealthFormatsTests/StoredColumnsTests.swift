import ByteText
import HealthFormats
import HealthModel
import SampleBatches
import Testing

@Suite("Columns of a stored batch")
struct StoredColumnsTests {
    private static let wanted = StoredColumns.Wanted(
        times: ["startDate", "endDate"], values: true, positions: true, contexts: true, shared: ["unit"])

    /// The text of a batch with these columns, each value as it is written.
    private func json(
        contexts: [String] = [
            #"[["unit","m"],["creationDate",60],["startDate",60],["endDate",60],["value"]]"#
        ],
        context: [String]? = nil, created: [Int], starts: [Int], ends: [Int], values: [String],
        space: String = "", counts: Bool = false
    ) -> [UInt8] {
        func array(_ values: [String], counts: Bool = counts) -> String {
            let values = counts ? StoredBatchReaderTests.counting(values, space: space) : values
            return "[" + values.map { space + $0 + space }.joined(separator: ",") + "]"
        }
        let zeroes = [String](repeating: "0", count: values.count)
        let content = #"{"metadata":[{"key":"[\\\"]","value":"}"}]}"#
        return Array(
            """
            {"format":"healthvault batch 1","element":"Record","type":"T","span":"2020","part":1,\
            "count":\(values.count),"contexts":[\(contexts.joined(separator: ","))],"contents":[\(content)],\
            "position":\(array(values.indices.map { $0 == 0 ? "5" : "\($0)" })),"context":\(array(context ?? zeroes, counts: false)),\
            "content":\(array(zeroes)),"columns":{"creationDate":\(array(created.map(String.init))),\
            "startDate":\(array(starts.map(String.init))),"endDate":\(array(ends.map(String.init))),\
            "value":\(array(values))}}
            """.utf8)
    }

    @Test("have positions up to the limit that rows have")
    func positions() throws {
        var reader = StoredBatchReader()
        var columns = StoredColumns()
        let text = String(
            decoding: json(created: [1], starts: [1], ends: [1], values: ["1"]), as: UTF8.self)
        for (position, fits) in [(300_000_000_000, true), (1 << 48 - 1, true), (1 << 48, false), (-1, false)]
        {
            let moved = Array(text.replacing("\"position\":[5]", with: "\"position\":[\(position)]").utf8)
            let isRead = try? reader.read(Self.wanted, of: moved, into: &columns)
            #expect(isRead == (fits ? true : nil) && ((try? reader.read(moved)) != nil) == fits)
            if fits { #expect(columns.positions == [position]) }
        }
    }

    @Test("are the sums of their steps, and the numbers and texts as they are written")
    func values() throws {
        var reader = StoredBatchReader()
        var columns = StoredColumns()
        // One after the other, longer and shorter, so that nothing is left of the one before.
        for rows in [40, 3, 1, 300, 7, 8, 9, 10, 11, 12, 13] {
            let created = (0..<rows).map { $0 == 0 ? 1_600_000_000 : ($0 * 7919) % 1000 - 200 }
            let starts = (0..<rows).map { -(($0 * 31) % 12) }
            let ends = (0..<rows).map { $0 % 17 < 9 ? 0 : $0 % 40 }
            let spelled =
                [
                    "0", "-0", "-0.0", "72", "-3", "98.6", "-0.25", "1234567.891", "0.30000000000000004",
                    "58.69999999999999",
                ]
                + [
                    "12345678", "123456789012345678.5", "1e3", "\"1.50\"", "\"-\"", "\"ä\"", "\"a\\nb\"",
                    "\"-\"",
                ]
                + (rows < 20 ? [] : (0..<20).map { "\"text \($0)\"" })
            for (space, counts) in [("", false), (" ", false), ("", true), (" ", true)] {
                let values = (0..<rows).map { spelled[$0 / (counts ? 3 : 1) % spelled.count] }
                let text = json(
                    created: created, starts: starts, ends: ends, values: values, space: space, counts: counts
                )
                let isRead = try reader.read(Self.wanted, of: text, into: &columns)
                #expect(isRead)
                #expect(columns.count == rows && columns.key.type == "T")
                var sum = 0
                let expected = zip(created, starts).map { step, start in
                    sum += step
                    return sum + start
                }
                #expect(columns.instants(of: "startDate") == expected)
                #expect(columns.instants(of: "endDate") == zip(expected, ends).map { $0 + $1 })
                #expect(columns.instants(of: "dateIssued") == nil)
                #expect(columns.contextNumbers == [Int](repeating: 0, count: rows))
                let found = try #require(columns.values)
                for (row, value) in values.enumerated() {
                    let bare = value.hasPrefix("\"") ? String(value.dropFirst().dropLast()) : value
                    if let number = Double(bare) {
                        #expect(found.numbers[row].bitPattern == number.bitPattern, "\(value)")
                        #expect(found.textNumbers.isEmpty || found.textNumbers[row] == -1)
                    } else {
                        let text = found.texts[Int(found.textNumbers[row])]
                        #expect(text == bare.replacing("\\n", with: "\n"))
                    }
                }
            }
        }
    }

    @Test("are those of the samples that are read one by one")
    func samples() throws {
        let contexts = [
            #"[["unit","m"],["creationDate",60],["startDate",60],["endDate",60],["value"]]"#,
            #"[["unit","km"],["creationDate",120],["startDate",120],["endDate",120],["value"]]"#,
        ]
        let rows = 100
        let text = json(
            contexts: contexts, context: (0..<rows).map { $0 % 7 < 3 ? "0" : "1" },
            created: (0..<rows).map { $0 == 0 ? 1_600_000_000 : $0 % 90 - 30 },
            starts: (0..<rows).map { -$0 },
            ends: (0..<rows).map { $0 }, values: (0..<rows).map { "\($0).5" })
        var reader = StoredBatchReader()
        var columns = StoredColumns()
        let isRead = try reader.read(Self.wanted, of: text, into: &columns)
        #expect(isRead)
        let samples = Array(try reader.read(text).samples)
        #expect(columns.instants(of: "startDate") == samples.compactMap { $0.startDate?.seconds })
        #expect(columns.instants(of: "endDate") == samples.compactMap { $0.endDate?.seconds })
        #expect(columns.values?.numbers == samples.compactMap { $0.row.number("value") })
        #expect(columns.positions == samples.map(\.position))
        let units = columns.contextNumbers.map { columns.contexts[$0].fields["unit"] }
        #expect(units == samples.map { .constant(Array("\"\($0.unit ?? "")\"".utf8)) })
    }

    @Test("are read only if all rows store them in the same way")
    func differences() throws {
        var reader = StoredBatchReader()
        var columns = StoredColumns()
        for other in [
            #"[["unit","m"],["startDate",60],["endDate",60],["value"]]"#,
            #"[["unit","m"],["creationDate",60],["startDate",60],["endDate",60]]"#,
            #"[["unit"],["creationDate",60],["startDate",60],["endDate",60],["value"]]"#,
            #"[["unit","m"],["creationDate",60],["startDate",60],["endDate",60],["value"],["value","7"]]"#,
            #"[["unit","m"],["unit","m"],["creationDate",60],["startDate",60],["endDate",60],["value"]]"#,
        ] {
            let text = json(
                contexts: [
                    #"[["unit","m"],["creationDate",60],["startDate",60],["endDate",60],["value"]]"#, other,
                ],
                created: [1, 1], starts: [0, 0], ends: [0, 0], values: ["1", "2"])
            let isRead = try reader.read(Self.wanted, of: text, into: &columns)
            #expect(!isRead, "\(other)")
        }
    }

    @Test("that are not consistent are refused")
    func inconsistencies() throws {
        var reader = StoredBatchReader()
        var columns = StoredColumns()
        let good = json(created: [1, 1], starts: [0, 0], ends: [0, 0], values: ["1", "2"])
        let isRead = try reader.read(Self.wanted, of: good, into: &columns)
        #expect(isRead)
        for (old, new) in [
            (#""context":[0,0]"#, #""context":[0,1]"#), (#""context":[0,0]"#, #""context":[-1,0]"#),
            (#""context":[0,0]"#, #""context":[0]"#), (#""creationDate":[1,1]"#, #""creationDate":[1,1,1]"#),
            (#""creationDate":[1,1]"#, #""creationDate":[1,999999999999]"#),
            (#""startDate":[0,0]"#, #""startDate":[0,9223372036854775807]"#),
            (#""startDate":[0,0]"#, #""startDate":[0,"0"]"#), (#""startDate":"#, #""other":"#),
            (#""value":[1,2]"#, #""value":[1,null]"#), (#""value":[1,2]"#, #""value":[1,[2]]"#),
            (#""value":[1,2]"#, #""value":[1,2"#), (#""value":[1,2]"#, #""value":[1,"2]"#),
            (#""value":[1,2]"#, #""value":[1,"\\]"#), (#""value":[1,2]"#, #""value":[01,2]"#),
            (#""value":[1,2]"#, #""value":[1.,2]"#), (#""count":2"#, #""count":3"#),
        ] {
            let text = String(decoding: good, as: UTF8.self).replacing(old, with: new)
            #expect(throws: FormatError.self, "\(new)") {
                try reader.read(Self.wanted, of: Array(text.utf8), into: &columns)
            }
        }
        // What is not wanted is not looked at.
        let few = StoredColumns.Wanted(
            times: ["startDate"], values: false, positions: false, contexts: false, shared: [])
        let text = String(decoding: good, as: UTF8.self).replacing(
            "\"endDate\":[0,0]", with: "\"endDate\":[]")
        let areRead = try reader.read(few, of: Array(text.utf8), into: &columns)
        #expect(areRead)
        #expect(columns.values == nil && columns.instants(of: "endDate") == nil)
    }
}
