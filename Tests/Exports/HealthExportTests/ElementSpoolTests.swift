import FolderTesting
import HealthFormats
import SystemIO
import Testing

@testable import HealthExport

@Suite("Elements that are sorted outside memory")
struct ElementSpoolTests {
    /// The element at a position: its text tells it from all others.
    private func text(_ position: Int) -> [UInt8] {
        Array("<\(position)\(String(repeating: "x", count: position % 7))/>\n".utf8)
    }

    private func run(_ positions: some Sequence<Int>) -> XMLRowWriter.Lines {
        var lines = XMLRowWriter.Lines()
        for position in positions {
            lines.starts.append((position, lines.text.count))
            lines.text += text(position)
        }
        return lines
    }

    private func read(_ spool: ElementSpool) throws -> (text: [UInt8], count: Int) {
        var (text, count) = ([UInt8](), 0)
        for part in 0..<spool.partCount {
            let elements = try spool.elements(ofPart: part)
            text += elements.text
            count += elements.count
        }
        return (text, count)
    }

    @Test("come out in order, whatever runs they were added in", arguments: [1, 2, 3, 7, 100, 5000])
    func order(length: Int) throws {
        let folder = try TemporaryFolder()
        let holder = try OpenFolder(opening: folder.path)
        for (first, count) in [(1, 1), (1, 2047), (5, 2048), (1, 2049), (7, 4096), (1, 4097), (1, 9000)] {
            let positions = first...(first + count - 1)
            let spool = try ElementSpool(in: holder, positions, "source")
            // A prime: each position once.
            var rest = (0..<count).map { first + $0 * 7919 % count }[...]
            while !rest.isEmpty {
                try spool.add(run(rest.prefix(length)))
                rest = rest.dropFirst(length)
            }
            let found = try read(spool)
            #expect(found.count == count)
            #expect(found.text.elementsEqual(positions.flatMap(text)), "\(count) in runs of \(length)")
        }
        #expect(try holder.entries().isEmpty)
    }

    @Test("may lie far apart, and nowhere in between")
    func gaps() throws {
        let folder = try TemporaryFolder()
        let positions = [1, 2, 1 << 20, (1 << 20) + 1, 1 << 40, (1 << 48) - 1]
        let spool = try ElementSpool(in: OpenFolder(opening: folder.path), 1...((1 << 48) - 1), "source")
        #expect(spool.partCount <= 1 << 10)
        for position in positions.reversed() { try spool.add(run([position])) }
        try spool.add(XMLRowWriter.Lines())
        let found = try read(spool)
        #expect(found.count == positions.count && found.text.elementsEqual(positions.flatMap(text)))
    }

    @Test("are written once they are long")
    func lengths() throws {
        let folder = try TemporaryFolder()
        let spool = try ElementSpool(in: OpenFolder(opening: folder.path), 1...3, "source")
        var lines = run([3, 1])
        try spool.addIfLong(&lines)
        #expect(lines.starts.count == 2)
        lines.text += [UInt8](repeating: UInt8(ascii: " "), count: 1 << 22)
        try spool.addIfLong(&lines)
        #expect(lines.starts.isEmpty && lines.text.isEmpty)
        try spool.add(run([2]))
        let found = try read(spool)
        #expect(found.count == 3 && found.text.count == run(1...3).text.count + 1 << 22)
    }

    @Test("may be added by several threads")
    func threads() async throws {
        let folder = try TemporaryFolder()
        let spool = try ElementSpool(in: OpenFolder(opening: folder.path), 1...40_000, "source")
        let runs = (0..<40).map { number in run(stride(from: number + 1, through: 40_000, by: 40)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for run in runs { group.addTask { try spool.add(run) } }
            try await group.waitForAll()
        }
        #expect(try read(spool).text.elementsEqual((1...40_000).flatMap(text)))
    }
}
