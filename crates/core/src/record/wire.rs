//! The wire format of protobuf: tags, varints and lengths, read where they lie.

use super::damage::EXAMPLE;
use crate::fault::{Code, Fault};

/// What is malformed, and where; small, since it is handed up through the innermost loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    pub code: Code,
    /// The address of a byte of the payload, or that behind its last one.
    at: usize,
}

impl Broken {
    pub fn new(code: Code, at: Wire<'_>) -> Self {
        Self { code, at: at.0.as_ptr() as usize }
    }

    /// Where it is in the payload.
    pub fn offset(self, payload: &[u8]) -> usize {
        self.at - payload.as_ptr() as usize
    }

    /// The same in words.
    pub fn fault(self, payload: &[u8]) -> Fault {
        let found = match self.code {
            Code::CutExample => "a message ends within one of its fields",
            Code::BadVarint => "a number has more than 64 bits",
            Code::BadField => "a field has a number or a type that cannot be",
            Code::RepeatedField => "a feature, or a list of one kind in it, is there twice",
            Code::BadPacked => "the bytes of packed floats are no multiple of four",
            _ => "the name of a feature is not UTF-8",
        };
        Fault::new(self.code, EXAMPLE, found).at(self.offset(payload) as u64)
    }
}

/// What is left to be read of a message that lies in a payload.
#[derive(Clone, Copy)]
pub struct Wire<'a>(pub &'a [u8]);

/// What a field holds.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    Varint(u64),
    Fixed32(u32),
    Fixed64,
    Bytes(Wire<'a>),
}

impl<'a> Wire<'a> {
    /// Nothing, at the end of this.
    pub fn end(self) -> Self {
        Self(&self.0[self.0.len()..])
    }

    /// The next field: its number and what it holds.
    #[inline]
    pub fn field(&mut self) -> Result<Option<(u32, Value<'a>)>, Broken> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let start = *self;
        let tag = self.varint()?;
        let number = match u32::try_from(tag) {
            Ok(tag) if tag >= 8 => tag >> 3,
            _ => return Err(Broken::new(Code::BadField, start)),
        };
        let value = match tag & 7 {
            0 => Value::Varint(self.varint()?),
            1 => self.take(8).map(|_| Value::Fixed64)?,
            2 => {
                let length = self.varint()?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Fixed32(self.fixed32()?),
            // Groups: no Example has any, and to skip one takes a stack.
            _ => return Err(Broken::new(Code::BadField, start)),
        };
        Ok(Some((number, value)))
    }

    #[inline]
    pub fn varint(&mut self) -> Result<u64, Broken> {
        match *self.0 {
            [byte, ref rest @ ..] if byte < 0x80 => {
                self.0 = rest;
                Ok(u64::from(byte))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64, Broken> {
        let mut number = 0u64;
        for (place, &byte) in self.0.iter().enumerate() {
            if place == 9 && byte > 1 {
                return Err(Broken::new(Code::BadVarint, *self));
            }
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                self.0 = &self.0[place + 1..];
                return Ok(number);
            }
        }
        Err(Broken::new(Code::CutExample, *self))
    }

    #[inline]
    pub fn fixed32(&mut self) -> Result<u32, Broken> {
        let bytes = self.take(4)?.0;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    #[inline]
    fn take(&mut self, length: u64) -> Result<Self, Broken> {
        match usize::try_from(length).ok().and_then(|length| self.0.split_at_checked(length)) {
            Some((taken, rest)) => {
                self.0 = rest;
                Ok(Self(taken))
            }
            None => Err(Broken::new(Code::CutExample, *self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varint(bytes: &[u8]) -> Result<(u64, usize), Code> {
        let mut wire = Wire(bytes);
        let number = wire.varint().map_err(|broken| broken.code)?;
        Ok((number, bytes.len() - wire.0.len()))
    }

    #[test]
    fn varints() {
        assert_eq!(varint(&[5, 9]), Ok((5, 1)));
        assert_eq!(varint(&[0xac, 2]), Ok((300, 2)));
        assert_eq!(varint(&[0x80, 0]), Ok((0, 2)));
        let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        assert_eq!(varint(&most), Ok((u64::MAX, 10)));
        assert_eq!(varint(&[0xff; 9]), Err(Code::CutExample));
        assert_eq!(varint(&[0xff; 11]), Err(Code::BadVarint));
        assert_eq!(varint(&[]), Err(Code::CutExample));
    }

    fn broken(bytes: &[u8]) -> (Code, usize) {
        let mut wire = Wire(bytes);
        loop {
            match wire.field() {
                Err(broken) => return (broken.code, broken.offset(bytes)),
                Ok(field) => assert!(field.is_some(), "nothing is wrong"),
            }
        }
    }

    #[test]
    fn fields_that_cannot_be() {
        assert_eq!(broken(&[8, 1, 0]), (Code::BadField, 2));
        assert_eq!(broken(&[8, 1, 7]), (Code::BadField, 2));
        assert_eq!(broken(&[0x0b, 0x0c]), (Code::BadField, 0));
        assert_eq!(broken(&[0x0e]), (Code::BadField, 0));
        assert_eq!(broken(&[0xf8, 0xff, 0xff, 0xff, 0x1f, 0]), (Code::BadField, 0));
        assert_eq!(broken(&[9, 1, 2, 3]), (Code::CutExample, 1));
        assert_eq!(broken(&[13, 1, 2, 3]), (Code::CutExample, 1));
        assert_eq!(broken(&[10, 3, 1, 2]), (Code::CutExample, 2));
        let endless = [10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 5];
        assert_eq!(broken(&endless), (Code::CutExample, 11));
    }
}
