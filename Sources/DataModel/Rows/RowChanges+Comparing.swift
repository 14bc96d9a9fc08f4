import JSONText

/// Compares the records of a chunk before its input was passed to `swapInput`.
extension RowChanges {
  /// Returns the bytes of a cell.
  package func bytes(of cell: Cell, reading input: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    switch cell.kind {
    case .input: bytes.append(copying: input.extracting(cell.range))
    case .arena: bytes += rows.arena[cell.range]
    case .missing, .null, .integer, .number: break
    }
    return bytes
  }

  /// Returns whether a row changes a value depending on the stored one, as `{"$add": 1}` does.
  package func hasOperation(_ row: Int) -> Bool {
    schema.slots.indices.contains { rows[row, $0].operation != .set }
  }

  /// Returns whether a row sets the same values as a row of another chunk with the same schema and
  /// the same input.
  package func isEqual(
    _ row: Int, to other: RowChanges, _ otherRow: Int, reading input: Span<UInt8>
  ) -> Bool {
    for slot in schema.slots.indices {
      let (cell, otherCell) = (rows[row, slot], other.rows[otherRow, slot])
      guard cell.hasValue == otherCell.hasValue, cell.operation == otherCell.operation else {
        return false
      }
      switch cell.kind {
      case .missing, .null, .integer, .number:
        guard cell.kind == otherCell.kind, cell.bits == otherCell.bits else { return false }
      case .input, .arena:
        guard cell.operation == .set else {
          let type = schema.type(of: slot)
          guard rows.editedLists(cell, of: type) == other.rows.editedLists(otherCell, of: type)
          else { return false }
          continue
        }
        let bytes = bytes(of: cell, reading: input)
        let otherBytes = other.bytes(of: otherCell, reading: input)
        guard
          bytes == otherBytes
            || schema.slots[slot].kind == .json
              && isSameJSON(bytes, otherBytes)
        else { return false }
      }
    }
    return true
  }

  private func isSameJSON(_ text: [UInt8], _ other: [UInt8]) -> Bool {
    guard let value = try? JSONValue(parsing: text.span) else { return false }
    return (try? JSONValue(parsing: other.span)) == value
  }
}

extension Rows {
  /// Returns the elements that an edit of a list removes, and those that it appends.
  fileprivate func editedLists(_ cell: Cell, of type: FieldType) -> [[Value]?] {
    let edit = ListEdit(cell)
    return [edit.removed, edit.appended].map { offset in
      offset.flatMap { ListText.values(in: arena.span, from: $0, of: type.elementType) }
    }
  }
}
