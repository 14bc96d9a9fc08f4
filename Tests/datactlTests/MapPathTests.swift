import ProgramHarness
import TestSupport
import Testing

@Suite("Paths of maps")
struct MapPathTests {
  private func folder(_ fields: String, _ keys: String = "", _ schema: String) async throws
    -> CommandFolder
  {
    let folder = try CommandFolder()
    try await folder.run(["schema", "create", "e"] + schema.split(separator: " ").map(String.init))
      .exits(0)
    try folder.write(
      "map.json",
      """
      {"map": "m", "format": "xml", "records": "/r/e", "system": {}, \(keys)
        "fields": {"$key": "@id", \(fields)}}
      """)
    return folder
  }

  /// Saves a document, and expects that the records are written in the same way, and that the
  /// written document has the same records.
  private func check(_ elements: String, writing written: String? = nil, in folder: CommandFolder)
    async throws
  {
    let save = ["save", "e", "--map", "map.json", "-o", "none"]
    try await folder.run(save, input: .text("<r>\(elements)</r>")).exits(0)
    let output = try await folder.run("list", "e", "--map", "map.json").exits(0).output
    #expect(output.contains("<r>\n\(written ?? elements)\n</r>"), "\(output)")
    try await folder.run(save, input: .text(output)).exits(0).reports("1 saved: 1 the same")
  }

  @Test("reads and writes names with the prefixes of the map, declared in the root element")
  func namespaces() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "e", "a:text", "lang:text", "b:text", "p:geopoint")
    try folder.write(
      "map.json",
      """
      {"map": "m", "format": "xml", "namespaces": {"n1": "urn:a&b", "g": "urn:g", "x": "urn:x"},
        "records": "/n1:r/n1:e", "system": {}, "fields": {"$key": "@id", "a": "n1:a",
          "lang": "n1:a/@xml:lang", "b": "{urn:b}b", "p": {"at": "g:p", "as": ["g:lat", "@g:lon"]}}}
      """)
    let save = ["save", "e", "--map", "map.json", "-o", "none"]
    try await folder.run(
      save,
      input: .text(
        """
        <r xmlns="urn:a&amp;b" xmlns:z="urn:g"><e id="1"><a xml:lang="en">A</a>\
        <b xmlns="urn:b">B</b><z:p z:lon="3"><z:lat>4</z:lat></z:p></e></r>
        """)
    ).exits(0)
    let output = try await folder.run("list", "e", "--map", "map.json").exits(0).output
    #expect(
      output == """
        <?xml version="1.0" encoding="UTF-8"?>
        <n1:r xmlns:g="urn:g" xmlns:n1="urn:a&amp;b" xmlns:n2="urn:b" xmlns:x="urn:x">
        <n1:e id="1"><n1:a xml:lang="en">A</n1:a><n2:b>B</n2:b>\
        <g:p g:lon="3"><g:lat>4</g:lat></g:p></n1:e>
        </n1:r>

        """)
    try await folder.run(save, input: .text(output)).exits(0).reports("1 saved: 1 the same")
    try await folder.run(
      save, input: .text(#"<r xmlns="urn:a&amp;b"><e id="1">"# + "\n<c/></e></r>")
    ).exits(6).reports(
      """
      datactl: standard input:2: /n1:r/n1:e[1]/n1:c: no field of e is mapped to the element "n1:c"
      """)
    try await folder.run(save, input: .text("<r/>")).exits(6).reports(
      "no /n1:r/n1:e in the input, where the map expects the records")
  }

  @Test("declares other prefixes than those of the map for names in json fields")
  func conflicts() async throws {
    let folder = try await folder(
      #""j": "j""#, #""namespaces": {"n0": "urn:a", "a0": "urn:b"},"#, "j:json")
    try await folder.prepare(
      "save", "e", "-o", "none",
      input: .text(
        #"{"e_id":"1","j":{"@{urn:c}k":"1","{urn:d}x":{"{urn:a}y":"2","{urn:b}z":"3"}}}"#))
    let output = try await folder.run("list", "e", "--map", "map.json").exits(0).output
    #expect(
      output.contains(
        """
        <j xmlns:a0_="urn:c" a0_:k="1"><n0_:x xmlns:n0_="urn:d"><n0:y>2</n0:y><a0:z>3</a0:z>\
        </n0_:x></j>
        """), "\(output)")
    try await folder.run(
      "save", "e", "--map", "map.json", "-o", "none", input: .text(output)
    ).exits(0).reports("1 saved: 1 the same")
  }

  @Test(
    "rejects invalid namespaces, without further errors for the paths with their prefixes",
    arguments: [
      (#"{"a": 5}"#, "expected text as \"a\", found a number"),
      (#"{"xml": "urn:a", "a": "urn:b"}"#, "xml or its namespace is reserved by XML"),
      (#"{"a": "http://www.w3.org/2000/xmlns/"}"#, "a or its namespace is reserved by XML"),
      (#"{"a": "urn:a<b"}"#, "\"urn:a<b\" is not a namespace"),
      (#"{"a": "urn:a", "@b": "urn:b"}"#, "\"@b\" is not a prefix"),
      (#"{"a": "urn:a", "a": "urn:b"}"#, "\"a\" is given twice"),
      (
        #"{"b": "urn:a"}"#,
        "\"namespaces\" does not declare the prefix of the path: \"a:t\"\n"
          + "  add \"a\" with its namespace to \"namespaces\""
      ),
    ])
  func invalidNamespaces(namespaces: String, message: String) async throws {
    let folder = try await folder(#""t": "a:t""#, "\"namespaces\": \(namespaces),", "t:text")
    let errors = try await folder.run("list", "e", "--map", "map.json").exits(6).errors
    #expect(errors.contains(message), "\(errors)")
    #expect(errors.split(separator: "\n").count { $0.hasPrefix("datactl: ") } == 1, "\(errors)")
  }

  @Test("chooses elements by the value of an attribute, which is no part of the value")
  func choices() async throws {
    let folder = try await folder(
      #"""
      "a": "l[@k='x']/@h", "b": "l[@k='y']", "c": "l[@k=\"'\"][]/@h", "d": "l",
      "f": "g[]/l[@k='x']"
      """#, "", "a:text b:text c:text+ d:json f:text+")
    try await check(
      """
      <e id="1"><l k="x" h="1"/><l k="y">Y</l><l k="'" h="2"/><l k="'" h="3"/><l q="5">t</l>\
      <g><l k="x">F</l></g></e>
      """, in: folder)
    try await folder.run("list", "e", "--fields", "*").prints(
      #"{"e_id":"1","a":"1","b":"Y","c":["2","3"],"d":{"text()":"t","@q":"5"},"f":["F"]}"# + "\n")
    // A value that would be read back at another path is not written.
    try await folder.prepare("save", "e", input: .text(#"{"e_id":"1","d":{"@k":"x"}}"#))
    try await folder.run("list", "e", "--map", "map.json").exits(6).reports(
      """
      datactl: e.d: the map chooses "l" by an attribute, which the value also contains, in the \
      record "1"
      """)
  }

  @Test("reports elements that no path chooses, and elements that one path chooses twice")
  func choiceErrors() async throws {
    let folder = try await folder(#""a": "l[@k='x']/@h", "b": "m[@k='x']""#, "", "a:text b:text")
    for (element, message) in [
      (#"<l k="y"/>"#, "/r/e[1]/l: no field of e is mapped to the element \"l\""),
      (#"<l h="y"/>"#, "/r/e[1]/l: no field of e is mapped to the element \"l\""),
      (#"<l k="x" h="1"/><l k="x" h="1"/>"#, "/r/e[1]/l[@k='x']/@h: given twice"),
      (#"<m k="x">1</m><m k="x">1</m>"#, "/r/e[1]/m[@k='x']"),
    ] {
      try await folder.run(
        "save", "e", "--map", "map.json", input: .text("<r><e id=\"1\">\(element)</e></r>")
      ).exits(6).reports("datactl: standard input:1: \(message)")
    }
  }

  @Test(
    "rejects other conditions in a path",
    arguments: [
      ("l[1]", "found \"[1]\""), ("l[@k]", "found \"[@k]\""), ("l[k='a']", "found \"[k='a']\""),
      ("l[@k='a'][@b='c']", "found \"[@k='a'][@b='c']\""), ("l[@k='a", "found \"[@k='a\""),
      ("l[@k='a']/@k", "the step before @k chooses by it"), ("@k[@a='b']", "not a valid path"),
      ("l[@z:k='a']", "does not declare the prefix"),
      ("l[@j='a']", "another path chooses the element l by another attribute: \"l[@j='a']\""),
    ])
  func otherConditions(path: String, message: String) async throws {
    let folder = try await folder(#""a": "l[@k='x']", "b": "\#(path)""#, "", "a:text b:text")
    let errors = try await folder.run("list", "e", "--map", "map.json").exits(6).errors
    #expect(errors.contains(message), "\(errors)")
    if message.hasPrefix("found") { #expect(errors.contains("the only form is link[@rel=")) }
    try folder.write(
      "map.json",
      #"{"map": "m", "format": "xml", "records": "/r/e[@k='x']", "fields": {"a": "a"}}"#)
    try await folder.run("list", "e", "--map", "map.json").exits(6).reports(
      "the path to the records cannot choose by an attribute")
  }

  @Test("reads and writes a geopoint as two values")
  func pairs() async throws {
    let folder = try await folder(
      #""p": {"at": ["@lat", "g/lon"], "as": "lat,lon"}"#, "", "p:geopoint")
    try await check(#"<e id="1" lat="47.5"><g><lon>-8</lon></g></e>"#, in: folder)
    try await folder.run("list", "e", "--fields", "p").prints(
      #"{"e_id":"1","p":{"lat":47.5,"lon":-8}}"# + "\n")
    for (element, message) in [
      (#"<e lat="47.5"/>"#, "/r/e[1]/g/lon: missing"),
      (#"<e lat=""><g><lon>4</lon></g></e>"#, "/r/e[1]/@lat: missing"),
      (#"<e lat="x"><g><lon>4</lon></g></e>"#, "/r/e[1]/@lat: expected a number, found \"x\""),
      (#"<e lat="4"><g><lon>4</lon><lon>5</lon></g></e>"#, "/r/e[1]/g/lon: given twice"),
      (#"<e lat="91"><g><lon>4</lon></g></e>"#, "/r/e[1]/@lat: expected -90 ≤ lat ≤ 90"),
    ] {
      try await folder.run(
        "save", "e", "--map", "map.json", input: .text("<r>\(element)</r>")
      ).exits(6).reports("datactl: standard input:1: \(message)")
    }
    for (map, document) in [
      (
        #"{"map": "m", "fields": {"$key": "id", "p": {"at": ["o.x", "o.y"], "as": "lon,lat"}}}"#,
        #"{"id":"1","o":{"x":-8,"y":47.5}}"# + "\n"
      ),
      (
        #"""
        {"map": "m", "format": "csv",
          "fields": {"$key": "id", "p": {"at": ["lat", "lon"], "as": "lat,lon"}}}
        """#, "id,lat,lon\r\n1,47.5,-8\r\n"
      ),
    ] {
      try folder.write("map.json", map)
      try await folder.run("list", "e", "--map", "map.json").exits(0).prints(document)
      try await folder.run(
        "save", "e", "--map", "map.json", "-o", "none", input: .text(document)
      ).exits(0).reports("1 saved: 1 the same")
    }
  }

  @Test(
    "rejects other lists of paths",
    arguments: [
      (#"{"at": ["@a"], "as": "lat,lon"}"#, "a list in \"at\" needs two paths"),
      (#"{"at": ["@a", "@b"]}"#, "a list in \"at\" needs two paths"),
      (#"{"at": ["@a", "@b"], "as": ["a", "b"]}"#, "two paths need \"as\""),
      (#"{"at": ["@a", "b[]"], "as": "lat,lon"}"#, "two paths need \"as\""),
      (#"{"at": ["@a", "@b"], "as": "lat,lon", "or": "c"}"#, "two paths need \"as\""),
      (#"{"at": ["@a", "@a"], "as": "lat,lon"}"#, "the path is also used by p: \"@a\""),
    ])
  func otherPairs(field: String, message: String) async throws {
    let folder = try await folder("\"p\": \(field)", "", "p:geopoint")
    let errors = try await folder.run("list", "e", "--map", "map.json").exits(6).errors
    #expect(errors.contains(message), "\(errors)")
  }

  @Test("keeps text and elements as a text with XML")
  func markup() async throws {
    let folder = try await folder(
      #"""
      "a": {"at": "x/a", "as": "xml_text"}, "b": {"at": "c[@t='x']", "as": "xml_text"},
      "c": "c[@t='y']", "d": {"at": "d[]", "as": "xml_text"},
      "k": "f/@k", "f": {"at": "f", "as": "xml_text"}
      """#, "", "a:text b:text c:text d:text+ k:text f:text")
    try await check(
      """
      <e id="1"><x><a>one <b q="&quot;">two<!-- c --></b> &amp; <z:c xmlns:z="urn:z" z:k="1"><d/>\
      </z:c></a></x><c t="x"><i/></c><c t="y">plain &lt; text</c><d>1</d><d><b/></d>\
      <f k="v"><w>x</w></f></e>
      """,
      writing: """
        <e id="1"><x><a>one <b q="&quot;">two</b> &amp; <c xmlns="urn:z" xmlns:a0="urn:z" a0:k="1">\
        <d xmlns=""/></c></a></x><c t="x"><i/></c><c t="y">plain &lt; text</c><d>1</d><d><b/></d>\
        <f k="v"><w>x</w></f></e>
        """, in: folder)
    try await folder.run("list", "e", "--fields", "b,c,d,k,f").prints(
      #"{"e_id":"1","b":"<i/>","c":"plain < text","d":["1","<b/>"],"k":"v","f":"<w>x</w>"}"# + "\n")
    // A rejected record is written as it was read.
    try await folder.run(
      "save", "e", "--map", "map.json", "--skip-invalid", "--rejects", "rejects",
      input: .text(#"<r><e id="2"><x><a>t<b/></a></x><c t="y"><i/></c></e></r>"#)
    ).exits(6)
    let rejects = String(decoding: try folder.bytes("rejects"), as: UTF8.self)
    #expect(rejects.contains("<x><a>t<b/></a></x>"), "\(rejects)")
  }

  @Test(
    "writes no text that is not well-formed XML",
    arguments: [
      ("<b>x", "not well-formed XML: "), ("a & b", "not well-formed XML: "),
      ("</x><x>", "not well-formed XML: "), ("&foo;", "not well-formed XML: "),
      ("<m:b/>", "not well-formed XML: "), ("<!DOCTYPE a><a/>", "not well-formed XML: "),
      ("a <", "not well-formed XML: "), ("<?xml version='1.0'?><a/>", "not well-formed XML: "),
      (String(repeating: "<a>", count: 100_000), "elements are nested deeper than 254 levels"),
      (
        String(repeating: "<a>", count: 255) + String(repeating: "</a>", count: 255),
        "elements are nested deeper than 254 levels"
      ),
      (
        "<a b='\(String(repeating: "x", count: 270_000))'/>",
        "the attributes of an element can have at most 256 KiB"
      ),
    ])
  func malformed(text: String, message: String) async throws {
    let folder = try await folder(#""a": {"at": "a", "as": "xml_text"}"#, "", "a:text")
    let json = text.replacing("\"", with: "\\\"")
    try await folder.prepare(
      "save", "e", "-o", "none", input: .text(#"{"e_id":"1","a":"\#(json)"}"#))
    let run = try await folder.run("list", "e", "--map", "map.json").exits(6)
    #expect(run.errors.hasPrefix("datactl: e 1: /r/e/a: \(message)"), "\(run.errors)")
    #expect(run.output.hasSuffix("<r>\n</r>\n"), "\(run.output)")
  }

  @Test(
    "rejects paths into XML that is kept as text",
    arguments: [
      #""a": {"at": "a", "as": "xml_text"}, "b": "a/b""#,
      #""a": {"at": "a", "as": "xml_text"}, "b": "a[@k='x']""#,
      #""a": {"at": "text()", "as": "xml_text"}, "b": "b""#,
      #""a": {"at": "@a", "as": "xml_text"}"#, #""a": {"at": "a", "as": "xml_text", "or": "b"}"#,
    ])
  func pathsIntoMarkup(fields: String) async throws {
    let folder = try await folder(fields, "", "a:text b:text")
    try await folder.run("list", "e", "--map", "map.json").exits(6).reports("xml_text is the ")
  }
}
