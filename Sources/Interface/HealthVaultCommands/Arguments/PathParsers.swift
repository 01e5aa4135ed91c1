import CommandLineKit
import SystemIO

extension ValueParser where Value == BytePath {
    /// The path of a file or folder; `-` is accepted, and may mean a stream.
    static var file: Self { Self(expected: "a path", completion: .files) { $0.isEmpty ? nil : BytePath($0) } }

    /// The path of a folder.
    static var folder: Self {
        Self(expected: "a folder", completion: .folders) { $0.isEmpty ? nil : BytePath($0) }
    }
}
