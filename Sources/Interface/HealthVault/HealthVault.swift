// Re-exports the modules that the library consists of, so that one import suffices.
@_exported public import AppleHealthExport
@_exported public import ArchiveWriting
@_exported public import BulkSessions
@_exported public import ByteText
@_exported public import DriveExports
@_exported public import HealthArchive
@_exported public import HealthExport
@_exported public import HealthFHIR
@_exported public import HealthFormats
@_exported public import HealthModel
@_exported public import HealthQueries
@_exported public import HealthReport
@_exported public import HealthSync
@_exported public import SampleBatches
@_exported public import SystemIO
@_exported public import VaultContainer
@_exported public import VaultCrypto
