//! The form of the types of policies.

/// Declares the type of a knob: two or more values, complete by definition.
macro_rules! knob {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident $(($held:ty))?,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[$value_doc])* $value $(($held))?,)* }
    };
}
pub(crate) use knob;
