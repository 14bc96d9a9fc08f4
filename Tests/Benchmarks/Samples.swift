import Foundation

/// Records of eight mixed fields that are the same for the same seed.
struct Samples {
  private var state: UInt64

  /// The fields in the words of `schema create`.
  static let fields = [
    "title:text!", "note:text", "price:number", "stock:integer", "done:boolean", "due:datetime",
    "tags:text+", "extra:json",
  ]

  init(seed: UInt64) {
    state = seed
  }

  private mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  private static let words = [
    "tea", "bread", "käse", "日本", "crème", "\\\"quoted\\\"", "line\\nbreak", "plain", "größe",
    "👍", "tab\\t", "coffee", "\\u00e9t\\u00e9", "sugar", "milk", "eggs",
  ]

  private mutating func text(_ count: Int) -> String {
    (0..<count).map { _ in Self.words[next(below: Self.words.count)] }.joined(separator: " ")
  }

  /// One record as a line of NDJSON.
  private mutating func record() -> String {
    let day = 10 + next(below: 18)
    let price = "\(next(below: 1000)).\(1 + next(below: 99))"
    return """
      {"title":"\(text(3))","note":"\(text(4))","price":\(price),"stock":\(next(below: 100_000)),\
      "done":\(next(below: 2) == 0),"due":"2026-11-\(day)T03:05:00Z","tags":["\(text(1))","x"],\
      "extra":{"a":\(next(below: 9)),"b":[true,null]}}

      """
  }

  /// Writes records to a file and gives its path.
  mutating func write(_ count: Int, to path: String) throws {
    try Data().write(to: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    var buffer = Data()
    for _ in 0..<count {
      buffer += record().utf8
      if buffer.count > 1 << 20 {
        try file.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try file.write(contentsOf: buffer)
  }
}
