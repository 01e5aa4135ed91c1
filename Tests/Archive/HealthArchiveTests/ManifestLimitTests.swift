import SystemIO
import Testing

@testable import HealthArchive

@Suite("How many files a manifest can list")
struct ManifestLimitTests {
    /// The path of such a name is a quarter as long as the name.
    private static func names(_ count: Int) -> [BytePath] {
        let long = String(repeating: "n", count: 900)
        return (0..<count).map { "\($0)\(long)" }
    }

    @Test("does not count a long name twice")
    func longNames() {
        #expect(Manifest.canList(files: Self.names(50_000), ignored: []))
        #expect(!Manifest.canList(files: Self.names(70_000), ignored: []))
        // Of those that were not taken it has the names alone.
        #expect(Manifest.canList(files: [], ignored: Self.names(70_000)))
        #expect(!Manifest.canList(files: [], ignored: Self.names(75_000)))
    }

    @Test("is 2^20, each kind by itself")
    func numbers() {
        let most = [BytePath](repeating: "", count: 1 << 20)
        #expect(!Manifest.canList(files: most + [""], ignored: []))
        #expect(!Manifest.canList(files: [], ignored: most + [""]))
        #expect(Manifest.canList(files: ["a"], ignored: most))
    }
}
