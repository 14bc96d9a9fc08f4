#!/bin/sh
# Installs datactl with its manual and completions: ./install.sh [PREFIX]
# Removes what it has installed: ./install.sh --uninstall [PREFIX]
# The default of PREFIX is /usr/local.
set -eu
umask 022
export LC_ALL=C
uninstall=
[ "${1-}" != --uninstall ] || { uninstall=yes; shift; }
case ${1-} in
  '') prefix=/usr/local ;;
  /*) prefix=$1 ;;
  -*) echo "usage: $0 [--uninstall] [PREFIX]" >&2; exit 2 ;;
  *) prefix=$PWD/$1 ;;
esac
# The installed files, and the folders that were created for them, which end with a slash.
list=$prefix/share/doc/datactl/files

# remove: removes the files and the empty folders that the lines of standard input name.
remove() {
  sort -r | while IFS= read -r path; do
    case $path in
      */) rmdir "$prefix/$path" 2>/dev/null || : ;;
      *) rm -f "$prefix/$path" ;;
    esac
  done
}

if [ -n "$uninstall" ]; then
  [ -f "$list" ] || { echo "install.sh has not installed datactl in $prefix." >&2; exit 1; }
  remove < "$list"
  echo "datactl is removed from $prefix."
  exit
fi

cd "$(dirname "$0")"
if ! problem=$(bin/datactl --version 2>&1 >/dev/null); then
  echo "datactl needs glibc 2.34 and SQLite 3.37 or later: $(echo "$problem" | head -n 1)" >&2
  exit 1
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
mkdir -p "$prefix"
find bin lib share -type d | sort | while IFS= read -r folder; do
  [ -d "$prefix/$folder" ] || { mkdir "$prefix/$folder" && echo "$folder/" >> "$new"; }
done
# Each file replaces an older one at once: the program may be running.
find bin lib share -type f | while IFS= read -r file; do
  mode=644 && [ ! -x "$file" ] || mode=755
  cp "$file" "$prefix/$file.new"
  chmod "$mode" "$prefix/$file.new"
  mv -f "$prefix/$file.new" "$prefix/$file"
  echo "$file" >> "$new"
done
echo "${list#"$prefix/"}" >> "$new"
if [ -f "$list" ]; then
  # Files that only the older version had. Its folders still have to be removed later.
  grep -v '/$' "$list" | grep -Fxv -f "$new" | remove
  grep '/$' "$list" >> "$new" || :
fi
sort -u "$new" > "$list.new"
mv -f "$list.new" "$list"
echo "datactl is installed in $prefix/bin."
