import DataModel
import Testing

@Suite("Secrets in text")
struct SecretsTests {
  @Test(
    "does not redact XML namespaces and times of day in paths as if they were passwords",
    arguments: [
      "/{http://a.org/x}r/{http://a.org/x}i[1]/{http://b.org/y}at/@due",
      "no field of item is mapped to the attribute \"@{http://a.org/x}due\"",
      "{urn:a}list/@due", "$.times.08:30.@due", "$.times.2026-11-22T08:30:15Z.@due",
    ])
  func documents(text: String) {
    #expect(Secrets.redacted(inText: text) == text)
  }

  @Test(
    "redacts the password of an address with braces in it or a time of day before it",
    arguments: [
      "postgres://u:{can}ary@h/db", "{postgres://u:canary@h/db}", "postgres://{u:can}ary@h/db",
      "/{http://a.org/x}r: postgres://u:canary@h", "u:{canary}@h", "x08:30canary@h",
      "08:30 u:canary@h", "{\"a\":\"postgres://u:canary@h\"}", "a08:30:canary@h",
    ])
  func addresses(text: String) {
    let shown = Secrets.redacted(inText: text)
    #expect(!shown.contains("ary"), "\(shown)")
  }
}
