/// One value in a row of `Rows`, stored in 16 bytes.
///
/// Cells contain no reference-counted objects, so that copying them is cheap even for millions of
/// records. The meaning of the bits depends on the kind of the cell and on the type of its column.
/// The members are `@usableFromInline`, so that other modules can access cells without a function
/// call.
@usableFromInline
package struct Cell: BitwiseCopyable, Sendable {
  @usableFromInline
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The record does not set this field.
    case missing
    case null
    /// An integer, a boolean (0 or 1), or a datetime in microseconds since the Unix epoch.
    case integer
    /// The bit pattern of a double.
    case number
    /// The range of the value's bytes in `Rows.input`, the text that the rows were parsed from.
    case input
    /// The range of the value's bytes in `Rows.arena`, for bytes that are not in the input.
    case arena
  }

  /// How the cell's value changes the stored value.
  @usableFromInline
  package enum Operation: UInt8, BitwiseCopyable, Sendable {
    /// Replaces the stored value.
    case set
    /// Adds the cell's number to the stored number.
    case add
    /// Edits the stored list. The cell's bits contain the offsets of two lists in `Rows.arena`: the
    /// elements to remove and the elements to append. The cell's length is that of both lists.
    case edit
  }

  @usableFromInline package var bits: UInt64
  @usableFromInline package var length: UInt32
  @usableFromInline package var kind: Kind
  @usableFromInline package var operation: Operation

  @inlinable @inline(__always)
  package init(
    kind: Kind, bits: UInt64 = 0, length: Int = 0, operation: Operation = .set
  ) {
    self.bits = bits
    self.length = UInt32(truncatingIfNeeded: length)
    self.kind = kind
    self.operation = operation
  }

  @inlinable @inline(__always)
  package static var missing: Cell { Cell(kind: .missing) }

  @inlinable @inline(__always)
  package static var null: Cell { Cell(kind: .null) }

  @inlinable @inline(__always)
  package static func integer(_ value: Int64) -> Cell {
    Cell(kind: .integer, bits: UInt64(bitPattern: value))
  }

  @inlinable @inline(__always)
  package static func number(_ value: Double) -> Cell {
    Cell(kind: .number, bits: value.bitPattern)
  }

  @inlinable @inline(__always)
  package static func input(_ range: Range<Int>) -> Cell {
    Cell(kind: .input, bits: UInt64(truncatingIfNeeded: range.lowerBound), length: range.count)
  }

  @inlinable @inline(__always)
  package static func arena(_ range: Range<Int>) -> Cell {
    Cell(kind: .arena, bits: UInt64(truncatingIfNeeded: range.lowerBound), length: range.count)
  }

  @inlinable @inline(__always)
  package var integer: Int64 { Int64(bitPattern: bits) }

  @inlinable @inline(__always)
  package var number: Double { Double(bitPattern: bits) }

  /// The byte range of the value in `Rows.input` or `Rows.arena`.
  @inlinable @inline(__always)
  package var range: Range<Int> {
    let start = Int(truncatingIfNeeded: bits)
    return start..<start + Int(length)
  }

  /// Whether the cell contains a value; false if it is null or missing.
  @inlinable @inline(__always)
  package var hasValue: Bool {
    switch kind {
    case .missing, .null: false
    case .integer, .number, .input, .arena: true
    }
  }
}
