import LoadPlans

// The generator of `taskmeter load`: a suite whose benchmark is what the plan in its environment says.
let plan = LoadSuite.planOfEnvironment()
LoadSuite.allowConnections(plan)
if CommandLine.arguments.dropFirst().elementsEqual([LoadPlan.checkOption]) { LoadSuite.check(plan) }
LoadSuite.suite(of: plan).main()
