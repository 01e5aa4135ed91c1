"""`mcp` speaks both eras of the Model Context Protocol, and keeps to one message a line whatever it is sent."""
import json
import unittest

from assistants.client import HANDSHAKE, STATELESS, Client
from vault import OPEN, STRACE, CommandTest, ShippedTest, generated, run


class Protocol(CommandTest):
    def setUp(self):
        super().setUp()
        self.archive = generated().archive

    def client(self, **more):
        return self.enterContext(Client(self.archive, *OPEN, **more))

    def test_without_a_handshake(self):
        client = self.client()
        found = client.request("server/discover")
        self.assertIn(STATELESS, found["supportedVersions"])
        self.assertEqual((found["cacheScope"], found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"]),
                         ("private", "healthvault"))
        for method in "tools/list", "resources/list", "prompts/list", "resources/templates/list":
            listed = client.request(method)
            self.assertGreaterEqual(listed["ttlMs"], 0)
            self.assertEqual(listed["cacheScope"], "private")
        for method in "initialize/", "ping", "logging/setLevel":
            self.assertEqual(client.reply(method)["error"]["code"], -32601, method)
        refused = client.reply("tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": "1999-01-01",
                                                        "io.modelcontextprotocol/clientCapabilities": {}}})["error"]
        self.assertEqual((refused["code"], refused["data"]["requested"]), (-32022, "1999-01-01"))
        self.assertIn(STATELESS, refused["data"]["supported"])
        for meta in {}, {"io.modelcontextprotocol/protocolVersion": STATELESS}:
            self.assertEqual(client.reply("tools/list", {"_meta": meta})["error"]["code"], -32602)

    def test_with_a_handshake(self):
        client = self.client(stateless=False)
        self.assertEqual(client.greeting["protocolVersion"], HANDSHAKE)
        self.assertNotIn("resultType", client.greeting)
        self.assertEqual(client.request("ping"), {})
        self.assertEqual(client.call("overview")["archive"]["name"], self.archive.name)
        # A client of a later revision is offered the newest one with a handshake.
        greeting = client.request("initialize", {"protocolVersion": "2099-01-01", "capabilities": {},
                                                 "clientInfo": {"name": "test", "version": "1"}})
        self.assertEqual(greeting["protocolVersion"], HANDSHAKE)

    def test_tools_are_read_only_and_in_one_order(self):
        client = self.client()
        tools = client.tools()
        self.assertEqual(tools, client.tools())
        for tool in tools:
            self.assertEqual(tool["annotations"], {"readOnlyHint": True, "openWorldHint": False})
            self.assertFalse(tool["inputSchema"]["additionalProperties"])
            self.assertNotIn("sql", json.dumps(tool).lower())

    def test_resources_and_prompts(self):
        client = self.client()
        for resource in client.request("resources/list")["resources"]:
            read, = client.request("resources/read", {"uri": resource["uri"]})["contents"]
            self.assertEqual((read["uri"], read["mimeType"]), (resource["uri"], resource["mimeType"]))
            self.assertTrue(read["text"])
        self.assertEqual(client.reply("resources/read", {"uri": "file:///etc/passwd"})["error"]["code"], -32602)
        for prompt in client.request("prompts/list")["prompts"]:
            message, = client.request("prompts/get", {"name": prompt["name"]})["messages"]
            self.assertEqual(message["role"], "user")
        self.assertEqual(client.reply("prompts/get", {"name": "x"})["error"]["code"], -32602)

    def test_lines_that_are_no_requests(self):
        client = self.client()
        lines = [(b"{", -32700), (b"[]", -32600), (b"1", -32600), (b'{"id":1,"method":"ping"}', -32600),
                 (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600), (b"\xff", -32700),
                 (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600),
                 (b"[" * 100_000, -32700), (b" " * (3 << 20) + b"{}", -32600)]
        for line, code in lines:
            client.send_line(line)
            self.assertEqual(client.receive()["error"]["code"], code, line[:40])
        # Blank lines, notifications and responses get no reply.
        for line in (b"", b" ", b'{"jsonrpc":"2.0","method":"notifications/x"}', b'{"jsonrpc":"2.0","id":5,"result":{}}'):
            client.send_line(line)
        self.assertEqual(client.reply("tools/call", {"name": "x"})["error"]["code"], -32602)
        # An identifier comes back as it was sent.
        for identifier in "a\u2028\"b", "", 12345678901234567890:
            meta = {"io.modelcontextprotocol/protocolVersion": STATELESS, "io.modelcontextprotocol/clientCapabilities": {}}
            client.send({"jsonrpc": "2.0", "id": identifier, "method": "tools/list", "params": {"_meta": meta}})
            self.assertEqual(client.receive()["id"], identifier)
        self.assertEqual(client.close(), (0, ""))

    def test_a_cancelled_request_gets_no_answer(self):
        client = self.client()
        meta = {"io.modelcontextprotocol/protocolVersion": STATELESS, "io.modelcontextprotocol/clientCapabilities": {}}
        call = {"name": "quality", "arguments": {"type": "heartRate"}, "_meta": meta}
        for number in range(20):
            client.send({"jsonrpc": "2.0", "id": f"c{number}", "method": "tools/call", "params": call})
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "c19"}})
        last = {"name": "overview", "arguments": {}, "_meta": meta}
        client.send({"jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": last})
        answered = []
        while not answered or answered[-1] != "last": answered.append(client.receive()["id"])
        self.assertEqual(answered, [f"c{number}" for number in range(19)] + ["last"])

    def test_other_requests_do_not_wait_for_calls(self):
        client = self.client()
        meta = {"io.modelcontextprotocol/protocolVersion": STATELESS, "io.modelcontextprotocol/clientCapabilities": {}}
        call = {"name": "quality", "arguments": {"type": "heartRate"}, "_meta": meta}
        requests = [{"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call} for number in range(30)]
        requests.append({"jsonrpc": "2.0", "id": "list", "method": "tools/list", "params": {"_meta": meta}})
        client.send_line(b"\n".join(json.dumps(request).encode() for request in requests))
        answered = [client.receive()["id"] for _ in requests]
        self.assertLess(answered.index("list"), 20)
        self.assertEqual([name for name in answered if name != "list"], list(range(30)))

    def test_more_calls_than_may_wait_are_refused(self):
        client = self.client()
        meta = {"io.modelcontextprotocol/protocolVersion": STATELESS, "io.modelcontextprotocol/clientCapabilities": {}}
        call = {"name": "quality", "arguments": {"type": "heartRate"}, "_meta": meta}
        client.send_line(b"\n".join(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}).encode()
                                    for number in range(150)))
        replies = [client.receive() for _ in range(150)]
        self.assertEqual(sorted(reply["id"] for reply in replies), list(range(150)))
        refused = [reply["error"] for reply in replies if "error" in reply]
        self.assertTrue(refused)
        self.assertTrue(all(error["code"] == -32603 and "wait already" in error["message"] for error in refused))
        self.assertGreaterEqual(150 - len(refused), 32)
        self.assertEqual(client.call("overview")["archive"]["name"], self.archive.name)

    def test_standard_input_is_for_requests(self):
        for arguments in (["-"], [self.archive, "--passphrase-file", "-"], [self.archive, "--passphrase-fd", "0"]):
            self.vault("mcp", *arguments, status=2)
        self.vault("mcp", self.archive, "--passphrase-file", "/dev/null", status=2)
        self.assertEqual(self.vault("mcp", self.archive, *OPEN).stdout, b"")


class Shipped(ShippedTest):
    def test_no_connection_is_opened(self):
        requests = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "overview"}}]
        traced = run(*STRACE, "-e", "trace=%network,execve", self.program, "mcp", generated().zip,
                     input=b"".join(json.dumps(request).encode() + b"\n" for request in requests), cwd=self.folder)
        self.assertEqual(traced.status, 0, traced.stderr)
        self.assertEqual(len(traced.stdout.splitlines()), 2)
        self.assertNotRegex(traced.stderr, r"(?m)^.*(?:socket|connect)\(")


if __name__ == "__main__":
    unittest.main()
