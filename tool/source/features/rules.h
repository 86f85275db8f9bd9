// The rules by which a kernel gets its words: each is a few lines over the scene. A word that is missing costs a good
// pattern its rank, one that is wrong puts a useless pattern in front; neither makes anything incorrect.
#pragma once

#include "tool/source/features/scene.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

namespace agentic::features {

using Words = std::set<std::string, std::less<>>;

void addMemoryWords(const Scene &scene, Words &words);
void addArithmeticWords(const Scene &scene, Words &words);
void addControlWords(const Scene &scene, Words &words);
void addCarriedWords(const Scene &scene, Words &words); ///< after the control words
void addShapeWords(const Scene &scene, Words &words);   ///< after all others
void addByteWords(const Scene &scene, Words &words);    ///< after all others

/// Returns whether both are the same by structure, through casts.
bool isSame(const Expression &left, const Expression &right);
bool hasPart(const Expression &expression, const std::function<bool(const Expression &)> &isMeant);
/// The last name of a called function, without "std::", "__builtin_" and a suffix f or l: "sqrt"; empty: no known call.
std::string calledName(const Expression &expression);
bool isBinary(const Expression &expression, std::initializer_list<std::string_view> operators);
/// Returns whether it is `a op b` or `a op= b`: a word for an operation must not hang on how it is written.
bool isOperation(const Expression &expression, std::initializer_list<std::string_view> operators);
bool isOrder(const Expression &expression);      ///< `<`, `>`, `<=`, `>=`
bool isComparison(const Expression &expression); ///< these, `==`, `!=`
/// Returns whether it is a constant beyond `least` in absolute value.
bool isLargeNumber(const Expression &expression, std::int64_t least);
/// Through casts, implicit or written.
const Expression &bare(const Expression &expression);
/// Returns whether it, or a source of it, is such a part.
bool hasSource(const Scene &scene, const Expression &expression,
               const std::function<bool(const Expression &)> &isMeant);

} // namespace agentic::features
