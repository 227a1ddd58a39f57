//! Steps of work, which tests count: the work of a file must not grow faster than the file.

#[cfg(test)]
std::thread_local! {
    static STEPS: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Counts a step of this thread in tests, and does nothing in programs.
#[inline]
pub(crate) fn step() {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + 1));
}

/// Returns the steps that `work` takes.
#[cfg(test)]
pub(crate) fn steps_of(work: impl FnOnce()) -> usize {
    let before = STEPS.with(core::cell::Cell::get);
    work();
    STEPS.with(core::cell::Cell::get) - before
}
