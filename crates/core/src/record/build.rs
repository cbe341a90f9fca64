//! Makes the bytes of an Example: the same for the same features, in whatever order they were given.
//!
//! They equal those of `SerializeToString(deterministic=True)` in TensorFlow's Python: entries of the
//! map are ordered by the bytes of their names, but a name comes behind those it is the beginning of
//! (its serialiser, upb, writes from the end; C++ has it before them). Each has its name first, also an
//! empty one, and its feature second; numbers are packed, an empty list of them has no field in it.

use std::cmp::Ordering;

/// The values of a feature to be written, borrowed until it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A byte string.
    Bytes(&'a [u8]),
    /// A text, which is stored as its UTF-8 bytes.
    Text(&'a str),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f32),
    /// Byte strings.
    BytesList(&'a [&'a [u8]]),
    /// Integers.
    Ints(&'a [i64]),
    /// Floats.
    Floats(&'a [f32]),
    /// A feature as it was stored elsewhere: [`super::Feature::raw`].
    Raw(&'a [u8]),
}

/// Gathers features.
///
/// ```
/// use pixfeed_core::record::{Builder, Value};
/// let mut payload = Vec::new();
/// Builder::new().add("n", Value::Ints(&[1, 300])).write(&mut payload);
/// let bytes = [10, 14, 10, 12, 10, 1, b'n', 18, 7, 26, 5, 10, 3, 1, 0xac, 2];
/// assert_eq!(payload, bytes);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder<'a> {
    features: Vec<(&'a str, Value<'a>)>,
}

impl<'a> Builder<'a> {
    /// An Example without features.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a feature; of a name given twice, the last one counts.
    pub fn add(&mut self, name: &'a str, value: Value<'a>) -> &mut Self {
        self.features.push((name, value));
        self
    }

    /// Forgets the features and keeps the room for the next ones.
    pub fn clear(&mut self) {
        self.features.clear();
    }

    /// Appends the Example to `out`, which grows once at most.
    pub fn write(&mut self, out: &mut Vec<u8>) {
        // Latest first within a name, and of those the first is kept.
        self.features.reverse();
        self.features.sort_by(|(a, _), (b, _)| order(a, b));
        self.features.dedup_by_key(|(name, _)| *name);
        let bytes = self.features.iter().map(|entry| field(Entry::of(entry).bytes)).sum();
        out.reserve(field(bytes));
        length(out, FIRST, bytes);
        self.features.iter().for_each(|entry| Entry::of(entry).write(entry, out));
    }
}

/// As if each name ended in a byte above all others.
fn order(a: &str, b: &str) -> Ordering {
    if a.starts_with(b) || b.starts_with(a) { b.len().cmp(&a.len()) } else { a.cmp(b) }
}

/// The tags of fields 1 and 2 that have a length.
const FIRST: u8 = 10;
const SECOND: u8 = 18;

/// The sizes of an entry's nested messages.
struct Entry {
    bytes: usize,
    feature: usize,
    list: usize,
    packed: usize,
}

impl Entry {
    fn of(&(name, value): &(&str, Value<'_>)) -> Self {
        let packed = match value {
            Value::Int(number) => varint_size(number as u64),
            Value::Ints(numbers) => numbers.iter().map(|&n| varint_size(n as u64)).sum(),
            Value::Float(_) => 4,
            Value::Floats(numbers) => 4 * numbers.len(),
            _ => 0,
        };
        let list = match value {
            Value::Bytes(bytes) => field(bytes.len()),
            Value::Text(text) => field(text.len()),
            Value::BytesList(many) => many.iter().map(|bytes| field(bytes.len())).sum(),
            _ if packed == 0 => 0,
            _ => field(packed),
        };
        let feature = match value {
            Value::Raw(bytes) => bytes.len(),
            _ => field(list),
        };
        Self { bytes: field(name.len()) + field(feature), feature, list, packed }
    }

    fn write(&self, &(name, value): &(&str, Value<'_>), out: &mut Vec<u8>) {
        length(out, FIRST, self.bytes);
        string(out, name.as_bytes());
        length(out, SECOND, self.feature);
        match value {
            Value::Raw(bytes) => out.extend_from_slice(bytes),
            Value::Bytes(_) | Value::Text(_) | Value::BytesList(_) => length(out, 10, self.list),
            Value::Float(_) | Value::Floats(_) => length(out, 18, self.list),
            Value::Int(_) | Value::Ints(_) => length(out, 26, self.list),
        }
        if self.packed > 0 {
            length(out, FIRST, self.packed);
        }
        match value {
            Value::Raw(_) => {}
            Value::Bytes(bytes) => string(out, bytes),
            Value::Text(text) => string(out, text.as_bytes()),
            Value::BytesList(many) => many.iter().for_each(|bytes| string(out, bytes)),
            Value::Int(number) => varint(out, number as u64),
            Value::Ints(numbers) => numbers.iter().for_each(|&number| varint(out, number as u64)),
            Value::Float(number) => out.extend_from_slice(&number.to_le_bytes()),
            Value::Floats(numbers) => {
                numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
            }
        }
    }
}

/// The size of a field with so many bytes in it; all tags here are one byte.
fn field(bytes: usize) -> usize {
    1 + varint_size(bytes as u64) + bytes
}

fn varint_size(number: u64) -> usize {
    (64 - (number | 1).leading_zeros()).div_ceil(7) as usize
}

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn length(out: &mut Vec<u8>, tag: u8, bytes: usize) {
    out.push(tag);
    varint(out, bytes as u64);
}

fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    length(out, FIRST, bytes.len());
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(features: &[(&'static str, Value<'static>)]) -> Vec<u8> {
        let (mut builder, mut out) = (Builder::new(), Vec::new());
        for &(name, value) in features {
            builder.add(name, value);
        }
        builder.write(&mut out);
        out
    }

    #[test]
    fn order_does_not_matter_but_the_last_of_a_name_does() {
        let ab = built(&[("a", Value::Int(1)), ("b", Value::Float(2.0))]);
        assert_eq!(ab, built(&[("b", Value::Float(2.0)), ("a", Value::Int(1))]));
        let again = [("a", Value::Int(9)), ("b", Value::Float(2.0)), ("a", Value::Int(1))];
        assert_eq!(ab, built(&again));
    }

    #[test]
    fn a_name_comes_behind_those_it_begins() {
        let mut names = ["", "b", "a", "ab", "aaa", "aa", "\u{10ffff}"];
        names.sort_by(|a, b| order(a, b));
        assert_eq!(names, ["aaa", "aa", "ab", "a", "b", "\u{10ffff}", ""]);
    }

    #[test]
    fn varints_are_as_long_as_they_are_said_to_be() {
        for number in (0..64).flat_map(|bit| [(1u64 << bit) - 1, 1 << bit, u64::MAX >> bit]) {
            let mut out = Vec::new();
            varint(&mut out, number);
            assert_eq!(out.len(), varint_size(number), "{number}");
        }
    }

    #[test]
    fn one_and_a_list_of_one_are_the_same() {
        let same = |a, b| assert_eq!(built(&[("x", a)]), built(&[("x", b)]));
        same(Value::Int(-5), Value::Ints(&[-5]));
        same(Value::Float(0.5), Value::Floats(&[0.5]));
        same(Value::Text("t"), Value::BytesList(&[b"t"]));
        same(Value::Bytes(b"t"), Value::Raw(&[10, 3, 10, 1, b't']));
        same(Value::Ints(&[]), Value::Raw(&[26, 0]));
    }
}
