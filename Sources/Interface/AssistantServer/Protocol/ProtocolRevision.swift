/// A revision of the Model Context Protocol.
///
/// Revisions up to 2025-11-25 begin with a handshake, `initialize`, that both sides rely on afterwards. The one of
/// 2026-07-28 has none: each request states its revision, and the server keeps nothing between them.
enum ProtocolRevision: String, Sendable, CaseIterable {
    case stateless = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"
    case november2024 = "2024-11-05"

    /// The newest revision with a handshake, which is offered to a client that asks for an unknown one.
    static let newestWithHandshake = november2025

    /// Whether requests of this revision follow a handshake.
    var hasHandshake: Bool { self != .stateless }
}
