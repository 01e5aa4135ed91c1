import Glibc
import SystemIO
import Testing

@Suite("Names that come and go (rename, link, unlink)")
struct RenameTests {
    private func isReplaced(_ call: SystemCall, _ path: BytePath) -> (any Error) -> Bool {
        { error in
            guard let error = error as? SystemError else { return false }
            return error.isReplaced && error.call == call && error.path == path
        }
    }

    @Test("A rename refuses to replace anything, unless it is told to")
    func rename() throws {
        let folder = try TemporaryFolder()
        let (old, new) = (try folder.file("old", "old"), try folder.file("new", "new"))
        let status = try folder.open.status(of: "new")
        let oldStatus = try folder.open.status(of: "old")
        #expect(throws: SystemError(call: .rename, path: old, number: EEXIST)) {
            try folder.open.rename("new", being: status, to: "old")
        }
        #expect(try content(old) == "old" && content(new) == "new")
        try folder.open.rename("new", being: status, to: "other")
        #expect(!exists(new))
        try folder.open.rename("other", being: status, to: "old", replacing: oldStatus)
        #expect(try content(old) == "new" && folder.names == ["old"])
        #expect {
            try folder.open.rename("new", being: status, to: "old", replacing: oldStatus)
        } throws: {
            isReplaced(.rename, new)($0)
        }
    }

    @Test("A rename replaces neither a link, dangling or not, nor a folder, nor a file by itself")
    func otherTargets() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", "x")
        let status = try folder.open.status(of: "file")
        try #require(unsafe symlink("nowhere", c(folder("dangling"))) == 0)
        try #require(unsafe symlink("file", c(folder("link"))) == 0)
        try Folder.make(folder("folder"))
        for name: BytePath in ["dangling", "link", "folder", "file"] {
            #expect(throws: SystemError(call: .rename, path: folder(name), number: EEXIST)) {
                try folder.open.rename("file", being: status, to: name)
            }
        }
        #expect(try content(file) == "x")
    }

    @Test("A file that has got another's name is not renamed, nor removed, nor given a second name")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a", "mine")
        let status = try folder.open.status(of: "a")
        try folder.replace("a", "theirs")
        try folder.file("b", "b")
        for replaced in [nil, try folder.open.status(of: "b")] {
            #expect {
                try folder.open.rename("a", being: status, to: "b", replacing: replaced)
            } throws: {
                isReplaced(.rename, path)($0)
            }
        }
        #expect { try folder.open.removeFile("a", being: status) } throws: { isReplaced(.unlink, path)($0) }
        #expect {
            try folder.open.link("a", being: status, to: "c", in: folder.open)
        } throws: {
            isReplaced(.link, path)($0)
        }
        #expect(try folder.names == ["a", "b"])
        #expect(try content(path) == "theirs" && content(folder("b")) == "b")
        #expect(SystemError(call: .rename, path: "", number: ESTALE).reason == "replaced by another process")
    }

    @Test("A file that has come to where another one was to be replaced is not")
    func otherTarget() throws {
        let folder = try TemporaryFolder()
        try folder.file("mine", "mine")
        try folder.file("old", "old")
        let (mine, old) = (try folder.open.status(of: "mine"), try folder.open.status(of: "old"))
        try folder.replace("old", "theirs")
        #expect {
            try folder.open.rename("mine", being: mine, to: "old", replacing: old)
        } throws: {
            isReplaced(.rename, folder("old"))($0)
        }
        #expect(try content(folder("mine")) == "mine" && content(folder("old")) == "theirs")
        // Nor is one that has gone, whose name somebody else may be about to take.
        try folder.open.removeFile("old")
        #expect {
            try folder.open.rename("mine", being: mine, to: "old", replacing: old)
        } throws: {
            isReplaced(.rename, folder("old"))($0)
        }
        #expect(try folder.names == ["mine"])
    }

    @Test("What has gone is not found under its name either", arguments: [true, false])
    func gone(hasLink: Bool) throws {
        let folder = try TemporaryFolder()
        try folder.file("a")
        let status = try folder.open.status(of: "a")
        try folder.open.removeFile("a", being: status)
        // A link to the file is not the file.
        if hasLink {
            try folder.file("b")
            try #require(unsafe symlink("b", c(folder("a"))) == 0)
        }
        #expect {
            try folder.open.removeFile("a", being: status)
        } throws: {
            isReplaced(.unlink, folder("a"))($0)
        }
        #expect(exists(folder("a")) == hasLink)
    }

    @Test("A second name is given to the file itself, and to no name that is taken")
    func link() throws {
        let folder = try TemporaryFolder()
        try folder.file("a", "text")
        let status = try folder.open.status(of: "a")
        try folder.open.makeFolder("inner")
        let inner = try folder.open.openFolder("inner")
        try folder.open.link("a", being: status, to: "b", in: inner)
        #expect(try inner.status(of: "b").isSameFile(as: status))
        #expect(throws: SystemError(call: .link, path: folder("inner/b"), number: EEXIST)) {
            try folder.open.link("a", being: status, to: "b", in: inner)
        }
        #expect(try content(folder("inner/b")) == "text")
        #expect(try folder.open.status(of: "a").linkCount == 2)
    }

    @Test("A folder that has got another's name is not removed, nor what is in it")
    func replacedFolder() throws {
        let folder = try TemporaryFolder()
        try folder.open.makeFolder("a")
        try folder.file("a/mine")
        let mine = try folder.open.openFolder("a")
        try folder.open.rename("a", being: mine.status(), to: "aside")
        try folder.open.makeFolder("a")
        try folder.file("a/theirs")
        #expect {
            try folder.open.removeFolder("a", being: mine)
        } throws: {
            isReplaced(.rmdir, folder("a"))($0)
        }
        #expect(try Folder.entries(of: folder("a")).map(\.name) == ["theirs"])
        #expect(try mine.entries().map(\.name) == ["mine"])
        try folder.open.removeFolder("aside", being: mine)
        #expect(try folder.names == ["a"])
    }

    /// As on FUSE, whose hidden names of removed files come and go by themselves.
    @Test(
        "A folder is removed although files go away or appear meanwhile",
        arguments: ["a", "a/b"] as [BytePath])
    func restlessFolder(place: BytePath) throws {
        let folder = try TemporaryFolder()
        let inside = folder(place)
        try Folder.makeAll(inside)
        for name: BytePath in ["1", "2", "3"] { try folder.file(place / name) }
        let going = FaultPlan(
            [.unlink], at: 1,
            .after { _ in for name: BytePath in ["1", "2", "3"] { unsafe unlink(c(inside / name)) } })
        try FaultPlan.$current.withValue(going) { try folder.open.openFolder(place).removeContents() }
        #expect(going.count == 3)
        #expect(try Folder.entries(of: inside).isEmpty)
        let coming = FaultPlan([.rmdir], at: 0, .after { _ in put(inside / ".hidden") })
        try FaultPlan.$current.withValue(coming) {
            try folder.open.removeFolder("a", being: folder.open.openFolder("a"))
        }
        #expect(coming.count == (place == "a" ? 2 : 3))
        #expect(try folder.names.isEmpty)
    }

    @Test("A folder is removed although something in it is gone once it is opened", arguments: 0..<3)
    func vanishedFolder(call: Int) throws {
        let folder = try TemporaryFolder()
        try Folder.makeAll(folder("a/b"))
        try folder.file("a/b/c")
        let plan = FaultPlan([.opendir], at: call, .fail(ENOENT))
        try FaultPlan.$current.withValue(plan) {
            try folder.open.removeFolder("a", being: folder.open.openFolder("a"))
        }
        #expect(plan.count > 3)
        #expect(try folder.names.isEmpty)
    }

    @Test("A folder that somebody goes on filling stays")
    func filledFolder() throws {
        let folder = try TemporaryFolder()
        let path = folder("a")
        try Folder.make(path)
        let filling = FaultPlan([.rmdir], at: 0, .after { _ in put(path / "more") }, repeats: true)
        FaultPlan.$current.withValue(filling) {
            #expect(throws: SystemError(call: .rmdir, path: path, number: ENOTEMPTY)) {
                try folder.open.removeFolder("a", being: folder.open.openFolder("a"))
            }
        }
        #expect(exists(path / "more"))
    }

    @Test("Two folders change their names, and where that cannot be done in one step, in three")
    func exchange() throws {
        let folder = try TemporaryFolder()
        for isOneStep in [true, false] {
            for name: BytePath in ["a", "b"] {
                try folder.open.makeFolder(name)
                try folder.file(name / name)
            }
            let (a, b) = (try folder.open.status(of: "a"), try folder.open.status(of: "b"))
            let plan = FaultPlan([.rename], at: isOneStep ? .max : 0, .fail(EINVAL))
            try FaultPlan.$current.withValue(plan) {
                try folder.open.exchange("a", being: a, with: "b", being: b, aside: "aside")
            }
            #expect(plan.count == (isOneStep ? 1 : 4))
            #expect(try folder.names == ["a", "b"])
            #expect(exists(folder("a/b")) && exists(folder("b/a")))
            try folder.open.removeContents()
        }
    }

    @Test("Nothing changes its name with what has got one of the two meanwhile", arguments: [true, false])
    func exchangeReplaced(isFirst: Bool) throws {
        let folder = try TemporaryFolder()
        try folder.file("a", "a")
        try folder.file("b", "b")
        let (a, b) = (try folder.open.status(of: "a"), try folder.open.status(of: "b"))
        try folder.replace(isFirst ? "a" : "b", "theirs")
        #expect {
            try folder.open.exchange("a", being: a, with: "b", being: b, aside: "aside")
        } throws: {
            isReplaced(.rename, folder(isFirst ? "a" : "b"))($0)
        }
        #expect(try folder.names == ["a", "b"])
        #expect(try content(folder("a")) == (isFirst ? "theirs" : "a"))
        #expect(try content(folder("b")) == (isFirst ? "b" : "theirs"))
    }

    @Test("A file gets its old name back when the new one may not be on the device")
    func unsyncedRename() throws {
        let folder = try TemporaryFolder()
        let old = try folder.file("old", "x")
        let status = try folder.open.status(of: "old")
        for (isReplacing, name): (Bool, BytePath) in [(false, "old"), (true, "new")] {
            if isReplacing { try folder.file("new", "replaced") }
            let replaced = try folder.open.statusIfThere(of: "new")
            #expect(throws: SystemError(call: .fsync, path: folder.path, number: EIO)) {
                try FaultPlan.$current.withValue(FaultPlan([.fsync], at: 0, .fail(EIO))) {
                    try folder.open.rename(old.name, being: status, to: "new", replacing: replaced)
                }
            }
            #expect(try folder.names == [name])
        }
    }

    @Test("A rename that fails has not happened, whichever of its calls it is that fails")
    func everyCall() throws {
        let folder = try TemporaryFolder()
        try folder.file("old", "x")
        let status = try folder.open.status(of: "old")
        let calls: Set<SystemCall> = [.fstat, .rename, .fsync]
        for target in 0..<4 {
            #expect(throws: SystemError.self, "call \(target)") {
                try FaultPlan.$current.withValue(FaultPlan(calls, at: target, .fail(EIO))) {
                    try folder.open.rename("old", being: status, to: "new")
                }
            }
            #expect(try folder.names == ["old"], "call \(target)")
        }
        let plan = FaultPlan(calls, at: .max, .fail(EIO))
        try FaultPlan.$current.withValue(plan) {
            try folder.open.rename("old", being: status, to: "new")
        }
        #expect(plan.count == 4 && exists(folder("new")))
    }
}
