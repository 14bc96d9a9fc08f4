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
        $ datactl save episode --map podcast.json --file feed.xml
        $ datactl list episode --map podcast.json > copy.xml
        """),
      """
      The rules and limits of the schema apply, as for other records. Errors show the line and the \
      path of the value in the document:
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
        the text `"*"`, for a `json` field that contains the values that belong to no other field
        """,
        "an object with these keys:",
      ]),
      .definitions(MapFieldKey.allCases.map { Definition($0.rawValue, $0.meaning) }),
      .heading("Paths"),
      .definitions([
        Definition(
          "`a.b`", "JSON: the member `b` of the object `a`. A dot in a name is written as `\\.`"),
        Definition(
          "`a[]`, `a[].b`",
          """
          each element of the list `a`, or the value `b` in each element. In XML, `a[]` means all \
          elements named `a`
          """),
        Definition(
          "`a{}`",
          """
          JSON: each value in the object `a`, as a record in a to-many relation. In these records, \
          the path `{}key` is the name of the member that contains the value
          """),
        Definition(
          "`a/b`, `@a`, `text()`", "XML: a child element, an attribute, or the text of an element"),
        Definition(
          "`{URI}a`",
          """
          XML: the name `a` in the namespace `URI`. Names with a namespace prefix, such as \
          `itunes:duration`, cannot be used in paths
          """),
        Definition("any name", "CSV: the column with this name"),
      ]),
      """
      In XML, the path in `records` begins at the root, for example `/rss/channel/item`. In JSON, \
      it can end with `[]`, or with `{}` if the records are the values of an object. Without \
      `records`, a JSON document is a list of records or a single record.
      """,
      .heading("Rules for names"),
      .definitions([
        Definition("same", "the name of the field: `year_born`"),
        Definition(
          "camel",
          "the name in camelCase, such as `yearBorn`; the primary key `todo_id` becomes `todoID`"),
        Definition(
          "pascal",
          "the same with an uppercase first letter: `YearBorn`, and `TodoID` for the primary key"),
        Definition(
          "first_lower",
          "the name in camelCase, without the exception for primary keys: `yearBorn`, `todoId`"),
        Definition("first_upper", "the same with an uppercase first letter: `YearBorn`, `TodoId`"),
        Definition("upper", "the name in uppercase: `YEAR_BORN`"),
      ]),
      """
      If the schema declares a property for a field, `camel`, `first_lower` and `first_upper` use \
      the property instead of the name of the field. It is an error if two fields get the same \
      name.
      """,
      """
      When records are read with `camel` or `first_lower`, the name of a field is also accepted, \
      unless the map ignores unknown values or stores them in a field. In an object to which a \
      rule applies, a name that belongs to no field is ignored if its value is null.
      """,
      """
      The rule in `names` also applies to nested records, unless their relation has its own key \
      `names`. A field in `fields` always has the path that is given there.
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
          numbers and booleans can be text, text can be a number, and a boolean can be 0 or 1. In \
          XML and CSV, these values are always accepted
          """),
        Definition(
          "base64",
          "the content of a file in base64. The name of the field becomes the name of the file"),
        Definition("json_text", "a JSON value as text"),
      ]),
      """
      In a `date` field, a time must be the start of a day in UTC. With the notation `iso8601`, \
      the value of a `date` field is a date, such as `2026-11-20`.
      """,
      """
      If no notation is given, geopoints and files are JSON text in XML and CSV. A `json` field in \
      XML consists of elements, unless its notation is `json_text`.
      """,
      """
      JSON cannot represent the order of texts and of elements with different names. In a `json` \
      field, it is therefore an error if an element contains both text and elements, or if other \
      elements are between elements with the same name.
      """,
      .heading("Nested records"),
      """
      If a relation has the key `fields`, the document contains the related records, as with `save \
      --deep` and `list --expand`. If the map has a path for the ids of these nested records, an \
      object that contains only an id refers to a record without changing it.
      """,
      """
      A map must have a path for the ids of users. For other nested records, this path can be \
      omitted. These rules then apply:
      """,
      .list([
        """
        The id has the form OWNER.FIELD.INDEX, such as `ann.lines.0`. OWNER is the id of the outer \
        record, and INDEX begins at 0. If the document contains OWNER, saving the document again \
        changes nothing.
        """,
        """
        A value that is missing from a nested record is read as null, unless its field is required \
        or has a default.
        """,
        """
        A nested record whose id does not have this form cannot be written. The error shows the id.
        """,
      ]),
      .heading("Reading and writing with the same map"),
      """
      `list --map M | save --map M` changes nothing. A record that cannot be read back exactly is \
      not written, and an error is reported. These values cannot be read back:
      """,
      .list([
        "a time with seconds in a notation without seconds, such as `dd.MM.yyyy`",
        "a value that differs from the `constant` of its field",
        "in CSV with a single column, a null",
        "in XML, blank text in an element that can have attributes",
        "in XML, an empty list, if the map reads missing values as null",
      ]),
      """
      In XML, nulls and other empty lists are not written, so saving the document does not change \
      these fields. The document contains only the records and the values in `frame`.
      """,
      """
      In JSON, `get` writes the record at the path in `records` without a list, unless the map has \
      a `frame` or `records` begins with `[]`.
      """,
      """
      If a map is invalid, the exit status is 6, and the errors show the lines of the problems. If \
      there is no such map, the exit status is 3. `schema lint --map` checks a map against schema \
      files.
      """,
      .heading("Built-in maps"),
      .definitions(DataMap.builtIn.map { Definition($0.name, $0.doc ?? "") }),
      """
      The built-in maps can be used with any schema. One command can therefore load an export of \
      another system:
      """,
      .literal("$ datactl save game --map stackmob --infer --file game.json"),
      """
      If a map describes nested records, create their schemas first:
      """,
      .literal(
        """
        $ datactl schema infer --map podcast.json --file feed.xml |
            datactl schema apply -
        $ datactl save episode --map podcast.json --file feed.xml
        """),
      """
      The inferred schema contains every field that the map lists. If the document has no values \
      for a field, the notation determines its type; without a notation, the type is `text`.
      """,
      """
      If `types` describes geopoints as objects, a field whose values are all such objects becomes \
      a geopoint.
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
