#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

KernelSpec specOf(const std::string &body) {
  return kernelSpec("long f(const int *in, const int *end, int *out, const unsigned char *s, size_t n, int m, unsigned u) {\n" +
                        body + "\n}\n",
                    {"void g();\nstruct Pair { int a, b; };"});
}
std::string written(const std::string &body, const std::string &recipe) {
  const std::string text = transformedBy(specOf(body), recipe);
  const auto begin = text.find("unsigned u) {\n"), at = begin == std::string::npos ? 0 : begin + 14;
  return begin == std::string::npos ? text : text.substr(at, text.size() - at - 2);
}
std::string why(const std::string &body, const std::string &loop) {
  return refusalOf(specOf(body), "normalise", loop);
}

TEST(Normalise, Show) {
  for (const auto &[body, loop] : std::vector<std::pair<std::string, std::string>>{
           {"while (n--) *out++ = *in++ * 2;\nreturn 0;", "n"},
           {"while (in != end) { *out++ = in[0] + in[1]; in += 2; }\nreturn 0;", "in"},
           {"long sum = 0;\nwhile (n >= 4) { sum += in[0] + in[3]; in += 4; n -= 4; }\nwhile (n--) sum += *in++;\nreturn sum;", "n"},
           {"long sum = 0;\nwhile (n >= 4) { sum += in[0] + in[3]; in += 4; n -= 4; }\nwhile (n--) sum += *in++;\nreturn sum;", "n#2"},
           {"for (int i = 0; i < m - 3; i += 4) { out[i] = in[i]; out[i + 3] = in[i + 3] * i; }\nreturn 0;", "i"},
           {"int i = 0;\nwhile (i < m) { out[i] = in[i + 1]; ++i; }\nreturn 0;", "i"},
           {"int i = 0;\nfor (; i < m;) { out[i] = in[i + 1]; ++i; }\nreturn i;", "loop"},
           {"for (unsigned i = 0; i < u; i += 2) out[i] = in[i + 1] + i;\nreturn 0;", "i"},
           {"for (unsigned i = 0; i < n; ++i) out[i] = in[i + 1] + i;\nreturn 0;", "i"},
           {"for (unsigned char c = 0; c < m; c++) out[c] = in[c + 1] + c;\nreturn 0;", "c"},
           {"do { *out++ = s[0] ^ s[1]; s += 2; } while (--u);\nreturn 0;", "u"},
           {"for (;;) { if (m <= 0) break; *--out = *in++; m -= 3; }\nreturn m;", "loop"},
           {"for (size_t i = 0; i < n; ++i) { *out++ = in[0]; in += 3; }\nreturn *out;", "i"},
           {"for (const int *p = in; p < end; p += 2) if (*p == m) return p - in;\nreturn -1;", "loop"},
           {"while (m-- > 0) { if (*in++ == 0) break; out[m] = 1; }\nreturn 0;", "m"},
           {"while (end - in >= 4) { out[0] = in[3]; in += 4, out++; }\nreturn 0;", "in"},
           {"for (int i = m; i >= 0; i--) out[i] = in[i];\nreturn 0;", "i"},
       })
    std::printf("--- %s %s\n%s\n", loop.c_str(), why(body, loop).c_str(), written(body, "normalise(" + loop + ")").c_str());
}

} // namespace
} // namespace agentic
