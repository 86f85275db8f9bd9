#include "tests/llm/test_certificate.h"

#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace agentic {

std::string useOwnCertificate(ssl_ctx_st *context) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), &X509_free);
  X509 *x509 = certificate.get();
  X509_set_version(x509, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x509), 3600);
  X509_set_pubkey(x509, key.get());
  X509_NAME *name = X509_get_subject_name(x509);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char *>("127.0.0.1"), -1, -1, 0);
  X509_set_issuer_name(x509, name);
  for (const auto &[nid, value] :
       {std::pair(NID_subject_alt_name, "IP:127.0.0.1"), std::pair(NID_basic_constraints, "CA:TRUE")})
    if (X509_EXTENSION *extension = X509V3_EXT_conf_nid(nullptr, nullptr, nid, value)) {
      X509_add_ext(x509, extension, -1);
      X509_EXTENSION_free(extension);
    }
  X509_sign(x509, key.get(), EVP_sha256());
  SSL_CTX_use_certificate(context, x509);
  SSL_CTX_use_PrivateKey(context, key.get());

  const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), &BIO_free);
  PEM_write_bio_X509(memory.get(), x509);
  char *data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

} // namespace agentic
