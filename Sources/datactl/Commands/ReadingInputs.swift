import CommandSyntax
import DataModel
import DataText
import Platform

/// The options that describe the input, such as its format and encoding. `save` and `schema infer`
/// share these options.
enum ReadingInputs {
  static let format = Input.choice(
    "--input", value: "FORMAT", of: RecordFormat.allCases,
    "The format of the input. By default, the format is detected.")

  static let separator = Input.option(
    "--delimiter", value: "CHARACTER",
    """
    The character between the cells of CSV, such as `;`, or `\\t` for a tab. By default, it is a \
    comma. If the first line contains no comma, but a tab or a semicolon, that character is used.
    """
  ).map { text throws(UsageError) -> UInt8? in
    guard let text else { return nil }
    guard let separator = TextForm.separator(text == "\\t" ? "\t" : text) else {
      throw UsageError(
        "--delimiter: expected one character of ASCII, not a quotation mark or a line break, "
          + "found \(Excerpt.quoted(text))")
    }
    return separator
  }

  static let hasNoHeader = Input.flag(
    "--no-header",
    """
    Read the first line of CSV as a record. If fields are inferred, the columns are called \
    `column_1`, `column_2` and so on. If not, the columns are the fields of the schema in their \
    order, with the primary key first.
    """)

  static let header = Input.option(
    "--header", value: "NAMES",
    "Read the first line of CSV as a record, and use these comma-separated column names."
  ).map { text throws(UsageError) -> [String]? in
    guard let text else { return nil }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if names.contains("") { throw UsageError("--header: expected names, separated by commas") }
    return names
  }

  static let encoding = Input.choice(
    "--encoding", value: "ENCODING", of: TextEncoding.allCases,
    """
    The encoding of the input. By default, it is UTF-8. For JSON or CSV that begins with a UTF-16 \
    byte order mark, it is UTF-16.
    """)

  static let key = Input.option(
    "--key", value: "COLUMNS",
    """
    Use the text of this column or key as the id. If several columns are given, separated by \
    commas, the id consists of their texts, joined by colons.
    """)

  static let renames = Input.repeatedOption(
    "--rename", value: "COLUMN=FIELD", "Read the column or key COLUMN as the field FIELD.")

  static let skips = Input.repeatedOption(
    "--skip", value: "COLUMN", "Do not read the column or key COLUMN.")

  static let isLenient = Input.flag(
    "--lenient",
    """
    Also accept other notations of booleans, numbers and times, such as `yes`, `1'234.5` or \
    `2026-12-24 10:00Z`. An empty string is read as null, except in `text` and `json` fields. When \
    a schema is inferred, these notations also determine the types. See `datactl help formats`.
    """)

  static let assumedZone = Input.option(
    "--assume-zone", value: "ZONE", kind: .timeZone,
    """
    Read times without a UTC offset as local times of this time zone, such as `Europe/Zurich`. If \
    a time occurs twice because the clocks are set back, the earlier one is meant. A date without \
    a time still means the start of the day in UTC.
    """
  ).map { name throws(UsageError) in try timeZone(named: name, by: "--assume-zone") }

  /// Reads the UTC offsets of a time zone from the time zone database of the system. Returns nil if
  /// no name is given.
  ///
  /// - Parameter option: The option that contains the name, for error messages.
  static func timeZone(
    named name: String?, by option: String
  ) throws(UsageError) -> TimeZoneRules? {
    guard let name else { return nil }
    do throws(SystemCallError) {
      let file = try TimeZoneFile.contents(ofZone: name)
      if let rules = file.flatMap({ TimeZoneRules(name: name, parsing: $0) }) { return rules }
    } catch {
      throw UsageError("\(option): cannot read the time zone database: \(error.text)")
    }
    throw UsageError(
      "\(option): unknown time zone \(Excerpt.quoted(name))",
      hint: TimeZoneFile.isInstalled
        ? "write the name of a zone, such as Europe/Zurich" : "install the package tzdata")
  }

  /// Throws an error if an option or operand is given together with one of `others`. Help does not
  /// mention these conflicts, because they are obvious.
  static func exclude(
    _ name: String, if isGiven: Bool, with others: [(String, Bool)]
  ) throws(UsageError) {
    guard isGiven, let (other, _) = others.first(where: \.1) else { return }
    throw UsageError("\(name) and \(other) cannot be used together")
  }

  /// Returns the properties of the input that the options specify, such as its format and encoding.
  /// If no format is given, an option that applies only to CSV, such as `--delimiter`, implies CSV.
  static func form(
    _ format: RecordFormat?, separator: UInt8?, hasNoHeader: Bool, header: [String]?,
    encoding: TextEncoding?, key: String?, renames: [String], skips: [String], map: String?
  ) throws(UsageError) -> TextForm {
    try exclude(
      "--map", if: map != nil,
      with: [
        ("--key", key != nil), ("--rename", !renames.isEmpty), ("--skip", !skips.isEmpty),
        ("--no-header", hasNoHeader),
      ])
    let tableOptions = [
      ("--delimiter", separator != nil), ("--no-header", hasNoHeader), ("--header", header != nil),
    ]
    var form = TextForm(format)
    if let option = tableOptions.first(where: \.1)?.0 {
      if let format, !format.isTable {
        throw UsageError("\(option) is for CSV, and cannot be used with --input \(format.rawValue)")
      }
      form.format = format ?? .csv
    }
    if format == .tsv, let separator, separator != 0x09 {
      throw UsageError("--delimiter cannot be used with --input tsv: TSV is separated by tabs")
    }
    form.separator = separator
    form.encoding = encoding
    form.header = hasNoHeader ? .fields : header.map { .names($0) } ?? .firstRow
    do throws(ColumnRules.InvalidRule) {
      form.columns = try ColumnRules(key: key, renames: renames, skips: skips)
    } catch {
      throw UsageError(error.message, hint: error.hint)
    }
    if format == .xml, !form.columns.isEmpty {
      throw UsageError(
        "--key, --rename and --skip are for JSON and CSV, and cannot be used with --input xml")
    }
    return form
  }
}

extension TextForm {
  /// Throws an error if `--key`, `--rename` or `--skip` was given. Call this for XML input, because
  /// these options apply only to JSON and CSV.
  func checkXML(file: String) throws(DataError) {
    guard !columns.isEmpty else { return }
    throw DataError(
      Problem(
        .usage, "--key, --rename and --skip are for JSON and CSV, but the input is XML",
        hint: "describe the input with a map: datactl help maps", file: file))
  }
}
