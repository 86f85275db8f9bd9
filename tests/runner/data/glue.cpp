// Tables written by hand, one per signature, under the name of every kernel in kernels.cpp that has it.
#include "tool/runner/glue_abi.h"

#include "tests/runner/data/signatures.h"

#include <new>

namespace {

constexpr agentic_parameter pointer(const char *name, int element, int direction, unsigned long size,
                                    unsigned long alignment) {
  return {name, AGENTIC_POINTER, element, direction, 1, 0, 8, 8, size, alignment, nullptr, nullptr, nullptr, nullptr};
}
constexpr agentic_parameter value(const char *name, int kind, int element, int direction, int isReference,
                                  unsigned long size, unsigned long alignment) {
  return {name, kind, element, direction, 0, isReference, size, alignment, 0, 0, nullptr, nullptr, nullptr, nullptr};
}
template <class Range, class Element> struct Of {
  static void view(const void *object, const void **elements, unsigned long *count) {
    *elements = static_cast<const Range *>(object)->data();
    *count = static_cast<const Range *>(object)->size();
  }
  static void makeCopy(void *storage, void *elements, unsigned long count) {
    new (storage) Range(static_cast<Element *>(elements), static_cast<Element *>(elements) + count);
  }
  static void makeView(void *storage, void *elements, unsigned long count) {
    new (storage) Range(static_cast<Element *>(elements), count);
  }
  static void destroy(void *storage) { static_cast<Range *>(storage)->~Range(); }
  static constexpr agentic_parameter row(const char *name, int element, int direction, int isReference,
                                         void (*make)(void *, void *, unsigned long)) {
    return {name,           AGENTIC_RANGE,   element,          direction, 0,     isReference, sizeof(Range),
            alignof(Range), sizeof(Element), alignof(Element), nullptr,   &view, make,        &destroy};
  }
};
constexpr agentic_parameter kVoid = value("", AGENTIC_SCALAR, AGENTIC_BYTES, AGENTIC_DIRECTION_OUT, 0, 0, 0);
template <class T> T &at(void *const *arguments, int i) {
  return *static_cast<T *>(arguments[i]);
}

const agentic_parameter kMap[] = {pointer("x", AGENTIC_FLOATING, AGENTIC_DIRECTION_IN, 4, 4),
                                  pointer("y", AGENTIC_FLOATING, AGENTIC_DIRECTION_OUT, 4, 4),
                                  value("n", AGENTIC_SCALAR, AGENTIC_SIGNED, AGENTIC_DIRECTION_IN, 0, 8, 8)};
/// The same pointers, taken for pointers to structs of two floats.
const agentic_parameter kPairs[] = {pointer("x", AGENTIC_BYTES, AGENTIC_DIRECTION_IN, 8, 4),
                                    pointer("y", AGENTIC_BYTES, AGENTIC_DIRECTION_OUT, 8, 4),
                                    value("n", AGENTIC_SCALAR, AGENTIC_SIGNED, AGENTIC_DIRECTION_IN, 0, 8, 8)};
void callMap(void *function, void *const *a, void *) {
  reinterpret_cast<Map *>(function)(at<const float *>(a, 0), at<float *>(a, 1), at<long>(a, 2));
}
int isAligned(void *const *a) {
  return reinterpret_cast<unsigned long>(at<float *>(a, 1)) % 64 == 0;
}

using Floats = std::vector<float>;
const agentic_parameter kVectors[] = {
    Of<Floats, float>::row("a", AGENTIC_FLOATING, AGENTIC_DIRECTION_IN, 1, &Of<Floats, float>::makeCopy),
    Of<Floats, float>::row("b", AGENTIC_FLOATING, AGENTIC_DIRECTION_INOUT, 1, &Of<Floats, float>::makeCopy)};
void callVectors(void *function, void *const *a, void *) {
  reinterpret_cast<Vectors *>(function)(at<Floats>(a, 0), at<Floats>(a, 1));
}

const agentic_parameter kViews[] = {
    Of<std::string_view, const char>::row("s", AGENTIC_SIGNED, AGENTIC_DIRECTION_IN, 0,
                                          &Of<std::string_view, const char>::makeView),
    Of<Ints, int>::row("v", AGENTIC_SIGNED, AGENTIC_DIRECTION_INOUT, 0, &Of<Ints, int>::makeView),
    value("p", AGENTIC_OBJECT, AGENTIC_BYTES, AGENTIC_DIRECTION_IN, 1, sizeof(Params), alignof(Params)),
    value("q", AGENTIC_OBJECT, AGENTIC_BYTES, AGENTIC_DIRECTION_IN, 0, sizeof(Params), alignof(Params)),
    value("count", AGENTIC_SCALAR, AGENTIC_SIGNED, AGENTIC_DIRECTION_OUT, 1, 4, 4)};
const agentic_parameter kLong = value("", AGENTIC_SCALAR, AGENTIC_SIGNED, AGENTIC_DIRECTION_OUT, 0, 8, 8);
void callViews(void *function, void *const *a, void *result) {
  const long value = reinterpret_cast<Views *>(function)(at<std::string_view>(a, 0), at<Ints>(a, 1), at<Params>(a, 2),
                                                         at<Params>(a, 3), at<int>(a, 4));
  __builtin_memcpy(result, &value, sizeof value);
}

} // namespace

#define GLUE(NAME, COUNT, PARAMETERS, RESULT, FULFILS, CALL)                                                           \
  extern "C" __attribute__((visibility("default"))) const agentic_glue *agentic_kernel_glue_##NAME() {                 \
    static const agentic_glue glue = {AGENTIC_GLUE_VERSION, #NAME, COUNT, PARAMETERS, RESULT, FULFILS, CALL};          \
    return &glue;                                                                                                      \
  }
#define MAP(NAME) GLUE(NAME, 3, kMap, kVoid, nullptr, &callMap)
#define PAIRS(NAME) GLUE(NAME, 3, kPairs, kVoid, nullptr, &callMap)
#define ALIGNED(NAME) GLUE(NAME, 3, kMap, kVoid, &isAligned, &callMap)
#define VECTORS(NAME) GLUE(NAME, 2, kVectors, kVoid, nullptr, &callVectors)
#define VIEWS(NAME) GLUE(NAME, 5, kViews, kLong, nullptr, &callViews)
#include "tests/runner/data/names.inc"
