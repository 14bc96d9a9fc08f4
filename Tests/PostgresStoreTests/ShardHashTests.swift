import PostgresStore
import Testing

@Suite("PostgreSQL: hashes of ids")
struct ShardHashTests {
  @Test(
    "computes the hashes that PostgreSQL's hashtext returns",
    arguments: [
      ("", -1_477_818_771), ("abc", -785_388_649), ("abcdefghijklmnopqrstu", 2_124_303_250),
      ("Übung-12345", -781_430_246),
    ] as [(String, Int32)])
  func hashes(text: String, hash: Int32) {
    #expect(Int32(bitPattern: ShardHash.hash(text.utf8.span)) == hash)
  }
}
