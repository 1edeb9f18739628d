#pragma once

// What LocalData calls of OpenSSL's libcrypto, as a few functions over plain bytes. Two reasons for C here: OpenSSL 3 and 1.1.1 differ
// in how algorithms are found and how HKDF is asked for, and half of that interface is macros, which Swift does not see.
// Everything returns 1 for success, 0 for failure; `localdata_open` tells a wrong tag (0) from any other failure (-1).

#if !__has_include(<openssl/evp.h>)
#error "LocalData needs OpenSSL's libcrypto headers here. Install them first: apt-get install libssl-dev (Debian, Ubuntu) or dnf install openssl-devel (Fedora)."
#else

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/opensslv.h>

// Defining LOCALDATA_OPENSSL_1_1 compiles the older calls against newer headers, to check them.
#if OPENSSL_VERSION_NUMBER >= 0x30000000L && !defined(LOCALDATA_OPENSSL_1_1)
#define LOCALDATA_OPENSSL_3 1
#include <openssl/core_names.h>
#include <openssl/params.h>
#else
#define LOCALDATA_OPENSSL_3 0
#endif

enum { LOCALDATA_NONCE_LENGTH = 12, LOCALDATA_TAG_LENGTH = 16 };

// Finding an algorithm by name costs OpenSSL 3 several microseconds: callers do it once. NULL where the library lacks it (a FIPS build
// has no ChaCha20).

static inline const EVP_CIPHER *_Nullable localdata_aes_256_gcm(void) {
#if LOCALDATA_OPENSSL_3
    return EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
#else
    return EVP_aes_256_gcm();
#endif
}

static inline const EVP_CIPHER *_Nullable localdata_chacha20_poly1305(void) {
#if LOCALDATA_OPENSSL_3
    return EVP_CIPHER_fetch(NULL, "ChaCha20-Poly1305", NULL);
#else
    return EVP_chacha20_poly1305();
#endif
}

static inline const EVP_MD *_Nullable localdata_sha_256(void) {
#if LOCALDATA_OPENSSL_3
    return EVP_MD_fetch(NULL, "SHA256", NULL);
#else
    return EVP_sha256();
#endif
}

// The HKDF implementation of OpenSSL 3; unused before.
static inline void *_Nullable localdata_hkdf_implementation(void) {
#if LOCALDATA_OPENSSL_3
    return EVP_KDF_fetch(NULL, "HKDF", NULL);
#else
    return NULL;
#endif
}

static inline int localdata_digest(
    const EVP_MD *_Nonnull md, const void *_Nullable bytes, size_t count, uint8_t *_Nonnull digest
) {
    return EVP_Digest(bytes, count, digest, NULL, md, NULL) == 1;
}

static inline int localdata_hmac(
    const EVP_MD *_Nonnull md, const uint8_t *_Nullable key, size_t key_count, const uint8_t *_Nullable bytes, size_t count,
    uint8_t *_Nonnull code
) {
    if (key_count > INT_MAX) return 0;
    return HMAC(md, key, (int)key_count, bytes, count, code, NULL) != NULL;
}

// Seals `count` bytes of `plaintext` into as many of `ciphertext` and the 16 of `tag`. Both pieces of associated data are authenticated, in
// order.
static inline int localdata_seal(
    const EVP_CIPHER *_Nonnull cipher, const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce,
    const uint8_t *_Nullable first, size_t first_count, const uint8_t *_Nullable second, size_t second_count,
    const uint8_t *_Nullable plaintext, size_t count, uint8_t *_Nullable ciphertext, uint8_t *_Nonnull tag
) {
    if (first_count > INT_MAX || second_count > INT_MAX || count > INT_MAX) return 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (context == NULL) return 0;
    int written = 0;
    int ok = EVP_EncryptInit_ex(context, cipher, NULL, key, nonce) == 1
        && (first_count == 0 || EVP_EncryptUpdate(context, NULL, &written, first, (int)first_count) == 1)
        && (second_count == 0 || EVP_EncryptUpdate(context, NULL, &written, second, (int)second_count) == 1)
        && (count == 0 || EVP_EncryptUpdate(context, ciphertext, &written, plaintext, (int)count) == 1)
        && EVP_EncryptFinal_ex(context, tag, &written) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, LOCALDATA_TAG_LENGTH, tag) == 1;
    EVP_CIPHER_CTX_free(context);
    return ok;
}

// Opens `count` bytes of `ciphertext` into as many of `plaintext`; what that holds counts only if this returns 1.
static inline int localdata_open(
    const EVP_CIPHER *_Nonnull cipher, const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce,
    const uint8_t *_Nullable first, size_t first_count, const uint8_t *_Nullable second, size_t second_count,
    const uint8_t *_Nullable ciphertext, size_t count, const uint8_t *_Nonnull tag, uint8_t *_Nullable plaintext
) {
    if (first_count > INT_MAX || second_count > INT_MAX || count > INT_MAX) return -1;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (context == NULL) return -1;
    int written = 0;
    uint8_t rest[32];
    int ok = EVP_DecryptInit_ex(context, cipher, NULL, key, nonce) == 1
        && (first_count == 0 || EVP_DecryptUpdate(context, NULL, &written, first, (int)first_count) == 1)
        && (second_count == 0 || EVP_DecryptUpdate(context, NULL, &written, second, (int)second_count) == 1)
        && (count == 0 || EVP_DecryptUpdate(context, plaintext, &written, ciphertext, (int)count) == 1)
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, LOCALDATA_TAG_LENGTH, (void *)(uintptr_t)tag) == 1;
    int result = ok ? (EVP_DecryptFinal_ex(context, rest, &written) == 1 ? 1 : 0) : -1;
    EVP_CIPHER_CTX_free(context);
    return result;
}

// HKDF-SHA256, extract then expand (RFC 5869).
static inline int localdata_hkdf_sha_256(
    void *_Nullable implementation, const uint8_t *_Nonnull material, size_t material_count, const uint8_t *_Nullable salt,
    size_t salt_count, const uint8_t *_Nullable info, size_t info_count, uint8_t *_Nonnull output, size_t output_count
) {
#if LOCALDATA_OPENSSL_3
    if (implementation == NULL) return 0;
    EVP_KDF_CTX *context = EVP_KDF_CTX_new((EVP_KDF *)implementation);
    if (context == NULL) return 0;
    OSSL_PARAM parameters[5];
    size_t n = 0;
    parameters[n++] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)(uintptr_t)"SHA256", 6);
    parameters[n++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)(uintptr_t)material, material_count);
    if (salt_count > 0) {
        parameters[n++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)(uintptr_t)salt, salt_count);
    }
    if (info_count > 0) {
        parameters[n++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)(uintptr_t)info, info_count);
    }
    parameters[n] = OSSL_PARAM_construct_end();
    int ok = EVP_KDF_derive(context, output, output_count, parameters) == 1;
    EVP_KDF_CTX_free(context);
    return ok;
#else
    (void)implementation;
    if (material_count > INT_MAX || salt_count > INT_MAX || info_count > INT_MAX) return 0;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
    if (context == NULL) return 0;
    size_t length = output_count;
    int ok = EVP_PKEY_derive_init(context) == 1
        && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1
        && EVP_PKEY_CTX_set1_hkdf_key(context, material, (int)material_count) == 1
        && (salt_count == 0 || EVP_PKEY_CTX_set1_hkdf_salt(context, salt, (int)salt_count) == 1)
        && (info_count == 0 || EVP_PKEY_CTX_add1_hkdf_info(context, info, (int)info_count) == 1)
        && EVP_PKEY_derive(context, output, &length) == 1
        && length == output_count;
    EVP_PKEY_CTX_free(context);
    return ok;
#endif
}

// PBKDF2-HMAC-SHA256 (RFC 8018 section 5.2).
static inline int localdata_pbkdf2_sha_256(
    const EVP_MD *_Nonnull md, const uint8_t *_Nonnull password, size_t password_count, const uint8_t *_Nonnull salt, size_t salt_count,
    uint32_t iterations, uint8_t *_Nonnull output, size_t output_count
) {
    if (password_count > INT_MAX || salt_count > INT_MAX || iterations > INT_MAX || output_count > INT_MAX) return 0;
    return PKCS5_PBKDF2_HMAC(
               (const char *)password, (int)password_count, salt, (int)salt_count, (int)iterations, md, (int)output_count, output) == 1;
}

static inline void localdata_cleanse(void *_Nonnull bytes, size_t count) {
    OPENSSL_cleanse(bytes, count);
}

#endif
