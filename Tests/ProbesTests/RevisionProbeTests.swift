import ChildProcesses
import Glibc
import Probes
import Results
import TestSupport
import Testing

@Suite struct RevisionProbeTests {
    private let folder = TemporaryFolder()

    private func git(_ arguments: String...) throws -> String {
        let program = try #require(ChildProcess.executable(named: "git"))
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]
        let output = try ChildProcess.run(program, ["-C", folder.path] + identity + arguments)
        try #require(output.status == .exited(0), "\(output.errors)")
        return String(output.text.prefix { !$0.isNewline })
    }

    private func commit() throws -> String {
        _ = try git("init", "--quiet", "--initial-branch=trunk")
        folder.write("one\n", to: "file")
        _ = try git("add", "file")
        _ = try git("commit", "--quiet", "--message=first")
        return try git("rev-parse", "HEAD")
    }

    @Test("a clean repository has a commit, a branch and no difference")
    func clean() throws {
        let commit = try commit()
        let revision = currentRevision(of: folder.path)
        #expect(revision == Revision(commit: .known(commit), branch: .known("trunk"), differenceHash: nil))
        #expect(revision.short == commit.prefix(7))
    }

    @Test("a folder below the repository's top has the same revision")
    func below() throws {
        let commit = try commit()
        folder.write("x", to: "below/file")
        #expect(currentRevision(of: folder.path + "/below").commit == .known(commit))
        #expect(currentRevision(of: folder.path + "/below") == currentRevision(of: folder.path))
    }

    @Test("a commit that no branch stands on is detached")
    func detached() throws {
        _ = try commit()
        _ = try git("checkout", "--quiet", "--detach")
        #expect(currentRevision(of: folder.path).branch == .known("detached"))
    }

    @Test("each edit of a tracked file gives another hash, and undoing it none")
    func edits() throws {
        _ = try commit()
        folder.write("two\n", to: "file")
        let two = currentRevision(of: folder.path)
        folder.write("three\n", to: "file")
        let three = currentRevision(of: folder.path)
        #expect(two.differenceHash?.count == 40 && three.differenceHash?.count == 40)
        #expect(two.differenceHash != three.differenceHash)
        #expect(two.short.hasSuffix("-dirty"))
        folder.write("two\n", to: "file")
        #expect(currentRevision(of: folder.path).differenceHash == two.differenceHash)
        _ = try git("add", "file")
        #expect(currentRevision(of: folder.path).differenceHash == two.differenceHash, "staging changes no file")
        folder.write("one\n", to: "file")
        #expect(currentRevision(of: folder.path).differenceHash == nil)
    }

    @Test("what an untracked file holds is part of the difference, whatever its name")
    func untracked() throws {
        _ = try commit()
        folder.write("one", to: "a \"new\"\nfile")
        let one = currentRevision(of: folder.path).differenceHash
        folder.write("two", to: "a \"new\"\nfile")
        let two = currentRevision(of: folder.path).differenceHash
        #expect(one != nil && two != nil && one != two)
        #expect(one != "unknown" && two != "unknown")
    }

    @Test("runs that were written into the repository do not make it differ")
    func ignored() throws {
        _ = try commit()
        folder.write("{}", to: "Reports/run/run.json")
        #expect(currentRevision(of: folder.path).differenceHash != nil)
        #expect(currentRevision(of: folder.path, ignoring: [folder.path + "/Reports"]).differenceHash == nil)
        #expect(currentRevision(of: folder.path, ignoring: ["/nowhere"]).differenceHash != "unknown")
    }

    @Test("asking changes nothing in the repository")
    func readsOnly() throws {
        _ = try commit()
        // An index whose times are stale is one that git would like to write anew.
        utimes(folder.path + "/file", [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)])
        let before = folder.bytes(of: ".git/index")
        folder.write("", to: ".git/index.lock")
        #expect(currentRevision(of: folder.path).differenceHash == nil)
        #expect(folder.bytes(of: ".git/index") == before)
    }

    @Test("a repository without a commit, a folder without a repository and no folder each have their reason")
    func none() throws {
        let alone = currentRevision(of: folder.path)
        #expect(alone.short == "norevision")
        #expect(alone.commit.description.contains("not a git repository"))
        _ = try git("init", "--quiet")
        #expect(currentRevision(of: folder.path).commit == .unavailable(reason: "the repository has no commit yet"))
        #expect(currentRevision(of: folder.path + "/nothing").commit.value == nil)
    }

    @Test("a repository that belongs to somebody else is read all the same", .enabled(if: geteuid() == 0))
    func foreign() throws {
        let commit = try commit()
        for name in ["", "/.git", "/file"] { chown(folder.path + name, 65_534, 65_534) }
        #expect(currentRevision(of: folder.path).commit == .known(commit))
    }
}
