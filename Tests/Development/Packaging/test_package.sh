#!/bin/bash
# Installs the package in a bare Debian 12 and 13, does what a person does first, upgrades and purges; runs the portable folder
# in a bare Debian 13, which has none of its libraries:  test_package.sh PACKAGES GENERATE
#
# Each system is made anew by mmdebstrap, from DEBIAN_MIRROR. In none of them is a Swift.
set -euo pipefail

packages=$(realpath "$1")
generate=$(realpath "$2")
deb=$(ls "$packages"/healthvault_*.deb)
portable=$(ls "$packages"/healthvault-*-linux-*.tar.xz)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d -p /var/tmp)
end() {
    for system in bookworm trixie; do umount "$work/$system/proc" "$work/$system/mnt/stick" 2> /dev/null || true; done
    rm -rf --one-file-system "$work"
}
trap end EXIT

"$generate" --output "$work/export.zip" --size 20MB
printf 'a passphrase for this test\n' > "$work/passphrase"

say() { printf '\n==> %s\n' "$*"; }

make_system() { # RELEASE
    say "a bare Debian $1"
    mmdebstrap --quiet --variant=minbase "$1" "$work/$1" "$mirror"
    cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
    # What lies beside apt's own settings here, such as a proxy.
    cp -n /etc/apt/apt.conf.d/* "$work/$1/etc/apt/apt.conf.d/" 2> /dev/null || true
    # The program reads its arguments as bytes there.
    mount -t proc proc "$work/$1/proc"
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

release=bookworm
make_system "$release"
cp "$deb" "$work/$release/root/healthvault.deb"
cp "$work/next.deb" "$work/$release/root/next.deb"
inside "$release" 'apt-get update -q > /dev/null'
say "$release: install"
start=$(date +%s%N)
inside "$release" 'apt-get install -q -y --no-install-recommends /root/healthvault.deb > install.log 2>&1 ||
    { tail -20 install.log; exit 1; }
    healthvault encrypt export.zip -o first.hvault --passphrase-file passphrase'
echo "$release: from apt install to the first archive in $((($(date +%s%N) - start) / 1000000)) ms"
say "$release: the first minutes"
inside "$release" "$first_minutes"
say "$release: a crash writes no core"
inside "$release" 'ulimit -c unlimited; mkfifo pipe; sleep 5 > pipe &
    healthvault verify health.hvault --passphrase-file - < pipe & sleep 1; kill -SEGV $!; wait $! || test $? = 139;
    ! ls core* 2> /dev/null; rm pipe'
say "$release: the next version reads what this one has stored, and opens its archives"
mkdir "$work/$release/mnt/stick"
mount -t tmpfs tmpfs "$work/$release/mnt/stick"
inside "$release" 'healthvault destination add stick /mnt/stick;
    healthvault export export.zip --encrypt --to stick --passphrase-file passphrase;
    apt-get install -q -y --no-install-recommends /root/next.deb > install.log 2>&1; dpkg-query -W healthvault;
    healthvault destination history stick; healthvault destination list;
    healthvault verify health.hvault --passphrase-file passphrase'
say "$release: purge leaves nothing of the package, and all that is the user's"
inside "$release" 'apt-get purge -q -y healthvault > install.log 2>&1;
    ! find / -xdev -path /proc -prune -o -path /root -prune -o -path /mnt -prune -o -path /var/log -prune \
        -o -iname "*healthvault*" -print | grep .
    test -s health.hvault; test -d .config/healthvault || test -d /root/.config/healthvault'

make_system trixie
cp "$deb" "$work/trixie/root/healthvault.deb"
say "trixie: the package of Debian 12"
if inside trixie 'apt-get update -q > /dev/null; apt-get install -q -y --no-install-recommends /root/healthvault.deb' \
    > "$work/trixie.log" 2>&1; then
    inside trixie "$first_minutes"
    inside trixie 'apt-get purge -q -y --autoremove healthvault > /dev/null'
else
    # Debian 13 has other versions of libzip and utf8proc under other names: a package for it is built there.
    grep -i "depends" "$work/trixie.log" || { cat "$work/trixie.log"; exit 1; }
    echo "trixie: not installable, as expected: libraries of Debian 12 are missing"
fi

say "the portable folder in a bare Debian 13, without the package"
tar --extract --file "$portable" --directory "$work/trixie/opt"
inside trixie 'rm -f *.hvault back.zip; PATH=$(echo /opt/healthvault-*/bin):$PATH; export PATH
    ldd "$(command -v healthvault)"; du -sh /opt/healthvault-*'"$first_minutes"
say "all of it works"
