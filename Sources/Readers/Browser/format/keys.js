// SECURITY.md, section 14: PBKDF2, HKDF-Expand, HMAC and AES-GCM, by WebCrypto.

import { join } from './words.js';

const { subtle } = crypto;

/** PBKDF2-HMAC-SHA-512: 64 bytes. */
export async function pbkdf2(passphrase, salt, iterations) {
  const key = await subtle.importKey('raw', passphrase, 'PBKDF2', false, ['deriveBits']);
  return new Uint8Array(await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-512', salt, iterations }, key, 512));
}

/** A key for HMAC-SHA-512 and for `expand`, which cannot be taken out again. */
export function hmacKey(bytes) {
  return subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-512' }, false, ['sign']);
}

export async function hmac(key, data) {
  return new Uint8Array(await subtle.sign('HMAC', key, data));
}

/** HKDF-Expand of RFC 5869, section 2.3. (WebCrypto's HKDF would always extract before.) */
export async function expand(key, info, length) {
  let output = new Uint8Array(0);
  let block = new Uint8Array(0);
  for (let number = 1; output.length < length; number++) {
    block = await hmac(key, join(block, info, Uint8Array.of(number)));
    output = join(output, block);
  }
  return output.subarray(0, length);
}

/** A key for AES-256-GCM. */
export function cipherKey(bytes) {
  return subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt']);
}

/** The plaintext of AES-256-GCM; null if the tag does not match. */
export async function decrypt(key, nonce, sealed, additionalData = new Uint8Array(0)) {
  if (sealed.length < 16) return null;
  try {
    return new Uint8Array(await subtle.decrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, sealed));
  } catch {
    return null;
  }
}

export async function sha256(data) {
  return new Uint8Array(await subtle.digest('SHA-256', data));
}
