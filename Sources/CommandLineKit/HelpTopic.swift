/// A page of the manual that is about no single command: `healthvault help sources`.
public struct HelpTopic: Sendable {
    /// What the page is called up by.
    public let name: String
    /// One line for the list of topics.
    public let summary: String
    /// The page; blank lines part paragraphs, lines that begin with a space stay as they are.
    public let text: String

    /// Makes a topic.
    public init(name: String, summary: String, text: String) {
        self.name = name
        self.summary = summary
        self.text = text
    }

    var help: HelpPage { HelpPage(blocks: [.text("\(name): \(summary)"), .text(text)]) }
}
