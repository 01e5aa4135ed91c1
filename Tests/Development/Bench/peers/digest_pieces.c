// digest_pieces FOLDER < LENGTHS: writes a file of each length into a new folder, with the SHA-256 of each, and does no more.
//
// It is what a plain folder costs if its lines cost nothing: the same bytes in number, in pieces that stay in the cache.
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned char piece[128 << 10];

// Writes a file and digests it; 0 if all went well.
static int write_file(int folder, long long number, long long length, EVP_MD_CTX *context, unsigned char *digest) {
    char name[32];
    snprintf(name, sizeof name, "%lld", number);
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0 || !EVP_DigestInit_ex(context, EVP_sha256(), NULL)) return 1;
    while (length > 0) {
        size_t count = length < (long long)sizeof piece ? (size_t)length : sizeof piece;
        // As whoever wrote lines has just done.
        memset(piece, 'a' + (int)(length & 15), count);
        if (!EVP_DigestUpdate(context, piece, count) || write(file, piece, count) != (ssize_t)count) return 1;
        length -= (long long)count;
    }
    return !EVP_DigestFinal_ex(context, digest, NULL) || close(file);
}

int main(int count, char **arguments) {
    if (count == 2 && !strcmp(arguments[1], "--version")) return puts(OpenSSL_version(OPENSSL_VERSION_STRING)) < 0;
    if (count != 2) {
        fprintf(stderr, "usage: digest_pieces FOLDER < LENGTHS\n");
        return 2;
    }
    int folder = mkdir(arguments[1], 0700) ? -1 : open(arguments[1], O_RDONLY | O_DIRECTORY);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    long long length, files = 0, bytes = 0;
    unsigned char digest[EVP_MAX_MD_SIZE];
    int failed = folder < 0 || !context;
    while (!failed && scanf("%lld", &length) == 1) {
        failed = write_file(folder, files, length, context, digest);
        files += 1;
        bytes += length;
    }
    EVP_MD_CTX_free(context);
    if (failed || ferror(stdin)) {
        fprintf(stderr, "digest_pieces: %s: file %lld cannot be written\n", arguments[1], files);
        return 1;
    }
    return printf("%lld files of %lld bytes\n", files, bytes) < 0;
}
