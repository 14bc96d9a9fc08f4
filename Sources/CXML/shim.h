#ifndef DATACTL_CXML_SHIM_H
#define DATACTL_CXML_SHIM_H

// The types of the libxml2 functions that datactl calls. The library itself is loaded with
// `dlopen` when XML is read.

typedef struct datactl_xml_parser *datactl_xml_parser_ref;

// The start of `xmlError`.
typedef struct datactl_xml_error {
  int domain;
  int code;
  const char *message;
  int level;
  const char *file;
  int line;
} datactl_xml_error;

typedef void (*datactl_xml_doctype)(
    void *context, const unsigned char *name, const unsigned char *external_id,
    const unsigned char *system_id);
typedef void (*datactl_xml_text)(void *context, const unsigned char *text, int length);
// Each attribute has five pointers: local name, prefix, namespace, start and end of the value.
typedef void (*datactl_xml_start)(
    void *context, const unsigned char *name, const unsigned char *prefix,
    const unsigned char *uri, int namespace_count, const unsigned char *const *namespaces,
    int attribute_count, int defaulted_count, const unsigned char *const *attributes);
typedef void (*datactl_xml_end)(
    void *context, const unsigned char *name, const unsigned char *prefix,
    const unsigned char *uri);
typedef void (*datactl_xml_report)(void *context, const datactl_xml_error *error);

// `xmlSAXHandler`, with the functions that datactl does not set as plain pointers.
typedef struct datactl_xml_handler {
  datactl_xml_doctype internal_subset;
  void *unused_before_characters[16];
  datactl_xml_text characters;
  datactl_xml_text ignorable_whitespace;
  void *unused_before_cdata[6];
  datactl_xml_text cdata;
  void *external_subset;
  unsigned int initialized;
  void *private_data;
  datactl_xml_start start_element;
  datactl_xml_end end_element;
  datactl_xml_report report;
} datactl_xml_handler;

enum {
  // `XML_SAX2_MAGIC`, the value of `initialized`.
  datactl_xml_sax2 = 0xDEEDBEAF - 0x100000000,

  // `XML_PARSE_NOENT`, `XML_PARSE_NONET` and `XML_PARSE_IGNORE_ENC`. Without the first, `&amp;` in
  // attributes is passed as `&#38;`. No other entities exist, because documents have no DTD.
  datactl_xml_options = 1 << 1 | 1 << 11 | 1 << 21,

  // `XML_ERR_ERROR`: errors have at least this level.
  datactl_xml_level_error = 2
};

typedef datactl_xml_parser_ref (*datactl_xml_create)(
    const datactl_xml_handler *, void *context, const char *chunk, int size, const char *file);
typedef int (*datactl_xml_use_options)(datactl_xml_parser_ref, int options);
typedef int (*datactl_xml_parse)(
    datactl_xml_parser_ref, const char *chunk, int size, int is_last);
typedef void (*datactl_xml_parser_void)(datactl_xml_parser_ref);
typedef int (*datactl_xml_line)(void *parser);

#endif
