import ExportGenerator
import SystemIO
import Testing

/// Python as an oracle, where it is installed.
enum Python {
    static let path: BytePath = "/usr/bin/python3"
    static let isInstalled = (try? FileStatus(at: path)) != nil

    /// Runs a program and gives its output as text.
    static func output(of program: String, input: [UInt8] = []) throws -> String {
        let folder: BytePath = "/tmp/healthvault-tests-\(Int.random(in: 0 ... .max))"
        try Folder.make(folder)
        defer { try? Folder.removeAll(folder) }
        for (name, content) in [("program", Array(program.utf8)), ("input", input)] as [(BytePath, [UInt8])] {
            let file = try FileDescriptor(opening: "\(folder)/\(name)", .create)
            try file.write(content.span)
        }
        var output = try LockedPages(count: 16 << 20)
        let (count, status) = try Shell.output(
            of: "\(path) \(folder)/program < \(folder)/input", into: &output)
        try #require(status == 0)
        return output.withSpan { span in String(decoding: (0..<count).map { span[$0] }, as: UTF8.self) }
    }
}

extension SplitMix64 {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}

func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

func bytes(hexadecimal text: some StringProtocol) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
