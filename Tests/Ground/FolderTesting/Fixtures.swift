package import SystemIO

/// The project's fixtures.
package enum Fixtures {
    package static let root: BytePath = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return BytePath("/" + parts.joined(separator: "/") + "/Fixtures")
    }()

    package static let exports: [BytePath] =
        ["none", "3", "8", "11", "12", "13", "14"].map { "exports/version-\($0).xml" } + [
            "exports/export.zip"
        ]
}
