/// Scripts that make the sqlite3 shell do the same work as datactl with SQLite's own functions.
struct ShellScript {
  let shape: Shape
  /// The definitions of the table and its indexes, as datactl creates them.
  let definitions: String
  let pageSize: String

  /// Returns a script that loads a file into the same table as datactl's, with the same durability.
  func load(_ file: String) -> String {
    let names = shape.fields.map(\.name).joined(separator: ", ")
    let lines: String
    switch shape.format {
    case .ndjson:
      lines = """
        create temp table line (text);
        .mode ascii
        .separator "\\037" "\\n"
        .import \(file) line
        """
    case .csv:
      lines = """
        create temp table line (\(names));
        .import --csv --skip 1 \(file) line
        """
    }
    let values = shape.fields.map { $0.expression(in: shape.format) }.joined(separator: ", ")
    return """
      pragma page_size = \(pageSize);
      pragma journal_mode = wal;
      pragma synchronous = full;
      \(definitions)
      \(lines)
      insert into record (record_id, \(names), \(Self.systemFields))
      select lower(hex(randomblob(18))), \(values), \(Self.stamp) from line;

      """
  }

  /// Returns a script that updates records of eight fields from NDJSON with ids.
  static func upsert(_ file: String) -> String {
    """
    pragma synchronous = full;
    create temp table line (text);
    .mode ascii
    .separator "\\037" "\\n"
    .import \(file) line
    insert into record (record_id, note, price, stock, \(systemFields))
    select text ->> 'record_id', text ->> 'note', text ->> 'price', text ->> 'stock', \(stamp)
    from line where true
    on conflict (record_id) do update set note = excluded.note, price = excluded.price,
      stock = excluded.stock, modified_at = excluded.modified_at,
      modified_by = excluded.modified_by, revision = revision + 1;

    """
  }

  /// Inserts one record of eight fields.
  static let insert = """
    pragma synchronous = full;
    insert into record (record_id, title, price, \(systemFields))
    values (lower(hex(randomblob(18))), 'tea', 4.0, \(stamp))
    """

  private static let systemFields =
    "created_at, created_by, modified_at, modified_by, revision"
  private static let stamp =
    "unixepoch() * 1000000, null, unixepoch() * 1000000, null, 1"

  /// The query by which the rows of two stores are compared.
  var totals: String {
    let columns = shape.fields.flatMap { field -> [String] in
      let name = field.name
      switch field.type {
      case .text, .record: return Self.totals(of: name, measure: "length(\(name))")
      case .integer, .boolean: return Self.totals(of: name, measure: name)
      case .datetime: return Self.totals(of: name, measure: "\(name) / 1000000")
      case .number:
        // A sum of integers does not depend on the order, unlike a sum of floating-point numbers.
        return Self.totals(of: name, measure: "cast(round(\(name) * 100) as integer)")
      case .texts, .json:
        // The same JSON value may have several texts.
        let atoms = "(select group_concat(atom) from json_tree(\(name)))"
        return Self.totals(of: atoms, measure: "length(\(atoms))")
      }
    }
    let counts = ["count(*)", "count(created_at)", "count(modified_at)", "sum(revision)"]
    return "select \((counts + columns).joined(separator: ", ")) from record"
  }

  private static func totals(of value: String, measure: String) -> [String] {
    ["count(\(value))", "sum(\(measure))", "min(\(value))", "max(\(value))"]
  }
}

extension Shape.Field {
  /// Returns the expression that converts an input line to the column's value.
  fileprivate func expression(in format: Shape.Format) -> String {
    switch (format, type) {
    case (.ndjson, .text), (.ndjson, .integer), (.ndjson, .number), (.ndjson, .boolean),
      (.ndjson, .record):
      "text ->> '\(name)'"
    case (.ndjson, .datetime): "unixepoch(text ->> '\(name)') * 1000000"
    case (.ndjson, .texts), (.ndjson, .json): "text -> '\(name)'"
    case (.csv, .text), (.csv, .texts), (.csv, .json), (.csv, .record): "nullif(\(name), '')"
    case (.csv, .integer): "cast(nullif(\(name), '') as integer)"
    case (.csv, .number): "cast(nullif(\(name), '') as real)"
    case (.csv, .boolean): "nullif(\(name), '') = 'true'"
    case (.csv, .datetime): "unixepoch(nullif(\(name), '')) * 1000000"
    }
  }
}
