// Loaded before libcrypto (LD_PRELOAD), this makes PBKDF2 stop after one iteration, whatever is asked for.
//
// The derivation runs beside other work, so that its time cannot just be subtracted. With this it takes none, and all
// else stays as it is. Archives that are made so protect nothing, and open only with this loaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <openssl/evp.h>

typedef int Derivation(const char *, int, const unsigned char *, int, int, const EVP_MD *, int, unsigned char *);

int PKCS5_PBKDF2_HMAC(const char *passphrase, int length, const unsigned char *salt, int salt_length, int iterations,
                      const EVP_MD *digest, int key_length, unsigned char *key) {
    (void)iterations;
    Derivation *derive;
    *(void **)&derive = dlsym(RTLD_NEXT, "PKCS5_PBKDF2_HMAC");
    return derive ? derive(passphrase, length, salt, salt_length, 1, digest, key_length, key) : 0;
}
