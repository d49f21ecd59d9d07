//! A facet: what something must be one of, and what it must not be.

/// Values to choose by: any of some, none of others. Empty, it chooses everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Facet<T> {
    /// Where some are named, one of these it must be.
    pub any_of: Vec<T>,
    /// None of these may it be.
    pub none_of: Vec<T>,
}

impl<T> Default for Facet<T> {
    fn default() -> Self {
        Self { any_of: Vec::new(), none_of: Vec::new() }
    }
}

impl<T> Facet<T> {
    /// Whether it chooses everything.
    pub const fn is_empty(&self) -> bool {
        self.any_of.is_empty() && self.none_of.is_empty()
    }

    /// Exactly this value, where one is given.
    pub fn only(value: Option<T>) -> Self {
        Self { any_of: value.into_iter().collect(), none_of: Vec::new() }
    }

    /// Whether it chooses what has the values for which `has` says yes.
    pub fn chooses(&self, has: impl Fn(&T) -> bool) -> bool {
        (self.any_of.is_empty() || self.any_of.iter().any(&has)) && !self.none_of.iter().any(&has)
    }

    /// The same of other values.
    pub fn map<U>(&self, each: impl Fn(&T) -> U) -> Facet<U> {
        Facet { any_of: self.any_of.iter().map(&each).collect(), none_of: self.none_of.iter().map(&each).collect() }
    }
}
