import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Calls of methods", .tags(.process), .from(.test))
struct CallTests {
  @Test("sends fields, files or a query to a method of the server, and prints the response")
  func calls() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.tool("mkdir", "-m", "755", "methods")
    let head = "#!/bin/sh\nprintf 'Content-Type: text/plain\\n"
    try folder.write(
      "methods/echo",
      "\(head)\\n'; echo \"$REQUEST_METHOD $CONTENT_TYPE $QUERY_STRING $REMOTE_USER\"; cat\n")
    try folder.write(
      "methods/fail", "\(head)Status: %s x\\n\\nbody\\n' \"${QUERY_STRING#status=}\"\n")
    try folder.write("methods/own", "\(head)\\n'\n")
    try folder.write(
      "methods/busy", "#!/bin/sh\necho >>calls; printf 'Status: 503\\n\\n'\n")
    try folder.write("methods/bad", "#!/bin/sh\nexit 3\n")
    try folder.write("methods/slow", "#!/bin/sh\nexec sleep 100\n")
    for name in ["bad", "busy", "echo", "fail", "own", "slow"] {
      try folder.tool("chmod", "755", "methods/\(name)")
    }
    try folder.write(
      "methods/methods.json",
      """
      {"bad":{"access":"anyone"},"busy":{"access":"anyone"},"echo":{"access":"anyone"},
       "fail":{"access":"anyone"},"slow":{"access":"anyone","seconds":1}}
      """)
    let server = try TestServer(folder, "--methods", "methods")
    let client = try TestFolder(store: server.address)
    try client.run("call", "echo").exits(0).prints("GET   \n")
    try client.run("call", "echo", "name=Ann", "n:=1", "o:={\"a\":[null]}").exits(0)
      .prints("POST application/json  \n{\"name\":\"Ann\",\"n\":1,\"o\":{\"a\":[null]}}\n")
    try client.run("call", "echo", "--method", "GET", "a=b c&d", "n:=1").exits(0)
      .prints("GET  a=b%20c%26d&n=1 \n")
    try client.write("in.csv", "a,b\n")
    try client.run("call", "echo", "--file", "in.csv").exits(0).prints("POST text/csv  \na,b\n")
    try client.run("call", "echo", "--method", "PUT", "-f", "-", input: .text("x")).exits(0)
      .prints("PUT application/octet-stream  \nx")
    try client.prepare("login", "-u", "ann", "--password-stdin", input: .text("canary99\n"))
    try client.run("call", "echo").exits(0).prints("GET   ann\n")
    for (status, exit) in [
      (400, 2), (404, 3), (401, 4), (403, 4), (409, 5), (412, 5), (422, 6), (503, 7), (500, 1),
    ] as [(Int, Int32)] {
      try client.run("call", "fail", "--method", "GET", "status=\(status)").exits(exit)
        .prints("body\n").reports("the method fail has responded with the status \(status)")
    }
    // A method may have changed something before it responds, so it is called only once.
    try client.run("call", "busy", "a=b").exits(7)
    #expect(try folder.bytes("calls") == [UInt8(ascii: "\n")])
    try client.run("call", "own").exits(4)
    try client.run("call", "bad").exits(7).reports("the server cannot answer the request")
    try client.run("call", "slow").exits(7).reports("the method took longer than 1 seconds")
    try client.run("call", "none").exits(3).reports("the server has no method none")
    try client.run("call", "../records").exits(2)
    try client.run("call", "echo", "a@=x").exits(2)
    try client.run("call", "echo", "a:={").exits(2)
    try folder.run("call", "echo").exits(2).reports("because the store is not on a server")
  }
}
