import Glibc
import Testing

/// A folder for a test, which is removed with the files in it.
final class ScratchFolder {
    let path: [UInt8]

    init() throws {
        // mkdtemp(3) replaces six letters at the end.
        let random = String(repeating: "X", count: 6)
        var template = Array("/tmp/database tests \(random)".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
        }
        try #require(made)
        path = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    }

    deinit {
        for name in Self.names(in: path) { unsafe unlink(cString(path + [0x2f] + name)) }
        unsafe rmdir(cString(path))
    }

    /// The path of a file in the folder.
    func file(_ name: [UInt8]) -> [UInt8] { path + [0x2f] + name }
    func file(_ name: String) -> [UInt8] { file(Array(name.utf8)) }

    /// The names in the folder, sorted.
    var names: [[UInt8]] { Self.names(in: path).sorted { $0.lexicographicallyPrecedes($1) } }

    private static func names(in folder: [UInt8]) -> [[UInt8]] {
        guard let stream = unsafe opendir(cString(folder)) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe Array($0.prefix { $0 != 0 })
            }
            if name != [0x2e], name != [0x2e, 0x2e] { names.append(name) }
        }
        return names
    }

    /// Creates a file with some content.
    func write(_ content: String, to name: String) throws { try write(content, to: Array(name.utf8)) }

    /// Creates a file with some content.
    func write(_ content: String, to name: [UInt8]) throws {
        let descriptor = unsafe creat(cString(file(name)), 0o600)
        try #require(descriptor >= 0)
        let content = Array(content.utf8)
        let count = unsafe content.withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        close(descriptor)
        try #require(count == content.count)
    }

    /// Returns the content of a file.
    func content(of name: String) -> String {
        let descriptor = unsafe Glibc.open(cString(file(name)), O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Creates a symbolic link.
    func link(_ name: String, to target: [UInt8]) throws {
        try #require(unsafe symlink(cString(target), cString(file(name))) == 0)
    }

    /// The files that the process has open, removed ones included.
    static func openFiles() -> [[UInt8]] {
        names(in: Array("/proc/self/fd".utf8)).map { number in
            var target = [CChar](repeating: 0, count: 4096)
            let count = unsafe readlink(cString(Array("/proc/self/fd/".utf8) + number), &target, target.count)
            return target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        }
    }
}

/// A path as C wants it.
func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
