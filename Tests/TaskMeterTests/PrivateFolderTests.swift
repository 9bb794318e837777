import Glibc
import TaskMeter
import Testing

@Suite("A folder of a process alone")
struct PrivateFolderTests {
    @Test("a folder whose owner is gone is removed by the next who makes one, with all that is in it")
    func abandoned() throws {
        let prefix = "taskmeter-test-\(getpid())-abandoned-"
        let first = try PrivateFolder(prefix: prefix)
        // What a killed process leaves: the same folder, but nobody's lock.
        let stem = String(first.path.dropLast(6))
        let left = stem + "gone12"
        try #require(mkdir(left, 0o700) == 0 && mkdir(left + "/inner", 0o700) == 0)
        fclose(fopen(left + "/inner/file", "w"))
        fclose(fopen(left + "/.taskmeter-private-folder", "w"))
        // What only looks alike: without our mark, or open to others.
        let alike = [(stem + "backup", mode_t(0o700)), (stem + "open12", 0o755)]
        for (path, mode) in alike { try #require(mkdir(path, mode) == 0) }
        defer { for (path, _) in alike { rmdir(path) } }

        let second = try PrivateFolder(prefix: prefix)
        #expect(access(left, F_OK) != 0)
        #expect(alike.allSatisfy { access($0.0, F_OK) == 0 })
        #expect(access(first.path, F_OK) == 0)
        #expect(access(second.path, F_OK) == 0)
        #expect(first.path != second.path)
    }

    @Test("a folder is gone when it is let go, and can be removed before without harm")
    func removed() throws {
        let folder = try PrivateFolder(prefix: "taskmeter-test-\(getpid())-removed-")
        fclose(fopen(folder.path + "/file", "w"))
        folder.remove()
        #expect(access(folder.path, F_OK) != 0)
        folder.remove()
    }
}
