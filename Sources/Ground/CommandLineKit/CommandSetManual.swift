extension CommandSet {
    /// Returns the answer to `manual`, for packages: the file names of all pages, or the page with a name; nil for other
    /// arguments.
    func manual(for arguments: [String]) -> String? {
        guard arguments.first == "manual" else { return nil }
        let pages = manualPages
        if arguments.count == 1 { return pages.map { $0.reference.fileName + "\n" }.joined() }
        guard arguments.count == 2, let page = pages.first(where: { $0.reference.fileName == arguments[1] })
        else { return nil }
        return page.text(day: day)
    }

    /// The manual: a page on the tool, with the topics as its chapters, and one for each command and file format.
    var manualPages: [ManualPage] {
        let formats = topics.filter(\.describesFormat)
        let references =
            catalog.outlines.map { reference(to: $0.name, in: 1) }
            + formats.map { reference(to: $0.name, in: 5) }
        let tool = ManualPage.Reference(name: name, section: 1)
        return [ManualPage(reference: tool, summary: summary, chapters: chapters, others: references)]
            + catalog.outlines.map { outline in
                let formats = formats.map { reference(to: $0.name, in: 5) }
                return page(on: outline, others: [tool] + formats)
            }
            + formats.map { topic in
                ManualPage(
                    reference: reference(to: topic.name, in: 5), summary: topic.summary,
                    chapters: [ManualPage.Chapter(title: "description", blocks: [.text(topic.text)])],
                    others: [tool])
            }
    }

    private func reference(to page: String, in section: Int) -> ManualPage.Reference {
        ManualPage.Reference(name: "\(name)-\(page)", section: section)
    }

    private var chapters: [ManualPage.Chapter] {
        let overview = help.blocks
        let usage = overview.prefix(1)
        let texts = overview.dropFirst().prefix { $0.isText && $0 != .text("") }
        let tables = overview.filter {
            if case .table(let title, _) = $0 { title != "topics" } else { false }
        }
        return [
            ManualPage.Chapter(title: "synopsis", blocks: Array(usage)),
            ManualPage.Chapter(title: "description", blocks: Array(texts)),
            ManualPage.Chapter(title: "commands and options", blocks: tables),
        ]
            + topics.filter { !$0.describesFormat }.map { topic in
                let title = topic.name.split(separator: "-").joined(separator: " ")
                return ManualPage.Chapter(title: title, blocks: [.text(topic.text)])
            } + [
                ManualPage.Chapter(
                    title: "examples", blocks: introduction.isEmpty ? [] : [.examples(introduction)])
            ]
    }

    private func page(on outline: CommandOutline, others: [ManualPage.Reference]) -> ManualPage {
        let blocks = outline.help(invokedAs: "\(name) \(outline.name)").blocks
        let texts = blocks.filter(\.isText).filter { $0 != .text("") }
        let tables = blocks.filter { if case .table = $0 { true } else { false } }
        return ManualPage(
            reference: reference(to: outline.name, in: 1), summary: outline.summary,
            chapters: [
                ManualPage.Chapter(title: "synopsis", blocks: Array(blocks.prefix(1))),
                ManualPage.Chapter(title: "description", blocks: texts),
                ManualPage.Chapter(title: "arguments and options", blocks: tables),
                ManualPage.Chapter(
                    title: "examples", blocks: outline.examples.isEmpty ? [] : [.examples(outline.examples)]),
            ], others: others)
    }
}

extension HelpPage.Block {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
