import CCurl
import Results

/// What libcurl tells of a transfer so far: times in microseconds, each summed over the redirects that were followed.
///
/// Of `curl_easy_getinfo(3)`: CURLINFO_NAMELOOKUP_TIME_T and its like.
struct CurlTimes {
    private var name: Int64 = 0
    private var connect: Int64 = 0
    private var tls: Int64 = 0
    private var ready: Int64 = 0
    private var connections = 0
    /// Heads of all hops, and what was sent after that of the last one.
    private var heads = 0
    private var upload = 0
    private(set) var expectedLength: Int?

    init() {}

    init(of handle: UnsafeMutableRawPointer) {
        connections = max(ccurl_number(handle, CURLINFO_NUM_CONNECTS), 0)
        ready = max(ccurl_size(handle, CURLINFO_PRETRANSFER_TIME_T), 0)
        heads = max(ccurl_number(handle, CURLINFO_REQUEST_SIZE), 0)
        upload = Int(max(ccurl_size(handle, CURLINFO_SIZE_UPLOAD_T), 0))
        let length = ccurl_size(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        expectedLength = length < 0 ? nil : Int(length)
        name = max(ccurl_size(handle, CURLINFO_NAMELOOKUP_TIME_T), 0)
        connect = max(ccurl_size(handle, CURLINFO_CONNECT_TIME_T), 0)
        tls = max(ccurl_size(handle, CURLINFO_APPCONNECT_TIME_T), 0)
    }

    /// Says of a hop what was told since the hop before it.
    ///
    /// libcurl counts from when it begins, which is a little later than ours: its times of a connection are told no
    /// earlier than the answer before, and no later than when the connection was ready. When that was, it tells only
    /// from 7.80 on; its own CURLINFO_PRETRANSFER_TIME_T is read after the first piece of the request was sent, and
    /// stands in before.
    ///
    /// A time of zero means that there was nothing to do, not that it took no time: a phase that was not passed stays
    /// nil. On a connection that is used again, libcurl repeats times of its first use.
    ///
    /// Where the server had closed a connection that was to be used again, libcurl tries once more with a new one, and
    /// its times are sums of both tries: they tell of neither.
    ///
    /// - Parameter readyWith: how many connections there had been when the request was first ready to be sent.
    func tell(
        _ hop: inout HTTPHop, from begin: Instant, since before: CurlTimes, notBefore earliest: Instant?,
        readyWith: Int?
    ) {
        func moment(_ now: Int64, _ then: Int64) -> Instant? {
            guard now > then else { return nil }
            let told = begin + Nanoseconds((now - then) * 1_000)
            let notEarly = max(told, earliest ?? told)
            return min(notEarly, hop.ready ?? hop.requestSent ?? notEarly)
        }
        hop.sent = max(heads - before.heads, 0) + upload
        hop.ready = hop.ready ?? moment(ready, before.ready)
        // Without a connection nor an answer, it is a new one that came to nothing: how far it came is told.
        let isNew = connections > before.connections || hop.ready == nil && hop.firstByte == nil
        hop.reusedConnection = !isNew
        guard isNew, readyWith ?? connections == connections else { return }
        hop.nameResolved = moment(name, before.name)
        hop.connected = moment(connect, before.connect)
        hop.tlsDone = moment(tls, before.tls)
    }
}
