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
        guard let text = getenv(LoadPlan.variable),
            let plan = try? JSONDecoder().decode(LoadPlan.self, from: Data(String(cString: text).utf8))
        else {
            print(
                "\(LoadPlan.generator): this is the generator of `taskmeter load`, which starts it; see `taskmeter load --help`"
            )
            exit(2)
        }
        return plan
    }

    /// Ends the process: with a sentence where a stack lacks what the plan asks for.
    static func check(_ plan: LoadPlan) -> Never {
        for stack in HTTPStackChoice.all where plan.stacks.contains(stack.name) {
            do throws(StackError) { try stack.check(ConnectionPolicy(plan)) } catch {
                print(error.description)
                exit(2)
            }
        }
        exit(0)
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
            _ axes: [any AnyAxis], _ count: TaskCount, warmup: Int, _ load: @escaping @Sendable (Parameters) -> Load
        ) -> Suite {
            Suite(LoadPlan.suite) {
                Benchmark(
                    name, about, strategies: stacks.map { $0.strategy(connections: plan.connections) },
                    axes: servers + axes, tasks: count, warmupTasks: warmup, loadBy: load, prepare: prepare)
            }
        }
        let warmup = max(200, 4 * plan.connections)
        switch plan.arrivals {
        case .closed(let concurrencies):
            let inFlight = Axis(LoadPlan.concurrencyAxis, concurrencies)
            return suite([inFlight], .during(plan.duration), warmup: warmup) { .inFlight($0[inFlight]) }
        case .open(let rates, let spread):
            let rate = Axis(LoadPlan.rateAxis, rates)
            let seconds = Double(plan.duration.count) / 1e9
            // The warm-up comes at the same rate: half a second of it.
            return suite(
                [rate], .by { max(Int(($0[rate] * seconds).rounded()), 1) },
                warmup: max(1, min(warmup, Int((rates.min() ?? 1) / 2)))
            ) { .open(perSecond: $0[rate], spread == .poisson ? .poisson : .uniform) }
        case .recorded(let moments):
            return suite([], TaskCount(moments.count), warmup: 1) { _ in .scheduled(moments.map(Nanoseconds.init)) }
        }
    }
}
