import CHealthVault
import HealthModel
import SystemIO
import VaultContainer
import VaultCrypto

/// Reads what a caller passes, and reports errors to it.
enum CallerArguments: Sendable {
    /// Runs a function of the interface, and fills in the error if it throws.
    static func reporting(_ error: UnsafeMutablePointer<hv_error>?, _ body: () throws -> Void) -> Int32 {
        do {
            try body()
            return 0
        } catch let failure {
            let text = FailureText(failure)
            if let error = unsafe error { unsafe report(text, to: error) }
            return text.status
        }
    }

    private static func report(_ text: FailureText, to error: UnsafeMutablePointer<hv_error>) {
        // Members that the caller does not have are not written.
        let size = unsafe Int(error.pointee.size)
        let members: [(offset: Int?, length: Int, text: String)] = unsafe [
            (
                MemoryLayout<hv_error>.offset(of: \.code), MemoryLayout.size(ofValue: error.pointee.code),
                text.code
            ),
            (
                MemoryLayout<hv_error>.offset(of: \.message),
                MemoryLayout.size(ofValue: error.pointee.message),
                text.message
            ),
            (
                MemoryLayout<hv_error>.offset(of: \.hint), MemoryLayout.size(ofValue: error.pointee.hint),
                text.hint
            ),
        ]
        if size >= 8 { unsafe error.pointee.status = text.status }
        for member in members {
            guard let offset = member.offset, offset + member.length <= size else { continue }
            let place = unsafe UnsafeMutableRawPointer(error) + offset
            var text = Array(member.text.utf8.prefix(member.length - 1))
            // Cut before a character, not inside one.
            while text.count < member.text.utf8.count, String(validating: text, as: UTF8.self) == nil {
                text.removeLast()
            }
            for (index, byte) in (text + [0]).enumerated() {
                unsafe place.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            }
        }
    }

    /// Returns a copy of a struct that begins with its size, with 0 in the members that the caller does not have.
    ///
    /// - Throws: `CallerError` if the caller uses members that this version does not have.
    private static func sized<Struct: BitwiseCopyable>(
        _ pointer: UnsafePointer<Struct>, _ empty: Struct, _ name: String
    ) throws -> Struct {
        let raw = unsafe UnsafeRawPointer(pointer)
        let size = unsafe Int(raw.load(as: UInt32.self))
        guard size >= 8, size <= 4096 else {
            throw CallerError("the size of \(name) is not set", hint: "set it to sizeof (\(name))")
        }
        for offset in min(size, MemoryLayout<Struct>.size)..<size
        where unsafe raw.load(fromByteOffset: offset, as: UInt8.self) != 0 {
            throw CallerError(
                "\(name) has members that this version does not know",
                hint: "use a newer library")
        }
        var copy = empty
        unsafe withUnsafeMutableBytes(of: &copy) { bytes in
            let known = unsafe UnsafeRawBufferPointer(start: raw, count: min(size, MemoryLayout<Struct>.size))
            unsafe bytes.copyMemory(from: known)
        }
        return copy
    }

    /// Reads a credential.
    static func credential(_ pointer: UnsafePointer<hv_credential>) throws -> ArchiveKey {
        let credential = try unsafe sized(pointer, hv_credential(), "hv_credential")
        func givenPath() throws -> BytePath {
            guard let path = unsafe credential.path else {
                throw CallerError("the path of the credential is NULL")
            }
            return unsafe Self.path(path)
        }
        let source: PassphraseSource
        switch unsafe Int(credential.kind) {
        case HV_PASSPHRASE:
            let text = unsafe UnsafeBufferPointer(
                start: credential.bytes, count: credential.bytes == nil ? 0 : credential.length)
            return try unsafe .passphrase(text.span)
        case HV_PASSPHRASE_FILE: source = .file(try givenPath())
        case HV_PASSPHRASE_COMMAND:
            guard let command = try givenPath().text else {
                throw CallerError("the command of the credential is not UTF-8")
            }
            source = .command(command)
        case HV_KEYRING:
            guard let key = unsafe credential.key_path else {
                throw CallerError("the path of the key is NULL")
            }
            return .keyRing(try LastKeyRing.open(try givenPath(), key: unsafe path(key)))
        default:
            throw CallerError("this version does not know the kind of the credential")
        }
        return .passphrase(try source.read())
    }

    /// Returns a path with the bytes that the caller passes, which need not be UTF-8.
    static func path(_ pointer: UnsafePointer<CChar>) -> BytePath {
        var count = 0
        while unsafe pointer[count] != 0 { count += 1 }
        return unsafe BytePath(bytes: UnsafeRawBufferPointer(start: pointer, count: count))
    }

    /// Returns the archive of a handle.
    static func archive(_ handle: OpaquePointer?) throws -> OpenedArchive {
        guard let handle = unsafe handle else { throw CallerError("the archive is NULL") }
        let archive = unsafe Unmanaged<OpenedArchive>.fromOpaque(UnsafeRawPointer(handle))
            .takeUnretainedValue()
        guard !archive.isInherited else { throw InheritedHandle() }
        return archive
    }

    /// Reads a query.
    static func query(_ pointer: UnsafePointer<hv_query>?) throws -> TableQuery {
        var result = TableQuery()
        guard let pointer = unsafe pointer else { return result }
        let query = try unsafe sized(pointer, hv_query(), "hv_query")
        guard unsafe query.flags & ~UInt32(HV_PLAIN_TEXT) == 0, unsafe query.reserved == 0 else {
            throw CallerError("hv_query has flags that this version does not know")
        }
        result.hasPlainTexts = unsafe query.flags & UInt32(HV_PLAIN_TEXT) != 0
        let types = try unsafe texts(query.types, query.type_count)
        if !types.isEmpty { try result.setTypes(types) }
        let columns = try unsafe texts(query.columns, query.column_count)
        if !columns.isEmpty { result.columns = columns }
        try unsafe result.setRange(since: text(query.since), until: text(query.until))
        if let unit = unsafe text(query.by) { try result.setUnit(unit) }
        let (slice, slices) = unsafe (Int(query.slice), max(1, Int(query.slices)))
        guard slice < slices else {
            throw CallerError(
                "the slice \(slice) is not one of \(slices)", hint: "slices are counted from 0"
            )
        }
        result.slice = (slice, slices)
        switch unsafe query.threads {
        case 0: result.threads = nil
        case UInt32.max: result.threads = 0
        case let count: result.threads = min(Int(count), 64)
        }
        return result
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }

    private static func texts(_ pointer: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int) throws
        -> [String]
    {
        guard count > 0 else { return [] }
        guard let pointer = unsafe pointer, count <= 100_000 else {
            throw CallerError("a list of the query has no entries, or too many")
        }
        return try (0..<count).map { number in
            guard let text = unsafe text(pointer[number]) else {
                throw CallerError("a name in the query is NULL")
            }
            return text
        }
    }
}
