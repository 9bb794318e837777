extension NginxSite {
    /// The text of `answers.lua`: what a scripted site answers, a function for each location (see `Location`).
    ///
    /// `ngx.exit(444)` ends a connection, or over HTTP/2 a stream, without a word more.
    static let answers = #"""
        local answers = {}

        local period = {}
        for index = 0, 255 do period[index + 1] = string.char(index * 7 % 256) end
        period = table.concat(period)

        -- So many bytes of the body that a file of any size would hold, from one on.
        local function piece(first, count)
            local offset = first % 256
            return period:rep(math.ceil((offset + count) / 256)):sub(offset + 1, offset + count)
        end

        local function answer(status, text)
            ngx.status = status
            -- These have no body.
            if status == 204 or status == 304 then return end
            ngx.header["Content-Length"] = #text
            ngx.print(text)
        end

        function answers.echo()
            ngx.req.read_body()
            local path = ngx.req.get_body_file()
            if not path then return answer(200, ngx.req.get_body_data() or "") end
            local file = assert(io.open(path, "rb"))
            ngx.header["Content-Length"] = file:seek("end")
            file:seek("set")
            for bytes in function() return file:read(1048576) end do
                ngx.print(bytes)
                -- Goes on when the kernel has taken them, so that no more than a piece is held in memory.
                if not ngx.flush(true) then break end
            end
            file:close()
        end

        function answers.redirect(hops, last)
            local left = tonumber(hops) - 1
            if left < 0 then return ngx.exec(last) end
            return ngx.redirect(left == 0 and last or "/redirect/" .. left .. last, 302)
        end

        function answers.set_cookie(next)
            ngx.header["Set-Cookie"] = "taskmeter=set; Path=/"
            return ngx.exec(next)
        end

        function answers.require_cookie(next)
            if ngx.var.cookie_taskmeter ~= "set" then return answer(403, "no cookie\n") end
            return ngx.exec(next)
        end

        function answers.slow_first_byte(milliseconds, next)
            ngx.sleep(milliseconds / 1000)
            return ngx.exec(next)
        end

        function answers.slow_body(milliseconds, bytes)
            bytes = tonumber(bytes)
            ngx.header["Content-Length"] = bytes
            ngx.send_headers()
            ngx.flush(true)
            local pieces = math.max(1, math.min(bytes, math.floor(milliseconds / 10), 100))
            ngx.update_time()
            local begin = ngx.now()
            local sent = 0
            for index = 1, pieces do
                -- By the time since the begin, so that what each sleep takes too long does not add up.
                ngx.update_time()
                ngx.sleep(math.max(0, begin + milliseconds / 1000 * index / pieces - ngx.now()))
                local due = math.floor(bytes * index / pieces)
                ngx.print(piece(sent, due - sent))
                if not ngx.flush(true) then return end
                sent = due
            end
        end

        function answers.never()
            ngx.sleep(1000000)
        end

        function answers.reset(bytes)
            bytes = tonumber(bytes)
            ngx.header["Content-Length"] = 2 * bytes + 1
            ngx.print(piece(0, bytes))
            ngx.flush(true)
            -- A reset throws away what the other side had no room for yet.
            ngx.sleep(0.02)
            return ngx.exit(444)
        end

        function answers.garbage()
            if ngx.req.http_version() < 2 then
                local socket = ngx.req.socket(true)
                if socket then socket:send("\0\1\2no HTTP\r\n\r\n") end
            end
            return ngx.exit(444)
        end

        function answers.status(code)
            return answer(tonumber(code), "status " .. code .. "\n")
        end

        function answers.body_length()
            ngx.req.read_body()
            local path = ngx.req.get_body_file()
            if not path then return answer(200, #(ngx.req.get_body_data() or "") .. "\n") end
            local file = assert(io.open(path, "rb"))
            local length = file:seek("end")
            file:close()
            return answer(200, length .. "\n")
        end

        function answers.header_length()
            return answer(200, #(ngx.var.http_x_body or "") .. "\n")
        end

        return answers

        """#
}
