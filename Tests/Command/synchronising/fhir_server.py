"""A FHIR server (R4) in memory, over HTTPS: what a synchronisation needs, strict, and with faults on demand."""
import base64
import copy
import http.server
import itertools
import json
import ssl
import subprocess
import threading
import time
import urllib.parse

try:
    from fhir.resources.R4B import construct_fhir_element
except ImportError:
    construct_fhir_element = None


class Refusal(Exception):
    def __init__(self, status, why, code="invalid"):
        super().__init__(why)
        self.status, self.code = status, code


class Store:
    """Resources by type and id, with searches by identifier and code, and transactions that happen or do not."""

    def __init__(self):
        self.resources, self.numbers = {}, itertools.count(1)

    @staticmethod
    def tokens(resource, name):
        if name == "identifier":
            return [(each.get("system", ""), each.get("value", "")) for each in resource.get("identifier", [])]
        return [(each.get("system", ""), each.get("code", ""))
                for each in resource.get("code", {}).get("coding", [])]

    def search(self, kind, query):
        """The resources of a type that meet all parameters, each with its id."""
        wanted = []
        for name, value in urllib.parse.parse_qsl(query):
            if name in ("identifier", "code"):
                wanted.append((name, [tuple(each.split("|", 1)) for each in value.split(",")]))
            elif not name.startswith("_"):
                raise Refusal(400, f"unknown parameter {name}")

        def meets(resource):
            return all(any(mine == (system, code) or not code and mine[0] == system
                           for mine in self.tokens(resource, name) for system, code in values)
                       for name, values in wanted)

        return [(identity, resource) for identity, resource in self.resources.get(kind, {}).items()
                if meets(resource)]

    def one(self, kind, query):
        if not query.startswith("identifier="):
            raise Refusal(400, "a condition that is no identifier")
        found = self.search(kind, query)
        if len(found) > 1:
            raise Refusal(412, "several matches")
        return found[0][0] if found else None

    def transact(self, bundle):
        if bundle.get("resourceType") != "Bundle" or bundle.get("type") != "transaction":
            raise Refusal(400, "no transaction")
        before = {kind: dict(held) for kind, held in self.resources.items()}
        try:
            conditions = [entry["request"].get("ifNoneExist") or entry["request"]["url"] for entry in bundle["entry"]]
            if len(set(conditions)) != len(conditions):
                raise Refusal(400, "two entries of one identity")
            order = {"DELETE": 0, "POST": 1, "PUT": 2}
            answers = [None] * len(bundle["entry"])
            for place, entry in sorted(enumerate(bundle["entry"]), key=lambda each: order[each[1]["request"]["method"]]):
                answers[place] = self.execute(entry)
            return {"resourceType": "Bundle", "type": "transaction-response",
                    "entry": [{"response": {"status": status}} for status in answers]}
        except BaseException:
            self.resources = before
            raise

    def execute(self, entry):
        request, resource = entry["request"], entry.get("resource")
        kind, _, query = request["url"].partition("?")
        if resource is not None:
            if resource.get("resourceType") != kind:
                raise Refusal(400, "another type than the URL's")
            if construct_fhir_element is not None:
                construct_fhir_element(kind, copy.deepcopy(resource))
        held = self.resources.setdefault(kind, {})
        match request["method"]:
            case "DELETE":
                identity = self.one(kind, query)
                held.pop(identity, None)
                return "204 No Content"
            case "POST":
                identity = self.one(kind, request["ifNoneExist"])
                if identity is not None:
                    return "200 OK"
                held[str(next(self.numbers))] = resource
                return "201 Created"
            case "PUT":
                identity = self.one(kind, query)
                if resource.get("id") not in (None, identity):
                    raise Refusal(400, "an id that is not that of the match")
                held[identity or str(next(self.numbers))] = resource
                return "200 OK" if identity else "201 Created"
            case method:
                raise Refusal(405, method)


class FHIRServer:
    """The server at a free port. `faults` has what happens to the next requests: a name, or None for nothing."""

    TOKEN = "a-token-of-the-tests"

    def __init__(self, folder):
        self.store, self.faults, self.requests, self.lock = Store(), [], 0, threading.Lock()
        self.authority = folder / "authority.pem"
        key = folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", key, "-out", self.authority, "-days", "2", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 20
            # Or each body waits for the other side to acknowledge its headers.
            disable_nagle_algorithm = True

            def do_GET(self):
                server.handle(self)

            do_POST = do_PUT = do_DELETE = do_GET

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.authority, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.base = f"https://127.0.0.1:{self.server.server_port}/fhir"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def handle(self, request):
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        with self.lock:
            self.requests += 1
            fault = self.faults.pop(0) if self.faults else None
            if fault == "cut":
                request.close_connection = True
                return request.connection.close()
            if fault in ("429", "503", "500"):
                return self.answer(request, int(fault), {"resourceType": "OperationOutcome"},
                                   {"Retry-After": "1"} if fault == "429" else {})
            try:
                status, answer = 200, self.respond(request, body)
                if fault == "twice":
                    self.respond(request, body)
            except Refusal as refusal:
                # What a real server says may quote values.
                status, answer = refusal.status, {"resourceType": "OperationOutcome",
                                                  "issue": [{"severity": "error", "code": refusal.code,
                                                             "diagnostics": f"SECRET VALUE {refusal}"}]}
        if fault == "slow":
            time.sleep(0.5)
        if fault == "lost":
            request.close_connection = True
            return request.connection.close()
        return self.answer(request, status, answer, half=fault == "half")

    @staticmethod
    def answer(request, status, resource, headers=(), half=False):
        text = json.dumps(resource).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/fhir+json")
        request.send_header("Content-Length", str(len(text)))
        for name, value in dict(headers).items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(text[:len(text) // 2] if half else text)
        if half:
            request.close_connection = True

    def respond(self, request, body):
        if request.headers.get("Authorization") != f"Bearer {self.TOKEN}":
            raise Refusal(401, "no token")
        path, _, query = request.path.partition("?")
        parts = path.strip("/").split("/")
        if parts[0] != "fhir":
            raise Refusal(404, path)
        if request.command == "POST" and len(parts) == 1:
            return self.store.transact(json.loads(body))
        if request.command == "POST" and parts[2:] == ["_search"]:
            return self.page(parts[1], body.decode(), 0)
        if request.command == "GET" and parts[1:] == ["_page"]:
            kind, start, original = json.loads(base64.urlsafe_b64decode(query))
            return self.page(kind, original, start)
        raise Refusal(404, path)

    def page(self, kind, query, start):
        found = self.store.search(kind, query)
        # A server may give fewer than it was asked for.
        count = min(int(dict(urllib.parse.parse_qsl(query)).get("_count", 10)), 150)
        bundle = {"resourceType": "Bundle", "type": "searchset", "total": len(found),
                  "link": [{"relation": "self", "url": self.base}],
                  "entry": [{"fullUrl": f"{self.base}/{kind}/{identity}", "resource": {**resource, "id": identity},
                             "search": {"mode": "match"}} for identity, resource in found[start:start + count]]}
        if start + count < len(found):
            place = base64.urlsafe_b64encode(json.dumps([kind, start + count, query]).encode()).decode()
            bundle["link"].append({"relation": "next", "url": f"{self.base}/_page?{place}"})
        if not bundle["entry"]:
            del bundle["entry"]
        return bundle

    def identifiers(self, system="urn:healthvault:sample"):
        """The values of all identifiers in a system, each as often as it occurs."""
        return [value for held in self.store.resources.values() for resource in held.values()
                for mine, value in Store.tokens(resource, "identifier") if mine == system]
