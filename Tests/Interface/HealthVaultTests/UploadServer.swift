import Dispatch
import Glibc
import Synchronization

/// A server of the tests' own that takes what is posted to it.
final class UploadServer: Sendable {
    struct Request: Sendable {
        let path: String
        let body: [UInt8]
    }

    let port: UInt16
    private let listener: Int32
    private let state: Mutex<(received: [Request], refusing: Int)>

    /// Listens on a port of its own, and refuses the first so many requests.
    init(refusing: Int = 0) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = try Loopback.listen(listener)
        state = Mutex(([], refusing))
        // A thread of its own: it waits, and those of Swift's tasks must not.
        DispatchQueue(label: "upload server").async { [self] in serve() }
    }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            let request = Self.read(connection)
            let isTaken = state.withLock { state in
                if state.refusing > 0 {
                    state.refusing -= 1
                    return false
                }
                state.received.append(request)
                return true
            }
            Loopback.write(
                connection,
                Array("HTTP/1.1 \(isTaken ? "200 OK" : "503 Busy")\r\nContent-Length: 0\r\n\r\n".utf8))
            close(connection)
        }
    }

    private static func read(_ connection: Int32) -> Request {
        let bytes = Loopback.readAll(connection)
        let mark = Array("\r\n\r\n".utf8)
        let end = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? 0
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
        return Request(path: words.count > 1 ? String(words[1]) : "", body: Array(bytes[(end + 4)...]))
    }

    /// Ends the server, and says what it was sent.
    func stop() -> [Request] {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        return state.withLock { $0.received }
    }
}

/// The server did not take it.
struct UploadRefused: Error {}

/// Posts a body to the tests' own server.
func post(_ body: [UInt8], to path: String, port: UInt16) async throws {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(connection) }
    try Loopback.connect(connection, port)
    Loopback.write(connection, Array("POST \(path) HTTP/1.1\r\nConnection: close\r\n\r\n".utf8) + body)
    shutdown(connection, Int32(SHUT_WR))
    let answer = String(decoding: Loopback.readAll(connection), as: UTF8.self)
    guard answer.hasPrefix("HTTP/1.1 200") else { throw UploadRefused() }
}

/// Sockets of this machine.
enum Loopback {
    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    /// Listens on a port that nobody has.
    static func listen(_ socket: Int32) throws -> UInt16 {
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(socket, pointer, length) == 0 && Glibc.listen(socket, 64) == 0
                    && getsockname(socket, pointer, &length) == 0
            }
        }
        guard isListening else { throw UploadRefused() }
        return UInt16(bigEndian: address.sin_port)
    }

    static func connect(_ socket: Int32, _ port: UInt16) throws {
        var address = address(port)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.connect(socket, pointer, length) == 0
            }
        }
        guard isConnected else { throw UploadRefused() }
    }

    static func write(_ socket: Int32, _ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    static func readAll(_ socket: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe recv(socket, buffer.baseAddress, buffer.count, 0)
            }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }
}
