//! Under which names an Example of an image keeps what, ours or a foreign writer's.

/// What an Example can say of an image, in the order of our names, which is how they are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// How many channels the stored image has.
    Channels,
    /// Its class, or whatever else a label is.
    Label,
    /// Its class as `WordNet` numbers it.
    Synset,
    /// Its class in words.
    Text,
    /// Its colours, as their writer called them.
    Colorspace,
    /// The bytes: a file's, or a tensor's.
    Encoded,
    /// The base name of the file it was.
    Filename,
    /// The format of the bytes.
    Format,
    /// Its rows, as stored.
    Height,
    /// What names the record.
    Key,
    /// What a tensor's bytes run over first.
    Order,
    /// Its columns, as stored.
    Width,
}

impl Slot {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Channels,
        Self::Label,
        Self::Synset,
        Self::Text,
        Self::Colorspace,
        Self::Encoded,
        Self::Filename,
        Self::Format,
        Self::Height,
        Self::Key,
        Self::Order,
        Self::Width,
    ];

    /// Our name for the feature (and DLBS's, for the ten that it has).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Channels => "image/channels",
            Self::Label => "image/class/label",
            Self::Synset => "image/class/synset",
            Self::Text => "image/class/text",
            Self::Colorspace => "image/colorspace",
            Self::Encoded => "image/encoded",
            Self::Filename => "image/filename",
            Self::Format => "image/format",
            Self::Height => "image/height",
            Self::Key => "image/key",
            Self::Order => "image/order",
            Self::Width => "image/width",
        }
    }

    /// The word a user maps to the name of a foreign feature.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Channels => "channels",
            Self::Label => "label",
            Self::Synset => "synset",
            Self::Text => "text",
            Self::Colorspace => "colorspace",
            Self::Encoded => "encoded",
            Self::Filename => "filename",
            Self::Format => "format",
            Self::Height => "height",
            Self::Key => "key",
            Self::Order => "order",
            Self::Width => "width",
        }
    }

    /// The slot of this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|slot| slot.as_str() == word)
    }
}

/// A name for each slot that is to be read; what has none is not looked for.
///
/// ```
/// use pixfeed_core::record::{Schema, Slot};
/// let mut foreign = Schema::default();
/// foreign.map(Slot::Encoded, Some("jpeg")).map(Slot::Synset, None);
/// assert_eq!(foreign.name(Slot::Encoded), Some("jpeg"));
/// assert_eq!(foreign.name(Slot::Synset), None);
/// assert_eq!(foreign.name(Slot::Label), Some("image/class/label"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    names: [Option<Box<str>>; Slot::COUNT],
}

impl Default for Schema {
    /// Everything, under our own names.
    fn default() -> Self {
        Self { names: Slot::ALL.map(|slot| Some(slot.name().into())) }
    }
}

impl Schema {
    /// Some slots under our own names, and nothing else: what a run does not use, it need not read.
    #[must_use]
    pub fn of(slots: &[Slot]) -> Self {
        let name = |slot: Slot| slots.contains(&slot).then(|| slot.name().into());
        Self { names: Slot::ALL.map(name) }
    }

    /// Has a slot read under another name, or not at all.
    pub fn map(&mut self, slot: Slot, name: Option<&str>) -> &mut Self {
        self.names[slot as usize] = name.map(Into::into);
        self
    }

    /// The name a slot is read under.
    #[must_use]
    pub fn name(&self, slot: Slot) -> Option<&str> {
        self.names[slot as usize].as_deref()
    }

    /// All names, by slot.
    pub(super) fn names(&self) -> [Option<&str>; Slot::COUNT] {
        self.names.each_ref().map(Option::as_deref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_in_the_order_of_their_names() {
        assert!(Slot::ALL.map(Slot::name).is_sorted());
        for (index, slot) in Slot::ALL.into_iter().enumerate() {
            assert_eq!(slot as usize, index);
            assert_eq!(Slot::named(slot.as_str()), Some(slot));
            assert!(slot.name().ends_with(slot.as_str()));
        }
        assert_eq!(Slot::named("image/key"), None);
    }

    #[test]
    fn some_slots_or_all() {
        let some = Schema::of(&[Slot::Encoded, Slot::Label]);
        assert_eq!(some.names().iter().flatten().count(), 2);
        assert_eq!(Schema::of(&Slot::ALL), Schema::default());
    }
}
