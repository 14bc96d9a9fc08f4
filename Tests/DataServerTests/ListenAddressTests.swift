import DataModel
import DataServer
import Testing

@Suite("Addresses of a server")
struct ListenAddressTests {
  @Test("prints a parsed listen address in its original form")
  func valid() throws {
    for text in ["127.0.0.1:8420", "localhost:0", "[::1]:80", "0.0.0.0:65535", "unix:/run/x/api"] {
      #expect(try ListenAddress(text).text == text)
    }
  }

  @Test("rejects addresses without a valid port, host or path")
  func invalid() {
    for text in [
      "", "8420", "localhost", "localhost:", "localhost:65536", "localhost:-1", "::1:80", ":80",
      "[]:80", "[127.0.0.1]:80", "a:b:80", "unix:", "unix:" + String(repeating: "x", count: 101),
      "localhost:+80",
    ] {
      #expect(throws: DataError.self, "\(text)") { try ListenAddress(text) }
    }
  }

  @Test("requires encryption or a proxy for addresses that other machines reach")
  func encryption() throws {
    for (address, isOpen) in [
      ("127.0.0.1:1", false), ("127.8.9.1:1", false), ("[::1]:1", false), ("localhost:1", false),
      ("unix:x", false), ("0.0.0.0:1", true), ("[::]:1", true), ("shop.example:1", true),
      ("127.0.0.1.example:1", true),
    ] {
      var options = ServerOptions()
      options.addresses = [try ListenAddress(address)]
      if isOpen {
        #expect(throws: DataError.self, "\(address)") { try options.check(isEncrypted: false) }
      } else {
        try options.check(isEncrypted: false)
      }
      try options.check(isEncrypted: true)
      options.trustsProxy = true
      try options.check(isEncrypted: false)
    }
  }
}
