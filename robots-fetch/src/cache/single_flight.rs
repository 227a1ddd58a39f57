//! One retrieval at a time of each origin, however many threads ask.

use alloc::sync::Arc;
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::entry::Entry;
use crate::origin::Origin;

/// The retrievals that are under way: as many as threads retrieve.
#[derive(Default)]
pub(super) struct Flights(Mutex<HashMap<Origin, Arc<Flight>>>);

/// Where one who asks finds a place.
pub(super) enum Seat<'f> {
    /// Who has to retrieve.
    Pilot(Pilot<'f>),
    /// Who waits.
    Passenger(Arc<Flight>),
}

/// One retrieval.
#[derive(Default)]
pub(super) struct Flight {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
enum State {
    #[default]
    UnderWay,
    Landed(Arc<Entry>),
    /// It panicked.
    Lost,
}

/// The one who retrieves. Whatever becomes of it, those who wait are told.
pub(super) struct Pilot<'f> {
    flights: &'f Flights,
    flight: Arc<Flight>,
    origin: Origin,
}

// Nothing that is done under these locks can panic half way.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Flights {
    pub(super) fn board(&self, origin: &Origin) -> Seat<'_> {
        let mut flights = lock(&self.0);
        if let Some(flight) = flights.get(origin) {
            return Seat::Passenger(Arc::clone(flight));
        }
        let flight = Arc::new(Flight::default());
        flights.insert(origin.clone(), Arc::clone(&flight));
        Seat::Pilot(Pilot { flights: self, flight, origin: origin.clone() })
    }

    /// How many wait for the retrieval of an origin that is under way.
    #[cfg(test)]
    pub(super) fn waiting(&self, origin: &Origin) -> usize {
        // The map and the pilot have it, too.
        lock(&self.0).get(origin).map_or(0, |flight| Arc::strong_count(flight).saturating_sub(2))
    }
}

impl Flight {
    /// What came of it; nothing if it was lost.
    pub(super) fn wait(&self) -> Option<Arc<Entry>> {
        let under_way = |state: &mut State| matches!(state, State::UnderWay);
        let state =
            self.ended.wait_while(lock(&self.state), under_way).unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Landed(entry) => Some(Arc::clone(entry)),
            State::UnderWay | State::Lost => None,
        }
    }
}

impl Pilot<'_> {
    pub(super) fn land(self, entry: Arc<Entry>) -> Arc<Entry> {
        *lock(&self.flight.state) = State::Landed(Arc::clone(&entry));
        entry
    }
}

impl Drop for Pilot<'_> {
    fn drop(&mut self) {
        // Who comes from now on begins anew.
        lock(&self.flights.0).remove(&self.origin);
        let mut state = lock(&self.flight.state);
        if matches!(*state, State::UnderWay) {
            *state = State::Lost;
        }
        drop(state);
        self.flight.ended.notify_all();
    }
}
