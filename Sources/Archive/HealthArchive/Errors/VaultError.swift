public import AppleHealthExport
public import ByteText
import Database
import Glibc
public import HealthFormats
public import SystemIO
public import VaultContainer

/// An error that ended an operation on exports and archives.
public struct VaultError: ClassifiedError, Sendable, Equatable {
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
        /// The target exists, and replacing it was not requested.
        case targetExists
        /// The target to be replaced was not made by this program, or contains other files as well.
        case notReplaceable
        /// The archive to be replaced was split into several files.
        case isSplit
        /// The archive to be replaced is needed to read another one, whose name marks it as a continuation.
        case isContinued(by: BytePath)
        /// The target's temporary name is taken by something other than an unfinished export.
        case unfinishedExists
        /// The unfinished archive at the target cannot be continued.
        case notResumable(ContainerError)
        /// A side file of the source is damaged, and the target to be replaced may contain it undamaged.
        case damagedFileKeepsTarget
        /// The source and the target are the same file, or one contains the other.
        case targetIsSource
        /// The archive has no manifest, so it was not made by this program.
        case noManifest
        /// The version of the manifest is not supported.
        case unsupportedManifest
        /// The contents of the archive do not match its manifest.
        case manifestMismatch
        /// A file of a plain folder does not match its digest.
        case digestMismatch
        /// The path is neither a container nor a plain export folder.
        case notAnArchive
        /// The folder has several archives, whose names do not show which one is the newest.
        case severalArchives
        /// A plain folder does not contain NDJSON, the only format that can be read back.
        case notReadBack
        /// Neither a known type nor a type in the archive has this name.
        case unknownType(String)
        /// The archive contains nothing that was requested.
        case nothingSelected
        /// Nothing tells the person from others with the same secret of pseudonyms.
        case personUnknown
        /// The archive continues one with this file name and identifier, which is not in its folder.
        case predecessorMissing(name: BytePath, vault: String)
        /// The file is not the archive that another one continues.
        case otherPredecessor(of: BytePath)
        /// The archive continues itself, or more others than are allowed.
        case endlessChain
        /// The source is no longer the one whose export was begun.
        case sourceChanged
        /// The export has more files or batches, or longer names, than a manifest can list.
        case manifestTooLarge
        /// A batch is larger, packed or unpacked, than any that this program writes, or a file of a plain folder is too
        /// large to be read as a whole.
        case batchTooLarge
        /// The operation was asked to stop, or its task was cancelled.
        case interrupted
        /// The source, standard input, can be read only once, but must be read several times.
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

    /// Whether the error is about the source rather than the archive.
    public var isAboutSource: Bool { if case .source = code { true } else { false } }

    /// Whether an archive that another one continues is missing or is another one.
    package var isAboutPredecessor: Bool {
        switch code {
        case .predecessorMissing, .otherPredecessor, .endlessChain: true
        default: false
        }
    }

    /// Whether a device may have failed or been disconnected.
    package var isAboutDevice: Bool { systemError?.isAboutDevice == true }

    /// Whether a drive may be full, or may have failed or been disconnected.
    package var isAboutDrive: Bool { isAboutDevice || isOutOfSpace }

    /// Whether there is no space left.
    package var isOutOfSpace: Bool { systemError?.isOutOfSpace == true }

    private var systemError: SystemError? {
        switch code {
        case .io(let error): error
        case .container(let error): if case .io(let error) = error.code { error } else { nil }
        default: nil
        }
    }

    /// Whether the next attempt may succeed, because the operation was interrupted or a system call failed.
    package var isTransient: Bool {
        switch code {
        case .interrupted: true
        case .source(let error): if case .io = error.code { true } else { false }
        default: systemError != nil
        }
    }

    /// Throws `interrupted` if an operation should stop, or its task was cancelled.
    package static func checkInterruption(
        of path: BytePath, _ isInterrupted: () -> Bool = { false }
    ) throws(VaultError) {
        if isInterrupted() || Task.isCancelled { throw VaultError(.interrupted, path: path) }
    }

    /// The error of an operation that was interrupted, and continues where it ended.
    package static var interruptedResumably: VaultError {
        var error = VaultError(.interrupted)
        error.isResumable = true
        return error
    }

    /// Wraps any error of the lower-level modules.
    package static func wrapping(_ error: any Error, path: BytePath = "") -> VaultError {
        switch error {
        case let error as VaultError: error
        case let error as ExportError: VaultError(.source(error), path: error.file)
        case let error as ContainerError:
            VaultError(.container(isCutOff(error, path) ? ContainerError(.truncated) : error), path: path)
        case let error as SystemError: VaultError(.io(error), path: error.path)
        case let error as DatabaseError:
            VaultError(.io(SystemError(call: .write, path: path, number: error.errorNumber)), path: path)
        case let error as FormatError: VaultError(.format(error), path: path)
        default: VaultError(.internalFailure, path: path)
        }
    }

    /// Converts an error, with the path that it concerns: a damaged container was read, not written.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - archive: What was read.
    ///   - target: What was written.
    package static func wrapping(
        _ error: any Error, reading archive: BytePath, writing target: BytePath
    ) -> VaultError {
        guard let failure = error as? ContainerError else { return wrapping(error, path: target) }
        if case .io = failure.code { return wrapping(error, path: target) }
        return wrapping(error, path: archive)
    }

    /// Returns whether an archive without an end was cut off.
    ///
    /// An archive gets its name when it is finished, so an unfinished one has another.
    private static func isCutOff(_ error: ContainerError, _ path: BytePath) -> Bool {
        let name = VolumeName.whole(ofFirst: path) ?? path
        return error.code == .incomplete && !name.isEmpty && !name.hasSuffix(ContainerFormat.temporarySuffix)
    }
}

extension DatabaseError {
    /// The `errno` value for the error.
    fileprivate var errorNumber: Int32 {
        isFull ? ENOSPC : systemNumber != 0 ? systemNumber : EIO
    }
}

extension VaultError {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .source(let error): error.kind
        case .container(let error), .notResumable(let error): error.kind
        case .io(let error): error.kind
        case .unknownType, .targetIsSource, .severalArchives, .personUnknown: .usage
        case .sourceChanged, .internalFailure: .failed
        case .predecessorMissing, .nothingSelected: .notFound
        case .otherPredecessor, .endlessChain, .format, .damagedFileKeepsTarget, .batchTooLarge,
            .manifestMismatch, .digestMismatch:
            .damaged
        case .targetExists, .notReplaceable, .isSplit, .isContinued, .unfinishedExists: .targetExists
        case .noManifest, .unsupportedManifest, .manifestTooLarge, .notAnArchive, .notReadBack, .readableOnce:
            .unsupported
        case .interrupted: .interrupted
        }
    }
}
