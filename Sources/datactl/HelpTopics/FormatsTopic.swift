import CommandSyntax

extension HelpTopics {
  static let formats = Topic(
    "formats", "The output and input formats of records.",
    manual: ManualName("datactl-formats", section: 7),
    body: [
      """
      `list`, `get` and `save` print records. The option `--output` (`-o`) selects the format:
      """,
      .literal(
        """
        $ datactl list todo -o csv > todos.csv
        """),
      .definitions([
        Definition("json", "an array; an object for `get` with a single ID"),
        Definition("ndjson", "one JSON object per line"),
        Definition("csv", "RFC 4180, with a header line"),
        Definition("tsv", "like `csv`, but with tabs, and with lines that end with LF"),
        Definition("md", "a Markdown table; by default, without system fields"),
        Definition("xml", "an XML document, which `save` can read"),
        Definition("table", "aligned columns, for people to read"),
        Definition("ids", "only the ids, one per line"),
        Definition(
          "lines",
          """
          only the values of one column, one per line; for `list` and `get` (see Lines below)
          """),
        Definition(
          "page",
          """
          an object with the records and the tokens for the next and the previous page; only for \
          `list`
          """),
        Definition("diff", "what the command changes; only for `save`"),
        Definition("none", "no output"),
      ]),
      """
      On a terminal, the default is `table` for `list` and `save`, and indented JSON for `get`. In \
      a pipe or a file, the default is `ndjson`, which jq can read:
      """,
      .literal("$ datactl list todo | jq -r 'select(.done | not) | .title'"),
      """
      jq 1.6 rounds integers above 2^53 and decimals of more than 15 digits, even if the filter \
      does not change them. jq 1.7 and later round them only in arithmetic. `--numbers text` prints \
      decimals and integers above 2^53 as strings, which no program rounds and `save` reads:
      """,
      .literal(
        """
        $ datactl list item --numbers text
        {"item_id":"tea","price":"12.50","stock":3}
        """),
      .heading("Records as JSON"),
      """
      A record is an object. A field without a value is null. The first key is the primary key. \
      The other fields follow in the order of the schema, then `created_at`, `created_by`, \
      `modified_at`, `modified_by` and `revision`. With `--fields`, the keys are in the order of \
      that list.
      """,
      "Later versions may add keys, but never remove or rename them.",
      "The values have these forms:",
      .definitions([
        Definition("id, text, relation", "a string; for a relation, the id of the related record"),
        Definition("integer", "a 64-bit integer with all its digits"),
        Definition("number", "the shortest decimal notation of the value"),
        Definition(
          "decimal", "a number with all digits after the point that the field has: `12.50`"),
        Definition("date", "`2026-11-20`"),
        Definition(
          "datetime", "in UTC, with milliseconds or microseconds: `2026-11-20T03:05:00.000Z`"),
        Definition("geopoint", "`{\"lat\":47.37,\"lon\":8.54}`"),
        Definition(
          "file",
          """
          `{"name":…,"type":…,"size":…,"sha256":…}`; with `list --with-files`, also `data`
          """),
        Definition("json", "the value as it was saved, without insignificant white space"),
        Definition("array, to-many relation", "an array"),
        Definition("password", "never printed, in any format"),
      ]),
      .heading("CSV"),
      """
      An empty cell means null. An empty cell in quotes, `""`, means the empty string.
      """,
      """
      Arrays, objects and to-many relations are written as JSON within a cell, and so are all \
      values of `json` fields: the string `"5"` keeps its quotes, because it would be the number \
      `5` without them.
      """,
      """
      In CSV, a cell that contains a quote must be in quotes. In TSV, a quote is an ordinary \
      character, unless it is the first one of the cell.
      """,
      """
      With `list --expand owner --flatten`, the fields of each owner are written as columns, such \
      as `owner.name`.
      """,
      .heading("Lines"),
      """
      `-o lines` prints bare values, one per line, as a shell can use them: the values of the only \
      field or computed column in `--fields`, the values of `--distinct`, the number of `--count`, \
      or the only aggregate without `--group-by`:
      """,
      .literal(
        """
        $ datactl list todo --fields title -o lines | sort
        $ datactl list todo --sum priority -o lines
        """),
      """
      The line of null is empty. Arrays and objects are JSON. A text with several lines is an \
      error; the other values are printed.
      """,
      .heading("XML"),
      """
      `-o xml` prints a document that `save` can read. For example, shortened and divided into \
      lines:
      """,
      .literal(
        """
        <records schema="todo">
        <todo todo_id="a" revision="3">
          <title>Buy tea</title><done>false</done>
          <tags><item>home</item></tags><due null="true"/>
        </todo>
        </records>
        """),
      """
      The primary key and the system fields are attributes, and the other fields are elements. In \
      the input of `save`, all of them can be elements, and simple values, such as text and \
      numbers, can be attributes. As in JSON, a missing field of an existing record is not changed.
      """,
      """
      In elements, values have these forms:
      """,
      .definitions([
        Definition(
          "null", "an element with the attribute `null=\"true\"`, also for a system field"),
        Definition("empty text, empty array", "an empty element"),
        Definition("array, to-many relation", "an `<item>` element for each value"),
        Definition("geopoint", "the attributes `lat` and `lon`"),
        Definition(
          "file",
          """
          the attributes `name`, `type`, `size` and `sha256`; with `list --with-files`, also the \
          content in base64 as the text of the element
          """),
        Definition("json", "the JSON text"),
        Definition(
          "expanded relation",
          """
          an element for the related record, named after its schema, inside the element of the field
          """),
      ]),
      """
      Line breaks, tabs and spaces are part of a value. `<stock> 5 </stock>` is therefore an error \
      if `stock` is an integer.
      """,
      """
      XML cannot contain control characters such as U+0001. A record with such a character is not \
      printed, and the command fails.
      """,
      """
      Reading XML requires libxml2 (the Debian package `libxml2`). XML that is not encoded in \
      UTF-8 requires `--encoding`. Document type declarations (DOCTYPE) are not supported, and \
      namespaces only with `--map`.
      """,
      .heading("Tables"),
      """
      On a terminal, lines are truncated to its width, and system fields are left out by default. \
      `list` prints at most 100 rows, unless `--limit` is given, and `save` prints five. If there \
      are more, a message says so. In a pipe or a file, a table contains all rows in full.
      """,
      "Control characters are shown as escape sequences.",
      .heading("Reading"),
      """
      `save` reads a JSON object, an array of objects, NDJSON, concatenated JSON objects, CSV, TSV \
      or XML. It detects the format from the first bytes, unless `--input` specifies it. Records \
      are read one after another, so a file can be larger than the memory.
      """,
      """
      A byte order mark, CRLF line endings and blank lines are accepted. Invalid JSON, such as \
      trailing commas, comments, NaN or duplicate keys, is an error.
      """,
      """
      The cells of CSV are separated by commas. If the first line contains no comma, but a tab or \
      a semicolon, that character separates the cells. `--delimiter` specifies another character. \
      The first line contains the names of the columns, unless `--header` or `--no-header` is given.
      """,
      .heading("Columns and keys"),
      """
      A column or JSON key has the name of its field, or the property of the field, such as \
      `fullName` for `full_name` (see `datactl help schema-files`). If it has another name, use \
      these options:
      """,
      .definitions([
        Definition(
          "--key COLUMN",
          """
          use the text of this column as the id. A field with the name of the column gets \
          the text, too
          """),
        Definition(
          "--key COLUMN,COLUMN",
          "use the texts of these columns, joined by colons, as the id"),
        Definition("--rename COLUMN=FIELD", "save this column in FIELD"),
        Definition("--skip COLUMN", "do not read this column"),
        Definition(
          "--only COLUMN,COLUMN",
          "in tables, read only these columns, and those of `--key` and `--rename`"),
        Definition(
          "--split-cells COLUMN=SEPARATOR",
          "in tables, read the cells of this column as lists, such as `a; b` with `--split-cells tags=;`"
        ),
      ]),
      .literal("$ datactl save country --file iso.csv --key alpha_2 --rename Name=name"),
      """
      The name of a column in a table can also be converted to that of a field: uppercase letters \
      are replaced, and other characters than letters and digits become underscores. \
      `Installed-Size` is then read as `installed_size`, and a column without letters in its name as \
      `column_3`, if it is the third. A message on standard error shows such columns. Two columns of \
      the same field are an error.
      """,
      "Without `--infer`, it is an error if a column or key belongs to no field.",
      .heading("Tables of other programs"),
      """
      Each row must have as many cells as the header. Empty cells at its end are ignored if they are \
      too many. With `--ragged`, cells at its end can be missing: their fields remain unchanged or, in \
      a new record, get their defaults. With `--comment TEXT`, lines that begin with this text are \
      skipped.
      """,
      .literal("$ datactl save zone --file zone.tab --input tsv --comment '#' --ragged"),
      .heading("Values"),
      """
      Values have the same notation as in the output of `list`. In JSON, they must have the type \
      of the field: the number `1` is an error in a boolean field. These notations are accepted, \
      too:
      """,
      .list([
        """
        In CSV, a geopoint can be a JSON object, a quoted cell such as `"47.37,8.54"`, or two \
        columns such as `place.lat` and `place.lon`. In JSON, it can also be the string \
        `"47.37,8.54"`.
        """,
        """
        In JSON, an integer can be a string of digits, such as `"5"`, and an id can be an integer: \
        `5` is saved as the string `"5"`.
        """,
        """
        In a `datetime` field, a time can have an offset from UTC, such as \
        `2026-11-20T04:05:00+01:00`. A date means the start of the day in UTC. With `--assume-zone \
        ZONE`, a time without an offset is a local time of this zone.
        """,
      ]),
      "`--lenient` also accepts these notations, which are common in spreadsheets:",
      .definitions([
        Definition(
          "boolean", "`yes`, `no`, `true`, `false`, `1` or `0`, in uppercase or lowercase"),
        Definition(
          "integer, number",
          "apostrophes between groups of three digits: `1'234.5`; in JSON, also a string"),
        Definition(
          "datetime",
          "times without seconds, such as `2026-12-24 10:00Z`, or whole seconds since 1970"),
        Definition("empty text", "read as null, except in text and json fields"),
      ]),
      "These options imply `--lenient`, and add further notations. Nothing is guessed:",
      .definitions([
        Definition(
          "--decimal-mark MARK",
          """
          the decimal mark of numbers: with `,`, the numbers `1.234,5`, `1'234,5` and `1 234,5` are \
          1234.5, and `1.500` is 1500
          """),
        Definition(
          "--dates ORDER",
          """
          the order of day, month and year in dates: with `dmy`, the dates `24.12.2026`, \
          `24/12/2026` and `24-12-2026` are accepted, too, and a time can follow them
          """),
        Definition(
          "--true WORD, --false WORD",
          "further words for booleans, such as `--true ja --false nein`"),
      ]),
      .literal("$ datactl save sale --file sales.csv --decimal-mark , --dates dmy"),
      .heading("Encoding and compression"),
      """
      The input is encoded in UTF-8, unless `--encoding` specifies another encoding. JSON and CSV \
      that begin with a byte order mark of UTF-16 need no option. Input that is compressed with \
      gzip is decompressed, which requires zlib (the Debian package `zlib1g`).
      """,
      .heading("Rejected records"),
      """
      With `--skip-invalid`, `save` skips records with errors instead of ending:
      """,
      .literal(
        """
        $ datactl save todo --file todos.json --skip-invalid \\
            --rejects rejects.ndjson
        """),
      """
      When the command ends, it replaces the file `rejects.ndjson` with the skipped records. A dry \
      run does not write the file. Each line is a JSON object with these keys:
      """,
      .definitions([
        Definition(
          "text",
          """
          the record as it was read; null for records of a user schema, because they can contain \
          passwords
          """),
        Definition("problems", "an array of errors, in the format of `--errors json`"),
      ]),
      "After you have fixed the causes of the errors, save the rejected records:",
      .literal("$ jq -r .text rejects.ndjson | datactl save todo"),
      """
      If the input is XML, `text` is the record as JSON, without the parts that JSON cannot \
      represent.
      """,
      """
      The `text` of a CSV row includes its line ending. To save rejected CSV rows, print the \
      header line before them:
      """,
      .literal(
        """
        $ (head -n 1 todos.csv; jq -rj .text rejects.ndjson) |
            datactl save todo
        """),
      """
      With `--map`, `text` has the form that the map describes. Save it with the same map. In \
      JSON, `text` is a document with one record. In XML, it is the element of the record, so \
      print the start and the end of the document too:
      """,
      .literal(
        """
        $ (echo '<rss><channel>'; jq -r .text rejects.ndjson;
            echo '</channel></rss>') |
            datactl save episode --map podcast.json
        """),
      """
      With `--map`, `text` can also be null if the document is too large to keep it in memory. \
      Save such a record from the original input.
      """,
    ],
    seeAlso: ["list", "get", "save", "schema types"])
}
