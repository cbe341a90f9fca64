//! What an Example says of an image: read through a [`Schema`], written under our own names.

use std::ops::Range;

use super::build::{Builder, Value};
use super::damage::EXAMPLE;
use super::example::{Example, Feature, List};
use super::schema::{Schema, Slot};
use super::values::range_in;
use crate::fault::{Code, Fault};

/// What a tensor's bytes run over: rows, columns, channels, or channels first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Height, width, channels.
    Hwc,
    /// Channels, height, width.
    Chw,
}

impl Layout {
    /// How it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hwc => "HWC",
            Self::Chw => "CHW",
        }
    }
}

/// A label as it is stored.
#[derive(Clone, Copy, Debug)]
pub enum Label<'a> {
    /// One integer: a class.
    One(i64),
    /// Anything else: several integers, floats, names.
    Many(Feature<'a>),
}

/// What an Example says of an image; `None` where it says nothing, or was not asked.
///
/// ```
/// use pixfeed_core::record::{Label, Schema, Value, View};
/// let image = View {
///     encoded: Some(b"bytes"),
///     height: Some(3),
///     label: Some(Label::One(7)),
///     ..View::default()
/// };
/// let mut payload = Vec::new();
/// image.write(&[("image/weight", Value::Float(0.5))], &mut payload);
/// let read = View::read(&payload, &Schema::default()).unwrap();
/// assert_eq!((read.encoded, read.height, read.width), (Some(&b"bytes"[..]), Some(3), None));
/// assert_eq!(read.class(), Some(7));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct View<'a> {
    /// The bytes of the image.
    pub encoded: Option<&'a [u8]>,
    /// Their format: `JPEG`, `PNG`, ..., or `tensor` for raw pixels.
    pub format: Option<&'a str>,
    /// Rows, as stored.
    pub height: Option<u32>,
    /// Columns, as stored.
    pub width: Option<u32>,
    /// Channels, as stored.
    pub channels: Option<u32>,
    /// Colours, as their writer called them.
    pub colorspace: Option<&'a str>,
    /// What a tensor's bytes run over first.
    pub order: Option<Layout>,
    /// The label.
    pub label: Option<Label<'a>>,
    /// The class as `WordNet` numbers it; the first one, where there are several.
    pub synset: Option<&'a str>,
    /// The class in words; the first one, where there are several.
    pub text: Option<&'a str>,
    /// The base name of the file.
    pub filename: Option<&'a str>,
    /// What names the record.
    pub key: Option<&'a str>,
}

impl<'a> View<'a> {
    /// Reads a payload.
    ///
    /// # Errors
    /// When the Example is malformed, or a feature holds what its slot cannot be.
    pub fn read(payload: &'a [u8], schema: &Schema) -> Result<Self, Fault> {
        let mut found = [None; Slot::COUNT];
        let names = schema.names();
        Example::new(payload).find_each(&names, &mut found)?;
        let get = |slot: Slot| {
            let index = slot as usize;
            let feature = found[index].filter(|feature| !feature.is_empty())?;
            Some(Found { payload, name: names[index].unwrap_or_default(), feature })
        };
        Ok(Self {
            encoded: get(Slot::Encoded).map(|f| f.bytes()).transpose()?,
            format: get(Slot::Format).map(|f| f.text()).transpose()?,
            height: get(Slot::Height).map(|f| f.number()).transpose()?,
            width: get(Slot::Width).map(|f| f.number()).transpose()?,
            channels: get(Slot::Channels).map(|f| f.number()).transpose()?,
            colorspace: get(Slot::Colorspace).map(|f| f.text()).transpose()?,
            order: get(Slot::Order).map(|f| f.order()).transpose()?,
            label: get(Slot::Label).map(|f| f.label()),
            synset: get(Slot::Synset).map(|f| f.first_text()).transpose()?,
            text: get(Slot::Text).map(|f| f.first_text()).transpose()?,
            filename: get(Slot::Filename).map(|f| f.text()).transpose()?,
            key: get(Slot::Key).map(|f| f.text()).transpose()?,
        })
    }

    /// Which bytes of the payload it was read from are the image's.
    #[must_use]
    pub fn encoded_in(&self, payload: &[u8]) -> Option<Range<usize>> {
        range_in(payload, self.encoded?)
    }

    /// The label, where it is one integer.
    #[must_use]
    pub fn class(&self) -> Option<i64> {
        match self.label? {
            Label::One(class) => Some(class),
            Label::Many(_) => None,
        }
    }

    /// Appends an Example of this under our own names, and of further features. One of those that
    /// has a name of ours takes its place.
    pub fn write(&self, further: &[(&str, Value<'_>)], out: &mut Vec<u8>) {
        let mut builder = Builder::new();
        for slot in Slot::ALL {
            if let Some(value) = self.value(slot) {
                builder.add(slot.name(), value);
            }
        }
        for &(name, value) in further {
            builder.add(name, value);
        }
        builder.write(out);
    }

    fn value(&self, slot: Slot) -> Option<Value<'a>> {
        let number = |number: u32| Value::Int(i64::from(number));
        match slot {
            Slot::Channels => self.channels.map(number),
            Slot::Label => self.label.map(|label| match label {
                Label::One(class) => Value::Int(class),
                Label::Many(feature) => Value::Raw(feature.raw()),
            }),
            Slot::Synset => self.synset.map(Value::Text),
            Slot::Text => self.text.map(Value::Text),
            Slot::Colorspace => self.colorspace.map(Value::Text),
            Slot::Encoded => self.encoded.map(Value::Bytes),
            Slot::Filename => self.filename.map(Value::Text),
            Slot::Format => self.format.map(Value::Text),
            Slot::Height => self.height.map(number),
            Slot::Key => self.key.map(Value::Text),
            Slot::Order => self.order.map(|order| Value::Text(order.as_str())),
            Slot::Width => self.width.map(number),
        }
    }
}

/// A feature that is not empty, and what it is to be.
struct Found<'a, 'n> {
    payload: &'a [u8],
    name: &'n str,
    feature: Feature<'a>,
}

impl<'a> Found<'a, '_> {
    fn bytes(&self) -> Result<&'a [u8], Fault> {
        match self.feature.list() {
            List::Bytes(values) => values.only().ok_or_else(|| self.not_one()),
            _ => Err(self.wrong(Code::FeatureKind, "numbers where a byte string belongs")),
        }
    }

    fn number(&self) -> Result<u32, Fault> {
        let List::Ints(values) = self.feature.list() else {
            return Err(self.wrong(Code::FeatureKind, "no integer where one belongs"));
        };
        let number = values.only().ok_or_else(|| self.not_one())?;
        u32::try_from(number).map_err(|_| self.wrong(Code::FeatureValue, &format!("{number}")))
    }

    fn text(&self) -> Result<&'a str, Fault> {
        self.utf8(self.bytes()?)
    }

    fn first_text(&self) -> Result<&'a str, Fault> {
        match self.feature.list() {
            List::Bytes(mut values) => self.utf8(values.next().unwrap_or_default()),
            _ => Err(self.wrong(Code::FeatureKind, "numbers where a text belongs")),
        }
    }

    fn utf8(&self, bytes: &'a [u8]) -> Result<&'a str, Fault> {
        std::str::from_utf8(bytes)
            .map_err(|_| self.wrong(Code::FeatureValue, "a text that is not UTF-8"))
    }

    fn order(&self) -> Result<Layout, Fault> {
        match self.text()? {
            "HWC" => Ok(Layout::Hwc),
            "CHW" => Ok(Layout::Chw),
            odd => {
                let odd: String = odd.chars().take(20).collect();
                Err(self.wrong(Code::FeatureValue, &format!("{odd:?}, neither HWC nor CHW")))
            }
        }
    }

    fn label(&self) -> Label<'a> {
        match self.feature.list() {
            List::Ints(values) => values.only().map_or(Label::Many(self.feature), Label::One),
            _ => Label::Many(self.feature),
        }
    }

    fn not_one(&self) -> Fault {
        let values = self.feature.len();
        self.wrong(Code::FeatureCount, &format!("{values} values where one belongs"))
    }

    fn wrong(&self, code: Code, found: &str) -> Fault {
        let fault = Fault::new(code, EXAMPLE, format!("{}: {found}", self.name));
        let at = range_in(self.payload, self.feature.raw()).map_or(0, |range| range.start);
        fault.at(at as u64)
    }
}
