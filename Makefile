# What to do with this repository. `make` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help deps deps-test deps-bench build demo check test test-all bench bench-memory bench-stages bench-peers notebooks browsers fuzz soak sanitize-address sanitize-thread texts pictures docs format lint install fhir soak-sync crash-states same-answers library wheel deb portable test-package reproduce assistants python spark clean

# Where `make install` puts the command: $(PREFIX)/bin.
PREFIX ?= /usr/local
# One of the programs, where only that is to be built.
PRODUCT ?=
# Megabytes of XML that `make bench` generates, and how often it runs everything. LARGE=1 measures memory as well.
SIZE ?= 100
ROUNDS ?= 7
LARGE ?=
# What `make fuzz` lets libFuzzer loose on, and for how long.
TARGET ?= scanner
SECONDS ?= 60
# How many exports `make soak` kills.
KILLS ?= 500
# How many states of each command and file system `make crash-states` tries.
STATES ?= 200
# The folder with the programs of another build, which `make same-answers` compares with.
WITH ?=
# Swift's libraries and that of C++ go into the program: so it starts faster, and runs where no Swift is installed. Other
# libraries are not looked for in the folder where the program lies, which may be one of downloads.
STATIC_FOLDER := $(CURDIR)/.build/static
# Package.swift has unsafe flags for make alone.
export HEALTHVAULT_MAKE = 1
RELEASE_BUILD := swift build -c release --static-swift-stdlib --disable-local-rpath
# Forty thousand addresses in a program have to be adjusted when it starts. The form that glibc reads since 2.36 takes a megabyte
# less; the portable folder is for older ones, too.
SHORT_RELOCATIONS := $(shell getconf GNU_LIBC_VERSION | awk '{ split($$2, v, "."); if (v[1] > 2 || v[1] == 2 && v[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
BUILD := $(RELEASE_BUILD) -Xlinker -L$(STATIC_FOLDER) $(SHORT_RELOCATIONS)
PACKAGES := .build/packages
LIBRARY_FOLDER := .build/library
PACKAGING := Sources/Development/Packaging
# One set of products for all tests. The modules are optimised as they are for use, because the tests generate megabytes
# and read them in many ways: without, they run three times as long. The tests themselves are not (Package.swift), because
# it takes longer to optimise them than to run them. Some Swift tests look into their module, for which it is compiled with
# -enable-testing: that is why these products lie apart from those for use. The tests of the commands run the programs that
# lie there too; everything built a second time would cost two minutes.
TEST_FOLDER := .build/tests
TEST_BUILD := swift build -c release --build-tests --disable-local-rpath --scratch-path $(TEST_FOLDER) -Xswiftc -enable-testing
# The system's Python, because that is the one that sees the packages below.
PYTHON ?= /usr/bin/python3

BUILD_PACKAGES := libssl-dev libisal-dev libzstd-dev libzip-dev libsqlite3-dev libutf8proc-dev libzxcvbn-dev libblkid-dev libedit-dev pkg-config
TEST_PACKAGES := tzdata python3 python3-cryptography python3-zstandard libxml2-utils zstd strace unzip zip tar par2 gcc libc6-dev binutils dosfstools exfatprogs exfat-fuse librsvg2-bin chromium chromium-driver python3-selenium openssl postgresql libpq5 libcurl4 mandoc man-db groff-base fish
DOCS_PACKAGES := mandoc
PACKAGE_PACKAGES := dpkg-dev binutils xz-utils lintian mmdebstrap
BENCH_PACKAGES := python3 gcc libc6-dev binutils zlib1g-dev libxml2-dev libexpat1-dev libxml2-utils unzip zstd age sqlite3
SWIFT_FILES := Package.swift Sources Tests

# Installs those of the Debian packages $(1) that are missing, and touches nothing if none is.
define install_packages
	if ! command -v dpkg > /dev/null; then
	    echo "not Debian or Ubuntu; make sure that what these packages bring is there: $(1)" >&2
	else
	    missing=()
	    for package in $(1); do
	        [[ "$$(dpkg -s "$$package" 2> /dev/null || true)" == *"Status: install ok installed"* ]] || missing+=("$$package")
	    done
	    if (( $${#missing[@]} )); then
	        as_root=()
	        if (( EUID )); then as_root=(sudo); fi
	        "$${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
	        "$${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
	            apt-get install -q -y --no-install-recommends "$${missing[@]}"
	    fi
	fi
endef

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## Install the Debian packages that a build needs and that are missing
	@if ! command -v swift > /dev/null; then
	    echo "Swift 6.3 or later is missing: https://www.swift.org/install/linux/" >&2
	    exit 1
	fi
	$(call install_packages,$(BUILD_PACKAGES))

deps-test: deps ## The same, and what the tests need
	@$(call install_packages,$(TEST_PACKAGES))

deps-bench: deps ## The same as deps, and the peers of the benchmark
	@$(call install_packages,$(BENCH_PACKAGES))

build: deps static-folder ## Build everything for use: .build/release/healthvault
	$(BUILD) $(if $(PRODUCT),--product $(PRODUCT))

# The library of C++ alone: others come from the system, which keeps them up to date.
static-folder:
	@mkdir -p $(STATIC_FOLDER)
	ln -sf "$$(clang -print-file-name=libstdc++.a)" $(STATIC_FOLDER)/

demo: deps static-folder ## Encrypt a generated export, look at it, decrypt and verify it
	@for product in healthvault-generate healthvault; do $(BUILD) --product "$$product"; done
	folder=$$(mktemp -d)
	trap 'rm -rf "$$folder"' EXIT
	export PATH="$(CURDIR)/.build/release:$$PATH"
	cd "$$folder"
	exec 2>&1
	run() {
	    printf '\n$$ %s\n' "$$*"
	    "$$@"
	}
	run healthvault-generate --output export.zip --size 20MB
	echo 'a passphrase for the demo only' > passphrase.txt
	chmod 600 passphrase.txt
	run healthvault export export.zip --encrypt --output health.hvault --passphrase-file passphrase.txt
	run healthvault inspect health.hvault --passphrase-file passphrase.txt
	run healthvault decrypt health.hvault --output health --passphrase-file passphrase.txt
	run ls health
	run healthvault decrypt health.hvault --format sqlite,apple-xml --types group:heart,workout --output part --passphrase-file passphrase.txt
	run ls part
	run healthvault verify health.hvault --source export.zip --passphrase-file passphrase.txt
	printf '\nAll of it was in %s, which is removed now.\n' "$$folder"

# Shows what is run.
define runner
	run() {
	    printf '\n==> %s\n' "$$*"
	    "$$@"
	}
	export HEALTHVAULT_PROGRAMS=$(CURDIR)/$(TEST_FOLDER)/release
endef

# A key that was derived for one test is there for the next one.
define swift_tests
	keys=$$(mktemp -d)
	trap 'rm -rf "$$keys"' EXIT
	run env HEALTHVAULT_TEST_DERIVATIONS="$$keys" swift test --skip-build -c release --scratch-path $(TEST_FOLDER) --disable-xctest
endef

check: deps-test ## Run a part of the tests in a few minutes: format, Swift tests, a first file of each folder of command tests
	@$(runner)
	run swift format lint --strict --recursive $(SWIFT_FILES)
	run $(PYTHON) Tests/test_architecture.py
	run $(TEST_BUILD)
	$(swift_tests)
	run $(PYTHON) Tests/Command/workers.py --first

# The Spark source in an environment of its own, with the library of the tests' build.
define spark_environment
	if [[ ! -x .build/spark/venv/bin/python ]]; then $(PYTHON) -m venv .build/spark/venv; fi
	.build/spark/venv/bin/pip install --quiet wheel
	.build/spark/venv/bin/pip install --quiet pyspark==4.3.0 pyarrow==26.0.1
endef
define spark_source
	run $(PACKAGING)/library.sh $(TEST_FOLDER)/release .build/spark/library
	wheel=$$($(PYTHON) Sources/Readers/PythonPackage/wheel.py .build/spark/library .build/spark)
	run .build/spark/venv/bin/pip install --quiet --force-reinstall --no-deps "$$wheel"
endef

# Each of them leaves a processor idle most of the time. What those of the browser print comes when they have ended.
define reader_tests
	folder=$$(mktemp -d)
	run exec $(PYTHON) -m unittest discover -s Tests/Readers/Browser -t Tests/Readers/Browser > "$$folder/browser" 2>&1 &
	browser=$$!
	trap 'kill "$$browser" 2> /dev/null || true; rm -rf "$$folder"' EXIT
	run $(PYTHON) -m unittest discover -s Tests/Readers/Python -t Tests/Readers/Python
	run $(PYTHON) -m unittest discover -s Tests/Readers/PythonPackage -t Tests/Readers/PythonPackage
	wait "$$browser" || { cat "$$folder/browser"; exit 1; }
	cat "$$folder/browser"
	rm -rf "$$folder"
endef

test: deps-test ## Run all tests, as continuous integration does, of long sweeps a part: SEED=1; Spark's once make spark has installed it
	@$(runner)
	run swift format lint --strict --recursive $(SWIFT_FILES)
	run $(PYTHON) Tests/test_architecture.py
	run $(TEST_BUILD)
	$(reader_tests)
	run $(PYTHON) Tests/Command/workers.py
	if command -v java > /dev/null && [[ -x .build/spark/venv/bin/python ]]; then
	    $(spark_source)
	    run .build/spark/venv/bin/python -m unittest discover -s Tests/Development/Spark -t Tests/Development/Spark -p test_two_archives.py
	else
	    echo "Spark is not tested: make spark installs Java and PySpark" >&2
	fi
	$(swift_tests)

test-all: export HEALTHVAULT_TEST_ALL = 1
test-all: test ## Run all tests, and all cases of long sweeps

bench: build deps-bench ## Measure healthvault beside its peers; SIZE=1000 (MB of XML) is the one that counts; LARGE=1
	@$(PYTHON) Tests/Development/Bench/bench.py --size $(SIZE) --rounds $(ROUNDS)
	if [[ -n "$(LARGE)" ]]; then $(PYTHON) Tests/Development/Bench/bench.py --memory; fi

bench-memory: build deps-bench ## Measure the peak of memory at 100 MB, 1 GB and 10 GB; takes 14 GB of disk
	@$(PYTHON) Tests/Development/Bench/bench.py --memory

bench-stages: build ## Time each stage of an export of SIZE MB by itself; ROUNDS=7
	@mkdir -p .build/bench
	.build/release/healthvault-generate --output .build/bench/stages.zip --size $(SIZE)MB --overwrite
	.build/release/StageBenchmarks .build/bench/stages.zip --rounds $(ROUNDS)
	rm .build/bench/stages.zip

bench-peers: deps-bench ## Install healthkit-to-sqlite into .build, to be measured as well; needs the network
	@$(call install_packages,python3-venv)
	$(PYTHON) -m venv .build/bench/venv
	.build/bench/venv/bin/pip install --quiet healthkit-to-sqlite==1.0.1

notebooks: build ## Read what the formats hold with DuckDB, pandas and Datasette, and compare every value; needs the network
	@$(call install_packages,python3-venv)
	$(PYTHON) -m venv .build/notebooks/venv
	.build/notebooks/venv/bin/pip install --quiet duckdb pandas datasette
	.build/notebooks/venv/bin/python Tests/Development/Notebooks/read_formats.py .build/release/healthvault .build/release/healthvault-generate

# Firefox by its own protocol, WebKitGTK by its driver; both need no screen but xvfb's.
browsers: deps-test ## Test the page in Firefox and WebKitGTK as well, and page and report with axe; needs the network
	@$(call install_packages,python3-venv firefox-esr webkit2gtk-driver xvfb xauth)
	$(PYTHON) -m venv --system-site-packages .build/browsers/venv
	.build/browsers/venv/bin/pip install --quiet marionette-driver==3.7.1
	.build/browsers/venv/bin/pip install --quiet --no-deps axe-playwright-python==0.1.8
	$(runner)
	run $(TEST_BUILD)
	tests=Tests/Readers/Browser
	for browser in chromium firefox webkit; do
	    export HEALTHVAULT_BROWSER=$$browser
	    run xvfb-run -a .build/browsers/venv/bin/python -W ignore -m unittest discover -s "$$tests" -t "$$tests"
	done
	unset HEALTHVAULT_BROWSER
	run .build/browsers/venv/bin/python -W ignore "$$tests/accessibility.py"

fhir: build ## Validate FHIR resources of all types with two validators that are not ours; needs the network
	@$(call install_packages,python3-venv)
	$(PYTHON) -m venv .build/fhir/venv
	.build/fhir/venv/bin/pip install --quiet fhir.resources==8.3.0 fhirkit-rs==0.1.0 ucumvert==0.3.2
	.build/fhir/venv/bin/python Tests/Development/FHIR/validate.py .build/release/healthvault .build/release/healthvault-generate

assistants: build ## Talk to `healthvault mcp` with the official client of the protocol; needs the network
	@$(call install_packages,python3-venv)
	$(PYTHON) -m venv .build/assistants/venv
	.build/assistants/venv/bin/pip install --quiet mcp==2.3.0
	.build/assistants/venv/bin/python Tests/Development/Assistants/test_assistant.py .build/release

python: deps-test ## Test the Python package with pyarrow, pandas, polars and DuckDB; SIZE=1000 also measures it; needs the network
	@$(call install_packages,python3-venv)
	rm -rf .build/python/venv
	$(PYTHON) -m venv .build/python/venv
	.build/python/venv/bin/pip install --quiet pyarrow==26.0.1 pandas polars duckdb
	$(runner)
	run $(TEST_BUILD)
	run $(PACKAGING)/library.sh $(TEST_FOLDER)/release .build/python/library
	wheel=$$($(PYTHON) Sources/Readers/PythonPackage/wheel.py .build/python/library .build/python)
	run .build/python/venv/bin/pip install --quiet "$$wheel"
	run .build/python/venv/bin/python -m unittest discover -s Tests/Development/PythonPackage -t Tests/Development/PythonPackage
	if [[ "$(origin SIZE)" == "command line" ]]; then
	    run .build/python/venv/bin/python Tests/Development/PythonPackage/measure.py --programs $(TEST_FOLDER)/release --size $(SIZE)MB
	fi

spark: deps-test ## Test the Spark source on clusters on loopback; ARCHIVES=1000 also measures it with so many; needs the network
	@$(call install_packages,default-jre-headless python3-venv)
	$(spark_environment)
	$(runner)
	run $(TEST_BUILD)
	$(spark_source)
	run .build/spark/venv/bin/python -m unittest discover -s Tests/Development/Spark -t Tests/Development/Spark
	if [[ -n "$(ARCHIVES)" ]]; then
	    study=$$(mktemp -d -p /var/tmp)
	    trap 'rm -rf "$$study"' EXIT
	    run $(PYTHON) Tests/Development/Spark/study.py "$$study" --programs $(TEST_FOLDER)/release --archives $(ARCHIVES) \
	        --size 40MB --sources 10
	    counts=$$(printf '%s\n' 100 300 1000 | awk '$$1 < $(ARCHIVES)' | paste -sd, -)
	    run .build/spark/venv/bin/python Tests/Development/Spark/measure.py "$$study" --programs $(TEST_FOLDER)/release \
	        --archives "$${counts:+$$counts,}$(ARCHIVES)"
	fi

fuzz: deps-test build ## Fuzz a reader: TARGET=scanner, zip, container, recover, header, index, tar, batch, ndjson, manifest, samples, electrocardiogram; SECONDS=60
	@export HEALTHVAULT_FUZZ=1 SWIFT_BACKTRACE=enable=no FUZZ_TARGET=$(TARGET)
	# The variable SECONDS is the shell's own.
	swift build --scratch-path .build/fuzz -c release --product FuzzTargets
	$(PYTHON) Tests/Development/Fuzz/make_corpora.py .build/fuzz/corpora
	export FUZZ_CONTAINER=.build/fuzz/corpora/container.hvault
	mkdir -p .build/fuzz/findings/$(TARGET) .build/fuzz/corpora/$(TARGET)
	.build/fuzz/release/FuzzTargets .build/fuzz/corpora/$(TARGET) \
	    -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
	    -artifact_prefix=.build/fuzz/findings/$(TARGET)/

soak: deps-test build ## Kill exports at random instants: KILLS=500
	$(PYTHON) Tests/Development/Soak/soak.py $(KILLS)

soak-sync: deps-test build ## Kill synchronisations with each target at random instants: KILLS=500
	$(PYTHON) Tests/Development/Soak/sync_soak.py $(KILLS)

crash-states: deps-test build ## Try what a power loss may leave of each command that writes, and repeat the command: STATES=200
	$(PYTHON) Tests/Development/CrashStates/crash_states.py --states $(STATES)

same-answers: deps-test ## Compare what two builds answer to the same commands: WITH=FOLDER with the programs of the other one
	@$(runner)
	run $(TEST_BUILD)
	run $(PYTHON) Tests/Development/SameAnswers/same_answers.py --with "$(WITH)"

sanitize-address: deps-test ## Run the Swift tests under the address sanitizer
	SWIFT_BACKTRACE=enable=no swift test --sanitize=address --disable-xctest --scratch-path .build/address \
	    -Xswiftc -use-ld=lld

sanitize-thread: deps-test ## Run the Swift tests under the thread sanitizer
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Development/Sanitizers/thread.supp SWIFT_BACKTRACE=enable=no \
	    swift test --sanitize=thread --disable-xctest --scratch-path .build/thread -Xswiftc -use-ld=lld

texts: build ## Print everything that the command says, as one document
	@$(PYTHON) Tests/Command/command_line/texts.py .build/release/healthvault

pictures: build ## Make the pictures of the documentation anew, from generated data
	@folder=$$(mktemp -d)
	trap 'rm -rf "$$folder"' EXIT
	.build/release/healthvault-generate --output "$$folder/export.zip" --size 10MB --years 2 --shape watchAndPhone --seed 7
	draw() {
	    .build/release/healthvault "$${@:2}" -o "$$folder/$$1"
	    install -m 644 "$$folder/$$1" Sources/Interface/HealthVault/HealthVault.docc/Resources/
	}
	draw chart.svg chart "$$folder/export.zip" stepCount heartRate --by week
	draw chart-sleep.svg chart "$$folder/export.zip" sleepAnalysis --by week
	draw chart-hours.svg chart "$$folder/export.zip" stepCount --by hour-of-week
	draw ecg.svg ecg show "$$folder/export.zip" 1

docs: build ## Build the documentation into .build/site, a folder of plain pages
	@$(call install_packages,$(DOCS_PACKAGES))
	# It fails for the modules that run the tests, which have nothing public; a graph that is needed is missed below.
	swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members > .build/symbolgraph.log 2>&1 || true
	rm -rf .build/documentation
	mkdir -p .build/documentation/manual
	.build/release/healthvault manual | while read -r page; do
	    .build/release/healthvault manual "$$page" > ".build/documentation/manual/$$page"
	done
	for catalogue in Sources/*/*/*.docc; do
	    module=$$(basename "$$catalogue" .docc)
	    graphs=.build/documentation/graphs/$$module
	    mkdir -p "$$graphs"
	    cp .build/*/symbolgraph/$$module.symbols.json "$$graphs"
	    folder=.build/documentation/catalogues/$$module.docc
	    mkdir -p "$$(dirname "$$folder")"
	    cp -r "$$catalogue" "$$folder"
	    # Links that any reader of Markdown follows become those of DocC, which has the titles of its pages.
	    sed -i -E 's/\[[^]]*\]\((\.\.\/)*(\w+)\.md\)/<doc:\2>/g; s/<doc:SECURITY>/<doc:Security>/g' "$$folder"/*.md
	    if [[ $$module == HealthVault ]]; then $(PYTHON) Sources/Development/DocumentationSite/security.py > "$$folder/Security.md"; fi
	    docc convert "$$folder" --additional-symbol-graph-dir "$$graphs" --warnings-as-errors \
	        --fallback-display-name "$$module" --fallback-bundle-identifier "$$module" \
	        --output-path ".build/documentation/$$module.doccarchive"
	done
	rm -rf .build/documentation/graphs
	$(PYTHON) Sources/Development/DocumentationSite/site.py .build/documentation .build/site
	$(PYTHON) Sources/Development/DocumentationSite/links.py .build/site

format: ## Format all Swift files in place
	swift format --in-place --recursive $(SWIFT_FILES)

lint: ## Complain about Swift files that are not formatted
	swift format lint --strict --recursive $(SWIFT_FILES)

install: build ## Install to PREFIX=/usr/local: the command, its manual, completions, systemd units, readers
	$(PACKAGING)/install.sh .build/release/healthvault "$(PREFIX)" "$(DESTDIR)"

library: build ## Link the shared library for C and other languages: .build/library/libhealthvault.so and healthvault.h
	$(PACKAGING)/library.sh .build/release $(LIBRARY_FOLDER) $(STATIC_FOLDER)

wheel: library ## Make the wheel of the Python package, with the library inside, in .build/packages
	@$(PYTHON) Sources/Readers/PythonPackage/wheel.py $(LIBRARY_FOLDER) $(PACKAGES)

deb: build ## Make the Debian package, the source tarball, the list of parts and their digests in .build/packages
	@$(call install_packages,$(PACKAGE_PACKAGES))
	$(PACKAGING)/debian.sh .build/release/healthvault $(PACKAGES) $(STATIC_FOLDER)/*.a
	lintian --fail-on error,warning,info $(PACKAGES)/healthvault_*.deb

portable: build ## Make a folder for other distributions, as a tarball in .build/packages
	@$(call install_packages,$(PACKAGE_PACKAGES))
	folder=$(CURDIR)/.build/portable
	$(PACKAGING)/static_libraries.sh "$$folder"
	# The old form of the path, which libraries use as well to find each other.
	PKG_CONFIG_PATH="$$folder/pkgconfig" $(RELEASE_BUILD) -Xlinker "-L$$folder/lib" -Xlinker --disable-new-dtags \
	    -Xlinker '-rpath=$$ORIGIN/../lib/healthvault' --product healthvault
	cp .build/release/healthvault "$$folder/healthvault"
	# The program for this system is linked again.
	$(BUILD) --product healthvault
	$(PACKAGING)/portable.sh "$$folder/healthvault" $(PACKAGES) "$$folder"/lib/*.a

test-package: deb portable ## Try both in bare systems: Debian 12 and 13; needs the network and root
	Tests/Development/Packaging/test_package.sh $(PACKAGES) .build/release/healthvault-generate

reproduce: deps ## Build one commit in two folders, and compare program and package byte by byte
	@$(call install_packages,$(PACKAGE_PACKAGES))
	$(PACKAGING)/reproduce.sh .build/reproduce

clean: ## Remove what was built
	rm -rf .build
	find Tests -name __pycache__ -type d -prune -exec rm -rf {} +
