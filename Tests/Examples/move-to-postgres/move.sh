#!/bin/bash
# Copies a store to another one, such as PostgreSQL: move.sh FROM TO
#
# FROM and TO are addresses. Prints what would be copied, copies it, and prints the digests of the
# copied records, which the command has compared. TO must not exist yet, or be an empty database.
#
# Exit status: 0 if both stores have the same records.
set -euo pipefail
from=${1:?missing address to copy from} to=${2:?missing address to copy to}

datactl copy "$from" "$to" --dry-run --output none
datactl copy "$from" "$to"
