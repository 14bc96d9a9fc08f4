import Foundation

/// A fake Citus, which test machines do not have: a database of the test server that reports the
/// extension, reached through a proxy that rejects the statements that Citus documents as
/// unsupported.
///
/// It distributes nothing. It shows that a store recognizes Citus, has its tables distributed, and
/// sends no statement that is known to be rejected. It does not show that Citus would return the
/// right results, or return them fast.
package final class FakeCitus: Sendable {
  package static let shared = Result { try FakeCitus() }

  /// The database that reports the extension.
  package let database: String
  private let socket: ServerSocket
  private let tables = MutexBox<[String: String]>([:])

  private init() throws {
    let server = try PostgresServer.shared.get()
    database = try server.newDatabase()
    try server.run(Self.setupSQL, in: database)
    socket = try ServerSocket()
    // The socket listens until the tests end, and only its file remains.
    let (tables, upstream) = (tables, server.socket)
    socket.serve { client in
      var messages = ClientMessages(DistributedTables(shared: tables))
      LocalSocket.forward(from: client, to: upstream) { messages.process($0) }
    }
  }

  /// The address of a database through the proxy: by default the one that tests share.
  package func address(_ database: String? = nil) -> String {
    socket.address(database ?? self.database)
  }

  /// Creates another database that reports the extension.
  package func newDatabase() throws -> String {
    let database = try PostgresServer.shared.get().newDatabase()
    try Self.addExtension(to: database)
    return database
  }

  /// Makes a database of the test server report the extension.
  package static func addExtension(to database: String) throws {
    try PostgresServer.shared.get().run(setupSQL, in: database)
  }

  /// Returns the reason why a statement is rejected, given the distribution column of each table.
  package static func rejectionReason(of statement: String, _ tables: [String: String]) -> String? {
    do {
      try CitusRules { tables[$0] }.check(statement)
      return nil
    } catch {
      return error.reason
    }
  }

  /// Returns the reason why a statement of a transaction is rejected because of the order of its
  /// reads and writes, given the distributed tables.
  package static func rejectionReason(
    ofTransaction statements: [String], _ tables: Set<String>
  ) -> String? {
    var writes = TransactionWrites()
    do throws(CitusRules.CitusError) {
      for statement in statements { try writes.check(statement) { tables.contains($0) } }
      return nil
    } catch {
      return error.reason
    }
  }
}

/// The message stream of a client, in which each rejected statement is replaced.
struct ClientMessages {
  private var bytes: [UInt8] = []
  private var isStarted = false
  private var tables: DistributedTables
  private var writes = TransactionWrites()

  init(_ tables: DistributedTables) {
    self.tables = tables
  }

  /// Adds received bytes, and returns the bytes to send to the server.
  mutating func process(_ received: [UInt8]) -> [UInt8] {
    bytes += received
    var forwarded: [UInt8] = []
    var start = 0
    while true {
      // The startup message has no type byte.
      let headerSize = isStarted ? 1 : 0
      guard bytes.count >= start + headerSize + 4 else { break }
      let end = start + headerSize + Int(bytes.integer(at: start + headerSize, as: UInt32.self))
      guard bytes.count >= end else { break }
      let body = bytes[(start + headerSize + 4)..<end]
      if isStarted, bytes[start] == UInt8(ascii: "P") {
        forwarded += parseMessage(body)
      } else {
        if !isStarted { tables.database = Self.database(of: body) }
        if isStarted, bytes[start] == UInt8(ascii: "B") { tables.track(Self.values(of: body)) }
        forwarded += bytes[start..<end]
      }
      isStarted = true
      start = end
    }
    bytes.removeSubrange(..<start)
    return forwarded
  }

  /// Returns a Parse message: the original one, or one whose statement raises the reason for the
  /// rejection.
  private mutating func parseMessage(_ body: ArraySlice<UInt8>) -> [UInt8] {
    let name = body.prefix { $0 != 0 } + [0]
    let text = body.dropFirst(name.count).prefix { $0 != 0 }
    let types = body.dropFirst(name.count + text.count + 1)
    let statement = String(decoding: text, as: UTF8.self)
    var query = Array(text)
    do throws(CitusRules.CitusError) {
      try CitusRules { [tables] in tables.column(of: $0) }.check(statement)
      try writes.check(statement) { [tables] in tables.column(of: $0) != nil }
      tables.track(statement)
    } catch {
      query = Array(error.statement.utf8)
    }
    let message = name + query + [0] + types
    return [UInt8(ascii: "P")] + UInt32(message.count + 4).bigEndianBytes + message
  }

  /// Returns the database that the startup message names.
  private static func database(of body: ArraySlice<UInt8>) -> String {
    let parameters = body.dropFirst(4).split(separator: 0).map {
      String(decoding: $0, as: UTF8.self)
    }
    return parameters.firstIndex(of: "database").map { parameters[$0 + 1] } ?? ""
  }

  /// Returns the values of a Bind message.
  private static func values(of body: ArraySlice<UInt8>) -> [String] {
    let bytes = Array(body)
    var offset = bytes.prefix { $0 != 0 }.count + 1
    offset += bytes[offset...].prefix { $0 != 0 }.count + 1
    offset += 2 + 2 * Int(bytes.integer(at: offset, as: UInt16.self))
    let count = Int(bytes.integer(at: offset, as: UInt16.self))
    offset += 2
    var values: [String] = []
    for _ in 0..<count {
      let length = Int(Int32(bitPattern: bytes.integer(at: offset, as: UInt32.self)))
      offset += 4
      values.append(
        length < 0 ? "" : String(decoding: bytes[offset..<(offset + length)], as: UTF8.self))
      offset += max(length, 0)
    }
    return values
  }
}

extension [UInt8] {
  fileprivate func integer<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type)
    -> Number
  {
    self[offset..<(offset + Number.bitWidth / 8)].reduce(0) { $0 << 8 | Number($1) }
  }
}

extension UInt32 {
  fileprivate var bigEndianBytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) }
  }
}

extension CitusRules.CitusError {
  /// A statement that has the effect of the rejected one.
  fileprivate var statement: String {
    switch effect {
    case .error(let state): "select fake_citus.refuse('\(reason)', '\(state)')"
    case .crash: "select pg_terminate_backend(pg_backend_pid())"
    }
  }
}

extension FakeCitus {
  /// The SQL that makes a PostgreSQL database report that Citus is installed: the extension's row,
  /// a `create_distributed_table` function, and event triggers that check each change of a
  /// distributed table.
  static let setupSQL = """
    set allow_system_table_mods = on;
    insert into pg_catalog.pg_extension (oid, extname, extowner, extnamespace, extrelocatable, \
    extversion) values (99001, 'citus', 10, 11, false, '13.0-1');
    create table pg_catalog.pg_dist_local_group (groupid int primary key);
    insert into pg_catalog.pg_dist_local_group values (0);
    create table pg_catalog.pg_dist_node (groupid int, isactive bool, shouldhaveshards bool);
    insert into pg_catalog.pg_dist_node values (1, true, true), (2, true, true);
    create table pg_catalog.pg_dist_shard (logicalrelid oid not null, shardid bigserial);
    create table pg_catalog.pg_dist_placement (shardid bigint not null, groupid int not null);
    create schema fake_citus;
    create table fake_citus.spread (relation oid primary key, attribute int2 not null, \
    type oid not null, collation_ oid not null);
    create function fake_citus.refuse(reason text, state text default '0A000') returns void \
    language plpgsql as $$
    begin
      raise exception 'the fake refuses: %', reason using errcode = state;
    end $$;
    create function fake_citus.look_at(relation_ oid) returns void language plpgsql as $$
    declare
      place int2;
    begin
      select attribute into place from fake_citus.spread where relation = relation_;
      if place is null then return; end if;
      if exists (select 1 from pg_index where indrelid = relation_ and (indisunique or \
      indisexclusion) and not place = any (indkey[0:indnkeyatts - 1])) then
        perform fake_citus.refuse('a unique index without the distribution column');
      end if;
      if exists (select 1 from pg_trigger where tgrelid = relation_ and not tgisinternal) then
        perform fake_citus.refuse('a trigger on a distributed table');
      end if;
      if exists (select 1 from pg_constraint where contype = 'f' and \
      relation_ in (conrelid, confrelid)) then
        perform fake_citus.refuse('a foreign key of a distributed table');
      end if;
      if not exists (select 1 from pg_class where oid = relation_ and relreplident = 'f') and \
      not exists (select 1 from pg_index where indrelid = relation_ and indisprimary) then
        perform fake_citus.refuse('cannot use logical replication to transfer shards of a relation \
    that has no REPLICA IDENTITY or PRIMARY KEY', '55000');
      end if;
      if not exists (select 1 from pg_attribute as a join fake_citus.spread as s on \
      a.attrelid = s.relation and a.attnum = s.attribute and a.atttypid = s.type \
      where s.relation = relation_ and not a.attisdropped) then
        perform fake_citus.refuse('the distribution column is dropped or changed');
      end if;
    end $$;
    create function pg_catalog.create_distributed_table(table_name regclass, \
    distribution_column text, distribution_type text default 'hash', \
    colocate_with text default 'default', shard_count int default null) returns void \
    language plpgsql as $$
    begin
      if (select relpersistence from pg_class where oid = table_name) = 't' then
        perform fake_citus.refuse('a temporary table is distributed');
      end if;
      insert into fake_citus.spread select attrelid, attnum, atttypid, attcollation \
      from pg_attribute where attrelid = table_name and attname = distribution_column \
      and attnum > 0;
      if not found then perform fake_citus.refuse('there is no such distribution column'); end if;
      if colocate_with not in ('default', 'none') and not exists (select 1 \
      from fake_citus.spread as own join fake_citus.spread as other using (type, collation_) \
      where own.relation = table_name and other.relation = colocate_with::regclass) then
        perform fake_citus.refuse('the distribution columns differ in their types');
      end if;
      with added as (insert into pg_catalog.pg_dist_shard select table_name \
      from generate_series(1, 4) returning shardid) \
      insert into pg_catalog.pg_dist_placement select shardid, shardid % 2 + 1 from added;
      perform fake_citus.look_at(table_name);
    end $$;
    create function fake_citus.look() returns event_trigger language plpgsql as $$
    declare
      command record;
    begin
      for command in select distinct coalesce(i.indrelid, t.tgrelid, c.objid) as relation \
      from pg_event_trigger_ddl_commands() as c left join pg_index as i on i.indexrelid = c.objid \
      left join pg_trigger as t on t.oid = c.objid and c.object_type = 'trigger' loop
        perform fake_citus.look_at(command.relation);
      end loop;
    end $$;
    create function fake_citus.forget() returns event_trigger language plpgsql as $$
    begin
      delete from fake_citus.spread using pg_event_trigger_dropped_objects() as gone \
      where relation = gone.objid and gone.object_type = 'table';
    end $$;
    create event trigger look on ddl_command_end execute function fake_citus.look();
    create event trigger forget on sql_drop execute function fake_citus.forget();
    """
}
