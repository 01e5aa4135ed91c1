import AppleHealthExport
import ByteText
import FolderTesting
import SystemIO
import Testing

@Suite("The members of a zip")
struct ConcurrentReadingTests {
    @Test("can be read at the same time")
    func together() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/export.zip"
        var random = SystemRandomNumberGenerator()
        // Bytes that do not shrink are read in many steps.
        let contents = (0..<3).map { _ in (0..<100_000).map { _ in random.next() } }
        var zip = try ZipWriter(path, modified: Timestamp(seconds: 0, offsetMinutes: 0))
        try zip.add("export.xml") { write throws(ExportError) in
            try write(Array("<HealthData></HealthData>".utf8).span)
        }
        for (number, words) in contents.enumerated() {
            let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
            try zip.add("\(number)") { write throws(ExportError) in try write(bytes.span) }
        }
        try zip.finish()
        let source = try ExportSource(opening: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                for file in source.sideFiles {
                    group.addTask {
                        let checksum = try Self.checksum(file, of: source)
                        #expect(checksum == file.crc32)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func checksum(
        _ file: ExportSource.SideFile, of source: ExportSource
    ) throws(ExportError) -> UInt32 {
        let stream = try source.open(file)
        var buffer = [UInt8](repeating: 0, count: 10_000)
        var span = buffer.mutableSpan
        while try stream.read(into: &span, 0..<span.count) > 0 {}
        return stream.crc32
    }
}
