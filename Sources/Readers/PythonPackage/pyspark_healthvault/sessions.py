"""What a session must have so that nothing readable reaches a disk or a network."""
from __future__ import annotations

from typing import Any

from .partitions import TASKS_PER_CORE


class UnencryptedSessionError(RuntimeError):
    """The session would write what it spills, shuffles or caches to disk as it is, or send it so."""


def require_encryption(spark: Any) -> None:
    """Refuses a session whose temporary files, or connections between computers, are not encrypted.

    Spark fixes these settings when it starts: a session cannot get them later. They cover shuffle files, spilled and cached
    blocks. They do not cover what a job writes on purpose (`df.write`, checkpoints), what it prints, event logs (which have
    the literals of filters, but no option), Python's own temporary files of `collect()`, heap dumps, and swap.

    Raises:
        UnencryptedSessionError: a setting is missing; the message says which.
    """
    conf = spark.sparkContext.getConf()
    needed = {"spark.io.encryption.enabled": "true"}
    if not conf.get("spark.master", "").startswith("local"):
        needed |= {"spark.authenticate": "true", "spark.network.crypto.enabled": "true"}
    missing = [f"{name}={value}" for name, value in needed.items() if conf.get(name, "false").lower() != value]
    if missing:
        raise UnencryptedSessionError(f"start the session with {', '.join(missing)}")


def read(spark: Any, path: str | None = None, **options: Any) -> Any:
    """Returns a data frame of archives, once the session is known to be encrypted.

    Args:
        path: a folder, an archive, or a pattern; None with the option `list`.
        options: the options of the source. `pushFilters` is on, and there are at least four tasks for each core.
    """
    require_encryption(spark)
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    usual = {"pushFilters": "true", "minPartitions": TASKS_PER_CORE * spark.sparkContext.defaultParallelism}
    return spark.read.format("healthvault").options(**(usual | options)).load(path)
