import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Documents from Debian packages, which are read and written with a map. The schemas are inferred
/// from the documents. Python scripts compare the output with the original.
@Suite("Documents of Debian packages with maps", .tags(.process, .slow), .from(.all))
struct RealDocumentTests {
  private static let isoCodes = "/usr/share/iso-codes/json"
  private static let mediaTypes = "/usr/share/mime/packages/freedesktop.org.xml"
  private static let component = "/usr/share/metainfo/org.freedesktop.appstream.cli.metainfo.xml"
  private static let zones = "/usr/share/zoneinfo"
  private static let feeds =
    "/usr/share/gocode/src/github.com/mmcdole/gofeed/testdata/parser/rss"

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// Infers the schemas of a document, saves it, and writes it to `output`. Then saves the output,
  /// and expects no change.
  private func readAndWrite(
    _ schema: String, map: String, _ document: String, _ folder: TestFolder,
    writing command: String? = nil
  ) throws {
    try folder.write("map.json", map)
    try folder.shell(
      """
      set -eo pipefail
      datactl schema infer \(schema) --map map.json --file \(document) > schemas.json
      datactl schema apply schemas.json
      datactl save \(schema) --map map.json --file \(document) -o none
      datactl \(command ?? "list \(schema)") --map map.json > output
      datactl save \(schema) --map map.json --file output -o none 2> again
      """
    ).exits(0)
    let again = String(decoding: try folder.bytes("again"), as: UTF8.self)
    #expect(!again.contains("new") && !again.contains("changed"), "\(again)")
  }

  /// Compares two documents with a Python expression, in which `load` parses a file.
  private func compare(
    _ left: String, _ right: String, by expression: String, _ folder: TestFolder
  ) throws {
    let script = """
      import json, sys, xml.etree.ElementTree as xml
      def element(node, ignored=()):
          children = {}
          for child in node:
              if child.tag not in ignored:
                  children.setdefault(child.tag, []).append(element(child, ignored))
          return (sorted(node.attrib.items()), "" if len(node) else node.text or "", children)
      def load(path):
          text = open(path, newline="", encoding="utf-8").read()
          return \(expression)
      left, right = load(sys.argv[1]), load(sys.argv[2])
      assert len(left) > 5, len(left)
      if left != right:
          pairs = [(a, b) for a, b in zip(left, right) if a != b]
          sys.exit(f"{len(left)} {len(right)} {str(pairs[:1])[:2000]}")
      """
    try folder.tool("python3", "-c", script, left, right)
  }

  @Test(
    "iso-codes: writes the same JSON values that were read",
    .needs(exists(isoCodes), "the package iso-codes is not installed"),
    arguments: [
      ("639-2", "alpha_3"), ("639-3", "alpha_3"), ("639-5", "alpha_3"), ("3166-1", "alpha_2"),
      ("3166-2", "code"), ("3166-3", "alpha_4"), ("4217", "alpha_3"), ("15924", "alpha_4"),
    ])
  func codes(standard: String, key: String) throws {
    let folder = try TestFolder()
    let path = "\(Self.isoCodes)/iso_\(standard).json"
    try readAndWrite(
      "code",
      map: """
        {"map": "iso", "schema": "code", "records": "\(standard)[]", "names": "same",
         "fields": {"code_id": "\(key)"}, "system": {}, "nulls": "omit"}
        """, path, folder)
    try compare(
      path, "output",
      by: "sorted(json.loads(text)[\"\(standard)\"], key=lambda row: row[\"\(key)\"])", folder)
  }

  @Test(
    "shared-mime-info: rejects a DOCTYPE, and round-trips the same XML without its DOCTYPE",
    .needs(exists(mediaTypes), "the package shared-mime-info is not installed"))
  func mimeTypes() throws {
    let folder = try TestFolder()
    let namespace = "{http://www.freedesktop.org/standards/shared-mime-info}"
    /// Returns the part of a map for elements that contain elements with the same name.
    func nested(_ field: String, _ element: String, _ fields: String, depth: Int) -> String {
      let inner = depth > 1 ? ", " + nested(field, element, fields, depth: depth - 1) : ""
      return """
        "\(field)": {"at": "\(namespace)\(element)[]", "schema": "\(element)", \
        "fields": {\(fields)\(inner)}}
        """
    }
    let match = #""kind": "@type", "place": "@offset", "content": "@value", "mask": "@mask""#
    let treematch = """
      "kind": "@type", "path": "@path", "match_case": "@match-case", "non_empty": "@non-empty", \
      "executable": "@executable"
      """
    let map = """
      {"map": "mime", "format": "xml", "schema": "media_type", "system": {}, "nulls": "omit",
       "records": "/\(namespace)mime-info/\(namespace)mime-type",
       "fields": {
        "media_type_id": "@type",
        "comments": {"at": "\(namespace)comment[]", "fields": {
          "language": "@{http://www.w3.org/XML/1998/namespace}lang", "body": "text()"}},
        "acronym": "\(namespace)acronym", "expanded_acronym": "\(namespace)expanded-acronym",
        "icon": "\(namespace)generic-icon/@name", "parents": "\(namespace)sub-class-of[]/@type",
        "aliases": "\(namespace)alias[]/@type",
        "globs": {"at": "\(namespace)glob[]", "fields": {
          "mask": "@pattern", "weight": "@weight", "case_sensitive": "@case-sensitive"}},
        "roots": {"at": "\(namespace)root-XML[]", "fields": {
          "uri": "@namespaceURI", "name": "@localName"}},
        "magics": {"at": "\(namespace)magic[]", "fields": {
          "priority": "@priority", \(nested("matches", "match", match, depth: 5))}},
        "treemagics": {"at": "\(namespace)treemagic[]", "fields": {
          "priority": "@priority", \(nested("treematches", "treematch", treematch, depth: 3))}}}}
      """
    try folder.write("map.json", map)
    try folder.run(
      "schema", "infer", "media_type", "--map", "map.json", "--file", Self.mediaTypes
    ).exits(6).reports("DOCTYPE")
    try folder.shell("sed '/^<!DOCTYPE/,/^]>/d' \(Self.mediaTypes) > mime.xml").exits(0)
    try readAndWrite("media_type", map: map, "mime.xml", folder)
    try compare(
      "mime.xml", "output",
      by: "sorted(map(element, xml.fromstring(text.encode())), key=lambda row: row[0])", folder)
  }

  @Test(
    "appstream: reads and writes only the elements that the map names",
    .needs(exists(component), "the package appstream is not installed"))
  func metainfo() throws {
    let folder = try TestFolder()
    let language = "@{http://www.w3.org/XML/1998/namespace}lang"
    try readAndWrite(
      "component",
      map: """
        {"map": "appstream", "format": "xml", "schema": "component", "records": "/component",
         "system": {}, "nulls": "omit", "unknown": "ignore",
         "fields": {
          "component_id": "id", "kind": "@type", "metadata_license": "metadata_license",
          "project_license": "project_license", "project_group": "project_group",
          "binaries": "provides/binary[]", "rating": "content_rating/@type",
          "translation": "translation", "translation_kind": "translation/@type",
          "names": {"at": "name[]", "fields": {"language": "\(language)", "body": "text()"}},
          "summaries": {"at": "summary[]", "fields": {"language": "\(language)", "body": "text()"}},
          "urls": {"at": "url[]", "fields": {"kind": "@type", "address": "text()"}},
          "releases": {"at": "releases/release[]", "fields": {
            "kind": "@type", "version": "@version",
            "published": {"at": "@date", "as": "yyyy-MM-ddTHH:mm:ssZ"}}}}}
        """, Self.component, folder, writing: "get component org.freedesktop.appstream.cli")
    try compare(
      Self.component, "output",
      by: "sorted(element(xml.fromstring(text.encode()), [\"description\"])[2].items())", folder)
  }

  @Test(
    "tzdata: writes the same tables that were read, except for comments",
    .needs(exists("\(zones)/zone1970.tab"), "the package tzdata is not installed"),
    arguments: [
      ("zone1970.tab", ["countries", "coordinates", "TZ", "comments"], 2),
      ("zone.tab", ["country", "coordinates", "TZ", "comments"], 2),
      ("iso3166.tab", ["code", "name"], 0),
    ])
  func timeZones(file: String, columns: [String], key: Int) throws {
    let folder = try TestFolder()
    // Rows without a comment lack the last cell.
    try folder.shell(
      """
      awk -F'\\t' -v OFS='\\t' 'BEGIN { print "\(columns.joined(separator: "\\t"))" }
        !/^#/ { $\(columns.count) = $\(columns.count); print }' \(Self.zones)/\(file) > table.tsv
      """
    ).exits(0)
    let fields = columns.enumerated().map { index, column in
      "\"\(index == key ? "zone_id" : column.lowercased())\": \"\(column)\""
    }
    try readAndWrite(
      "zone",
      map: """
        {"map": "zones", "format": "csv", "separator": "\\t", "schema": "zone", "system": {},
         "fields": {\(fields.joined(separator: ", "))}}
        """, "table.tsv", folder)
    try compare("table.tsv", "output", by: "sorted(text.splitlines())", folder)
  }

  @Test(
    "gofeed: reads RSS feeds, and restores the same items from the written RSS",
    .needs(exists(feeds), "the package golang-github-mmcdole-gofeed-dev is not installed"))
  func rss() throws {
    let folder = try TestFolder()
    try folder.prepare(
      "schema", "create", "item", "title:text", "link:text", "description:text", "author:text",
      "comments:text", "tags:text+", "source_url:text", "enclosure:text", "published:text")
    try folder.write(
      "map.json",
      """
      {"map": "rss", "format": "xml", "schema": "item", "records": "/rss/channel/item",
       "system": {}, "unknown": "ignore",
       "fields": {"title": "title", "link": "link", "description": "description",
        "author": "author", "comments": "comments", "tags": "category[]",
        "source_url": "source/@url", "enclosure": "enclosure/@url", "published": "pubDate"}}
      """)
    let script = """
      import glob, json, os, subprocess, sys, xml.etree.ElementTree as xml
      names = {"title": "title", "link": "link", "description": "description",
               "author": "author", "comments": "comments", "published": "pubDate"}
      count = 0
      for path in sorted(glob.glob(sys.argv[1] + "/rss_*.xml")):
          try:
              root = xml.parse(path).getroot()
          except xml.ParseError:
              root = None
          run = subprocess.run(sys.argv[2:] + ["save", "item", "--map", "map.json", "--file", path,
                                               "-o", "ndjson"], capture_output=True, text=True)
          items = [] if root is None else root.findall("channel/item")
          # A document that is not XML, or that has elements in a text, is one error.
          if root is None or any(len(child) for item in items for child in item
                                 if child.tag in [*names.values(), "category"]):
              assert run.returncode == 6 and os.path.basename(path) in run.stderr, run.stderr
              continue
          assert run.returncode == 0, (path, run.stderr)
          saved = [json.loads(line) for line in run.stdout.splitlines()]
          assert len(saved) == len(items), (path, len(saved), len(items))
          for record, item in zip(saved, items):
              count += 1
              for field, name in names.items():
                  given = [child.text or "" for child in item.findall(name)]
                  if len(given) == 1 and record[field] is not None:
                      assert record[field] == given[0], (path, field, record[field], given)
              tags = [child.text or "" for child in item.findall("category")]
              assert (record["tags"] or []) == tags, (path, record["tags"], tags)
      print(count)
      """
    let run = try folder.tool(
      arguments: ["python3", "-c", script, Self.feeds] + folder.datactl.command)
    #expect(Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 20)
    try folder.shell(
      """
      set -eo pipefail
      datactl list item --map map.json > feed.xml
      datactl save item --map map.json --file feed.xml --store sqlite:copy.db --infer -o none
      datactl list item --fields title,link,description,tags,published -o csv | cut -d, -f2- |
        sort > first
      datactl list item --fields title,link,description,tags,published -o csv \\
        --store sqlite:copy.db | cut -d, -f2- | sort > second
      cmp first second
      """
    ).exits(0)
  }
}
