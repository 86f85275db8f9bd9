#include "tool/llm/http.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <curl/curl.h>
#include <memory>
#include <optional>

namespace agentic {
namespace {

std::string partOf(CURLU *handle, CURLUPart part) {
  char *text = nullptr;
  if (curl_url_get(handle, part, &text, 0) != CURLUE_OK || !text)
    return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

/// Returns the four bytes of 10.1.2.3; nullopt if it is no such address.
std::optional<std::uint32_t> ipv4(std::string_view host) {
  std::uint32_t address = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned byte = 0;
    const auto [end, error] = std::from_chars(host.data(), host.data() + host.size(), byte);
    if (error != std::errc() || byte > 255)
      return std::nullopt;
    host.remove_prefix(static_cast<std::size_t>(end - host.data()));
    if (i < 3 && !host.starts_with('.'))
      return std::nullopt;
    if (i < 3)
      host.remove_prefix(1);
    address = address << 8 | byte;
  }
  return host.empty() ? std::optional(address) : std::nullopt;
}

} // namespace

UrlParts urlParts(const std::string &url) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> handle(curl_url(), &curl_url_cleanup);
  UrlParts parts;
  if (!handle || curl_url_set(handle.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    return parts;
  parts.scheme = partOf(handle.get(), CURLUPART_SCHEME);
  if (parts.scheme != "http" && parts.scheme != "https")
    return {};
  parts.user = partOf(handle.get(), CURLUPART_USER);
  parts.host = partOf(handle.get(), CURLUPART_HOST);
  parts.port = partOf(handle.get(), CURLUPART_PORT);
  parts.path = partOf(handle.get(), CURLUPART_PATH);
  parts.query = partOf(handle.get(), CURLUPART_QUERY);
  return parts;
}

bool isLoopbackHost(std::string_view host) {
  if (host == "localhost" || host.ends_with(".localhost") || host == "[::1]")
    return true;
  const auto address = ipv4(host);
  return address && *address >> 24 == 127;
}

bool isNearHost(std::string_view host) {
  if (isLoopbackHost(host) || host.ends_with(".local") || host.ends_with(".internal"))
    return true;
  if (const auto address = ipv4(host))
    return *address >> 24 == 10 || *address >> 20 == 0xAC1 || *address >> 16 == 0xC0A8;
  if (host.starts_with('['))
    return host.starts_with("[fe80:") || host.starts_with("[fd");
  return host.find('.') == std::string_view::npos;
}

} // namespace agentic
