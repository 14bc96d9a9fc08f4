package import DataModel

/// The id of a store: a random UUID. A store gets it when it is created. A store that an earlier
/// version created gets it from the first command that writes to it.
///
/// Earlier versions ignore the column of the id, so it needs no newer format.
package enum StoreID {
  /// Returns a new id.
  package static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let numbers: [UInt64] = [
      generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
      generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000,
    ]
    let digits = numbers.flatMap { number in
      stride(from: 60, through: 0, by: -4).map { String(number >> UInt64($0) & 0xF, radix: 16) }
    }
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0].joined() }
      .joined(separator: "-")
  }
}

extension SQLTransaction where Self: ~Copyable {
  /// Returns the id of the store, or nil if it has none yet.
  ///
  /// If the table `_meta` has no column `id`, the name refers to the column of the outer query.
  package borrowing func storeID() throws(DataError) -> String? {
    var id: String?
    try forEachRow(
      """
      select (select id from \(table: "_meta")) from (select cast(null as text) as id) as _unknown
      """, [.text]
    ) { values in if case .text(let text) = values[0] { id = text } }
    return id
  }
}
