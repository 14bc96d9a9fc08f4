import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Compressed input", .tags(.process))
struct CompressedInputTests {
  @Test("reads concatenated gzip data, and rejects truncated, damaged and trailing data")
  func gzip() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "country", "name:text")
    try folder.write("a.csv", "country_id,name\n" + (0..<50_000).map { "c\($0),x\n" }.joined())
    try folder.write("b.csv", "d,y\n")
    _ = try folder.shell(
      "gzip -k a.csv b.csv; cat a.csv.gz b.csv.gz > all.gz; (cat all.gz; echo x) > more.gz; "
        + "head -c 5000 a.csv.gz > cut.gz; printf '\\037\\213' > head.gz; "
        + "(head -c 4000 a.csv.gz; printf abc; tail -c +4004 a.csv.gz) > bad.gz")
    try folder.run("save", "country", "--file", "all.gz", "-o", "none").exits(0)
      .reports("50,001 saved: 50,001 new\n")
    for (name, message) in [
      ("more.gz", "other data follows the compressed data"), ("cut.gz", "ends early"),
      ("head.gz", "ends early"), ("bad.gz", "cannot decompress the input with gzip"),
    ] {
      try folder.run("save", "country", "--file", name, "-o", "none").exits(6)
        .reports("\(name): ", message)
    }
    try folder.run("schema", "infer", "--file", "a.csv.gz", "-o").exits(2)
    try folder.run("schema", "infer", "x", "--file", "a.csv.gz").exits(0).reports("50,000 records")
    try folder.run(
      "save", "town", "--infer", "--key", "name", "--file", "b.csv.gz", "--header", "a,name", "-o",
      "ids"
    )
    .exits(0).prints("y\n")
  }
}
