#!/bin/bash
# Prints the parts of the program as SPDX 2.3 JSON: the static libraries in it, as the linker
# reported them, the shared libraries that it is linked with, and those that it opens by name.
#
# usage: Tests/Packaging/sbom.sh VERSION BINARY
set -euo pipefail -f
cd "$(dirname "$0")/../.."
version=$1 binary=$2
map=${MAP:-.build/product/datactl.map}

# Each component: name, license, supplier, and the files that contain it.
components='
Swift runtime|Apache-2.0 WITH Swift-exception|Swift project|libswift[A-Za-z_]*\.a swiftrt\.o
FoundationEssentials|Apache-2.0 WITH Swift-exception|Swift project|libFoundationEssentials\.a lib_Foundation(CShims|Collections)\.a
libdispatch|Apache-2.0 WITH Swift-exception|Swift project|libdispatch\.a libBlocksRuntime\.a
libstdc++|GPL-3.0-or-later WITH GCC-exception-3.1|Free Software Foundation|libstdc\+\+\.a
libgcc|GPL-3.0-or-later WITH GCC-exception-3.1|Free Software Foundation|libgcc(_eh)?\.a crt(begin|end)S?\.o
glibc|LGPL-2.1-or-later|Free Software Foundation|libc_nonshared\.a S?crt[1in]\.o lib[cm]\.so\.6 ld-linux-.*\.so\.[0-9]
SQLite|blessing|SQLite Consortium|libsqlite3\.so\.0
libpq|PostgreSQL|PostgreSQL Global Development Group|libpq\.so\.[0-9]+
libsodium|ISC|Frank Denis|libsodium\.so\.[0-9]+
libcurl|curl|curl project|libcurl(-gnutls)?\.so\.[0-9]+
libxml2|MIT|GNOME project|libxml2\.so\.[0-9]+
zlib|Zlib|Jean-loup Gailly and Mark Adler|libz\.so\.[0-9]+
libmicrohttpd|LGPL-2.1-or-later|GNU project|libmicrohttpd\.so\.[0-9]+
'

# packaged FILE: prints the version of the Debian package that contains a file.
packaged() {
  local package
  package=$(dpkg-query -S "$(readlink -f "$1")" 2>/dev/null | head -n 1) || return 0
  dpkg-query -W -f '${Version}' "${package%%: *}"
}

# parts: prints each file with how the program uses it, and its version if the build determines it.
parts() {
  local file swift
  swift=$(swiftc --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
  grep -oE '(^| )[^ ()]+\.(a|o)( |\(|$)' "$map" | tr -d ' (' | sort -u | while read -r file; do
    case $file in
      */.build/product/*) ;; # the modules of datactl
      */swift_static/*) echo "${file##*/}|STATIC_LINK|$swift" ;;
      *) echo "${file##*/}|STATIC_LINK|$(packaged "$file")" ;;
    esac
  done
  readelf -d "$binary" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1|DYNAMIC_LINK|/p'
  grep -rhoE '"lib[a-z0-9-]+\.so\.[0-9]+"' Sources | sort -u |
    sed 's/"//g; s/$/|OPTIONAL_DEPENDENCY_OF|/'
}

# elements: prints the components of the parts as JSON objects.
elements() {
  local file relation version name license supplier pattern patterns found
  while IFS='|' read -r file relation version; do
    found=
    while IFS='|' read -r name license supplier patterns; do
      for pattern in $patterns; do
        [[ $file =~ ^($pattern)$ ]] && found=yes && break 2
      done
    done <<< "${components:1:-1}"
    if [ -z "$found" ]; then
      echo "sbom.sh: the file $file belongs to no component" >&2
      return 1
    fi
    jq -n --arg name "$name" --arg license "$license" --arg supplier "$supplier" \
      --arg file "$file" --arg relation "$relation" --arg version "$version" '$ARGS.named'
  done
}

created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
parts | elements | jq -s \
  --arg version "$version" --arg created "$created" \
  --arg sha256 "$(sha256sum < "$binary" | cut -d ' ' -f 1)" '
  def id: "SPDXRef-" + gsub("[^A-Za-z0-9.-]+"; "-");
  def package: {
    SPDXID: (.name | id), name, versionInfo: .version, supplier: "Organization: \(.supplier)",
    licenseDeclared: .license, licenseConcluded: .license, comment,
    primaryPackagePurpose: "LIBRARY", copyrightText: "NOASSERTION",
    downloadLocation: "NOASSERTION", filesAnalyzed: false
  } | with_entries(select(.value != null and .value != ""));
  # A component has one element for each way in which it is used.
  group_by([.name, .relation]) | map(.[0] + {
    name: (.[0].name + (if .[0].name == "glibc" and .[0].relation == "STATIC_LINK"
      then " start files" else "" end)),
    comment: "Files: \(map(.file) | unique | join(" "))"
  }) as $used |
  {
    spdxVersion: "SPDX-2.3", dataLicense: "CC0-1.0", SPDXID: "SPDXRef-DOCUMENT",
    name: "datactl-\($version)", documentNamespace: "https://datactl.invalid/spdx/\($sha256)",
    creationInfo: {
      created: $created,
      creators: ["Organization: The datactl authors", "Tool: Tests/Packaging/sbom.sh"]
    },
    packages: ([{
      name: "datactl", version: $version, supplier: "The datactl authors", license: "MIT"
    } | package + {
      primaryPackagePurpose: "APPLICATION", packageFileName: "bin/datactl",
      checksums: [{algorithm: "SHA256", checksumValue: $sha256}]
    }] + ($used | map(package))),
    relationships: ([
      {
        spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES",
        relatedSpdxElement: "SPDXRef-datactl"
      }
    ] + ($used | map(
      if .relation == "OPTIONAL_DEPENDENCY_OF" then
        {spdxElementId: (.name | id), relatedSpdxElement: "SPDXRef-datactl"}
      else
        {spdxElementId: "SPDXRef-datactl", relatedSpdxElement: (.name | id)}
      end + {relationshipType: .relation})))
  }'
