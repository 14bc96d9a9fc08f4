import CommandSyntax
import DataModel
import Platform
import RecordText

/// The options that describe the input, such as its format and encoding. `save` and `schema infer`
/// share these options.
struct ReadingOptions: Sendable {
  var form = TextForm()
  private var key: String?
  private var renames: [String] = []
  private var skips: [String] = []
  private var only: String?
  private var splits: [String] = []
  private var isLenient = false
  private var lenience = Lenience()
  /// The time zone of times without a UTC offset (`--assume-zone`).
  private(set) var zone: TimeZoneRules?

  /// Returns the options for the format and the columns.
  ///
  /// - Parameters:
  ///   - unnamed: What `--no-header` means.
  ///   - summary: The description of `--no-header`.
  static func format(unnamed: TextForm.Header, _ summary: String) -> [Input<Self>] {
    [
      .choice(
        "--input", \.form.format, value: "FORMAT",
        "The format of the input. By default, the format is detected."),
      .option(
        "--delimiter", \.form.separator, value: "CHARACTER",
        """
        The character between the cells of CSV, such as `;`, or `\\t` for a tab. By default, it is \
        a comma. If the first line contains no comma, but a tab or a semicolon, that character is \
        used.
        """
      ) { text throws(UsageError) in
        guard let separator = TextForm.separator(text == "\\t" ? "\t" : text) else {
          throw UsageError(
            "--delimiter: expected one character of ASCII, not a quotation mark or a line break, "
              + "found \(Excerpt.quoted(text))")
        }
        return separator
      },
      .flag("--no-header", \.form.header, sets: unnamed, summary),
      .option(
        "--header", \.form.header, value: "NAMES",
        "Read the first line of CSV as a record, and use these comma-separated column names."
      ) { text throws(UsageError) in
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if names.contains("") { throw UsageError("--header: expected names, separated by commas") }
        return .names(names)
      },
      .choice(
        "--encoding", \.form.encoding, value: "ENCODING",
        """
        The encoding of the input. By default, it is UTF-8. For JSON or CSV that begins with a \
        UTF-16 byte order mark, it is UTF-16.
        """),
      .option(
        "--key", \.key, value: "COLUMNS",
        """
        Use the text of this column or key as the id. If several columns are given, separated by \
        commas, the id consists of their texts, joined by colons.
        """),
      .repeatedOption(
        "--rename", \.renames, value: "COLUMN=FIELD",
        "Read the column or key COLUMN as the field FIELD."),
      .repeatedOption("--skip", \.skips, value: "COLUMN", "Do not read the column or key COLUMN."),
      .option(
        "--only", \.only, value: "COLUMNS",
        """
        Read only these comma-separated columns of CSV, and those that `--key` and `--rename` name.
        """),
      .repeatedOption(
        "--split-cells", \.splits, value: "COLUMN=SEPARATOR",
        """
        Read the cells of a column of CSV as lists whose elements are separated by SEPARATOR, such \
        as `tags=;`, or `\\t` for a tab. Spaces around elements and empty elements are dropped.
        """),
      .flag(
        "--ragged", \.form.isRagged,
        """
        Accept rows of CSV that end before the last column. A missing cell leaves its field \
        unchanged or, in a new record, sets its default. The id must be given.
        """),
      .option(
        "--comment", \.form.comment, value: "TEXT",
        "Skip the lines of CSV that begin with TEXT, such as `#`, before or after the header."
      ) { text throws(UsageError) in
        if text.isEmpty || text.utf8.contains(where: { $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) {
          throw UsageError(
            "--comment: expected a text without quotation marks and line breaks, "
              + "found \(Excerpt.quoted(text))")
        }
        return Array(text.utf8)
      },
    ]
  }

  /// The options for the notations of values.
  static let notations: [Input<Self>] = [
    .flag(
      "--lenient", \.isLenient,
      """
      Also accept other notations of booleans, numbers and times, such as `yes`, `1'234.5` or \
      `2026-12-24 10:00Z`. An empty string is read as null, except in `text` and `json` fields. \
      When a schema is inferred, these notations also determine the types. See `datactl help \
      formats`.
      """),
    .choice(
      "--decimal-mark", \.lenience.decimalMark, value: "MARK",
      """
      Read numbers such as `1.234,5` with a comma, or `1,234.5` with a point. The other mark, \
      apostrophes and spaces then only separate groups of three digits. Implies `--lenient`.
      """),
    .choice(
      "--dates", \.lenience.dates, value: "ORDER",
      """
      Also read dates such as `24.12.2026`, `24/12/2026` or `24-12-2026`, in this order of day, \
      month and year. Years have four digits. Implies `--lenient`.
      """),
    .repeatedOption(
      "--true", \.lenience.trueWords, value: "WORD",
      "Also read WORD as true, in uppercase or lowercase. Implies `--lenient`."),
    .repeatedOption(
      "--false", \.lenience.falseWords, value: "WORD",
      "Also read WORD as false, in uppercase or lowercase. Implies `--lenient`."),
    .timeZone(
      "--assume-zone", \.zone,
      """
      Read times without a UTC offset as local times of this time zone, such as `Europe/Zurich`. \
      If a time occurs twice because the clocks are set back, the earlier one is meant. A date \
      without a time still means the start of the day in UTC.
      """),
  ]

  /// The options for columns, in the order in which conflicts with them are reported.
  static let columnOptions = [
    "--delimiter", "--header", "--no-header", "--key", "--rename", "--skip", "--only",
    "--split-cells",
    "--ragged", "--comment",
  ]

  /// A map describes the columns itself.
  static let mapRule = InputRule.excludes("--map", ["--key", "--rename", "--skip", "--no-header"])

  /// Checks the combination of the options. If no format is given, an option that applies only to
  /// CSV, such as `--delimiter`, implies CSV.
  mutating func validate() throws(UsageError) {
    do throws(ColumnRules.InvalidRule) {
      form.columns = try ColumnRules(
        key: key, renames: renames, skips: skips, only: only, splits: splits)
    } catch {
      throw UsageError(error.message, hint: error.hint)
    }
    let format = form.format
    let tableOption: String? =
      switch form.header {
      case _ where form.separator != nil: "--delimiter"
      case .firstRow: nil
      case .fields, .numbers: "--no-header"
      case .names: "--header"
      }
    if let option = tableOption ?? form.tableOption, let format, !format.isTable {
      throw UsageError("\(option) is for CSV, and cannot be used with --input \(format.rawValue)")
    }
    if tableOption != nil { form.format = format ?? .csv }
    if format == .tsv, let separator = form.separator, separator != 0x09 {
      throw UsageError("--delimiter cannot be used with --input tsv: TSV is separated by tabs")
    }
    if format == .xml, !form.columns.isEmpty {
      throw UsageError(
        "--key, --rename and --skip are for JSON and CSV, and cannot be used with --input xml")
    }
    form.assumesZone = zone != nil
    for (option, words, isTrue) in [
      ("--true", lenience.trueWords, true), ("--false", lenience.falseWords, false),
    ] {
      if words.contains("") { throw UsageError("\(option): expected a word") }
      for word in words where lenience.boolean(word.utf8.span) != isTrue {
        throw UsageError("\(option): \(Excerpt.quoted(word)) also means \(!isTrue)")
      }
    }
    form.lenience = isLenient || lenience != Lenience() ? lenience : nil
  }
}

extension Input {
  /// Returns an option whose value is the name of a time zone.
  static func timeZone(
    _ name: String, _ property: @autoclosure @escaping Property<TimeZoneRules?>, _ summary: String
  ) -> Input {
    .option(name, property(), value: "ZONE", kind: .timeZone, summary) {
      zone throws(UsageError) in try timeZone(named: zone, by: name)
    }
  }

  /// Reads the UTC offsets of a time zone from the time zone database of the system.
  ///
  /// - Parameter option: The option that contains the name, for error messages.
  fileprivate static func timeZone(
    named name: String, by option: String
  ) throws(UsageError) -> TimeZoneRules {
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
}
