#!/bin/sh
# Checks the schema files of a change in CI: check.sh SCHEMAS STORE
#
# SCHEMAS is the folder with the schema files. STORE is the address of the deployed store, in which
# nothing is changed.
#
# Exit status: 0 if the change is safe, 1 if it would break programs, 2 if the check itself failed.
schemas=${1:?missing folder of schema files} store=${2:?missing address of the store}

# Exit status 1 means findings; every other failure has a different status.
datactl schema lint "$schemas" --against "$store" --fail-on error
case $? in
  0) ;;
  1) exit 1 ;;
  *) exit 2 ;;
esac

datactl schema diff "$schemas" --store "$store"
case $? in
  0) echo "The store has these schemas already." ;;
  1)
    echo "The deployment will:"
    datactl schema plan "$schemas" --store "$store" || exit 2
    # A dry run checks the existing records too, and rolls back.
    datactl schema apply "$schemas" --store "$store" --dry-run --quiet >/dev/null
    case $? in
      0) ;;
      5) exit 1 ;;
      *) exit 2 ;;
    esac
    ;;
  *) exit 2 ;;
esac
