#pragma once

/// Has the program look for the result of each PBKDF2 in the folder that HEALTHVAULT_TEST_DERIVATIONS names, and keep it there
/// if it is new.
///
/// OpenSSL's PKCS5_PBKDF2_HMAC is replaced by one that does so, in programs that link this only: the tests of the commands open
/// the same archives over and over, and would otherwise spend a quarter of their time on keys that were derived before.
/// Whoever reads the folder has the keys, so that it must hold no others than those of tests.
void healthvault_remember_derivations(void);
