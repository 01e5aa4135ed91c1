// Re-exports sample types, enumerations and units, so that one import is enough.
@_exported public import HealthTypes
