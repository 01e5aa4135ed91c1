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

    /// Options that are listed under their own heading in help, unless they have one already.
    public static func section(_ title: String, _ elements: [Self]) -> Self {
        changing(elements) { $0.section = $0.section ?? title }
    }

    /// Options that few people need; help lists them last.
    public static func expert(_ elements: [Self]) -> Self {
        section(ElementDeclaration.expertSection, elements)
    }

    /// Options that other commands have, which this one refuses, saying why; help does not list them.
    public static func refused(_ names: [String], _ reason: String) -> Self {
        Self(
            parts: names.map { name in
                var declaration = ElementDeclaration(form: .option, name: name, help: "")
                declaration.refusal = reason
                return Part(declaration: declaration) { _, _ in }
            })
    }

    /// Elements that only some of a command's actions take; the others reject them.
    ///
    /// An element that one action requires and another one only takes is declared for each of them.
    public static func only(for actions: [some RawRepresentable<String>], _ elements: [Self]) -> Self {
        let takers = actions.map(\.rawValue)
        return changing(elements) { $0.takers = takers }
    }

    private static func changing(
        _ elements: [Self], _ change: (inout ElementDeclaration) -> Void
    ) -> Self {
        Self(
            parts: elements.flatMap(\.parts).map { part in
                var part = part
                change(&part.declaration)
                return part
            })
    }
}
