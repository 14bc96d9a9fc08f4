package import DataModel

/// Converts the records of a document to NDJSON, one line for each record. The lines of problems
/// are the numbers of these lines. `MapLocations` converts them to locations in the document.
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
  package mutating func append(
    _ value: ForeignValue, at place: RecordPlace, to output: inout [UInt8]
  ) {
    var entry: String?
    if case .entry(let name) = place { entry = name }
    let path = place.path(layout.map)
    output += reader.read(value, layout.record, entry: entry, path: path)
    output.append(0x0A)
    let number = locations.add(
      line: value.line, place, reader.locations)
    for issue in reader.issues {
      locations.add(issue, of: number)
      problems[number, default: []].append(
        Problem(
          .invalid, issue.message, hint: issue.hint, schema: layout.record.schemaName,
          field: issue.field, line: number))
    }
  }

  /// Returns the problems that were found since the last call, by record number.
  package mutating func takeProblems() -> [Int: [Problem]] {
    defer { problems = [:] }
    return problems
  }
}
