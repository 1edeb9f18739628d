// The C library: the names that the sources use of it are Glibc's too. What Glibc lacks is in FoundationOnApple.

@_exported import Glibc
