// Sample types, enumerations and units belong to the vocabulary: one import suffices for all of it.
@_exported public import HealthTypes
