import ChildProcesses
import FoundationEssentials
import Glibc

/// Where the modules lie that nginx loads when its configuration says so.
enum NginxModules {
    private static let script = "ngx_http_lua_module.so"
    /// What the one for Lua needs in turn, where it is built so.
    private static let kit = "ndk_http_module.so"
    /// Where distributions put them.
    private static let usual = [
        "/usr/lib/nginx/modules", "/usr/lib64/nginx/modules", "/usr/share/nginx/modules", "/usr/local/nginx/modules",
    ]

    /// The files that a site with scripts needs, in the order in which they are loaded.
    ///
    /// - Parameter program: nginx itself, which is asked first: a module fits only the nginx that it was built for.
    static func forScripts(of program: String) throws -> [String] {
        // It tells how it was built on its standard error.
        let told = try ChildProcess.run(program, ["-V"], seconds: 10).errors
        let folders = (modulesPath(in: told).map { [$0] } ?? []) + usual
        guard let folder = folders.first(where: { access("\($0)/\(script)", R_OK) == 0 }) else {
            throw LocalServerError.noScripts(folders: folders)
        }
        let files = [kit, script].map { "\(folder)/\($0)" }
        return files.filter { access($0, R_OK) == 0 }
    }

    /// The value of `--modules-path` in what `nginx -V` prints.
    static func modulesPath(in told: String) -> String? {
        told.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("--modules-path=") }
            .map { String($0.dropFirst("--modules-path=".count)) }
    }
}
