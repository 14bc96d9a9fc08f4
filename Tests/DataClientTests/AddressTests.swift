import DataClient
import Testing

@Suite("The address of a store")
struct AddressTests {
  @Test(
    "a file is named by its address or its path",
    arguments: [
      ("sqlite:shop.db", "/home/ann/shop.db"), ("shop.db", "/home/ann/shop.db"),
      ("./a/../shop.db", "/home/ann/shop.db"), ("../shop.db", "/home/shop.db"),
      ("/var/shop.db", "/var/shop.db"), ("SQLite:/var/shop.db", "/var/shop.db"),
      ("sqlite:a:b.db", "/home/ann/a:b.db"),
    ])
  func files(text: String, path: String) throws {
    let address = try StoreAddress(text, in: "/home/ann")
    #expect(address.kind == .file(path: path))
    #expect(address.description == "sqlite:" + path)
  }

  @Test("an address that no store has is refused, with what there is")
  func unknown() throws {
    let error = try #require(throws: DataError.self) {
      try StoreAddress("mysql://ann:canary@db/shop", in: "/")
    }
    #expect(
      error
        == DataError(
          .usage, "no store is addressed by mysql: in mysql://ann:***@db/shop",
          hint:
            "stores are files (sqlite:shop.db, or a path) or databases (postgres://HOST/DATABASE)"))
    #expect(throws: DataError.self) { try StoreAddress("", in: "/") }
    #expect(throws: DataError.self) { try StoreAddress("sqlite:", in: "/") }
  }

  @Test(
    "a password in an address is shown as ***",
    arguments: [
      ("postgres://ann:canary@db.example/shop", "postgres://ann:***@db.example/shop"),
      ("postgres://ann:can@ry@db/shop", "postgres://ann:***@db/shop"),
      ("postgres://ann@db/shop?password=canary&a=b", "postgres://ann@db/shop?password=***&a=b"),
      ("https://host/a:b@c", "https://host/a:b@c"),
      ("https://host?token=canary", "https://host?token=***"),
      ("postgresql://:canary@/shop", "postgresql://:***@/shop"),
    ])
  func secrets(text: String, shown: String) throws {
    #expect(try StoreAddress(text, in: "/").description == shown)
  }

  @Test("a server is known, and not in this version")
  func later() async throws {
    let error = try await problem {
      _ = try await Client.open("https://shop.example", in: Shop.surroundings())
    }
    #expect(
      error
        == DataError(
          .storeUnreachable, "stores on servers are not in this version: https://shop.example",
          hint:
            "stores are files (sqlite:shop.db, or a path) or databases (postgres://HOST/DATABASE)"))
  }
}
