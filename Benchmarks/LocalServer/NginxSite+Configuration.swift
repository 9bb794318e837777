extension NginxSite {
    /// Connections at once, more than any load here holds open; each takes a descriptor on both sides.
    static let connections = 4_096

    /// The text of `nginx.conf`. Its modules are given by their paths.
    ///
    /// Every other path lies in the server's own folder: an ordinary user may not write where nginx does by default.
    ///
    /// No `tcp_nopush`, though it is often set: with it, about one answer of 64 KiB in a hundred came 40 ms late on the
    /// loopback, held back until the other side's delayed acknowledgement (measured by `wrk`: p99 40 ms with, 2
    /// without).
    func configuration(ports: [Listener: UInt16], modules: [String]) -> String {
        let blocks = Listener.allCases.compactMap { listener in ports[listener].map { servers(listener, $0) } }
        return """
            \(modules.map { "load_module \"\($0)\";" }.joined(separator: "\n"))
            daemon off;
            master_process off;
            worker_processes 1;
            pid nginx.pid;
            error_log stderr warn;
            events { worker_connections \(Self.connections); }
            http {
                \(isScripted ? "lua_package_path \"$prefix/?.lua;;\";" : "")
                \(logsAccess ? AccessLogEntry.format : "access_log off;")
                default_type application/octet-stream;
                sendfile on;
                keepalive_timeout 60s;
                keepalive_requests 1000000000;
                large_client_header_buffers \(headBuffers.count) \(headBuffers.bytes);
                client_body_temp_path temporary-client;
                proxy_temp_path temporary-proxy;
                fastcgi_temp_path temporary-fastcgi;
                uwsgi_temp_path temporary-uwsgi;
                scgi_temp_path temporary-scgi;
            \(blocks.joined(separator: "\n"))
            }

            """
    }

    private func servers(_ listener: Listener, _ port: UInt16) -> String {
        let place = "listen 127.0.0.1:\(port)"
        let options = "reuseport backlog=4096"
        switch listener {
        case .plain: return server("\(place) \(options);")
        case .http2: return server("\(place) http2 \(options);")
        case .largeHeads:
            return server(
                "\(place) \(options);",
                "large_client_header_buffers \(largeHeadBuffers.count) \(largeHeadBuffers.bytes);")
        case .tls:
            let named = serverNames.map {
                server("\(place) ssl http2;", "server_name \($0);", Self.certificate($0))
            }
            let usual = hasAddressCertificate ? nil : serverNames.first
            let other = server(
                "\(place) ssl http2 \(options) default_server;", Self.certificate(usual ?? TestAuthority.address))
            return ([other] + named).joined(separator: "\n")
        }
    }

    private func server(_ lines: String...) -> String {
        let text = (lines + ["include locations.conf;"]).map { "        \($0)\n" }.joined()
        return "    server {\n\(text)    }"
    }

    private static func certificate(_ name: String) -> String {
        "ssl_certificate \(name).pem; ssl_certificate_key \(name).key;"
    }

    /// The text of `locations.conf`, which all servers include.
    ///
    /// A static body is found without a look at the regular expressions; those are for answers that are slow by intent.
    var locations: String {
        let files = "location ^~ /body/ { root .; }\n"
        guard isScripted else { return files }
        return files + """
            location = /echo {
                client_max_body_size 64m;
                client_body_buffer_size 1m;
                # A warning for each body that is kept in a file would be no news.
                error_log stderr error;
                \(Self.script("echo()"))
            }
            location ~ ^/redirect/(\\d+)(/.+)$ { \(Self.script("redirect(ngx.var[1], ngx.var[2])")) }
            location ~ ^/cookie/set(/.+)$ { \(Self.script("set_cookie(ngx.var[1])")) }
            location ~ ^/cookie/required(/.+)$ { \(Self.script("require_cookie(ngx.var[1])")) }
            location ~ ^/slow-first-byte/(\\d+)(/.+)$ { \(Self.script("slow_first_byte(ngx.var[1], ngx.var[2])")) }
            location ~ ^/slow-body/(\\d+)/(\\d+)$ { \(Self.script("slow_body(ngx.var[1], ngx.var[2])")) }
            location = /never {
                lua_check_client_abort on;
                \(Self.script("never()"))
            }
            location ~ ^/reset/(\\d+)$ {
                # Else the end would be an orderly one (FIN).
                reset_timedout_connection on;
                \(Self.script("reset(ngx.var[1])"))
            }
            location = /close { return 444; }
            location = /garbage { \(Self.script("garbage()")) }
            location ~ ^/status/([2-5]\\d\\d)$ { \(Self.script("status(ngx.var[1])")) }
            location = /body-length {
                client_max_body_size 64m;
                client_body_buffer_size 1m;
                error_log stderr error;
                \(Self.script("body_length()"))
            }
            location = /header-echo { \(Self.script("header_length()")) }

            """
    }

    private static func script(_ call: String) -> String {
        "content_by_lua_block { require(\"answers\").\(call) }"
    }
}
