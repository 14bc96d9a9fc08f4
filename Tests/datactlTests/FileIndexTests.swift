import ClientCore
import TestSupport
import Testing

@Suite("index of files")
struct FileIndexTests {
  @Test(
    "returns entries sorted by SHA-256, also from several runs in a file",
    arguments: [1 << 20, 1, 500, 4_000])
  func order(runSize: Int) throws {
    var generator = SeededRandom(seed: 3)
    var index = FileIndex(runSize: runSize)
    var entries: [FileIndex.Entry] = []
    for number in 0..<300 {
      let digits = String(generator.number(0...200), radix: 16)
      let sha256 = String(repeating: "0", count: 64 - digits.count) + digits
      let entry = FileIndex.Entry(
        sha256: sha256, size: 5, schema: "photo", slot: number % 3, id: "a b/\u{301} \(number)")
      entries.append(entry)
      try index.add(entry)
    }
    var reader = try index.reader()
    var found: [FileIndex.Entry] = []
    while let group = try reader.next() {
      #expect(group.allSatisfy { $0.sha256 == group[0].sha256 })
      #expect(found.last.map { $0.sha256 < group[0].sha256 } ?? true)
      found += group
    }
    #expect(found.count == entries.count)
    #expect(Set(found) == Set(entries))
  }
}
