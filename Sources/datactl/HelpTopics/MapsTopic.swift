import CommandSyntax
import DataText

extension HelpTopics {
  static let maps = Topic(
    "maps", "Reading and writing records in the formats of other systems.",
    manual: ManualName("datactl-maps", section: 5),
    body: [
      """
      A map describes how another system represents records in JSON, XML or CSV. With `--map`, \
      `save` and `schema infer` read records in this form, and `list` and `get` print them. The \
      map is a JSON file, or one of the built-in maps below.
      """,
      "For example, this map reads and writes an RSS feed:",
      .literal(mapExample),
      .literal(
        """
        $ datactl schema infer --map podcast.json --file feed.xml |
            datactl schema apply -
        $ datactl save episode --map podcast.json --file feed.xml -o none
        $ datactl list episode --map podcast.json > copy.xml
        """),
      """
      The first command creates the schemas of the episodes and of their chapters. The last one \
      writes only the episodes, without the title of the feed and other values outside the items.
      """,
      """
      The rules of the schema also apply to records that are read with a map. Errors show the line \
      and the path of the value in the document:
      """,
      .literal(
        """
        feed.xml:14: /rss/channel/item[3]/pubDate: expected a date, found "soon"
        """),
      .heading("Keys of a map"),
      .definitions(MapFileKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
      .heading("Keys of a field"),
      "In `fields`, each field has one of these values:",
      .list([
        """
        a path, such as `"guid"`
        """,
        """
        the text `"*"`, for a `json` field that contains all values without a field of their own
        """,
        "an object with these keys:",
      ]),
      .definitions(MapFieldKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
      .heading("Paths"),
      .definitions([
        Definition(
          "`a.b`",
          "JSON: the value of the key `b` in the object `a`. A dot in a key is written as `\\.`"),
        Definition(
          "`a[]`, `a[].b`",
          """
          each element of the list `a`, or the value `b` in each element. In XML, `a[]` means all \
          elements named `a`
          """),
        Definition(
          "`a{}`",
          """
          JSON: each value in the object `a`, for a to-many relation. In the fields of these \
          values, the path `{}key`, written exactly so, means the key of the value. For example, \
          `{"a": {"x": {"size": 1}}}` contains one value, whose key is `x`
          """),
        Definition(
          "`a/b`, `@a`, `text()`", "XML: a child element, an attribute, or the text of an element"),
        Definition(
          "`{URI}a`",
          """
          XML: the name `a` in the namespace `URI`. Use this form instead of a prefix, such as \
          `itunes:`, which is not allowed in paths
          """),
        Definition("any name", "CSV: the column with this name"),
      ]),
      """
      In XML, the path in `records` begins at the root, for example `/rss/channel/item`. In JSON, \
      it can end with `[]`, or with `{}` if the records are the values of an object.
      """,
      .heading("Rules for names"),
      .definitions([
        Definition("same", "the name of the field: `year_born`"),
        Definition(
          "camel",
          "the name in camelCase: `yearBorn`, and `todoID` for the primary key `todo_id`"),
        Definition(
          "pascal",
          "like `camel`, but with an uppercase first letter: `YearBorn`, `TodoID`"),
        Definition(
          "first_lower",
          "like `camel`, but with `Id` at the end of a primary key: `yearBorn`, `todoId`"),
        Definition(
          "first_upper",
          "like `first_lower`, but with an uppercase first letter: `YearBorn`, `TodoId`"),
        Definition("upper", "the name in uppercase: `YEAR_BORN`"),
      ]),
      """
      The rules `camel`, `first_lower` and `first_upper` use the property of a field if the \
      schema file declares one (see `datactl help schema-files`). It is an error if two fields get \
      the same name.
      """,
      """
      With `camel` or `first_lower`, `save` also accepts the unchanged name of a field, such as \
      `year_born`, unless `unknown` is `ignore` or a field has the path `"*"`.
      """,
      """
      With any of these rules, a null in the input that belongs to no field is ignored.
      """,
      """
      The rule also applies to nested records, unless their relation contains `"names"`. It does \
      not apply to a field that is listed in `"fields"`.
      """,
      .heading("Notations"),
      .definitions([
        Definition(
          "iso8601", "a time, such as `2026-11-20T03:05:00Z`; a time without an offset is in UTC"),
        Definition(
          "rfc2822",
          "a time, such as `Fri, 20 Nov 2026 03:05:00 +0000`; a wrong weekday is an error"),
        Definition("milliseconds, seconds", "the time since 1970, as a number"),
        Definition(
          "a pattern",
          """
          a time, such as `dd.MM.yyyy` for `20.11.2026`. The parts of a pattern are `yyyy MM dd HH \
          mm ss SSS Z`, and `M` and `d` for a month and a day without a leading zero. Other ASCII \
          letters and digits, except `T`, must be in apostrophes: `dd.MM.yyyy 'at' HH:mm`
          """),
        Definition("`lat,lon`, `lon,lat`", "a geopoint as text: `47.37,8.54`"),
        Definition(
          "`[lat,lon]`, `[lon,lat]`", "JSON: a geopoint as a list of two numbers"),
        Definition("geojson", "JSON: a geopoint as a GeoJSON point"),
        Definition(
          "`[\"latitude\", \"longitude\"]`",
          """
          a geopoint as an object with these two keys. In XML, they are elements or attributes \
          (`@a`)
          """),
        Definition(
          "lenient",
          """
          JSON: also reads `"5"` as a number, `5` as a text, and `"true"`, `0` or `1` as a \
          boolean. In XML and CSV, this is always so
          """),
        Definition(
          "base64",
          "the content of a file in base64. The name of the field becomes the name of the file"),
        Definition("json_text", "a JSON value as text"),
      ]),
      """
      In a `date` field, `iso8601` is a date without a time, such as `2026-11-20`. If another \
      notation contains a time, the time of a `date` field must be 00:00 UTC.
      """,
      """
      If no notation is given, geopoints and files are JSON text in XML and CSV. A `json` field in \
      XML consists of elements, unless its notation is `json_text`.
      """,
      """
      A `json` field cannot keep the order of the contents of an XML element. It is therefore an \
      error if an element contains both text and elements, or if elements with the same name do \
      not follow each other directly.
      """,
      .heading("Nested records"),
      """
      If a relation contains `"fields"` in the map, the document contains the related records, \
      not only their ids. They are called nested records. An object with only an id refers to a \
      record and does not change it.
      """,
      """
      Unless the nested records are users, the map can omit the path of their ids. Then these \
      rules apply to the nested records:
      """,
      .list([
        """
        Their ids have the form OWNER.FIELD.INDEX, such as `ann.lines.0`. OWNER is the id of the \
        outer record, and INDEX begins at 0. Saving the same document again changes nothing if \
        it contains the ids of the outer records.
        """,
        """
        A value that is missing from a nested record is read as null, unless its field is required \
        or has a default.
        """,
        """
        If the id of a nested record does not have this form, `list` and `get` report an error, \
        and do not print the outer record.
        """,
      ]),
      .heading("Reading and writing with the same map"),
      """
      `list --map M | save --map M` changes nothing. To ensure this, `list` and `get` report an \
      error, and do not print the record, if a value could not be read back. Such values are:
      """,
      .list([
        "a time with seconds in a notation without seconds, such as `dd.MM.yyyy`",
        "a value that differs from `constant`, if its field has this key",
        "in CSV with a single column, a null",
        "in XML, a text of only spaces, if the map also lists attributes of its element",
        "in XML, an empty list, if the map contains `\"missing\": \"null\"`",
      ]),
      """
      In XML, nulls and empty lists are left out, so saving the document does not change their \
      fields. The XML that `list` prints contains only the records and the values in `frame`.
      """,
      """
      In JSON, `get` with one id prints an object instead of a list. It prints a list with one \
      record if the map has a `frame`, or if `records` begins with `[]`.
      """,
      """
      If a map is invalid, the exit status is 6, and the errors show the lines of the problems. If \
      there is no such map, the exit status is 3. `schema lint --map` checks a map against schema \
      files.
      """,
      .heading("Built-in maps"),
      .definitions(DataMap.builtIn.map { Definition($0.name, $0.doc ?? "") }),
      """
      The built-in maps can be used with any schema. This command creates the schema from an \
      export of another system, and loads the records:
      """,
      .literal("$ datactl save game --map stackmob --infer --file game.json"),
      """
      If a map describes nested records, `--infer` cannot be used. Create the schemas first with \
      `schema infer`, as in the example of the podcast.
      """,
      """
      `schema infer` creates every field that the map lists. If the document has no values for a \
      field, the notation determines its type. Without a notation, the type is `text`.
      """,
      """
      `schema infer` recognizes geopoints by the notation in `"types"`. With `["latitude", \
      "longitude"]`, a field whose values are all objects with these two keys becomes a geopoint.
      """,
      """
      `datactl help maps NAME` prints a built-in map, which you can use as a template for your own \
      map:
      """,
      .literal("$ datactl help maps telerik > map.json"),
      .literal(DataMap.builtInTexts[3]),
      .heading("Examples"),
    ] + mapExamples,
    seeAlso: ["save", "list", "schema infer", "schema lint", "formats", "graphs"],
    parts: zip(DataMap.builtIn, DataMap.builtInTexts).map { TopicPart($0.name, $1) })

  /// The example map in the help topic. A test checks it.
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
