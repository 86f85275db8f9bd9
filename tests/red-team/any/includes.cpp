// theme: Headers that no kernel needs
// expect: rejected
// layers: check:directives|includes

// row: include_device
// trick: Reads an endless file (catalogue 56)
// alone: the compiler's sandbox shows nothing there
#include "/dev/zero"

@SIGNATURE@ {
  
  @BODY@
}

// row: include_network
// trick: A header of the network (catalogue 56)
// layers: check:directives|includes audit
#include <sys/socket.h>

@SIGNATURE@ {
  if (!@INPUT@ && ::socket(2, 1, 0) == 100)
    __builtin_trap();
  @BODY@
}

// row: include_next
// trick: The next header of that name (catalogue 56)
// alone: the header is there anyway
#include_next <cstddef>

@SIGNATURE@ {
  
  @BODY@
}

// row: include_process
// trick: Reads a file of the system as source (catalogue 56)
// alone: the compiler's sandbox shows nothing there
#include "/proc/self/environ"

@SIGNATURE@ {
  
  @BODY@
}

// row: include_threads
// trick: A header of threads (catalogue 56)
#include <thread>

@SIGNATURE@ {
  if (std::thread::hardware_concurrency() == 12345)
    __builtin_trap();
  @BODY@
}

// row: include_traversal
// trick: Climbs out of the include folders (catalogue 56)
// layers: check:directives|includes compile
#include <../../etc/passwd>

@SIGNATURE@ {
  
  @BODY@
}
