// The facts about a function's type that glue and entry need. Part of the text of both, before any text of the project,
// so that no macro of the project affects it; C++11 without includes, every name begins with agentic_.
#pragma once

typedef decltype(sizeof(0)) agentic_size;

template <class T> struct agentic_unreferenced {
  typedef T type;
};
template <class T> struct agentic_unreferenced<T &> {
  typedef T type;
};
template <class T> struct agentic_unreferenced<T &&> {
  typedef T type;
};

template <agentic_size... I> struct agentic_indices {};
template <agentic_size N, agentic_size... I> struct agentic_make_indices : agentic_make_indices<N - 1, N - 1, I...> {};
template <agentic_size... I> struct agentic_make_indices<0, I...> {
  typedef agentic_indices<I...> type;
};

template <agentic_size I, class T, class... Rest> struct agentic_at : agentic_at<I - 1, Rest...> {};
template <class T, class... Rest> struct agentic_at<0, T, Rest...> {
  typedef T type;
};

template <class F> struct agentic_function;
template <class R, class... A> struct agentic_function<R(A...)> {
  typedef R ak_result;
  enum { ak_count = sizeof...(A) };
  typedef typename agentic_make_indices<sizeof...(A)>::type indices;
  template <agentic_size I> struct parameter : agentic_at<I, A...> {};
};
#if defined(__cpp_noexcept_function_type)
template <class R, class... A> struct agentic_function<R(A...) noexcept> : agentic_function<R(A...)> {};
#endif

/// Returns the parameter with this index, from the addresses of all arguments.
template <class F, agentic_size I>
inline typename agentic_unreferenced<typename agentic_function<F>::template parameter<I>::type>::type &
agentic_argument(void *const *agentic_arguments) {
  typedef typename agentic_unreferenced<typename agentic_function<F>::template parameter<I>::type>::type type;
  return *reinterpret_cast<type *>(agentic_arguments[I]);
}

template <class T> inline void *agentic_address(T &object) {
  return (void *)__builtin_addressof(object); // works for a function, too
}

/// Placement new without <new>.
struct agentic_place {
  void *at;
};
inline void *operator new(agentic_size, agentic_place place) noexcept {
  return place.at;
}
inline void operator delete(void *, agentic_place) noexcept {}

/// Storage for a result until it is returned, at the slot's own address.
template <class R> struct agentic_slot {
  union {
    char nothing;
    R value;
  };
  agentic_slot() noexcept : nothing() {}
  ~agentic_slot() {}
  template <class F, class... A> void call(F *function, A &&...arguments) {
    new (agentic_place{agentic_address(value)}) R(function(static_cast<A &&>(arguments)...));
  }
  R take() {
    struct end {
      R &value;
      ~end() { value.~R(); }
    } atEnd = {value};
    return static_cast<R &&>(value);
  }
};
template <class R> struct agentic_slot<R &> {
  R *value;
  template <class F, class... A> void call(F *function, A &&...arguments) {
    value = &function(static_cast<A &&>(arguments)...);
  }
  R &take() { return *value; }
};
template <> struct agentic_slot<void> {
  template <class F, class... A> void call(F *function, A &&...arguments) { function(static_cast<A &&>(arguments)...); }
  void take() {}
};
