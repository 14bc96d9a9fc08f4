import Foundation
import Glibc
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("The example of a web page", .tags(.process))
struct WebExampleTests {
  private static func has(_ program: String) -> Bool {
    ["/usr/bin", "/usr/sbin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  private let example = Binary.file("Tests/Examples/web")

  @Test(
    "the unit of the packages is a valid systemd unit, also with the file of the example",
    .needs(has("systemd-analyze"), "systemd-analyze is not installed"))
  func unit() throws {
    let folder = try TestFolder()
    let text = try Binary.text(of: "Tests/Packaging/datactl.service")
    #expect(text.contains("ExecStart=datactl serve "))
    // The lines of the example extend the unit.
    let addition = try String(contentsOfFile: "\(example)/proxy.conf", encoding: .utf8)
    try folder.write(
      "shop.service", "\(text.replacing("=datactl ", with: "=\(Binary.path) "))\(addition)")
    let run = try folder.tool("systemd-analyze", "verify", "--man=no", folder.path("shop.service"))
    #expect(!run.errors.contains("shop.service"), "\(run.report)")
  }

  @Test(
    "lists, adds, checks and deletes todos in a browser, through nginx", .from(.all),
    .needs(
      has("nginx") && has("chromium"), "nginx or chromium is not installed: apt-get install both"))
  func browser() throws {
    let folder = try TestFolder()
    try folder.tool("cp", "-r", "\(example)/.", ".")
    try folder.prepare("schema", "apply", "schemas")
    try folder.prepare("save", "user", "ann", "password@=-", "-o", "none", input: .text("canary99"))
    let port = try ReservedPort()
    defer { withExtendedLifetime(port) {} }
    let origin = "http://127.0.0.1:\(port.number)"
    let server = try TestServer(folder, "--behind-proxy")
    try configure(folder, server, port.number)
    let nginx = try Program(
      ["/usr/sbin/nginx"], environment: folder.datactl.environment, directory: folder.directory
    ).start(["-p", folder.directory, "-c", folder.path("nginx.conf"), "-e", "stderr"])
    defer { nginx.signal(SIGTERM) }
    try nginx.wait(for: "nginx") { _ in
      (try? folder.tool("curl", "-sf", "\(origin)/v1/health")) != nil
    }
    try folder.write("drive.html", Self.script)
    // In the temporary folder of the test, the path of Chromium's socket could be too long.
    let run = try folder.tool(
      "TMPDIR=/tmp", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
      "--virtual-time-budget=30000",
      "--user-data-dir=\(folder.path("chromium"))", "--dump-dom", "\(origin)/drive.html")
    #expect(run.output.contains("<p>passed</p>"), "\(run.output) \(run.errors)")
    #expect(
      try folder.datactl.run(["list", "todo", "--fields", "title,done,owner", "--order", "title"])
        .output.replacing(/"todo_id":"[^"]*",/, with: "") == """
          {"title":"<b>tea</b>","done":true,"owner":"ann"}

          """)
    // The address that the server sees is the one that nginx has set.
    let foreign = try folder.tool(
      "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", "X-Forwarded-For: 6.6.6.6",
      "-H", "Origin: https://evil.example", "\(origin)/v1/whoami")
    #expect(foreign.output == "403")
    #expect(try server.stop().status == 0)
  }

  /// Replaces the paths and the port in the configuration of nginx.
  private func configure(_ folder: TestFolder, _ server: TestServer, _ port: Int) throws {
    var text = try String(contentsOfFile: folder.path("nginx.conf"), encoding: .utf8)
    for (old, new) in [
      ("unix:/run/datactl/api", "127.0.0.1:\(server.port)"),
      ("listen 127.0.0.1:8080", "listen 127.0.0.1:\(port)"),
      ("/var/www/shop", folder.directory),
      ("events {}", "daemon off; pid \(folder.path("nginx.pid")); events {}"),
      (
        "http {",
        "http { access_log off; client_body_temp_path tmp; proxy_temp_path tmp; "
          + "fastcgi_temp_path tmp; uwsgi_temp_path tmp; scgi_temp_path tmp;"
      ),
    ] {
      guard text.contains(old) else { throw Violation("nginx.conf does not contain \(old)") }
      text = text.replacing(old, with: new)
    }
    // The process that serves files runs as the same user, so that it can read the folder.
    try folder.write(
      "nginx.conf", text.replacing("user www-data;", with: getuid() == 0 ? "user root;" : ""))
  }

  @Test(
    "serves the page and the API through nginx when set up with the commands of the README",
    .from(.test),
    .needs(getuid() == 0 && has("nginx"), "nginx is not installed, or the user is not root"))
  func commands() throws {
    let folder = try TestFolder()
    try folder.tool("cp", "-r", "\(example)/.", ".")
    let port = try ReservedPort()
    defer { withExtendedLifetime(port) {} }
    let origin = "127.0.0.1:\(port.number)"
    func adapted(_ name: String) throws -> String {
      try String(contentsOfFile: folder.path(name), encoding: .utf8)
        .replacing("/run/datactl", with: folder.path("run"))
        .replacing("/var/www/shop", with: folder.path("www"))
        .replacing("127.0.0.1:8080", with: origin)
    }
    let files = "pid \(folder.path("nginx.pid")); error_log \(folder.path("nginx.log"));"
    try folder.write(
      "nginx.conf",
      adapted("nginx.conf").replacing("events {}", with: "\(files) events {}")
        .replacing("http {", with: "http { access_log off;"))
    let readme = try adapted("README.md")
    let start = try #require(readme.firstRange(of: "```sh\n")).upperBound
    let end = try #require(readme[start...].firstRange(of: "```")).lowerBound
    try folder.write("commands", "\(readme[start..<end])\necho $! >serve.pid\nwait\n")
    let shell = try folder.withDatactlInPath("/bin/sh").start(["commands"])
    defer {
      for name in ["nginx.pid", "serve.pid"] {
        let text = try? String(contentsOfFile: folder.path(name), encoding: .utf8)
        if let pid = text.flatMap({ pid_t($0.filter(\.isNumber)) }) { kill(pid, SIGTERM) }
      }
      _ = try? shell.finish()
    }
    func status(_ path: String) throws -> String {
      try folder.tool(
        "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://\(origin)\(path)"
      ).output
    }
    try shell.wait(for: "the server") { _ in (try? status("/v1/health")) == "200" }
    for path in ["/todos.html", "/v1", "/v1/", "/v1/health"] {
      #expect(try status(path) == "200", "\(path)")
    }
  }

  /// A page that uses the example in a frame as a user would.
  private static let script = """
    <!doctype html>
    <iframe src="/todos.html"></iframe>
    <p>started</p>
    <script type="module">
    const result = document.querySelector("p");
    const frame = document.querySelector("iframe");
    await new Promise((done) => frame.onload = done);
    const page = frame.contentDocument;
    const find = (selector) => page.querySelector(selector);
    const until = async (what, condition) => {
      result.textContent = "waiting for " + what + " " + find("#error").textContent;
      while (!condition()) await new Promise((done) => setTimeout(done, 20));
    };
    const titles = () => [...page.querySelectorAll("li")].map((item) => item.childNodes[1].data);
    const logIn = (password) => {
      find("#login").elements.user.value = "ann";
      find("#login").elements.password.value = password;
      find("#login").requestSubmit();
    };
    const add = (title) => {
      find("#add").elements.title.value = title;
      find("#add").requestSubmit();
    };
    logIn("wrong");
    await until("an error", () => find("#error").textContent !== "");
    logIn("canary99");
    await until("the login", () => !find("main").hidden);
    add("<b>tea</b>");
    await until("a todo", () => titles().join() === "<b>tea</b>");
    add("bread");
    await until("two todos", () => titles().join() === "<b>tea</b>,bread");
    find("li input").click();
    await until("the order", () => titles().join() === "bread,<b>tea</b>");
    find("li button").click();
    await until("one todo", () => titles().join() === "<b>tea</b>");
    find("#logout").click();
    await until("the logout", () => find("main").hidden);
    result.textContent = "passed";
    </script>
    """
}
