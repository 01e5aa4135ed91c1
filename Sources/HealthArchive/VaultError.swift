public import AppleHealthExport
import Database
import Glibc
public import HealthFormats
public import SystemIO
public import VaultContainer

/// An error that ended an operation on exports and archives.
public struct VaultError: Error, Sendable, Equatable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// The source cannot be read.
        case source(ExportError)
        /// The container cannot be read or written.
        case container(ContainerError)
        /// The system reported an error.
        case io(SystemError)
        /// A file inside an archive does not have the expected format.
        case format(FormatError)
        /// The target exists, and was not to be replaced.
        case targetExists
        /// The target to be replaced was not made by this program, or contains other files as well.
        case notReplaceable
        /// The archive to be replaced was split into several files.
        case isSplit
        /// The archive to be replaced is needed to read another one, whose name marks it as a continuation.
        case isContinued(by: BytePath)
        /// The output of the session is not where it was.
        case outputMissing
        /// The file or folder at the target is not the output of the session.
        case otherTarget
        /// Another process is writing the target, or left an unfinished one.
        case unfinishedExists
        /// Nothing of the archive authenticates.
        case nothingLeft
        /// The unfinished archive at the target cannot be continued.
        case notResumable(ContainerError)
        /// A side file of the source is damaged, and the target to be replaced may contain it whole.
        case damagedFileKeepsTarget
        /// The source and the target are the same file, or one contains the other.
        case targetIsSource
        /// The archive has no manifest, so it was not made by this program.
        case noManifest
        /// The version of the manifest is not supported.
        case unsupportedManifest
        /// The contents of the archive do not match its manifest.
        case manifestMismatch
        /// The path is neither a container nor a plain export folder.
        case notAnArchive
        /// The folder has several archives, whose names do not tell which one is the newest.
        case severalArchives
        /// A plain folder has other formats than NDJSON, from which nothing can be read back.
        case notReadBack
        /// No type has this name, neither among the known ones nor in the archive.
        case unknownType(String)
        /// The archive contains nothing of what was requested.
        case nothingSelected
        /// The archive continues another one of this file name and identifier, which is not in its folder.
        case predecessorMissing(name: BytePath, vault: String)
        /// The file is not the archive that another one continues.
        case otherPredecessor(of: BytePath)
        /// The archive continues itself, or more others than are allowed.
        case endlessChain
        /// The export seems to be another person's or another phone's than the archive that it was to continue.
        case otherExport(ForeignSign)
        /// The session does not exist, or cannot be used.
        case session(SessionError)
        /// The export has more files, or batches, or longer names of these, than a manifest can list.
        case manifestTooLarge
        /// A batch of an archive would be larger as NDJSON than any that this program writes, or a file of a plain
        /// folder is larger than what is read as a whole.
        case batchTooLarge
        /// The operation was asked to stop, or its task was cancelled.
        case interrupted
        /// A source that must be read several times can be read only once: standard input.
        case readableOnce
        /// The crypto module or the compression failed.
        case internalFailure
    }

    /// The kind of failure.
    public let code: Code
    /// The affected file or entry; empty if there is none.
    public let path: BytePath
    /// Whether the work so far was kept, so that the same operation continues where this one ended.
    public package(set) var isResumable = false

    /// Makes an error.
    public init(_ code: Code, path: BytePath = "") {
        self.code = code
        self.path = path
    }

    /// Whether the error is about the source and not about the archive.
    public var isAboutSource: Bool { if case .source = code { true } else { false } }

    /// Whether a device may have been disconnected, or fails.
    package var isAboutDevice: Bool { systemError?.isAboutDevice == true }

    /// Whether a drive may have been disconnected, fails, or is full.
    package var isAboutDrive: Bool { isAboutDevice || systemError?.isOutOfSpace == true }

    private var systemError: SystemError? {
        switch code {
        case .io(let error): error
        case .container(let error): if case .io(let error) = error.code { error } else { nil }
        default: nil
        }
    }

    /// Whether the next attempt may succeed, because the operation was interrupted or a device failed.
    package var isTransient: Bool {
        switch code {
        case .interrupted: true
        case .source(let error): if case .io = error.code { true } else { false }
        default: systemError != nil
        }
    }

    /// Throws `interrupted` if an operation is to stop, or its task was cancelled.
    package static func checkInterruption(
        of path: BytePath, _ isInterrupted: () -> Bool = { false }
    ) throws(VaultError) {
        if isInterrupted() || Task.isCancelled { throw VaultError(.interrupted, path: path) }
    }

    /// Wraps any error of the modules below.
    package static func wrapping(_ error: any Error, path: BytePath = "") -> VaultError {
        switch error {
        case let error as VaultError: error
        case let error as ExportError: VaultError(.source(error), path: error.file)
        case let error as ContainerError: VaultError(.container(error), path: path)
        case let error as SystemError: VaultError(.io(error), path: error.path)
        case let error as DatabaseError:
            VaultError(.io(SystemError(call: .write, path: path, number: error.errorNumber)), path: path)
        case let error as SessionError: VaultError(.session(error), path: path)
        case let error as FormatError: VaultError(.format(error), path: path)
        default: VaultError(.internalFailure, path: path)
        }
    }
}

extension DatabaseError {
    /// The system's number for it.
    fileprivate var errorNumber: Int32 {
        isFull ? ENOSPC : systemNumber != 0 ? systemNumber : EIO
    }
}
