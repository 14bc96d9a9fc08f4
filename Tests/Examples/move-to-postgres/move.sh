#!/bin/bash
# Copies a store to another one, such as PostgreSQL: move.sh FROM TO SCHEMA...
#
# FROM and TO are addresses. Name a schema after those that its relations refer to. Passwords are not
# copied: set new ones afterwards. Running it again continues after an error.
#
# Exit status: 0 if both stores have the same records.
set -euo pipefail
from=${1:?missing address to copy from} to=${2:?missing address to copy to}
shift 2

schemas=$(mktemp -d)
trap 'rm -rf "$schemas"' EXIT
datactl schema export "$schemas" --store "$from"
datactl schema apply "$schemas" --store "$to"

for schema; do
  datactl list "$schema" --with-files --store "$from" |
    datactl save "$schema" --keep-system-fields --any-revision --output none --store "$to"
done

# Compare the records, including times, revisions and the content of files.
for schema; do
  cmp <(datactl list "$schema" --with-files --store "$from") \
    <(datactl list "$schema" --with-files --store "$to")
  count=$(datactl list "$schema" --count --store "$to")
  echo "$schema: $count records, the same in both stores"
done
