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
        {"types": ["heartRate"], "agg": ["sum"]}, {"types": ["stepCount"], "x": 1}],
    "summary": [{}, {"by": "month"}, {"by": "year", "from": "2024"}, {"last": "30d", "by": "day"}],
    "compare": [
        {"types": ["stepCount", "heartRate"], "a_from": "2024-06", "a_to": "2024-12", "b_from": "2025-06", "b_to": "2025-12"},
        {"types": ["stepCount"], "a_from": "2025", "a_to": "2024", "b_from": "2025", "b_to": "2025"}, {"types": ["stepCount"]}],
    "sleep": [{}, {"last": "1m"}, {"from": "2025-03", "to": "2025-04"}, {"from": "tomorrowish"},
              {"last": "1w", "from": "2020"}],
    "workouts": [{}, {"activity": "running"}, {"last": "1y"}, {"route_of": "nothing"}],
    "ecg": [{}, {"number": 1}, {"number": 99999}, {"from": "2024"}],
    "samples": [
        {"type": "stepCount"}, {"type": "heartRate", "limit": 500}, {"type": "heartRate", "limit": 3, "from": "2025"},
        {"type": "bodyMass"}, {"type": "stepCount", "limit": 0}, {"type": "stepCount", "cursor": "x"}, {"type": "nonsense"},
        {"type": "stepCount", "sources": ["Anna’s iPhone"], "limit": 5}],
    "quality": [{"type": "stepCount"}, {"type": "heartRate", "last": "1y"}, {"type": "nonsense"}],
    "no_such_tool": [{}],
}


def requests():
    """The requests as lines, each of which is answered by one."""
    asked = [("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
             ("tools/list", {"_meta": STATELESS}), ("ping", {"_meta": STATELESS}), ("nothing/known", {"_meta": STATELESS}),
             ("server/discover", {"_meta": STATELESS}), ("resources/list", {"_meta": STATELESS}), ("tools/list", {})]
    asked += [("tools/call", {"name": name, "arguments": each, "_meta": STATELESS}) for name in CALLS for each in CALLS[name]]
    for number, (method, parameters) in enumerate(asked):
        yield json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
    yield from ("no request", '{"jsonrpc": "1.0"}')


def main(*arguments):
    server = subprocess.Popen(["healthvault", "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for request in requests():
        print(request, file=server.stdin, flush=True)
        print(request, server.stdout.readline(), sep="\n", end="")
    rest, _ = server.communicate()
    print(rest)
    return server.returncode


sys.exit(main(*sys.argv[1:]))
