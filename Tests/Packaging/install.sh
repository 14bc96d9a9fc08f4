#!/bin/sh
# Installs datactl with its manual and completions: ./install.sh [PREFIX]
# Removes what it has installed: ./install.sh --uninstall [PREFIX]
# The default of PREFIX is /usr/local. If the script fails, everything is as it was before.
set -eu
umask 022
export LC_ALL=C
usage() { echo "usage: $0 [--uninstall] [PREFIX]" >&2; exit 2; }
uninstall=
[ "${1-}" != --uninstall ] || { uninstall=yes; shift; }
[ $# -le 1 ] || usage
case ${1-} in
  '') prefix=/usr/local ;;
  /*) prefix=$1 ;;
  -*) usage ;;
  *) prefix=$PWD/$1 ;;
esac
case $prefix in
  *'
'*) echo "PREFIX must not contain a line break." >&2; exit 2 ;;
esac
# The installed files, and the folders that were created for them, which end with a slash.
list=$prefix/share/doc/datactl/files

# remove: removes the files and the empty folders that the lines of standard input name. Ignores
# lines that lead out of the prefix.
remove() {
  sort -r | while IFS= read -r path; do
    case /$path/ in
      //* | */../*) ;;
      *//) rmdir "$prefix/$path" 2>/dev/null || : ;;
      *) rm -f "$prefix/$path" ;;
    esac
  done
}

if [ -n "$uninstall" ]; then
  [ -f "$list" ] || { echo "install.sh has not installed datactl in $prefix." >&2; exit 1; }
  while IFS= read -r path; do
    folder=$(dirname "$prefix/$path")
    [ ! -d "$folder" ] || [ -w "$folder" ] || {
      echo "Nothing was removed: $folder cannot be written." >&2
      exit 1
    }
  done < "$list"
  remove < "$list"
  echo "datactl is removed from $prefix."
  exit
fi

cd "$(dirname "$(readlink -f "$0")")"
if ! problem=$(bin/datactl --version 2>&1 >/dev/null); then
  echo "datactl needs glibc 2.34 and SQLite 3.37 or later: $(echo "$problem" | head -n 1)" >&2
  exit 1
fi

find bin lib share -type d | while IFS= read -r folder; do
  folder=$prefix/$folder
  while [ ! -e "$folder" ] && [ ! -L "$folder" ]; do folder=$(dirname "$folder"); done
  [ -d "$folder" ] || {
    echo "$folder is not a folder."
    echo "Nothing was installed in $prefix."
    exit 1
  } >&2
  [ -w "$folder" ] || {
    echo "Nothing was installed: $folder cannot be written."
    echo "Run the script with sudo, or install datactl for yourself: $0 \"\$HOME/.local\""
    exit 1
  } >&2
done

# In $work, `new` and `old` contain two lines for each file: its temporary path and its final one.
# `folders` contains the new folders in the prefix, and `parents` those above them. What is created is
# named there before, because a signal can come at any time.
work=$(mktemp -u)

# finish: removes temporary files, and restores the files and folders if the script has failed.
finish() {
  trap '' HUP INT TERM
  set +e
  mkdir -p "$work"
  touch "$work/new" "$work/old" "$work/folders" "$work/parents"
  while IFS= read -r temporary && IFS= read -r path; do
    [ ! -e "$work/staged" ] || [ -e "$work/done" ] || [ -e "$temporary" ] || rm -f "$path"
    rm -f "$temporary"
  done < "$work/new"
  while IFS= read -r temporary && IFS= read -r path; do
    [ -e "$work/done" ] || [ -e "$path" ] || [ -L "$path" ] || mv -f "$temporary" "$path"
    rm -f "$temporary"
  done < "$work/old"
  [ -e "$work/done" ] || {
    sort -r "$work/folders" | while IFS= read -r folder; do
      rmdir "$prefix/$folder" 2>/dev/null || :
    done
    while IFS= read -r folder; do rmdir "$folder" 2>/dev/null || :; done < "$work/parents"
    echo "Nothing was installed in $prefix." >&2
  }
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
mkdir -m 700 "$work"
touch "$work/new" "$work/folders" "$work/parents"

# stage SOURCE FILE MODE: copies a file next to its final path, under a name that no file has.
stage() {
  path=$prefix/$2
  [ ! -d "$path" ] || { echo "$path is a folder: a file was expected." >&2; exit 1; }
  temporary=$path.${work##*.}
  printf '%s\n' "$temporary" "$path" >> "$work/new"
  cp "$1" "$temporary"
  chmod "$3" "$temporary"
  if [ -e "$path" ] || [ -L "$path" ]; then
    printf '%s\n' "$temporary-old" "$path" >> "$work/old"
    ln -P "$path" "$temporary-old" 2>/dev/null || cp -pP "$path" "$temporary-old"
  fi
}

folder=$prefix
while [ ! -d "$folder" ]; do
  echo "$folder" >> "$work/parents"
  folder=$(dirname "$folder")
done
mkdir -p "$prefix"
find bin lib share -type d | sort > "$work/all"
while IFS= read -r folder; do
  [ -d "$prefix/$folder" ] || { echo "$folder/" >> "$work/folders"; mkdir -p "$prefix/$folder"; }
done < "$work/all"
cp "$work/folders" "$work/list"
find bin lib share -type f > "$work/all"
while IFS= read -r file; do
  mode=644 && [ ! -x "$file" ] || mode=755
  stage "$file" "$file" "$mode"
  echo "$file" >> "$work/list"
done < "$work/all"
echo "${list#"$prefix/"}" >> "$work/list"
if [ -f "$list" ]; then
  # Files that only the older version had. Its folders still have to be removed later.
  grep -v '/$' "$list" | grep -Fxv -f "$work/list" > "$work/obsolete" || :
  grep '/$' "$list" >> "$work/list" || :
fi
sort -u "$work/list" > "$work/sorted"
stage "$work/sorted" "${list#"$prefix/"}" 644

# Each file replaces an older one at once: the program may be running.
touch "$work/staged"
while IFS= read -r temporary && IFS= read -r path; do
  mv -f "$temporary" "$path"
done < "$work/new"
touch "$work/done"
[ ! -f "$work/obsolete" ] || remove < "$work/obsolete"
echo "datactl is installed in $prefix/bin."
