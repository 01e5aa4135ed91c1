import ArchiveWriting
import ByteText
import HealthArchive
import SystemIO
import VaultContainer
import VaultCrypto

/// The one way to set up the writing of a container.
struct ContainerSetup {
    /// The path that the container will have.
    let target: BytePath
    let settings: RunSettings
    /// Describes the run that writes the container.
    let session: SessionDescription
    /// The modification time of its entries, in seconds since 1970.
    let modified: Int
    /// Whether an existing container is replaced.
    var replacing = false
    /// Whether an interrupted run can be continued.
    var isResumable = false
    /// Whether to start anew instead of continuing an interrupted run.
    var restarts = false
    /// The container that it continues, and the record of that; nil if it stands alone.
    var predecessor: (link: ChainLink, continuation: Continuation)?

    init(_ target: BytePath, _ session: SessionDescription, modified: Int, _ settings: RunSettings) {
        self.target = target
        self.session = session
        self.modified = modified
        self.settings = settings
    }

    /// Continues an interrupted run, or starts the container.
    func begin(_ passphrase: consuming Passphrase) throws -> ContainerDestination {
        let (session, predecessor) = (session, predecessor)
        return try ContainerDestination(
            target, replacing: replacing, passphrase: passphrase, iterations: settings.iterations,
            facts: ContainerDestination.Facts(
                tool: settings.tool,
                created: Timestamp(seconds: SystemClock.now(), offsetMinutes: 0).utc, modified: modified,
                session: { key throws(ContainerError) in
                    guard let (link, continuation) = predecessor else { return session.json() }
                    return try session.json(for: key, continuing: link, as: continuation)
                },
                isResumable: isResumable, restarts: restarts,
                // What is left of another continuation is worth less than the one that is asked for now.
                startsOver: predecessor != nil, volumes: settings.volumes, progress: settings.progress))
    }
}

extension StoredExport {
    /// The time of the export, in seconds since 1970, for the entries of a container.
    var modified: Int {
        manifest.exported?.seconds ?? 0
    }
}
