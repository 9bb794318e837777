/// Takes a value and does nothing with it, in a way that the optimiser cannot see through.
///
/// A result that nobody uses need not be computed, and the optimiser then removes the work that a task was to measure.
/// Hand the result over here, and it is computed.
///
/// The function is compiled without optimisation and never inlined or specialised, so a caller must produce the whole
/// value and pass it, whatever the body does with it. That costs a call of about a nanosecond. What it does not prevent:
/// a result that does not change from task to task may be computed once and handed over many times. So let each task's
/// input come from where the optimiser cannot know it, such as an array that was made at run time.
@inline(never)
@_optimize(none)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {}
