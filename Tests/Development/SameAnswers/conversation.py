"""Asks `healthvault mcp` as an assistant does, each tool with arguments right and wrong, and prints the answers.

    conversation.py SOURCE [OPTIONS]
"""
import json
import subprocess
import sys

STATELESS = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
CALLS = {
    "overview": [{}, {"path": "/etc/passwd"}],
    "list_types": [{}, {"group": "heart"}, {"search": "step"}, {"group": "nothing"}],
    "statistics": [
        {"types": ["stepCount"]}, {"types": ["stepCount", "heartRate"], "by": "month"},
        {"types": ["heartRate"], "by": "week", "agg": ["min", "max", "latest"]}, {"types": ["stepCount"], "by": "hour"},
        {"types": ["distanceWalkingRunning"], "from": "2025", "to": "2025-06", "by": "month"},
        {"types": ["activeEnergyBurned"], "last": "6m", "by": "week"},
        {"types": ["stepCount"], "sources": ["Anna’s Apple Watch"], "by": "month"},
        {"types": ["stepCount"], "sources": ["Nobody"]}, {}, {"types": []}, {"types": ["nonsense"]},
        {"types": ["sleepAnalysis"]}, {"types": ["stepCount"], "by": "decade"},
        {"types": ["heartRate"], "agg": ["sum"]}, {"types": ["stepCount"], "x": 1},
        {"types": ["oxygenSaturation", "stepCount", "heartRate", "bodyMass", "activeEnergyBurned"], "by": "week"},
        {"types": ["oxygenSaturation"], "by": "year", "agg": ["average", "duration", "mostRecent"]}],
    "summary": [{}, {"by": "month"}, {"by": "year", "from": "2024"}, {"last": "30d", "by": "day"}],
    "compare": [
        {"types": ["stepCount", "heartRate"], "a_from": "2024-06", "a_to": "2024-12", "b_from": "2025-06", "b_to": "2025-12"},
        {"types": ["stepCount"], "a_from": "2025", "a_to": "2024", "b_from": "2025", "b_to": "2025"}, {"types": ["stepCount"]},
        {"types": ["oxygenSaturation", "bodyMass"], "a_from": "2024", "a_to": "2024", "b_from": "2025", "b_to": "2025"}],
    "sleep": [{}, {"last": "1m"}, {"from": "2025-03", "to": "2025-04"}, {"from": "tomorrowish"},
              {"last": "1w", "from": "2020"}],
    "workouts": [{}, {"activity": "running"}, {"last": "1y"}, {"route_of": "nothing"}],
    "ecg": [{}, {"number": 1}, {"number": 99999}, {"from": "2024"}],
    "samples": [
        {"type": "stepCount"}, {"type": "heartRate", "limit": 500}, {"type": "heartRate", "limit": 3, "from": "2025"},
        {"type": "bodyMass"}, {"type": "stepCount", "limit": 0}, {"type": "stepCount", "cursor": "x"}, {"type": "nonsense"},
        {"type": "stepCount", "sources": ["Anna’s iPhone"], "limit": 5}, {"type": "stepCount", "cursor": "p2s"}]
    + [{"type": name} for name in ("sleepAnalysis", "workout", "bloodPressure", "audiogram", "activitySummary",
                                   "oxygenSaturation", "heartbeatSeries", "visionPrescription")],
    "quality": [{"type": "stepCount"}, {"type": "oxygenSaturation"}, {"type": "heartRate", "last": "1y"}, {"type": "nonsense"}],
    "no_such_tool": [{}],
}


def request(number, method, parameters):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})


def call(number, name, arguments):
    return request(number, "tools/call", {"name": name, "arguments": arguments, "_meta": STATELESS})


def requests():
    """The requests as lines, each of which is answered by one."""
    asked = [("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
             ("tools/list", {"_meta": STATELESS}), ("ping", {"_meta": STATELESS}), ("nothing/known", {"_meta": STATELESS}),
             ("server/discover", {"_meta": STATELESS}), ("resources/list", {"_meta": STATELESS}), ("tools/list", {})]
    yield from (request(number, *each) for number, each in enumerate(asked))
    calls = [(name, arguments) for name in CALLS for arguments in CALLS[name]]
    yield from (call(number, *each) for number, each in enumerate(calls, len(asked)))
    yield from ("no request", '{"jsonrpc": "1.0"}')


def main(*arguments):
    server = subprocess.Popen(["healthvault", "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(line):
        print(line, file=server.stdin, flush=True)
        answer = server.stdout.readline()
        print(line, answer, sep="\n", end="")
        return answer

    for line in requests():
        ask(line)
    # Routes are asked for by what the list of workouts names.
    workouts = json.loads(ask(call("w", "workouts", {})))["result"].get("structuredContent", {"rows": []})
    for row in workouts["rows"][-10:]:
        ask(call("r", "workouts", {"route_of": row[0]}))
    rest, _ = server.communicate()
    print(rest)
    return server.returncode


sys.exit(main(*sys.argv[1:]))
