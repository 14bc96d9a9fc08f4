import CommandSyntax
import DataText

extension HelpTopics {
  static let maps = Topic(
    "maps", "Reading and writing records in the formats of other systems.",
    manual: ManualName("datactl-maps", section: 5),
    body: [
      """
      A map describes how records look in the JSON, XML or CSV of another system. With `--map`, \
      `save` and `schema infer` read this form, and `list` and `get` write it. The map is a JSON \
      file, or one of the built-in maps below. This map reads and writes an RSS feed:
      """,
      .literal(mapExample),
      .literal(
        """
        $ datactl save episode --map podcast.json --file feed.xml
        $ datactl list episode --map podcast.json > copy.xml
        """),
      """
      Validation, ids and limits are those of other records. Errors name the line and the path of the \
      value in the document:
      """,
      .literal(
        """
        feed.xml:14: /rss/channel/item[3]/pubDate: expected a date, found "soon"
        """),
      .heading("Keys of a map"),
      .definitions(MapFileKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
      .heading("Keys of a field"),
      """
      A field is a path, `"*"`, or an object with these keys. A `json` field with `"*"` keeps the \
      values that no other field takes.
      """,
      .definitions(MapFieldKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
      .heading("Paths"),
      .definitions([
        Definition("`a.b`", "JSON: the member `b` of the object `a`; `\\.` is a dot in a name"),
        Definition(
          "`a[]`, `a[].b`",
          "the elements of a list, or all elements named `a` in XML; a value in each"),
        Definition(
          "`a{}`",
          """
          JSON: the values of an object, as records in a to-many relation; `{}key` is then the path \
          of the name
          """),
        Definition(
          "`a/b`, `@a`, `text()`", "XML: a child element, an attribute, the text of an element"),
        Definition(
          "`{URI}a`", "XML: a name in a namespace; a prefix, as in `itunes:duration`, is not used"),
        Definition("any name", "CSV: the column with this name"),
      ]),
      """
      `records` in XML begins at the root, such as `/rss/channel/item`. In JSON, it can end with `[]`, \
      or with `{}` if the records are the values of an object. A document can also be a list of \
      records, or a single record.
      """,
      .heading("Rules for names"),
      .definitions([
        Definition("same", "the name of the field: `year_born`"),
        Definition("camel", "`yearBorn`, and `todoID` for a primary key `todo_id`"),
        Definition("pascal", "`YearBorn`, and `TodoID` for a primary key"),
        Definition(
          "first_lower", "the property of the field in program code: `yearBorn`, `todoId`"),
        Definition("first_upper", "the same with an uppercase first letter: `YearBorn`, `TodoId`"),
        Definition("upper", "`YEAR_BORN`"),
      ]),
      """
      A property that the schema declares replaces the name of `camel`, `first_lower` and \
      `first_upper`. Two fields with the same name are an error. A null under a name that no field has \
      is ignored where the rule applies.
      """,
      .heading("Notations"),
      .definitions([
        Definition("iso8601", "a time, such as `2026-11-20T03:05:00Z`; without an offset, in UTC"),
        Definition("rfc2822", "a time, such as `Fri, 20 Nov 2026 03:05:00 +0000`"),
        Definition("milliseconds, seconds", "the time since 1970, as a number"),
        Definition(
          "a pattern",
          "a time in the parts `yyyy MM dd HH mm ss SSS Z` and other characters: `dd.MM.yyyy`"),
        Definition("`lat,lon`, `lon,lat`", "a place as text: `47.37,8.54`"),
        Definition("`[lat,lon]`, `[lon,lat]`", "a place as a list of two numbers"),
        Definition("geojson", "a place as a point of GeoJSON"),
        Definition("`[\"latitude\", \"longitude\"]`", "a place as an object with these two keys"),
        Definition(
          "lenient",
          """
          numbers and booleans can be text, numbers can be text, and 0 and 1 are booleans; always so \
          in XML and CSV
          """),
        Definition("base64", "the content of a file; the file gets the name of the field"),
        Definition("json_text", "JSON as text"),
      ]),
      """
      Without a notation, XML and CSV contain places and files as JSON text. A `json` field in XML \
      consists of elements, unless its notation is `json_text`.
      """,
      .heading("Records inside records"),
      """
      A relation with `fields` contains its records, as with `save --deep` and `list --expand`. If \
      the map has no place for their ids, they get the ids OWNER.FIELD.INDEX, counted from 0, so that \
      a document can be read again without a change. A value that is missing in such a record is read \
      as null, unless its field is required or has a default. A record with another id is then not written, and \
      the error names it. If the map has a place for the ids, an object with only an id refers to a \
      record and does not change it.
      """,
      .heading("Both ways"),
      """
      `list --map M | save --map M` changes nothing. A value that would be read differently, such as a \
      time with seconds in the notation `dd.MM.yyyy`, is an error, and its record is not written. This \
      also applies to blank text in an XML element that can have attributes, to a null in CSV with a \
      single column, and to a value that is not the constant of the map. A null in XML is left out, and \
      so is an empty list, so a save does not change these fields. Of the document around the records, \
      only `frame` is written.
      """,
      """
      An invalid map is an error with the exit status 6 and the lines of its problems; a missing map \
      has the status 3. `schema lint --map` checks a map against schema files.
      """,
      .heading("Built-in maps"),
      .definitions(DataMap.builtIn.map { Definition($0.name, $0.doc ?? "") }),
      """
      They are for any schema, so an export of another system can be loaded with one command:
      """,
      .literal("$ datactl save game --map stackmob --infer --file game.json"),
      """
      If a map has records inside records, create their schemas first:
      """,
      .literal(
        """
        $ datactl schema infer --map podcast.json --file feed.xml |
            datactl schema apply -
        $ datactl save episode --map podcast.json --file feed.xml
        """),
      """
      A field that the map lists is created even if the document has no values for it. Its type \
      follows from its notation, or is text.
      """,
      """
      The built-in maps are written in the same language. `datactl help maps NAME` prints one of them \
      as a file, from which you can make a map of your own:
      """,
      .literal("$ datactl help maps telerik > map.json"),
      .literal(DataMap.builtInTexts[3]),
      .heading("Examples"),
    ] + mapExamples,
    seeAlso: ["save", "list", "schema infer", "schema lint", "formats", "graphs"],
    parts: zip(DataMap.builtIn, DataMap.builtInTexts).map { TopicPart($0.name, $1) })

  /// The map in the help topic, which a test checks.
  package static let mapExample = """
    {
      "map": "podcast",
      "format": "xml",
      "schema": "episode",
      "records": "/rss/channel/item",
      "fields": {
        "episode_id": "guid",
        "title": "title",
        "url": "enclosure/@url",
        "published": {"at": "pubDate", "as": "rfc2822"},
        "tags": "category[]",
        "chapters": {
          "at": "chapters/chapter[]",
          "fields": {"start": "@start", "title": "text()"}
        }
      },
      "unknown": "ignore"
    }
    """
}
