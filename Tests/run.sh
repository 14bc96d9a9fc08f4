#!/bin/bash
# Runs the built tests of a tier (check, test or all) in parallel processes, and prints the failures
# and the slowest suites.
#
# usage: Tests/run.sh TIER [FILTER]
#
# Each process runs the tests of one part one after another, so that the seconds of a suite are its
# own. Most command tests wait for child processes, so that more processes than cores keep all cores
# busy. The logs, and the seconds of every suite in the file `seconds`, are in .build/test-logs.
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

# The parts: a name, and a pattern of the names of their tests, without those of earlier parts. The
# longest come first, so that no process runs alone at the end. A further part has the tests that match
# no pattern.
commands='
costs       ^CommandTests\.(Cost|ServerCost)
servers     ^CommandTests\.Server[LMP]
engines     ^(StoreContractTests|PostgresStoreTests|SQLiteStoreTests)\.[A-Q]
streams     ^CommandTests\.(S[a-df-z]|Se[a-q]|Server[DORS])
postgres    ^CommandTests\.P
examples    ^CommandTests\.[D-G]
engines-2   ^(StoreContractTests|PostgresStoreTests|SQLiteStoreTests)\.[R-Z]
remote      ^CommandTests\.[R]
inputs      ^CommandTests\.[A-C]
texts       ^CommandTests\.[H-OT-Z]
client      ^(datactlTests|DataClientTests|ProductTests|ExportedTypesTests)\.'
units='
client      ^(datactlTests|DataClientTests)\.
engines     ^(StoreContractTests|PostgresStoreTests|SQLiteStoreTests)\.
texts       ^(ConditionsTests|RecordTextTests|InferenceTests|DataXMLTests|SchemaTextTests)\.'

start() { # start NAME ARGUMENT...: runs the tests that the arguments select
  local name=$1
  shift
  {
    "$bundle" --testing-library swift-testing --no-parallel "$@" > "$logs/$name.log" 2>&1
    echo $? > "$logs/$name.status"
  } &
}

if [ -n "$filter" ]; then
  start selected --filter "$filter"
else
  if [ "$tier" = check ]; then
    parts=$units rest=(--skip '^(CommandTests|ExportedTypesTests|ProductTests)\.')
  else
    parts=$commands rest=()
  fi
  free=$(($(nproc) * 2))
  while read -r name pattern; do
    [ -n "$name" ] || continue
    [ $free -gt 0 ] && free=$((free - 1)) || wait -n
    start "$name" --filter "$pattern" "${rest[@]}"
    rest+=(--skip "$pattern")
  done <<< "$parts"
  [ $free -gt 0 ] || wait -n
  start rest "${rest[@]}"
fi
wait

failed=0
for log in "$logs"/*.log; do
  [ "$(cat "${log%.log}.status")" = 0 ] || failed=1
  grep -a -A 4 '^✘' "$log" | grep -av '^✘ Suite' | head -n 200
  sed -n "s/^. Test run with/$(basename "$log" .log): &/p" "$log"
done
sed -n -E 's/^. Suite (.*) (passed|failed) after ([0-9.]+) seconds.*/\3 s  \1/p' "$logs"/*.log |
  sort -rn > "$logs/seconds"
echo "The slowest suites:"
head -n 10 "$logs/seconds"
[ $failed = 0 ] || echo "The logs are in $logs." >&2
exit $failed
