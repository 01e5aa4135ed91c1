package import CommandLineKit
package import SystemIO

extension ValueParser<BytePath> {
    /// The path of a file or folder; `-` is accepted, and may mean a stream.
    package static var file: ValueParser<BytePath> {
        Self(expected: "a path", completion: .files) { $0.isEmpty ? nil : BytePath($0) }
    }

    /// The path of a folder.
    package static var folder: ValueParser<BytePath> {
        Self(expected: "a folder", completion: .folders) { $0.isEmpty ? nil : BytePath($0) }
    }
}
