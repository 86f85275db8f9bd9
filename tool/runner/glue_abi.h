// A kernel's glue: the description of its signature, and the only part of replaying a call that depends on its types.
//
// The glue is generated C++ that the project's own compiler builds with the project's own flags (source/emit_glue); the
// runner and the recorder are ours and know calls only through this table. Plain C++11 without includes: the text of
// this file is part of every glue. Everything is immutable; all functions may be called from any thread.
#pragma once

extern "C" {

/// The kind of an argument. Arguments are passed as an array of addresses: of the value if it is passed by value (for a
/// pointer: of the pointer itself), of the referred object for references.
enum agentic_argument_kind {
  AGENTIC_SCALAR = 0,  ///< a number, bool or enumeration, by value or by reference
  AGENTIC_POINTER = 1, ///< to objects of known size that can be copied as bytes
  AGENTIC_OBJECT = 2,  ///< a class that can be copied as bytes, by value or by reference
  AGENTIC_RANGE = 3,   ///< a class with data() and size() over elements that can be copied as bytes: vector, span …
  AGENTIC_OPAQUE = 4   ///< anything else: calls of this kernel cannot be captured, only compared where they are made
};

/// The kind of a scalar or an element.
enum agentic_element_kind { AGENTIC_BYTES = 0, AGENTIC_SIGNED = 1, AGENTIC_UNSIGNED = 2, AGENTIC_FLOATING = 3 };

/// The direction that the contract declares; undeclared: In for pointers and references to const, else InOut.
enum agentic_direction { AGENTIC_DIRECTION_IN = 0, AGENTIC_DIRECTION_OUT = 1, AGENTIC_DIRECTION_INOUT = 2 };

struct agentic_parameter {
  const char *name; ///< "" if unnamed
  int kind;         ///< agentic_argument_kind
  int element;      ///< agentic_element_kind of the scalar, or of the elements of the pointer, range or array
  int direction;    ///< agentic_direction; In for scalars and objects by value
  int isDeclared;   ///< the contract declares the direction
  int isReference;
  unsigned long size, alignment;               ///< of the argument's own storage in bytes (a pointer: 8); 0: not known
  unsigned long elementSize, elementAlignment; ///< for Pointer, Range and an Object that is an array, else 0
  /// Returns the contract's number of elements behind a Pointer; null if it declares none.
  long long (*extent)(void *const *arguments);
  /// Range only. `view` returns the elements; `make` constructs the object in `storage` over `count` elements (a
  /// container copies them, a view refers to them); `destroy` ends it.
  void (*view)(const void *object, const void **elements, unsigned long *count);
  void (*make)(void *storage, void *elements, unsigned long count);
  void (*destroy)(void *storage);
};

struct agentic_glue {
  unsigned version; ///< AGENTIC_GLUE_VERSION
  const char *kernel;
  unsigned parameterCount;
  const struct agentic_parameter *parameters;
  struct agentic_parameter result; ///< Scalar, Object or Opaque; size 0 = void
  /// Returns whether the contract's requirements hold for these arguments; null if there are none.
  int (*fulfils)(void *const *arguments);
  /// Calls `function` (of the kernel's type); null if a parameter is Opaque. `result` has room for the result's bytes,
  /// or is null for void.
  void (*invoke)(void *function, void *const *arguments, void *result);
  /// Null unless a parameter is Opaque. Calls `function` with the arguments themselves, moved if they are passed by
  /// value: once per process. The result is constructed at `result`, which has room for it (a reference: its address).
  void (*forward)(void *function, void *const *arguments, void *result);
};

/// Every glue exports `const agentic_glue *agentic_kernel_glue_<kernel>(void)`.
enum { AGENTIC_GLUE_VERSION = 2 };

/// The recorder (preloaded into a test or benchmark) exports `agentic_kernel_record`. It does the call and, if the call
/// is sampled, appends it to the file named by AGENTIC_KERNEL_RECORD; with AGENTIC_KERNEL_COMPARE, it appends the
/// outcomes of this call of `function` and of the candidate in that shared object. With AGENTIC_KERNEL_AUDIT as well, the
/// program runs with the candidate instead of `function`.
typedef void (*agentic_record_function)(const struct agentic_glue *glue, void *function, void *const *arguments,
                                        void *result);
}
