//! `tf.train.Example`, looked into where it lies: nothing is copied, allocated or built.
//!
//! It is read as protobuf reads it: fields in any order, unknown ones skipped, lists packed or not, a
//! name given twice has its last value. Three things that no writer does are refused where protobuf
//! takes them: a feature whose parts would have to be merged (`Code::RepeatedField`), numbers of
//! more than 64 bits (`Code::BadVarint`) and groups (`Code::BadField`).

use super::entries::Entries;
use super::values::Values;
use super::wire::Broken;
use crate::fault::Fault;

/// An Example in the bytes of a payload.
///
/// ```
/// use pixfeed_core::record::{Builder, Example, List, Value};
/// let mut payload = Vec::new();
/// Builder::new().add("b", Value::Int(-7)).add("a", Value::Bytes(b"A")).write(&mut payload);
/// let example = Example::new(&payload);
/// let [b, missing] = example.find(&["b", "c"]).unwrap();
/// assert!(matches!(b.unwrap().list(), List::Ints(values) if values.only() == Some(-7)));
/// assert!(missing.is_none());
/// let names: Vec<&str> = example.features().map(|feature| feature.unwrap().0).collect();
/// assert_eq!(names, ["a", "b"]);
/// ```
#[derive(Clone, Copy)]
pub struct Example<'a> {
    payload: &'a [u8],
}

/// What an Example has under a name.
#[derive(Clone, Copy, Debug)]
pub struct Feature<'a> {
    pub(super) raw: &'a [u8],
    pub(super) list: List<'a>,
}

/// The values of a feature.
#[derive(Clone, Copy, Debug)]
pub enum List<'a> {
    /// It does not say of what kind.
    Empty,
    /// Byte strings.
    Bytes(Values<'a, &'a [u8]>),
    /// Floats.
    Floats(Values<'a, f32>),
    /// Integers.
    Ints(Values<'a, i64>),
}

impl<'a> Example<'a> {
    /// The Example in these bytes; they are read when something is asked of it.
    #[must_use]
    pub fn new(payload: &'a [u8]) -> Self {
        Self { payload }
    }

    /// The features of some names, in their order, in one pass.
    ///
    /// Quickest when the names are asked for in the order they are stored in (writers sort them).
    /// Features of other names are passed over, and their values not looked at.
    ///
    /// # Errors
    /// The first malformation met.
    pub fn find<const N: usize>(
        &self,
        names: &[&str; N],
    ) -> Result<[Option<Feature<'a>>; N], Fault> {
        let mut found = [None; N];
        self.find_each(&names.map(Some), &mut found)?;
        Ok(found)
    }

    /// The same into places of the caller; where there is no name, nothing is looked for.
    ///
    /// # Errors
    /// The first malformation met.
    ///
    /// # Panics
    /// When there are not as many places as names.
    pub fn find_each(
        &self,
        names: &[Option<&str>],
        found: &mut [Option<Feature<'a>>],
    ) -> Result<(), Fault> {
        assert_eq!(names.len(), found.len(), "a place for each name");
        found.fill(None);
        self.look_up(names, found).map_err(|broken| broken.fault(self.payload))
    }

    fn look_up(
        &self,
        names: &[Option<&str>],
        found: &mut [Option<Feature<'a>>],
    ) -> Result<(), Broken> {
        let (mut entries, mut next) = (Entries::of(self.payload), 0);
        while let Some(entry) = entries.next()? {
            if let Some(place) = find(names, entry.name.0, next) {
                found[place] = Some(entry.feature()?);
                next = place + 1;
            }
        }
        Ok(())
    }

    /// All features with their names, as they are stored: of a name given twice, the last one counts.
    #[must_use]
    pub fn features(&self) -> Features<'a> {
        Features { payload: self.payload, entries: Some(Entries::of(self.payload)) }
    }
}

/// Where a name is among those asked for, looked for from `next` on and around.
#[inline]
fn find(names: &[Option<&str>], name: &[u8], next: usize) -> Option<usize> {
    let is = |wanted: &Option<&str>| wanted.is_some_and(|wanted| wanted.as_bytes() == name);
    let (before, after) = names.split_at(next.min(names.len()));
    let behind = || before.iter().position(is);
    after.iter().position(is).map(|place| place + before.len()).or_else(behind)
}

/// All features of an Example; ends with the first malformation.
pub struct Features<'a> {
    payload: &'a [u8],
    entries: Option<Entries<'a>>,
}

impl<'a> Iterator for Features<'a> {
    type Item = Result<(&'a str, Feature<'a>), Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.entries.as_mut()?.next().transpose()?;
        let answer = entry.and_then(|entry| Ok((entry.name()?, entry.feature()?)));
        if answer.is_err() {
            self.entries = None;
        }
        Some(answer.map_err(|broken| broken.fault(self.payload)))
    }
}

impl<'a> Feature<'a> {
    /// Its values.
    #[must_use]
    pub fn list(&self) -> List<'a> {
        self.list
    }

    /// The bytes it is stored as, which a [`super::Builder`] passes on untouched.
    #[must_use]
    pub fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// How many values it has.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.list {
            List::Empty => 0,
            List::Bytes(values) => values.len(),
            List::Floats(values) => values.len(),
            List::Ints(values) => values.len(),
        }
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
