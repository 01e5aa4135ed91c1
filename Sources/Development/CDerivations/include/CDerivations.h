#pragma once

// Whatever links this looks for the result of each PBKDF2 in the folder that HEALTHVAULT_TEST_DERIVATIONS names, and keeps it
// there if it is new.
//
// It replaces OpenSSL's PKCS5_PBKDF2_HMAC by one that does so, and declares nothing: it is there for tests only, which open the
// same archives over and over, and would otherwise spend a fifth to a quarter of their time on keys that were derived before.
// Whoever reads the folder has the keys, so that it must hold no others than those of tests.
