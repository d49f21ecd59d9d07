//! The numbers that one store gives to its pairs, rulings and requests.

use std::fmt;

/// A number that names something in one store.
macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number!(
    /// The number of an entry of the queue.
    PairId
);
number!(
    /// The number of a ruling; later rulings have greater numbers.
    RulingId
);
number!(
    /// The request for a re-observation: the number of the ruling that made it.
    RequestId
);
