//! The three kinds of lists a feature can hold, read where they lie.

use std::marker::PhantomData;
use std::ops::Range;

use super::wire::{Broken, Value, Wire};
use crate::fault::Code;

/// What lists are made of: byte strings, `f32` and `i64`.
pub trait Element<'a>: Sized + sealed::Read<'a> {}

impl<'a> Element<'a> for &'a [u8] {}
impl Element<'_> for f32 {}
impl Element<'_> for i64 {}

pub(super) mod sealed {
    use super::{Broken, Code, Value, Wire};

    /// What a field of a list turned out to be.
    pub enum Took<'a, T> {
        Alone(T),
        Packed(Wire<'a>),
        Other,
    }

    pub trait Read<'a>: Sized {
        fn take(value: Value<'a>) -> Result<Took<'a, Self>, Broken>;
        fn unpack(packed: &mut Wire<'a>) -> Result<Self, Broken>;
    }

    impl<'a> Read<'a> for &'a [u8] {
        fn take(value: Value<'a>) -> Result<Took<'a, Self>, Broken> {
            Ok(match value {
                Value::Bytes(wire) => Took::Alone(wire.0),
                _ => Took::Other,
            })
        }

        fn unpack(packed: &mut Wire<'a>) -> Result<Self, Broken> {
            Err(Broken::new(Code::BadPacked, *packed))
        }
    }

    impl<'a> Read<'a> for i64 {
        fn take(value: Value<'a>) -> Result<Took<'a, Self>, Broken> {
            Ok(match value {
                Value::Varint(number) => Took::Alone(number as Self),
                Value::Bytes(wire) => Took::Packed(wire),
                _ => Took::Other,
            })
        }

        fn unpack(packed: &mut Wire<'a>) -> Result<Self, Broken> {
            packed.varint().map(|number| number as Self)
        }
    }

    impl<'a> Read<'a> for f32 {
        fn take(value: Value<'a>) -> Result<Took<'a, Self>, Broken> {
            Ok(match value {
                Value::Fixed32(bits) => Took::Alone(Self::from_bits(bits)),
                Value::Bytes(wire) if !wire.0.len().is_multiple_of(4) => {
                    return Err(Broken::new(Code::BadPacked, wire));
                }
                Value::Bytes(wire) => Took::Packed(wire),
                _ => Took::Other,
            })
        }

        fn unpack(packed: &mut Wire<'a>) -> Result<Self, Broken> {
            packed.fixed32().map(Self::from_bits)
        }
    }
}

/// A list, and an iterator over what it holds; it was read once already, so nothing can fail.
#[derive(Clone, Copy)]
pub struct Values<'a, T> {
    fields: Wire<'a>,
    packed: Wire<'a>,
    left: usize,
    of: PhantomData<T>,
}

impl<'a, T: Element<'a>> Values<'a, T> {
    /// Reads a list to its end, so that what is malformed is found now.
    pub(super) fn read(list: Wire<'a>) -> Result<Self, Broken> {
        let packed = list.end();
        let (mut ahead, mut left) = (Self { fields: list, packed, left: 0, of: PhantomData }, 0);
        while ahead.step()?.is_some() {
            left += 1;
        }
        Ok(Self { fields: list, packed, left, of: PhantomData })
    }

    /// The value of a list of one.
    #[must_use]
    pub fn only(mut self) -> Option<T> {
        if self.left == 1 { self.next() } else { None }
    }

    fn step(&mut self) -> Result<Option<T>, Broken> {
        loop {
            if !self.packed.0.is_empty() {
                return T::unpack(&mut self.packed).map(Some);
            }
            let Some((number, value)) = self.fields.field()? else { return Ok(None) };
            if number != 1 {
                continue;
            }
            match T::take(value)? {
                sealed::Took::Alone(value) => return Ok(Some(value)),
                sealed::Took::Packed(packed) => self.packed = packed,
                sealed::Took::Other => {}
            }
        }
    }
}

impl<'a, T: Element<'a>> Iterator for Values<'a, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let value = self.step().ok().flatten()?;
        self.left -= 1;
        Some(value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<'a, T: Element<'a>> ExactSizeIterator for Values<'a, T> {}

impl<'a, T: Element<'a> + Copy + std::fmt::Debug> std::fmt::Debug for Values<'a, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// Which bytes of `whole` a slice of it is; `None` for a slice of anything else.
///
/// ```
/// use pixfeed_core::record::values::range_in;
/// let whole = [1, 2, 3, 4];
/// assert_eq!(range_in(&whole, &whole[1..3]), Some(1..3));
/// assert_eq!(range_in(&whole[..2], &whole[1..3]), None);
/// ```
#[must_use]
pub fn range_in(whole: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    (end <= whole.len()).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(list: &[u8]) -> Result<Vec<i64>, Code> {
        Values::read(Wire(list)).map(Iterator::collect).map_err(|broken| broken.code)
    }

    #[test]
    fn packed_and_alone_in_any_mixture() {
        assert_eq!(ints(&[]), Ok(vec![]));
        assert_eq!(ints(&[10, 2, 3, 4]), Ok(vec![3, 4]));
        assert_eq!(ints(&[8, 3, 10, 0, 10, 2, 4, 5, 16, 9, 8, 6]), Ok(vec![3, 4, 5, 6]));
        let minus = [8, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        assert_eq!(ints(&minus), Ok(vec![-2]));
        assert_eq!(ints(&[10, 2, 3, 0x84]), Err(Code::CutExample));
        let mut values = Values::<i64>::read(Wire(&[10, 2, 3, 4])).unwrap();
        assert_eq!((values.len(), values.only()), (2, None));
        assert_eq!((values.next(), values.len(), values.only()), (Some(3), 1, Some(4)));
    }

    #[test]
    fn floats_and_bytes() {
        let floats = [10, 4, 0, 0, 0x80, 0x3f, 13, 0, 0, 0, 0xc0];
        let read: Vec<f32> = Values::read(Wire(&floats)).unwrap().collect();
        assert_eq!(read, [1.0, -2.0]);
        let list = [10, 3, 0, 0, 0];
        let broken = Values::<f32>::read(Wire(&list)).unwrap_err();
        assert_eq!((broken.code, broken.offset(&list)), (Code::BadPacked, 2));
        let bytes = [10, 1, 65, 18, 1, 66, 10, 0, 8, 7];
        let read: Vec<&[u8]> = Values::read(Wire(&bytes)).unwrap().collect();
        assert_eq!(read, [&b"A"[..], b""]);
    }
}
