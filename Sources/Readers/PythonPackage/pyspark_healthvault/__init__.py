"""Reads encrypted archives of Apple Health exports into Spark: `spark.read.format("healthvault")`.

    from pyspark_healthvault import read
    steps = read(spark, "/data/study", table="statistics", types="stepCount",
                 keyring="/data/study.keyring", keyFile="/run/secrets/study.key")

Spark finds the source by the name of this package, which must be installed where the driver and the executors run. Nothing
decrypted is written anywhere by it; what Spark itself writes is encrypted if the session says so, which `read` checks by
`require_encryption`. No option is a secret: executors read key files that are mounted where they run.
"""
from .sessions import UnencryptedSessionError, read, require_encryption
from .source import HealthVaultSource

#: What Spark looks for in packages whose names start with `pyspark_`.
DefaultSource = HealthVaultSource

__all__ = ["DefaultSource", "HealthVaultSource", "UnencryptedSessionError", "read", "require_encryption"]
