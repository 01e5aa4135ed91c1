/// An element of a command line (a flag, an option, an argument), bound to the setting that it sets.
///
/// An element may also stand for several, see `including(_:_:)` and `section(_:_:)`.
public struct GrammarElement<Settings>: Sendable {
    /// A key path that may be stored in a grammar; a literal such as `\.output` is one.
    public typealias Setting<Value> = any WritableKeyPath<Settings, Value> & Sendable

    struct Part: Sendable {
        var declaration: ElementDeclaration
        let assign: @Sendable (inout Settings, String) throws(RejectedValue) -> Void
    }

    let parts: [Part]

    init(parts: [Part]) {
        self.parts = parts
    }

    init(
        _ declaration: ElementDeclaration,
        assign: @escaping @Sendable (inout Settings, String) throws(RejectedValue) -> Void
    ) {
        parts = [Part(declaration: declaration, assign: assign)]
    }

    /// An option without a value that sets its property to `value`; giving it twice is the same as once.
    public static func flag(
        _ setting: Setting<Bool>, _ name: String, short: Character? = nil, _ help: String,
        sets value: Bool = true
    ) -> Self {
        Self(ElementDeclaration(form: .flag, name: name, short: short, help: help)) { settings, _ in
            settings[keyPath: setting] = value
        }
    }

    /// The elements of a part of the settings, so that several commands can share them.
    public static func including<Inner>(_ setting: Setting<Inner>, _ elements: [GrammarElement<Inner>])
        -> Self
    {
        Self(
            parts: elements.flatMap(\.parts).map { part in
                Part(declaration: part.declaration) { (settings, text) throws(RejectedValue) in
                    try part.assign(&settings[keyPath: setting], text)
                }
            })
    }

    /// Options that are listed under their own heading in help.
    public static func section(_ title: String, _ elements: [Self]) -> Self {
        Self(
            parts: elements.flatMap(\.parts).map { part in
                var part = part
                part.declaration.section = title
                return part
            })
    }
}
