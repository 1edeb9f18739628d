#pragma once

#if __has_include(<openssl/evp.h>)
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#else
#error "LocalData needs OpenSSL's libcrypto headers here. Install them first: apt-get install libssl-dev (Debian, Ubuntu) or dnf install openssl-devel (Fedora)."
#endif
