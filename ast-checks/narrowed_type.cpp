#include "ast-checks/narrowed_type.h"

#include "ast-checks/context.h"

#include <algorithm>

namespace agentic::checks {
namespace {

/// A width of arithmetic in the names of types and intrinsics: words and endings, each between blanks.
struct Width {
  std::string_view name, words, endings;
};
constexpr Width kDouble = {"double", " double float64_t __m128d __m256d __m512d ", " pd sd f64 "};
constexpr Width kLong = {"64-bit integers", " int64_t uint64_t long int_fast64_t uint_fast64_t __int128 ",
                         " epi64 epu64 epi64x s64 u64 "};
constexpr Width kFloat = {"float", " float __m128 __m256 __m512 ", " ps ss f32 "};
constexpr Width kHalf = {"half precision",
                         " _Float16 __fp16 __bf16 float16_t bfloat16_t __m128h __m256h __m512h __m128bh __m256bh "
                         "__m512bh ",
                         " ph pbh sh f16 bf16 "};

bool isAmong(std::string_view list, std::string_view word) {
  return list.find(' ' + std::string(word) + ' ') != list.npos;
}

bool isOf(const Width &width, std::string_view word) {
  const bool isIntrinsic = word.starts_with("_mm") || word.starts_with('v');
  return isAmong(width.words, word) || (isIntrinsic && isAmong(width.endings, word.substr(word.rfind('_') + 1)));
}

const RawToken *firstOf(const Width &width, const std::vector<RawToken> &tokens) {
  const auto found = std::ranges::find_if(tokens, [&](const RawToken &token) {
    return token.kind == RawToken::Kind::Identifier && isOf(width, token.spelling);
  });
  return found == tokens.end() ? nullptr : &*found;
}

} // namespace

void NarrowedType::text(Context &context) {
  const CheckRequest &request = context.request();
  if (!context.isCandidate() || request.baseline.empty() || context.own().all().empty())
    return;
  const std::vector<RawToken> baseline = lexSnippet(request.baseline);
  const std::vector<RawToken> &own = context.lexemes().tokens;
  for (const Width &width : {kDouble, kLong})
    if (firstOf(width, baseline) && !firstOf(width, own))
      context.reportAt(*this, context.own().all().front().begin,
                       "the baseline computes with " + std::string(width.name) +
                           ", the candidate nowhere; the results must be as exact, and sums must not overflow");
  if (const RawToken *single = firstOf(kFloat, own); single && firstOf(kDouble, baseline) && !firstOf(kFloat, baseline))
    context.reportAt(*this, single->begin,
                     "the candidate computes in float ('" + single->spelling +
                         "'), the baseline in double; the tolerance must allow for it");
  if (const RawToken *half = firstOf(kHalf, own); half && !firstOf(kHalf, baseline))
    context.reportAt(*this, half->begin,
                     "the candidate computes in half precision ('" + half->spelling +
                         "'), the baseline does not; the tolerance must allow for it");
}

} // namespace agentic::checks
