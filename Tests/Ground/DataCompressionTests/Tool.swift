import SystemIO
import Testing

/// A program of the system as an oracle, where it is installed.
enum Tool {
    static let python: BytePath = "/usr/bin/python3"
    static let zstd: BytePath = "/usr/bin/zstd"

    static func isInstalled(_ path: BytePath) -> Bool { (try? FileStatus(at: path)) != nil }

    /// Runs a program with arguments over an input and gives its output.
    static func output(of command: String, input: [UInt8] = []) throws -> [UInt8] {
        let path: BytePath = "/tmp/healthvault-tests-\(Int.random(in: 0 ... .max))"
        let file = try FileDescriptor(opening: path, .create)
        defer { try? OpenFolder(holding: path).removeFile(path.name) }
        try file.write(input.span)
        var output = try LockedPages(count: 32 << 20)
        let (count, status) = try Shell.output(of: "\(command) < \(path)", into: &output)
        try #require(status == 0, "\(command)")
        return output.withSpan { span in
            [UInt8](capacity: count) { bytes in
                for index in 0..<count { bytes.append(span[index]) }
            }
        }
    }
}

/// Bytes that look like text, with repetitions near and far: something to compress.
func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 24)
    while bytes.count < count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let draw = Int(state >> 33)
        if draw % 3 > 0, bytes.count > 24 {
            let start = draw % (bytes.count - 20)
            bytes += Array(bytes[start..<(start + draw % 17 + 3)])
        } else {
            bytes.append(UInt8(ascii: " ") + UInt8(draw % 90))
        }
    }
    return Array(bytes[..<count])
}
