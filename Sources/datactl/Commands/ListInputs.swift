import ClientCore
import CommandSyntax
import DataOutput
import DataStore
import RecordText

/// The options of `list` and `get`, and the examples and the discussion in the help of `list`.
enum ListInputs {
  static let discussion: [Block] = introduction + columns + sorting + expansions + details

  private static let introduction: [Block] = [
    "Prints all records of a schema, or only the records that match all given conditions.",
    """
    `FIELD=VALUE` selects the records whose field equals the value. `--where CONDITION` selects \
    records by any other condition (see `datactl help conditions`).
    """,
    """
    On a terminal, the output is a table, which contains at most 100 records unless `--limit` is \
    given. In a pipe or a file, the output is NDJSON: each line is a record as a JSON object. \
    `save` can read this output.
    """,
  ]

  private static let details: [Block] = [
    .heading("Pages"),
    """
    `--limit N -o page` prints one object with at most N records, a token for the next page, and a \
    token for the previous page. If a page does not exist, its token is null:
    """,
    .literal(
      """
      {"records": […], "next": TOKEN, "previous": TOKEN}
      """),
    """
    To print the next page, pass the value of `next` to `--after`. For the previous page, pass the \
    value of `previous` to `--before`. Use the same conditions and the same order for all pages:
    """,
    .literal(
      """
      datactl list todo --order due --limit 20 -o page --after TOKEN
      """),
    "A token is a position in the order, so it remains valid if records are added or deleted.",
    .heading("Groups"),
    """
    `--group-by` prints one line for each group of records with the same values. For example, \
    `datactl list todo --group-by done --max due` prints these groups as NDJSON:
    """,
    .literal(
      """
      {"done":false,"count":3,"max_due":"2026-12-24T00:00:00.000Z"}
      {"done":true,"count":1,"max_due":null}
      """),
    """
    `--sum`, `--avg`, `--median`, `--min` and `--max` compute a value for each group. The key of \
    the value consists of the option and the field, as in `max_due`, or `avg_length_title` for \
    `--avg 'length(title)'`. To choose the key, write it before the value, as in `--sum 'total = \
    price * amount'`. An expression with an operator needs such a key.
    """,
    "Without `--group-by`, options such as `--sum` treat all selected records as one group.",
    """
    `--order` sorts the groups by keys of the output, such as `max_due`. `--limit` limits the \
    number of groups. Options for single records, such as `--fields`, `--expand` and `--after`, \
    cannot be used with groups or `--distinct`.
    """,
    .heading("Sections"),
    """
    `--section-by FIELD` divides the records into sections, like those of an address book. The \
    title of a section is the first character of the field's value, as a capital letter from A to \
    Z without accents. Records whose value does not begin with such a letter are in the section \
    `#`, which is always the last one.
    """,
    """
    The sections are sorted by title. If `--order` sorts by the field in descending order, the \
    sections are also in descending order.
    """,
    """
    In NDJSON, each section begins with a line that contains its title and the number of its \
    records:
    """,
    .literal(
      """
      {"section":"A","count":2}
      """),
    """
    `-o json` prints one object. The key `index` contains the titles of the sections, or null if \
    there are fewer than two:
    """,
    .literal(
      """
      {"sections":[{"title":"A","count":2,"records":[…]},…],"index":["A","#"]}
      """),
    """
    The format must be `ndjson`, `json`, `table` or `none`. `--after`, `--before` and \
    `--with-files` cannot be used with sections.
    """,
  ]

  /// The section of the help that describes the values of `--fields`.
  static let columns: [Block] = [
    .heading("Columns"),
    "`--fields` takes a comma-separated list of these items:",
    .definitions([
      Definition("FIELD", "a field, such as `title`"),
      Definition(
        "*",
        """
        all fields that the schema declares and the list does not name, without system fields such \
        as `created_at`
        """),
      Definition(
        "-FIELD",
        """
        all fields except this one. For example, `-note` omits `note`, and `*,-note` omits `note` \
        and the system fields
        """),
      Definition(
        "PATH",
        """
        a field of the record in a to-one relation, such as `owner.name`; a part of a geopoint or \
        a file, such as `place.lat` or `photo.size`; or a key inside `json`, such as \
        `details.color`. In the output, the path is the key of the value
        """),
      Definition("NAME = EXPRESSION", "a computed column, such as `total = price * amount`"),
      Definition(
        "FUNCTION",
        "a function of a field, such as `year(due)`. Its key in the output is `year_due`"),
    ]),
    """
    The columns are in the order of the list. The primary key is always printed; it is the first \
    column unless the list names it. Relations that only `--expand` names are the last ones; the \
    list can also contain an inverse that `--expand` names. For example, `list` prints the id, the \
    title, the name of the owner, and the year of the due date:
    """,
    .literal(
      """
      datactl list todo --fields 'title, owner.name, year(due)'
      """),
  ]

  private static let sorting: [Block] = [
    .heading("Order"),
    "`--order` takes a comma-separated list of these items:",
    .definitions([
      Definition("FIELD", "a field, such as `due`"),
      Definition("PATH", "a path as in `--fields`, such as `owner.name`"),
      Definition("EXPRESSION", "a computed value, such as `length(title)` or `price * amount`"),
      Definition("NAME", "a computed column of `--fields`"),
    ]),
    """
    `-` before an item, or `desc` after it, means descending order: `--order -n` and \
    `--order 'n desc'` are the same. Records with equal values are sorted by id, in the \
    direction of the last item.
    """,
    """
    Records without a value are first in ascending order and last in descending order. If records \
    are sorted by `distance`, those without a value are always last.
    """,
    """
    Values inside `json` are sorted by type: null, booleans, numbers, strings. It is an error if \
    such a value is an object or an array.
    """,
  ]

  /// The section of the help that describes the values of `--expand`.
  static let expansions: [Block] = [
    .heading("Related records"),
    """
    `--expand` takes a comma-separated list of relations. A path also expands a relation of the \
    related records. For example, `list` prints the steps of each todo, and the owner of each step:
    """,
    .literal("datactl list todo --expand steps.owner"),
    "A path can contain at most three relations.",
    """
    `--expand` also accepts the name of an inverse (see `datactl help schema-files`). For example, \
    if the relation `owner` of todos declares the inverse `todos`, `list` prints each user with \
    the user's todos, sorted by id (owned records: by their position):
    """,
    .literal("datactl list user --expand todos"),
  ]

  /// The options for the columns of records.
  static let columnOptions: [Input<RecordOptions>] = [
    .option(
      "--fields", \.fields, value: "FIELDS", kind: .fields,
      """
      Print only these comma-separated fields and the primary key. FIELDS can also contain paths \
      and computed columns: see Columns in the description.
      """),
    .system(\.showsSystemFields),
  ]

  /// The options for related records.
  static let relationOptions: [Input<RecordOptions>] = [
    .option(
      "--expand", \.expansion, value: "RELATIONS", kind: .relations,
      """
      Print the related records of these comma-separated relations instead of their ids. RELATIONS \
      can also contain paths and inverses: see Related records in the description.
      """),
    .flag(
      "--flatten", \.isFlattened,
      """
      Print the fields of a related record as columns, such as `owner.name`. A to-many relation \
      remains a single column. The format must be `csv`, `tsv` or `md`.
      """),
  ]

  /// Throws an error if `--flatten` cannot be used with a format.
  static func check(flatten: Bool, _ format: OutputFormat?) throws(UsageError) {
    guard flatten else { return }
    switch format {
    case .csv, .tsv, .md: break
    case nil, .json, .ndjson, .xml, .table, .ids, .lines, OutputFormat.none?, .page, .diff:
      throw UsageError("--flatten needs -o csv, -o tsv or -o md")
    }
  }

  static let examples = [
    Example("datactl list todo", "Print all records."),
    Example(
      "datactl list todo done=false --order -due --limit 10",
      "Print ten open todos, with the latest due dates first."),
    Example(
      "datactl list todo --where \"title like 'B%' and due < now() + 7d\"",
      "Print the records that match a condition."),
    Example(
      "datactl list todo --order due --limit 2 -o page",
      "Print a page of two records, and a token for the next page."),
    Example(
      "datactl list todo --order -priority --per owner --limit 1",
      "Print the todo with the highest priority of each owner."),
    Example(
      "datactl list todo --group-by done --max due",
      "Print the number of records and the latest due date for each group."),
    Example(
      "datactl list todo --group-by 'month(due)'",
      "Print the number of records for each month of the year."),
    Example(
      "datactl list todo --order 'distance(place, (47.37, 8.54))' --limit 10",
      "Print the ten todos nearest to a point."),
    Example(
      "datactl list todo --order '-length(title)' --limit 3",
      "Print the three records with the longest titles."),
    Example(
      "datactl list todo --group-by 'each(tags)' --order -count",
      "Print the number of todos with each tag, with the most frequent one first."),
    Example(
      "datactl list todo --group-by done --median priority --order -median_priority",
      "Print the median priority of done and of open todos, with the higher one first."),
    Example(
      "datactl list todo --group-by done --max 'most = count(steps)'",
      "Print the highest number of steps in each group."),
    Example(
      "datactl list todo --fields 'title, top = max(steps.priority)' --order -top",
      "Print the highest priority of the steps of each todo."),
    Example(
      "datactl list todo --where 'due on 2026-11-21' --zone Europe/Zurich",
      "Print the todos that are due on a day in Zurich."),
    Example(
      "datactl list todo --fields title,due -o csv > todos.csv",
      "Write two fields as CSV, for a spreadsheet."),
    Example(
      "datactl list todo --expand owner --flatten -o md",
      "Print a Markdown table with columns such as `owner.name`."),
    Example(
      "datactl list todo --fields '*,-tags,n = length(tags)'",
      "Print all declared fields except `tags`, and a computed column."),
    Example(
      "datactl list todo --fields 'due, *, todo_id' -o csv",
      "Print the due date first, and the id last."),
    Example(
      "datactl list todo --fields 'title, days = round((due - created_at) / 86400)'",
      "Print the days between the creation of a todo and its due date."),
    Example(
      "datactl list todo --group-by 'date(due)' --zone Europe/Zurich",
      "Print the number of todos for each day."),
    Example(
      "datactl list todo --map camel -o json", "Print the records with names in camelCase."),
    Example("datactl list todo | jq -r .title", "Pipe the records to jq."),
  ]

  /// Throws an error if options cannot be combined, such as `--section-by` and `-o csv`. Other
  /// combinations are excluded by the rules in the declaration.
  static func check(_ request: ReadRequest) throws(UsageError) {
    let purpose: String
    let formats: [OutputFormat]
    switch request.content {
    case .found: return
    case .records(let query, let records):
      if query.limitedValue != nil, request.format == .page {
        throw UsageError("--per cannot be used with -o page")
      }
      if records.includesFiles, request.format == .lines {
        throw UsageError("--with-files and -o lines cannot be used together")
      }
      guard records.section != nil else { return }
      if records.bound != nil {
        throw UsageError("--section-by cannot be used with --after or --before")
      }
      if records.includesFiles {
        throw UsageError("--section-by and --with-files cannot be used together")
      }
      (purpose, formats) = ("--section-by prints sections", [.json, .ndjson, .table, .none])
    case .count: (purpose, formats) = ("--count prints a number", [.json, .lines])
    case .explanation: (purpose, formats) = ("--explain prints an explanation", [.json])
    case .groups(_, let options):
      if options.countsValues {
        (purpose, formats) = ("--count prints a number", [.json, .lines])
      } else {
        let listed = options.distinct == nil ? "groups" : "distinct values"
        formats = [.json, .ndjson, .csv, .tsv, .md, .table, .lines, .none]
        let names = formats.dropLast().map(\.rawValue).joined(separator: ", ")
        purpose = "the formats of \(listed) are \(names) and none"
      }
    }
    if let format = request.format, !formats.contains(format) {
      throw UsageError("\(purpose): \(format.rawValue) is not supported")
    }
  }
}

extension Input {
  /// The option `--system`.
  static func system(_ property: @autoclosure @escaping Property<Bool>) -> Input {
    .flag(
      "--system", property(),
      """
      In a table on a terminal and in Markdown, also print the system fields, such as \
      `created_at`. JSON, CSV, TSV and XML contain them without this option.
      """)
  }
}

extension Input where Root: BoundInputs {
  /// The option `--numbers`.
  static func numbers(
    _ property: @autoclosure @escaping Property<RecordWriter.NumberStyle>
  ) -> Input {
    .choice(
      "--numbers", property(), value: "STYLE", of: RecordWriter.NumberStyle.allCases,
      """
      How to print numbers that other programs may round: decimals, and integers beyond 2^53. \
      `text` prints them as strings in JSON, and `save` reads such strings.
      """)
  }
}
