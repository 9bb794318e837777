import FoundationEssentials
import Glibc
import HTTPStacks
import LoadPlans
import RequestTasks
import Results
import TaskMeter

/// The suite that puts a server under load as a plan says.
///
/// Its strategies are stacks: the ways in which a request may be made. Rate, number in flight and server are axes.
enum LoadSuite {
    /// The plan that the command left in the environment; ends the process when there is none.
    static func planOfEnvironment() -> LoadPlan {
        guard let path = getenv(LoadPlan.variable),
            let bytes = try? Data(contentsOf: URL(filePath: String(cString: path))),
            let plan = try? JSONDecoder().decode(LoadPlan.self, from: bytes)
        else {
            print(
                "\(LoadPlan.generator): this is the generator of `taskmeter load`, which starts it; see `taskmeter load --help`"
            )
            exit(2)
        }
        return plan
    }

    /// Files that the process has open beside its connections.
    private static let otherDescriptors = 64

    /// Raises the process's limit on open files as far as its connections need and it may.
    static func allowConnections(_ plan: LoadPlan) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        let needed = rlim_t(plan.connections + otherDescriptors)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return }
        limit.rlim_cur = min(needed, limit.rlim_max)
        setrlimit(resource, &limit)
    }

    /// Ends the process: with a sentence where a stack or the system lacks what the plan asks for.
    static func check(_ plan: LoadPlan) -> Never {
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < rlim_t(plan.connections + otherDescriptors)
        {
            print(
                "\(plan.connections) connections are more than the \(limit.rlim_cur) files that a process may open here; ask for "
                    + "fewer with --connections, or raise `ulimit -n`")
            exit(2)
        }
        for stack in HTTPStackChoice.all where plan.stacks.contains(stack.name) {
            do throws(StackError) {
                try stack.check(
                    ConnectionPolicy(plan), encrypts: plan.targets.contains { $0.url.lowercased().hasPrefix("https:") },
                    redirects: plan.mostRedirects > 0)
            } catch {
                print(error.description)
                exit(2)
            }
        }
        exit(0)
    }

    /// Two servers are what their run is about.
    private static func comparing(servers: Axis<String>, of plan: LoadPlan, _ benchmark: Benchmark) -> Benchmark {
        guard plan.targets.count > 1 else { return benchmark }
        return benchmark.answering(
            Experiment("Which server answers better?", comparing: servers, by: plan.decidingMetric))
    }

    static func suite(of plan: LoadPlan) -> Suite {
        let server = Axis(LoadPlan.serverAxis, plan.targets.map(\.name))
        let stacks = HTTPStackChoice.all.filter { plan.stacks.contains($0.name) }
        let name = plan.method.lowercased()
        let about = "Requests \(plan.targets.map(\.url).joined(separator: " or ")) by \(plan.method)."
        // Where there is one server, its name would only make identities longer.
        let servers: [any AnyAxis] = plan.targets.count > 1 ? [server] : []
        @Sendable func prepare(_ parameters: Parameters) throws -> Work {
            let place = plan.targets.count > 1 ? plan.targets.firstIndex { $0.name == parameters[server] } ?? 0 : 0
            let stack = stacks.first { $0.name == parameters.strategy?.name } ?? stacks[0]
            return try Work.loading(plan, plan.targets[place].url, stack, clock: parameters.clock)
        }
        func suite(
            _ axes: [any AnyAxis], _ count: TaskCount, warmup: @escaping @Sendable (Parameters) -> Int,
            load: @escaping @Sendable (Parameters) -> Load
        ) -> Suite {
            Suite(LoadPlan.suite) {
                comparing(
                    servers: server, of: plan,
                    Benchmark(
                        name, about, strategies: stacks.map { $0.strategy(connections: plan.connections) },
                        axes: servers + axes, tasks: count, warmupBy: warmup, loadBy: load, prepare: prepare))
            }
        }
        let warmup = max(200, 4 * plan.connections)
        switch plan.arrivals {
        case .closed(let concurrencies):
            let inFlight = Axis(LoadPlan.concurrencyAxis, concurrencies)
            return suite(
                [inFlight], .during(plan.duration), warmup: { _ in warmup }, load: { .inFlight($0[inFlight]) })
        case .open(let rates, let spread):
            let rate = Axis(LoadPlan.rateAxis, rates)
            let seconds = Double(plan.duration.count) / 1e9
            // The warm-up comes at the same rate: half a second of it.
            return suite(
                [rate], .by { max(Int(($0[rate] * seconds).rounded()), 1) },
                warmup: { max(1, min(warmup, Int($0[rate] / 2))) },
                load: { .open(perSecond: $0[rate], spread == .poisson ? .poisson : .uniform) })
        case .recorded(let moments):
            return suite(
                [], TaskCount(moments.count), warmup: { _ in 1 },
                load: { _ in .scheduled(moments.map(Nanoseconds.init)) })
        }
    }
}

extension LoadPlan {
    /// By what two servers are compared: how many they answer where each request waits for another, else the furthest percentile of
    /// response that the requests of a trial bear out.
    fileprivate var decidingMetric: Metric {
        let fewest: Double
        switch arrivals {
        case .closed: return .throughput
        case .open(let rates, _): fewest = (rates.min() ?? 0) * Double(duration.count) / 1e9
        case .recorded(let moments): fewest = Double(moments.count)
        }
        // Ten requests have to lie beyond a percentile.
        return .tasks(.response, fewest >= 1_000 ? .p99 : fewest >= 100 ? .p90 : .p50)
    }
}
