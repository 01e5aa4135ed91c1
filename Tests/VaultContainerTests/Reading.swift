import SystemIO
import VaultContainer
import VaultCrypto

/// What comes of opening a container and reading all of it, and then of verifying it.
struct Reading: Sendable, Equatable {
    /// Why it could not be opened, or not be read to the end.
    var failure: ContainerError.Code?
    /// The payload, as far as it was given out before the failure.
    var payload: [UInt8] = []
    var members: [String: [UInt8]] = [:]
    var warnings: Set<ContainerWarning> = []
    /// What the verification says; nothing for a container that cannot be opened.
    var problems: [ContainerError.Code] = []
    var affected: [String] = []

    init(
        _ bytes: [UInt8], passphrase: String = Blueprint.passphrase, derivations: KeyDerivations? = nil
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder("container")
        let file = try FileDescriptor(opening: path, .create)
        try file.write(bytes.span)
        try self.init(path: path, passphrase: passphrase, derivations: derivations)
    }

    init(
        path: String, passphrase: String = Blueprint.passphrase, derivations: KeyDerivations? = nil
    ) throws {
        let text = Array(passphrase.utf8)
        let secret = try Passphrase(preparing: text.span)
        let known = derivations ?? (passphrase == Blueprint.passphrase ? Self.derivations : KeyDerivations())
        do throws(ContainerError) {
            let reader = try ContainerReader(opening: path, passphrase: secret, derivations: known)
            warnings = reader.warnings
            do {
                var released: [UInt8] = []
                defer { payload = released }
                try reader.forEachPayloadPiece { piece in
                    released.append(addingCapacity: piece.count) { (output: inout OutputSpan<UInt8>) in
                        for index in piece.indices { output.append(piece[index]) }
                    }
                }
                for entry in reader.entries { members[entry.name] = try reader.data(of: entry) }
            } catch {
                failure = (error as? ContainerError)?.code
            }
            let verification = try reader.verify()
            problems = verification.problems.map(\.code)
            affected = verification.affectedEntries
        } catch {
            failure = failure ?? error.code
        }
    }

    /// The container gives all it holds, and nothing is wrong with it but that tests derive keys cheaply.
    func isFlawless(payload expected: [UInt8]) -> Bool {
        failure == nil && payload == expected && warnings == [.weakKdf] && problems.isEmpty
    }

    /// Keys out of the passphrase that nearly all containers here have.
    private static let derivations = KeyDerivations()
}

/// A folder of a test's own, removed with all that is in it when the test ends.
struct TemporaryFolder: ~Copyable {
    let path = "/tmp/healthvault-tests-\(UInt64.random(in: 0 ... .max))"

    init() throws { try Folder.make(path) }

    deinit { try? Folder.removeAll(path) }

    /// The path of something in the folder.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = try FileDescriptor(opening: self(name), .create)
        try file.write(bytes.span)
    }
}

/// The whole content of a file.
func fileBytes(_ path: String) throws -> [UInt8] {
    let file = try FileDescriptor(opening: path, .read)
    return try file.bytes(at: 0, count: try file.status().size)
}

/// Something lies at `path`.
func exists(_ path: String) -> Bool { (try? FileStatus(at: path, followingLinks: false)) != nil }

/// Bytes without a pattern, the same in every run.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return [UInt8](capacity: count) { output in
        for _ in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            output.append(UInt8(truncatingIfNeeded: state >> 56))
        }
    }
}
