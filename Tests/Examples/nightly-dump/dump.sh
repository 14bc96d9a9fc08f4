#!/bin/sh
# Dumps a store, checks the dump, and removes all but the newest dumps: dump.sh FOLDER [COUNT]
#
# Exit status: 0 if there is a new dump that can be restored.
set -eu
folder=${1:?missing folder} count=${2:-14}
file=$folder/shop-$(date -u +%Y-%m-%d).tgz
datactl dump "$file" --quiet
datactl restore "$file" --store "$file.db" --dry-run --quiet || {
  rm -f "$file"
  exit 1
}
ls "$folder"/shop-*.tgz | sort -r | tail -n +"$((count + 1))" | xargs -r rm --
