/// The sqlite3 shell, doing the same work with its own JSON functions.
enum Peer {
  /// Makes the rows of an NDJSON file in the table that `definitions` declare, as durably as datactl.
  static func load(_ file: String, definitions: String, pageSize: Int) -> String {
    """
    pragma page_size = \(pageSize);
    pragma journal_mode = wal;
    pragma synchronous = full;
    \(definitions)
    create temp table line (text);
    .mode ascii
    .separator "\\037" "\\n"
    .import \(file) line
    insert into record (record_id, title, note, price, stock, done, due, tags, extra,
      created_at, created_by, modified_at, modified_by, revision)
    select lower(hex(randomblob(18))), text ->> 'title', text ->> 'note', text ->> 'price',
      text ->> 'stock', text ->> 'done', unixepoch(text ->> 'due') * 1000000, text -> 'tags',
      text -> 'extra', 1795143900000000, null, 1795143900000000, null, 1
    from line;

    """
  }

  /// What tells whether two stores hold the same rows.
  static let totals = """
    select count(*), sum(length(title)), sum(length(note)), round(sum(price), 2), sum(stock),
      sum(done), min(due), max(due), sum(revision) from record
    """
}
