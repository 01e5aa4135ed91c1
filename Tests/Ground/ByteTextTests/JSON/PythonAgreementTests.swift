import ByteText
import ExportGenerator
import Testing

@Suite("Agreement with Python's json", .enabled(if: Python.isInstalled, "needs /usr/bin/python3"))
struct PythonAgreementTests {
    @Test(
        "strings of any bytes are what Python makes of them (PEP 383), and Python reads them"
    )
    func writing() throws {
        var generator = SplitMix64(seed: 3)
        var samples = (0..<256).map { [UInt8($0)] }
        for first in UInt8.min...UInt8.max { samples += (0..<256).map { [first, UInt8($0)] } }
        samples += (0..<500).map { generator.bytes($0 % 40) }
        // Mostly UTF-8: text with a wrong byte here and there.
        samples += (0..<500).map { number in
            var text = Array("gr\u{fc}\u{df}e \u{1f600} \u{2028}\"\\/\u{0}".utf8)
            text[number % text.count] = UInt8.random(in: 0...255, using: &generator)
            return text
        }
        var lines: [UInt8] = []
        for sample in samples {
            lines += Array(hexadecimal(sample).utf8) + [0x20]
            JSONEscaping.append(sample.span, to: &lines)
            lines.append(0x0a)
        }
        let program = """
            import json, sys
            for line in sys.stdin.buffer.read().split(b"\\n")[:-1]:
                digits, text = line.split(b" ", 1)
                data = bytes.fromhex(digits.decode())
                value = data.decode("utf-8", "surrogateescape")
                made = json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
                read = json.loads(text.decode("utf-8")).encode("utf-8", "surrogateescape")
                if text != made or read != data:
                    print(line)
            print("done")
            """
        #expect(try Python.output(of: program, input: lines) == "done\n")
    }

    @Test("strings that Python made are read as the bytes they were made from, in ASCII or not")
    func reading() throws {
        let program = """
            import json, random
            random.seed(4)
            points = [0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x1f600, 0x10ffff]
            points += [*range(0, 0x100), *range(0xdc80, 0xdd00)]
            for number in range(3000):
                text = "".join(chr(random.choice(points)) for _ in range(number % 12))
                # What Python would read back differently is not what it makes out of bytes.
                data = text.encode("utf-8", "surrogateescape")
                text = data.decode("utf-8", "surrogateescape")
                made = json.dumps(text, ensure_ascii=number % 2 == 0).encode("utf-8", "backslashreplace")
                print(data.hex(), made.hex())
            """
        let lines = try Python.output(of: program).split(separator: "\n")
        #expect(lines.count == 3000)
        for line in lines {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false).map {
                bytes(hexadecimal: $0)
            }
            var reader = JSONReader(parts[1])
            #expect(try reader.stringBytes() == parts[0], "\(line)")
            try reader.finish()
        }
    }

    @Test("texts with a few bytes changed are taken by both or by none")
    func acceptance() throws {
        let seeds = [
            #"{"a":[1,-2.5e3,"x\u00e9\n",true,false,null,{"b":{}}],"c":[[]]}"#,
            #"["\ud83d\ude00","\\","\"","é"]"#,
            "[0, -0, 1.5, 1e5, 1E-5, 10, 0.0 ]", "\t{ \"k\" : \"v\" , \"l\":[ ] }\r\n", "\"\\/\\b\\f\"",
            "-12.50e+7",
        ]
        let interesting =
            Array("{}[]:,\"\\/0123456789.-+eEtrufalsn \t\n\r\u{0}\u{1f}\u{7f}u".utf8) + [0x80, 0xc3, 0xff]
        var generator = SplitMix64(seed: 5)
        var lines: [UInt8] = []
        var taken = 0
        for number in 0..<6000 {
            var text = Array(seeds[number % seeds.count].utf8)
            for _ in 0...(number % 3) {
                let place = Int.random(in: 0..<text.count, using: &generator)
                let byte = interesting.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: text.remove(at: place)
                case 1: text.insert(byte, at: place)
                case 2: text.insert(text[place], at: place)
                default: text[place] = byte
                }
                if text.isEmpty { text = [byte] }
            }
            let isTaken = isJSON(text)
            if isTaken { taken += 1 }
            lines += Array("\(hexadecimal(text)) \(isTaken)\n".utf8)
        }
        // Otherwise the test would show little.
        #expect(taken > 500 && taken < 5500)
        let program = """
            import json, sys
            def refuse(name):
                raise ValueError(name)
            for line in sys.stdin:
                digits, verdict = line.split()
                try:
                    json.loads(bytes.fromhex(digits).decode("utf-8"), parse_constant=refuse)
                    found = "true"
                except ValueError:
                    found = "false"
                if found != verdict:
                    print(bytes.fromhex(digits), verdict)
            print("done")
            """
        #expect(try Python.output(of: program, input: lines) == "done\n")
    }

    private func isJSON(_ text: [UInt8]) -> Bool {
        var reader = JSONReader(text)
        do {
            try reader.skip()
            try reader.finish()
            return true
        } catch { return false }
    }
}
