#!/bin/bash
# Tests the packages in .build/packages in fresh Debian systems, which debootstrap installs from the
# mirror of this machine. Needs root.
#
# usage: Tests/Packaging/test.sh deb|tarball|older|container|service|twice
#        Tests/Packaging/test.sh mirror SUITE
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD systems=$PWD/.build/systems
package=$(echo "$here"/.build/packages/datactl_*.deb)
archive=$(echo "$here"/.build/packages/datactl-*.tar.gz)
first='datactl schema create todo title:text! && datactl save todo tea title=Tea -o none &&
  datactl get todo tea -o json'

fail() { echo "$*" >&2; exit 1; }

# mirror SUITE: prints the address of the mirror of this machine, if it has a release of Debian.
mirror() {
  local address
  address=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
    grep -v security | head -n 1)
  curl -fsLI --max-time 20 "${address%/}/dists/$1/Release" >/dev/null && echo "$address"
}

# fresh SUITE: makes the folder $root a fresh system.
fresh() {
  local base=$systems/$1
  if [ ! -d "$base" ]; then
    rm -rf "$base.new" && mkdir -p "$systems"
    debootstrap --variant=minbase "$1" "$base.new" "$(mirror "$1")" >"$systems/$1.log" ||
      fail "debootstrap failed: see $systems/$1.log"
    mv "$base.new" "$base"
  fi
  remove
  root=$(mktemp -d "$systems/$1.XXXXXX")
  cp -a "$base/." "$root"
}
remove() { [ -z "${root:-}" ] || rm -rf "$root"; }
trap remove EXIT

# enter COMMAND...: runs a command in the system, whose processes all end with it.
enter() {
  unshare --mount --pid --fork --kill-child --root="$root" --mount-proc \
    env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
    DEBIAN_FRONTEND=noninteractive "$@"
}

install_packages() {
  enter apt-get install -qq -y "$@" >"$systems/apt.log" 2>&1 ||
    { cat "$systems/apt.log" >&2; fail "cannot install $*"; }
}

# files: lists the files of the system, except what apt and dpkg write for every package.
files() {
  (cd "$root" && find . \( -path ./proc -o -path ./var/lib/dpkg -o -path ./var/lib/apt \
    -o -path ./var/cache -o -path ./var/log -o -path ./tmp \) -prune -o -print | sort
    find var/lib/dpkg/info -name 'datactl*')
}

# within_a_minute START: fails if more than 60 seconds have passed.
within_a_minute() {
  local seconds=$((SECONDS - $1))
  echo "A record is saved after $seconds seconds."
  [ $seconds -le 60 ] || fail "this is more than a minute"
}

# links FOLDER: fails if a link in a document of a package leads to no file.
links() {
  local file line link
  grep -rnoE --include='*.md' '\]\([^):]+\)' "$1" | while IFS=: read -r file line link; do
    link=${link#*\(} link=${link%)}
    [ -e "${file%/*}/$link" ] || fail "$file, line $line: there is no $link"
  done
}

# From a downloaded package to the first record; then an upgrade, a removal and a purge.
deb() {
  fresh bookworm
  cp "$package" "$root/root"
  local start=$SECONDS name=/root/${package##*/} earlier=${EARLIER:-} names before
  enter apt-get update -qq
  install_packages "$name"
  enter sh -c "$first"
  within_a_minute "$start"
  enter datactl --version --verbose
  links "$root/usr/share/doc/datactl"

  if [ -z "$earlier" ]; then # A package with one file more.
    dpkg-deb -R "$package" "$root/earlier"
    sed -i 's/^Version: .*/Version: 0.0.1/' "$root/earlier/DEBIAN/control"
    touch "$root/earlier/usr/share/doc/datactl/obsolete"
    earlier=$root/earlier.deb
    dpkg-deb --root-owner-group -b "$root/earlier" "$earlier" >/dev/null
  fi
  local copy && copy=$(mktemp) && cp "$earlier" "$copy"
  fresh bookworm
  cp "$package" "$root/root" && mv "$copy" "$root/root/earlier.deb"
  enter apt-get update -qq
  names=$(dpkg-deb -f "$package" Depends Recommends |
    sed 's/^[^:]*: //; s/([^)]*)//g' | tr -d ',\n')
  # shellcheck disable=SC2086 # The names are several words.
  install_packages $names
  before=$(files)
  enter dpkg -i /root/earlier.deb >/dev/null
  enter env DATACTL_STORE=/tmp/shop.db sh -c "$first" >/dev/null
  enter dpkg -i "$name"
  enter env DATACTL_STORE=/tmp/shop.db datactl get todo tea -o json
  diff <(enter dpkg -L datactl | sed 's|^/\.$|/|' | sort) \
    <(dpkg-deb -c "$package" | awk '{ print $6 }' | sed 's|^\.||; s|\(.\)/$|\1|' | sort) ||
    fail "the upgrade left other files than the package has"
  enter dpkg -r datactl >/dev/null
  diff <(echo "$before") <(files) || fail "the removal left files"
  enter dpkg -i "$name" >/dev/null && enter dpkg -P datactl >/dev/null
  diff <(echo "$before") <(files) || fail "the purge left files"
  echo "An upgrade, a removal and a purge leave nothing."
}

# From a downloaded archive to the first record.
tarball() {
  fresh bookworm
  cp "$archive" "$root/root"
  local start=$SECONDS
  enter sh -c 'cd /root && tar xf datactl-*.tar.gz && datactl-*/install.sh' && fail "SQLite exists"
  enter apt-get update -qq
  install_packages libsqlite3-0
  enter sh -c "/root/datactl-*/install.sh && $first"
  within_a_minute "$start"
  links "$root/usr/local/share/doc/datactl"
  # No library that it opens is installed, so all names of each are asked for.
  enter datactl --version --verbose
  diff <(enter env LD_DEBUG=libs datactl --version --verbose 2>&1 |
    sed -n 's/.*find library=\([^ ]*\).*/\1/p' | sort -u) \
    <(jq -r '.packages[] | select(.primaryPackagePurpose == "LIBRARY") | .comment' \
      "$root/usr/local/share/doc/datactl/sbom.spdx.json" |
      tr ' ' '\n' | grep '^lib.*\.so\.' | sort -u) ||
    fail "the list of parts has other libraries than the program asks for"
  local before && before=$(cd "$root/usr/local" && find . -name datactl)
  enter sh -c '/root/datactl-*/install.sh --uninstall'
  [ -n "$before" ] && [ -z "$(find "$root/usr/local" -name '*datactl*')" ] ||
    fail "the removal left files"
}

# The sentence on a system that is too old.
older() {
  fresh bullseye
  cp "$archive" "$package" "$root/root"
  enter apt-get update -qq
  install_packages libsqlite3-0
  local text
  text=$(enter sh -c 'cd /root && tar xf datactl-*.tar.gz && datactl-*/install.sh' 2>&1) &&
    fail "datactl is installed"
  echo "$text"
  [[ $text == "datactl needs glibc 2.34"* ]] || fail "the sentence is missing"
  text=$(enter sh -c 'dpkg -i /root/*.deb' 2>&1) && fail "the package is installed"
  echo "$text" | grep 'depends on libc6'
}

# The steps of the Containerfile, its health check before the start and after it, and its user.
container() {
  local word rest values user=0 environment=() entry=() command=() health=()
  fresh bookworm
  mkdir "$root/context" && cp "$package" "$root/context"
  while read -r word rest; do
    case $word in
      '#' | '' | EXPOSE | VOLUME) ;;
      FROM) [ "$rest" = debian:12-slim ] || fail "another system: $rest" ;;
      COPY) enter sh -c "cd /context && cp $rest" ;;
      RUN) enter sh -c "$rest" >"$systems/container.log" 2>&1 || fail "failed: $rest" ;;
      USER) user=$rest ;;
      ENV) environment+=("$rest") ;;
      HEALTHCHECK) mapfile -t health < <(jq -r '.[]' <<< "${rest#CMD }") ;;
      ENTRYPOINT) mapfile -t entry < <(jq -r '.[]' <<< "$rest") ;;
      CMD) mapfile -t command < <(jq -r '.[]' <<< "$rest") ;;
      *) fail "unknown instruction: $word" ;;
    esac
  done < Tests/Examples/container/Containerfile
  as_user() {
    enter env -u HOME "${environment[@]}" setpriv --reuid="${user%:*}" --regid="${user#*:}" \
      --clear-groups "$@"
  }
  [ "$user" = 65532:65532 ] || fail "another user: $user"
  as_user "${entry[@]}" schema create todo title:text!
  as_user "${health[@]}" && fail "healthy before the start"
  # The network of the container is its loopback interface. All its processes end with the shell.
  export -f enter as_user
  values=$(declare -p root environment user entry command health)
  unshare --net --pid --fork --kill-child bash -euc "$values"'
    ip link set lo up
    as_user "${entry[@]}" "${command[@]}" &
    for attempt in {1..50}; do
      sleep 0.1
      ! as_user "${health[@]}" 2>/dev/null || exit 0
    done
    exit 1' || fail "not healthy after the start"
  echo "The health check succeeds."
}

# The unit in a system with systemd: it is disabled, starts, answers the proxy, and stops.
service() {
  local pid child drop_in
  fresh bookworm
  cp "$package" "$root/root"
  enter apt-get update -qq
  install_packages "/root/${package##*/}" libmicrohttpd12 systemd-sysv dbus curl
  install -D -t "$root/etc/datactl/schemas" Tests/Examples/web/schemas/*
  drop_in=$root/etc/systemd/system/datactl.service.d
  install -D -m 644 -t "$drop_in" Tests/Examples/web/proxy.conf
  systemd-nspawn -q -D "$root" --register=no --keep-unit --console=pipe -b \
    systemd.unit=multi-user.target >/dev/null 2>&1 </dev/null &
  pid=$!
  cat > "$root/root/service.sh" <<'END'
set -eux
# "degraded" is a system whose other units do not all start in a container.
systemctl is-system-running --wait || true
[ "$(systemctl is-enabled datactl)" = disabled ]
systemctl start datactl
for attempt in 1 2 3 4 5 6 7 8 9; do [ -S /run/datactl/api ] && break; sleep 0.2; done
export DATACTL_STORE=/var/lib/private/datactl/store.db
ask() { runuser -u www-data -- curl -sS --unix-socket /run/datactl/api "$@"; }
ask http://localhost/v1/health | grep '"ok"'
printf secret99 | datactl save user ann password@=- roles+=admin -o none
ask -d '{"user":"ann","password":"secret99"}' http://localhost/v1/login | grep token >/dev/null
! runuser -u www-data -- ls /var/lib/private
systemctl stop datactl
systemctl show datactl -p Result -p ExecMainStatus | grep -c -e =success -e =0 | grep 2
END
  for _ in {1..100}; do
    sleep 0.1
    child=$(pgrep -P "$pid" || true)
    [ -n "$child" ] && [ -S "/proc/$child/root/run/dbus/system_bus_socket" ] && break
  done
  inside() { nsenter -t "$child" --mount --uts --ipc --net --pid --cgroup --root --wd=/ "$@"; }
  if ! inside sh /root/service.sh; then
    inside journalctl --no-pager -u datactl >&2
    kill "$pid"
    fail "the service does not work"
  fi
  kill -s RTMIN+4 "$child"
  wait "$pid" || true
  echo "The service starts, answers and stops."
}

# A second build of the commit, in another folder and on another day, has the same bytes.
twice() {
  local folder clock=()
  if [ -n "$(git status --porcelain)" ]; then
    [ "${DATACTL_REQUIRE_ALL:-}" != 1 ] || fail "there are changes that are not committed"
    echo "skipped: there are changes that are not committed"
    return
  fi
  folder=$(mktemp -d)
  # shellcheck disable=SC2064 # The folder is known now.
  trap "rm -rf '$folder'" EXIT
  git clone -q . "$folder/clone"
  ! command -v faketime >/dev/null || clock=(faketime -f +40d)
  (cd "$folder/clone" && "${clock[@]}" make deb tarball >&2)
  diff .build/packages/SHA256SUMS "$folder/clone/.build/packages/SHA256SUMS" ||
    fail "the packages differ"
  cat .build/packages/SHA256SUMS
}

"$@"
