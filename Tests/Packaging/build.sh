#!/bin/bash
# Builds a package of the release build in .build/packages. Two builds of one commit are equal.
#
# usage: Tests/Packaging/build.sh deb|tarball
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C TZ=UTC
umask 022

binary=${BINARY:-.build/release/datactl}
version=$(sed -n 's/.* static let version = "\(.*\)"/\1/p' Sources/ClientCore/Client.swift)
# The time of all files is that of the commit.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
packages=$PWD/.build/packages
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$packages"

# stage PREFIX: installs what both packages contain into the folder PREFIX.
stage() {
  local prefix=$1 documents=$1/share/doc/datactl
  make --no-print-directory install-files BINARY="$binary" DESTDIR= PREFIX="$prefix" >/dev/null
  install -D -m 644 Tests/Packaging/datactl.service "$prefix/lib/systemd/system/datactl.service"
  install -D -m 644 Tests/Packaging/copyright "$documents/copyright"
  install -m 644 CHANGELOG.md README.md "$documents/"
  cp -R Tests/Examples "$documents/examples"
  # A link to a file that is not in the package becomes text. Paths of the source tree become those
  # of the package.
  sed -Ei 's#\]\(LICENSE\)#](copyright)#; s#Tests/Examples#examples#g
    s#\[([^]]*)\]\((Tests|Sources|CONTRIBUTING|SECURITY)[^)]*\)#\1#g' "$documents/README.md"
  sed -Ei '/^make deb$/d; s# \(`Tests/[^)]*\)##; s#(\.build/packages|Tests/Examples)/##g
    s#\.\./\.\./Packaging/#../../../../../lib/systemd/system/#' \
    "$documents"/examples/README.md "$documents"/examples/*/README.md
  chmod -R u=rwX,go=rX "$prefix"
  Tests/Packaging/sbom.sh "$version" "$prefix/bin/datactl" > "$documents/sbom.spdx.json"
}

deb() {
  local root=$stage/root architecture documents=$stage/root/usr/share/doc/datactl
  architecture=$(dpkg --print-architecture)
  stage "$root/usr"
  # Debian has other places for two files, and compresses manual pages and changelogs.
  mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
  mkdir "$root/lib" && mv "$root/usr/lib/systemd" "$root/lib/systemd" && rmdir "$root/usr/lib"
  cat > "$documents/changelog" <<END
datactl ($version) unstable; urgency=medium

  * See /usr/share/doc/datactl/CHANGELOG.md.gz.

 -- $(sed -n 's/^Maintainer: //p' Tests/Packaging/control)  $(date -R -d "@$SOURCE_DATE_EPOCH")
END
  sed -i 's#(CHANGELOG.md)#(CHANGELOG.md.gz)#' "$documents/README.md"
  gzip -9n "$documents/changelog" "$documents/CHANGELOG.md" "$root"/usr/share/man/man*/*
  mkdir "$root/DEBIAN"
  (cd "$root" && find lib usr -type f -print0 | sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
  sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" \
    -e "s/@SIZE@/$(size "$root")/" Tests/Packaging/control > "$root/DEBIAN/control"
  find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  rm -f "$packages"/datactl_*
  # Several threads could compress differently.
  dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$root" \
    "$packages/datactl_${version}_$architecture.deb" >/dev/null
}

# size FOLDER: prints the installed size in KiB, as dpkg-gencontrol counts it.
size() { find "$1" -path "$1/DEBIAN" -prune -o -type f -printf '%s\n' |
  awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }'; }

tarball() {
  local name
  name=datactl-$version-linux-$(uname -m)
  stage "$stage/$name"
  install -m 755 Tests/Packaging/install.sh "$stage/$name/install.sh"
  rm -f "$packages"/datactl-*
  tar -C "$stage" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -cf - "$name" |
    gzip -9n > "$packages/$name.tar.gz"
}

case ${1:-} in
  deb | tarball) "$1" ;;
  *) echo "usage: $0 deb|tarball" >&2; exit 2 ;;
esac
cd "$packages"
sha256sum -- datactl[-_]* > SHA256SUMS
ls -l SHA256SUMS datactl[-_]*
