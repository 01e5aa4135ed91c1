"""The official client of the Model Context Protocol talks to `healthvault mcp`, in both eras."""
import asyncio
import json
import unittest

from inputs import COMMAND, Archive

from mcp import Client, StdioServerParameters

CALLS = [("overview", {}), ("list_types", {}), ("statistics", {"types": ["stepCount", "heartRate"], "by": "month"}),
         ("summary", {"by": "month"}), ("sleep", {}), ("workouts", {}), ("ecg", {}), ("samples", {"type": "heartRate"}),
         ("quality", {"type": "stepCount"}),
         ("compare", {"types": ["stepCount"], "a_from": "2020", "a_to": "2022", "b_from": "2023", "b_to": "2026"})]


class Assistant(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = Archive()

    async def talk(self, **options):
        server = StdioServerParameters(command=str(COMMAND), args=[
            "mcp", str(self.made.path), "--passphrase-file", str(self.made.secret)])
        async with Client(server, **options) as client:
            tools = (await client.list_tools()).tools
            self.assertEqual({name for name, _ in CALLS}, {tool.name for tool in tools})
            for name, arguments in CALLS:
                result = await client.call_tool(name, arguments)
                # The client has checked the answer against the schema of the tool.
                self.assertFalse(result.is_error, (name, result.content))
                self.assertEqual(json.loads(result.content[0].text), result.structured_content)
            self.assertTrue((await client.call_tool("statistics", {})).is_error)
            self.assertEqual(len((await client.list_prompts()).prompts), 3)
            self.assertTrue((await client.get_prompt("week")).messages)
            for resource in (await client.list_resources()).resources:
                self.assertTrue((await client.read_resource(resource.uri)).contents)

    def test_without_a_handshake(self):
        asyncio.run(self.talk())

    def test_with_a_handshake(self):
        asyncio.run(self.talk(mode="legacy"))


if __name__ == "__main__":
    unittest.main()
