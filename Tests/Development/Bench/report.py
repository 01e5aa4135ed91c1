"""A measurement as a table for people."""
MIB = 1 << 20


def table(rows, right=()):
    """Lines of a table; the columns of which the numbers are given are aligned to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [cell.rjust(width) if column in right else cell.ljust(width)
                 for column, (cell, width) in enumerate(zip(row, widths))]
        yield "  ".join(cells).rstrip()


def number(value):
    """With three digits that mean something."""
    if value is None:
        return ""
    digits = next((digits for digits, least in enumerate((100, 10, 1, 0.01)) if abs(value) >= least), 4)
    return f"{value:.{digits}f}"


def spread(values):
    return f"{number(values['median'])} ({number(values['minimum'])} to {number(values['maximum'])})"


def machine_lines(report):
    machine = report["machine"]
    yield (f"{machine['processor']}, {machine['processors']} processors, {machine['memoryBytes'] / MIB:.0f} MiB, "
           f"{machine['kernel']}, {machine['system']}, Python {machine['python']}")
    busy = report["processorsBusyWithOthers"]
    yield (f"Other processes kept {busy} processors busy meanwhile"
           + (", so times on the clock are worth little: measure on a machine that does nothing else."
              if busy > 0.1 else "."))
    yield "peers: " + ", ".join(f"{name} {version or '(missing)'}" for name, version in report["peers"].items())
    yield f"healthvault: {report['program']['version']}, {report['program']['path']}"


def data_lines(report):
    for kind, facts in report["data"].items():
        yield (f"{kind}: {facts['description']}; {facts['documentBytes'] / 1e6:.1f} MB of XML, "
               f"{facts['sideFiles']} side files of {facts['sideFileBytes'] / 1e6:.1f} MB, "
               f"a zip of {facts['zipBytes'] / 1e6:.2f} MB")


def run_lines(report):
    commands = {}
    for kind, runs in report["runs"].items():
        rows = [(kind, "wall s (min to max)", "CPU s (min to max)", "peak MiB", "MB made", "runs")]
        for name, run in runs.items():
            made = number(run["madeBytes"] / 1e6) if run["madeBytes"] else ""
            rows.append((name, spread(run["wallSeconds"]), spread(run["cpuSeconds"]),
                         f"{run['peakBytes']['median'] / MIB:.1f}", made, str(run["runs"])))
            commands.setdefault(name, run["command"])
        yield ""
        yield from table(rows, right=range(1, 6))
    yield ""
    yield from table(list(commands.items()))


def target_lines(report):
    rows = [("what", "against", "median (min to max)", "at most", "aim", "verdict")]
    for row in report["targets"]:
        unit = f" [{row['unit']}]" if row["unit"] else ""
        measured = spread(row["measured"]) if row["measured"] else "-"
        reason = f": {row['reason']}" if row["reason"] else ""
        rows.append((row["what"] + unit, row["against"], measured, number(row["atMost"]), number(row["aim"]),
                     row["verdict"] + reason))
    yield from table(rows, right=range(2, 5))


NOTES = """\
Wall is time on the clock, CPU that of all threads in user mode and in the kernel; the peak is of resident memory. In
each round every command ran once, with its input in the page cache, and each round began with another command. Ratios
are medians of the ratios within the rounds. Archives were written to disk, plain folders and the database of
healthkit-to-sqlite to {plain}.
What is called underived ran with one iteration of PBKDF2 instead of {iterations:,}, and is otherwise the same
command; encryptZipOneJob is underived too. The derivation runs beside other work, so its time could not be subtracted
from that on the clock; and what the program tells of it is time on the clock too, in which a busy processor may have
done something else. Where it matters, targets are held against underived runs."""


def derivation_lines(report):
    derivation = report["keyDerivation"]
    if derivation["cpuSeconds"]:
        yield (f"The derivation added {spread(derivation['cpuSeconds'])} s of CPU and "
               f"{spread(derivation['wallSeconds'])} s of wall to encryptZip, which told "
               f"{spread(derivation['toldSeconds'])} s.")


def text(report):
    yield from machine_lines(report)
    yield ""
    yield from data_lines(report)
    yield from run_lines(report)
    yield ""
    yield NOTES.format(plain=report["plainFolder"], iterations=report["keyDerivation"]["iterations"])
    yield from derivation_lines(report)
    yield ""
    yield from target_lines(report)
    if report["missing"]:
        yield ""
    for name, reason in report["missing"].items():
        yield f"not run: {name}: {reason}"
