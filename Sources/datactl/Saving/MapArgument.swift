import CommandSyntax
import DataModel
import DataText
import DataXML

extension CommandContext {
  /// Reads the map that `--map` names: a built-in map or a file.
  func map(_ name: String) throws(DataError) -> DataMap {
    if let map = DataMap.builtIn(named: name) { return map }
    do throws(DataError) {
      return try DataMap(
        parsing: try input(name, for: "a map").readAll(atMost: 1 << 20), file: name)
    } catch {
      guard error.code == .fileNotFound else { throw error }
      let names = DataMap.builtIn.map(\.name)
      throw DataError(
        Problem(
          .fileNotFound, "no such file or built-in map",
          hint: nearest(name, among: names).map { "did you mean \($0)?" }
            ?? "built-in maps are \(names.joined(separator: ", "))", file: name))
    }
  }
}

extension DataMap {
  /// Throws an error if `form` specifies another format than the one that the map reads.
  func check(_ form: TextForm) throws(DataError) {
    switch (format, form.format) {
    case (_, nil), (.json, .json), (.json, .ndjson), (.xml, .xml), (.csv, .csv), (.csv, .tsv):
      return
    case (.json, let given?), (.xml, let given?), (.csv, let given?):
      let option =
        form.separator != nil
        ? "--delimiter" : form.header != .firstRow ? "--header" : "--input \(given.rawValue)"
      throw DataError(
        .usage, "--map \(name) reads \(format.rawValue): \(option) cannot be used with it")
    }
  }

  /// The format whose rules apply when the converted records are read. For XML and CSV, it is
  /// `xml`, because in both formats all values are text.
  var convertedFormat: RecordFormat {
    switch format {
    case .json: .ndjson
    case .xml, .csv: .xml
    }
  }
}

/// A source of the records that a map finds in a document.
enum MappedSource<Source: ByteSource>: ByteSource {
  case text(MappedTextSource<Source>)
  case xml(XMLRecordSource<Source>)

  init(
    _ source: Source, by layout: MapLayout, _ locations: MapLocations, _ form: TextForm,
    _ formerEncoding: TextEncoding? = nil, longestText: Int = 96 << 20
  ) throws(DataError) {
    try layout.map.check(form)
    switch layout.map.format {
    case .json, .csv:
      self = .text(
        MappedTextSource(source, by: layout, locations, form, longestText: longestText))
    case .xml:
      self = .xml(
        try XMLRecordSource(
          source, by: layout, locations, formerEncoding: formerEncoding, longestText: longestText))
    }
  }

  mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
    switch self {
    case .text(var source):
      defer { self = .text(source) }
      return try source.read(into: &buffer, atMost: count)
    case .xml(var source):
      defer { self = .xml(source) }
      return try source.read(into: &buffer, atMost: count)
    }
  }

  func hasBytes(within seconds: Double) throws(DataError) -> Bool {
    switch self {
    case .text(let source): try source.hasBytes(within: seconds)
    case .xml(let source): try source.hasBytes(within: seconds)
    }
  }

  mutating func takeFindings() -> SourceFindings {
    switch self {
    case .text(var source):
      defer { self = .text(source) }
      return source.takeFindings()
    case .xml(var source):
      defer { self = .xml(source) }
      return source.takeFindings()
    }
  }

  var convertedCount: Int? {
    switch self {
    case .text(let source): source.convertedCount
    case .xml(let source): source.convertedCount
    }
  }
}

extension Input where Value == String? {
  /// The option that names a map.
  static func map(_ summary: String) -> Input {
    .option("--map", value: "MAP", kind: .file, summary)
  }
}
