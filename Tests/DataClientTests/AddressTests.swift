import DataClient
import ServerClient
import Testing

@Suite("Store addresses")
struct AddressTests {
  @Test(
    "converts a path or an address such as sqlite:shop.db into the absolute path of the store",
    arguments: [
      ("sqlite:shop.db", "/home/ann/shop.db"), ("shop.db", "/home/ann/shop.db"),
      ("./a/../shop.db", "/home/ann/shop.db"), ("../shop.db", "/home/shop.db"),
      ("/var/shop.db", "/var/shop.db"), ("SQLite:/var/shop.db", "/var/shop.db"),
      ("sqlite:a:b.db", "/home/ann/a:b.db"), ("/var/\u{301}a/../shop.db", "/var/shop.db"),
    ])
  func files(text: String, path: String) throws {
    let address = try StoreAddress(text, in: "/home/ann")
    #expect(address.kind == .file(path: path))
    #expect(address.description == "sqlite:" + path)
  }

  @Test("rejects an address with an unknown scheme, and lists the supported schemes")
  func unknown() throws {
    let error = try #require(throws: DataError.self) {
      try StoreAddress("mysql://ann:canary@db/shop", in: "/")
    }
    #expect(
      error
        == DataError(
          .usage, "unknown address scheme mysql in mysql://ann:***@db/shop",
          hint:
            """
            stores are files (sqlite:shop.db, or a path), databases (postgres://HOST/DATABASE) or \
            servers (https://HOST)
            """))
    #expect(throws: DataError.self) { try StoreAddress("", in: "/") }
    #expect(throws: DataError.self) { try StoreAddress("sqlite:", in: "/") }
    for text in ["sqlite://shop.db", "sqlite:///shop.db"] {
      #expect(
        throws: DataError(
          .usage, "the address of a file must not have // after sqlite:",
          hint: "write sqlite:shop.db, or sqlite:/folder/shop.db for an absolute path")
      ) { try StoreAddress(text, in: "/") }
    }
  }

  @Test(
    "prints a password in an address as ***",
    arguments: [
      ("postgres://ann:canary@db.example/shop", "postgres://ann:***@db.example/shop"),
      ("postgres://ann:can@ry@db/shop", "postgres://ann:***@db/shop"),
      ("postgres://ann@db/shop?password=canary&a=b", "postgres://ann@db/shop?password=***&a=b"),
      ("https://host/a:b@c", "https://host/a:b@c"),
      ("postgresql://:canary@/shop", "postgres://:***@/shop"),
      ("POSTGRES://ann:canary@db/shop", "postgres://ann:***@db/shop"),
      (
        "postgres://ann@db:5432/shop?sslmode=require", "postgres://ann@db:5432/shop?sslmode=require"
      ),
      ("postgres://ann:can?ary@db/shop", "postgres://ann:***@db/shop"),
      ("postgres://ann:can?password=ary@db/shop", "postgres://ann:***@db/shop"),
      ("postgres://ann:can@a?password=ry@db/shop", "postgres://ann:***@db/shop"),
      ("postgres://ann:can/ary@db/shop", "postgres://ann:***@db/shop"),
      ("postgres://ann:can@ry/too@db/shop", "postgres://ann:***@db/shop"),
      ("postgres://ann:can/a?r@y#@db/shop", "postgres://ann:***@db/shop"),
      ("postgres://ann@db:canary@db.example/shop", "postgres://ann@db:***@db.example/shop"),
      ("postgres://db/shop?pass%77ord=canary", "postgres://db/shop?pass%77ord=***"),
      (
        "postgres://db/shop?a=b&sslpassword=canary&c=d",
        "postgres://db/shop?a=b&sslpassword=***&c=d"
      ),
      ("postgres://db:5432/shop?password=can@ry", "postgres://db:***"),
      ("postgres://ann@db:5432/shop?password=can@ry", "postgres://ann@db:5432/shop?password=***"),
      ("postgres://ann:can/a?token=r@y@db/shop", "postgres://ann:***"),
      ("postgres://a:canary@db/shop?PASSWORD=canary", "postgres://a:***@db/shop?PASSWORD=***"),
    ])
  func secrets(text: String, shown: String) throws {
    #expect(try StoreAddress(text, in: "/").description == shown)
  }

  @Test(
    "rejects a malformed database address without printing it",
    arguments: [
      " postgres://ann:canary@db/shop", "postgres:/ann:canary@db", "postgresql:ann:canary@db/shop",
      "host=db password=canary", "Password = canary", "service=shop",
    ])
  func malformedDatabaseAddress(text: String) {
    #expect(
      throws: DataError(
        .usage, "not a valid database address",
        hint: "write postgres://USER@HOST:PORT/DATABASE, without other text before the address")
    ) { try StoreAddress(text, in: "/") }
  }

  @Test("hides a possible password in an address without //")
  func withoutSlashes() throws {
    let error = try #require(throws: DataError.self) {
      try StoreAddress("ann:canary@db/shop", in: "/")
    }
    #expect(error.problems[0].message == "unknown address scheme ann in ann:***@db/shop")
  }

  @Test("opens a store on a server without a request, and says what only other stores can do")
  func serverAddress() async throws {
    let client = try await Client.open("https://shop.example", in: Shop.environment())
    let other = try await Client.open("memory:", in: Shop.environment())
    let error = try await problem { _ = try await other.copy(to: client) }
    #expect(
      error
        == DataError(
          .usage, "this is not possible with a store on a server: https://shop.example",
          hint: "use the command datactl, or open the file or the database itself"))
  }

  @Test(
    "parses the address of a server",
    arguments: [
      ("https://shop.example", "https://shop.example"),
      ("HTTPS://Shop.Example:443/v1/", "https://shop.example"),
      ("https://shop.example:8443/api/", "https://shop.example:8443/api"),
      ("https://shop.example/api/v1", "https://shop.example/api"),
      ("http://127.0.0.1:8420", "http://127.0.0.1:8420"),
      ("http://localhost:80", "http://localhost"), ("http://[::1]:8420/", "http://[::1]:8420"),
      ("unix:/run/shop/api", "unix:/run/shop/api"), ("unix:api", "unix:/home/ann/api"),
    ])
  func servers(text: String, canonical: String) throws {
    let address = try StoreAddress(text, in: "/home/ann")
    #expect(address.server?.canonical == canonical)
  }

  @Test(
    "rejects a server address that is unencrypted or contains more than host and port",
    arguments: [
      "http://shop.example", "http://10.0.0.1:8420", "http://127.0.0.1.example",
      "http://127.0.0.256", "https://ann:canary@shop.example", "https://ann@shop.example",
      "https://shop.example?token=canary", "https://shop.example#a", "https://", "https://:80",
      "https://shop.example:0", "https://shop.example:99999", "https://shop.example:8x",
      "https://a b", "https://a\u{7}b", "https://[::1", "https://a\\b", "unix:",
      "unix:/\(String(repeating: "a", count: 100))",
    ])
  func invalidServers(text: String) throws {
    let error = try #require(throws: DataError.self) { try StoreAddress(text, in: "/home/ann") }
    #expect(error.code == .usage)
    #expect(!"\(error)".contains("canary"))
  }

  @Test("names the package to install when libcurl is missing")
  func missingLibrary() throws {
    let error = try #require(throws: DataError.self) { try Curl(fileNames: ["libnothing.so.4"]) }
    #expect(
      error
        == DataError(
          .libraryMissing, "stores on servers require libcurl, which is not installed",
          hint: "install the package libcurl4"))
  }
}
