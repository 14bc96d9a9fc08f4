import JSONText

/// The first bytes of files in a binary format, such as gzip or Parquet, and the error for such a
/// file. Records cannot be read from such files.
struct FileSignature {
  let bytes: [UInt8]
  let limitError: InputLimitError

  private init(_ bytes: [UInt8], _ limitError: InputLimitError) {
    self.bytes = bytes
    self.limitError = limitError
  }

  static let all = [
    FileSignature([0x1F, 0x8B], .compressed(with: "gzip")),
    // After `BZh` and the block size (a digit), each file begins with the digits of π.
    FileSignature(Array("BZh91AY&SY".utf8), .compressed(with: "bzip2")),
    FileSignature([0xFD] + Array("7zXZ".utf8) + [0], .compressed(with: "xz")),
    FileSignature([0x28, 0xB5, 0x2F, 0xFD], .compressed(with: "zstd")),
    FileSignature(
      Array("PK".utf8) + [3, 4],
      .format(
        "a spreadsheet (xlsx, ods) or a zip archive",
        hint: "export the spreadsheet as CSV, or extract the archive first")),
    FileSignature(
      [0xD0, 0xCF, 0x11, 0xE0],
      .format("a spreadsheet (xls)", hint: "export the spreadsheet as CSV first")),
    FileSignature(
      Array("PAR1".utf8) + [0x15],
      .format(
        "a Parquet file",
        hint: "convert the input first: duckdb -csv -c \"from 'FILE.parquet'\" | datactl …")),
    FileSignature(
      Array("SQLite format 3".utf8) + [0],
      .format(
        "an SQLite database",
        hint: "export a table first: sqlite3 -csv -header FILE 'select * from TABLE' | datactl …")),
  ]
}

/// The first line of an input that does not begin with `{` or `[`.
struct FirstLine {
  let isYAML: Bool
  /// The delimiter that the line probably uses: a tab or a semicolon if the line contains one of
  /// them and no comma; a comma in all other cases.
  let separator: UInt8

  init(_ line: Span<UInt8>) {
    var (commas, semicolons, tabs) = (0, 0, 0)
    var hasKey = false
    var isQuoted = false
    var isKey = true
    for index in line.indices {
      let byte = line[index]
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: commas += 1
      case UInt8(ascii: ";") where !isQuoted: semicolons += 1
      case 0x09 where !isQuoted: tabs += 1
      case UInt8(ascii: ":") where isKey && index > 0:
        hasKey = index + 1 == line.count || line[index + 1] == 0x20
      default: break
      }
      isKey = isKey && byte != 0x20 && byte != UInt8(ascii: ":") && !isQuoted
    }
    isYAML =
      hasKey && commas == 0 || line.isEqual(to: "---".utf8.span)
      || line.count > 1 && line[0] == UInt8(ascii: "-") && line[1] == 0x20
    separator =
      commas > 0 || tabs + semicolons == 0
      ? UInt8(ascii: ",") : tabs > 0 ? 0x09 : UInt8(ascii: ";")
  }
}
