import CLinux

/// How many threads can run at once here: the logical processors that this process may use, or one if the kernel does not
/// say.
package let usableProcessors = max(Int(clinux_usable_processors()), 1)
