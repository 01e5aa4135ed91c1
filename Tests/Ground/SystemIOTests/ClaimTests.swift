import Glibc
import SystemIO
import Testing

@Suite("A file that a process has for itself (open, flock, fstat)")
struct ClaimTests {
    private func isLocked(_ error: any Error) -> Bool { (error as? SystemError)?.isLocked == true }

    @Test("is locked, and refused to the next one")
    func locks() throws {
        let folder = try TemporaryFolder()
        for mode in [FileDescriptor.Mode.create, .update, .updateOrCreate] {
            let file = try folder.open.claim("a", mode)
            #expect(try file.status().isSameFile(as: folder.open.status(of: "a")))
            #expect { _ = try folder.open.claim("a", .update) } throws: { isLocked($0) }
            try file.close()
        }
        try folder.open.makeFolder("b")
        let inner = try folder.open.claimFolder("b")
        #expect(try inner.status().isSameFile(as: folder.open.status(of: "b")))
        #expect { _ = try folder.open.claimFolder("b") } throws: { isLocked($0) }
        withExtendedLifetime(inner) {}
    }

    @Test("is asked for ten times: a process just being started has its parent's locks for a moment")
    func asksAgain() throws {
        let folder = try TemporaryFolder()
        try folder.file("a")
        let taken = FaultPlan.Effect.fail(EWOULDBLOCK)
        let once = FaultPlan([.flock], at: 0, taken)
        try FaultPlan.$current.withValue(once) { _ = try folder.open.claim("a", .update) }
        #expect(once.count == 2)
        let always = FaultPlan([.flock], at: 0, taken, repeats: true)
        #expect {
            try FaultPlan.$current.withValue(always) { _ = try folder.open.claim("a", .update) }
        } throws: {
            isLocked($0)
        }
        #expect(always.count == 10)
        // Another failure is none that passes.
        let broken = FaultPlan([.flock], at: 0, .fail(ENOLCK))
        #expect(throws: SystemError(call: .flock, path: folder("a"), number: ENOLCK)) {
            try FaultPlan.$current.withValue(broken) { _ = try folder.open.claim("a", .update) }
        }
        #expect(broken.count == 1)
    }

    @Test("is refused where its name is that of a link: it bears another name")
    func links() throws {
        let folder = try TemporaryFolder()
        try folder.file("real", "text")
        try #require(unsafe symlink("real", c(folder("link"))) == 0)
        #expect { _ = try folder.open.claim("link", .update) } throws: { isLocked($0) }
        #expect(throws: SystemError(call: .open, path: folder("link"), number: ELOOP)) {
            _ = try folder.open.claim("link", .updateOrCreate)
        }
        // And it is free again.
        _ = try folder.open.claim("real", .update)
    }

    /// A pipe keeps whoever opens it waiting until somebody opens its other end: time enough to put something else in
    /// its place.
    @Test("is refused where its name has come to lead to another file before the lock was there")
    func replacedBetween() async throws {
        let folder = try TemporaryFolder()
        let open = folder.open
        for attempt in 1... {
            try folder.file("theirs", "theirs")
            try #require(unsafe mkfifo(c(folder("pipe")), 0o600) == 0)
            try #require(unsafe link(c(folder("pipe")), c(folder("a"))) == 0)
            let claim = Task.detached { () throws -> FileStatus in try open.claim("a", .stream).status() }
            try await Task.sleep(for: .milliseconds(20 * attempt))
            let old = try open.status(of: "a")
            try open.rename("theirs", being: open.status(of: "theirs"), to: "a", replacing: old)
            // This fails where nobody waits at the pipe yet.
            let end = unsafe Glibc.open(c(folder("pipe")), O_WRONLY | O_NONBLOCK)
            let result = await claim.result
            if end >= 0 {
                close(end)
                #expect { _ = try result.get() } throws: { isLocked($0) }
                #expect(try content(folder("a")) == "theirs")
                return
            }
            // It was opened too late, and is the other file.
            #expect(try result.get().kind == .file)
            try open.removeContents()
        }
    }

    @Test("is not created where a file, a folder or a link has the name")
    func creation() throws {
        let folder = try TemporaryFolder()
        try folder.file("file", "kept")
        try folder.open.makeFolder("folder")
        try #require(unsafe symlink("nowhere", c(folder("link"))) == 0)
        for name: BytePath in ["file", "folder", "link"] {
            #expect(throws: SystemError(call: .open, path: folder(name), number: EEXIST)) {
                _ = try folder.open.claim(name, .create)
            }
        }
        #expect(!exists(folder("nowhere")))
        #expect(try content(folder("file")) == "kept")
    }
}
