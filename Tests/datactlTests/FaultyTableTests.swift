import ProgramHarness
import Testing

/// Small tables with the faults of tables that other programs publish. Each is imported by one
/// command.
@Suite("Tables with faults")
struct FaultyTableTests {
  struct Table: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    var options: [String] = []
    /// The records without their ids, as CSV.
    let records: String
  }

  static let tables = [
    Table(
      testDescription: "rows that end early, and signs in names",
      text: "version,code-name,eol-LTS\n1.1,Buzz,2026-06-05\n1.2,Rex\n",
      options: ["--ragged"],
      records: "version,code_name,eol_lts\n1.1,Buzz,2026-06-05\n1.2,Rex,\n"),
    Table(
      testDescription: "a header in a comment, tabs, and lists in cells",
      text: "# Zones\n#\n#codes\ttz\tnote\nCH,DE,LI\tEurope/Zurich\tnorth\nIT\tEurope/Rome\n",
      options: [
        "--input", "tsv", "--comment", "#", "--header", "codes,tz,note", "--ragged",
        "--split-cells",
        "codes=,",
      ],
      records: "codes,tz,note\n\"[\"\"CH\"\",\"\"DE\"\",\"\"LI\"\"]\",Europe/Zurich,north\n"
        + "\"[\"\"IT\"\"]\",Europe/Rome,\n"),
    Table(
      testDescription: "decimal commas and grouping points, semicolons, dates with a day first",
      text: "\u{FEFF}Artikel;Preis (CHF);Stück;Datum\r\nTee;1.234,50;1.000;24.12.2026\r\n"
        + "Brot;4,00;2;1.2.2027\r\n",
      options: ["--decimal-mark", ",", "--dates", "dmy"],
      records: "artikel,preis_chf,st_ck,datum\nTee,1234.5,1000,2026-12-24\nBrot,4,2,2027-02-01\n"),
    Table(
      testDescription: "grouping commas, and an empty column after the last one",
      text: "State Name,GI Bill- Active,Total,\nALABAMA,\"6,718\",\"12,426\",\nOHIO,776,5,\n",
      options: ["--decimal-mark", "."],
      records: "state_name,gi_bill_active,total,column_4\nALABAMA,6718,12426,\nOHIO,776,5,\n"),
    Table(
      testDescription: "words for booleans, in any case",
      text: "name,dna,active\nA,Y,FALSE\nB,,TRUE\nC,N,false\n",
      options: ["--true", "y", "--false", "n"],
      records: "name,dna,active\nA,true,false\nB,,true\nC,false,false\n"),
    Table(
      testDescription: "a column without a name, and points in names",
      text: "\"\",\"dfb.1_\",\"cov.r\"\n\"r1\",0.5,1\n\"r2\",-1.5,2\n",
      records: "column_1,dfb_1_,cov_r\nr1,0.5,1\nr2,-1.5,2\n"),
    Table(
      testDescription: "two columns without names",
      text: "a,,\nx,1,\ny,2,z\n", records: "a,column_2,column_3\nx,1,\ny,2,z\n"),
    Table(
      testDescription: "dates with the month first and a time",
      text: "ship date,n\n5/19/2006 00:00:00,1\n12/1/2006 10:30:00,2\n",
      options: ["--dates", "mdy", "--assume-zone", "UTC"],
      records: "ship_date,n\n2006-05-19T00:00:00.000Z,1\n2006-12-01T10:30:00.000Z,2\n"),
    Table(
      testDescription: "a line in place of the header, and columns that are not needed",
      text: "150,4,setosa\n5.1,3.5,0\n4.9,3.0,1\n",
      options: ["--comment", "150,", "--header", "length,width,class", "--only", "length,class"],
      records: "length,class\n5.1,0\n4.9,1\n"),
    Table(
      testDescription: "empty cells beyond the header, and blank lines",
      text: "\n\na,b\n1,2,,\n\n,,,\n3,4\n", records: "a,b\n1,2\n,\n3,4\n"),
  ]

  @Test("imports a table with known faults, and keeps each of its cells", arguments: tables)
  func imported(table: Table) async throws {
    let folder = try CommandFolder()
    try await folder.run(
      ["save", "row", "--infer", "-o", "none"] + table.options, input: .text(table.text)
    ).exits(0)
    let list = try await folder.run("list", "row", "--fields", "*", "-o", "csv")
    let lines = list.output.split(separator: "\r\n").map { line in
      line.split(separator: ",", maxSplits: 1).last.map { String($0) + "\n" } ?? ""
    }
    #expect(lines.joined() == table.records)
    try await folder.run(
      ["schema", "infer", "row"] + table.options, input: .text(table.text)
    ).exits(0)
  }
}
