import Glibc
import Requests
import Testing

@Suite("A folder of a process alone")
struct PrivateFolderTests {
    @Test("a folder whose owner is gone is removed by the next who makes one, with all that is in it")
    func abandoned() throws {
        let prefix = "taskmeter-test-\(getpid())-abandoned-"
        let first = try PrivateFolder(prefix: prefix)
        // What a killed process leaves: the same folder, but nobody's lock.
        let left = first.path.replacing(prefix, with: prefix + "old-")
        try #require(mkdir(left, 0o700) == 0 && mkdir(left + "/inner", 0o700) == 0)
        fclose(fopen(left + "/inner/file", "w"))

        let second = try PrivateFolder(prefix: prefix)
        #expect(access(left, F_OK) != 0)
        #expect(access(first.path, F_OK) == 0)
        #expect(access(second.path, F_OK) == 0)
        #expect(first.path != second.path)
    }

    @Test("a folder is gone when it is let go, and can be removed before without harm")
    func removed() throws {
        let folder = try PrivateFolder(prefix: "taskmeter-test-\(getpid())-removed-")
        try folder.write([1, 2, 3], to: "file")
        folder.remove()
        #expect(access(folder.path, F_OK) != 0)
        #expect(throws: PrivateFolderError.self) { try folder.write([1], to: "file") }
    }
}
