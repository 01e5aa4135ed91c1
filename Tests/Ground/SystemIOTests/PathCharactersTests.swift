import SystemIO
import Testing

@Suite("The characters of a path")
struct PathCharactersTests {
    @Test(
        "are those of UTF-8, and each byte that is part of none",
        arguments: [
            ([], []), (Array("aé€😀".utf8), ["a", "é", "€", "😀"]), ([0x65, 0xcc, 0x81], ["e", "\u{301}"]),
            ([0x61, 0xff, 0x62], ["a", nil, "b"]), ([0xe2, 0x82], [nil, nil]),
            ([0xed, 0xa0, 0x80], [nil, nil, nil]),
            ([0xc0, 0x80, 0xf4, 0x90, 0x80, 0x80], [nil, nil, nil, nil, nil, nil]),
        ] as [([UInt8], [String?])])
    func cut(bytes: [UInt8], texts: [String?]) {
        let characters = BytePath(bytes: bytes).characters
        // Bytes are compared: strings that Unicode takes for equal are.
        #expect(characters.map { $0.text.map { Array($0.utf8) } } == texts.map { $0.map { Array($0.utf8) } })
        #expect(characters.flatMap(\.bytes) == bytes)
    }
}
