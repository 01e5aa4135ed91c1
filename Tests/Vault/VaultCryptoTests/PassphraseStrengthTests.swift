import Testing
import VaultCrypto

@Suite("How hard passphrases are to guess")
struct PassphraseStrengthTests {
    private func bits(_ text: String) throws -> Double {
        let bytes = Array(text.utf8)
        return try Passphrase(preparing: bytes.span).strength().bits
    }

    // SECURITY.md: "A new passphrase that zxcvbn estimates below 60 bits gets a warning"
    @Test(
        "Common passwords, dates and keyboard patterns are weak",
        arguments: ["password1", "qwertyuiop", "19870412", "aaaaaaaaaaaa", "correct horse", "Jennifer1990"])
    func weak(text: String) throws {
        #expect(try bits(text) < PassphraseStrength.recommendedBits)
    }

    @Test(
        "Random characters and six rare words are strong",
        arguments: [
            "x7Qp-2mVz-Lk9w-Tn4r", "otter plunder cascade violin mesa gherkin", "gkq3j-ha7nt-cgu66-zeysn",
        ])
    func strong(text: String) throws {
        #expect(try bits(text) > PassphraseStrength.recommendedBits)
    }

    @Test("Any text has a finite strength", arguments: [1, 99, 100, 101, 4094])
    func length(count: Int) throws {
        let strength = try bits(String(repeating: "é", count: count / 2) + "x")
        #expect(strength.isFinite && strength >= 0)
    }

    // SECURITY.md: "On average these find eight random lower-case letters in 9 hours"
    @Test("The cost doubles with each bit and grows with the iterations")
    func cost() {
        let day = PassphraseStrength(bits: 60).seconds(iterations: 1_000_000)
        #expect(day == 2 * PassphraseStrength(bits: 59).seconds(iterations: 1_000_000))
        #expect(day == PassphraseStrength(bits: 60).seconds(iterations: 500_000) * 2)
        // Eight random lower-case letters, as in the description of the format: some nine hours on average.
        let letters = PassphraseStrength(bits: 8 * 4.700_44).seconds(iterations: 1_000_000)
        #expect((8.0...9.5).contains(letters / 3600))
    }

    @Test("Generated passphrases have five groups of base 32, each another one")
    func generated() throws {
        var seen: Set<String> = []
        for _ in 0..<200 {
            let text = try GeneratedPassphrase().text.withSpan { span in
                String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
            }
            let groups = text.split(separator: "-", omittingEmptySubsequences: false)
            #expect(groups.count == 5 && groups.allSatisfy { $0.utf8.count == 5 })
            #expect(
                text.utf8.allSatisfy {
                    (0x61...0x7a).contains($0) || (0x32...0x37).contains($0) || $0 == 0x2d
                })
            seen.insert(text)
        }
        #expect(seen.count == 200)
        // Each of the 32 characters turns up among 5,000 drawn.
        #expect(Set(seen.joined()).count == 33)
        #expect(try GeneratedPassphrase().passphrase().bytes.count == 29)
    }
}
