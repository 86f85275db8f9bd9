#include "tool/source/candidate/candidate_form.h"

#include "tool/base/text.h"
#include "tool/source/candidate/candidate_rules.h"
#include "tool/source/candidate/own_macros.h"

#include <algorithm>
#include <array>
#include <set>

namespace agentic {
namespace {

struct Span {
  std::size_t begin = 0, end = 0;
};

/// Returns the length of the well-formed UTF-8 sequence of two to four bytes at the beginning; 0 if there is none.
std::size_t sequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const std::size_t length = byte(0) >= 0xf0 && byte(0) < 0xf5   ? 4
                             : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                             : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                                                                 : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  return length;
}

/// Returns whether it is a control of direction, a mark without width or a separator of lines: text that holds them
/// does not look as it is, so that they stay and are found.
bool hides(std::string_view sequence) {
  return isOneOf(sequence,
                 {"\u061c", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b",
                  "\u202c", "\u202d", "\u202e", "\u2060", "\u2066", "\u2067", "\u2068", "\u2069", "\ufeff"});
}

/// Never a character that can end a comment, splice lines or be part of a trigraph.
char asciiFor(std::string_view sequence) {
  struct Row {
    std::string_view sequence;
    char ascii;
  };
  static constexpr auto kRows = std::to_array<Row>({{"\u00d7", 'x'},
                                                    {"\u00b7", '.'},
                                                    {"\u2010", '-'},
                                                    {"\u2011", '-'},
                                                    {"\u2012", '-'},
                                                    {"\u2013", '-'},
                                                    {"\u2014", '-'},
                                                    {"\u2212", '-'},
                                                    {"\u2018", '\''},
                                                    {"\u2019", '\''},
                                                    {"\u201c", '"'},
                                                    {"\u201d", '"'},
                                                    {"\u2026", '.'},
                                                    {"\u00a0", ' '},
                                                    {"\u2192", '>'},
                                                    {"\u2264", '<'},
                                                    {"\u2265", '>'},
                                                    {"\u2248", '~'}});
  const auto *found = std::ranges::find(kRows, sequence, &Row::sequence);
  return found == kRows.end() ? '_' : found->ascii;
}

class Repairer {
public:
  Repairer(const KernelSpec &spec, const Level *level, std::string text) : spec_(spec), level_(level) {
    form_.text = std::move(text);
  }

  CandidateForm run() {
    dropMark();
    dropFence();
    const std::string text = form_.text; // blanks take the place of what is left out, so that offsets stay
    lexed_ = lexText(text);
    dropFormFeeds();
    dropOnce();
    dropGuard();
    dropOwnHeaders();
    dropTargets();
    const std::string expanded = expandMacros();
    if (!expanded.empty())
      lexed_ = lexText(expanded);
    plainComments(); // the last: it makes lines shorter
    return std::move(form_);
  }

private:
  void blank(Span span, const std::string &repair) {
    for (std::size_t i = span.begin; i < span.end; ++i)
      if (form_.text[i] != '\n')
        form_.text[i] = ' ';
    if (std::ranges::find(form_.repairs, repair) == form_.repairs.end())
      form_.repairs.push_back(repair);
  }

  void dropMark() {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (form_.text.starts_with(kMark)) {
      form_.text.erase(0, kMark.size());
      form_.repairs.push_back("the byte order mark is left out");
    }
  }

  /// Lines of three backquotes or tildes: one as the first, one as the last, or one around the code in prose.
  void dropFence() {
    const std::vector<Span> lines = fences();
    if (lines.size() == 2 && isProse(lines))
      blankAround(lines);
    const std::size_t first = form_.text.find_first_not_of(" \t\n"), last = form_.text.find_last_not_of(" \t\n");
    for (const Span &line : lines)
      if ((line.begin <= first && first < line.end) || (line.begin <= last && last < line.end))
        blank(line, "the code fence is left out");
  }

  std::vector<Span> fences() const {
    std::vector<Span> lines;
    for (std::size_t begin = 0; begin < form_.text.size();) {
      const std::size_t end = std::min(form_.text.find('\n', begin), form_.text.size());
      const std::string_view line = trim(std::string_view(form_.text).substr(begin, end - begin));
      if ((line.starts_with("```") || line.starts_with("~~~")) &&
          line.find_first_of("\\`~", 3) == std::string_view::npos)
        lines.push_back({begin, end});
      begin = end + 1;
    }
    return lines;
  }

  /// Returns whether the kernel is between the two lines, and nothing outside has a brace.
  bool isProse(const std::vector<Span> &lines) const {
    const std::string_view text = form_.text, code = text.substr(lines[0].end, lines[1].begin - lines[0].end);
    const auto hasBrace = [](std::string_view part) { return part.find_first_of("{}") != std::string_view::npos; };
    return code.find(spec_.identifier) != std::string_view::npos && !hasBrace(text.substr(0, lines[0].begin)) &&
           !hasBrace(text.substr(lines[1].end));
  }

  void blankAround(const std::vector<Span> &lines) {
    const std::string repair = "the text around the code fence is left out, and the fence";
    const Span before{0, lines[0].end}, after{lines[1].begin, form_.text.size()};
    const auto isEmpty = [&](std::size_t begin, std::size_t end) {
      return trim(std::string_view(form_.text).substr(begin, end - begin)).empty();
    };
    if (isEmpty(0, lines[0].begin) && isEmpty(lines[1].end, after.end))
      return;
    blank(before, repair);
    blank(after, repair);
  }

  /// The level decides for the whole text.
  void dropTargets() {
    static constexpr auto kShape =
        std::to_array<std::string_view>({"__attribute__", "(", "(", "target", "(", "", ")", ")", ")"});
    const std::vector<LexToken> &tokens = lexed_.tokens;
    for (std::size_t i = 0; i + kShape.size() <= tokens.size(); ++i) {
      bool isTarget = tokens[i + 5].kind == LexToken::Kind::String;
      for (std::size_t j = 0; j < kShape.size() && isTarget; ++j)
        isTarget = j == 5 || lexed_.is(i + j, kShape[j]);
      if (isTarget)
        blank({tokens[i].begin, tokens[i + kShape.size() - 1].end}, "'target' attributes are left out");
    }
  }

  void dropFormFeeds() {
    for (std::size_t i = 0; i < form_.text.size(); ++i)
      if ((form_.text[i] == '\f' || form_.text[i] == '\v') && !isInToken(i))
        blank({i, i + 1}, "form feeds are blanks");
  }

  /// Tokens and directives are each in the order of the text, which may hold thousands: it is hostile.
  bool isInToken(std::size_t offset) const {
    const auto isIn = [offset](const auto &parts) {
      const auto next = std::ranges::upper_bound(parts, offset, {}, [](const auto &part) { return part.begin; });
      return next != parts.begin() && offset < std::prev(next)->end;
    };
    return isIn(lexed_.tokens) || isIn(lexed_.directives);
  }

  std::string words(const LexDirective &directive) const {
    std::string text = directive.keyword;
    for (const LexToken &token : directive.tokens)
      text += ' ' + std::string(lexed_.spelling(token));
    return text;
  }

  void dropOnce() {
    for (const LexDirective &directive : lexed_.directives)
      if (words(directive) == "pragma once")
        blank({directive.begin, directive.end}, "'#pragma once' is left out");
  }

  /// `#ifndef X` or `#if !defined(X)`, `#define X`, and the last `#endif`, if X is nowhere else and nothing but
  /// comments is outside.
  void dropGuard() {
    const std::vector<LexDirective> &all = lexed_.directives;
    const bool hasDefine = all.size() >= 3 && all[1].keyword == "define" && !all[1].tokens.empty();
    if (!hasDefine)
      return;
    const std::string name(lexed_.spelling(all[1].tokens[0]));
    const bool isGuard =
                   isOneOf(words(all[0]), {"ifndef " + name, "if ! defined ( " + name + " )", "if ! defined " + name}),
               isAround = isOneOf(words(all[1]), {"define " + name, "define " + name + " 1"}) &&
                          words(all.back()) == "endif" && all[1].nextToken == 0 &&
                          all.back().nextToken == lexed_.tokens.size();
    if (!isGuard || !isAround)
      return;
    int depth = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      depth += all[i].keyword.starts_with("if") ? 1 : all[i].keyword == "endif" ? -1 : 0;
      const bool isElse = depth == 1 && all[i].keyword.starts_with("el");
      const bool closesEarly = depth == 0 && i + 1 < all.size();
      const auto isName = [&](const LexToken &token) { return lexed_.spelling(token) == name; };
      if (isElse || closesEarly || (i > 1 && std::ranges::any_of(all[i].tokens, isName)))
        return;
    }
    if (std::ranges::any_of(lexed_.tokens, [&](const LexToken &token) { return lexed_.spelling(token) == name; }))
      return;
    for (const LexDirective *part : {&all[0], &all[1], &all.back()})
      blank({part->begin, part->end}, "the include guard '" + name + "' is left out");
  }

  /// Returns the new text; empty if nothing was to be done.
  std::string expandMacros() {
    if (std::ranges::find(lexed_.directives, "define", &LexDirective::keyword) == lexed_.directives.end())
      return {};
    ExpandedMacros expanded = expandOwnMacros(spec_, level_, form_.text);
    if (expanded.names.empty())
      return {};
    form_.repairs.push_back("macros are expanded: " + join(expanded.names, ", "));
    form_.text = std::move(expanded.text);
    return form_.text;
  }

  /// SOURCE includes its headers itself.
  void dropOwnHeaders() {
    const auto fileOf = [](const std::string &header) {
      return header.size() < 3 ? std::string() : unqualifiedFile(header.substr(1, header.size() - 2));
    };
    for (const LexDirective &directive : lexed_.directives) {
      if (directive.keyword != "include")
        continue;
      const std::string header = includedHeader(lexed_.text, directive);
      const auto isSame = [&](const std::string &own) { return own.starts_with('"') && fileOf(own) == fileOf(header); };
      if (!header.empty() && std::ranges::find(spec_.includes, header) == spec_.includes.end() &&
          std::ranges::any_of(spec_.includes, isSame))
        blank({directive.begin, directive.end}, "#include " + header + " is left out: the kernel's own file has it");
    }
  }
  static std::string unqualifiedFile(const std::string &path) {
    return path.substr(path.rfind('/') + 1); // npos + 1 = 0
  }

  /// Returns the comments outside directives' tokens; none of a gap that splices lines.
  std::vector<Span> comments() const {
    std::vector<Span> taken;
    for (const LexToken &token : lexed_.tokens)
      taken.push_back({token.begin, token.end});
    for (const LexDirective &directive : lexed_.directives)
      taken.push_back({directive.begin, directive.end});
    std::ranges::sort(taken, {}, &Span::begin);
    taken.push_back({lexed_.text.size(), lexed_.text.size()});
    std::vector<Span> result;
    std::size_t from = 0;
    for (const Span &next : taken) {
      const std::string_view gap = lexed_.text.substr(from, next.begin - std::min(from, next.begin));
      if (gap.find('\\') == std::string_view::npos && gap.find("??") == std::string_view::npos)
        addComments(gap, from, result);
      from = std::max(from, next.end);
    }
    return result;
  }

  static void addComments(std::string_view gap, std::size_t offset, std::vector<Span> &result) {
    for (std::size_t at = gap.find('/'); at != std::string_view::npos; at = gap.find('/', at)) {
      const bool isLine = gap.substr(at).starts_with("//");
      if (!isLine && !gap.substr(at).starts_with("/*"))
        return;
      const std::size_t close = isLine ? gap.find('\n', at) : gap.find("*/", at + 2);
      if (!isLine && close == std::string_view::npos)
        return;
      const std::size_t end = close == std::string_view::npos ? gap.size() : close + (isLine ? 0 : 2);
      result.push_back({offset + at, offset + end});
      at = end;
    }
  }

  void plainComments() {
    const std::set<std::string> own = linesOf(spec_);
    std::string text;
    std::size_t from = 0;
    for (const Span &comment : comments()) {
      text.append(form_.text, from, comment.begin - from);
      for (std::size_t i = comment.begin; i < comment.end;) { // line by line: those of the kernel itself stay
        const std::size_t end = std::min(form_.text.find('\n', i), comment.end);
        appendPlain({i, end}, own, text);
        text.append(form_.text, end, end < comment.end ? 1 : 0);
        i = end + 1;
      }
      from = comment.end;
    }
    const bool isChanged = text.size() + (form_.text.size() - from) != form_.text.size(); // each is of several bytes
    form_.text = std::move(text.append(form_.text, from));
    if (isChanged)
      form_.repairs.push_back("characters in comments are plain ASCII");
  }

  /// Appends a part of one line.
  void appendPlain(Span part, const std::set<std::string> &own, std::string &text) const {
    const std::string_view comment = std::string_view(form_.text).substr(part.begin, part.end - part.begin);
    const auto isAscii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::ranges::all_of(comment, isAscii) || own.contains(lineAround(part.begin))) {
      text += comment;
      return;
    }
    for (std::size_t i = 0; i < comment.size();) {
      const std::size_t length = sequenceLength(comment.substr(i));
      const std::string_view sequence = comment.substr(i, std::max<std::size_t>(1, length));
      if (length == 0 || hides(sequence))
        text += sequence;
      else
        text += asciiFor(sequence);
      i += sequence.size();
    }
  }

  std::string lineAround(std::size_t offset) const {
    const std::size_t begin = offset == 0 ? 0 : form_.text.rfind('\n', offset - 1) + 1; // npos + 1 = 0
    return form_.text.substr(begin, std::min(form_.text.find('\n', offset), form_.text.size()) - begin);
  }

  const KernelSpec &spec_;
  const Level *level_;
  CandidateForm form_;
  LexedText lexed_; ///< of the text before the repairs that keep offsets
};

struct Names {
  std::string_view header, names; ///< names between blanks
};
constexpr auto kStandard = std::to_array<Names>({
    {"<algorithm>", " min max clamp fill fill_n copy copy_n sort swap_ranges any_of all_of none_of find count reverse "
                    "rotate transform nth_element lower_bound upper_bound "},
    {"<array>", " array "},
    {"<bit>", " popcount bit_cast countl_zero countl_one countr_zero countr_one bit_width bit_ceil bit_floor rotl rotr "
              "has_single_bit byteswap endian "},
    {"<cmath>",
     " sqrt fabs fma floor ceil exp exp2 log log2 log10 pow sin cos tan tanh round lround nearbyint rint trunc "
     "fmod isnan isinf isfinite signbit copysign fmin fmax hypot cbrt "},
    {"<cstdint>", " int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t "},
    {"<cstring>", " memcpy memset memmove memcmp memchr "},
    {"<limits>", " numeric_limits "},
    {"<numeric>",
     " accumulate reduce inner_product iota partial_sum inclusive_scan exclusive_scan transform_reduce gcd lcm "},
    {"<span>", " span dynamic_extent "},
    {"<utility>", " swap move exchange pair "},
});

bool isIntrinsic(std::string_view name) {
  return name.starts_with("_mm_") || name.starts_with("_mm256_") || name.starts_with("_mm512_") ||
         name.starts_with("__m128") || name.starts_with("__m256") || name.starts_with("__m512") ||
         name.starts_with("__mmask");
}

} // namespace

CandidateForm repairForm(const KernelSpec &spec, const Level *level, std::string text) {
  return Repairer(spec, level, std::move(text)).run();
}

std::vector<std::string> missingHeaders(const KernelSpec &spec, const LexedText &lexed) {
  std::set<std::string> present(spec.includes.begin(), spec.includes.end()), missing;
  for (const LexDirective &directive : lexed.directives)
    if (directive.keyword == "include")
      present.insert(includedHeader(lexed.text, directive));
  const auto hasIntrinsics = [&] {
    return std::ranges::any_of(present, [](const std::string &header) { return header.ends_with("intrin.h>"); });
  };
  const std::string known = textWithClosure(spec);
  const auto isKnown = [&](std::string_view name) { return known.find(name) != std::string::npos; };
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < lexed.tokens.size(); ++i) {
    const std::string_view name = lexed.spelling(i);
    const bool isStandard = i >= 2 && lexed.is(i - 1, "::") && lexed.is(i - 2, "std");
    if ((!isStandard && !isIntrinsic(name)) || !seen.insert(name).second)
      continue;
    if (!isStandard && !isKnown(name) && !hasIntrinsics())
      missing.insert("<immintrin.h>");
    if (!isStandard || isKnown("std::" + std::string(name)))
      continue;
    for (const Names &row : kStandard)
      if (row.names.find(' ' + std::string(name) + ' ') != std::string_view::npos &&
          !present.contains(std::string(row.header)))
        missing.insert(std::string(row.header));
  }
  return {missing.begin(), missing.end()};
}

} // namespace agentic
