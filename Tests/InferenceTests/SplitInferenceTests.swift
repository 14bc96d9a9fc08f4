import DataModel
import Inference
import SchemaText
import Testing

@Suite("Schema inference: nested objects")
struct SplitInferenceTests {
  /// Returns each inferred schema as `name(field type, …)`.
  private func split(_ text: String, _ name: String = "order") throws -> [String] {
    try schemas(text, name, splits: true).map { inferred in
      let fields = inferred.schema.fields.map { field in
        guard let relation = field.type.relation else { return "\(field.name) \(field.type.name)" }
        let inverse = relation.inverse.map { ".\($0)" } ?? ""
        return "\(field.name) \(relation.isOwned ? "of" : "to") \(relation.target)\(inverse)"
      }
      return "\(inferred.schema.name)(\(fields.joined(separator: ", ")))"
    }
  }

  @Test(
    "infers a relation for an object, and an owned relation with a position for a list of objects")
  func roles() throws {
    #expect(
      try split(#"{"order_id":"o","ship":{"street":"A"},"lineItems":[{"n":1}]}"#) == [
        "order(order_id id, ship to order_ship)", "order_ship(order_ship_id id, street text)",
        "order_line_items(order_line_items_id id, order of order.line_items, position integer, "
          + "n integer)",
      ])
    let inferred = try schemas(#"{"lines":[{"n":1}]}"#, "order", splits: true)[1].schema
    #expect(
      SchemaFile.text(inferred).contains(
        #"""
        "order": {"type": "relation", "to": "order", "inverse": "lines", "owned": true, \#
        "position": "position"}
        """#), "\(SchemaFile.text(inferred))")
  }

  @Test("names a schema after the key that its objects have")
  func keys() throws {
    #expect(
      try split(
        #"""
        {"customer":{"customer_id":7,"name":"A"},"agent":{"id":"x"},"lines":[{"line_id":"a"}]}
        {"customer":{"customer_id":7,"name":"A"},"agent":{"id":"x"},"lines":[{"line_id":"b"}]}
        """#) == [
          "order(order_id id, customer to customer, agent to agent)",
          "customer(customer_id id, name text)", "agent(agent_id id)",
          "line(line_id id, order of order.lines, position integer)",
        ])
    // The address has the key of another record.
    #expect(
      try split(#"{"address":{"country_id":"de","street":"A"}}"#)[1]
        == "order_address(order_address_id id, country_id text, street text)")
  }

  @Test("makes a key in a list a field if a value occurs twice in the input")
  func repeatedKeys() throws {
    #expect(
      try split(
        #"""
        {"lines":[{"line_id":1}],"notes":[{"id":1}],"tags":[{"id":1},{"id":2}]}
        {"lines":[{"line_id":1}],"notes":[{"id":1}],"tags":[{"id":3}]}
        """#) == [
          "order(order_id id)",
          "order_lines(order_lines_id id, order of order.lines, position integer, line_id integer)",
          "order_notes(order_notes_id id, order of order.notes, position integer, id integer)",
          "order_tags(order_tags_id id, order of order.tags, position integer)",
        ])
  }

  @Test(
    "chooses other names if the objects have keys with the names of the relation and the position")
  func names() throws {
    #expect(
      try split(#"{"lines":[{"order":"o","position":3,"place":"x"}]}"#)[1]
        == "order_lines(order_lines_id id, owner of order.lines, position_2 integer, order text, "
        + "position integer, place text)")
    // A schema has one owner.
    #expect(
      try split(#"{"lines":[{"line_id":"a"}],"box":{"id":"b","lines":[{"line_id":"c"}]}}"#) == [
        "order(order_id id, box to box)",
        "line(line_id id, order of order.lines, position integer)", "box(box_id id)",
        "box_lines(box_lines_id id, box of box.lines, position integer, line_id text)",
      ])
  }
}
