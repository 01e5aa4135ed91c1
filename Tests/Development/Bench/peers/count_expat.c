// count_expat FILE: counts the elements and attributes of a document with expat, and does no more.
#include <expat.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    long long elements, attributes;
} Counts;

static void start_element(void *context, const XML_Char *name, const XML_Char **attributes) {
    (void)name;
    Counts *counts = context;
    counts->elements += 1;
    for (; *attributes; attributes += 2) counts->attributes += 1;
}

int main(int count, char **arguments) {
    if (count == 2 && !strcmp(arguments[1], "--version")) return puts(XML_ExpatVersion()) < 0;
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file || setvbuf(file, NULL, _IONBF, 0)) {
        fprintf(stderr, "usage: count_expat FILE\n");
        return 2;
    }
    XML_Parser parser = XML_ParserCreate(NULL);
    if (!parser) return 1;
    Counts counts = {0};
    XML_SetUserData(parser, &counts);
    XML_SetStartElementHandler(parser, start_element);

    static char block[64 << 10];
    enum XML_Status status;
    size_t size;
    do {
        size = fread(block, 1, sizeof block, file);
        status = XML_Parse(parser, block, (int)size, !size);
    } while (size && status == XML_STATUS_OK);
    if (status != XML_STATUS_OK || ferror(file)) {
        fprintf(stderr, "count_expat: %s: %s\n", arguments[1], XML_ErrorString(XML_GetErrorCode(parser)));
        return 1;
    }
    XML_ParserFree(parser);
    printf("%lld elements, %lld attributes\n", counts.elements, counts.attributes);
    return fclose(file) != 0;
}
