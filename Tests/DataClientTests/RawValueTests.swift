import Conditions
import DataClient
import DataModel
import DataStore
import RecordText
import SchemaText
import Testing

/// Raw values that users and programs see; `help --json` has those of options.
@Suite("Raw values of enums")
struct RawValueTests {
  @Test("keeps the raw values of public enums, such as error codes, when a case is renamed")
  func rawValues() {
    func expect<T: RawRepresentable & CaseIterable>(_ type: T.Type, _ values: String)
    where T.RawValue == String {
      #expect(type.allCases.map(\.rawValue).joined(separator: " ") == values, "\(type)")
    }
    expect(
      ErrorCode.self,
      """
      usage not_found schema_not_found file_not_found not_logged_in wrong_login throttled forbidden \
      exists changed check_failed not_unique referenced misfit loss schema_changed invalid syntax \
      unknown_field dangling_reference invalid_schema invalid_configuration store_not_found \
      store_unreachable outcome_unknown not_a_store store_too_new unfinished_copy store_damaged \
      store_busy store_read_only store_full library_missing output_failed file_failed interrupted stopped findings \
      declined failed
      """)
    expect(
      LintRule.self,
      """
      invalid-schema invalid-map map-without-key missing-target key-alone near-names way-back wide-index \
      wide-decimal reserved-word relation-without-index anchored-pattern user-default write-by-anyone \
      constant-rule \
      rule-without-index \
      unreadable-record hidden-unique possible-owner rules-without-owner schema-removed schema-renamed kind-changed key-renamed \
      field-removed field-renamed type-changed field-demanded required-added rule-tightened \
      unique-added property-removed required-dropped choice-added default-changed on-delete-changed \
      index-dropped inverse-removed
      """)
    expect(LintRule.Level.self, "note warning error")
    expect(Comparison.self, "= < <= > >=")
    expect(ElementType.self, "text integer number boolean date datetime")
    expect(Relation.OnDelete.self, "nullify cascade deny")
    expect(Schema.Kind.self, "records user")
    expect(
      RuleChange.Rule.self,
      """
      required unique default min max one_of pattern on_delete inverse owned position access doc
      """)
    expect(SchemaPlan.Coverage.self, "schemas store")
    expect(TableEngine.self, "sqlite postgres")
    expect(Assignment.Operator.self, "= := @= += -=")
    expect(
      SchemaFileKey.self, "schema was kind doc fields indexes properties roles disabled access")
    expect(
      FieldKey.self,
      """
      type digits scale to many on_delete inverse owned position required unique default min max one_of pattern \
      access doc was
      """)
    expect(RecordFormat.self, "json ndjson csv tsv xml")
  }
}
