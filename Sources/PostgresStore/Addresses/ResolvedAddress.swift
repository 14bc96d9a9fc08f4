import CPostgres
import DataModel

/// The connection options that libpq computed from the address, the environment and the service
/// files.
struct ResolvedAddress {
  let values: [String: String]

  @unsafe
  init(_ connection: datactl_pq_connection_ref, _ library: LibPQ) {
    guard let options = unsafe library.connectionInfo(connection) else {
      values = [:]
      return
    }
    defer { unsafe library.freeOptions(options) }
    values = unsafe Self.values(options)
  }

  @unsafe
  static func values(_ options: UnsafePointer<datactl_pq_option>) -> [String: String] {
    var values: [String: String] = [:]
    var position = unsafe options
    while let name = unsafe position.pointee.keyword {
      if let value = unsafe position.pointee.value {
        values[unsafe String(cString: name)] = unsafe String(cString: value)
      }
      unsafe position = unsafe position.successor()
    }
    return values
  }

  /// Returns the number of seconds after which a host that does not respond is skipped, or nil if
  /// there is no limit.
  func connectTimeout() throws(DataError) -> Double? {
    let text = values["connect_timeout"] ?? "0"
    guard let seconds = Int32(text) else {
      throw DataError(
        .usage, "connect_timeout: expected a whole number of seconds, found \(Excerpt.quoted(text))"
      )
    }
    return seconds > 0 ? Double(seconds) : nil
  }

  /// The hosts with their names, addresses and ports, in the order in which libpq tries them.
  private var hosts: [(name: String, address: String, port: String)] {
    let (names, addresses, ports) = (parts("host"), parts("hostaddr"), parts("port"))
    return (0..<max(names.count, addresses.count, 1)).map { position in
      func part(_ list: [String]) -> String {
        list.indices.contains(position) ? list[position] : ""
      }
      return (part(names), part(addresses), ports.count == 1 ? ports[0] : part(ports))
    }
  }

  private func parts(_ name: String) -> [String] {
    values[name]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
  }

  /// The port of hosts for which the address gives no port.
  private static let defaultPort = "5432"

  /// Returns connection options that make libpq skip the given host, or nil if there is no other
  /// host. They list the other hosts, and override the hosts in the address.
  func excluding(_ host: String, port: String) -> [(name: String, value: String)]? {
    var rest = hosts
    let position = rest.firstIndex { one in
      (one.name.isEmpty ? one.address : one.name) == host && (one.port.isEmpty || one.port == port)
    }
    guard rest.count > 1, let position else { return nil }
    rest.remove(at: position)
    let lists = [
      ("host", rest.map(\.name)), ("hostaddr", rest.map(\.address)),
      ("port", rest.map { $0.port.isEmpty ? Self.defaultPort : $0.port }),
    ].filter { values[$0.0]?.isEmpty == false }.map { ($0.0, $0.1.joined(separator: ",")) }
    // libpq treats an empty value as missing, so an empty list could not override the address.
    return lists.contains { $0.1.isEmpty } ? nil : lists
  }

  /// Returns the canonical form of the address, which is the same for all addresses of one
  /// database. It contains no user and no password, and does not depend on the environment or the
  /// service files.
  ///
  /// - Parameters:
  ///   - host: The host of the open connection. It replaces a missing host of the address.
  ///   - port: The port of the open connection. It replaces the missing port of a host.
  func identity(host: String, port: String) -> String {
    let hostList = hosts.map { one in
      let name = one.name.isEmpty && one.address.isEmpty ? host : one.name
      let parts = [name, one.address].filter { !$0.isEmpty }
      return parts.joined(separator: "=") + ":" + (one.port.isEmpty ? port : one.port)
    }
    return "postgres://\(hostList.joined(separator: ","))/\(values["dbname"] ?? "")"
  }
}
