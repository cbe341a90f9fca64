//! Examples as plain data: what the goldens' texts say, what ours reads, what ours is to write.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pixfeed_core::fault::Fault;
use pixfeed_core::record::{Builder, Example, List, Value};

/// The values of a feature; floats as their bits, so that they can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    Empty,
    Bytes(Vec<Vec<u8>>),
    Floats(Vec<u32>),
    Ints(Vec<i64>),
}

pub type Features = BTreeMap<String, Given>;

pub fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/record-goldens").join(name)
}

/// Titles and what stands below them; `None` where TensorFlow refused it.
pub fn texts(name: &str) -> Vec<(String, Option<Features>)> {
    let text = std::fs::read_to_string(golden(name)).unwrap();
    let mut all: Vec<(String, Option<Features>)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("  ") {
            None => all.push((line.to_owned(), Some(Features::new()))),
            Some("refused") => all.last_mut().unwrap().1 = None,
            Some(feature) => {
                let (name, given) = feature_of(feature);
                all.last_mut().unwrap().1.as_mut().unwrap().insert(name, given);
            }
        }
    }
    all
}

fn feature_of(line: &str) -> (String, Given) {
    let mut words = line.split(' ');
    let name = String::from_utf8(unhex(words.next().unwrap())).unwrap();
    let given = match words.next().unwrap() {
        "bytes" => Given::Bytes(words.map(unhex).collect()),
        "floats" => Given::Floats(words.map(|w| u32::from_str_radix(w, 16).unwrap()).collect()),
        "ints" => Given::Ints(words.map(|word| word.parse().unwrap()).collect()),
        _ => Given::Empty,
    };
    (name, given)
}

fn unhex(word: &str) -> Vec<u8> {
    let digits: Vec<u32> = word.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// What an Example holds, by its iterators.
pub fn read(payload: &[u8]) -> Result<Features, Fault> {
    let all = Example::new(payload).features();
    all.map(|feature| feature.map(|(name, feature)| (name.to_owned(), of(feature.list()))))
        .collect()
}

pub fn of(list: List<'_>) -> Given {
    match list {
        List::Empty => Given::Empty,
        List::Bytes(values) => Given::Bytes(values.map(<[u8]>::to_vec).collect()),
        List::Floats(values) => Given::Floats(values.map(f32::to_bits).collect()),
        List::Ints(values) => Given::Ints(values.collect()),
    }
}

/// An Example of these features, added in an order that is not theirs.
pub fn write(features: &Features) -> Vec<u8> {
    let bytes = |given: &Given| match given {
        Given::Bytes(many) => many.clone(),
        _ => Vec::new(),
    };
    let held: Vec<Vec<Vec<u8>>> = features.values().map(bytes).collect();
    let views: Vec<Vec<&[u8]>> =
        held.iter().map(|many| many.iter().map(Vec::as_slice).collect()).collect();
    let floats = |given: &Given| match given {
        Given::Floats(many) => many.iter().map(|&bits| f32::from_bits(bits)).collect(),
        _ => Vec::new(),
    };
    let floats: Vec<Vec<f32>> = features.values().map(floats).collect();
    let mut builder = Builder::new();
    for (i, (name, given)) in features.iter().enumerate().rev() {
        let value = match given {
            Given::Empty => Value::Raw(b""),
            Given::Bytes(_) => Value::BytesList(&views[i]),
            Given::Floats(_) => Value::Floats(&floats[i]),
            Given::Ints(many) => Value::Ints(many),
        };
        builder.add(name, value);
    }
    let mut out = Vec::new();
    builder.write(&mut out);
    out
}
