import CommandSyntax

extension HelpTopics {
  static let server = Topic(
    "server", "Serve a store to other programs.",
    manual: ManualName("datactl-server", section: 7),
    body: [
      """
      `datactl serve` answers requests for the store over HTTP. The server speaks the words of the \
      command line: see `datactl help api`. What a user may do is determined by the access rules of \
      the schemas: see `datactl help access-rules`. The server itself opens the store as an \
      administrator, so protect the file or the database as before.
      """,
      .heading("Addresses"),
      """
      By default, only programs on the same machine can connect, at `http://127.0.0.1:8420`. An \
      address to which other machines can connect requires a certificate (`--tls-cert`, \
      `--tls-key`), or a proxy that encrypts the connections (`--behind-proxy`). With \
      `--behind-proxy`, the last address in `X-Forwarded-For` is the address of the client. Never \
      pass this option if others can connect to the server directly.
      """,
      """
      A Unix socket has the mode 0660, so its group decides which programs can connect. It is the \
      group of the server or, if its folder has the mode 2750 (setgid), the group of the folder. To \
      let nginx on Debian connect, create the folder with:
      """,
      .literal("$ install -d -m 2750 -g www-data /run/shop"),
      .heading("Behind nginx"),
      .literal(
        """
        upstream datactl { server unix:/run/shop/api; keepalive 16; }
        server {
          listen 443 ssl;
          location /v1 {
            proxy_pass http://datactl;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            client_max_body_size 1g;
            proxy_request_buffering off;
            proxy_buffering off;
            proxy_read_timeout 90s;
          }
        }
        """),
      """
      The folder `Tests/Examples/web` of the sources contains a whole configuration, a unit for \
      systemd, and a web page. The page can send requests because it has the same address as the \
      API, if the proxy passes on the header `Host` or sends `X-Forwarded-Host`. Pages of other \
      addresses need `--cors`.
      """,
      .heading("Commands"),
      """
      The same program is a client of the server: with `--store https://HOST`, every command is \
      executed by the server, after `datactl login`. See `datactl help stores`.
      """,
      .heading("Users"),
      """
      A program logs in with `POST /v1/login` and sends the token with each request. Without a \
      token, a request has the rights of `anyone`. After five wrong passwords from an address, or \
      for a user name from an address, one more is checked every ten seconds. The first \
      administrator is created on the machine of the store: `datactl save user ann roles+=admin`.
      """,
      """
      A program such as a CI job logs in as a user of its own, whose role the access rules name. \
      Its token has all rights of this user, including those that the rules give to `users`, and \
      is passed in the variable `DATACTL_TOKEN`:
      """,
      .literal(
        """
        $ datactl login -u ci --password-stdin --print-token --days 90 \\
            --store https://shop.example < secret
        """),
      .heading("Limits"),
      .definitions([
        Definition("32 KB", "the header of a request"),
        Definition(
          "1 MB",
          "the body of a request without a token; with one, `--max-body`; also after decompression"
        ),
        Definition("100", "connections from one address, except with `--behind-proxy`"),
        Definition("30 seconds", "to send a header; a minute without a byte ends a connection"),
        Definition("1", "password that a request may set, unless an administrator sends it"),
        Definition("`--timeout`", "the time that a request may take without progress"),
        Definition("4, 25 seconds, 10 MB", "methods at once, and the time and output of each"),
      ]),
      """
      A list is read from the store as fast as possible and kept in a temporary file, so a slow \
      client does not delay others.
      """,
      .heading("Operation"),
      """
      On SIGTERM, the server finishes the requests that have begun, for at most ten seconds, and \
      exits with 0. Commands of clients that arrive during a restart are sent again for about ten \
      seconds, if a proxy accepts their connections.
      """,
      """
      On SIGHUP, the server reads the certificate and the key again, for example after they have \
      been renewed. Open connections keep the old certificate. If standard error is a terminal, \
      SIGHUP ends the server, because the terminal was closed.
      """,
      """
      `help stores` shows how to back up a store while it is served. `GET /v1/metrics` is for \
      administrators, so Prometheus needs the token of one, which expires after `--days`.
      """,
      .heading("Methods"),
      """
      `--methods DIR` serves the executable files of a folder as `/v1/methods/NAME`, for code that \
      belongs next to the data. A name consists of lowercase letters, digits and `_`. The folder and \
      its files must belong to the user of the server or to root, and no other user may be able to \
      change them. Only administrators may call a method, unless `methods.json` in the folder \
      permits others:
      """,
      .literal(#"{"hello": {"access": "users", "seconds": 5}}"#),
      """
      `access` is `anyone`, `users`, `role:NAME` or a list of these. A method is a CGI program \
      (RFC 3875): it reads the body from standard input, and the request from variables such as \
      `REQUEST_METHOD`, `QUERY_STRING`, `CONTENT_TYPE` and `REMOTE_USER`. It prints the headers \
      `Content-Type`, `Status`, `Location` or `Cache-Control`, an empty line and the body. The \
      variable `DATACTL_STORE` gives it full rights to the store, so it must check what callers send. \
      When the server starts, it prints which files of the folder cannot be called.
      """,
      .literal(
        """
        #!/bin/sh
        printf 'Content-Type: application/json\\n\\n'
        datactl list order "customer=$REMOTE_USER" -o json
        """),
      """
      A method that fails or prints no valid header is 502, one that takes too long is 504, and a \
      fifth one at once is 503. Its standard error is written to the log. A method and all \
      processes that it has started are ended when it takes too long or the client disconnects.
      """,
      .heading("Log"),
      """
      Each request is one line on standard error: the time, the address, the user, the method, the \
      route, the status, the number of bytes, the milliseconds, and the id of the request, which \
      the response has in `Datactl-Request`. The line of a command that a client sends ends with \
      its exit status, such as `exit=4`, because its HTTP status is 200 even if it fails. The log \
      contains no parameters, bodies, tokens or passwords.
      """,
      """
      The log is standard error, which the server does not open again. systemd keeps it in the \
      journal. If it is a file, append to it (`2>>serve.log`) and use `copytruncate` of logrotate.
      """,
    ],
    seeAlso: ["serve", "api", "access-rules"])

  static let api = Topic(
    "api", "The HTTP API of a server.",
    manual: ManualName("datactl-api", section: 7),
    body: [
      """
      A parameter of the API is an option of a command, under its name: `--any-revision` is \
      `any_revision=true`. A body is what the command reads or prints. An error has the code that \
      the command prints with `--errors json`. An unknown parameter is an error.
      """,
      .heading("Requests"),
      .definitions([
        Definition("GET /v1", "the program, its version and the version of the schemas"),
        Definition("GET /v1/health", "200 if the store answers"),
        Definition(
          "GET /v1/metrics", "the metrics of the server for Prometheus, for administrators"),
        Definition(
          "GET /v1/openapi.json", "the requests and the schemas of the caller, as OpenAPI 3.1"),
        Definition("GET /v1/schemas, GET /v1/schemas/NAME", "`schema list`, `schema show`"),
        Definition(
          "POST /v1/schemas/plan, POST /v1/schemas/apply",
          "`schema plan` and `schema apply` with the schema files in the body"),
        Definition("POST /v1/schemas/rename?from=NAME&to=NEW", "`schema rename`"),
        Definition("DELETE /v1/schemas/NAME, GET /v1/schemas/log", "`schema drop`, `schema log`"),
        Definition(
          "GET /v1/records/SCHEMA",
          """
          `list`. The parameters of a condition are `param.NAME`. With `id`, which can be repeated: \
          `get`. With `schema=true`, the first line is the schema
          """),
        Definition(
          "POST /v1/records/SCHEMA/query", "the same, with the parameters as a form in the body"),
        Definition("GET /v1/records/SCHEMA/ID", "`get` of one record, with an `ETag`"),
        Definition(
          "POST /v1/records/SCHEMA",
          """
          `save` of the body. `mode` is `create`, `update` or `replace`. With `where`, the body is \
          an object with the values to set in all records that match
          """),
        Definition(
          "PATCH, PUT, DELETE /v1/records/SCHEMA/ID",
          "change a record, create or replace it, or delete it"),
        Definition(
          "DELETE /v1/records/SCHEMA",
          """
          delete the records with the given `id`, those that match `where`, or all of them \
          (`all=true`). With `agreed=N`, nothing is deleted unless there are N records
          """),
        Definition(
          "GET, PUT, DELETE /v1/records/SCHEMA/ID/FIELD/content",
          """
          the content of a file; for `PUT`, the parameter `name` is the name of the file, whose \
          extension determines the type. If it has no known extension, `Content-Type` does
          """),
        Definition("POST /v1/batch", "`batch` with the operations in the body"),
        Definition(
          "POST /v1/login",
          "`{\"user\", \"password\", \"days\"}` returns `{\"token\", \"user\", \"expires\"}`"),
        Definition(
          "POST /v1/logout", "ends the session; with `all=true`, all sessions of the user"),
        Definition(
          "POST /v1/password",
          "`{\"old\", \"new\"}`, or `{\"user\", \"new\"}` for administrators"),
        Definition("GET /v1/whoami, GET /v1/sessions", "the user, and the user's sessions"),
        Definition(
          "GET, POST, PUT, PATCH, DELETE /v1/methods/NAME",
          "a program of the server: see `datactl help server`"),
        Definition(
          "POST /v1/commands/COMMAND",
          """
          a command line with the files that it names, which `datactl --store https://HOST` sends. \
          Other programs should use the other requests
          """),
      ]),
      .heading("Headers"),
      .definitions([
        Definition("Authorization: Bearer TOKEN", "the session of the caller"),
        Definition(
          "Accept", "the format: JSON, NDJSON, CSV, TSV, Markdown or XML; or pass `output`"),
        Definition("Accept-Encoding: gzip", "a response of more than 1 KB is compressed"),
        Definition("Content-Encoding: gzip", "the body is compressed"),
        Definition(
          "If-None-Match",
          """
          with the `ETag` of a record or schema: 304 if it is the same. When a record is changed: \
          412 if it has this `ETag`; with `*`, `PUT` only creates a record, and is 412 if it exists
          """),
        Definition(
          "If-Match",
          """
          change or delete a record only if it has this `ETag`, or only the revision of it, such as \
          `"3"`; if it has another, the status is 412
          """),
        Definition(
          "Idempotency-Key",
          """
          a key of up to 64 characters, with which a change of records is executed only once: the \
          same request with the same key does nothing for a day, and returns the first counts with \
          `Datactl-Repeated: true`, but no records. Requests that do not change records cannot have a key
          """),
        Definition("Range", "a part of the content of a file"),
        Definition(
          "Expect: 100-continue", "asks whether the body may be sent, before it is sent"),
        Definition("Datactl-Saved", "in a response: `new=900, changed=90, same=10`"),
        Definition("Datactl-Request", "in a response: the id of the request in the log"),
      ]),
      .heading("Errors"),
      """
      An error is a problem document (RFC 9457) with the keys `code` and `problems`. The exit \
      status of the command determines the status: 2 is 400; 3 is 404; 4 is 401 without a session, \
      and 403 with one; 5 is 409; 6 is 422; 7 is 503 if the store is busy, and 500 if not; 1 is \
      500. Internal errors show only the id of the request.
      """,
      """
      If a list fails after a part of it was sent, the connection is closed before the end of the \
      response. With `skip_invalid=true`, the last line of the response is a problem document about \
      the records that were skipped.
      """,
      .heading("Examples"),
      .literal(
        """
        $ curl 'http://127.0.0.1:8420/v1/records/todo?order=-due&limit=10'
        $ curl -d '{"user":"ann","password":"…"}' http://127.0.0.1:8420/v1/login
        $ curl -X PATCH -H "Authorization: Bearer $TOKEN" -d '{"done":true}' \\
            http://127.0.0.1:8420/v1/records/todo/tea
        """),
    ],
    seeAlso: ["serve", "server", "batch", "conditions"])
}
