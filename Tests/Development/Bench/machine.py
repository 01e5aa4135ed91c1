"""What a measurement ran on."""
import os
import platform
import resource
import time


def lines(path):
    try:
        with open(path) as file:
            return file.read().splitlines()
    except OSError:
        return []


def field(path, name, separator):
    """The value after the first line that begins with a name."""
    found = (line.split(separator, 1)[1].strip(' "') for line in lines(path) if line.startswith(name))
    return next(found, "unknown")


def machine():
    return {
        "processor": field("/proc/cpuinfo", "model name", ":"),
        "processors": len(os.sched_getaffinity(0)),
        "memoryBytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "kernel": f"{platform.system()} {platform.release()}",
        "system": field("/etc/os-release", "PRETTY_NAME=", "="),
        "python": platform.python_version(),
    }


class Bystanders:
    """What other processes used of the processors since this was made: more than little spoils a measurement."""

    def __init__(self):
        self.start, self.before = time.monotonic(), self.seconds()

    @staticmethod
    def seconds():
        """The seconds that all processors worked since the machine started, without what we let them do."""
        user, nice, system, _, _, *more = map(int, field("/proc/stat", "cpu ", "cpu ").split()[:8])
        own = sum(sum(resource.getrusage(whose)[:2]) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return (user + nice + system + sum(more)) / os.sysconf("SC_CLK_TCK") - own

    def processors(self):
        """How many processors they kept busy, on average."""
        return round(max(0, self.seconds() - self.before) / (time.monotonic() - self.start), 2)
