import LoadPlans

// The generator of `taskmeter load`: a suite whose benchmark is what the plan in its environment says.
LoadSuite.suite(of: LoadSuite.planOfEnvironment()).main()
