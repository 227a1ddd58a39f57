//! What many parts use: locks, and traits that are implemented in the same way for many types.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a value. What is done under the locks of this crate leaves values whole if it panics.
#[inline]
pub(crate) fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Implements `Debug` for a type, of which only these fields are shown.
macro_rules! debug {
    ([$($generics:tt)*] $type:ty as $name:expr, |$this:ident| $($field:literal: $value:expr),*) => {
        impl<$($generics)*> core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let $this = self;
                f.debug_struct($name)$(.field($field, &$value))*.finish_non_exhaustive()
            }
        }
    };
}

/// Implements `Read` for a type by its `BufRead`.
#[cfg(any(feature = "_message", feature = "sitemap"))]
macro_rules! read_by_parts {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> std::io::Read for $type {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let bytes = std::io::BufRead::fill_buf(self)?.read(buffer)?;
                std::io::BufRead::consume(self, bytes);
                Ok(bytes)
            }
        }
    };
}

/// Defines an enum whose values have names for programs, and texts for people.
macro_rules! named {
    (
        $(#[$about:meta])* pub enum $type:ident; $(#[$about_name:meta])* $name_of:ident;
        $($(#[$about_value:meta])* $value:ident $name:literal $text:literal,)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$about_value])* $value,)*
        }

        impl $type {
            #[allow(dead_code, reason = "not all are listed")]
            const EACH: &[Self] = &[$(Self::$value,)*];

            $(#[$about_name])*
            #[must_use]
            pub const fn $name_of(self) -> &'static str {
                match self { $(Self::$value => $name,)* }
            }

            const fn says(self) -> &'static str {
                match self { $(Self::$value => $text,)* }
            }
        }
    };
}
