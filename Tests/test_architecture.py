"""The rules of the sources that no compiler knows: who imports whom, which files may do what, how long a file may be.

Regular expressions read the files; what a comment or a string says is no code. Where only some files may do a thing, they are
named without folder and suffix.
"""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# From the lowest to the highest: a module imports from its own group and from those below it.
GROUPS = ["SystemLibraries", "Ground", "Vault", "Model", "Formats", "Archive", "Answers", "Exports", "Readers", "Interface",
          "Development"]
FILES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for folder in ("Sources", "Tests")
         for path in sorted((ROOT / folder).rglob("*")) if path.suffix in {".swift", ".c", ".h", ".modulemap", ".py", ".md"}}
NO_CODE = re.compile(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//.*|/\*[\s\S]*?\*/')
CODE = {path: NO_CODE.sub('""', text) for path, text in FILES.items() if re.match(r"Sources/.*\.(swift|c|h)$", path)}
SWIFT = {path: code for path, code in CODE.items() if path.endswith(".swift")}
# Sources/GROUP/MODULE/..., Tests/GROUP/MODULETests/...
MODULES = {path.split("/")[2]: path.split("/")[1] for path in FILES
           if path.startswith("Sources/") and path.endswith((".swift", ".c", ".modulemap"))}
IMPORTS = {}
for path in FILES:
    if path.endswith(".swift"):
        IMPORTS.setdefault(path.split("/")[2], set()).update(re.findall(
            r"^(?:@\w+ )*(?:\w+ )?import (?:struct |class |enum |func )?(\w+)", CODE.get(path, FILES[path]), re.MULTILINE))
README, MANIFEST = (ROOT / "README.md").read_text("utf-8"), (ROOT / "Package.swift").read_text("utf-8")
# Swift that runs in the program, where names and lengths may be chosen by a stranger.
PRODUCT = "Formats/AppleHealthExport|Vault|Archive|Exports/(?!HealthSync)|Interface/(?!AssistantServer|HealthVaultC)"

# What only some files may do: what it is, the code, where it is looked for, and the files.
CALLS = [
    ("is unsafe", r"\bunsafe\b", "", """
        AES256GCM ArchiveFunctions ArrowBuffer ArrowExport ArrowStream BlobWriter ByteColumns CRC32 CallerArguments CallerExecutor
        CapsuleFunctions ConstantTime CurrentProcess Database DatabaseError Decimal FilesystemIdentity FolderChanges FuzzTool
        HKDFSHA512 HMACSHA512 HTTPConnection Inflate LineInput LockedPages Monitor OutputBytes PBKDF2 Passphrase
        PassphraseStrength PostgreSQLConnection Random RawBytes SHA256 Shell SipHashes SpanBytes Statement StreamFunctions
        Syscalls SystemClock SystemError TemporaryFolder Terminal WorkerThread ZipDirectory ZipFailure ZipMemberStream ZipWriter
        Zstandard"""),
    ("calls the network itself", r"\b(socket|connect|getaddrinfo)\s*\(", "", ""),
    ("reaches a server", r"\b(PostgreSQLConnection|FHIRTarget)\(", "", "PostgreSQLSession TargetLocation"),
    ("loads a library", r"\bdlopen\s*\(", "", "curl editline postgresql"),
    # Lengths come from files, directories and manifests. The exceptions are of bits, checksums, seconds and of what is in memory.
    ("adds lengths up where a sum that does not fit ends the program", r"\.reduce\((into: )?0", PRODUCT, """
        ContainerChain ZipSalvage ContainerFormat ContainerEntry TarHeader"""),
    ("declares a text for a terminal to be the program's own", r"\b(stringLiteral|stringInterpolation)\b", "Interface", ""),
    ("prints", r"(?<![.\w])(?<!func )(print|fputs|debugPrint|dump)\((?!\))|\.write\((?!&writer)(?!.*&writer)",
     "Interface/(?!AssistantServer|HealthVaultC)|Development/ExportGenerator",
     "Console ExportTarget SampleOutput"),
    ("makes a descriptor of a bare number", r"FileDescriptor\(inherited", "(?!Ground/SystemIO)", """
        AssistantServer CallGate Console DecryptCommand DocumentProbe InputLines PassphraseSource StageBenchmarks"""),
    ("changes a file by its path", r"import Glibc[\s\S]*(?<![.\w])(rename(at2?)?|unlink(at)?|rmdir|link(at)?|symlink|mkdir(at)?|"
     r"open(at)?|creat|truncate|chmod|nftw)\(|Glibc\.(rename|unlink|rmdir|link|mkdir|open)", "(?!Ground/SystemIO)",
     "Database ZipDirectory"),
    ("removes a folder by its path", r"\bFolder\.removeAll\(", "", "ExportTarget"),
    # Names of files are bytes. The exceptions are of attributes, members, options, types and sources of samples.
    ("has the name of a file as a text",
     r"(?<![.\w])(\w*(?<![a-z])(?i:path|name|file|folder|target|archive|source|entry|entrie)s?(?![a-z])\w*): "
     r"(\[|\(|some |any |inout |borrowing )*(String|Substring|StringProtocol|StaticString)\b(?![.(])",
     "Ground/SystemIO|Vault/VaultContainer|Archive/(?!HealthArchive/Stores)|Exports/(?!DriveExports|HealthSync)|"
     "Formats/AppleHealthExport/(Zip|Source)/", """
        ContainerEntry CurrentProcess ExportRecord FileRecord Inspector JSONPaths Manifest SubjectFacts VerificationReport"""),
]


class Modules(unittest.TestCase):
    def test_a_module_imports_from_its_group_and_from_those_below_it(self):
        for module, group in MODULES.items():
            for name in IMPORTS.get(module, ()):
                if name not in {"Glibc", "Synchronization", *MODULES}:
                    self.assertEqual((module, name), ("HealthModelFoundation", "FoundationEssentials"))
                elif name in MODULES:
                    self.assertLessEqual(GROUPS.index(MODULES[name]), GROUPS.index(group), f"{module} imports {name}")
                    self.assertNotEqual(name, "HealthModelFoundation", module)

    def test_a_module_of_c_is_imported_by_one_module(self):
        for name in set(MODULES) - set(IMPORTS):
            self.assertEqual(len([module for module in MODULES if name in IMPORTS.get(module, ())]), 1, name)

    def test_the_vault_knows_nothing_of_health(self):
        for module in ("VaultContainer", "VaultCrypto"):
            self.assertNotIn("CivilTime", IMPORTS[module])

    def test_only_synchronisation_reaches_the_libraries_that_open_sockets(self):
        for name in ("CCurl", "CPostgreSQL"):
            self.assertEqual([module for module in MODULES if name in IMPORTS.get(module, ())], ["HealthSync"])

    def test_a_module_declares_what_it_imports_and_nothing_else(self):
        rows = dict(re.findall(r"^    \w+/(\w+):?((?: +\w+| \\\n)*)$", MANIFEST, re.MULTILINE))
        self.assertLessEqual({*IMPORTS}, {*rows})
        for module in IMPORTS:
            imported = IMPORTS[module] & {*MODULES, *rows}
            self.assertEqual(set(rows[module].replace("\\", " ").split()), imported, module)

    def test_every_folder_is_declared_and_in_the_readme(self):
        rows = re.findall(r"^\| (\w+) \|.*\| ((?:`\w+` ?)+)\|$", README, re.MULTILINE)
        self.assertEqual([group for group, _ in rows], GROUPS[::-1])
        for group, names in rows:
            self.assertEqual(set(re.findall(r"\w+", names)), {path.name for path in (ROOT / "Sources" / group).iterdir()})
        for name in {*MODULES, *IMPORTS}:
            self.assertRegex(MANIFEST, rf'[/"]{name}\b')

    def test_one_import_of_healthvault_shows_all_that_a_program_needs(self):
        shown = set(re.findall(r"^@_exported public import (\w+)", "\n".join(
            code for path, code in SWIFT.items() if "/HealthVault/" in path), re.MULTILINE))
        needed = {name for name, group in MODULES.items() if group in ("Formats", "Archive", "Answers", "Exports")}
        self.assertEqual(needed - shown, {"Tables"})

    def test_the_folders_of_a_module_use_each_other_in_one_direction(self):
        for module in MODULES:
            files = {path: code for path, code in SWIFT.items() if path.split("/")[2] == module}
            homes = {}
            for path, code in files.items():
                for name in re.findall(r"^(?:\w+ )*(?:struct|class|enum|protocol|actor|typealias) (\w+)", code, re.MULTILINE):
                    homes.setdefault(name, set()).add(path.rpartition("/")[0])
            uses = {path.rpartition("/")[0]: set() for path in files}
            for path, code in files.items():
                # A name with two homes may be meant in either.
                for name in set(re.findall(r"\w+", code)) & set(homes):
                    uses[path.rpartition("/")[0]] |= homes[name] if len(homes[name]) == 1 else set()
            # Folders that use none but themselves go, until none is left.
            while free := [folder for folder in uses if not uses[folder] & set(uses) - {folder}]:
                for folder in free:
                    del uses[folder]
            self.assertEqual(uses, {}, "a circle of folders")


class Code(unittest.TestCase):
    def test_what_only_some_files_do(self):
        for what, pattern, place, names in CALLS:
            found = {Path(path).stem for path, code in CODE.items()
                     if re.match(f"Sources/({place})", path) and re.search(pattern, code)}
            with self.subTest(f"what {what}"):
                self.assertEqual(found, set(names.split()))

    def test_every_type_that_is_declared_is_listed(self):
        known = {path: code for path, code in SWIFT.items() if "/Types/Known/" in path}
        declared = [name for code in known.values() for name in re.findall(r"public static var (\w+): Self\b", code)]
        lists, = [code for path, code in known.items() if path.endswith("KnownTypes.swift")]
        listed = [name for part in re.findall(r": \[KnownType\] = \[([^]]*)\]", lists) for name in re.findall(r"\.(\w+)", part)]
        # An export has the rings of each day, though HealthKit has no type of samples for them.
        self.assertEqual(sorted(declared), sorted([*listed, "activitySummary"]))

    def test_every_public_error_says_what_it_means(self):
        errors = re.compile(r"public (?:struct|enum|final class) (\w+): [^{]*\bError\b")
        self.assertEqual([(path, name) for path, code in SWIFT.items() for name in errors.findall(code)
                          if "/Development/" not in path], [])


class Files(unittest.TestCase):
    def test_no_file_has_more_than_400_lines(self):
        self.assertEqual([path for path in CODE if path.startswith("Sources/") and FILES[path].count("\n") > 400], [])

    def test_nothing_is_named_for_being_of_use(self):
        empty = re.compile(r"(util|utils|utilities|helpers?|core|managers?)$")
        words = {re.split(r"_|(?<=[a-z])(?=[A-Z])", part.split(".")[0])[-1] for path in FILES for part in path.split("/")}
        self.assertEqual([word for word in words if empty.match(word.lower())], [])

    def test_nothing_is_left_to_do(self):
        self.assertEqual([path for path, text in FILES.items() if re.search("TO" "DO|FIX" "ME|XX" "X", text)], [])

    def test_what_can_be_seen_at_the_top_is_what_belongs_there(self):
        self.assertEqual(sorted(path.name for path in ROOT.iterdir() if not path.name.startswith(".")), [
            "Fixtures", "LICENSE", "Makefile", "Package.swift", "README.md", "SECURITY.md", "Sources", "Tests"])


class Documentation(unittest.TestCase):
    ARTICLES = [text for path, text in FILES.items() if path.startswith("Sources/") and path.endswith(".md")]

    def test_examples_are_compiled_and_run_as_tests(self):
        def lines(text):
            return "\n".join(line.strip() for line in text.splitlines() if line.strip())
        tests = "\n".join(lines(text) for path, text in FILES.items() if path.endswith("ExampleTests.swift"))
        examples = [example for text in self.ARTICLES for example in re.findall(r"```swift\n([\s\S]*?)```", text)]
        self.assertEqual([example for example in examples if lines(example) not in tests], [])

    def test_files_that_are_named_are_there(self):
        named = {name for text in self.ARTICLES for name in re.findall(r"`([^` *]+\.swift)`", text)}
        named -= {"Package.swift", "main.swift"}
        self.assertEqual([name for name in named if not any(path.endswith(f"/{name}") for path in FILES)], [])


if __name__ == "__main__":
    unittest.main()
