import Foundation
import Glibc
import ProgramHarness

/// A server of a store, compared with a program that does nothing but answer on the same library,
/// and with local commands.
final class ServerBenchmark {
  private let workspace: Workspace
  private let size: Int
  private var server: Child?
  private var bare: Child?
  private var address = ""
  private var token = ""

  private init(on workspace: Workspace, size: Int) {
    self.workspace = workspace
    self.size = size
  }

  deinit {
    server?.signal(SIGKILL)
    bare?.signal(SIGKILL)
  }

  static func run(on workspace: Workspace, size: Int, _ report: (Comparison.Result) -> Void) throws
  {
    let benchmark = ServerBenchmark(on: workspace, size: size)
    let local = try SQLiteBenchmark(.eight, size: size, on: workspace)
    report(try benchmark.save(local.data).run(on: workspace))
    report(try benchmark.list().run(on: workspace))
    for comparison in try benchmark.gets() { report(try comparison.run(on: workspace)) }
    for comparison in try benchmark.rules() { report(try comparison.run(on: workspace)) }
    try benchmark.stop()
    for store in ["own.db", "served.db"] { workspace.remove(store) }
  }

  /// Starts a server of an empty store, which everyone may read. The user `root` may do everything.
  private func restart() throws {
    try stop()
    try SQLiteBenchmark.declare(.eight, "served.db", on: workspace)
    try workspace.run(
      """
      "$BINARY" --store served.db schema show record | jq '.access={"read":"anyone"}' |
        "$BINARY" --store served.db -q schema apply - &&
      echo '{"schema":"user","kind":"user","roles":"roles","fields":{"user_id":{"type":"id"},
        "password":{"type":"password"},"roles":{"type":"[text]"}}}' |
        "$BINARY" --store served.db -q schema apply - &&
      printf benchmark | "$BINARY" --store served.db -q save user root password@=- roles+=admin -o none
      """)
    let child = try workspace.start(
      "\"$BINARY\" --store served.db serve --listen 127.0.0.1:0 --log none")
    try child.wait(for: "an address") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
    let line = String(decoding: child.errorBytes, as: UTF8.self)
    guard let range = line.firstRange(of: /http:[^\n]+/) else { throw Violation(line) }
    address = "\(line[range])/v1"
    server = child
    token = String(
      try workspace.run(
        """
        curl -sS -d '{"user":"root","password":"benchmark"}' \(address)/login | jq -r .token
        """
      ).dropLast())
  }

  private func stop() throws {
    guard let server else { return }
    server.signal(SIGTERM)
    try server.finish().exits(0)
    self.server = nil
  }

  private func save(_ data: String) -> Comparison {
    // The address is known only after the server has been started.
    Comparison(
      work: "save through a server", count: size,
      datactl: Comparison.Contender(
        name: "datactl",
        prepare: { [self] in
          try restart()
          try Data("url = \"\(address)/records/record?output=none\"\n".utf8)
            .write(to: URL(filePath: workspace.path("address")))
          try Data("header = \"Authorization: Bearer \(token)\"\n".utf8)
            .write(to: URL(filePath: workspace.path("token")))
        }, command: "curl -sSf -K address -K token -X POST -T \(data)"),
      peers: [
        Comparison.Contender(
          name: "local save", goal: size >= 1_000_000 ? 1.5 : nil,
          prepare: { [self] in try SQLiteBenchmark.declare(.eight, "own.db", on: workspace) },
          command: "\"$BINARY\" --store own.db -q save record -o none <\(data)")
      ], isOneProcess: false,
      check: { [self] in
        let counts = try ["served.db", "own.db"].map {
          try workspace.run("sqlite3 \($0) 'select count(*), sum(stock) from record'")
        }
        guard counts[0] == counts[1] else { throw Violation("not the same: \(counts)") }
      })
  }

  private func list() -> Comparison {
    Comparison(
      work: "list through a server", count: size,
      datactl: Comparison.Contender(
        name: "datactl", command: "curl -sSf \(address)/records/record", lines: size),
      peers: [
        Comparison.Contender(
          name: "local list", goal: size >= 1_000_000 ? 1.3 : nil,
          command: "\"$BINARY\" --store served.db list record -o ndjson", lines: size)
      ], isOneProcess: false)
  }

  /// Gets of one record on connections that stay open, and a get on a new connection.
  private func gets() throws -> [Comparison] {
    try workspace.run("\"$BINARY\" --store served.db -q save record -o none one title=tea price=4")
    let url = "\(address)/records/record/one"
    let get = "\"$BINARY\" --store served.db get record one"
    var comparisons = [
      Comparison(
        work: "get one record with curl",
        datactl: Comparison.Contender(name: "datactl", command: "curl -sSf \(url)", repeats: 5),
        peers: [Comparison.Contender(name: "local get", command: get, repeats: 5)], rounds: 40,
        isOneProcess: false)
    ]
    guard try workspace.run("command -v ab || true") != "" else { return comparisons }
    let bare = try startBare(answering: try workspace.run("curl -sSf \(url)"))
    let count = 20_000
    func load(_ url: String, _ header: String = "X: x") -> String {
      """
      ab -q -k -n \(count) -c 16 -H '\(header)' \(url) >ab.log &&
      grep -q 'Failed requests: *0' ab.log && ! grep -q Non-2xx ab.log
      """
    }
    for (work, header, goal) in [
      ("gets through a server:", "X: x", 2.0),
      ("gets with a session:", "Authorization: Bearer \(token)", nil),
    ] {
      comparisons.append(
        Comparison(
          work: work, count: count,
          datactl: Comparison.Contender(name: "datactl", command: load(url, header)),
          peers: [
            Comparison.Contender(name: "libmicrohttpd", goal: goal, command: load(bare, header))
          ], rounds: 5, isOneProcess: false))
    }
    return comparisons
  }

  /// Queries of a caller whom a rule restricts, compared with the same condition in the queries of
  /// an administrator.
  private func rules() throws -> [Comparison] {
    let condition = "stock < 50000 and done = true"
    try workspace.run(
      """
      "$BINARY" --store served.db schema show record | jq '.access={"read":"\(condition)"}' |
        "$BINARY" --store served.db -q schema apply -
      """)
    let url = "\(address)/records/record"
    let byHand = "curl -sSf -K token -G --data-urlencode 'where=\(condition)' \(url)"
    return [("list", ""), ("count", "?count=true")].map { work, query in
      Comparison(
        work: "\(work) under a rule", count: size,
        datactl: Comparison.Contender(name: "a rule", command: "curl -sSf '\(url)\(query)'"),
        peers: [
          Comparison.Contender(
            name: "a condition", goal: size >= 1_000_000 ? 1.1 : nil,
            command: "\(byHand)\(query.isEmpty ? "" : " -d count=true")")
        ], isOneProcess: false)
    }
  }

  /// Starts the bare server, and returns its address.
  private func startBare(answering text: String) throws -> String {
    try Data(Self.program.utf8).write(to: URL(filePath: workspace.path("bare.c")))
    try Data(text.utf8).write(to: URL(filePath: workspace.path("answer.json")))
    try workspace.run("clang -O2 bare.c -o bare -ldl")
    let child = try workspace.start("./bare answer.json >&2")
    try child.wait(for: "a port") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
    bare = child
    return "http://127.0.0.1:\(String(decoding: child.errorBytes, as: UTF8.self).dropLast())/"
  }

  /// A server on libmicrohttpd with two event loops, like datactl's, that sends the same text in
  /// response to every request.
  private static let program = """
    #include <arpa/inet.h>
    #include <dlfcn.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <unistd.h>

    typedef int (*handler)(
        void *, void *, const char *, const char *, const char *, const char *, size_t *, void **);
    static void *(*create)(size_t, void *, int);
    static int (*add)(void *, const char *, const char *);
    static int (*queue)(void *, unsigned, void *);
    static void (*destroy)(void *);
    static char text[4096];
    static size_t size;

    static int answer(
        void *context, void *connection, const char *path, const char *method, const char *version,
        const char *body, size_t *body_size, void **request) {
      void *response = create(size, text, 0);
      add(response, "Content-Type", "application/json");
      int result = queue(connection, 200, response);
      destroy(response);
      return result;
    }

    int main(int count, char **arguments) {
      FILE *file = fopen(arguments[1], "r");
      size = fread(text, 1, sizeof text, file);
      void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW);
      void *(*start)(unsigned, uint16_t, void *, void *, handler, void *, ...) =
          dlsym(library, "MHD_start_daemon");
      create = dlsym(library, "MHD_create_response_from_buffer");
      add = dlsym(library, "MHD_add_response_header");
      queue = dlsym(library, "MHD_queue_response");
      destroy = dlsym(library, "MHD_destroy_response");
      struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
      socklen_t length = sizeof address;
      int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
      if (bind(listener, (void *)&address, length) || listen(listener, 128)) return 1;
      getsockname(listener, (void *)&address, &length);
      // MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL, MHD_OPTION_LISTEN_SOCKET,
      // MHD_OPTION_THREAD_POOL_SIZE, MHD_OPTION_END
      if (!start(8 | 512, 0, NULL, NULL, answer, NULL, 12, listener, 14, 2u, 0)) return 1;
      printf("%d\\n", ntohs(address.sin_port));
      fflush(stdout);
      pause();
    }
    """
}
