import DataModel
import PostgresStore
import Testing

@Suite("Why a statement failed")
struct FailureTests {
  @Test("each state that PostgreSQL gives is known for what it means")
  func kinds() {
    let kinds: [Failure: [String]] = [
      .conflict: ["40001", "40P01", "55000"], .collision: ["23505"], .cancelled: ["57014"],
      .lost: ["57P01", "57P02", "57P03", "08000", "08003", "08006", "08007", "40003"],
      .missingTable: ["42P01", "3F000"], .needed: ["2BP01", "0A000"], .outOfRange: ["22003"],
      .other: ["53100", "XX000", "42601", ""],
    ]
    for (kind, states) in kinds {
      for state in states { #expect(Failure(state: state) == kind, "\(state)") }
    }
    let repeated = kinds.keys.filter(\.mayBeRepeated)
    #expect(Set(repeated) == [.conflict, .collision])
  }

  @Test("a state is said in datactl's words, and a value of the server's only where it is a name")
  func errors() {
    let busy = DataError(
      .storeBusy, "STORE: other writers were in the way, and nothing was changed",
      hint: "run the command again; --wait SECONDS waits longer")
    let lost = DataError(
      .storeUnreachable, "STORE: the connection to the server was lost",
      hint: "nothing was changed; run the command again")
    let readOnly = DataError(
      .storeReadOnly, "STORE: cannot be written: said",
      hint: "look at the rights of the user, and whether the server is a standby")
    let cases: [(String, DataError)] = [
      ("40001", busy), ("40P01", busy), ("55P03", busy), ("23505", busy),
      ("57P01", lost), ("08006", lost), ("40003", lost), ("25006", readOnly), ("42501", readOnly),
      (
        "53100",
        DataError(.storeFull, "STORE: the server's disk is full", hint: "nothing was changed")
      ),
      ("57014", DataError(.interrupted, "STORE: interrupted")),
      ("3D000", DataError(.storeNotFound, "STORE: there is no such database")),
      (
        "28P01",
        DataError(
          .storeUnreachable, "STORE: the server refuses the user or the password",
          hint: "a password stands in the address, in PGPASSWORD, or in ~/.pgpass")
      ),
      (
        "42P01",
        DataError(
          .schemaChanged, "the schemas of the store changed meanwhile: said",
          hint: "run the command again")
      ),
      ("XX000", DataError(.failed, "STORE: said (SQLSTATE XX000)")),
    ]
    for (state, error) in cases {
      #expect(DataError(state: state, said: "said", store: "STORE") == error, "\(state)")
    }
  }
}
