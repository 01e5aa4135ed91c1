import Glibc
import SystemIO
import Testing

@Suite("Writing (POSIX write, pwrite)")
struct WritingTests {
    private static let text = String(repeating: "0123456789", count: 10)

    @Test("goes on after short writes until all bytes are there", arguments: [0, 1, 2, 7, 99, 100, 1000])
    func shortWrites(most: Int) throws {
        let folder = try TemporaryFolder()
        let plan = FaultPlan([.write], at: 0, .short(most), repeats: true)
        try FaultPlan.$current.withValue(plan) { try folder.file("a", Self.text) }
        #expect(try content(folder("a")) == Self.text)
        let step = min(max(most, 1), 100)
        #expect(plan.count == (100 + step - 1) / step)
    }

    @Test("goes on at the right place after one short write", arguments: 0..<5)
    func oneShortWrite(target: Int) throws {
        let folder = try TemporaryFolder()
        let file = try FileDescriptor(opening: folder("a"), .create)
        try FaultPlan.$current.withValue(FaultPlan([.write], at: target, .short(3))) {
            try file.write(Array(Self.text.utf8.prefix(40)).span)
            for place in [80, 40, 60] { try file.write(Array(Self.text.utf8.prefix(20)).span, at: place) }
        }
        #expect(try content(folder("a")) == Self.text)
    }

    @Test("repeats what a signal interrupted", arguments: 0..<4)
    func interruptions(target: Int) throws {
        let folder = try TemporaryFolder()
        let plan = FaultPlan([.open, .write, .fsync, .ftruncate], at: target, .fail(EINTR))
        try FaultPlan.$current.withValue(plan) {
            let file = try FileDescriptor(opening: folder("a"), .create)
            try file.write(Array("hello".utf8).span)
            try file.sync()
            try file.truncate(to: 4)
        }
        #expect(try content(folder("a")) == "hell")
        #expect(plan.count == 5)
    }

    @Test(
        "fails where there is no space, at whichever write that is", arguments: [ENOSPC, EDQUOT, EFBIG],
        0..<10)
    func noSpace(number: Int32, target: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder("a")
        #expect(throws: SystemError(call: .write, path: path, number: number)) {
            try FaultPlan.$current.withValue(FaultPlan([.write], at: target, .fail(number))) {
                let file = try FileDescriptor(opening: path, .create)
                for _ in 0..<10 { try file.write(Array("0123456789".utf8).span) }
            }
        }
        #expect(SystemError(call: .write, path: path, number: number).isOutOfSpace)
        #expect(try content(path) == String(Self.text.prefix(10 * target)))
    }

    @Test("fails where the device is full")
    func fullDevice() throws {
        let file = try FileDescriptor(opening: "/dev/full", .terminal)
        #expect(throws: SystemError(call: .write, path: "/dev/full", number: ENOSPC)) {
            try file.write([1].span)
        }
    }

    @Test("reports what only fsync or close find out", arguments: [SystemCall.fsync, .close])
    func lateErrors(call: SystemCall) throws {
        let folder = try TemporaryFolder()
        let path = folder("a")
        #expect(throws: SystemError(call: call, path: path, number: EIO)) {
            try FaultPlan.$current.withValue(FaultPlan([call], at: 0, .fail(EIO))) {
                let file = try FileDescriptor(opening: path, .create)
                try file.write([1].span)
                try file.sync()
                try file.close()
            }
        }
    }

    @Test("makes no file that others may read, and none over another")
    func newFiles() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a", "old")
        var status = stat()
        let answer = unsafe stat(c(path), &status)
        #expect(answer == 0 && status.st_mode & 0o777 == 0o600)
        #expect {
            _ = try FileDescriptor(opening: path, .create)
        } throws: { ($0 as? SystemError)?.isExisting == true }
        #expect(try content(path) == "old")
        #expect {
            _ = try FileDescriptor(opening: folder("b"), .update)
        } throws: { ($0 as? SystemError)?.isMissing == true }
    }
}
