import AppleHealthExport
import ExportGenerator
import HealthModel
import Testing

@testable import HealthVault

@Suite("Batches by type and span")
struct BatchOptionsTests {
    @Test(
        "are asked for in words",
        arguments: [
            ("auto", "auto,65536,256KiB"), ("1month", "1months,65536,256KiB"),
            ("2weeks", "2weeks,65536,256KiB"),
            ("1year", "12months,65536,256KiB"), ("5000", "auto,5000,256KiB"), ("1MiB", "auto,65536,1024KiB"),
            ("3days,100,64KiB", "3days,100,64KiB"), ("all", "all,65536,256KiB"),
        ])
    func words(_ text: String, _ description: String) throws {
        let options = try #require(BatchOptions(parsing: text))
        #expect(options.description == description)
        #expect(BatchOptions(parsing: description) == options)
    }

    @Test(
        "and nonsense is refused",
        arguments: ["", "x", "-1", "0", "1fortnight", "1month,,2", "1GiB", "99MiB"])
    func nonsense(_ text: String) { #expect(BatchOptions(parsing: text) == nil) }
}

@Suite("Rows are collected into the same batches")
struct BatchCollectorTests {
    /// The batches of a document, and the order in which they were closed.
    private func batches(
        _ document: [UInt8], _ options: BatchOptions, memory: Int, usesCurrent: Bool
    ) throws -> [String] {
        var reader = DocumentReader(MemoryStream(document), name: "document")
        var collector = BatchCollector(options: options, memory: memory, usesCurrent: usesCurrent)
        var closed: [ClosedBatch] = []
        while try reader.advance(into: &collector) { closed += collector.takeClosed() }
        closed += collector.takeClosed()
        while collector.closeNext() { closed += collector.takeClosed() }
        return closed.map { batch in
            let samples = batch.samples()
            let range = "\(String(describing: batch.first)) \(String(describing: batch.last))"
            return "\(batch.key) \(batch.count) \(range) \(batch.rows) \(samples.identitySum())"
        }
    }

    @Test(
        "whether or not they are like the row before", arguments: GeneratedExport.Shape.allCases,
        ["auto", "1day", "all,3000,4KiB", "2weeks,7"])
    func current(_ shape: GeneratedExport.Shape, _ words: String) throws {
        var document: [UInt8] = []
        GeneratedExport(GeneratedExport.Options(seed: 21, xmlBytes: 200_000, shape: shape))
            .writeXML { chunk in for index in chunk.indices { document.append(chunk[index]) } }
        let options = try #require(BatchOptions(parsing: words))
        for memory in [1 << 16, 1 << 23] {
            let fast = try batches(document, options, memory: memory, usesCurrent: true)
            #expect(try fast == batches(document, options, memory: memory, usesCurrent: false))
        }
    }
}
