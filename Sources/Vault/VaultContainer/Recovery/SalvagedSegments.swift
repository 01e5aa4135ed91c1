import SystemIO
import VaultCrypto

/// Opens the segments of a damaged or unfinished container, as far as their chunks authenticate.
///
/// A stored commitment may be damaged; a chunk whose tag matches is stronger proof. A salt may come from the index.
/// If both the salt in the file and the index are gone, a segment is lost, and so is the next one, whose keys depend
/// on it.
struct SalvagedSegments {
    let key: ContainerKey
    private let size: Int
    /// Where the segments end, nil if that is unknown.
    private let end: Int?
    /// The salts that the index lists; empty if there is none.
    private let salts: [[UInt8]]
    /// How each segment that was tried can be opened, by number; nil if it cannot.
    private var plans: [Int: Plan?] = [:]

    /// How a segment is opened.
    private struct Plan {
        let context: SegmentContext
        let salt: [UInt8]
        let fileSize: Int
    }

    init(_ key: ContainerKey, size: Int, end: Int?, salts: [[UInt8]] = []) {
        self.key = key
        self.size = size
        self.end = end
        self.salts = salts
    }

    /// Number of places where a segment may be.
    var count: Int {
        let bytes = (end ?? size) - ContainerFormat.headerSize
        return max(0, (bytes + key.geometry.full - 1) / key.geometry.full)
    }

    /// Returns the plaintext bytes of a segment, or the most that it may have had if its length is unknown.
    mutating func plaintextSize(
        ofSegment index: Int, _ file: VolumeFile
    ) throws(ContainerError) -> Int {
        guard let plan = try plan(for: index, file) else { return key.geometry.plaintext }
        return key.geometry.plaintextSize(ofFile: plan.fileSize) ?? key.geometry.plaintext
    }

    /// Returns the plaintext of a chunk, nil if it does not authenticate.
    mutating func chunk(
        _ chunk: Int, ofSegment index: Int, _ file: VolumeFile
    ) throws(ContainerError) -> [UInt8]? {
        guard let plan = try plan(for: index, file) else { return nil }
        return try Self.chunk(chunk, plan, key, file)
    }

    private static func chunk(
        _ chunk: Int, _ plan: Plan, _ key: ContainerKey, _ file: VolumeFile
    ) throws(ContainerError) -> [UInt8]? {
        guard
            var opener = try SegmentOpener(
                key: key, file: file, context: plan.context, fileSize: plan.fileSize,
                knownSalt: plan.salt, comparingCommitment: false),
            chunk < opener.chunkCount
        else { return nil }
        var plaintext: [UInt8] = []
        do { try opener.open(chunks: chunk..<(chunk + 1), of: file, into: &plaintext) } catch {
            switch error.code {
            // An unreadable sector counts as lost, like a changed one.
            case .chunkDamaged, .io: return nil
            default: throw error
            }
        }
        return plaintext
    }

    private mutating func plan(
        for index: Int, _ file: VolumeFile
    ) throws(ContainerError) -> Plan? {
        if let known = plans[index] { return known }
        let plan = try findPlan(for: index, file)
        plans[index] = .some(plan)
        return plan
    }

    private func findPlan(
        for index: Int, _ file: VolumeFile
    ) throws(ContainerError) -> Plan? {
        let start = key.geometry.offset(ofSegment: index)
        guard start + ContainerFormat.segmentPrefix < size, let salt = salt(ofSegment: index, file),
            let previous = self.salt(ofSegment: index - 1, file)
        else { return nil }
        for (isFinal, fileSize) in kinds(ofSegment: index, start) {
            let context = SegmentContext(
                preamble: key.preamble, index: index, isFinal: isFinal, previousSalt: previous)
            let plan = Plan(context: context, salt: salt, fileSize: fileSize)
            if try authenticates(plan, file) { return plan }
        }
        return nil
    }

    /// Returns the possible kinds of a segment: whether it is the last, and its size in the file.
    private func kinds(ofSegment index: Int, _ start: Int) -> [(isFinal: Bool, fileSize: Int)] {
        let full = key.geometry.full
        if let end {
            let isFinal = index == count - 1
            return [(isFinal, isFinal ? end - start : full)]
        }
        var kinds = [(isFinal: false, fileSize: full)]
        guard index >= count - 2 else { return kinds }
        let block = ContainerFormat.headerSize
        for end in [size - block, size, (size - 1) / block * block] where end - start <= full {
            if key.geometry.plaintextSize(ofFile: end - start) != nil { kinds.append((true, end - start)) }
        }
        // If its end is missing, whole chunks still open.
        kinds.append((true, full))
        return kinds
    }

    /// Whether the tag of any chunk matches or, unless the segment is the last, its commitment.
    private func authenticates(_ plan: Plan, _ file: VolumeFile) throws(ContainerError) -> Bool {
        if !plan.context.isFinal, try hasCommitment(plan, file) { return true }
        let last = (key.geometry.plaintextSize(ofFile: plan.fileSize) ?? 0) / ContainerFormat.chunkSize
        // From the end: the last chunk also proves the length of the segment.
        for chunk in (0...last).reversed() where try Self.chunk(chunk, plan, key, file) != nil { return true }
        return false
    }

    private func hasCommitment(_ plan: Plan, _ file: VolumeFile) throws(ContainerError) -> Bool {
        do {
            return try SegmentOpener(
                key: key, file: file, context: plan.context, fileSize: plan.fileSize, knownSalt: plan.salt)
                != nil
        } catch {
            if case .io = error.code { return false }
            throw error
        }
    }

    /// Returns the salt of a segment, from the index if there is one.
    private func salt(
        ofSegment index: Int, _ file: VolumeFile
    ) -> [UInt8]? {
        if index < 0 { return SegmentContext.noSalt }
        if salts.indices.contains(index) { return salts[index] }
        let offset = key.geometry.offset(ofSegment: index)
        let bytes = try? file.bytes(at: offset, count: ContainerFormat.saltSize)
        return bytes?.count == ContainerFormat.saltSize ? bytes : nil
    }
}
