import CommandSyntax
import Maps

extension HelpTopics {
  static let maps = Topic(
    "maps", "Reading and writing records in the formats of other systems.",
    manual: ManualName("datactl-maps", section: 5),
    body: [
      """
      A map describes how another system represents records in JSON, XML or CSV. With `--map`, \
      `save` and `schema infer` read records in this form, and `list` and `get` print them. A \
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
      """
      The next map reads and writes an Atom feed, whose elements are in a namespace. Of the \
      elements `link`, it reads those with the attribute `rel="alternate"` and \
      `rel="enclosure"`. The source repository contains maps for RSS, Atom, OPML, GPX and \
      CycloneDX in `Tests/Examples/maps`.
      """,
      .literal(feedExample),
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
          """
          JSON: the value of the key `b` in the object `a`. If a key contains a dot, `[` or `{`, \
          write two backslashes before it in the map file, as in `"x\\\\.y"`
          """),
        Definition(
          "`a[]`, `a[].b`",
          """
          each element of the list `a`, or the value `b` in each element; in XML, all elements \
          named `a`
          """),
        Definition(
          "`a{}`",
          """
          JSON: each value in the object `a`, as a record. One of the fields of these records must \
          have the path `{}key`, written exactly so, which means the key of the value. For \
          example, `{"a": {"x": {"size": 1}}}` contains one record, whose key is `x`
          """),
        Definition(
          "`a/b`, `@a`, `text()`", "XML: a child element, an attribute, or the text of an element"),
        Definition(
          "`{URI}a`",
          "XML: the name `a` in the namespace `URI`"),
        Definition(
          "`atom:a`",
          """
          XML: the name `a` in the namespace for which `namespaces` declares the prefix `atom`
          """),
        Definition(
          "`a[@k='v']`",
          """
          XML: the elements named `a` whose attribute `k` has the value `v`. The attribute is \
          written, too, and is not part of the value. Elements that no path chooses have the path \
          `a`, or no field. Steps with one name choose by one attribute
          """),
        Definition("any name", "CSV: the column with this name"),
      ]),
      """
      In XML, the path in `records` begins at the root, such as `/rss/channel/item`. In JSON, it \
      usually ends with `[]`, or with `{}` if the records are the values of an object.
      """,
      .heading("Rules for names"),
      .definitions([
        Definition("same", "the name of the field: `year_born`"),
        Definition(
          "camel",
          """
          the name in camelCase: `yearBorn`, and `todoID` for the primary key `todo_id`. `save` \
          also accepts `todoId`
          """),
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
      schema file declares one (see `datactl help schema-files`).
      """,
      """
      With `camel` or `first_lower`, `save` also accepts the unchanged name of a field, such as \
      `year_born`. This does not apply if `unknown` is `ignore`, or if a field has the path `"*"`.
      """,
      """
      The rule also applies to nested records, unless their relation contains `"names"`.
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
          "whole_milliseconds",
          """
          `milliseconds` without a fraction. It is dropped when a time is written, so reading the \
          output can change times
          """),
        Definition(
          "a pattern",
          """
          a time, such as `dd.MM.yyyy` for `20.11.2026`. A pattern must contain the year (`yyyy`), \
          the month (`MM`, or `M` without a leading zero) and the day (`dd` or `d`). It can \
          contain `HH`, `mm`, `ss`, `SSS` and the offset from UTC, `Z`. Other ASCII letters and \
          digits, except `T`, must be in apostrophes: `dd.MM.yyyy 'at' HH:mm`
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
          """
          the content of a file in base64. The name of the field becomes the name of the file. \
          `list` can write this notation, but `get` cannot
          """),
        Definition("json_text", "a JSON value as text"),
        Definition(
          "xml_text",
          """
          XML: what is inside an element, text and elements, as a text with XML, such as `a \
          <b>c</b>`. Namespaces are declared in it; comments are dropped. When it is written, it \
          must be well-formed
          """),
      ]),
      """
      In a `date` field, `iso8601` is a date without a time, such as `2026-11-20`. With the \
      other notations of times, the time must be 00:00 UTC.
      """,
      """
      Without a notation, geopoints and files are JSON text in XML and CSV. Lists and `json` \
      fields are JSON text in CSV, and elements in XML.
      """,
      """
      An XML element in a `json` field cannot contain both text and elements. If it contains \
      several elements with the same name, they must follow each other directly. The notation \
      `xml_text` keeps both.
      """,
      .heading("Nested records"),
      """
      If a relation, or the inverse of one, has the key `"fields"` in the map, the document \
      contains the related records, not only their ids. They are called nested records. A nested \
      record with only an id refers to an existing record and does not change it.
      """,
      """
      Unless the nested records are users, the map does not need a path for their ids. Without \
      such a path, these rules apply:
      """,
      .list([
        """
        Their ids have the form OWNER.FIELD.INDEX, such as `ann.lines.0`. OWNER is the id of the \
        outer record, and INDEX begins at 0. Saving the same document again changes nothing if \
        it contains the ids of the outer records.
        """,
        """
        If a value is missing from a nested record, its field becomes null, unless the field is \
        required or has a default.
        """,
        """
        If the id of a nested record does not have this form, `list` and `get` report an error, \
        and do not print the outer record.
        """,
      ]),
      .heading("Reading and writing with the same map"),
      """
      If the map has a path for the ids, `list --map M | save --map M` changes nothing. If a value \
      could not be read back, `list` and `get` do not print its record, and report an error. \
      Examples are:
      """,
      .list([
        "a time with seconds in a notation without seconds, such as `dd.MM.yyyy`",
        "a value that differs from `constant`, if its field has this key",
        "a file in base64 whose name is not the name of the field",
        "in XML, an empty list, if the map contains `\"missing\": \"null\"`",
      ]),
      """
      In XML, nulls and empty lists are left out, so saving the document does not change their \
      fields.
      """,
      """
      In JSON, `get` with one id prints the record as an object, not in a list. It prints a list \
      with one record if the map has a `frame`, or if `records` begins with `[]`.
      """,
      """
      `schema lint --map` checks a map against schema files.
      """,
      .heading("Built-in maps"),
      .definitions(DataMap.builtIn.map { Definition($0.name, $0.doc ?? "") }),
      """
      The built-in maps do not name a schema. If they list a field that your schema does not have, \
      it is ignored. This command creates the schema from an export of another system, and saves \
      the records:
      """,
      .literal("$ datactl save game --map stackmob --infer --file game.json"),
      """
      If a map describes nested records, `--infer` also creates the schemas of these records.
      """,
      """
      `schema infer` creates every field that your map lists. If the document has no values for a \
      field, its notation determines the type: `milliseconds` results in `datetime`. Without a \
      notation, the type is `text` or, with `[]` in the path, `[text]`.
      """,
      """
      In XML with a rule for names, an element with text and attributes becomes several fields: \
      `title` for the text of `title`, and `title_type` for its attribute `type`. `save` reads \
      them so, and `list` writes `title_type` as an element, unless the map has the path \
      `title/@type` for it. An element that has attributes but no text becomes a `json` field.
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

  /// A map with namespaces in the help topic. A test checks it.
  package static let feedExample = """
    {
      "map": "feed",
      "format": "xml",
      "schema": "entry",
      "namespaces": {"atom": "http://www.w3.org/2005/Atom"},
      "records": "/atom:feed/atom:entry",
      "fields": {
        "$key": "atom:id",
        "title": "atom:title",
        "title_type": "atom:title/@type",
        "url": "atom:link[@rel='alternate']/@href",
        "files": "atom:link[@rel='enclosure'][]/@href",
        "content": {"at": "atom:content", "as": "xml_text"}
      },
      "unknown": "ignore"
    }
    """

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
