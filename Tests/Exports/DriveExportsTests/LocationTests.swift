import SystemIO
import Testing

@testable import DriveExports

@Suite("Where a destination is")
struct LocationTests {
    /// A folder that stands for the place where drives are mounted.
    private final class Places {
        let root: BytePath

        init() throws {
            root = try Folder.canonical("/tmp") / "healthvault-places-\(Int.random(in: 0 ... .max))"
            try Folder.makeAll(root / "one/health")
            try Folder.makeAll(root / "two/health")
        }

        deinit { try? Folder.removeAll(root) }

        func mount(_ name: BytePath, device: BytePath = "/dev/x") -> Mount? {
            let line = "36 35 98:0 / \(root / name) rw,noatime - vfat \(device) rw"
            return Mount(line: Array(line.utf8))
        }

        func destination(uuid: String?) throws -> Destination {
            let (marker, _) = try DestinationMarker.write(in: root / "one/health")
            return Destination(
                name: "stick", path: root / "one/health", mountPoint: root / "one",
                filesystem: FilesystemIdentity(uuid: uuid), marker: marker, added: 0)
        }
    }

    private func code(_ body: () throws -> DestinationLocation) -> DestinationError.Code? {
        do {
            _ = try body()
            return nil
        } catch { return (error as? DestinationError)?.code }
    }

    @Test("is where its drive is mounted now")
    func moved() throws {
        let places = try Places()
        let destination = try places.destination(uuid: "A")
        try Folder.removeAll(places.root / "two/health")
        let holder = try OpenFolder(opening: places.root)
        let status = try holder.status(of: "one")
        try holder.rename("one", being: status, to: "three")
        let mount = try #require(places.mount("three"))
        let found = try destination.locate(among: [mount]) { _ in FilesystemIdentity(uuid: "A") }
        #expect(found.path == places.root / "three/health")
        #expect(
            code { try destination.locate(among: [mount]) { _ in FilesystemIdentity(uuid: "B") } }
                == .notMounted)
    }

    @Test("another drive at its place is not it, with or without the marker")
    func other() throws {
        let places = try Places()
        let destination = try places.destination(uuid: "A")
        let mount = try #require(places.mount("one"))
        #expect(
            try destination.locate(among: [mount]) { _ in FilesystemIdentity(uuid: "A") }.path
                == destination.path)
        // A copy has the marker, and is another drive all the same.
        #expect(
            code { try destination.locate(among: [mount]) { _ in FilesystemIdentity(uuid: "B") } }
                == .otherDrive)
        // Where nobody knows the UUID, the marker decides.
        #expect(try destination.locate(among: [mount]) { _ in FilesystemIdentity() }.path == destination.path)
        let folder = try OpenFolder(opening: destination.path)
        try folder.removeFile(DestinationMarker.name)
        #expect(
            code { try destination.locate(among: [mount]) { _ in FilesystemIdentity(uuid: "A") } }
                == .markerMissing)
        _ = try DestinationMarker.write(in: destination.path)
        #expect(
            code { try destination.locate(among: [mount]) { _ in FilesystemIdentity(uuid: "A") } }
                == .otherDrive)
    }

    @Test("the empty folder below a drive that is not mounted is not it")
    func below() throws {
        let places = try Places()
        let destination = try places.destination(uuid: nil)
        let root = try #require(Mount(line: Array("1 1 8:1 / / rw - ext4 /dev/sda1 rw".utf8)))
        #expect(code { try destination.locate(among: [root]) { _ in FilesystemIdentity() } } == .notMounted)
        try Folder.removeAll(destination.path)
        #expect(code { try destination.locate(among: [root]) { _ in FilesystemIdentity() } } == .notMounted)
    }

    @Test("mounts are read with all that may be in their names")
    func lines() throws {
        let line = #"42 27 7:1 /sub /media/a\040b\134c rw,nosuid shared:1 - fuse.fusefat /dev/loop1\011x rw"#
        let mount = try #require(Mount(line: Array(line.utf8)))
        #expect(mount.point == "/media/a b\\c" && mount.root == "/sub")
        #expect(mount.type == "fuse.fusefat" && mount.source == "/dev/loop1\tx")
        for index in line.utf8.indices { _ = Mount(line: Array(line.utf8[..<index])) }
        let inner = try #require(Mount(line: Array("1 1 8:1 / /media rw - ext4 x rw".utf8)))
        let outer = try #require(Mount(line: Array("1 1 8:1 / / rw - ext4 y rw".utf8)))
        #expect(Mount.holding("/media/x", among: [inner, outer])?.point == "/media")
        #expect(Mount.holding("/mediax", among: [inner, outer])?.point == "/")
        #expect(Mount.holding("/media", among: [inner, outer])?.point == "/media")
        #expect(try Mount.all().contains { $0.point == "/" })
    }
}
