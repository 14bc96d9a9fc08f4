#!/bin/sh
# Runs the built tests of a tier (check, test or all) in parallel processes, and prints the failures.
#
# usage: Tests/run.sh TIER [FILTER]
#
# Most command tests wait for child processes, so that more processes than one keep all cores busy. The
# logs, with the seconds of every suite, are in .build/test-logs.
set -u
tier=$1 filter=${2:-}
cd "$(dirname "$0")/.."
bundle=.build/debug/datactlPackageTests.xctest
logs=.build/test-logs
rm -rf "$logs" && mkdir -p "$logs"
export DATACTL_TESTS="$tier"

# In a temporary folder on disk, the tests would mostly wait for the disk. The folder is readable,
# because the user that runs PostgreSQL differs from root.
available() { awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo; }
free() { df -k --output=avail /dev/shm | tail -n 1; }
if [ -z "${TMPDIR:-}" ] && [ "$(available)" -gt 12000000 ] && [ "$(free)" -gt 8000000 ]; then
  TMPDIR=$(mktemp -d -p /dev/shm datactl-tests-XXXXXX) && chmod 755 "$TMPDIR"
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
  trap 'exit 1' HUP INT TERM
fi

start() { # start NAME ARGUMENT...: runs the tests that the arguments select
  name=$1
  shift
  {
    "$bundle" --testing-library swift-testing "$@" > "$logs/$name.log" 2>&1
    echo $? > "$logs/$name.status"
  } &
}

contract='^(StoreContractTests|PostgresStoreTests|SQLiteStoreTests)\.'
if [ -n "$filter" ]; then
  start selected --filter "$filter"
elif [ "$tier" = check ]; then
  start units --skip '^(CommandTests|ExportedTypesTests)\.' --skip "$contract"
  start contract --filter "$contract"
else
  start commands --filter '^CommandTests\.[A-P]'
  start commands-2 --filter '^CommandTests\.[Q-Z]'
  start contract --filter "$contract"
  start units --skip '^CommandTests\.' --skip "$contract"
fi
wait

failed=0
for log in "$logs"/*.log; do
  [ "$(cat "${log%.log}.status")" = 0 ] || failed=1
  grep -a -A 4 '^✘' "$log" | grep -av '^✘ Suite' | head -n 200
  sed -n "s/^. Test run with/$(basename "$log" .log): &/p" "$log"
done
[ $failed = 0 ] || echo "The logs are in $logs." >&2
exit $failed
