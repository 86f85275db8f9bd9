// Makes the table's rows, the call, and the entry that records. Part of the text of every glue, after glue_types.h.
#pragma once

#include "tool/runner/glue_types.h"

extern "C" __attribute__((weak)) void agentic_kernel_record(const struct agentic_glue *glue, void *function,
                                                            void *const *arguments, void *result);

/// The elements of an object that is an array, built in or a class.
template <class U, bool isRange = agentic_data<U>::has> struct agentic_inner {
  typedef typename agentic_elements<U>::type type;
  enum : agentic_size {
    size = agentic_elements<U>::isArray ? sizeof(type) : 0,
    alignment = agentic_elements<U>::isArray ? alignof(type) : 0
  };
};
template <class U> struct agentic_inner<U, true> {
  typedef typename agentic_data<U>::element type;
  enum : agentic_size { size = sizeof(type), alignment = alignof(type) };
};

/// Describes a type; `U` is without reference, const and volatile.
template <class U> struct agentic_kind {
  typedef typename agentic_elements<U>::type base;
  enum {
    value = agentic_number<U>::is  ? AGENTIC_SCALAR
            : agentic_range<U>::is ? AGENTIC_RANGE
            : agentic_bytes<U>::is ? AGENTIC_OBJECT
                                   : AGENTIC_OPAQUE
  };
};

template <class U, int kind> struct agentic_row {
  typedef agentic_inner<U> inner;
  static constexpr agentic_parameter make(const char *name, int direction, int isDeclared, int isReference,
                                          long long (*)(void *const *)) {
    return agentic_parameter{name,
                             kind,
                             agentic_number<typename inner::type>::element,
                             direction,
                             isDeclared,
                             isReference,
                             sizeof(U),
                             alignof(U),
                             inner::size,
                             inner::alignment,
                             nullptr,
                             nullptr,
                             nullptr,
                             nullptr};
  }
};
/// Size and alignment of a type that may be incomplete, or a function.
template <class U, class = void> struct agentic_storage {
  enum : agentic_size { size = 0, alignment = 0 };
};
template <class U> struct agentic_storage<U, typename agentic_enable<(sizeof(U) > 0)>::type> {
  enum : agentic_size { size = sizeof(U), alignment = alignof(U) };
};
template <class U> struct agentic_row<U, AGENTIC_OPAQUE> {
  static constexpr agentic_parameter make(const char *name, int direction, int isDeclared, int isReference,
                                          long long (*)(void *const *)) {
    return agentic_parameter{name,
                             AGENTIC_OPAQUE,
                             AGENTIC_BYTES,
                             direction,
                             isDeclared,
                             isReference,
                             agentic_storage<U>::size,
                             agentic_storage<U>::alignment,
                             0,
                             0,
                             nullptr,
                             nullptr,
                             nullptr,
                             nullptr};
  }
};
template <class U> struct agentic_row<U, AGENTIC_RANGE> {
  typedef agentic_range<U> range;
  static constexpr agentic_parameter make(const char *name, int direction, int isDeclared, int isReference,
                                          long long (*)(void *const *)) {
    return agentic_parameter{name,
                             AGENTIC_RANGE,
                             agentic_number<typename range::element>::element,
                             direction,
                             isDeclared,
                             isReference,
                             sizeof(U),
                             alignof(U),
                             sizeof(typename range::element),
                             alignof(typename range::element),
                             nullptr,
                             &range::view,
                             &range::make,
                             &range::destroy};
  }
};
template <class U> struct agentic_row<U, AGENTIC_POINTER> {
  typedef typename agentic_elements<typename agentic_bare<typename agentic_pointee<U>::type>::type>::type element;
  static constexpr agentic_parameter make(const char *name, int direction, int isDeclared, int isReference,
                                          long long (*extent)(void *const *)) {
    return agentic_parameter{name,
                             AGENTIC_POINTER,
                             agentic_number<element>::element,
                             direction,
                             isDeclared,
                             isReference,
                             sizeof(U),
                             alignof(U),
                             sizeof(element),
                             alignof(element),
                             extent,
                             nullptr,
                             nullptr,
                             nullptr};
  }
};

/// Describes one parameter of type P; `multiple`: elements in each of the objects that the contract counts.
template <class P> struct agentic_traits {
  typedef typename agentic_bare<P>::type type;
  enum { kind = agentic_kind<type>::value, multiple = 1, isReference = 0 };
  // A view by value shows elements that others see; a container is a copy.
  enum {
    direction = int(kind) == AGENTIC_RANGE && agentic_data<type>::isMutableWhenConst ? AGENTIC_DIRECTION_INOUT
                                                                                     : AGENTIC_DIRECTION_IN
  };
};
template <class T> struct agentic_traits<T *> {
  typedef T *type;
  typedef agentic_elements<T> elements;
  enum {
    kind = agentic_bytes<typename agentic_bare<T>::type>::is ? AGENTIC_POINTER : AGENTIC_OPAQUE,
    multiple = elements::count,
    isReference = 0,
    direction = agentic_bare<T>::isConst ? AGENTIC_DIRECTION_IN : AGENTIC_DIRECTION_INOUT
  };
};
// What a pointer to void points to is bytes.
template <> struct agentic_traits<void *> : agentic_traits<unsigned char *> {};
template <> struct agentic_traits<const void *> : agentic_traits<const unsigned char *> {};
template <> struct agentic_traits<volatile void *> : agentic_traits<volatile unsigned char *> {};
template <> struct agentic_traits<const volatile void *> : agentic_traits<const volatile unsigned char *> {};
template <class T> struct agentic_traits<T *const> : agentic_traits<T *> {};
template <class T> struct agentic_reference_traits {
  typedef typename agentic_bare<T>::type type;
  enum { kind = agentic_kind<type>::value, multiple = 1, isReference = 1 };
  enum {
    isWritable = !agentic_bare<T>::isConst || (int(kind) == AGENTIC_RANGE && agentic_data<type>::isMutableWhenConst),
    direction = isWritable ? AGENTIC_DIRECTION_INOUT : AGENTIC_DIRECTION_IN
  };
};
template <class T> struct agentic_traits<T &> : agentic_reference_traits<T> {};
template <class T> struct agentic_traits<T &&> : agentic_reference_traits<T> {};

template <class F, agentic_size I> struct agentic_multiple {
  static constexpr long long ak_value =
      agentic_traits<typename agentic_function<F>::template parameter<I>::type>::multiple;
};

template <class F, agentic_size I>
constexpr agentic_parameter agentic_parameter_of(const char *name, int declared, long long (*extent)(void *const *)) {
  typedef agentic_traits<typename agentic_function<F>::template parameter<I>::type> traits;
  return agentic_row<typename traits::type, traits::kind>::make(name, declared >= 0 ? declared : int(traits::direction),
                                                                declared >= 0, traits::isReference, extent);
}

// The result.

template <class R> struct agentic_result {
  enum { kind = int(agentic_kind<R>::value) == AGENTIC_RANGE ? AGENTIC_OPAQUE : int(agentic_kind<R>::value) };
  static constexpr agentic_parameter ak_row() {
    return agentic_row<R, kind>::make("", AGENTIC_DIRECTION_OUT, 0, 0, nullptr);
  }
};
template <class R> struct agentic_result<const R> : agentic_result<R> {};
template <class R> struct agentic_result<R &> {
  enum { kind = AGENTIC_OPAQUE };
  static constexpr agentic_parameter ak_row() {
    return agentic_row<void *, AGENTIC_OPAQUE>::make("", AGENTIC_DIRECTION_OUT, 0, 1, nullptr);
  }
};
template <class R> struct agentic_result<R *> {
  enum { kind = AGENTIC_OPAQUE };
  static constexpr agentic_parameter ak_row() {
    return agentic_row<void *, AGENTIC_OPAQUE>::make("", AGENTIC_DIRECTION_OUT, 0, 0, nullptr);
  }
};
template <> struct agentic_result<void> {
  enum { kind = AGENTIC_SCALAR };
  static constexpr agentic_parameter ak_row() {
    return agentic_parameter{"",      AGENTIC_SCALAR, AGENTIC_BYTES, AGENTIC_DIRECTION_OUT, 0, 0, 0, 0, 0, 0, nullptr,
                             nullptr, nullptr,        nullptr};
  }
};
