// Re-exports the modules that the library consists of, so that one import suffices.
@_exported public import AppleHealthExport
@_exported public import ArchiveRecovery
@_exported public import ArchiveVerification
@_exported public import AutomaticExport
@_exported public import CivilTime
@_exported public import ExportSessions
@_exported public import HealthArchive
@_exported public import HealthExport
@_exported public import HealthFormats
@_exported public import HealthModel
@_exported public import HealthQueries
@_exported public import HealthStores
@_exported public import HealthTypes
@_exported public import SampleBatches
@_exported public import SystemIO
@_exported public import VaultContainer
@_exported public import VaultCrypto
