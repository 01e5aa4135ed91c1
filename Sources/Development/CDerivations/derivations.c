#define _GNU_SOURCE
#include "CDerivations.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int Derivation(const char *password, int password_length, const unsigned char *salt, int salt_length, int iterations,
                       const EVP_MD *digest, int key_length, unsigned char *key);

static const char *folder;

// Before anything else runs, so that no other thread changes the environment meanwhile.
__attribute__((constructor)) static void find_folder(void) { folder = getenv("HEALTHVAULT_TEST_DERIVATIONS"); }

// The path of the file with a result: the SHA-256 of all that determines it, each part after its length.
static bool find_path(char *path, size_t size, const char *password, int password_length, const unsigned char *salt,
                      int salt_length, int iterations, const EVP_MD *digest, int key_length) {
    int numbers[] = {password_length, salt_length, iterations, EVP_MD_get_type(digest), key_length};
    unsigned char hash[EVP_MAX_MD_SIZE];
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool done = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) &&
                EVP_DigestUpdate(context, numbers, sizeof numbers) &&
                EVP_DigestUpdate(context, password, (size_t)password_length) &&
                EVP_DigestUpdate(context, salt, (size_t)salt_length) && EVP_DigestFinal_ex(context, hash, NULL);
    EVP_MD_CTX_free(context);
    if (!done) return false;
    int length = snprintf(path, size, "%s/", folder);
    if (length < 0 || (size_t)length + 2 * 32 + 1 > size) return false;
    for (int place = 0; place < 32; place++) sprintf(path + length + 2 * place, "%02x", hash[place]);
    return true;
}

static bool read_key(const char *path, unsigned char *key, int length) {
    FILE *file = fopen(path, "rbe");
    if (!file) return false;
    bool whole = fread(key, 1, (size_t)length, file) == (size_t)length;
    fclose(file);
    return whole;
}

// A file has its name only once it is whole. Whatever fails, the key is derived again next time.
static void write_key(const char *path, const unsigned char *key, int length) {
    char unfinished[4200];
    snprintf(unfinished, sizeof unfinished, "%s.%ld", path, (long)getpid());
    int descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return;
    bool whole = write(descriptor, key, (size_t)length) == length;
    close(descriptor);
    if (!whole || rename(unfinished, path) != 0) unlink(unfinished);
}

int PKCS5_PBKDF2_HMAC(const char *password, int password_length, const unsigned char *salt, int salt_length,
                      int iterations, const EVP_MD *digest, int key_length, unsigned char *key) {
    Derivation *derive = (Derivation *)dlsym(RTLD_NEXT, "PKCS5_PBKDF2_HMAC");
    if (!derive) abort();
    char path[4096];
    bool has_path = folder && password_length >= 0 && find_path(path, sizeof path, password, password_length, salt, salt_length, iterations, digest,
                                        key_length);
    if (has_path && read_key(path, key, key_length)) return 1;
    int done = derive(password, password_length, salt, salt_length, iterations, digest, key_length, key);
    if (done == 1 && has_path) write_key(path, key, key_length);
    return done;
}
