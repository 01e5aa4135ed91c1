// count_libxml2 FILE: counts the elements and attributes of a document with libxml2's push parser, and does no more.
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    long long elements, attributes;
} Counts;

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                          int namespace_count, const xmlChar **namespaces, int attribute_count, int default_count,
                          const xmlChar **attributes) {
    (void)name, (void)prefix, (void)uri, (void)namespace_count, (void)namespaces, (void)default_count, (void)attributes;
    Counts *counts = context;
    counts->elements += 1;
    counts->attributes += attribute_count;
}

int main(int count, char **arguments) {
    if (count == 2 && !strcmp(arguments[1], "--version")) return puts(LIBXML_DOTTED_VERSION) < 0;
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file || setvbuf(file, NULL, _IONBF, 0)) {
        fprintf(stderr, "usage: count_libxml2 FILE\n");
        return 2;
    }
    xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC, .startElementNs = start_element};
    Counts counts = {0};
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, &counts, NULL, 0, NULL);
    if (!parser) return 1;
    xmlCtxtUseOptions(parser, XML_PARSE_HUGE | XML_PARSE_NONET);

    static char block[64 << 10];
    int problem = 0;
    for (size_t size; !problem && (size = fread(block, 1, sizeof block, file));) {
        problem = xmlParseChunk(parser, block, (int)size, 0);
    }
    if (!problem) problem = xmlParseChunk(parser, block, 0, 1);
    xmlFreeParserCtxt(parser);
    if (problem || ferror(file)) {
        fprintf(stderr, "count_libxml2: %s: problem %d\n", arguments[1], problem);
        return 1;
    }
    printf("%lld elements, %lld attributes\n", counts.elements, counts.attributes);
    return fclose(file) != 0;
}
