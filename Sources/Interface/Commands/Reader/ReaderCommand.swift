import ByteText
import CommandLineKit
import SystemIO
import Wording

/// The command `healthvault reader`.
struct ReaderCommand: VaultCommand {
    var output: BytePath?
    var json = false
    var overwrite = false

    static let grammar = CommandGrammar<Self>(
        name: "reader",
        summary: "Writes a page that opens archives in any browser.",
        discussion: """
            The page is one file that needs no network, no installation and no server. Keep it where only you can \
            change it, not beside an archive on a drive: someone who swaps the page gets the passphrase that is typed \
            into it. One version of this program always writes the same bytes, and prints their SHA-256 to compare.
            """,
        examples: [
            HelpExample("healthvault reader -o open.html", "Write the page"),
            HelpExample("healthvault reader | sha256sum -c", "Write it, and read it again"),
        ],
        elements: [
            .option(
                \.output, "output", short: "o", value: "PATH", default: DefaultText.readerPage,
                "the file to write", as: .file),
            .json(\.json),
            .flag(\.overwrite, "overwrite", "replace an older page once the new one is complete"),
        ])

    func validate() throws(UsageError) { try OutputName.validate(output, .page) }

    func run() async throws -> ExitStatus {
        let target = output ?? "\(DefaultText.readerPage)"
        let page = try ReaderPage()
        try page.save(as: target, replacing: overwrite)
        let digest = page.digestText
        if json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("path", target)
                writer.member("sha256", digest)
                writer.member("bytes", page.bytes.count)
            }
            try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
        } else {
            try Console.print("\(digest)  \(target)")
        }
        return .done
    }
}
