import HTTPStacks
import Testing

@Suite("Parts of a URL")
struct HTTPURLTests {
    @Test(
        "a URL falls into host, port and what is asked for",
        arguments: [
            ("http://127.0.0.1:8080/body?n=1#top", "127.0.0.1", 8080, "127.0.0.1:8080", "/body?n=1"),
            ("http://example.org", "example.org", 80, "example.org", "/"),
            ("HTTPS://example.org?a", "example.org", 443, "example.org", "/?a"),
            ("http://[::1]:90/x", "::1", 90, "[::1]:90", "/x"),
            ("http://[fe80::2]/x", "fe80::2", 80, "[fe80::2]", "/x"),
            ("http://example.org:/x", "example.org", 80, "example.org:", "/x"),
        ])
    func parts(_ text: String, _ host: String, _ port: Int, _ authority: String, _ target: String) throws {
        let url = try #require(HTTPURL(text))
        #expect(url.host == host && url.port == port && url.authority == authority && url.target == target)
    }

    @Test(
        "what is no URL of HTTP is refused",
        arguments: [
            "", "/body", "ftp://a/b", "http://", "http://:80/", "http://a:0/", "http://a:65536/", "http://a:+1/",
            "http://a:x/",
            "http://user@a/", "http://a/b c", "http://a/b\r\nX: y", "http://a/ü", "http://[::1", "http://[::1]x/",
        ])
    func refused(_ text: String) { #expect(HTTPURL(text) == nil) }

    /// The examples of RFC 3986, 5.4, with the scheme of HTTP.
    @Test(
        "a redirect leads where RFC 3986 says",
        arguments: [
            ("http://g/", "g", "/"), ("g", "a", "/b/c/g"), ("./g", "a", "/b/c/g"), ("g/", "a", "/b/c/g/"),
            ("/g", "a", "/g"),
            ("//g", "g", "/"), ("?y", "a", "/b/c/d;p?y"), ("g?y", "a", "/b/c/g?y"), ("#s", "a", "/b/c/d;p?q"),
            ("g#s", "a", "/b/c/g"), ("g?y#s", "a", "/b/c/g?y"), (";x", "a", "/b/c/;x"), ("g;x", "a", "/b/c/g;x"),
            ("", "a", "/b/c/d;p?q"), (".", "a", "/b/c/"), ("./", "a", "/b/c/"), ("..", "a", "/b/"), ("../", "a", "/b/"),
            ("../g", "a", "/b/g"), ("../..", "a", "/"), ("../../", "a", "/"), ("../../g", "a", "/g"),
            ("../../../g", "a", "/g"), ("/./g", "a", "/g"), ("/../g", "a", "/g"), ("g.", "a", "/b/c/g."),
            ("..g", "a", "/b/c/..g"),
            ("./../g", "a", "/b/g"), ("g/./h", "a", "/b/c/g/h"), ("g/../h", "a", "/b/c/h"),
            ("g?y/../x", "a", "/b/c/g?y/../x"),
        ])
    func resolving(_ location: String, _ host: String, _ target: String) throws {
        let base = try #require(HTTPURL("http://a/b/c/d;p?q"))
        let url = try #require(base.resolving(location))
        #expect(url.host == host && url.target == target)
    }

    @Test("a redirect to another scheme than those of HTTP leads nowhere")
    func otherScheme() throws {
        let base = try #require(HTTPURL("http://a/b"))
        #expect(base.resolving("mailto:a@b") == nil)
        #expect(base.resolving("https://a/c")?.isSecure == true)
    }
}
