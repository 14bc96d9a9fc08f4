import DataModel
import RecordText
import Synchronization
import TestSupport
import Testing

@Suite("Reading records from pieces of input")
struct InputPieceTests {
  private let kind: Schema

  init() throws {
    kind = try everyType()
  }

  private static let texts: [(text: String, format: RecordFormat?)] = [
    (
      """
      {"sample_id":"a","text":"é\\n\\ud83d\\ude00😀","number":-1.5e-3,"boolean":true,"json":{"a": [1, "x"]}}
      {"sample_id":"b","geopoint":{"lat":47.37,"lon":8.54},"many":["a","b"],"datetimes":["2026-11-20"]}
      {"sample_id":"c","text":nothing}
      {"sample_id":"d","unknown":[{"a":1}],"integer":"x"}
      {"sample_id":"e","integer":12
      {"sample_id":"f","file":{"name":"a.txt","data":"aGVsbG8="},"texts":{"$append":["x"]}}
      """, nil
    ),
    (
      "\u{FEFF} [ {\"sample_id\":\"a\",\"integer\":1},\r\n{\"sample_id\":\"b\"} , 5, {\"sample_id\":\"c\"}] ",
      nil
    ),
    ("[{\"sample_id\":\"a\"},{\"sample_id\":\"b\",}]", nil),
    ("[{\"sample_id\":\"a\"}] x", nil),
    (
      "sample_id,text,json,geopoint,boolean\r\na,\"x,\"\"y\"\"\nz\",\"[1, 2]\",,true\r\n\r\n"
        + "b,\"\",null,\"{\"\"lat\"\":1,\"\"lon\"\":2}\",false\nc,é,1,,\nd,x\ny\",1\ne,1,2,,maybe",
      nil
    ),
    ("sample_id,text\r\na,\"never closed\nb,c\n", .csv),
    ("sample_id\n\n\u{E9}\n\n", .csv),
  ]

  @Test("reads the same records whatever the size of the input pieces", arguments: texts.indices)
  func pieces(index: Int) throws {
    let (text, format) = Self.texts[index]
    let bytes = Array(text.utf8)
    let whole = try ReadResult(bytes, for: kind, format: format)
    #expect(whole.records.count + whole.problems.count > 0)
    for size in [1, 2, 3, 7, 64] {
      for pace in [RecordReader<BytesInMemory>.Pace.full, .immediate] {
        let pieces = try ReadResult(bytes, for: kind, format: format, pieceSize: size, pace: pace)
        #expect(pieces == whole)
      }
    }
  }

  @Test(
    "returns only valid records when random bytes of the input were changed",
    .tags(.random, .slow), .from(.test))
  func mutations() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for (text, format) in Self.texts {
      for _ in 0..<300 {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let index = Int.random(in: bytes.indices, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: index)
          default:
            bytes.insert(
              Array("{}[]\",:\\e0 \n".utf8).randomElement(using: &random) ?? 0, at: index)
          }
        }
        let whole = try ReadResult(bytes, for: kind, format: format)
        let pieces = try ReadResult(
          bytes, for: kind, format: format, pieceSize: 5, pace: .immediate)
        #expect(whole == pieces, "seed \(seed)")
        for record in whole.records {
          let again = try ReadResult(record, for: kind, format: .ndjson)
          #expect(again.problems.filter { !$0.contains("file") } == [], "seed \(seed)")
        }
      }
    }
  }

  /// Delivers a record, reports no bytes when first asked, and then the end of the input.
  private struct StallingSource: ByteSource {
    let requests = Counter()
    var record: [UInt8]

    mutating func read(into buffer: inout [UInt8], atMost count: Int) -> Int {
      defer { record = [] }
      buffer += record
      return record.count
    }

    func hasBytes(within seconds: Double) -> Bool { requests.next() != 2 }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  @Test("notifies the progress monitor when input arrives or stalls")
  func monitoring() throws {
    let received = Mutex<[String]>([])
    let monitor = ReadingMonitor(
      isDue: { true },
      report: { records, bytes, input in
        received.withLock { $0.append("\(records) \(bytes) \(input)") }
      })
    let record = Array("{\"sample_id\":\"a\"}\n".utf8)
    var reader = RecordReader(
      StallingSource(record: record), for: kind, file: "-", monitor: monitor)
    #expect(try reader.next(reusing: RowChanges(for: kind))?.count == 1)
    #expect(received.withLock { $0 } == ["1 18 flows", "1 18 stalls", "1 18 flows"])
  }
}
