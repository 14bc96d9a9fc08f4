package import DataModel
package import DataStore

extension SaveSummary {
  /// Returns one line that describes the result of a save.
  ///
  /// - Parameter inside: The result of saving the nested records.
  package func sentence(isDryRun: Bool, inside: SaveSummary = SaveSummary()) -> String {
    if saved == 0 && rejected == 0 { return "Nothing to save: no records." }
    let head = "\(saved.grouped) \(isDryRun ? "would be saved" : "saved")"
    let sentence = kinds.isEmpty ? head : "\(head): \(kinds)"
    let count = inside.saved + inside.deleted
    return count == 0 ? sentence : sentence + " (and \(count.grouped) nested: \(inside.kinds))"
  }

  /// The numbers of new, changed and unchanged records, as text.
  private var kinds: String {
    var text = ""
    for (count, kind) in [
      (created, "new"), (changed, "changed"), (same, "the same"), (deleted, "deleted"),
    ] where count > 0 {
      text += "\(text.isEmpty ? "" : ", ")\(count.grouped) \(kind)"
    }
    return text
  }
}

extension DeleteSummary {
  /// Returns a phrase that describes the deletion, such as "delete 2 records of todo", for use in a
  /// confirmation prompt.
  ///
  /// - Parameter isAll: Whether all records of the schema are deleted.
  package func action(on schema: String, isAll: Bool = false) -> String {
    let cascades = cascaded.map {
      ", and \($0.count.counted("record")) of \($0.schema) with them"
    }
    return "delete \(isAll ? "all " : "")\(deleted.counted("record")) of \(schema)"
      + cascades.joined()
  }

  /// The effects of the deletion on other records, as members of a JSON object. `cascaded`
  /// contains, for each schema, the number of records that are deleted too. `nullified` is the
  /// number of records in which a reference is cleared. Numbers that are 0 are omitted.
  ///
  /// The text begins with a comma, because it follows other members. It is empty if there are no
  /// effects.
  package var effectsJSON: String {
    let counts = cascaded.map { "\"\($0.schema)\":\($0.count)" }.joined(separator: ",")
    return (counts.isEmpty ? "" : ",\"cascaded\":{\(counts)}")
      + (nullified > 0 ? ",\"nullified\":\(nullified)" : "")
  }

  /// Returns the lines that describe the result of a deletion.
  ///
  /// - Parameter store: The address of the store to include in the first line, or nil to omit it.
  package func lines(isDryRun: Bool, from store: String? = nil) -> [String] {
    let would = isDryRun ? "would be " : ""
    var lines = ["\(deleted.grouped) \(would)deleted" + (store.map { " from \($0)" } ?? "")]
    lines += cascaded.map {
      "\($0.count.counted("record")) of \($0.schema) \(would)deleted with them"
    }
    if nullified > 0 {
      lines.append("\(nullified.counted("record")) that referred to them \(would)changed")
    }
    return lines
  }
}
