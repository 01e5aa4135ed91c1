import Testing

@Suite("Manifest")
struct ManifestTests {
    @Test("every module is compiled with the common settings")
    func settings() throws {
        let manifest = try Manifest()
        let swiftModules = Set(
            try (PackageTree.sources() + PackageTree.tests()).filter(\.isSwift).map(\.module))
        let calls = manifest.calls(of: ["target", "executableTarget", "testTarget"])
        #expect(calls.count > 4)
        for call in calls {
            // The functions of the manifest have no literal name; a module of C alone needs no settings.
            let name = manifest.firstString(in: call)
            if let name, !swiftModules.contains(name) { continue }
            let isStrict = manifest.hasSequence("swiftSettings", ":", "settings", in: call)
            #expect(isStrict, "\(name ?? "a function")")
        }
    }

    @Test(
        "the common settings are the strict ones",
        arguments: [
            #".enableUpcomingFeature("ExistentialAny")"#,
            #".enableUpcomingFeature("InternalImportsByDefault")"#,
            #".enableUpcomingFeature("MemberImportVisibility")"#,
            #".enableUpcomingFeature("NonisolatedNonsendingByDefault")"#,
            #".enableUpcomingFeature("InferIsolatedConformances")"#,
            #".enableUpcomingFeature("ImmutableWeakCaptures")"#, ".strictMemorySafety()",
            ".treatAllWarnings(as: .error)", #".treatWarning("ExplicitSendable", as: .error)"#,
        ])
    func strictness(setting: String) throws {
        let settings = try Manifest().settingsText
        #expect(settings.contains(setting.filter { $0 != " " }))
    }

    @Test("every folder with sources or tests is a module of the manifest, and the other way round")
    func modules() throws {
        let manifest = try Manifest()
        let declarations: Set = [
            "target", "executableTarget", "testTarget", "systemLibrary", "module", "program", "library",
            "tests", "support",
        ]
        let declared = manifest.calls(of: declarations).compactMap(manifest.firstString).map(Self.name)
        let sources = Set(try PackageTree.sources().filter(\.isModule).map(\.module))
        let tests = Set(try PackageTree.tests().filter(\.isSwift).map(\.module))
        #expect(sources.union(tests).symmetricDifference(declared) == [])
    }

    // What is not declared is found all the same in a folder that was built before, and missed in a fresh one.
    @Test("a module declares what it imports, and nothing else")
    func dependencies() throws {
        let manifest = try Manifest()
        let calls = manifest.calls(of: ["module", "program", "tests", "support"])
        #expect(calls.count > 20)
        let shared = try PackageTree.tests().filter(\.isSwift).map(\.module)
        let modules = Set(Groups.swiftModules + Groups.cModules + shared)
        for call in calls {
            guard let name = manifest.firstString(in: call).map(Self.name) else { continue }
            let imported = try PackageTree.imports(of: name).keys.filter { modules.contains($0) }
            let declared = Set(manifest.firstList(in: call))
            #expect(declared.symmetricDifference(imported) == [], "\(name)")
        }
    }

    /// The last part of a folder, which is the name of the target in it.
    private static func name(of folder: String) -> String {
        String(folder.split(separator: "/").last ?? "")
    }
}

/// Package.swift as tokens, with the texts of its strings at hand.
private struct Manifest {
    private let bytes: [UInt8]
    private let code: SourceCode

    init() throws {
        bytes = try PackageTree.manifest().bytes
        code = SourceCode(bytes)
    }

    /// The arguments of all calls of these functions, as ranges of tokens; products are no modules and left out.
    func calls(of functions: Set<String>) -> [Range<Int>] {
        let tokens = code.tokens
        return tokens.indices.dropLast().compactMap { place in
            guard functions.contains(tokens[place].text), tokens[place + 1].text == "(" else { return nil }
            let isMember = place > 0 && tokens[place - 1].text == "."
            if tokens[place].text == "library", isMember { return nil }
            return (place + 2)..<end(ofBracketAt: place + 1)
        }
    }

    func hasSequence(_ texts: String..., in range: Range<Int>) -> Bool {
        range.contains { start in
            code.tokens[start..<range.upperBound].prefix(texts.count).map(\.text).elementsEqual(texts)
        }
    }

    /// The string that a call begins with, behind the label `name:` or without one.
    func firstString(in call: Range<Int>) -> String? {
        var place = call.lowerBound
        if hasSequence("name", ":", in: place..<min(place + 2, call.upperBound)) { place += 2 }
        return code.tokens[place].text == "\"" ? string(openedAt: place) : nil
    }

    /// The strings of the first list of a call, which is that of its dependencies.
    func firstList(in call: Range<Int>) -> [String] {
        guard let bracket = call.first(where: { code.tokens[$0].text == "[" }) else { return [] }
        let quotes = (bracket..<end(ofBracketAt: bracket)).filter { code.tokens[$0].text == "\"" }
        return stride(from: 0, to: quotes.count, by: 2).map { string(openedAt: quotes[$0]) }
    }

    /// What stands between the brackets of `let strictSettings: [SwiftSetting] = [...]`, without comments and space.
    var settingsText: String {
        let tokens = code.tokens
        guard
            let name = tokens.indices.dropFirst().first(where: {
                tokens[$0].text == "strictSettings" && tokens[$0 - 1].text == "let"
            }),
            let sign = tokens[name...].firstIndex(where: { $0.text == "=" })
        else { return "" }
        var text = ""
        for place in (sign + 1)..<end(ofBracketAt: sign + 1) {
            text += tokens[place].text
            if tokens[place].text == "\"", tokens[place + 1].text == "\"" { text += string(openedAt: place) }
        }
        return text
    }

    /// What the file has between a quote and the next.
    private func string(openedAt place: Int) -> String {
        String(decoding: bytes[(code.tokens[place].start + 1)..<code.tokens[place + 1].start], as: UTF8.self)
    }

    private func end(ofBracketAt start: Int) -> Int {
        var depth = 0
        for place in start..<code.tokens.count {
            if ["(", "["].contains(code.tokens[place].text) { depth += 1 }
            if [")", "]"].contains(code.tokens[place].text) { depth -= 1 }
            if depth == 0 { return place }
        }
        return code.tokens.count - 1
    }
}
