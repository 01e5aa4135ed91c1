/// A page of the manual that does not describe a single command: `healthvault help sources`.
public struct HelpTopic: Sendable {
    /// The name by which the page is requested.
    public let name: String
    /// One line for the list of topics.
    public let summary: String
    /// The page; blank lines separate paragraphs, lines that begin with a space stay unchanged.
    public let text: String

    /// Creates a topic.
    public init(name: String, summary: String, text: String) {
        self.name = name
        self.summary = summary
        self.text = text
    }

    var help: HelpPage { HelpPage(blocks: [.text("\(name): \(summary)"), .text(text)]) }
}
