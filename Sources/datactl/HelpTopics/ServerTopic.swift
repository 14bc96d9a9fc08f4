import CommandSyntax

extension HelpTopics {
  static let server = Topic(
    "server", "Serve a store to other programs.",
    manual: ManualName("datactl-server", section: 7),
    body: [
      """
      `datactl serve` offers a store over HTTP to other datactl commands and to programs. For \
      example, this command serves a file to the programs of the same machine:
      """,
      .literal("$ datactl serve --store shop.db"),
      """
      datactl commands use the server with `--store` (see `datactl help stores`). `datactl help \
      api` describes the requests of other programs. The access rules of the schemas determine \
      what a user may do (see `datactl help access-rules`).
      """,
      """
      The access rules apply only to requests to the server. A user of the machine who can open \
      the file or the database directly has full rights, so permit this only to the server.
      """,
      .heading("Addresses"),
      """
      By default, only programs on the same machine can connect, at `http://127.0.0.1:8420`. With \
      `--listen 0.0.0.0:443`, other machines can connect. This requires encryption: either a \
      certificate (`--tls-cert` and `--tls-key`), or a proxy that encrypts the connections \
      (`--behind-proxy`).
      """,
      """
      With `--behind-proxy`, the last address in `X-Forwarded-For` is the address of the client. \
      Never pass this option if clients can connect to the server without the proxy.
      """,
      """
      A proxy on the same machine can connect to a Unix socket. Only the owner and the group of \
      the socket may use it. By default, these are the user and the group of the server. To give \
      the socket another group, such as `www-data` for nginx on Debian, create its folder with \
      this group and the mode 2750 (setgid):
      """,
      .literal(
        """
        $ install -d -m 2750 -g www-data /run/shop
        $ datactl serve --listen unix:/run/shop/api --behind-proxy
        """),
      .heading("Behind nginx"),
      "This part of the configuration of nginx connects it to the socket above:",
      .literal(
        """
        upstream datactl { server unix:/run/shop/api; keepalive 16; }
        server {
          listen 443 ssl;
          ssl_certificate     /etc/ssl/shop.pem;
          ssl_certificate_key /etc/ssl/shop.key;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $remote_addr;
          proxy_buffering off;
          proxy_read_timeout 90s;
          location /v1 {
            error_page 418 = @anonymous;
            if ($http_authorization = "") { return 418; }
            proxy_pass http://datactl;
            client_max_body_size 1g;
            proxy_request_buffering off;
          }
          location @anonymous {
            proxy_pass http://datactl;
            client_max_body_size 1m;
          }
        }
        """),
      """
      nginx passes on a request without a token when it has received the whole body. So clients \
      that are slow on purpose cannot occupy the connections of the server.
      """,
      """
      Every proxy must pass on the header `Host`, or send `X-Forwarded-Host`. Web pages with the \
      same origin as the API can then send requests. Pages with another origin need `--cors`.
      """,
      """
      The packages of datactl contain a unit for systemd, `datactl.service`. Before you remove the \
      package, run `systemctl disable --now datactl`. The folder \
      `Tests/Examples/web` of the sources contains a complete configuration and a web page, and \
      `Tests/Examples/container` a container.
      """,
      .heading("Users"),
      """
      The users are records of the user schema. To give users roles, declare a `[text]` \
      field in the file of this schema, and add the key `roles` with the name of the field. \
      `datactl help schema-files` shows an example.
      """,
      """
      A user with the role `admin` is an administrator. Create the first one on the machine of the \
      store. This command reads the password from a file:
      """,
      .literal(
        """
        $ datactl save user ann roles+=admin password@=- < secret
        """),
      """
      After five wrong passwords from one address, the server checks only one password from this \
      address every ten seconds, until a password is correct. IPv6 addresses with the same first \
      64 bits count as one. Clients that connect to a Unix socket without a proxy have no address. \
      For them, the limit applies to each user name.
      """,
      """
      If the user schema has a rule that lets everyone create users, clients can sign up without \
      logging in. Each address can create 20 users an hour, or as many as `--signups` permits; then \
      the status is 429. Clients without an address share this limit. Each server counts for \
      itself, in its memory.
      """,
      """
      Administrators can list and end the sessions of other users. A user who must not log in any \
      more can be disabled (see `datactl help access-rules`):
      """,
      .literal(
        """
        $ datactl whoami --sessions --user ann
        $ datactl logout --user ann --name ci
        $ datactl save user ann disabled=true
        """),
      .heading("Users for programs"),
      """
      Create a separate user for each program, such as a CI job. Give this user a role to which \
      the access rules grant what the program needs. If the program calls datactl, set the \
      variable `DATACTL_TOKEN` to a token of this user. This command prints a token. The name of \
      the session tells it from other sessions:
      """,
      .literal(
        """
        $ datactl login -u ci --password-stdin --print-token --days 90 \\
            --name nightly --store https://shop.example < secret
        """),
      .heading("Limits"),
      .table(
        header: ["limit", "applies to"],
        rows: [
          ["32 KB", "the header of a request"],
          ["1 MB", "the body of a request without a token"],
          ["`--max-body`", "the body of a request with a token"],
          ["1,000", "the parameters of a request, not counting `id`"],
          ["100", "connections from one address"],
          ["100", "with `--behind-proxy`: requests of one client in progress"],
          ["30 seconds", "the time to send a header"],
          ["1 minute", "the time to send a body without a token"],
          ["1 KB a second", "the speed of such a body, after ten seconds"],
          ["32", "requests that wait until other passwords are checked or set"],
          ["1 minute", "the time after which an idle connection is closed"],
          ["`--signups`", "users that clients of an address create in an hour without a token"],
          ["`--timeout`", "the time without progress after which a request is canceled"],
          ["`--spool`", "temporary files for output that waits for slow clients"],
          ["4", "methods that run at once (see Methods)"],
          ["25 seconds", "the time that a method may take, unless `methods.json` sets another"],
          ["10 MB", "the output of a method"],
        ]),
      """
      The limits on bodies also apply to decompressed bodies. A request may set only one password, \
      unless an administrator sends it. If too many requests wait for passwords, the status is \
      503, and if a client of a proxy has too many requests in progress, it is 429.
      """,
      """
      The server reads records at its own speed, and keeps the output until the client has received \
      it. If `--spool` is used up, the status of further responses of 64 KB or more is 503, and a \
      response that is being sent waits for its client. If the client reads too slowly for \
      `--timeout`, the response is cut off.
      """,
      """
      Requests without a token use at most half of the threads and of the connections to the store \
      that read records, and at most half of `--spool`. So they cannot keep out the users, who send \
      a token. A request may rewrite at most 64 MB of large records and lists that it has changed \
      before, unless an administrator sends it.
      """,
      """
      Each connection needs an open file. When the server starts, it raises its limit of open \
      files (`ulimit -n`). If the limit remains too low for `--connections`, the server accepts \
      fewer connections, and prints how many. Further connections wait.
      """,
      .heading("Operation"),
      """
      On SIGTERM, the server finishes the requests that have begun, for at most ten seconds, and \
      exits with 0.
      """,
      """
      While the server restarts, datactl commands fail with exit status 7. If the server is behind \
      a proxy, commands that read or change records try again for about ten seconds before they \
      fail.
      """,
      """
      After you have renewed the certificate, send SIGHUP: the server reads the certificate and \
      the key again. Connections that are already open keep the old certificate. If standard \
      error is a terminal, SIGHUP means that the terminal was closed, so the server ends.
      """,
      "`datactl help stores` shows how to back up a store while the server runs.",
      """
      `GET /v1/metrics` returns metrics for Prometheus. Give Prometheus the token of an \
      administrator.
      """,
      .heading("Methods"),
      """
      A method is a program that the server runs for its clients. With `--methods DIR`, each \
      executable file in this folder is a method, except links. Clients call it with \
      `datactl call NAME`, or with a request to `/v1/methods/NAME`. For example, this method \
      prints the purchases of the caller:
      """,
      .literal(
        #"""
        #!/bin/sh
        printf 'Content-Type: application/json\n\n'
        datactl list purchase "customer=$REMOTE_USER" -o json
        """#),
      """
      The name of a method consists of lowercase letters, digits and `_`. The folder and its files \
      must belong to the user of the server or to root, and no other user may be able to change \
      them. When the server starts, it prints which files cannot be called.
      """,
      """
      Only administrators may call a method, unless the file `methods.json` in the folder permits \
      others:
      """,
      .literal(#"{"hello": {"access": "users", "seconds": 5}}"#),
      """
      `access` is `anyone`, `users`, `role:NAME` or a list of these. `seconds` is the time after \
      which the server ends the method.
      """,
      """
      A method is a CGI program (RFC 3875). It reads the body of the request from standard input. \
      Variables such as `REQUEST_METHOD`, `QUERY_STRING`, `CONTENT_TYPE` and `REMOTE_USER` contain \
      other parts of the request.
      """,
      """
      The method prints headers, an empty line and the body of the response. The headers can be \
      `Content-Type`, `Status`, `Location` and `Cache-Control`; others are ignored. The standard \
      error of a method is written to the log.
      """,
      """
      The variable `DATACTL_STORE` contains the address of the store. datactl commands in a method \
      have full rights, so the method must check what callers send.
      """,
      """
      If a method takes too long, or if the client disconnects, the server ends all processes in \
      the process group of the method. If a method fails, the server responds with one of these \
      statuses:
      """,
      .table(
        header: ["status", "meaning"],
        rows: [
          ["502", "the method failed, or printed no valid header or over 10 MB"],
          ["503", "four methods are running already"],
          ["504", "the method took too long"],
        ]),
      .heading("Log"),
      """
      For each request, the server writes a line to standard error, unless `--log none` is given. \
      The line contains these values, but no parameters, bodies, tokens or passwords:
      """,
      .list([
        "the time",
        "the address of the client, and the user",
        "the HTTP method and the route",
        "the HTTP status, the number of bytes, and the duration in milliseconds",
        "the id of the request, which is also in the header `Datactl-Request` of the response",
        "the schema that the request names, such as `schema=todo`, if a request for it succeeded",
        """
        for a datactl command that a client sends, its exit status, such as `exit=4`. The HTTP \
        status is then 200, even if the command fails
        """,
      ]),
      """
      A service of systemd logs to the journal. To log to a file instead, append standard error \
      to the file (`2>>serve.log`). The server does not reopen the file, so set `copytruncate` if \
      logrotate rotates it.
      """,
    ],
    seeAlso: ["serve", "api", "access-rules"])

  static let api = Topic(
    "api", "The HTTP API of a server.",
    manual: ManualName("datactl-api", section: 7),
    body: [
      "Programs read and change a store on a server with HTTP requests. For example:",
      .literal(
        """
        $ curl 'http://127.0.0.1:8420/v1/records/todo?order=-due&limit=10'
        $ curl -d '{"user":"ann","password":"…"}' http://127.0.0.1:8420/v1/login
        $ curl -X PATCH -H "Authorization: Bearer $TOKEN" -d '{"done":true}' \\
            http://127.0.0.1:8420/v1/records/todo/tea
        """),
      """
      The first request has no token, so it returns only todos that anyone may read. The second \
      request logs in. Its response contains the token that the third request sends.
      """,
      "Most requests execute a command:",
      .list([
        """
        The parameters are the options of the command: `--any-revision` becomes \
        `any_revision=true`. An unknown parameter is an error.
        """,
        """
        The body of the request is what the command reads, and the body of the response is what \
        the command prints.
        """,
        "Errors contain the same `\"code\"` as with `--errors json`.",
      ]),
      .heading("Requests"),
      .definitions([
        Definition("GET /v1", "the program, its version and the version of the schemas"),
        Definition("GET /v1/health", "the status is 200 if the store answers"),
        Definition(
          "GET /v1/metrics", "the metrics of the server for Prometheus, for administrators"),
        Definition(
          "GET /v1/walk",
          """
          the whole store, which `datactl copy` and `datactl dump` read, for administrators. One \
          request at a time reads it. `only` names a schema, and can be repeated.
          """),
        Definition(
          "GET /v1/openapi.json",
          "a description of the API, and of the schemas that the caller may use, in OpenAPI 3.1"),
        Definition(
          "GET /v1/schemas, GET /v1/schemas/NAME",
          """
          execute `schema list` or `schema show`. `GET /v1/schemas?complete=true` sends the schema \
          files of all schemas as a JSON array
          """),
        Definition(
          "POST /v1/schemas/plan, POST /v1/schemas/apply",
          "execute `schema plan` or `schema apply` with the schema files in the body"),
        Definition("POST /v1/schemas/rename?from=NAME&to=NEW", "execute `schema rename`"),
        Definition(
          "DELETE /v1/schemas/NAME, GET /v1/schemas/log", "execute `schema drop` or `schema log`"),
        Definition(
          "GET /v1/records/SCHEMA",
          """
          execute `list`. With the parameter `id`, which can be repeated, execute `get`. \
          `param.NAME` sets the parameter `:NAME` of a condition, and `json.NAME` sets it to a \
          JSON value. `match.FIELD` selects the records whose field equals a JSON value: a list \
          field must contain it, and for `null` the field must have no value. With `schema=true`, the \
          first line of an NDJSON response is the schema. With `output=page` and without `limit`, a page \
          has at most 1,000 records
          """),
        Definition(
          "POST /v1/records/SCHEMA/query",
          "the same as `GET /v1/records/SCHEMA`, with the parameters as a form in the body"),
        Definition(
          "GET /v1/records/SCHEMA/ID",
          "execute `get` for one record"),
        Definition(
          "POST /v1/records/SCHEMA",
          """
          execute `save` with the records in the body. The parameter `mode` can be `create`, \
          `update` or `replace`. With `where`, the values of the object in the body are set in all \
          records that match the condition. If the request has only created records, the status is \
          201
          """),
        Definition(
          "PATCH, PUT, DELETE /v1/records/SCHEMA/ID",
          "`PATCH` changes a record, `PUT` creates or replaces it, and `DELETE` deletes it"),
        Definition(
          "POST /v1/records/SCHEMA/delete",
          "the same as `DELETE /v1/records/SCHEMA`, with the parameters as a form in the body"),
        Definition(
          "DELETE /v1/records/SCHEMA",
          """
          delete the records with the given `id`, the records that match `where`, or all records \
          (`all=true`). With `where` or `all=true`, `agreed=N` can be added: if the number of \
          records is not N, nothing is deleted
          """),
        Definition(
          "GET, PUT, DELETE /v1/records/SCHEMA/ID/FIELD/content",
          """
          the content of a file. For `PUT`, `name=NAME` gives the name of the file. The extension \
          of the name determines the media type. If the extension is unknown, the media type is \
          the `Content-Type` of the request
          """),
        Definition("POST /v1/batch", "execute `batch` with the operations in the body"),
        Definition(
          "POST /v1/login",
          """
          log in: `{"user", "password", "days", "name"}` returns `{"token", "user", "expires"}`. \
          `name` is the name of the session
          """),
        Definition(
          "POST /v1/logout",
          """
          end the session. With `all=true`, end all sessions of the user. With `user`, \
          administrators end all sessions of another user, and with `name` those with this name; \
          the response is `{"ended": N}`
          """),
        Definition(
          "POST /v1/password",
          "change a password: `{\"old\", \"new\"}`, or `{\"user\", \"new\"}` for administrators"),
        Definition(
          "GET /v1/whoami, GET /v1/sessions",
          """
          the user, and the user's sessions. With `user`, administrators list the sessions of \
          another user, and with `name` those with this name
          """),
        Definition(
          "GET, POST, PUT, PATCH, DELETE /v1/methods/NAME",
          "call a method; see `datactl help server`"),
        Definition(
          "POST /v1/commands/COMMAND",
          """
          the request that datactl itself sends with `--store https://HOST`. Programs should use \
          the other requests
          """),
      ]),
      .heading("Headers"),
      .definitions([
        Definition("Authorization: Bearer TOKEN", "the session of the caller"),
        Definition(
          "Accept",
          """
          the format of records, such as `text/csv`: JSON, NDJSON, CSV, TSV, Markdown or XML. The \
          parameter `output` also sets the format. By default, a list is NDJSON, and one record is \
          JSON
          """),
        Definition(
          "Accept-Encoding: gzip",
          "a response of more than 1 KB is compressed, unless it is the content of a file"),
        Definition("Content-Encoding: gzip", "the body is compressed"),
        Definition(
          "If-None-Match",
          """
          the `ETag` of an earlier response. If the response would be the same again, the status \
          is 304. With `*`, `PUT` only creates a record: if the record exists, the status is 412
          """),
        Definition(
          "If-Match",
          """
          for `PATCH`, `PUT` and `DELETE` of a record: its revision in quotation marks, such as \
          `"3"`. If the record has another revision, it is not changed, and the status is 412. The \
          `ETag` of the record as JSON with all fields is also accepted
          """),
        Definition(
          "Idempotency-Key",
          """
          a new key of up to 64 characters for a request that changes records. If the request is \
          sent again with this key within a day, it changes nothing. The second response has the \
          header `Datactl-Repeated: true`. It contains what the first one contained if that had at \
          most 64 KB, and otherwise only its counts
          """),
        Definition(
          "Datactl-As",
          """
          for administrators: the id of the user, percent-encoded, for whom the server executes the \
          request. The access rules for this user apply. If it is empty, those for callers who are \
          not logged in apply. The response repeats it as `Datactl-As: user=ID`, and the log names both \
          users
          """),
        Definition("Range", "the part of the content of a file to send"),
        Definition(
          "Expect: 100-continue",
          "the server says whether it accepts the request before the client sends the body"),
        Definition(
          "Datactl-Saved",
          "in a response: how many records were saved, such as `new=900, changed=90, same=10`"),
        Definition(
          "Datactl-Request", "in a response: the id of the request in the log of the server"),
      ]),
      .heading("Errors"),
      """
      An error is a problem document (RFC 9457) with the additional keys `code`, `problems` and \
      `request`, the id of the request. The cause of an internal error is only in the log of the \
      server, with this id. The exit status of the command (see `datactl help exit-codes`) \
      determines the HTTP status:
      """,
      .table(
        header: ["exit status", "HTTP status"],
        rows: [
          ["1", "500"], ["2", "400"], ["3", "404"],
          ["4", "401 without a session, 403 with a session"], ["5", "409"], ["6", "422"],
          ["7", "503 if the store is busy, 500 if not"],
        ]),
      """
      Other statuses have their usual meaning. For example, the status is 413 if the body is too \
      long, and 429 after too many wrong passwords or new users.
      """,
      """
      If proxies and servers could disagree on where a request ends or what it means, the status \
      is 400, and the server closes the connection. Examples are a space before the colon of a \
      header, two lengths, a NUL, or lines that do not end with CR and LF. The server also closes \
      the connection after a body in chunks (`Transfer-Encoding: chunked`).
      """,
      """
      If an error occurs after a part of a list was sent, the server closes the connection before \
      the end of the response.
      """,
      """
      With `skip_invalid=true`, a request succeeds even if records were skipped. The last line of \
      the response is then a problem document about these records.
      """,
    ],
    seeAlso: ["serve", "server", "batch", "conditions"])
}
