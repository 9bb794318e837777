import Glibc

/// A library of the system that is loaded by name, kept until the program ends.
struct SharedLibrary {
    private let handle: UnsafeMutableRawPointer

    /// Nil when there is none of this name, or it cannot be loaded.
    init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else { return nil }
        self.handle = handle
    }

    /// A function of the library, whose C type the caller vouches for; nil when it has none of this name.
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: type) }
    }

    /// Calls a function that takes nothing and returns a text of its own.
    func text(ofFunction name: String) -> String? {
        guard let symbol = dlsym(handle, name) else { return nil }
        typealias Function = @convention(c) () -> UnsafePointer<CChar>?
        return unsafeBitCast(symbol, to: Function.self)().map { String(cString: $0) }
    }
}
