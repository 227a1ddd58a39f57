//! The tables of policies.

use core::fmt;

/// The rows of a policy's table, at most `MOST`: a value, so that a table can come from a file or a program.
///
/// ```
/// use robots_fetch::{AccessPolicy, AccessResult, Table};
///
/// let mut policy = AccessPolicy::RFC9309;
/// policy.statuses = Table::of(&[(200, 299, AccessResult::Success), (451, 451, AccessResult::Restricted)]);
/// assert_eq!(policy.status_result(451), AccessResult::Restricted);
/// assert_eq!(policy.statuses.rows().count(), 2);
/// // From rows whose number is known only later:
/// let read = vec![(200, 299, AccessResult::Success)];
/// assert!(Table::<_, 16>::new(&read).is_some() && Table::<_, 0>::new(&read).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Table<T, const MOST: usize> {
    rows: [Option<T>; MOST],
}

impl<T: Copy, const MOST: usize> Table<T, MOST> {
    /// Creates a table; `None` if there are more than `MOST` rows.
    #[must_use]
    pub const fn new(rows: &[T]) -> Option<Self> {
        let mut table = Self { rows: [None; MOST] };
        let (mut from, mut to): (&[T], &mut [Option<T>]) = (rows, &mut table.rows);
        while let [first, others @ ..] = from {
            let [place, places @ ..] = to else { return None };
            *place = Some(*first);
            (from, to) = (others, places);
        }
        Some(table)
    }

    /// Creates a table in a program. More than `MOST` rows do not compile.
    #[expect(
        clippy::missing_panics_doc,
        reason = "the number of rows is checked when the program is compiled"
    )]
    #[must_use]
    pub const fn of<const ROWS: usize>(rows: &[T; ROWS]) -> Self {
        const { assert!(ROWS <= MOST, "the table has too many rows") };
        Self::new(rows).expect("there are at most as many rows")
    }

    /// Returns the rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = T> + Clone + '_ {
        self.rows.iter().map_while(|row| *row)
    }
}

/// The rows.
impl<T: Copy + fmt::Debug, const MOST: usize> fmt::Debug for Table<T, MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rows()).finish()
    }
}
