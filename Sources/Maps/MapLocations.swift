package import DataModel
import Synchronization

/// Where a record was found in a document.
package enum RecordPlace: Hashable, Sendable {
  /// The record is a top-level value of the document.
  case root
  /// The document is an array of records, although the map specifies a path to the records.
  case rootElement(Int)
  /// The path to the records leads to a single record instead of an array.
  case single
  /// The record is an element of the array at the path to the records.
  case element(Int)
  /// The object at the path to the records contains the record as the member with this name.
  case entry(String)

  /// Returns the path of the record in the document, such as `$.items[2]`. It is empty for CSV.
  func path(_ map: DataMap) -> String {
    let container = map.records.text(map.format)
    let path = container.isEmpty || container.hasPrefix("{") ? "$\(container)" : "$.\(container)"
    switch (map.format, self) {
    case (.csv, _): return ""
    case (.xml, .element(let index)): return "/\(container)[\(index + 1)]"
    case (.xml, _): return "/\(container)"
    case (.json, .root): return "$"
    case (.json, .rootElement(let index)): return "$[\(index)]"
    case (.json, .single): return path
    case (.json, .element(let index)): return "\(path)[\(index)]"
    case (.json, .entry(let name)): return "\(path.dropLast(2)).\(name)"
    }
  }
}

/// The locations of records and values in a document. A map converts the records to NDJSON before
/// they are validated, so problems contain only record numbers. This object adds the location in
/// the document to each problem.
package final class MapLocations: Sendable {
  /// The number of field locations after which all of these locations are discarded to save memory.
  /// Problems of the previous records then contain only the line of the record.
  private static let maxFields = 200_000
  /// The number of problems after which the locations of all of these problems are discarded to
  /// save memory.
  private static let maxFindings = 10_000

  private struct Location {
    var record: Int
    var location: MappedRecordReader.FieldLocation
  }

  /// The line of a value in the document, and the location of the value in the record, such as
  /// `title`, or `steps[1].text` for a field of a nested record.
  private struct NamedLocation {
    var field: String
    var line: Int
    var entry: String?
  }

  /// The places of consecutive records. The records are consecutive elements of an array, or all of
  /// them have the same place, such as `root`.
  private struct PlaceRange {
    /// The number of the first record of the range, counted from 1 in the document.
    let record: Int
    /// The place of the first record. The places of the other records are derived from it.
    let first: RecordPlace

    func place(of other: Int) -> RecordPlace {
      switch first {
      case .element(let index): .element(index + other - record)
      case .rootElement(let index): .rootElement(index + other - record)
      case .root, .single, .entry: first
      }
    }
  }

  private struct Finding: Hashable {
    var record: Int
    var message: String
  }

  private struct State {
    var lines: [Int32] = []
    /// Where the records are in the document. Records that are members of an object are in
    /// `entries` instead.
    var places: [PlaceRange] = []
    var fields: [Location] = []
    /// The locations of the values in the record that had the most recent problem. They are kept,
    /// because the next problem is often in the same record.
    var named: (record: Int, locations: [NamedLocation]) = (0, [])
    /// The member names of the records, by record number. Empty if the records are not the values
    /// of an object.
    var entries: [Int: String] = [:]
    /// The line on which each member name first occurred, if the records are the values of an
    /// object.
    var entryLines: [[UInt8]: Int32] = [:]
    var findings: [Finding: [(path: String, line: Int)]] = [:]
    /// The names of the elements that were found where the map expects the records.
    var otherElements: [String] = []
    var texts = KeptTexts()
  }

  private let layout: MapLayout
  private let file: String
  /// How the texts of the records are kept, in case a record is rejected. Nil if the texts are not
  /// kept.
  let keeping: TextKeeping?
  private let state = Mutex(State())

  package init(_ layout: MapLayout, file: String, keeping: TextKeeping? = nil) {
    self.layout = layout
    self.file = file
    self.keeping = keeping
  }

  /// Keeps the text of a record, so that it can be written to a file if the record is rejected.
  func keep(_ text: [UInt8], of record: Int) {
    state.withLock { $0.texts.add(text, of: record) }
  }

  /// Returns the text of the record with the given number, or nil if it is not kept.
  package func text(ofRecord number: Int) -> [UInt8]? {
    state.withLock { $0.texts[number] }
  }

  /// Adds the location of a record. Returns the number of the record, counted from 1.
  func add(
    line: Int, _ place: RecordPlace, _ fields: [MappedRecordReader.FieldLocation]
  ) -> Int {
    state.withLock { state in
      state.lines.append(Int32(truncatingIfNeeded: line))
      let number = state.lines.count
      if state.fields.count > Self.maxFields {
        state.fields.removeAll(keepingCapacity: true)
        state.entries.removeAll(keepingCapacity: true)
      }
      state.fields += fields.map { Location(record: number, location: $0) }
      if case .entry(let name) = place {
        state.entries[number] = name
      } else if state.places.last?.place(of: number) != place {
        state.places.append(PlaceRange(record: number, first: place))
      }
      return number
    }
  }

  /// Returns the line of an earlier record with the same member name. If there is none, stores the
  /// name and the line, and returns nil.
  ///
  /// - Parameter entry: The member name of the record.
  func note(_ entry: String, line: Int) -> Int? {
    state.withLock { state in
      let name = Array(entry.utf8)
      if let first = state.entryLines[name] { return Int(first) }
      state.entryLines[name] = Int32(truncatingIfNeeded: line)
      return nil
    }
  }

  /// Stores names of elements for a warning that the document has no records. The elements were
  /// found where the map expects the records.
  func note(otherElements names: [String]) {
    state.withLock { $0.otherElements = names }
  }

  /// A warning that the document has no records. It lists the elements that were found where the
  /// map expects the records. Nil if there are records, or if there are no such elements.
  package var missingRecords: String? {
    let names = state.withLock { $0.otherElements }.map { Excerpt.truncated($0) }
    guard !names.isEmpty, let name = layout.recordNames.last else { return nil }
    let parent = layout.recordNames.dropLast().joined(separator: "/")
    let document = file == "-" ? "standard input" : file
    return layout.map.shown(
      "\(document): no \(name) in /\(parent), where the map expects the records; found "
        + names.joined(separator: ", "))
  }

  /// Adds the location of a problem that was found while a record was converted to NDJSON.
  func add(_ issue: MappedRecordReader.Issue, of record: Int) {
    state.withLock { state in
      if state.findings.count > Self.maxFindings {
        state.findings.removeAll(keepingCapacity: true)
      }
      state.findings[Finding(record: record, message: issue.message), default: []]
        .append((issue.path, issue.line))
    }
  }

  /// Returns the line on which the record with the given number begins in the document.
  package func line(ofRecord number: Int) -> Int {
    state.withLock { state in
      state.lines.indices.contains(number - 1) ? Int(state.lines[number - 1]) : number
    }
  }

  /// Returns the line of a field's value in the document. If this line is not known, returns the
  /// line of the record.
  package func line(ofRecord number: Int, field: String) -> Int {
    state.withLock { state in
      guard state.lines.indices.contains(number - 1) else { return number }
      return fields(of: number, in: &state).first { $0.field == field }?.line
        ?? Int(state.lines[number - 1])
    }
  }

  /// Returns a copy of the problem with the name of the document, and with the line and the path of
  /// the value in the document.
  ///
  /// - Parameter problem: A problem whose `line` is the number of a record instead of a line.
  package func located(_ problem: Problem) -> Problem {
    guard let number = problem.line, !problem.pathIsComplete else { return problem }
    return state.withLock { state in
      guard state.lines.indices.contains(number - 1) else { return problem }
      var located = problem
      located.file = file
      located.column = nil
      located.pathIsComplete = true
      let finding = Finding(record: number, message: problem.message)
      if let found = state.findings[finding]?.first {
        // Problems with the same message are located in the order in which they were found.
        if state.findings[finding]?.count != 1 { state.findings[finding]?.removeFirst() }
        let path = layout.map.shown(found.path)
        (located.path, located.line) = (path.isEmpty ? nil : path, found.line)
        located.message = layout.map.shown(problem.message)
        located.pathIsComplete = located.path != nil
        return located
      }
      let tree = problem.path.flatMap { $0 == "$" ? nil : String($0.dropFirst(2)) }
      let location = [tree, problem.field].compactMap(\.self).joined(separator: ".")
      let fields = fields(of: number, in: &state)
      located.line =
        fields.first { $0.field == location && $0.entry == nil }?.line
        ?? tree.flatMap { tree in fields.first { $0.field == tree }?.line }
        ?? Int(state.lines[number - 1])
      let record = place(of: number, in: state).path(layout.map)
      let (path, unmapped) = path(of: location, below: record, fields)
      located.path = path.isEmpty ? nil : layout.map.shown(path)
      if let unmapped {
        located.message = "\(unmapped): \(located.message)"
        located.hint = located.hint ?? "the map \(layout.map.name) does not read this field"
      }
      located.pathIsComplete = located.path != nil
      return located
    }
  }

  private func place(of record: Int, in state: State) -> RecordPlace {
    if let name = state.entries[record] { return .entry(name) }
    return state.places.last { $0.record <= record }?.place(of: record) ?? .single
  }

  private func fields(of record: Int, in state: inout State) -> [NamedLocation] {
    if state.named.record == record { return state.named.locations }
    var (low, high) = (0, state.fields.count)
    while low < high {
      let middle = (low + high) / 2
      if state.fields[middle].record < record { low = middle + 1 } else { high = middle }
    }
    let locations = state.fields[low...].prefix { $0.record == record }.map(\.location)
    let named = locations.enumerated().map { index, location in
      NamedLocation(
        field: locations.name(at: index), line: Int(location.line), entry: location.entry)
    }
    state.named = (record, named)
    return named
  }

  /// Converts the location of a value in a record, such as `steps[1].text`, to the path of the
  /// value in the document. If the map does not read the field, returns the path of the record that
  /// contains the field, and the name of the field.
  private func path(
    of location: String, below record: String, _ fields: [NamedLocation]
  ) -> (path: String, unmapped: String?) {
    var path = record
    var current: RecordLayout? = layout.record
    var known = ""
    let format = layout.map.format
    for part in location.split(separator: ".") {
      let name = part.prefix { $0 != "[" }
      let number = Int(part.dropFirst(name.count + 1).dropLast())
      known += (known.isEmpty ? "" : ".") + part
      guard let binding = current?.binding(of: String(name)) else {
        return (path, String(name))
      }
      var text = binding.path?.text(format) ?? String(name)
      if let number {
        let entry = fields.first { $0.field == known && $0.entry != nil }?.entry
        text = text.replacing("[]", with: "[\(format == .xml ? number + 1 : number)]")
        text = text.replacing("{}", with: entry.map { ".\($0)" } ?? "[\(number)]")
      } else if text.hasSuffix("[]") || text.hasSuffix("{}") {
        text.removeLast(2)
      }
      path += (format == .xml ? "/" : path.isEmpty ? "" : ".") + text
      current = binding.nested
    }
    return (path, nil)
  }
}

extension DataMap {
  /// Returns a path in a document with the prefixes of the map in place of the namespaces.
  package func shown(_ path: String) -> String {
    namespaces.reduce(path) { $0.replacing("{\($1.uri)}", with: "\($1.prefix):") }
  }
}

extension String {
  /// Returns the string with all occurrences of `old` replaced with `new`.
  fileprivate func replacing(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
