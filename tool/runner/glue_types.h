// Makes the table of glue_abi.h from the types of a kernel's parameters, by templates over the function's type. Part of
// the text of every glue, like signature.h.
#pragma once

#include "tool/runner/glue_abi.h"
#include "tool/runner/signature.h"

template <class T> T &&agentic_declare() noexcept;
template <class...> struct agentic_void {
  typedef void type;
};
template <bool condition> struct agentic_enable {};
template <> struct agentic_enable<true> {
  typedef void type;
};

template <class T> struct agentic_bare {
  typedef T type;
  enum { isConst = 0 };
};
template <class T> struct agentic_bare<const T> {
  typedef T type;
  enum { isConst = 1 };
};
template <class T> struct agentic_bare<volatile T> {
  typedef T type;
  enum { isConst = 0 };
};
template <class T> struct agentic_bare<const volatile T> {
  typedef T type;
  enum { isConst = 1 };
};

/// An array's elements: the innermost type and their number.
template <class T> struct agentic_elements {
  typedef typename agentic_bare<T>::type type;
  enum : agentic_size { count = 1 };
  enum { isArray = 0 };
};
template <class T, agentic_size N> struct agentic_elements<T[N]> : agentic_elements<T> {
  enum : agentic_size { count = N * agentic_elements<T>::count };
  enum { isArray = 1 };
};

// Numbers, enumerations included.

template <class T, class = void> struct agentic_number {
  enum { is = 0, element = AGENTIC_BYTES };
};
template <> struct agentic_number<bool, void> {
  enum { is = 1, element = AGENTIC_UNSIGNED };
};
template <class T>
struct agentic_number<
    T, typename agentic_enable<(!__is_class(T) && !__is_union(T) && !__is_enum(T) && !agentic_elements<T>::isArray &&
                                sizeof(static_cast<bool>(static_cast<T>(1.5) < static_cast<T>(0))) > 0)>::type> {
  enum {
    is = 1,
    element = static_cast<T>(0.5) != static_cast<T>(0) ? AGENTIC_FLOATING
              : static_cast<T>(-1) < static_cast<T>(0) ? AGENTIC_SIGNED
                                                       : AGENTIC_UNSIGNED
  };
};
template <class T>
struct agentic_number<T, typename agentic_enable<__is_enum(T)>::type> : agentic_number<__underlying_type(T)> {};

template <class T> struct agentic_is_address {
  enum { value = 0 };
};
template <class T> struct agentic_is_address<T *> {
  enum { value = 1 };
};
template <class T, class C> struct agentic_is_address<T C::*> {
  enum { value = 1 };
};
template <> struct agentic_is_address<decltype(nullptr)> {
  enum { value = 1 };
};

/// Types that may be copied as bytes and mean the same elsewhere: no address as far as the type tells.
template <class T, class = void> struct agentic_single_bytes {
  enum { is = 0 };
};
template <class T> struct agentic_single_bytes<T, typename agentic_enable<(sizeof(T) > 0)>::type> {
  enum { is = __is_trivially_copyable(T) && !agentic_is_address<T>::value };
};
template <class T> struct agentic_bytes : agentic_single_bytes<typename agentic_elements<T>::type> {};

// Classes with data() and size().

template <class T> struct agentic_pointee {
  enum { is = 0, isConst = 0 };
  typedef void type;
};
template <class T> struct agentic_pointee<T *> {
  enum { is = 1, isConst = agentic_bare<T>::isConst };
  typedef typename agentic_bare<T>::type type;
};

template <class T, class = void> struct agentic_data {
  enum { has = 0, isMutableWhenConst = 0 };
  typedef void element;
};
template <class T>
struct agentic_data<
    T, typename agentic_void<decltype(agentic_declare<const T &>().data()),
                             decltype(static_cast<agentic_size>(agentic_declare<const T &>().size()))>::type> {
  typedef agentic_pointee<decltype(agentic_declare<const T &>().data())> constant;
  typedef typename constant::type element;
  enum { has = __is_class(T) && constant::is && agentic_bytes<element>::is, isMutableWhenConst = !constant::isConst };
};

template <class T, class E, class = void> struct agentic_from_iterators {
  enum { can = 0 };
};
template <class T, class E>
struct agentic_from_iterators<
    T, E, typename agentic_void<decltype(T(agentic_declare<E *>(), agentic_declare<E *>()))>::type> {
  enum { can = 1 };
};
template <class T, class E, class = void> struct agentic_from_count {
  enum { can = 0 };
};
template <class T, class E>
struct agentic_from_count<
    T, E, typename agentic_void<decltype(T(agentic_declare<E *>(), agentic_declare<agentic_size>()))>::type> {
  enum { can = 1 };
};
template <class T, class E, class = void> struct agentic_from_braces {
  enum { can = 0 };
};
template <class T, class E>
struct agentic_from_braces<
    T, E, typename agentic_void<decltype(T{agentic_declare<E *>(), agentic_declare<agentic_size>()})>::type> {
  enum { can = 1 };
};

template <int way> struct agentic_construct {
  template <class T, class E> static void make(void *, void *, unsigned long) {}
};
template <> struct agentic_construct<1> {
  template <class T, class E> static void make(void *storage, void *elements, unsigned long count) {
    new (agentic_place{storage}) T(static_cast<E *>(elements), static_cast<E *>(elements) + count);
  }
};
template <> struct agentic_construct<2> {
  template <class T, class E> static void make(void *storage, void *elements, unsigned long count) {
    new (agentic_place{storage}) T(static_cast<E *>(elements), static_cast<agentic_size>(count));
  }
};
template <> struct agentic_construct<3> {
  template <class T, class E> static void make(void *storage, void *elements, unsigned long count) {
    new (agentic_place{storage}) T{static_cast<E *>(elements), static_cast<agentic_size>(count)};
  }
};

template <class T, bool has = agentic_data<T>::has> struct agentic_range {
  enum { is = 0 };
};
template <class T> struct agentic_range<T, true> {
  typedef typename agentic_data<T>::element element;
  enum {
    way = agentic_from_iterators<T, element>::can ? 1
          : agentic_from_count<T, element>::can   ? 2
          : agentic_from_braces<T, element>::can  ? 3
                                                  : 0,
    is = way != 0
  };
  static void view(const void *object, const void **elements, unsigned long *count) {
    *elements = static_cast<const T *>(object)->data();
    *count = static_cast<unsigned long>(static_cast<const T *>(object)->size());
  }
  static void make(void *storage, void *elements, unsigned long count) {
    agentic_construct<way>::template make<T, element>(storage, elements, count);
  }
  static void destroy(void *storage) { static_cast<T *>(storage)->~T(); }
};
