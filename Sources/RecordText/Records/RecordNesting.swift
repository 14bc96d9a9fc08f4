import DataModel
import JSONText

/// What a record scanner does with objects in relations, where the id of a record is expected.
protocol RecordNesting {
  /// Whether the records are parts of trees.
  static var isEnabled: Bool { get }

  /// Returns whether objects in a relation are nested records. If not, they are invalid.
  mutating func canRead(_ slot: Int) -> Bool

  /// If a key is the name of an inverse, skips its value, which is read after the record. Returns
  /// whether it is, and the problem with its value if there is one.
  mutating func skipInverse(
    _ name: String, _ text: Span<UInt8>, _ json: inout JSONScanner
  ) throws(ScanError) -> (isInverse: Bool, problem: String?)

  /// Reads the object at the current position as a nested record. Returns its id, or nil if the id
  /// is missing or invalid, which has been reported.
  ///
  /// - Parameters:
  ///   - slot: The relation of the open record that contains the object.
  ///   - index: The index of the object in the relation, or nil in a to-one relation.
  ///   - json: The scanner of the open record.
  mutating func read(
    _ slot: Int, _ index: Int?, _ text: Span<UInt8>, _ json: inout JSONScanner
  ) throws(ScanError) -> NestedID?
}

/// The id of a nested record.
enum NestedID {
  case assigned([UInt8])
  /// The id is the scalar at an offset in the text.
  case scalar(at: Int)
}

/// The nesting of records that are no trees.
struct NoNesting: RecordNesting {
  static var isEnabled: Bool { false }

  func canRead(_ slot: Int) -> Bool { false }

  func skipInverse(
    _ name: String, _ text: Span<UInt8>, _ json: inout JSONScanner
  ) -> (isInverse: Bool, problem: String?) { (false, nil) }

  func read(
    _ slot: Int, _ index: Int?, _ text: Span<UInt8>, _ json: inout JSONScanner
  ) -> NestedID? { nil }
}
