import SystemIO
import VaultCrypto

/// Both copies of the header, as far as their structure is valid.
struct HeaderCopies: Sendable {
    let primary: Result<Header, ContainerError>
    let spare: Result<Header, ContainerError>?

    init(_ file: VolumeFile, size: Int) throws(ContainerError) {
        guard size > 0 else { throw ContainerError(.notContainer) }
        primary = try Self.header(file, at: 0)
        let last = size - ContainerFormat.headerSize
        spare = last >= ContainerFormat.headerSize ? try Self.header(file, at: last) : nil
        if case .failure(let error) = primary, usable.isEmpty { throw error }
    }

    private static func header(
        _ file: VolumeFile, at offset: Int
    ) throws(ContainerError) -> Result<Header, ContainerError> {
        let bytes: [UInt8]
        do { bytes = try file.bytes(at: offset, count: ContainerFormat.headerSize) } catch {
            // If the drive cannot read this copy, the other one may be usable.
            guard error.isDeviceFailure else { throw ContainerError(.io(error)) }
            return .failure(ContainerError(.io(error)))
        }
        return Result { () throws(ContainerError) in try Header(bytes) }
    }

    /// The usable copies, the one at the start first.
    var usable: [Header] { [primary, spare].compactMap { try? $0?.get() } }

    /// Refuses a container that would keep the machine busy for minutes before it can be authenticated.
    func checkIterations() throws(ContainerError) {
        guard iterations <= ContainerFormat.iterationBudget else { throw ContainerError(.kdfRefused) }
    }

    /// Number of iterations needed to find out that no slot belongs to a passphrase.
    var iterations: Int {
        var seen: Set<[UInt8]> = []
        var sum = 0
        for slot in usable.flatMap(\.slots) {
            guard let slot, seen.insert(slot.derivationInput).inserted else { continue }
            sum += slot.iterations
        }
        return sum
    }

    /// Returns the keys that the passphrase opens, each with an authentic copy of the header.
    ///
    /// - Throws: `wrongPassphrase`, `slotDamaged` or `headerTampered` if no copy is authentic.
    func unlock(
        _ passphrase: borrowing Passphrase, _ derivations: KeyDerivations
    ) throws(ContainerError) -> [(key: ContainerKey, header: Header)] {
        try checkIterations()
        var opened: [(key: ContainerKey, header: Header)] = []
        var failure = ContainerError(.wrongPassphrase)
        for header in usable {
            do {
                guard let key = try unlock(header, passphrase, derivations) else { continue }
                if try header.isAuthentic(under: key) {
                    opened.append((key, header))
                } else {
                    failure = ContainerError(.headerTampered)
                }
            } catch { failure = error }
        }
        guard !opened.isEmpty else { throw failure }
        try Self.checkGenerations(opened)
        return opened
    }

    /// Returns the file's key, with each authentic copy of the header.
    ///
    /// - Throws: `headerTampered` if no copy is authentic under it.
    func unlock(
        fileKey: borrowing SecretBytes
    ) throws(ContainerError) -> [(key: ContainerKey, header: Header)] {
        var opened: [(key: ContainerKey, header: Header)] = []
        for header in usable {
            let key = try crypto { () throws(CryptoError) in
                try ContainerKey(fileKey: fileKey.part(0..<fileKey.count), preamble: header.preamble)
            }
            if try header.isAuthentic(under: key) { opened.append((key, header)) }
        }
        guard !opened.isEmpty else { throw ContainerError(.headerTampered) }
        try Self.checkGenerations(opened)
        return opened
    }

    /// Returns keys that are found by the container's identifier, each with an authentic copy of the header.
    ///
    /// - Parameter find: Returns the file key for an identifier, or throws `notInKeyRing`.
    /// - Throws: What `find` throws, or `headerTampered` if no copy is authentic under its key.
    func unlock(
        finding find: (_ identifier: [UInt8]) throws(ContainerError) -> SecretBytes
    ) throws(ContainerError) -> [(key: ContainerKey, header: Header)] {
        var opened: [(key: ContainerKey, header: Header)] = []
        var failure = ContainerError(.headerTampered)
        for header in usable {
            do throws(ContainerError) {
                // Two copies with one preamble have one key.
                let key: ContainerKey
                if let same = opened.first(where: { $0.header.preamble == header.preamble }) {
                    key = same.key
                } else {
                    let fileKey = try find([UInt8](header.preamble[32..<64]))
                    do { key = try ContainerKey(fileKey: fileKey, preamble: header.preamble) } catch {
                        throw ContainerError(.cryptoFailed)
                    }
                }
                guard try header.isAuthentic(under: key) else { throw ContainerError(.headerTampered) }
                opened.append((key, header))
            } catch { failure = error }
        }
        guard !opened.isEmpty else { throw failure }
        try Self.checkGenerations(opened)
        return opened
    }

    private static func checkGenerations(
        _ opened: [(key: ContainerKey, header: Header)]
    ) throws(ContainerError) {
        if opened.count == 2, opened[0].header.preamble == opened[1].header.preamble,
            opened[0].header.generation == opened[1].header.generation, opened[0].header != opened[1].header
        {
            throw ContainerError(.headerTampered)
        }
    }

    /// Returns the copies that belong to a key, whichever passphrases open them.
    func authentic(under key: ContainerKey) throws(ContainerError) -> [Header] {
        var authentic: [Header] = []
        for header in usable where header.preamble == key.preamble {
            if try header.isAuthentic(under: key) { authentic.append(header) }
        }
        return authentic
    }

    private func unlock(
        _ header: Header, _ passphrase: borrowing Passphrase, _ derivations: KeyDerivations
    ) throws(ContainerError) -> ContainerKey? {
        for slot in header.slots {
            guard let slot else { continue }
            let derived = try derivations.key(for: slot, passphrase)
            guard let fileKey = try slot.open(with: derived, preamble: header.preamble) else { continue }
            do { return try ContainerKey(fileKey: fileKey, preamble: header.preamble) } catch {
                throw ContainerError(.cryptoFailed)
            }
        }
        return nil
    }
}
