public import ByteText
import CCurl
import Glibc

/// A connection to a web server by libcurl, which is loaded with the first connection.
///
/// It speaks HTTPS only, verifies certificates, and follows no redirects: nothing but the server that is named receives a
/// request. A connection has no locks: use it on one thread at a time.
@safe public struct HTTPConnection: ~Copyable {
    private let handle: OpaquePointer

    /// An answer.
    public struct Response: Sendable {
        /// The status, such as 200.
        public let status: Int
        /// The seconds after which the server wants another attempt; nil if it does not say.
        public let retryAfter: Int?
        /// The body.
        public let body: [UInt8]
    }

    /// A failure to get an answer.
    public enum Failure: ClassifiedError, Sendable, Equatable {
        /// libcurl is not installed.
        case missingLibrary
        /// The connection failed or was cut off, or the time is over; the same request may succeed later.
        case transient(String)
        /// The server's certificate is not trusted.
        case untrusted(String)
        /// The answer is larger than the limit.
        case tooLarge
        /// Anything else.
        case other(String)
    }

    /// Prepares a connection, which is made with the first request.
    ///
    /// - Parameters:
    ///   - authorities: The path of a file with the certificates of authorities; nil for the system's.
    ///   - connectSeconds: The seconds to wait for the connection.
    ///   - seconds: The seconds to wait for a whole answer.
    public init(authorities: String?, connectSeconds: Int = 10, seconds: Int = 120) throws(Failure) {
        guard ccurl_load() else { throw .missingLibrary }
        let handle = unsafe ccurl_open(authorities, connectSeconds, seconds)
        guard let handle = unsafe handle else { throw .other("out of memory") }
        unsafe self.handle = handle
    }

    deinit { unsafe ccurl_close(handle) }

    /// Sends a request, and returns the answer.
    ///
    /// - Parameters:
    ///   - method: The method, such as `POST`.
    ///   - url: The URL.
    ///   - headers: The headers, each as a line.
    ///   - body: The body; nil for none.
    ///   - limit: The maximum number of bytes of the answer.
    public func send(
        _ method: String, _ url: String, headers: [String], body: [UInt8]? = nil, limit: Int = 1 << 26
    ) throws(Failure) -> Response {
        var answer = unsafe ccurl_response()
        let lines = unsafe headers.map { unsafe strdup($0) }
        defer { unsafe lines.forEach { unsafe free($0) } }
        let pointers = unsafe lines.map { unsafe UnsafePointer<CChar>($0) } + [nil]
        let code = unsafe (body ?? []).withUnsafeBytes { bytes in
            // An empty body is not the same as none.
            let start = body == nil ? nil : bytes.baseAddress
            return unsafe ccurl_request(
                handle, method, url, pointers, start, bytes.count, limit, &answer)
        }
        defer { unsafe ccurl_free(&answer) }
        let reason = unsafe String(cString: ccurl_reason(handle))
        switch Int(code) {
        case CCURL_DONE: break
        case CCURL_TRANSIENT: throw .transient(reason)
        case CCURL_UNTRUSTED: throw .untrusted(reason)
        case CCURL_TOO_LARGE: throw .tooLarge
        default: throw .other(reason)
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: answer.body, count: answer.length)
        let (status, wait) = unsafe (answer.status, answer.retry_after)
        return unsafe Response(status: status, retryAfter: wait < 0 ? nil : wait, body: Array(bytes))
    }
}

@available(*, unavailable)
extension HTTPConnection: Sendable {}

extension HTTPConnection.Failure {
    /// What it means.
    public var kind: ErrorKind { if case .transient = self { .tryLater } else { .failed } }
}
