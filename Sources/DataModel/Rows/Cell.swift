/// One value in a batch of rows, in 16 flat bytes.
///
/// A million records pass through cells: they hold no reference, so that copying one costs nothing.
/// What the bits mean follows from the kind here and the type of the column. Other rooms use cells
/// without a call, which only what is usable from inlined code allows.
@usableFromInline
package struct Cell: BitwiseCopyable, Sendable {
  @usableFromInline
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The record says nothing about this field.
    case missing
    case null
    /// An integer, a boolean (0 or 1), or a datetime in microseconds.
    case integer
    /// The bit pattern of a double.
    case number
    /// Bytes in the rows' input.
    case input
    /// Bytes in the rows' arena.
    case arena
  }

  /// How the value changes the one that is there.
  @usableFromInline
  package enum Operation: UInt8, BitwiseCopyable, Sendable {
    /// It takes its place.
    case set
    /// It is added to it.
    case add
    /// The bits hold the places of two lists in the arena: what to remove, and what to append.
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

  /// Where its bytes stand in the input or the arena.
  @inlinable @inline(__always)
  package var range: Range<Int> {
    let start = Int(truncatingIfNeeded: bits)
    return start..<start + Int(length)
  }

  /// Whether there is a value: neither null nor missing.
  @inlinable @inline(__always)
  package var hasValue: Bool {
    switch kind {
    case .missing, .null: false
    case .integer, .number, .input, .arena: true
    }
  }
}
