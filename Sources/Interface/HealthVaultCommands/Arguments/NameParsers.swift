import CommandLineKit

extension ValueParser where Value == String {
    /// The name of a destination.
    static var destination: Self {
        Self(expected: "the name of a destination", completion: .printed(["completions", "destinations"])) {
            $0
        }
    }

    /// The name of a session.
    static var session: Self {
        Self(expected: "the name of a session", completion: .printed(["completions", "sessions"])) { $0 }
    }
}
