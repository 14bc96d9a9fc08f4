internal import Synchronization

/// A command line that a client has sent, and that the server has executed.
struct EndedCommand: Hashable, Sendable {
  /// The words of the command, such as `schema apply`.
  let name: String
  /// The exit status with which the client's program ends.
  let exitStatus: Int32
}

/// The counters of a server, which are read in the text format of Prometheus.
final class Metrics: Sendable {
  private struct Counters {
    /// The number of responses for each method and status.
    var responses: [Response: Int] = [:]
    /// The number of command lines for each command and exit status.
    var commands: [EndedCommand: Int] = [:]
    var bytes = 0
    var seconds = 0.0
    var aborted = 0
  }

  private struct Response: Hashable {
    var method: String
    var status: Int
  }

  /// The HTTP methods that are counted separately. All others are counted together, because a
  /// client can send any number of different names.
  private static let methods = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]

  private let counters = Mutex(Counters())

  /// Counts a request that has ended.
  ///
  /// - Parameter command: The command line that the request contained, or nil if it contained none.
  func count(_ method: String, _ outcome: ExchangeOutcome, _ command: EndedCommand?) {
    let name = Self.methods.contains(method) ? method : "other"
    counters.withLock { counters in
      counters.responses[Response(method: name, status: outcome.status ?? 0), default: 0] += 1
      if let command { counters.commands[command, default: 0] += 1 }
      counters.bytes += outcome.bytes
      counters.seconds += outcome.milliseconds / 1_000
      if !outcome.isComplete { counters.aborted += 1 }
    }
  }

  var text: String {
    let counters = counters.withLock { $0 }
    let responses = counters.responses.sorted {
      ($0.key.method, $0.key.status) < ($1.key.method, $1.key.status)
    }.map { response, count in
      """
      datactl_requests_total{method="\(response.method)",status="\(response.status)"} \(count)

      """
    }
    let commands = counters.commands.sorted {
      ($0.key.name, $0.key.exitStatus) < ($1.key.name, $1.key.exitStatus)
    }.map { command, count in
      """
      datactl_commands_total{command="\(command.name)",exit="\(command.exitStatus)"} \(count)

      """
    }
    return """
      # HELP datactl_requests_total The requests that have ended, by method and status.
      # TYPE datactl_requests_total counter
      \(responses.joined())# HELP datactl_commands_total The command lines of clients, by exit status.
      # TYPE datactl_commands_total counter
      \(commands.joined())# HELP datactl_request_seconds_total The time that requests took.
      # TYPE datactl_request_seconds_total counter
      datactl_request_seconds_total \(counters.seconds)
      # HELP datactl_sent_bytes_total The bytes of the bodies of responses.
      # TYPE datactl_sent_bytes_total counter
      datactl_sent_bytes_total \(counters.bytes)
      # HELP datactl_aborted_requests_total The requests whose response was not sent completely.
      # TYPE datactl_aborted_requests_total counter
      datactl_aborted_requests_total \(counters.aborted)

      """
  }
}
