#!/bin/sh
# Ten tasks with datactl, with SQL in the sqlite3 shell, and with sqlite-utils:
#   tasks.sh DATACTL [RECORDS]         prints the commands and the seconds that they take
#   tasks.sh DATACTL RECORDS check     prints the results, after checking that SQL has the same
#
# The data is generated. SQL and sqlite-utils read the file that datactl has written, and write to
# tables of their own. sqlite-utils is optional.
set -eu
binary=$(realpath "$1")
size=${2:-100000}
mode=${3:-time}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export DATACTL_STORE=own.db LC_ALL=C.UTF-8
datactl() { "$binary" "$@"; }

generate() {
  mkdir schemas img
  cat >schemas/country.json <<'END'
{"schema":"country","fields":{"country_id":{"type":"id"},"name":{"type":"text"}}}
END
  cat >schemas/subdivision.json <<'END'
{"schema":"subdivision","fields":{"subdivision_id":{"type":"id"},"name":{"type":"text"},
 "country":{"type":"relation","to":"country","inverse":"subdivisions"}}}
END
  cat >schemas/commit.json <<'END'
{"schema":"commit","fields":{"commit_id":{"type":"id"},"author":{"type":"text"},
 "at":{"type":"datetime"}},"indexes":[["at"]]}
END
  cat >schemas/product.json <<'END'
{"schema":"product","fields":{"product_id":{"type":"id"},"name":{"type":"text"},
 "price":{"type":"number"}}}
END
  cat >schemas/place.json <<'END'
{"schema":"place","fields":{"place_id":{"type":"id"},"at":{"type":"geopoint"}}}
END
  cat >schemas/person.json <<'END'
{"schema":"person","fields":{"person_id":{"type":"id"},"name":{"type":"text"},
 "since":{"type":"datetime"},"amount":{"type":"number"},"active":{"type":"boolean"}}}
END
  cat >schemas/photo.json <<'END'
{"schema":"photo","fields":{"photo_id":{"type":"id"},"data":{"type":"file"}}}
END
  cat >schemas/sale.json <<'END'
{"schema":"sale","fields":{"sale_id":{"type":"id"},"price":{"type":"number"},
 "amount":{"type":"integer"}}}
END
  cat >schemas/event.json <<'END'
{"schema":"event","fields":{"event_id":{"type":"id"},"data":{"type":"json"}}}
END
  awk -v size="$size" '
    function next_number(limit) { seed = (seed * 16807) % 2147483647; return seed % limit }
    BEGIN {
      seed = 14
      countries = int(size / 10)
      for (i = 0; i < countries; i++)
        printf "{\"country_id\":\"c%06d\",\"name\":\"Country %d\"}\n", i, i >"country.ndjson"
      for (i = 0; i < size; i++) {
        printf "{\"subdivision_id\":\"s%07d\",\"name\":\"Part %d\",\"country\":\"c%06d\"}\n",
          i, i, next_number(int(countries * 3 / 4)) >"subdivision.ndjson"
        day = next_number(700)
        printf "{\"commit_id\":\"h%07d\",\"author\":\"author-%02d\",\"at\":\"20%d-%02d-%02dT%02d:%02d:00Z\"}\n",
          i, next_number(50), 25 + int(day / 350), int(day % 350 / 30) + 1, day % 28 + 1,
          next_number(24), next_number(60) >"commit.ndjson"
        price = next_number(100000) / 100
        if (i % 100 != 1) printf "p%07d,Product %d,%.2f\n", i, i, price >"day1.csv.rows"
        if (i % 100 == 2) price += 1
        if (i % 100 != 3) printf "p%07d,Product %d,%.2f\n", i, i, price >"day2.csv.rows"
        printf "{\"place_id\":\"l%07d\",\"at\":{\"lat\":%.5f,\"lon\":%.5f}}\n", i,
          45 + next_number(400000) / 100000, 6 + next_number(400000) / 100000 >"place.ndjson"
        printf "%d;M\\374ller %d;20%02d-%02d-%02d %02d:%02d;%d\\047%03d.5;%s\n", i, i,
          next_number(26), next_number(12) + 1, next_number(28) + 1, next_number(24),
          next_number(60), next_number(9) + 1, next_number(1000), i % 3 ? "yes" : "no" >"bad.rows"
        printf "{\"sale_id\":\"o%07d\",\"price\":%.2f,\"amount\":%d}\n", i,
          next_number(5000) / 100, next_number(8) + 1 >"sale.ndjson"
        printf "{\"event_id\":\"e%07d\",\"data\":{\"browser\":{\"name\":\"b%d\"},\"ms\":%d}}\n", i,
          next_number(12), next_number(900) >"event.ndjson"
      }
    }'
  for day in day1 day2; do
    (echo sku,name,price; cat $day.csv.rows) >$day.csv
  done
  # shellcheck disable=SC2059
  (echo 'person_id;name;since;amount;active'; while IFS= read -r row; do printf "$row\n"; done <bad.rows) >bad.csv
  images=$((size / 100))
  i=0
  while [ $i -lt $images ]; do
    head -c 20000 bad.csv | tail -c +$((i % 1000 + 1)) >img/$i.png
    i=$((i + 1))
  done
  datactl -q schema apply schemas
  for schema in country subdivision commit place sale event; do
    datactl -q save $schema --file $schema.ndjson -o none
  done
  datactl -q save product --key sku --file day1.csv -o none
}

# Removes what a task has written. Tasks that only read need no other files.
reset() {
  [ -n "$writes" ] || return 0
  rm -rf out own.db-* sql.db* utils.db*
  mkdir out
  cp first.db own.db
  cp first.sql.db sql.db
  if $has_utils; then cp first.utils.db utils.db; fi
}

# Runs a command three times, and prints the least number of seconds.
seconds() {
  for _ in 1 2 3; do
    reset
    start=$(date +%s%N)
    eval "$1" >result 2>errors || { cat errors >&2; return 1; }
    echo $((($(date +%s%N) - start) / 10000))
  done | sort -n | awk 'NR == 1 { printf "%.2f s", $1 / 100000 }'
}

# task TITLE OWN SQL UTILS [STATE]: a task and its commands. STATE is a query on the written tables.
task() {
  if [ "$mode" = check ]; then
    reset
    eval "$2" >own.txt
    eval "$3" >sql.txt
    if [ -n "${5:-}" ]; then
      sqlite3 own.db "$5" >own.txt
      sqlite3 sql.db "$5" >sql.txt
    fi
    tr -d '\r' <own.txt | sed '1{/^[a-z_.,]*$/d;}' >own
    tr -d '\r' <sql.txt >sql
    printf '%s\n  $ %s\n' "$1" "$2"
    head -n 3 own | sed 's/^/  /'
    cmp own sql || exit 1
    return
  fi
  utils='–'
  if [ -n "$4" ] && $has_utils; then utils="$(seconds "$4")"; fi
  printf '| %s | `%s` | %s | %s | %s |\n' \
    "$1" "$(echo "$2" | sed 's/|/\\|/g')" "$(seconds "$2")" "$(seconds "$3")" "$utils"
}

# read_task TITLE OWN SQL: a task whose SQL is also what sqlite-utils executes.
read_task() {
  writes=
  task "$1" "$2" "sqlite3 -csv own.db \"$3\"" "sqlite-utils own.db \"$3\" --csv"
  writes=yes
}

writes=yes
has_utils=false
if [ "$mode" = time ]; then
  if command -v sqlite-utils >/dev/null; then has_utils=true; else
    echo "sqlite-utils is not among the programs, so it is left out: pip install sqlite-utils" >&2
  fi
fi
generate
cp own.db first.db
sqlite3 first.sql.db '
  create table product (product_id text primary key, name text, price real);
  create table person (person_id text primary key, name text, since integer, amount real, active integer);
  create table photo (photo_id text primary key, data blob);' \
  '.import --csv --skip 1 day1.csv product'
if $has_utils; then
  sqlite-utils insert first.utils.db product day1.csv --csv --pk sku >/dev/null 2>&1
fi
if [ "$mode" = time ]; then
  echo '| task | datactl | time | SQL | sqlite-utils |'
  echo '| --- | --- | --: | --: | --: |'
fi

read_task 'Countries without subdivisions' \
  "datactl list country --where 'subdivisions is empty' --count" \
  'select count(*) from country where not exists (select 1 from subdivision where country = country_id)'

read_task 'The three countries with the most subdivisions' \
  "datactl list country --order '-count(subdivisions)' --limit 3 --fields 'n = count(subdivisions)' -o csv" \
  'select country, count(*) from subdivision group by country order by 2 desc, 1 desc limit 3'

read_task 'Commits by author and month' \
  "datactl list commit --group-by 'author,month(at)' -o csv" \
  "select author, cast(strftime('%m', at / 1000000, 'unixepoch') as integer), count(*) from \\\"commit\\\" group by 1, 2 order by 1, 2"

task 'What changed in a daily import, vanished records included' \
  'datactl save product --key sku --file day2.csv --prune true --yes -o diff 2>log' \
  "sqlite3 sql.db <<'END'
create temp table day2 (product_id text primary key, name text, price real);
.import --csv --skip 1 day2.csv day2
begin;
select 'change', n.product_id, o.name, n.name, o.price, n.price from day2 n join product o using (product_id) where (n.name, n.price) is not (o.name, o.price);
select 'create', * from day2 where product_id not in (select product_id from product);
select 'delete', * from product where product_id not in (select product_id from day2);
insert into product select * from day2 where true on conflict (product_id) do update set name = excluded.name, price = excluded.price;
delete from product where product_id not in (select product_id from day2);
commit;
END" \
  'sqlite-utils upsert utils.db product day2.csv --csv --pk sku' \
  'select product_id, name, price from product order by product_id'

read_task 'The ten places nearest to a point' \
  "datactl list place --order 'distance(at, (47.37, 8.54))' --limit 10 --fields place_id -o csv" \
  'select place_id from place order by pow(sin(radians(\"at.lat\" - 47.37) / 2), 2) + cos(radians(47.37)) * cos(radians(\"at.lat\")) * pow(sin(radians(\"at.lon\" - 8.54) / 2), 2) limit 10'

read_task 'The commits of a day in a time zone' \
  "datactl list commit --where 'at on 2026-06-15' --zone Europe/Zurich --count" \
  "select count(*) from \\\"commit\\\" where at >= unixepoch('2026-06-14 22:00') * 1000000 and at < unixepoch('2026-06-15 22:00') * 1000000"

task 'A CSV file from a spreadsheet: semicolons, Windows-1252, local times, thousands separators' \
  "datactl save person --file bad.csv --delimiter ';' --encoding windows-1252 --lenient --assume-zone UTC -o none 2>log" \
  "iconv -f windows-1252 -t utf-8 bad.csv >utf8.csv && sqlite3 sql.db <<'END'
create temp table line (person_id, name, since, amount, active);
.mode csv
.separator ;
.import --skip 1 utf8.csv line
insert into person select person_id, name, unixepoch(since) * 1000000, replace(amount, '''', ''), active = 'yes' from line;
END" \
  "sqlite-utils insert utils.db person bad.csv --csv --delimiter ';' --encoding cp1252 --pk person_id" \
  'select person_id, name, since, amount, active from person order by person_id'

task 'A folder of images in, and out again' \
  "datactl save photo --files 'img/*.png' --field data -o none 2>log && ls img | datactl get photo - --content data --into out 2>>log && ls out | wc -l" \
  "sqlite3 sql.db \"insert into photo select name, data from fsdir('img') where data is not null\" \"select count(writefile('out/' || replace(photo_id, 'img/', ''), data)) from photo\"" \
  'sqlite-utils insert-files utils.db photo img --pk path'

read_task 'Sales worth more than 100' \
  "datactl list sale --where 'price * amount > 100' --count" \
  'select count(*) from sale where price * amount > 100'

read_task 'Groups by a value in JSON' \
  'datactl list event --group-by data.browser.name -o csv' \
  "select data -> '$.browser.name', count(*) from event group by 1 order by 1"
