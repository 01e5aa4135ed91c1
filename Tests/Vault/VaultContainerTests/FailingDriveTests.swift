import Glibc
import SystemIO
import Testing
import VaultContainer

@Suite("Drives that fail")
struct FailingDriveTests {
    private static let members: [(name: BytePath, data: [UInt8])] = [
        ("a", noise(40_000)), ("b", noise(30_000)),
    ]
    private static let writingCalls: Set<SystemCall> = [
        .open, .flock, .write, .fsync, .read, .fstat, .rename, .ftruncate, .unlink,
    ]

    private func write(to path: BytePath, replacing replaced: FileStatus? = nil) throws {
        try Writing.shared(1).write(Self.members, to: path, replacing: replaced)
    }

    /// How many calls of a kind `body` makes.
    private func count(_ calls: Set<SystemCall>, _ body: () throws -> Void) throws -> Int {
        let plan = FaultPlan(calls, at: .max, .fail(EIO))
        try FaultPlan.$current.withValue(plan, operation: body)
        return plan.count
    }

    // SECURITY.md: "It gets its final name once everything has been written, flushed, read back from the"
    @Test(
        "fail the writing at whichever call it is, and nothing gets the final name",
        arguments: [ENOSPC, EIO, EROFS])
    func everyCall(number: Int32) throws {
        let folder = try TemporaryFolder()
        let calls = try count(Self.writingCalls) { try write(to: folder("whole")) }
        #expect(calls > 20)
        for target in 0..<calls {
            let path = folder("\(target)")
            let plan = FaultPlan(Self.writingCalls, at: target, .fail(number))
            #expect("call \(target)") {
                try FaultPlan.$current.withValue(plan) { try write(to: path) }
            } throws: { error in
                guard case .io(let failure) = (error as? ContainerError)?.code else { return false }
                return failure.number == number
            }
            #expect(!exists(path), "call \(target)")
            try expectAuthenticPrefix(path + ".part", "call \(target)")
        }
    }

    @Test("that fail from some write on, as full ones do, leave nothing under the final name")
    func fullDrive() throws {
        let folder = try TemporaryFolder()
        let writes = try count([.write]) { try write(to: folder("whole")) }
        for target in 0..<writes {
            let path = folder("\(target)")
            #expect(throws: ContainerError.self) {
                let plan = FaultPlan([.write, .fsync], at: target, .fail(ENOSPC), repeats: true)
                try FaultPlan.$current.withValue(plan) { try write(to: path) }
            }
            #expect(!exists(path))
            try expectAuthenticPrefix(path + ".part", "write \(target)")
        }
    }

    /// What lies there gives nothing but what was written, if anything.
    private func expectAuthenticPrefix(_ path: BytePath, _ comment: Comment) throws {
        guard exists(path) else { return }
        let reading = try Reading(path: path)
        let whole = Self.members.reduce(into: [:]) { $0[$1.name] = $1.data }
        #expect(reading.members.allSatisfy { whole[$0.key] == $0.value }, comment)
        if reading.failure == nil { #expect(reading.members.count == 2, comment) }
    }

    @Test(
        "that take only a part of a write get the rest, and the container is flawless",
        arguments: [1, 1000, 16384])
    func shortWrites(most: Int) throws {
        let folder = try TemporaryFolder()
        let plan = FaultPlan([.write, .read], at: 0, .short(most), repeats: most > 1)
        try FaultPlan.$current.withValue(plan) { try write(to: folder("a")) }
        let reading = try Reading(path: folder("a"))
        #expect(reading.isFlawless(payload: reading.payload) && reading.members.count == 2)
    }

    @Test("that are interrupted at every call finish all the same")
    func interruptions() throws {
        let folder = try TemporaryFolder()
        let calls = try count(Self.writingCalls) { try write(to: folder("whole")) }
        for target in 0..<calls {
            let path = folder("\(target)")
            try FaultPlan.$current.withValue(FaultPlan(Self.writingCalls, at: target, .fail(EINTR))) {
                try write(to: path)
            }
            #expect(try Reading(path: path).members.count == 2)
        }
    }

    /// The file is locked until it has its name, so that it is closed last.
    ///
    /// By then it was synced and read back.
    @Test("that report an error only when the file is closed do so too late to matter")
    func lateError() throws {
        let folder = try TemporaryFolder()
        let plan = FaultPlan([.close], at: 0, .fail(EIO), repeats: true)
        try FaultPlan.$current.withValue(plan) { try write(to: folder("a")) }
        let reading = try Reading(path: folder("a"))
        #expect(reading.isFlawless(payload: reading.payload) && reading.members.count == 2)
    }

    @Test("that report an error only when the file is closed fail what is to be gone on with later")
    func lateErrorOfSuspending() throws {
        let folder = try TemporaryFolder()
        let writing = try Writing.shared(1)
        var writer = try ContainerWriter(
            path: folder("a"), key: writing.key, tool: "", created: "", modified: 0)
        try writer.write(writing.header)
        do throws(ContainerError) {
            try suspend(writer, FaultPlan([.close], at: 0, .fail(EIO)))
            Issue.record("suspended")
        } catch {
            #expect(error.code == .io(SystemError(call: .close, path: folder("a.part"), number: EIO)))
        }
        #expect(!exists(folder("a")) && exists(folder("a.part")))
    }

    private func suspend(_ writer: consuming ContainerWriter, _ plan: FaultPlan) throws(ContainerError) {
        var rest = Optional(writer)
        do {
            try FaultPlan.$current.withValue(plan) { try rest.take()?.suspend() }
        } catch let error as ContainerError { throw error } catch { throw ContainerError(.invalidUse) }
    }

    @Test("never cost the old container that was to be replaced")
    func replacing() throws {
        let folder = try TemporaryFolder()
        let path = folder("a")
        let old = try Writing.shared(2)
        try old.write([("old", [1])], to: path)
        var replaced = try FileStatus(at: path)
        let calls = try count(Self.writingCalls) { try write(to: path, replacing: replaced) }
        for target in 0..<calls {
            try? removeFile(path + ".part")
            try old.write([("old", [1])], to: path, replacing: FileStatus(at: path))
            replaced = try FileStatus(at: path)
            let plan = FaultPlan(Self.writingCalls, at: target, .fail(EIO))
            #expect(throws: ContainerError.self) {
                try FaultPlan.$current.withValue(plan) { try write(to: path, replacing: replaced) }
            }
            // Whole, old or, when only the folder could not be synced, new.
            let reading = try Reading(path: path)
            #expect(reading.isFlawless(payload: reading.payload), "call \(target)")
            #expect([["old"], ["a", "b"]].contains(reading.members.keys.sorted()), "call \(target)")
        }
    }

    @Test("fail the reading at whichever call it is, and what was given out before is authentic")
    func readErrors() throws {
        let folder = try TemporaryFolder()
        let blueprint = try Blueprint(members: [("a", noise(60_000))])
        try folder.write("a", try blueprint.build().bytes)
        let calls: Set<SystemCall> = [.open, .flock, .fstat, .read]
        let total = try count(calls) { _ = try Reading(path: folder("a")) }
        #expect(total > 20)
        var failures = 0
        for target in 0..<total {
            let plan = FaultPlan(calls, at: target, .fail(EIO))
            let reading: Reading = try FaultPlan.$current.withValue(plan) { try Reading(path: folder("a")) }
            // A fault while verifying makes the verification fail, when all was read before.
            switch reading.failure ?? reading.streamFailure ?? reading.problems.first {
            case .io(let error): failures += error.number == EIO ? 1 : 0
            case .segmentUnreadable, .segmentHardToRead: failures += 1
            default:
                // One of the headers may fail: that is what the other one is for.
                let damage: Set<ContainerWarning> = [.primaryHeaderDamaged, .spareHeaderDamaged]
                failures += reading.warnings.isDisjoint(with: damage) ? 0 : 1
            }
            #expect(blueprint.payload.starts(with: reading.payload), "call \(target)")
            #expect(blueprint.payload.starts(with: reading.stream), "call \(target)")
        }
        #expect(failures == total)
    }

    @Test("that give only a part of a read give the rest on the next", arguments: [1, 7, 5000])
    func shortReads(most: Int) throws {
        let folder = try TemporaryFolder()
        let blueprint = try Blueprint(members: [("a", noise(20_000))])
        try folder.write("a", try blueprint.build().bytes)
        let plan = FaultPlan([.read], at: 0, .short(most), repeats: true)
        let reading: Reading = try FaultPlan.$current.withValue(plan) { try Reading(path: folder("a")) }
        #expect(reading.isFlawless(payload: blueprint.payload))
    }

    @Test("A folder, a missing file and a device are no containers")
    func otherThings() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, folder("none")] {
            guard case .io = try Reading(path: path).failure else {
                Issue.record("\(path)")
                continue
            }
        }
        let device = try Reading(path: "/dev/null").failure
        guard case .io(let error) = device else {
            Issue.record("\(String(describing: device))")
            return
        }
        #expect(error.isNotFileOrFolder)
    }
}
