//! Examples at random: what is written is read, and whatever is read, a naive parser reads as well.

use std::collections::BTreeMap;

use pixfeed_core::record::Example;
use proptest::prelude::*;

use crate::given::{Features, Given, of, read, write};

/// Everything at once, copied, a message a call: how one would write it without a thought of speed.
mod naive {
    use super::{BTreeMap, Features, Given};

    pub enum Field {
        Varint(u64),
        Fixed32([u8; 4]),
        Fixed64,
        Bytes(Vec<u8>),
    }

    fn varint(bytes: &mut &[u8]) -> Option<u64> {
        let mut number = 0u128;
        for place in 0..10 {
            let (&byte, rest) = bytes.split_first()?;
            *bytes = rest;
            number += u128::from(byte % 128) << (7 * place);
            if byte < 128 {
                return number.try_into().ok();
            }
        }
        None
    }

    fn cut(bytes: &mut &[u8], length: u64) -> Option<Vec<u8>> {
        let (taken, rest) = bytes.split_at_checked(length.try_into().ok()?)?;
        *bytes = rest;
        Some(taken.to_vec())
    }

    pub fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, Field)>> {
        let mut all = Vec::new();
        while !bytes.is_empty() {
            let tag = varint(&mut bytes)?;
            if tag / 8 == 0 || tag > u64::from(u32::MAX) {
                return None;
            }
            let field = match tag % 8 {
                0 => Field::Varint(varint(&mut bytes)?),
                1 => cut(&mut bytes, 8).map(|_| Field::Fixed64)?,
                2 => {
                    let length = varint(&mut bytes)?;
                    Field::Bytes(cut(&mut bytes, length)?)
                }
                5 => Field::Fixed32(cut(&mut bytes, 4)?.try_into().unwrap()),
                _ => return None,
            };
            all.push((tag / 8, field));
        }
        Some(all)
    }

    /// The fields of a number that hold bytes; also a check of all others.
    fn parts(bytes: &[u8], number: u64) -> Option<Vec<Vec<u8>>> {
        let part = |(of, field)| match field {
            Field::Bytes(bytes) if of == number => Some(bytes),
            _ => None,
        };
        Some(fields(bytes)?.into_iter().filter_map(part).collect())
    }

    pub fn example(payload: &[u8]) -> Option<Features> {
        let mut all = BTreeMap::new();
        for features in parts(payload, 1)? {
            for entry in parts(&features, 1)? {
                let name = parts(&entry, 1)?.pop().unwrap_or_default();
                let mut values = parts(&entry, 2)?;
                let value = values.pop().unwrap_or_default();
                if !values.is_empty() {
                    return None;
                }
                all.insert(String::from_utf8(name).ok()?, given(&value)?);
            }
        }
        Some(all)
    }

    fn given(feature: &[u8]) -> Option<Given> {
        let mut kinds = fields(feature)?;
        kinds.retain(|(kind, field)| (1..4).contains(kind) && matches!(field, Field::Bytes(_)));
        if kinds.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        match kinds.pop() {
            Some((1, Field::Bytes(list))) => Some(Given::Bytes(parts(&list, 1)?)),
            Some((2, Field::Bytes(list))) => floats(&list).map(Given::Floats),
            Some((_, Field::Bytes(list))) => ints(&list).map(Given::Ints),
            _ => Some(Given::Empty),
        }
    }

    fn floats(list: &[u8]) -> Option<Vec<u32>> {
        let mut all = Vec::new();
        for (number, field) in fields(list)? {
            match field {
                Field::Fixed32(four) if number == 1 => all.push(u32::from_le_bytes(four)),
                Field::Bytes(packed) if number == 1 => {
                    for four in packed.chunks(4) {
                        all.push(u32::from_le_bytes(four.try_into().ok()?));
                    }
                }
                _ => {}
            }
        }
        Some(all)
    }

    fn ints(list: &[u8]) -> Option<Vec<i64>> {
        let mut all = Vec::new();
        for (number, field) in fields(list)? {
            match field {
                Field::Varint(value) if number == 1 => all.push(value as i64),
                Field::Bytes(packed) if number == 1 => {
                    let mut packed = &packed[..];
                    while !packed.is_empty() {
                        all.push(varint(&mut packed)? as i64);
                    }
                }
                _ => {}
            }
        }
        Some(all)
    }
}

fn given() -> impl Strategy<Value = Given> {
    let bytes = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..4);
    let edges = prop_oneof![any::<i64>(), -3..300i64, Just(i64::MIN), Just(i64::MAX)];
    prop_oneof![
        Just(Given::Empty),
        bytes.prop_map(Given::Bytes),
        prop::collection::vec(any::<u32>(), 0..40).prop_map(Given::Floats),
        prop::collection::vec(edges, 0..40).prop_map(Given::Ints),
    ]
}

fn features() -> impl Strategy<Value = Features> {
    prop::collection::btree_map("[a-c/é]{0,4}", given(), 0..8)
}

/// That the two parsers agree, and that looking up says what listing says.
fn compare(payload: &[u8]) -> Result<(), TestCaseError> {
    let ours = read(payload).ok();
    prop_assert_eq!(&ours, &naive::example(payload));
    let names = ["", "a", "b", "c", "missing", "a/b"];
    match (Example::new(payload).find(&names), ours) {
        (Ok(found), Some(ours)) => {
            for (name, found) in names.iter().zip(found) {
                let found = found.map(|feature| of(feature.list()));
                prop_assert_eq!(found.as_ref(), ours.get(*name), "{}", name);
            }
        }
        (Err(fault), ours) => prop_assert!(ours.is_none(), "{}", fault),
        // What is not asked for is not looked at.
        (Ok(_), None) => {}
    }
    Ok(())
}

proptest! {
    #[test]
    fn what_is_written_is_read(features in features()) {
        let payload = write(&features);
        prop_assert_eq!(read(&payload), Ok(features));
        compare(&payload)?;
    }

    #[test]
    fn what_is_changed_is_read_as_the_naive_parser_reads_it(
        features in features(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        end in any::<prop::sample::Index>(),
        cut: bool,
    ) {
        let mut payload = write(&features);
        for (place, byte) in changes {
            let place = place.index(payload.len());
            payload[place] = byte;
        }
        let end = if cut { end.index(payload.len()) } else { payload.len() };
        compare(&payload[..end])?;
    }

    #[test]
    fn any_bytes_are_read_as_the_naive_parser_reads_them(
        payload in prop::collection::vec(prop_oneof![0u8..30, any::<u8>()], 0..60),
    ) {
        compare(&payload)?;
    }

    /// Short lengths and the tags of Examples: bytes that often mean something.
    #[test]
    fn likely_bytes_are_read_as_the_naive_parser_reads_them(
        parts in prop::collection::vec(prop_oneof![Just(10u8), Just(18), Just(26), 0u8..9], 0..40),
    ) {
        let nest = |inner: Vec<u8>| [vec![10, inner.len() as u8], inner].concat();
        compare(&nest(nest(parts.clone())))?;
        compare(&nest(nest([vec![10, 1, 97, 18, parts.len() as u8], parts].concat())))?;
    }

    #[test]
    fn two_messages_in_a_row_are_merged(first in features(), second in features()) {
        let payload = [write(&first), write(&second)].concat();
        let mut merged = first;
        merged.extend(second);
        prop_assert_eq!(read(&payload), Ok(merged));
        compare(&payload)?;
    }
}

#[test]
fn a_list_knows_its_length_and_a_feature_its_bytes() {
    let features = Features::from([("a".to_owned(), Given::Ints(vec![1, 2, 300]))]);
    let payload = write(&features);
    let [feature] = Example::new(&payload).find(&["a"]).unwrap();
    let feature = feature.unwrap();
    assert_eq!((feature.len(), feature.is_empty()), (3, false));
    assert_eq!(feature.raw(), [26, 6, 10, 4, 1, 2, 0xac, 2]);
}
