"""A FHIR server that is kept in step with exports, through every fault that a server and a network have."""
import json
import random
import subprocess
import time
import unittest

import later_exports
from crafted import BoundedTest
from vault import BINARY, Waiting, environment, generated, run

from .fhir_server import FHIRServer
from .targets import FHIR, command, sync
from .test_targets import Exports


class FHIRServers(Waiting, BoundedTest):
    TYPES = ("--types", "stepCount,heartRate,bodyMass,bloodPressure")

    def setUp(self):
        super().setUp()
        self.target = FHIR(self.folder)
        self.addCleanup(self.target.close)
        self.server = self.target.server
        self.exports = Exports(self.folder, "60kB")

    def expected(self, source):
        """The identities of the samples that have a resource, by the changes since nothing."""
        empty = self.folder / "empty.xml"
        if not empty.exists():
            empty.write_text('<HealthData locale="en_GB">\n <ExportDate value="2020-01-01 00:00:00 +0000"/>\n</HealthData>\n')
        lines = self.vault("changes", source, "--since", empty, "--json", *self.TYPES).stdout.splitlines()[:-1]
        return sorted({json.loads(line)["id"].partition("-")[0] for line in lines})

    def check(self, source):
        self.assertEqual(sorted(self.server.identifiers()), self.expected(source))

    def test_one_export_after_the_other(self):
        state = self.folder / "state"
        run(*command(self.exports.first, self.target, "--dry-run", *self.TYPES), env=environment(XDG_STATE_HOME=str(state)))
        self.assertFalse(state.exists())
        dry = sync(self.exports.first, self.target, "--dry-run", *self.TYPES)
        self.assertGreater(dry["added"], 0)
        self.assertEqual(self.server.store.resources, {})
        sync(self.exports.first, self.target, *self.TYPES)
        self.check(self.exports.first)
        before = self.server.requests
        again = sync(self.exports.first, self.target, *self.TYPES)
        self.assertEqual((again["added"], again["updated"], again["deleted"]), (0, 0, 0))
        self.assertLess(self.server.requests - before, 20, "nothing is sent again")
        sync(self.exports.second, self.target, "--batch", "7", *self.TYPES)
        self.check(self.exports.second)
        sync(self.exports.second, self.target, "--restart", *self.TYPES)
        self.check(self.exports.second)

    def test_a_server_has_several_patients(self):
        other = self.folder / "other.xml"
        other.write_bytes(later_exports.read(generated("ordinary", "14", "60kB", "--seed", "2").zip))

        def resources():
            found = {}
            for held in self.server.store.resources.values():
                for resource in held.values():
                    subject = resource.get("subject", resource.get("patient", {})).get("reference")
                    found[subject] = found.get(subject, 0) + (subject is not None)
            return found
        sync(self.exports.first, self.target, "--subject", "Patient/a", *self.TYPES)
        alone = resources()
        self.assertEqual(sync(other, self.target, "--subject", "Patient/b", *self.TYPES)["deleted"], 0)
        both = resources()
        self.assertEqual(both["Patient/a"], alone["Patient/a"])
        self.assertGreater(both["Patient/b"], 0)
        # Samples that both have are a resource for each.
        sync(self.exports.first, self.target, "--subject", "Patient/c", *self.TYPES)
        self.assertEqual(resources(), both | {"Patient/c": alone["Patient/a"]})
        # Without a subject, the person is found among all.
        self.assertEqual(sync(other, self.target, *self.TYPES)["person"], "Patient/b")
        sync(self.exports.second, self.target, "--subject", "Patient/a", *self.TYPES)
        self.assertEqual(run(*command(other, self.target, "--person", "person-1234567890abcdef")).status, 2)
        self.assertEqual(resources()["Patient/b"], both["Patient/b"])

    def test_faults_at_every_request(self):
        sync(self.exports.first, self.target, *self.TYPES)
        count = self.server.requests
        for fault in ("cut", "lost", "500", "half", "twice", "slow", "503", "429"):
            # A server that asks for a second each time is asked less often.
            places = range(count) if fault not in ("429", "slow") else (0, count // 2)
            for place in list(places)[::max(1, len(places) // 4)]:
                self.server.store.__init__()
                self.server.faults = [None] * place + [fault]
                sync(self.exports.first, self.target, *self.TYPES)
                self.check(self.exports.first)

    def test_a_server_that_stays_away(self):
        self.server.faults = ["500"] * 1000
        result = run(*command(self.exports.first, self.target, *self.TYPES), timeout=120)
        self.assertEqual(result.status, 1)
        self.assertIn("HTTP status 500", result.stderr)

    def test_killed_at_any_instant(self):
        dice, kills, force = random.Random(3), 0, ("--allow-older", "--allow-deletions")
        for source in (self.exports.first, self.exports.second, self.exports.first):
            for _ in range(4):
                with subprocess.Popen(command(source, self.target, "--batch", "10", *force, *self.TYPES), env=environment(),
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                    try:
                        process.wait(dice.uniform(0, 0.4))
                    except subprocess.TimeoutExpired:
                        process.kill()
                        kills += 1
            time.sleep(0.1)
            sync(source, self.target, *force, *self.TYPES)
            self.check(source)
        self.assertGreater(kills, 0)

    def test_two_at_once(self):
        processes = [subprocess.Popen(command(self.exports.first, self.target, "--batch", "5", *self.TYPES),
                                      env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                     for _ in range(2)]
        results = [(process.communicate()[1], process.returncode) for process in processes]
        statuses = {status for _, status in results}
        self.assertTrue(0 in statuses and statuses <= {0, 11}, results)
        self.check(self.exports.first)

    # SECURITY.md: "To a server on another computer the connection is encrypted"
    def test_credentials_and_certificates(self):
        wrong = self.folder / "wrong"
        wrong.write_text("another-token")
        options, self.target.options = self.target.options, ("--token-file", wrong, *self.target.options[2:])
        result = run(*command(self.exports.first, self.target))
        self.assertEqual(result.status, 1)
        self.assertNotIn("another-token", result.stderr)
        location = self.target.url.replace("//", "//me:topsecret@")
        result = run(BINARY, "sync", self.exports.first, "--target", location)
        self.assertEqual(result.status, 2)
        self.assertNotIn("topsecret", result.stderr)
        # Without a token that can be read, or without the authority's certificate, nothing is sent.
        before = self.server.requests
        wrong.write_text("\n")
        self.target.options = ("--token-file", wrong, *options[2:])
        result = run(*command(self.exports.first, self.target))
        self.assertEqual((result.status, self.server.requests), (1, before), result.stderr)
        self.assertIn("no token", result.stderr)
        self.target.options = options[:2]
        result = run(*command(self.exports.first, self.target))
        self.assertEqual((result.status, self.server.requests), (75, before), result.stderr)
        self.assertIn("the certificate of the target is not trusted", result.stderr)
        self.assertIn("--ca-file", result.stderr)

    # SECURITY.md: "no error contains them or a health value"
    def test_what_a_server_says_is_not_repeated(self):
        self.server.store.transact = self.refuse
        result = run(*command(self.exports.first, self.target, *self.TYPES))
        self.assertEqual(result.status, 1)
        self.assertIn("HTTP status 422", result.stderr)
        self.assertNotIn("SECRET", result.stderr)
        self.assertNotIn(FHIRServer.TOKEN, result.stderr)

    def test_numbers_of_a_hostile_server(self):
        sync(self.exports.first, self.target, *self.TYPES)
        for anchor in self.server.store.resources["Basic"].values():
            if not anchor["identifier"][0]["system"].endswith(":anchor"):
                continue
            place, _, _ = anchor["identifier"][0]["value"].rpartition(".")
            anchor["identifier"][0]["value"] = f"{place}.{(1 << 63) - 1}"
        result = run(*command(self.exports.second, self.target, *self.TYPES))
        self.assertEqual(result.status, 13, result.stderr)
        self.assertIn("anchors in the target are damaged", result.stderr)

    def test_answers_that_are_far_too_large(self):
        for entry, link in (b"{},", b""), (b'{"resource":{"identifier":[' + b"{}," * 1000 + b"{}]}},", b""), (b"", b" " * (17 << 20)):
            def answer(request, *_, **__):
                text = (b'{"resourceType":"Bundle","type":"searchset","entry":[' + entry * ((1 << 20) // (len(entry) or 1 << 20))
                        + b"{}]" + link + b"}")
                request.send_response(200)
                request.send_header("Content-Length", str(len(text)))
                request.end_headers()
                request.wfile.write(text)
            self.server.answer = answer
            cost = self.cost(*command(self.exports.first, self.target, *self.TYPES)[1:])
            self.assertEqual(cost.status, 1, cost.stderr)
            self.assertIn("an answer that is too large", cost.stderr)
            self.assertLess(cost.memory, self.MEMORY)

    def test_a_resource_that_the_server_refuses_is_left_out(self):
        execute, odd = self.server.store.execute, self.expected(self.exports.first)[7]

        def strict(entry):
            from .fhir_server import Refusal
            if entry["request"]["method"] != "DELETE" and odd in str(entry):
                raise Refusal(422, "odd")
            return execute(entry)
        self.server.store.execute = strict
        result = run(*command(self.exports.first, self.target, *self.TYPES))
        self.assertEqual(result.status, 3, result.stderr)
        self.assertIn("1 sample left out", result.stderr)
        self.assertEqual(sorted(self.server.identifiers()),
                         [each for each in self.expected(self.exports.first) if each != odd])
        self.server.store.execute = execute
        self.assertEqual(sync(self.exports.first, self.target, *self.TYPES)["added"], 1)
        self.check(self.exports.first)

    def test_a_type_that_the_server_refuses_is_named_and_the_others_go_on(self):
        """Of the first type in the source nothing is taken, of the others everything; the next run tries it again."""
        execute = self.server.store.execute

        def strict(entry):
            from .fhir_server import Refusal
            if entry["request"]["method"] == "POST" and "HKQuantityTypeIdentifierHeartRate\"" in json.dumps(entry):
                raise Refusal(422, "heart rate 72", "invariant")
            return execute(entry)
        self.server.store.execute = strict
        result = run(*command(self.exports.first, self.target, *self.TYPES))
        self.assertEqual(result.status, 3, result.stderr)
        self.assertRegex(result.stderr, r"Heart Rate: [0-9]+ samples, HTTP status 422, invariant")
        self.assertNotIn("SECRET", result.stderr)
        self.assertIn("--exclude", result.stderr)
        self.assertLess(self.server.requests, 200)
        result = run(*command(self.exports.first, self.target, "--json", *self.TYPES))
        reasons = {kind["type"]: kind.get("reason") for kind in json.loads(result.stdout)["types"]}
        self.assertEqual((result.status, reasons), (3, {"HKQuantityTypeIdentifierHeartRate": "HTTP status 422, invariant"}))
        # Without the type everything is there, and nothing of it is asked for.
        excluded = sync(self.exports.first, self.target, "--exclude", "heartRate", *self.TYPES)
        self.assertEqual((excluded["added"], excluded["leftOut"]), (0, 0))
        self.server.store.execute = execute
        self.assertGreater(sync(self.exports.first, self.target, *self.TYPES)["added"], 0)
        self.check(self.exports.first)

    @staticmethod
    def refuse(_):
        from .fhir_server import Refusal
        raise Refusal(422, "heart rate 72")


if __name__ == "__main__":
    unittest.main()
