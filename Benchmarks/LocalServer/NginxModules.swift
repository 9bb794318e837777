import ChildProcesses
import Glibc

/// Where the modules lie that nginx loads when its configuration says so.
package enum NginxModules {
    private static let script = "ngx_http_lua_module.so"
    /// What the one for Lua needs in turn, where it is built so.
    private static let kit = "ndk_http_module.so"
    /// Where distributions put them.
    package static let usual = [
        "/usr/lib/nginx/modules", "/usr/lib64/nginx/modules", "/usr/share/nginx/modules", "/usr/local/nginx/modules",
    ]

    /// How an nginx was built, in its own words. It tells them on its standard error.
    static func build(of program: String) throws(SpawnError) -> String {
        try ChildProcess.run(program, ["-V"], seconds: 10).errors
    }

    /// The files that a site with scripts needs, in the order in which they are loaded.
    ///
    /// - Parameters:
    ///   - build: how nginx was built: a module fits only the nginx that it was built for, so its own folder comes first.
    ///   - usual: folders in which they are looked for then.
    /// - Throws: `LocalServerError.noScripts` when there are none.
    package static func forScripts(
        build: String, otherwise usual: [String] = usual
    ) throws(LocalServerError) -> [String] {
        let option = "--modules-path="
        let own = build.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix(option) }
        let folders = (own.map { [String($0.dropFirst(option.count))] } ?? []) + usual
        guard let folder = folders.first(where: { access("\($0)/\(script)", R_OK) == 0 }) else {
            throw .noScripts(folders: folders)
        }
        return [kit, script].map { "\(folder)/\($0)" }.filter { access($0, R_OK) == 0 }
    }
}
