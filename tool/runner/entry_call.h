// The function that the hook calls in place of a candidate: it has the same type and runs the candidate on a stack of
// its own. Part of the text of every entry, after own_stack.h.
#pragma once

#include "tool/runner/own_stack.h"
#include "tool/runner/signature.h"

extern "C" char *agentic_getenv(const char *) __asm__("secure_getenv");
// Thread-local destructors refer to it; our shared objects have no start files that define it.
__asm__(".pushsection .rodata.agentic_dso_handle,\"a\"\n"
        ".weak __dso_handle\n"
        ".hidden __dso_handle\n"
        ".balign 8\n"
        "__dso_handle: .quad 0\n"
        ".popsection\n");

template <class F, class = typename agentic_function<F>::indices> struct agentic_entry;

/// `K` gives the kernel: `static F *ak_function()` and `static void ak_before(void *const *arguments)`.
#define AGENTIC_ENTRY(NOEXCEPT)                                                                                        \
  template <class R, class... A, agentic_size... I> struct agentic_entry<R(A...) NOEXCEPT, agentic_indices<I...>> {    \
    struct closure {                                                                                                   \
      void *addresses[sizeof...(A) + 1];                                                                               \
      agentic_slot<R> result;                                                                                          \
      explicit closure(A &...arguments) : addresses{agentic_address(arguments)..., nullptr} {}                         \
    };                                                                                                                 \
    template <class K> static void body(void *at) {                                                                    \
      closure *own = static_cast<closure *>(at);                                                                       \
      own->result.call(                                                                                                \
          K::ak_function(),                                                                                            \
          static_cast<A &&>(*reinterpret_cast<typename agentic_unreferenced<A>::type *>(own->addresses[I]))...);       \
    }                                                                                                                  \
    template <class K> static R ak_call(A... arguments) NOEXCEPT {                                                     \
      closure own(arguments...);                                                                                       \
      K::ak_before(own.addresses);                                                                                     \
      agentic_on_own_stack(&agentic_entry::template body<K>, &own);                                                    \
      return own.result.take();                                                                                        \
    }                                                                                                                  \
  };
AGENTIC_ENTRY()
#if defined(__cpp_noexcept_function_type)
AGENTIC_ENTRY(noexcept)
#endif
#undef AGENTIC_ENTRY

/// Overwrites the outputs, so that the content from an earlier call is gone.
template <class T> inline void agentic_clobber(T *elements, long long count, unsigned char byte) {
  if (elements && count > 0)
    __builtin_memset(elements, byte, static_cast<agentic_size>(count) * sizeof(T));
}
template <class T>
inline auto agentic_clobber(T &range, long long count, unsigned char byte)
    -> decltype(static_cast<void>(range.data()), static_cast<void>(range.size())) {
  if (static_cast<agentic_size>(count) <= static_cast<agentic_size>(range.size()))
    agentic_clobber(range.data(), count, byte);
}

/// Returns a byte of the seed; 0: there is no seed, and nothing is to be overwritten.
inline unsigned char agentic_clobber_byte(const char *seed) {
  unsigned hash = 2166136261u;
  if (!seed || !*seed)
    return 0;
  for (; *seed; ++seed)
    hash = (hash ^ static_cast<unsigned char>(*seed)) * 16777619u;
  return static_cast<unsigned char>(0x81u | (hash >> 8 & 0x7fu));
}
