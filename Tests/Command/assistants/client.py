"""A client of `healthvault mcp`, with the standard library alone; it checks each line that it reads."""
import json
import subprocess

from vault import BINARY, PATIENCE, environment

STATELESS = "2026-07-28"
HANDSHAKE = "2025-11-25"
LONGEST = 20_000


def conforms(value, schema, place="answer"):
    """What of a value does not conform to a JSON schema, of the keywords that the server uses."""
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
    wanted = schema.get("type")
    if wanted and (not isinstance(value, kinds[wanted]) or wanted == "integer" and isinstance(value, bool)):
        return [f"{place} is no {wanted}"]
    problems = []
    for name in schema.get("required", []):
        if name not in value:
            problems.append(f"{place} lacks {name}")
    for name, own in schema.get("properties", {}).items():
        if name in value:
            problems += conforms(value[name], own, f"{place}.{name}")
    return problems


class Client:
    """A running server; with `stateless`, each request states the revision, otherwise a handshake comes first."""

    def __init__(self, *arguments, stateless=True, program=BINARY, **more):
        self.process = subprocess.Popen(
            [program, "mcp", *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment(), **more)
        self.stateless = stateless
        self.number = 0
        self.schemas = {}
        if not stateless:
            self.greeting = self.request("initialize", {
                "protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the input; returns the status and what was said on standard error."""
        if self.process.stdin.closed:
            return self.process.returncode, ""
        rest, said = self.process.communicate(timeout=PATIENCE)
        assert rest == b"", rest
        return self.process.returncode, said.decode()

    def send(self, message):
        self.send_line(json.dumps(message).encode())

    def send_line(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), (line, self.process.poll(), self.process.stderr.read())
        self.length = len(line)
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0" and ("result" in message) != ("error" in message), message
        return message

    def reply(self, method, parameters=None):
        """The whole reply to a request."""
        self.number += 1
        parameters = dict(parameters or {})
        if self.stateless:
            parameters.setdefault("_meta", {"io.modelcontextprotocol/protocolVersion": STATELESS,
                                            "io.modelcontextprotocol/clientCapabilities": {}})
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})
        message = self.receive()
        assert message["id"] == self.number, message
        return message

    def request(self, method, parameters=None):
        """The result of a request."""
        message = self.reply(method, parameters)
        assert "result" in message, message
        if self.stateless:
            assert message["result"]["resultType"] == "complete", message
        return message["result"]

    def tools(self):
        tools = self.request("tools/list")["tools"]
        self.schemas = {tool["name"]: tool["outputSchema"] for tool in tools}
        return tools

    def call(self, name, **arguments):
        """The answer of a tool, which must be what the tool declares, and short."""
        result = self.request("tools/call", {"name": name, "arguments": arguments})
        assert self.length <= LONGEST, self.length
        text, = (part["text"] for part in result["content"])
        if result.get("isError"):
            assert "structuredContent" not in result
            raise Refused(text)
        answer = result["structuredContent"]
        assert json.loads(text) == answer
        if not self.schemas:
            self.tools()
        assert conforms(answer, self.schemas[name]) == []
        assert answer["shown"] == len(answer["rows"]) <= answer["total"]
        # The last of several pages has all that is left.
        is_last = "cursor" in arguments and "nextCursor" not in answer
        assert answer["truncated"] == (answer["shown"] < answer["total"] and not is_last)
        assert all(len(row) == len(answer["columns"]) for row in answer["rows"])
        return answer

    def table(self, name, **arguments):
        """The rows of an answer as dictionaries."""
        answer = self.call(name, **arguments)
        return [dict(zip(answer["columns"], row)) for row in answer["rows"]]


class Refused(Exception):
    """A call that the tool refused."""
