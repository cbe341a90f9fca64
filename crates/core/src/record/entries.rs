//! The map of an Example's features, entry by entry.

use super::example::{Feature, List};
use super::values::Values;
use super::wire::{Broken, Value, Wire};
use crate::fault::Code;

/// The entries of the map of features, however many messages it is spread over.
pub(super) struct Entries<'a> {
    example: Wire<'a>,
    features: Wire<'a>,
}

/// One of them.
pub(super) struct Entry<'a> {
    pub name: Wire<'a>,
    feature: Wire<'a>,
}

impl<'a> Entries<'a> {
    pub fn of(payload: &'a [u8]) -> Self {
        let example = Wire(payload);
        Self { example, features: example.end() }
    }

    #[inline]
    pub fn next(&mut self) -> Result<Option<Entry<'a>>, Broken> {
        loop {
            match self.features.field()? {
                Some((1, Value::Bytes(entry))) => return Entry::read(entry).map(Some),
                Some(_) => continue,
                None => {}
            }
            match self.example.field()? {
                Some((1, Value::Bytes(features))) => self.features = features,
                Some(_) => {}
                None => return Ok(None),
            }
        }
    }
}

impl<'a> Entry<'a> {
    #[inline]
    fn read(mut entry: Wire<'a>) -> Result<Self, Broken> {
        let (mut name, mut feature) = (None, None);
        loop {
            let start = entry;
            match entry.field()? {
                Some((1, Value::Bytes(value))) => name = Some(value),
                Some((2, Value::Bytes(value))) => {
                    if feature.replace(value).is_some() {
                        return Err(Broken::new(Code::RepeatedField, start));
                    }
                }
                Some(_) => {}
                None => break,
            }
        }
        let nothing = entry.end();
        Ok(Self { name: name.unwrap_or(nothing), feature: feature.unwrap_or(nothing) })
    }

    pub fn name(&self) -> Result<&'a str, Broken> {
        std::str::from_utf8(self.name.0).map_err(|_| Broken::new(Code::FeatureName, self.name))
    }

    /// The list that was set last is the one that counts.
    #[inline]
    pub fn feature(&self) -> Result<Feature<'a>, Broken> {
        let (mut fields, mut last) = (self.feature, None);
        loop {
            let start = fields;
            match fields.field()? {
                Some((kind @ 1..=3, Value::Bytes(list))) => {
                    if last.replace((kind, list)).is_some_and(|(before, _)| before == kind) {
                        return Err(Broken::new(Code::RepeatedField, start));
                    }
                }
                Some(_) => {}
                None => break,
            }
        }
        let list = match last {
            Some((1, list)) => List::Bytes(Values::read(list)?),
            Some((2, list)) => List::Floats(Values::read(list)?),
            Some((_, list)) => List::Ints(Values::read(list)?),
            None => List::Empty,
        };
        Ok(Feature { raw: self.feature.0, list })
    }
}
