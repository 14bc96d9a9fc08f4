#!/bin/sh
# Makes the fixtures of a version, which tests of later versions read.
#
# usage: make.sh DATACTL FOLDER [POSTGRES_ADDRESS PG_DUMP]
#
# FOLDER receives store.db, store.sql, credentials.json, token, page-token, plan.json and the input
# files.
# Never regenerate the fixtures with a later version: they test compatibility with the old one.
set -eu
datactl=$1 folder=$2 address=${3:-} dump=${4:-}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$folder"
export HOME="$folder/home" XDG_CONFIG_HOME="$folder/home/config" XDG_DATA_HOME="$folder/home/data"
export DATACTL_STORE=sqlite:store.db

fill() {
  "$datactl" schema create user name:text roles:text+ --user
  printf 'correct horse\n' > password
  "$datactl" save user ann name=Ann password@=password -o none
  "$datactl" schema create friend name:text
  printf '%s\n' '{"friend_id":"f1","name":"One"}' '{"friend_id":"f2","name":"Two"}' |
    "$datactl" save friend --keep-system-fields -o none
  "$datactl" schema apply sample.json
  "$datactl" save sample --keep-system-fields -o none --file sample.ndjson
  "$datactl" schema apply item.json
  seq 1 250 | sed 's/.*/{"item_id":"i&","title":"Item &","sku":"S&","price":&.5,"stock":&,"owner":"ann"}/' |
    "$datactl" save item -o none
  printf '%s\n' '{"function_id":"cheap","item_type":"item","function":{"selectCore":"from item i where i.price < :most","orderedBy":"-price"}}' |
    "$datactl" save function -o none
  "$datactl" schema rename item.stock amount
}

fill
printf 'correct horse\n' | "$datactl" login --username ann --password-stdin
printf 'correct horse\n' | "$datactl" login --username ann --password-stdin --print-token --days 3650 > token
# The session in credentials.json expires after 30 days, the one in token after 3,650.
expires=$(DATACTL_TOKEN=$(cat token) "$datactl" whoami -o json --store sqlite:store.db | jq -r .until)
jq -c --arg token "$(cat token)" --arg expires "$expires" \
  '{"sqlite:@STORE@": (.[] | .token = $token | .expires = $expires)}' \
  home/config/datactl/credentials.json > credentials.json
"$datactl" list item --order -price --limit 3 -o page | jq -r .next > page-token
"$datactl" schema plan item2.json -o json > plan.json
"$datactl" list sample --with-files > sample.list
"$datactl" list item > item.list
if [ -n "$address" ]; then
  export DATACTL_STORE="$address"
  fill
  "$dump" --no-owner --no-privileges "$address" | grep -v "^.\(un\)\?restrict " > store.sql
fi
rm -rf home password store.db-lock
