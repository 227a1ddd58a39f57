//! The limits of a search.

/// How much work counts as one state, in steps of one automaton or comparisons of two patterns.
const STEPS_PER_STATE: usize = 112;

/// How much memory one state may take on average, in bytes.
const MEMORY_PER_STATE: usize = 256;

/// The largest limit: 1 GiB of states.
const MOST_STATES: usize = 1 << 22;

/// The budget is spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent;

/// The work that a search may still do.
pub(crate) struct Budget {
    most: usize,
    states: usize,
    steps: usize,
    memory: usize,
}

impl Budget {
    pub(crate) const fn new(most: usize) -> Self {
        let most = if most > MOST_STATES { MOST_STATES } else { most };
        Self { most, states: 0, steps: 0, memory: 0 }
    }

    /// Returns the number of states visited so far.
    pub(crate) const fn states(&self) -> usize {
        self.states
    }

    pub(crate) fn spend_steps(&mut self, steps: usize) -> Result<(), Spent> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.most.saturating_mul(STEPS_PER_STATE).saturating_add(10_000_000) {
            Err(Spent)
        } else {
            Ok(())
        }
    }

    /// Counts a state that is visited.
    pub(crate) fn spend_state(&mut self, steps: usize) -> Result<(), Spent> {
        if self.states >= self.most {
            return Err(Spent);
        }
        self.states += 1;
        self.spend_steps(steps)
    }

    /// Counts the memory of a state that is kept, in bytes.
    pub(crate) fn spend_memory(&mut self, bytes: usize) -> Result<(), Spent> {
        self.memory = self.memory.saturating_add(bytes);
        if self.memory > self.most.saturating_mul(MEMORY_PER_STATE) { Err(Spent) } else { Ok(()) }
    }

    /// Forgets the memory of a search that has ended.
    pub(crate) const fn free(&mut self) {
        self.memory = 0;
    }
}
