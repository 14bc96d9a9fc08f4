import ProgramHarness
import TestSupport
import Testing

@Suite("Output that other programs read", .tags(.process, .random))
struct OtherReadersTests {
  /// Reads the outputs with Python's modules `csv` and `json`, with `jq`, and with libxml2, and
  /// compares them with the input.
  private static let script = """
    import csv, ctypes, json

    def load(name):
        return [json.loads(line) for line in open(name, encoding='utf-8', newline='\\n')]

    def texts(record):
        return [record['note_id'], record['text'], record['texts']]

    given = load('in.ndjson')
    names = ['note_id', 'text', 'texts', 'whole', 'real', 'yes', 'at']
    assert len(given) == 150

    for found in [load('out.ndjson'), json.load(open('out.json', encoding='utf-8'))]:
        assert len(found) == len(given)
        for record, other in zip(given, found):
            assert [record[name] for name in names] == [other[name] for name in names], other

    for name in ['jq.ndjson', 'jq.json']:
        assert load(name) == [texts(record) + [record['real']] for record in given], name

    with open('out.csv', encoding='utf-8', newline='') as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) == len(given)
    for record, row in zip(given, rows):
        assert texts(record) == [row['note_id'], row['text'], json.loads(row['texts'])], row
        assert record['whole'] == int(row['whole']) and record['real'] == float(row['real']), row
        assert row['yes'] == str(record['yes']).lower() and row['at'] == record['at'], row

    library = ctypes.CDLL('libxml2.so.2')
    library.xmlReaderForFile.restype = ctypes.c_void_p
    library.xmlTextReaderConstName.restype = ctypes.c_char_p
    library.xmlTextReaderReadString.restype = ctypes.c_char_p
    library.xmlTextReaderGetAttribute.restype = ctypes.c_char_p
    reader = ctypes.c_void_p(library.xmlReaderForFile(b'out.xml', None, 0))
    found = []
    while (status := library.xmlTextReaderRead(reader)) == 1:
        if library.xmlTextReaderNodeType(reader) != 1: continue
        name = library.xmlTextReaderConstName(reader).decode()
        text = (library.xmlTextReaderReadString(reader) or b'').decode()
        if name == 'note':
            id = library.xmlTextReaderGetAttribute(reader, b'note_id').decode()
            found.append({'note_id': id, 'texts': []})
        elif name == 'item': found[-1]['texts'].append(text)
        elif name != 'records' and name != 'texts': found[-1].setdefault(name, text)
    assert status == 0
    assert len(found) == len(given)
    for record, other in zip(given, found):
        assert texts(record) == texts(other), other
        assert record['whole'] == int(other['whole']) and record['real'] == float(other['real'])
    """

  @Test(
    "prints JSON, CSV and XML that Python, jq and libxml2 read without loss", .onEveryStore,
    arguments: Seeds.count(test: 1, all: 5))
  func readers(seed: Int) throws {
    let folder = try TestFolder()
    try folder.prepare(
      "schema", "create", "note", "text:text", "texts:[text]", "whole:integer", "real:number",
      "yes:boolean", "at:datetime")
    var random = SeededRandom(seed: UInt64(seed))
    let parts = [
      "", " ", "a", "1", ",", ";", "'", "<", ">", "&", "]]>", "=1+1", "#", "é", "e\u{301}", "😀",
      "\u{FEFF}", "\u{2028}", "\u{85}", "\u{7F}", "\\\"", "\\\\", "\\n", "\\r", "\\t", "\\r\\n",
    ]
    func text() -> String { (0..<random.number(0...6)).map { _ in random.pick(parts) }.joined() }
    let wholes = ["0", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993"]
    let reals = ["0", "0.1", "-2.5", "5e-324", "1.7976931348623157e308", "1e21", "123456789.125"]
    let records = (0..<150).map { number in
      let id = "n\(1_000 + number)" + random.pick(["", ",", "\\\"", "é", "<&>", " 'x'"])
      return
        "{\"note_id\":\"\(id)\",\"text\":\"\(text())\",\"texts\":[\"\(text())\",\"\(text())\"],"
        + "\"whole\":\(random.pick(wholes)),\"real\":\(random.pick(reals)),"
        + "\"yes\":\(random.chance(50)),\"at\":\"2026-11-20T03:05:00.\(number + 100)Z\"}\n"
    }
    try folder.write("in.ndjson", records.joined())
    try folder.prepare("save", "note", "--file", "in.ndjson", "-o", "none")
    try folder.shell(
      """
      set -e; for format in ndjson json csv xml; do datactl list note -o $format > out.$format; done
      values='[.note_id, .text, .texts, .real]'
      jq -c "$values" out.ndjson > jq.ndjson; jq -c ".[] | $values" out.json > jq.json
      """
    ).exits(0).reportsNothing()
    try folder.tool("python3", "-c", Self.script)
  }
}
