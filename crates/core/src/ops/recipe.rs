//! A recipe: ops in a row, run on the bytes or the pixels of one record.

use std::time::{Duration, Instant};

use pixfeed_jpeg::Isa;

use super::OPS;
use super::head::Head;
use super::op::{Field, Op, Params, Size};
use super::options::Options;
use super::resize::Resizer;
use super::to_array::ToArray;
use crate::decode::front::{self, Opened, Policy};
use crate::decode::raster::{Limits, Pixels, Raster};
use crate::fault::{Code, Fault};
use crate::order::Draws;

/// An op as it is asked for: its number, its name, its options.
pub type Asked = (u64, String, Options);

/// What names the draws of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// The run's seed.
    pub seed: u64,
    /// The epoch.
    pub epoch: u64,
    /// The record's id.
    pub id: u64,
    /// Which use of the record this is.
    pub occurrence: u64,
}

struct Numbered {
    number: u64,
    op: Box<dyn Op>,
}

/// Ops in a row, with how pictures are read before the first and what is written after the last.
pub struct Recipe {
    policy: Policy,
    ops: Vec<Numbered>,
    tail: ToArray,
    size: Option<Size>,
    steady: Option<usize>,
}

/// What a recipe starts from.
#[derive(Clone, Copy)]
pub enum Input<'a> {
    /// An image file.
    Bytes(&'a [u8]),
    /// Pixels.
    Pixels(Pixels<'a>),
}

/// Where the pixels go.
pub enum Output<'a> {
    /// A place as large as the recipe's size says.
    Slot(&'a mut [u8]),
    /// A picture of whatever size.
    Picture(&'a mut Raster),
}

/// Decoders and buffers of one thread, and how long it spent on what.
pub struct Scratch {
    /// The instructions its kernels use.
    pub isa: Isa,
    decode: front::Scratch,
    resizer: Resizer,
    view: Vec<u8>,
    picture: Raster,
    spare: Raster,
    /// Time spent on reading headers, decoding and the first moves.
    pub decoding: Duration,
    /// Time spent on all other ops.
    pub working: Duration,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new(Isa::detect())
    }
}

impl Scratch {
    /// Buffers whose kernels use an instruction set (or what the machine has of it).
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self {
            isa: isa.available(),
            decode: front::Scratch::new(isa),
            resizer: Resizer::new(isa),
            view: Vec::new(),
            picture: Raster::EMPTY,
            spare: Raster::EMPTY,
            decoding: Duration::ZERO,
            working: Duration::ZERO,
        }
    }
}

impl Recipe {
    /// A recipe of the ops asked for: Decode may come first, ToArray last.
    ///
    /// # Errors
    /// When an op is not known or one of its options is impossible.
    pub fn new(asked: &[Asked]) -> Result<Self, Fault> {
        let mut recipe = Self {
            policy: Policy::default(),
            ops: Vec::new(),
            tail: ToArray::default(),
            size: None,
            steady: None,
        };
        for (number, name, options) in asked {
            match name.as_str() {
                "Decode" => recipe.policy = policy(options)?,
                "ToArray" => recipe.tail = ToArray::build(options)?,
                _ => recipe.ops.push(Numbered { number: *number, op: build(name, options)? }),
            }
        }
        recipe.size = recipe.ops.iter().fold(None, |size, numbered| numbered.op.size(size));
        recipe.steady = recipe.steady_ops();
        Ok(recipe)
    }

    /// Width and height of every result, where the recipe alone says so.
    #[must_use]
    pub fn size(&self) -> Option<Size> {
        self.size
    }

    /// Channels of every result.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.policy.channels.into()
    }

    /// What is written after the last op.
    #[must_use]
    pub fn tail(&self) -> &ToArray {
        &self.tail
    }

    /// The first ops whose result can be kept from epoch to epoch; none where that would change a byte
    /// or save nothing.
    #[must_use]
    pub fn steady(&self) -> Option<usize> {
        self.steady
    }

    /// A crop or a mirror image of pixels is bit-equal to the fused form. A resize of pixels is not
    /// (planes of a JPEG are resized each at its own resolution), so one must not come after them.
    fn steady_ops(&self) -> Option<usize> {
        let steady = self.ops.iter().take_while(|numbered| !numbered.op.random()).count();
        let after = &self.ops[steady..];
        let mut fused = after.iter().take_while(|numbered| numbered.op.moves());
        let resizes = fused.any(|numbered| numbered.op.resizes());
        let saves = steady > 0 || after.is_empty();
        (saves && !resizes).then_some(steady)
    }

    /// Runs the ops `from..to` (all for 0 and [`Recipe::len`]) on one record.
    ///
    /// # Errors
    /// When the image cannot be read, or an op cannot be done to it.
    pub fn run(
        &self,
        input: Input<'_>,
        (from, to): (usize, usize),
        names: Names,
        scratch: &mut Scratch,
        output: Output<'_>,
    ) -> Result<(), Fault> {
        let begun = Instant::now();
        let mut state = match input {
            Input::Bytes(data) => State::Opened(Opened::read(data, self.policy)?),
            Input::Pixels(raster) => State::Borrowed(raster),
        };
        let mut head = Head::of(state.size());
        let mut decoded = None;
        for Numbered { number, op } in &self.ops[from..to] {
            let Names { seed, epoch, id, occurrence } = names;
            let mut draws = Draws::new(seed, epoch, *number, id, occurrence);
            let params = op.draw(&mut draws, head.size())?;
            if let Params::Moves(moves) = params {
                if !moves.fit(head.size()) {
                    let found = "an image with a side of more than 2^32 pixels";
                    return Err(Fault::new(Code::TooManyPixels, "", found));
                }
                for next in moves.iter() {
                    if !head.push(next) {
                        state = self.make(state, head, scratch)?;
                        decoded.get_or_insert_with(Instant::now);
                        head = Head::of(state.size());
                        head.push(next);
                    }
                }
            }
            if !op.moves() {
                state = self.make(state, head, scratch)?;
                decoded.get_or_insert_with(Instant::now);
                state = scratch.owned(state);
                op.apply(&params, &mut Field::Image(&mut scratch.picture, &mut scratch.resizer))?;
                head = Head::of(state.size());
            }
        }
        self.finish(state, head, scratch, output)?;
        let end = Instant::now();
        let decoded = decoded.unwrap_or(end);
        scratch.decoding += decoded - begun;
        scratch.working += end - decoded;
        Ok(())
    }

    /// How many ops there are between Decode and ToArray.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Makes the moves of a head; the pixels then lie in `scratch.picture`.
    fn make<'a>(
        &self,
        state: State<'a>,
        head: Head,
        scratch: &mut Scratch,
    ) -> Result<State<'a>, Fault> {
        if !matches!(state, State::Opened(_)) && head.is_nothing(state.size()) {
            return Ok(state);
        }
        let mut made = std::mem::replace(&mut scratch.spare, Raster::EMPTY);
        let done = self.finish(state, head, scratch, Output::Picture(&mut made));
        scratch.spare = std::mem::replace(&mut scratch.picture, made);
        done.map(|()| State::Made(head.size()))
    }

    fn finish(
        &self,
        state: State<'_>,
        head: Head,
        scratch: &mut Scratch,
        output: Output<'_>,
    ) -> Result<(), Fault> {
        let channels = match &state {
            State::Opened(_) => self.policy.channels,
            State::Borrowed(raster) => raster.channels,
            State::Made(_) => scratch.picture.channels,
        };
        let (width, height) = head.size();
        let bytes = width as usize * height as usize * usize::from(channels);
        let out = match output {
            Output::Slot(slot) => slot,
            Output::Picture(picture) => {
                (picture.width, picture.height) = (width, height);
                picture.channels = channels;
                check_memory(bytes, &self.policy.limits)?;
                picture.pixels.resize(bytes, 0);
                &mut picture.pixels
            }
        };
        if out.len() != bytes {
            let found = format!("an image of {height} x {width} pixels, where others differ");
            return Err(Fault::new(Code::BadRequest, "", found));
        }
        let channels = usize::from(channels);
        if head.is_bare() {
            return self.view(state, head, scratch, out);
        }
        let mut view = std::mem::take(&mut scratch.view);
        view.resize(head.view_bytes(channels), 0);
        let done = self.view(state, head, scratch, &mut view);
        if done.is_ok() {
            head.lay(&view, channels, out);
        }
        scratch.view = view;
        done
    }

    fn view(
        &self,
        state: State<'_>,
        head: Head,
        scratch: &mut Scratch,
        out: &mut [u8],
    ) -> Result<(), Fault> {
        let Some(view) = head.view() else { return Ok(()) };
        match state {
            State::Opened(opened) => opened.view(view)?.decode(&mut scratch.decode, out)?,
            State::Borrowed(raster) => head.view_raster(raster, &mut scratch.resizer, out),
            State::Made(_) => head.view_raster(scratch.picture.lent(), &mut scratch.resizer, out),
        }
        Ok(())
    }
}

/// What there is of a picture on its way.
enum State<'a> {
    Opened(Opened<'a>),
    Borrowed(Pixels<'a>),
    /// Pixels of this size, in `scratch.picture`.
    Made(Size),
}

impl State<'_> {
    fn size(&self) -> Size {
        match self {
            Self::Opened(opened) => opened.seen(),
            Self::Borrowed(raster) => (raster.width, raster.height),
            Self::Made(size) => *size,
        }
    }
}

impl Scratch {
    /// Makes borrowed pixels our own, so that an op may change them.
    fn owned<'a>(&mut self, state: State<'a>) -> State<'a> {
        if let State::Borrowed(raster) = state {
            let Pixels { width, height, channels, pixels } = raster;
            self.picture.pixels.clear();
            self.picture.pixels.extend_from_slice(pixels);
            (self.picture.width, self.picture.height) = (width, height);
            self.picture.channels = channels;
            return State::Made((width, height));
        }
        state
    }
}

fn check_memory(bytes: usize, limits: &Limits) -> Result<(), Fault> {
    if bytes as u64 > limits.memory {
        let found = format!("{bytes} bytes of pixels, limit {}", limits.memory);
        return Err(Fault::new(Code::TooMuchMemory, "", found));
    }
    Ok(())
}

fn build(name: &str, options: &Options) -> Result<Box<dyn Op>, Fault> {
    match OPS.iter().find(|(known, _)| *known == name) {
        Some((_, build)) => build(options),
        None => Err(Fault::new(Code::BadRequest, "", format!("there is no op {name}"))),
    }
}

fn policy(options: &Options) -> Result<Policy, Fault> {
    let channels = options.number("channels")?;
    if channels != 1.0 && channels != 3.0 {
        return Err(Fault::new(Code::BadRequest, "", format!("{channels} channels, not 1 or 3")));
    }
    let pixels = options.number("max_pixels")?.max(1.0) as u64;
    Ok(Policy {
        channels: channels as u8,
        exif: options.flag("exif")?,
        background: options.colour("background")?,
        limits: Limits { pixels, ..Limits::default() },
    })
}
