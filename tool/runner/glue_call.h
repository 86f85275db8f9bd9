// Makes calls through the table, and the entry that records them. Part of the text of every glue, after glue_table.h.
#pragma once

#include "tool/runner/glue_table.h"

/// Passes an argument on: a value is copied, never moved from.
template <class P> struct agentic_pass {
  static const P &from(void *argument) { return *static_cast<const P *>(argument); }
};
template <class T> struct agentic_pass<T *> {
  static T *from(void *argument) { return *static_cast<T **>(argument); }
};
template <class T> struct agentic_pass<T &> {
  static T &from(void *argument) { return *static_cast<T *>(argument); }
};
template <class T> struct agentic_pass<T &&> {
  static T &&from(void *argument) { return static_cast<T &&>(*static_cast<T *>(argument)); }
};

template <class R> struct agentic_keep {
  template <class F, class... A> static void call(void *result, F *function, A &&...arguments) {
    typename agentic_bare<R>::type value = function(static_cast<A &&>(arguments)...);
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&value); // bytes between members are no result
#endif
#endif
    if (result)
      __builtin_memcpy(result, &value, sizeof(value));
  }
};
template <> struct agentic_keep<void> {
  template <class F, class... A> static void call(void *, F *function, A &&...arguments) {
    function(static_cast<A &&>(arguments)...);
  }
};

template <class F, class = typename agentic_function<F>::indices> struct agentic_capture;

/// `T` provides the table and the baseline: `static const agentic_glue *ak_table()`, `static void *ak_baseline()`.
template <class R, class T> struct agentic_give {
  static R call(void *const *arguments) {
    alignas(R) unsigned char bytes[sizeof(R)];
    agentic_kernel_record(T::ak_table(), T::ak_baseline(), arguments, bytes);
    return *static_cast<R *>(static_cast<void *>(bytes));
  }
};
template <class T> struct agentic_give<void, T> {
  static void call(void *const *arguments) {
    agentic_kernel_record(T::ak_table(), T::ak_baseline(), arguments, nullptr);
  }
};

#define AGENTIC_CAPTURE(NOEXCEPT)                                                                                      \
  template <class R, class... A, agentic_size... I> struct agentic_capture<R(A...) NOEXCEPT, agentic_indices<I...>> {  \
    static void invoke(void *function, void *const *arguments, void *result) {                                         \
      (void)arguments;                                                                                                 \
      agentic_keep<R>::call(result, reinterpret_cast<R (*)(A...) NOEXCEPT>(function),                                  \
                            agentic_pass<A>::from(arguments[I])...);                                                   \
    }                                                                                                                  \
    template <class T> static R record(A... arguments) {                                                               \
      void *addresses[sizeof...(A) + 1] = {agentic_address(arguments)..., nullptr};                                    \
      return agentic_give<R, T>::call(addresses);                                                                      \
    }                                                                                                                  \
    static void forward(void *function, void *const *arguments, void *result) {                                        \
      (void)arguments;                                                                                                 \
      static_cast<agentic_slot<R> *>(result)->call(                                                                    \
          reinterpret_cast<R (*)(A...) NOEXCEPT>(function),                                                            \
          static_cast<A &&>(*static_cast<typename agentic_unreferenced<A>::type *>(arguments[I]))...);                 \
    }                                                                                                                  \
    template <class T> static R hand(A... arguments) {                                                                 \
      void *addresses[sizeof...(A) + 1] = {agentic_address(arguments)..., nullptr};                                    \
      agentic_slot<R> result;                                                                                          \
      agentic_kernel_record(T::ak_table(), T::ak_baseline(), addresses, &result);                                      \
      return result.take();                                                                                            \
    }                                                                                                                  \
  };
AGENTIC_CAPTURE()
#if defined(__cpp_noexcept_function_type)
AGENTIC_CAPTURE(noexcept)
#endif
#undef AGENTIC_CAPTURE

/// If a parameter cannot be captured, a call passes on the arguments themselves.
template <class F, bool can> struct agentic_calls {
  static constexpr void (*ak_invoke())(void *, void *const *, void *) { return &agentic_capture<F>::invoke; }
  static constexpr void (*ak_forward())(void *, void *const *, void *) { return nullptr; }
  template <class T> static void *ak_entry() { return (void *)&agentic_capture<F>::template record<T>; }
};
template <class F> struct agentic_calls<F, false> {
  static constexpr void (*ak_invoke())(void *, void *const *, void *) { return nullptr; }
  static constexpr void (*ak_forward())(void *, void *const *, void *) { return &agentic_capture<F>::forward; }
  template <class T> static void *ak_entry() { return (void *)&agentic_capture<F>::template hand<T>; }
};

template <class... P> struct agentic_all_known {
  enum { value = 1 };
};
template <class P, class... Rest> struct agentic_all_known<P, Rest...> {
  enum { value = int(agentic_traits<P>::kind) != AGENTIC_OPAQUE && agentic_all_known<Rest...>::value };
};
template <class F> struct agentic_known;
template <class R, class... A> struct agentic_known<R(A...)> {
  enum { ak_value = agentic_all_known<A...>::value && int(agentic_result<R>::kind) != AGENTIC_OPAQUE };
};
#if defined(__cpp_noexcept_function_type)
template <class R, class... A> struct agentic_known<R(A...) noexcept> : agentic_known<R(A...)> {};
#endif
