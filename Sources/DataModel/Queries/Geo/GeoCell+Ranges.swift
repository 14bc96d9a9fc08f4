extension GeoBox {
  /// Returns sorted ranges of cell numbers that cover the box and little else. Returns nil if they
  /// cover so much of the earth that an index does not help.
  ///
  /// With up to 40 squares, a circle of 5 km is covered by about 16 ranges, which contain 25 % more
  /// records than its bounding box. Twice as many squares improve this only slightly.
  package func cellRanges(atMost count: Int = 40) -> [ClosedRange<Int64>]? {
    var ranges: [ClosedRange<Int64>] = []
    for longitudes in longitudes {
      ranges += CellCover(
        rows: GeoCell.row(south)...GeoCell.row(north),
        columns: GeoCell.column(longitudes.lowerBound)...GeoCell.column(longitudes.upperBound)
      ).ranges(atMost: count)
    }
    let merged = Self.merged(ranges)
    let covered = merged.reduce(Int64(0)) { $0 + $1.upperBound - $1.lowerBound + 1 }
    return covered > 1 << Int64(GeoCell.bits - 4) ? nil : merged
  }

  private static func merged(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
    var merged: [ClosedRange<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}

/// Covers a rectangle of cells by repeated bisection of the earth, starting with the largest
/// pieces.
private struct CellCover {
  /// A piece of the earth: the cells whose numbers begin with the same bits.
  private struct Piece {
    var first: UInt64 = 0
    var openBits = GeoCell.bits
    var row: UInt64 = 0
    var column: UInt64 = 0
    var rowBits = GeoCell.latitudeBits
    var columnBits = GeoCell.longitudeBits

    var rows: ClosedRange<UInt64> { row...row + (1 << UInt64(rowBits)) - 1 }
    var columns: ClosedRange<UInt64> { column...column + (1 << UInt64(columnBits)) - 1 }
    var range: ClosedRange<Int64> {
      Int64(first)...Int64(first + (1 << UInt64(openBits)) - 1)
    }

    /// The two halves of the piece. If the number of open bits is odd, the highest open bit belongs
    /// to the longitude.
    var halves: [Piece] {
      var low = self
      low.openBits -= 1
      var high = low
      high.first |= 1 << UInt64(low.openBits)
      if openBits % 2 == 1 {
        low.columnBits -= 1
        high.columnBits -= 1
        high.column |= 1 << UInt64(high.columnBits)
      } else {
        low.rowBits -= 1
        high.rowBits -= 1
        high.row |= 1 << UInt64(high.rowBits)
      }
      return [low, high]
    }
  }

  let rows: ClosedRange<UInt64>
  let columns: ClosedRange<UInt64>

  func ranges(atMost count: Int) -> [ClosedRange<Int64>] {
    var complete: [ClosedRange<Int64>] = []
    var open = [Piece()]
    while !open.isEmpty, complete.count + open.count < count {
      var next: [Piece] = []
      for piece in open.flatMap(\.halves) {
        guard rows.overlaps(piece.rows), columns.overlaps(piece.columns) else { continue }
        if rows.covers(piece.rows), columns.covers(piece.columns) {
          complete.append(piece.range)
        } else {
          next.append(piece)
        }
      }
      open = next
    }
    return complete + open.map(\.range)
  }
}

extension ClosedRange<UInt64> {
  fileprivate func covers(_ other: ClosedRange<UInt64>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
