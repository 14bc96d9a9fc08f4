package import DataModel
import Synchronization

/// The locations of the records that a map reads, by the number of the record. Problems are located
/// with them after the records were converted.
package final class MapLocations: Sendable {
  /// The number of locations of fields, and of findings, that are kept. For earlier ones, only the
  /// line of the record is known.
  private static let maxFields = 200_000
  private static let maxFindings = 10_000

  /// The index of a record that is not at the path to the records, but the whole value.
  static let rootIndex = -2

  private struct Location {
    var record: Int
    var location: MappedRecordReader.FieldLocation
  }

  private struct Finding: Hashable {
    var record: Int
    var message: String
  }

  private struct State {
    var lines: [Int32] = []
    /// The index of each record in its list, `rootIndex`, or -1 if it is in place of the list.
    var indexes: [Int32] = []
    var fields: [Location] = []
    var entries: [Int: String] = [:]
    var findings: [Finding: [(path: String, line: Int)]] = [:]
  }

  private let layout: MapLayout
  private let file: String
  private let state = Mutex(State())

  package init(_ layout: MapLayout, file: String) {
    self.layout = layout
    self.file = file
  }

  /// Adds a record. Returns its number, counted from 1.
  func add(
    line: Int, index: Int?, entry: String?, _ fields: [MappedRecordReader.FieldLocation]
  ) -> Int {
    state.withLock { state in
      state.lines.append(Int32(truncatingIfNeeded: line))
      state.indexes.append(Int32(truncatingIfNeeded: index ?? -1))
      let number = state.lines.count
      if state.fields.count > Self.maxFields {
        state.fields.removeAll(keepingCapacity: true)
        state.entries.removeAll(keepingCapacity: true)
      }
      state.fields += fields.map { Location(record: number, location: $0) }
      if let entry { state.entries[number] = entry }
      return number
    }
  }

  /// Adds a problem that was found in a record when it was converted.
  func add(_ issue: MappedRecordReader.Issue, of record: Int) {
    state.withLock { state in
      if state.findings.count > Self.maxFindings {
        state.findings.removeAll(keepingCapacity: true)
      }
      state.findings[Finding(record: record, message: issue.message), default: []]
        .append((issue.path, issue.line))
    }
  }

  /// Returns the path of a record in the document.
  static func path(_ map: DataMap, index: Int?, entry: String?) -> String {
    let container = map.records.text(map.format)
    switch map.format {
    case .csv: return ""
    case .xml: return "/\(container)[\((index ?? 0) + 1)]"
    case .json:
      if index == rootIndex { return "$" }
      let root = container.isEmpty || container.hasPrefix("[") ? "$\(container)" : "$.\(container)"
      if let entry { return "\(root.dropLast(2)).\(entry)" }
      return index.map { "\(root)[\($0)]" } ?? root
    }
  }

  /// The line of a record in the document.
  package func line(ofRecord number: Int) -> Int {
    state.withLock { state in
      state.lines.indices.contains(number - 1) ? Int(state.lines[number - 1]) : number
    }
  }

  /// Returns a problem whose line is the number of a record, with the line and the path of the value
  /// in the document instead.
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
        (located.path, located.line) = (found.path.isEmpty ? nil : found.path, found.line)
        located.pathIsComplete = located.path != nil
        return located
      }
      let tree = problem.path.map { String($0.dropFirst(2)) }
      let location = [tree, problem.field].compactMap(\.self).joined(separator: ".")
      let fields = fields(of: number, in: state)
      located.line =
        fields.first { $0.field == location && $0.entry == nil }?.line
        ?? tree.flatMap { tree in fields.first { $0.field == tree }?.line }
        ?? Int(state.lines[number - 1])
      let index = state.indexes[number - 1]
      let record = Self.path(
        layout.map, index: index == -1 ? nil : Int(index), entry: state.entries[number])
      let path = path(of: location, below: record, fields)
      located.path = path.isEmpty ? nil : path
      located.pathIsComplete = located.path != nil
      return located
    }
  }

  private func fields(of record: Int, in state: State) -> [MappedRecordReader.FieldLocation] {
    var (low, high) = (0, state.fields.count)
    while low < high {
      let middle = (low + high) / 2
      if state.fields[middle].record < record { low = middle + 1 } else { high = middle }
    }
    return state.fields[low...].prefix { $0.record == record }.map(\.location)
  }

  /// Returns the path in the document for a location such as `steps[1].text`.
  private func path(
    of location: String, below record: String, _ fields: [MappedRecordReader.FieldLocation]
  ) -> String {
    var path = record
    var current: RecordLayout? = layout.record
    var known = ""
    let format = layout.map.format
    for part in location.split(separator: ".") {
      let name = part.prefix { $0 != "[" }
      let number = Int(part.dropFirst(name.count + 1).dropLast())
      known += (known.isEmpty ? "" : ".") + part
      guard let binding = current?.binding(of: String(name)) else {
        return path.isEmpty ? "" : path
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
    return path
  }
}

extension String {
  /// Returns the text with all occurrences of one text replaced with another.
  fileprivate func replacing(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
