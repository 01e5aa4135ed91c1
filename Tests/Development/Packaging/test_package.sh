#!/bin/bash
# Installs the package in a bare Debian 12 and 13, does what a person does first, upgrades and purges; runs the portable folder
# in a bare Debian 13, which has none of its libraries:  test_package.sh PACKAGES GENERATE
#
# Each system is made anew by mmdebstrap, from the mirror that this computer uses. In none of them is a Swift.
set -euo pipefail

packages=$(realpath "$1")
generate=$(realpath "$2")
deb=$(ls "$packages"/healthvault_*.deb)
portable=$(ls "$packages"/healthvault-*-linux-*.tar.xz)
mirror=$(apt-get indextargets --format '$(SITE)' | grep -m 1 debian.org || echo http://deb.debian.org)
work=$(mktemp -d /var/tmp/healthvault-package-XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT

"$generate" --output "$work/export.zip" --size 20MB
printf 'a passphrase for this test\n' > "$work/passphrase"

say() { printf '\n==> %s\n' "$*"; }

make_system() { # RELEASE
    say "a bare Debian $1"
    mmdebstrap --quiet --variant=minbase "$1" "$work/$1" "$mirror/debian"
    cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
    # What lies beside apt's own settings here, such as a proxy.
    cp -n /etc/apt/apt.conf.d/* "$work/$1/etc/apt/apt.conf.d/" 2> /dev/null || true
    mkdir -p "$work/$1/root/work"
    cp "$work/export.zip" "$work/passphrase" "$work/$1/root/work"
}

inside() { # RELEASE COMMAND...
    local system=$1
    shift
    chroot "$work/$system" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive sh -euc "cd /root/work; $*"
}

# The main job: encrypt, look, verify, ask, and get everything back.
first_minutes='
    healthvault version
    healthvault encrypt export.zip -o health.hvault --passphrase-file passphrase
    healthvault verify health.hvault --source export.zip --passphrase-file passphrase
    healthvault inspect health.hvault --passphrase-file passphrase | head -3
    healthvault stats health.hvault stepCount --by year --passphrase-file passphrase > steps
    test -s steps
    healthvault decrypt health.hvault -o health --passphrase-file passphrase
    (cd health && sha256sum --quiet -c SHA256SUMS)
    healthvault decrypt health.hvault -o back.zip --format apple-xml --passphrase-file passphrase
    healthvault help privacy > /dev/null
    rm -r health'

# The next version, which differs in nothing but its number.
next=$work/next
dpkg-deb --raw-extract "$deb" "$next"
sed -i 's/^Version: .*/&+next/' "$next/DEBIAN/control"
dpkg-deb --root-owner-group --build "$next" "$work/next.deb" > /dev/null

for release in bookworm trixie; do
    if ! make_system "$release"; then
        echo "no $release can be made from here" >&2
        exit 1
    fi
    cp "$deb" "$work/$release/root/healthvault.deb"
    cp "$work/next.deb" "$work/$release/root/next.deb"
    say "$release: install"
    start=$(date +%s.%N)
    inside "$release" 'apt-get update -q > /dev/null; apt-get install -q -y --no-install-recommends /root/healthvault.deb > install.log 2>&1 ||
        { tail -20 install.log; exit 1; }'
    inside "$release" "healthvault encrypt export.zip -o first.hvault --passphrase-file passphrase"
    printf '%s: from apt install to the first archive in %.1f s\n' "$release" "$(echo "$(date +%s.%N) - $start" | bc)"
    say "$release: the first minutes"
    inside "$release" "$first_minutes"
    inside "$release" 'ls /usr/share/man/man1/healthvault.1.gz > /dev/null 2>&1 || grep -q path-exclude /etc/dpkg/dpkg.cfg.d/* 2> /dev/null'
    say "$release: state of this version is read by the next, and the archive opens"
    inside "$release" 'mkdir -p /mnt/stick; healthvault destination add stick /mnt/stick;
        healthvault export export.zip --encrypt --to stick --passphrase-file passphrase;
        apt-get install -q -y --no-install-recommends /root/next.deb > install.log 2>&1; dpkg-query -W healthvault;
        healthvault history --to stick; healthvault destination list;
        healthvault verify health.hvault --passphrase-file passphrase'
    say "$release: purge"
    inside "$release" 'apt-get purge -q -y healthvault > install.log 2>&1;
        ! find / -xdev -path /proc -prune -o -path /root -prune -o -path /mnt -prune -o -path /var/log -prune \
            -o -iname "*healthvault*" -print | grep .'
    # Nobody loses an archive or their settings with the package.
    inside "$release" 'test -s health.hvault; test -d /root/.config/healthvault'
done

say "the portable folder in a bare Debian 13, without the package"
tar --extract --file "$portable" --directory "$work/trixie/opt"
inside trixie 'apt-get autoremove -q -y --purge > /dev/null 2>&1; rm -f *.hvault back.zip; PATH=$(echo /opt/healthvault-*/bin):$PATH;
    export PATH; ldd "$(command -v healthvault)"'"$first_minutes"
say "all of it works"
