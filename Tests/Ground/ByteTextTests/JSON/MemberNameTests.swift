import ByteText
import ExportGenerator
import Testing

/// Names by number are read as names by text are.
@Suite("Members known by number")
struct MemberNameTests {
    private enum Name: String, CaseIterable {
        case name, offset, length, sha256, members, n
        case empty = ""
    }

    private struct Member: Equatable {
        /// nil for any other name.
        let name: Name?
        let value: Int
    }

    private func byNumber(_ text: [UInt8]) -> [Member]? {
        let names = JSONNames<Name>()
        var reader = JSONReader(text)
        var found: [Member] = []
        do {
            var members = try reader.members()
            while let name = try reader.nextMember(&members, of: names) {
                found.append(Member(name: name, value: try reader.integer()))
            }
            try reader.finish()
        } catch { return nil }
        return found
    }

    private func byText(_ text: [UInt8]) -> [Member]? {
        var reader = JSONReader(text)
        var found: [Member] = []
        do {
            try reader.object { reader, name in
                found.append(Member(name: Name(rawValue: name), value: try reader.integer()))
            }
            try reader.finish()
        } catch { return nil }
        return found
    }

    /// An object whose names are in order or not, repeated, left out, unknown, or written with escapes and spaces.
    private func object(_ random: inout SplitMix64) -> String {
        let others = [
            "other", "nam", "names", "name\u{e9}", "offset\\n", #"na\u006de"#, #"\u006e"#, #"\"name\""#,
        ]
        let names = Name.allCases.map(\.rawValue)
        var number = 0
        let members = (0..<random.below(8)).map { _ in
            if random.below(3) == 0 { number = random.below(names.count) }
            let name = random.below(4) == 0 ? others[random.below(others.count)] : names[number]
            number = (number + 1) % names.count
            let space = random.below(6) == 0 ? " " : ""
            return "\(space)\"\(name)\"\(space):\(space)\(random.below(1000))\(space)"
        }
        return "{" + members.joined(separator: ",") + (random.below(6) == 0 ? " }" : "}")
    }

    @Test("in any order, with any others, however they are written")
    func agreement() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<3000 {
            let text = object(&random)
            let found = byNumber(Array(text.utf8))
            #expect(found != nil && found == byText(Array(text.utf8)), "\(text)")
        }
    }

    @Test("malformed objects are refused where those read by text are")
    func malformed() {
        var random = SplitMix64(seed: 12)
        for _ in 0..<150 {
            let text = Array(object(&random).utf8)
            for place in text.indices {
                #expect(byNumber(Array(text[..<place])) == nil)
                var changed = text
                changed[place] = Array("\"\\:,{}0a \u{1}".utf8)[random.below(10)]
                #expect(byNumber(changed) == byText(changed), "\(String(decoding: changed, as: UTF8.self))")
            }
        }
    }
}
