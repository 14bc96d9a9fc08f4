#!/bin/sh
# Backs up and dumps a store, checks both files, and removes all but the newest ones:
# backup.sh FOLDER [COUNT]
#
# A store in a database has no backup, only a dump.
#
# Exit status: 0 if there are a new backup and a new dump that can be restored, and the store has no
# findings.
set -eu
folder=${1:?missing folder} count=${2:-14}
name=$folder/shop-$(date -u +%Y-%m-%d)
case ${DATACTL_STORE:-} in
postgres:* | postgresql:*) ;;
*) datactl backup "$name.db" --verify --quiet >"$name.digests" ;;
esac
datactl dump "$name.tgz" --quiet
datactl restore "$name.tgz" --store "$name.new" --dry-run --quiet || {
  rm -f "$name.tgz"
  exit 1
}
for kind in db digests tgz; do
  find "$folder" -name "shop-*.$kind" | sort -r | tail -n +"$((count + 1))" | xargs -r rm --
done
datactl doctor --quiet
