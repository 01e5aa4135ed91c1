import Glibc
import SystemIO
import Testing

@Suite("A plan of faults")
struct FaultPlanTests {
    @Test("fails exactly the call that it names", arguments: 0..<6)
    func oneCall(target: Int) throws {
        let folder = try TemporaryFolder()
        let file = try FileDescriptor(opening: folder("a"), .create)
        let plan = FaultPlan([.write, .fsync], at: target, .fail(EIO))
        var failed: [Int] = []
        FaultPlan.$current.withValue(plan) {
            for number in 0..<6 {
                do {
                    if number.isMultiple(of: 2) { try file.write([1].span) } else { try file.sync() }
                } catch { failed.append(number) }
            }
        }
        #expect(failed == [target])
        #expect(plan.count == 6)
    }

    @Test("fails all later calls as well when it repeats")
    func repeating() throws {
        let folder = try TemporaryFolder()
        let file = try FileDescriptor(opening: folder("a"), .create)
        FaultPlan.$current.withValue(FaultPlan([.write], at: 2, .fail(ENOSPC), repeats: true)) {
            for number in 0..<6 {
                let isWritten = (try? file.write([1].span)) != nil
                #expect(isWritten == (number < 2))
            }
        }
        #expect(try file.status().size == 2)
    }

    @Test("names the call, the path and the number of the failure")
    func errors() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a")
        let name = path.name
        let status = try folder.open.status(of: name)
        let holder = try OpenFolder(holding: folder.path)
        for call in [SystemCall.open, .fstat, .unlink, .rename, .link, .mkdir, .rmdir, .opendir] {
            FaultPlan.$current.withValue(FaultPlan([call], at: 0, .fail(EIO))) {
                let subject = call == .rmdir || call == .opendir ? folder.path : path
                let open = folder.open
                #expect(throws: SystemError(call: call, path: subject, number: EIO)) {
                    switch call {
                    case .open: _ = try FileDescriptor(opening: path, .read)
                    case .fstat: _ = try FileStatus(at: path)
                    case .unlink: try open.removeFile(name)
                    case .rename: try open.rename(name, being: status, to: name, replacing: status)
                    case .link: try open.link(name, being: status, to: name, in: open)
                    case .mkdir: try open.makeFolder(name)
                    case .rmdir: try holder.removeFolder(subject.name, being: open)
                    default: _ = try Folder.entries(of: subject)
                    }
                }
            }
        }
    }

    @Test("holds for the task that sets it and not for others")
    func tasks() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a", "x")
        let isReadable = await FaultPlan.$current.withValue(
            FaultPlan([.open], at: 0, .fail(EIO), repeats: true)
        ) {
            let child = await withTaskGroup(of: Bool.self) { group in
                group.addTask { (try? content(path)) != nil }
                return await group.next()
            }
            #expect(child == false)
            return await Task.detached { (try? content(path)) != nil }.value
        }
        #expect(isReadable)
    }
}
