"""What a measurement ran on."""
import os
import platform


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


def load():
    """How many processes wanted to run in the last minute, on average: more than none before a run spoil it."""
    return round(os.getloadavg()[0], 2)
