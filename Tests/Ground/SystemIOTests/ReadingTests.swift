import Glibc
import SystemIO
import Testing

@Suite("Reading (POSIX read, pread)")
struct ReadingTests {
    @Test("goes on after short reads until the end", arguments: [1, 2, 7, 100])
    func shortReads(most: Int) throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "abcdefg", count: 13)
        let path = try folder.file("a", text)
        try FaultPlan.$current.withValue(FaultPlan([.read], at: 0, .short(most), repeats: true)) {
            #expect(try content(path) == text)
            let file = try FileDescriptor(opening: path, .read)
            #expect(try file.bytes(at: 85, count: 100) == Array("bcdefg".utf8))
            #expect(try file.bytes(at: 91, count: 5).isEmpty)
            #expect(try file.bytes(at: 1000, count: 5).isEmpty)
            #expect(try file.bytes(at: 3, count: 0).isEmpty)
        }
    }

    @Test("repeats what a signal interrupted, and fails for any other reason")
    func failures() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a", "text")
        let plan = FaultPlan([.read], at: 0, .fail(EINTR))
        #expect(try FaultPlan.$current.withValue(plan) { try content(path) } == "text")
        #expect(plan.count == 2)
        #expect(throws: SystemError(call: .read, path: path, number: EIO)) {
            try FaultPlan.$current.withValue(FaultPlan([.read], at: 0, .fail(EIO))) { try content(path) }
        }
        #expect(throws: SystemError(call: .read, path: folder.path, number: EISDIR)) {
            try content(folder.path)
        }
    }

    @Test("survives real signals that arrive while it waits")
    func signals() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { _ in }
        // Without SA_RESTART the system call itself is interrupted.
        unsafe sigaction(SIGUSR1, &action, nil)
        let input = FileDescriptor(inherited: ends[0], name: "pipe", owned: true)
        let interrupter = Interrupter(target: pthread_self(), output: ends[1])
        try interrupter.start()
        var bytes = [UInt8](repeating: 0, count: 4)
        var span = bytes.mutableSpan
        let count = try input.read(into: &span)
        #expect(count == 1 && bytes[0] == 7)
    }

    @Test("takes the part of the target that it is told to")
    func ranges() throws {
        let folder = try TemporaryFolder()
        let file = try FileDescriptor(opening: try folder.file("a", "0123456789"), .read)
        var bytes = [UInt8](repeating: 0x2e, count: 8)
        var span = bytes.mutableSpan
        let first = try file.read(into: &span, 2..<5)
        let second = try file.read(into: &span, 6..<8)
        let third = try file.read(into: &span, 0..<0)
        #expect([first, second, third] == [3, 2, 0])
        #expect(bytes == Array("..012.34".utf8))
    }

    @Test("into locked memory needs a byte of room more than the input has", arguments: [0, 1, 99, 100, 101])
    func lockedMemory(size: Int) throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "x", count: size)
        let file = try FileDescriptor(opening: try folder.file("a", text), .read)
        var pages = try LockedPages(count: 100)
        if size < 100 {
            let count = try file.readAll(into: &pages)
            #expect(count == size)
            let bytes = pages.withSpan { span in span.indices.map { span[$0] } }
            #expect(bytes == Array(text.utf8) + [UInt8](repeating: 0, count: 100 - size))
        } else {
            let path = file.path
            #expect(throws: SystemError(call: .read, path: path, number: EFBIG)) {
                _ = try file.readAll(into: &pages)
            }
        }
    }
}

/// Sends a thread signals for a while, and then what it waits for.
private final class Interrupter: Sendable {
    private let target: pthread_t
    private let output: Int32

    init(target: pthread_t, output: Int32) {
        self.target = target
        self.output = output
    }

    func start() throws {
        var thread = pthread_t()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<Interrupter>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
        let started = unsafe pthread_create(&thread, nil, body, Unmanaged.passRetained(self).toOpaque())
        try #require(started == 0)
        pthread_detach(thread)
    }

    private func run() {
        for _ in 0..<5 {
            usleep(10_000)
            pthread_kill(target, SIGUSR1)
        }
        let pipe = FileDescriptor(inherited: output, name: "pipe", owned: true)
        try? pipe.write([7].span)
    }
}
