/// A page of the system's manual, made of the blocks of help.
struct ManualPage {
    /// A heading with what stands below it.
    struct Chapter {
        var title: String
        var blocks: [HelpPage.Block]
    }

    /// A page, as another one refers to it.
    struct Reference: Equatable {
        let name: String
        let section: Int

        var fileName: String { "\(name).\(section)" }
    }

    let reference: Reference
    /// What the page describes: a line that completes "NAME -".
    let summary: String
    let chapters: [Chapter]
    let others: [Reference]

    /// Returns the page as mdoc(7).
    ///
    /// - Parameter day: The day of the version: `January 15, 2026`.
    func text(day: String) -> String {
        var text = ManualText()
        text.add("Dd", [day])
        text.add("Dt", [reference.name.uppercased(), "\(reference.section)"])
        text.add("Os")
        text.add("Sh", ["NAME"])
        text.add("Nm", [ManualText.argument(reference.name)])
        text.add("Nd", [ManualText.argument(Self.lowered(summary))])
        for chapter in chapters where !chapter.blocks.isEmpty {
            text.add("Sh", [chapter.title.uppercased()])
            for block in chapter.blocks { Self.add(block, under: chapter.title, to: &text) }
        }
        text.add("Sh", ["SEE ALSO"])
        let others = others.filter { $0 != reference }.sorted {
            ($0.section, $0.name) < ($1.section, $1.name)
        }
        for (place, other) in others.enumerated() {
            let comma = place == others.count - 1 ? [] : [","]
            text.add("Xr", [ManualText.argument(other.name), "\(other.section)"] + comma)
        }
        return text.lines.joined(separator: "\n") + "\n"
    }

    private static func add(_ block: HelpPage.Block, under title: String, to text: inout ManualText) {
        switch block {
        case .usage(let invocation, let parts):
            text.add("Nm", [ManualText.argument(invocation)])
            for part in parts { add(part: part, to: &text) }
        case .text(let paragraphs): text.add(text: paragraphs)
        case .table(let heading, let rows):
            if heading != title { text.add("Ss", [heading.prefix(1).uppercased() + heading.dropFirst()]) }
            text.add("Bl", ["-tag", "-width", "Ds"])
            for row in rows {
                text.add("It", item(row.term))
                text.add(text: row.meaning)
            }
            text.add("El")
        case .examples(let examples):
            for (place, example) in examples.enumerated() {
                if place > 0 { text.add("Pp") }
                text.add(text: example.meaning + ":")
                var lines = example.command.split(separator: "\n").map(String.init)
                text.add(literal: &lines)
            }
        }
    }

    /// Adds what may follow a command's name: `[OPTIONS]`, `SOURCE...`, `--label TEXT`.
    private static func add(part: String, to text: inout ManualText) {
        if part.hasPrefix("[") {
            text.add("Op", ["Ar"] + arguments(part.dropFirst().dropLast()))
        } else if part.hasPrefix("-") {
            text.add("Fl", Array(item(part).dropFirst()))
        } else {
            text.add("Ar", arguments(part[...]))
        }
    }

    private static func arguments(_ text: Substring) -> [String] {
        guard text.hasSuffix("...") else { return [ManualText.argument(String(text))] }
        return [ManualText.argument(String(text.dropLast(3))), "..."]
    }

    /// Returns a term of a table as macros: `-o, --output PATH` is `Fl o , Fl \-output Ar PATH`.
    private static func item(_ term: String) -> [String] {
        let words = term.split(separator: " ")
        guard words.first?.hasPrefix("-") == true else {
            let isPlaceholder = term == term.uppercased()
            return [isPlaceholder ? "Ar" : "Ic", ManualText.argument(term)]
        }
        return words.flatMap { word in
            guard word.hasPrefix("-") else { return ["Ar", ManualText.argument(String(word))] }
            let comma = word.hasSuffix(",") ? [","] : []
            return ["Fl", ManualText.argument(String(word.dropFirst().prefix { $0 != "," }))] + comma
        }
    }

    /// Returns a summary as the middle of a sentence, without its full stop.
    private static func lowered(_ summary: String) -> String {
        let text = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
        guard let first = text.first, text.dropFirst().first?.isUppercase == false else { return text }
        return first.lowercased() + text.dropFirst()
    }
}
