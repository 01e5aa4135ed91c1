// inflate_zlib ZIP < MEMBERS: inflates members of a zip with zlib, checks their CRC-32 and drops them.
//
// A line of MEMBERS says of one of them where its compressed bytes begin, how many they are, and its CRC-32.
#include <stdio.h>
#include <string.h>
#include <zlib.h>

static unsigned char in[128 << 10], out[256 << 10];

// The number of bytes of one member, or -1 if it is damaged.
static long long inflate_member(FILE *file, z_stream *stream, long long left, unsigned long expected) {
    long long total = 0;
    unsigned long crc = crc32(0, NULL, 0);
    int status = inflateReset(stream);
    stream->avail_in = 0;
    while (status == Z_OK) {
        if (!stream->avail_in) {
            size_t most = left < (long long)sizeof in ? (size_t)left : sizeof in;
            stream->next_in = in;
            stream->avail_in = (uInt)fread(in, 1, most, file);
            left -= stream->avail_in;
        }
        stream->next_out = out;
        stream->avail_out = sizeof out;
        status = inflate(stream, Z_NO_FLUSH);
        uInt count = (uInt)sizeof out - stream->avail_out;
        crc = crc32(crc, out, count);
        total += count;
    }
    return status == Z_STREAM_END && crc == expected ? total : -1;
}

int main(int count, char **arguments) {
    if (count == 2 && !strcmp(arguments[1], "--version")) return puts(zlibVersion()) < 0;
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    z_stream stream = {0};
    if (!file || setvbuf(file, NULL, _IONBF, 0) || inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        fprintf(stderr, "usage: inflate_zlib ZIP < MEMBERS\n");
        return 2;
    }
    long long offset, size, total = 0;
    unsigned long crc;
    while (scanf("%lld %lld %lu", &offset, &size, &crc) == 3) {
        long long bytes = fseek(file, offset, SEEK_SET) ? -1 : inflate_member(file, &stream, size, crc);
        if (bytes < 0) {
            fprintf(stderr, "inflate_zlib: the member at %lld is damaged\n", offset);
            return 1;
        }
        total += bytes;
    }
    printf("%lld bytes\n", total);
    inflateEnd(&stream);
    return fclose(file) != 0;
}
