/// A page of the manual that does not describe a single command: `healthvault help sources`.
public struct HelpTopic: Sendable {
    /// The name by which the page is requested.
    public let name: String
    /// One line for the list of topics.
    public let summary: String
    /// The page; blank lines separate paragraphs, lines that begin with a space stay unchanged.
    public let text: String
    /// Whether it describes a file format, which has a page of its own in section 5 of the system's manual.
    public let describesFormat: Bool

    /// Creates a topic; a name of several words has hyphens between them.
    public init(name: String, summary: String, text: String, describesFormat: Bool = false) {
        self.name = name
        self.summary = summary
        self.text = text
        self.describesFormat = describesFormat
    }

    var help: HelpPage { HelpPage(blocks: [.text("\(name): \(summary)"), .text(text)]) }
}
