public import AppleHealthExport
public import HealthFormats
public import SystemIO
public import VaultContainer

/// What ended an operation on exports and archives.
public struct VaultError: Error, Sendable, Equatable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// The source cannot be read.
        case source(ExportError)
        /// The container cannot be read or written.
        case container(ContainerError)
        /// The system refused.
        case io(SystemError)
        /// A file inside an archive is not in the format it should be in.
        case format(FormatError)
        /// The target exists, and was not to be replaced.
        case targetExists
        /// The target was to be replaced, and is nothing that this program made, or holds more than that.
        case notReplaceable
        /// The archive that was to be replaced is needed to read another one, which bears the name of one that continues it.
        case isContinued(by: BytePath)
        /// What the session has made is not where it was.
        case outputMissing
        /// What lies at the target is not what the session has made.
        case otherTarget
        /// Another process is writing the target, or left an unfinished one.
        case unfinishedExists
        /// Nothing of the archive authenticates.
        case nothingLeft
        /// The unfinished archive at the target cannot be continued.
        case notResumable(ContainerError)
        /// A side file of the source is damaged, and the target that the new export was to replace may hold it whole.
        case damagedFileKeepsTarget
        /// The source and the target are the same file, or one lies in the other.
        case targetIsSource
        /// The archive holds no manifest, so that it is not one of ours.
        case noManifest
        /// The manifest is of a version that this program does not know.
        case unsupportedManifest
        /// What is in the archive is not what its manifest says.
        case manifestMismatch
        /// The path is neither a container nor a plain export folder.
        case notAnArchive
        /// No type has this name, neither among those that are known nor in the archive.
        case unknownType(String)
        /// There is nothing in the archive of what was asked for.
        case nothingSelected
        /// The archive continues another one of this file name and identifier, which is not in its folder.
        case predecessorMissing(name: BytePath, vault: String)
        /// The archive is not the one that another one continues.
        case otherPredecessor(of: BytePath)
        /// The archive continues itself, or more others than anybody makes.
        case endlessChain
        /// There is no such session, or it cannot be worked on.
        case session(SessionError)
        /// The export has more files, or batches, or longer names of these, than a manifest lists.
        case manifestTooLarge
        /// A batch of an archive would be more NDJSON than any that this program writes, or a file of a plain folder is larger
        /// than what is read as a whole.
        case batchTooLarge
        /// The operation was asked to stop, or its task was cancelled.
        case interrupted
        /// What is to be read several times can be read only once: standard input.
        case readableOnce
        /// The crypto module or the compression failed.
        case internalFailure
    }

    /// What went wrong.
    public let code: Code
    /// The file or entry it is about; empty where there is none.
    public let path: BytePath
    /// What was done so far was kept: the same operation goes on where this one ended.
    public package(set) var isResumable = false

    /// Makes an error.
    public init(_ code: Code, path: BytePath = "") {
        self.code = code
        self.path = path
    }

    /// It says nothing of the archive.
    public var isAboutSource: Bool { if case .source = code { true } else { false } }

    /// The next try may do better: somebody stopped it, or a device refused.
    package var isPassing: Bool {
        switch code {
        case .interrupted, .io: true
        case .container(let error): if case .io = error.code { true } else { false }
        case .source(let error): if case .io = error.code { true } else { false }
        default: false
        }
    }

    /// Throws `interrupted` when the task was cancelled.
    static func checkCancellation(_ path: BytePath) throws(VaultError) {
        if Task.isCancelled { throw VaultError(.interrupted, path: path) }
    }

    /// Names any error of the modules below.
    package static func wrapping(_ error: any Error, path: BytePath = "") -> VaultError {
        switch error {
        case let error as VaultError: error
        case let error as ExportError: VaultError(.source(error), path: error.file)
        case let error as ContainerError: VaultError(.container(error), path: path)
        case let error as SystemError: VaultError(.io(error), path: error.path)
        case let error as SessionError: VaultError(.session(error), path: path)
        case let error as FormatError: VaultError(.format(error), path: path)
        default: VaultError(.internalFailure, path: path)
        }
    }
}
