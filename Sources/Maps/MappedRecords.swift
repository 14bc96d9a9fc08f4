package import DataModel

/// Converts the records of a document to NDJSON, one line for each record. A problem of a record
/// contains the number of this line, which `MapLocations` converts to a location in the document,
/// and a column in this line, which determines the order of the problems.
package struct MappedRecords: Sendable {
  package let layout: MapLayout
  private let locations: MapLocations
  private var reader: MappedRecordReader
  private var problems: [Int: [Problem]] = [:]

  package init(_ layout: MapLayout, _ locations: MapLocations) {
    self.layout = layout
    self.locations = locations
    reader = MappedRecordReader(layout.map.format)
  }

  /// Converts a record, and appends it as a line.
  ///
  /// - Parameter text: The text of the record, if the original texts are kept; if not, nil.
  package mutating func append(
    _ value: ForeignValue, at place: RecordPlace, text: [UInt8]? = nil, to output: inout [UInt8]
  ) {
    var entry: String?
    if case .entry(let name) = place { entry = name }
    reader.read(
      value, layout.record, entry: entry, path: place.path(layout.map), to: &output)
    output.append(0x0A)
    let number = locations.add(
      line: value.line, place, reader.hasLocations ? reader.locations : [])
    var issues = reader.issues
    if let entry, let first = locations.note(entry, line: value.line) {
      let isSameLine = first == value.line
      issues.append(
        MappedRecordReader.Issue(
          message: "given twice\(isSameLine ? "" : ", first in line \(first)")",
          path: place.path(layout.map), line: value.line))
    }
    for issue in issues {
      locations.add(issue, of: number)
      var problem = Problem(
        .invalid, issue.message, hint: issue.hint, schema: layout.record.schemaName,
        field: issue.field, line: number, column: issue.offset + 1)
      problem.path = issue.record
      problems[number, default: []].append(problem)
    }
    switch locations.keeping {
    case nil: break
    case .original: if let text { locations.keep(text, of: number) }
    case .serialized(let serialize):
      if let text = serialize(value) { locations.keep(text, of: number) }
    }
  }

  /// Whether the original texts of the records are kept, so that rejected records can be written to
  /// a file.
  var keepsOriginals: Bool {
    switch locations.keeping {
    case .original: true
    case .serialized, nil: false
    }
  }

  /// Appends the line `null` in place of a malformed record. When this line is read, it is rejected
  /// with the given problem.
  ///
  /// - Parameters:
  ///   - line: The line of the document on which the record begins.
  ///   - text: The text of the record, if the original texts are kept; if not, nil.
  mutating func appendMalformed(
    _ problem: Problem, line: Int, text: [UInt8]?, to output: inout [UInt8]
  ) {
    output.append(contentsOf: "null\n".utf8)
    let number = locations.add(line: line, .root, [])
    var problem = problem
    problem.schema = layout.record.schemaName
    problem.pathIsComplete = true
    problems[number] = [problem]
    if let text { locations.keep(text, of: number) }
  }

  /// Stores names of elements for a warning that the document has no records. The elements were
  /// found where the map expects the records.
  package func note(otherElements names: [String]) {
    locations.note(otherElements: names)
  }

  /// Returns the problems that were found since the last call, by record number.
  package mutating func takeProblems() -> [Int: [Problem]] {
    defer { problems = [:] }
    return problems
  }
}
