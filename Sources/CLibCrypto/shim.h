#pragma once

// What LocalData calls of OpenSSL's libcrypto, as a few functions over plain bytes. Two reasons for C here: OpenSSL 3 and 1.1.1 differ
// in how algorithms are found and how HMAC is asked for, and half of that interface is macros, which Swift does not see.
// Everything returns 1 for success, 0 for failure; `localdata_open` tells a wrong tag (0) from any other failure (-1).

#if !__has_include(<openssl/evp.h>)
#error "LocalData needs OpenSSL's libcrypto headers here. Install them first: apt-get install libssl-dev (Debian, Ubuntu) or dnf install openssl-devel (Fedora)."
#else

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/opensslv.h>

// Defining LOCALDATA_OPENSSL_1_1 compiles the older calls against newer headers, to check them.
#if OPENSSL_VERSION_NUMBER >= 0x30000000L && !defined(LOCALDATA_OPENSSL_1_1)
#define LOCALDATA_OPENSSL_3 1
#include <openssl/core_names.h>
#include <openssl/params.h>
#else
#define LOCALDATA_OPENSSL_3 0
#endif

enum { LOCALDATA_NONCE_LENGTH = 12, LOCALDATA_TAG_LENGTH = 16, LOCALDATA_HASH_LENGTH = 32 };

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

// What every HMAC-SHA256 begins as a copy of: OpenSSL 3 looks the algorithms up by their names otherwise, each time, which takes longer than to authenticate
// a short message. Never changed, so any thread may copy it. Unused before OpenSSL 3.
static inline void *_Nullable localdata_hmac_sha_256(void) {
#if LOCALDATA_OPENSSL_3
    EVP_MAC *implementation = EVP_MAC_fetch(NULL, "HMAC", NULL);
    if (implementation == NULL) return NULL;
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(implementation);
    EVP_MAC_free(implementation);
    if (context == NULL) return NULL;
    OSSL_PARAM parameters[2] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)(uintptr_t)"SHA256", 6),
        OSSL_PARAM_construct_end(),
    };
    // Only a context with a key can be copied. Each copy gets a key of its own.
    const uint8_t none[LOCALDATA_HASH_LENGTH] = {0};
    if (EVP_MAC_init(context, none, sizeof none, parameters) == 1) return context;
    EVP_MAC_CTX_free(context);
#endif
    return NULL;
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

// HMAC-SHA256 of up to three pieces, one after the other.
static inline int localdata_hmac_pieces(
    void *_Nullable context, const uint8_t *_Nonnull key, size_t key_count, const uint8_t *_Nullable first, size_t first_count,
    const uint8_t *_Nullable second, size_t second_count, const uint8_t *_Nullable third, size_t third_count, uint8_t *_Nonnull code
) {
#if LOCALDATA_OPENSSL_3
    EVP_MAC_CTX *mac = (EVP_MAC_CTX *)context;
    size_t length = 0;
    return EVP_MAC_init(mac, key, key_count, NULL) == 1
        && (first_count == 0 || EVP_MAC_update(mac, first, first_count) == 1)
        && (second_count == 0 || EVP_MAC_update(mac, second, second_count) == 1)
        && (third_count == 0 || EVP_MAC_update(mac, third, third_count) == 1)
        && EVP_MAC_final(mac, code, &length, LOCALDATA_HASH_LENGTH) == 1 && length == LOCALDATA_HASH_LENGTH;
#else
    (void)context;
    if (key_count > INT_MAX) return 0;
    HMAC_CTX *mac = HMAC_CTX_new();
    if (mac == NULL) return 0;
    int ok = HMAC_Init_ex(mac, key, (int)key_count, EVP_sha256(), NULL) == 1
        && (first_count == 0 || HMAC_Update(mac, first, first_count) == 1)
        && (second_count == 0 || HMAC_Update(mac, second, second_count) == 1)
        && (third_count == 0 || HMAC_Update(mac, third, third_count) == 1)
        && HMAC_Final(mac, code, NULL) == 1;
    HMAC_CTX_free(mac);
    return ok;
#endif
}

// HKDF-SHA256 of libcrypto's HMAC, extract then expand (RFC 5869 sections 2.2 and 2.3). Its own HKDF finds HMAC and SHA-256 by name each time.
// `hmac` is what localdata_hmac_sha_256() made. At most 255 times 32 bytes of output.
static inline int localdata_hkdf_sha_256(
    void *_Nullable hmac, const uint8_t *_Nonnull material, size_t material_count, const uint8_t *_Nullable salt, size_t salt_count,
    const uint8_t *_Nullable info, size_t info_count, uint8_t *_Nonnull output, size_t output_count
) {
    if (output_count > 255 * LOCALDATA_HASH_LENGTH) return 0;
#if LOCALDATA_OPENSSL_3
    if (hmac == NULL) return 0;
    void *context = EVP_MAC_CTX_dup((const EVP_MAC_CTX *)hmac);
    if (context == NULL) return 0;
#else
    void *context = hmac;
#endif
    const uint8_t no_salt[LOCALDATA_HASH_LENGTH] = {0};
    uint8_t extracted[LOCALDATA_HASH_LENGTH], block[LOCALDATA_HASH_LENGTH], number = 0;
    int ok = localdata_hmac_pieces(
        context, salt_count > 0 ? salt : no_salt, salt_count > 0 ? salt_count : sizeof no_salt, material, material_count, NULL, 0, NULL, 0,
        extracted);
    size_t done = 0;
    while (ok && done < output_count) {
        size_t before = number == 0 ? 0 : sizeof block;
        number += 1;
        ok = localdata_hmac_pieces(context, extracted, sizeof extracted, block, before, info, info_count, &number, 1, block);
        size_t count = output_count - done < sizeof block ? output_count - done : sizeof block;
        if (ok) memcpy(output + done, block, count);
        done += count;
    }
    OPENSSL_cleanse(extracted, sizeof extracted);
    OPENSSL_cleanse(block, sizeof block);
#if LOCALDATA_OPENSSL_3
    EVP_MAC_CTX_free((EVP_MAC_CTX *)context);
#endif
    return ok;
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
