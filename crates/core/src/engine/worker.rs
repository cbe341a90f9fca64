//! What a thread does with one slot: find the record, read it, run the recipe, replace what fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

use super::batch::{Batch, Done};
use super::cache::{Cache, Entry, Kind};
use super::failure::{Cause, Failure, Stage};
use super::feed::{Feed, OnBad};
use super::reader::{self, Over, Raw, Wanted};
use super::stats::{add, clock};
use crate::decode::policy;
use crate::decode::raster::{Pixels, Raster};
use crate::fault::{Code, Fault};
use crate::ops::recipe::{Input, Names, Output, Scratch};
use crate::order::Slot;

/// What one thread keeps from sample to sample.
#[derive(Default)]
pub(super) struct Worker {
    scratch: Scratch,
    bytes: Vec<u8>,
    path: PathBuf,
    pixels: Vec<u8>,
    ours: Vec<u8>,
}

type Failed = (Stage, Cause);

/// A record at one of its uses.
#[derive(Clone, Copy)]
struct Use {
    row: usize,
    epoch: u64,
    occurrence: u64,
}

/// Where a sample goes.
enum Target<'a> {
    Slot(&'a mut [u8]),
    Picture(&'a mut Option<Raster>),
}

impl Worker {
    /// Fills a slot, whatever happens.
    ///
    /// `over` says whether nobody waits for it any more.
    pub fn fill(&mut self, feed: &Feed, batch: &Batch, at: usize, over: Over<'_>) {
        let slot = batch.slots[at];
        if batch.memory.is_none() && feed.pool.is_some() {
            // There was none for it, which the batch says already.
            return;
        }
        let mut picture = None;
        let mut target = match &batch.memory {
            // SAFETY: the ring gives every slot to one thread, once.
            Some(memory) => Target::Slot(unsafe { memory.part(at, feed.slot_bytes()) }),
            None => Target::Picture(&mut picture),
        };
        let (Use { row, occurrence, .. }, hash) =
            self.attempt(feed, batch, (at, slot), (&mut target, over));
        let made = hash.is_some();
        if !made {
            target.blank(feed);
        }
        add(&feed.stats.samples, 1);
        let (id, label) = (feed.source.table.id(row), feed.source.table.label(row));
        let (valid, hash) = (slot.valid && made, hash.unwrap_or(0));
        batch.finish(at, Done { row, id, label, occurrence, valid, made, hash, picture });
    }

    /// What stands in the slot at the end, and the hash of its pixels unless it is blank.
    fn attempt(
        &mut self,
        feed: &Feed,
        batch: &Batch,
        (at, slot): (usize, Slot),
        (target, over): (&mut Target<'_>, Over<'_>),
    ) -> (Use, Option<u64>) {
        let row = feed.source.rows.start + slot.record as usize;
        let first = Use { row, epoch: batch.epoch, occurrence: 0 };
        let (stage, cause) = match self.sample(feed, first, target, over) {
            Ok(hash) => return (first, Some(hash)),
            Err(failed) => failed,
        };
        if feed.on_bad == OnBad::Raise || !cause.is_lasting() {
            batch.ended(at, Failure { row, stage, cause });
            return (first, None);
        }
        let why = format!("{cause:?}");
        batch.failed(at, Failure { row, stage, cause });
        if feed.on_bad == OnBad::Blank {
            return (first, None);
        }
        let found = self.substitute(feed, batch, (at, slot), first, (target, over));
        found.unwrap_or_else(|| {
            let found = format!("{why}; and nothing that could stand in for it can be read");
            let cause = Cause::Fault(Fault::new(Code::NoSubstitute, "", found));
            batch.ended(at, Failure { row, stage: Stage::Substitute, cause });
            (first, None)
        })
    }

    /// What stands in for a bad record; none where nothing can.
    fn substitute(
        &mut self,
        feed: &Feed,
        batch: &Batch,
        (at, slot): (usize, Slot),
        bad: Use,
        (target, over): (&mut Target<'_>, Over<'_>),
    ) -> Option<(Use, Option<u64>)> {
        let (source, row) = (&feed.source, bad.row);
        let named = (feed.seed, batch.epoch, slot.position);
        let occurrence = slot.position.wrapping_add(1);
        for sibling in feed.siblings.of(&source.table, &source.rows, row, named) {
            let again = Use { row: sibling, epoch: batch.epoch, occurrence };
            match self.sample(feed, again, target, over) {
                Ok(hash) => return Some((again, Some(hash))),
                Err((stage, cause)) if cause.is_lasting() => {
                    batch.failed(at, Failure { row: sibling, stage, cause });
                }
                Err((stage, cause)) => {
                    batch.ended(at, Failure { row: sibling, stage, cause });
                    return Some((bad, None));
                }
            }
        }
        None
    }

    /// Makes a sample; a panic becomes a failure.
    fn sample(
        &mut self,
        feed: &Feed,
        of: Use,
        target: &mut Target<'_>,
        over: Over<'_>,
    ) -> Result<u64, Failed> {
        let made = catch_unwind(AssertUnwindSafe(|| self.made(feed, of, target, over)));
        made.unwrap_or_else(|payload| {
            // Whatever was half done with its buffers is left behind.
            *self = Self::default();
            Err((Stage::Decode, Cause::Panic(said(&*payload))))
        })
    }

    fn made(
        &mut self,
        feed: &Feed,
        of: Use,
        target: &mut Target<'_>,
        over: Over<'_>,
    ) -> Result<u64, Failed> {
        if let Some(entry) = feed.cache.as_ref().and_then(|cache| cache.get(of.row)) {
            add(&feed.stats.hits, 1);
            return match entry {
                Entry::Bytes(bytes) => self.from(feed, of, Input::Bytes(bytes), 0, target),
                Entry::Pixels(raster) => {
                    let from = feed.recipe.steady().unwrap_or(0);
                    self.from(feed, of, Input::Pixels(raster.lent()), from, target)
                }
            };
        }
        let begun = Instant::now();
        let mut bytes = std::mem::take(&mut self.bytes);
        let mut wanted = Wanted::new(of.row, &mut bytes, &mut self.path, over);
        let read = reader::patiently(&*feed.source.reader, &mut wanted);
        let (part, raw) = (wanted.part, wanted.raw);
        clock(&feed.stats.read, begun.elapsed());
        let data = part.map_or(&bytes[..], |part| &bytes[part]);
        add(&feed.stats.bytes, if read.is_ok() { data.len() as u64 } else { 0 });
        let made = match (read, raw, &feed.cache) {
            (Err(cause), ..) => Err((Stage::Read, cause)),
            (_, Some(raw), _) => self.raw(feed, of, (raw, data), target),
            (.., Some(cache)) => self.keeping(feed, of, cache, data, target),
            (.., None) => self.from(feed, of, Input::Bytes(data), 0, target),
        };
        self.bytes = bytes;
        made
    }

    /// Makes a sample of pixels: they are only brought into our order and channels.
    fn raw(
        &mut self,
        feed: &Feed,
        of: Use,
        (raw, data): (Raw, &[u8]),
        target: &mut Target<'_>,
    ) -> Result<u64, Failed> {
        let Raw { width, height, channels, planar } = raw;
        let area = width as usize * height as usize;
        if area == 0 || data.len() != area * usize::from(channels) || !matches!(channels, 1 | 3) {
            let (bytes, kind) = (data.len(), "tensor");
            let found = format!("{bytes} bytes for {height} x {width} x {channels} values");
            return Err((Stage::Read, Cause::Fault(Fault::new(Code::BadData, kind, found))));
        }
        let wanted = feed.recipe.channels();
        if !planar && usize::from(channels) == wanted {
            let pixels = Pixels { width, height, channels, pixels: data };
            return self.from(feed, of, Input::Pixels(pixels), 0, target);
        }
        let mut ours = std::mem::take(&mut self.ours);
        arranged(data, area, (planar, wanted), &mut ours);
        let pixels = Pixels { width, height, channels: wanted as u8, pixels: &ours };
        let made = self.from(feed, of, Input::Pixels(pixels), 0, target);
        self.ours = ours;
        made
    }

    /// Makes a sample of bytes that were not in the cache, and keeps what the cache is for.
    fn keeping(
        &mut self,
        feed: &Feed,
        of: Use,
        cache: &Cache,
        bytes: &[u8],
        target: &mut Target<'_>,
    ) -> Result<u64, Failed> {
        add(&feed.stats.misses, 1);
        let steady = feed.recipe.steady().filter(|_| cache.kind() == Kind::Decoded);
        let Some(steady) = steady else {
            let made = self.from(feed, of, Input::Bytes(bytes), 0, target);
            if made.is_ok() && cache.has_room(bytes.len()) {
                cache.keep(of.row, Entry::Bytes(bytes.into()));
            }
            return made;
        };
        if !cache.has_room(bytes.len()) {
            return self.from(feed, of, Input::Bytes(bytes), 0, target);
        }
        let mut raster = Raster::EMPTY;
        let output = Output::Picture(&mut raster);
        let ran = feed.recipe.run(
            Input::Bytes(bytes),
            (0, steady),
            names(feed, of),
            &mut self.scratch,
            output,
        );
        if ran.is_err() {
            // Not all of it can be read, but perhaps what this use of it needs.
            return self.from(feed, of, Input::Bytes(bytes), 0, target);
        }
        let made = self.from(feed, of, Input::Pixels(raster.lent()), steady, target);
        if made.is_ok() {
            cache.keep(of.row, Entry::Pixels(raster));
        }
        made
    }

    /// Runs the recipe from an op on, writes the numbers, and hashes the pixels.
    fn from(
        &mut self,
        feed: &Feed,
        of: Use,
        input: Input<'_>,
        first: usize,
        target: &mut Target<'_>,
    ) -> Result<u64, Failed> {
        let (recipe, names) = (&feed.recipe, names(feed, of));
        let ops = (first, recipe.len());
        let scratch = &mut self.scratch;
        let tail = recipe.tail();
        let failed = |fault| (Stage::Decode, Cause::Fault(fault));
        let hash = match target {
            Target::Picture(picture) => {
                let mut raster = Raster::EMPTY;
                recipe
                    .run(input, ops, names, scratch, Output::Picture(&mut raster))
                    .map_err(failed)?;
                let hash = super::hash(&raster.pixels);
                **picture = Some(raster);
                hash
            }
            Target::Slot(slot) if tail.is_plain() => {
                recipe.run(input, ops, names, scratch, Output::Slot(slot)).map_err(failed)?;
                let begun = Instant::now();
                let hash = super::hash(slot);
                clock(&feed.stats.hand_over, begun.elapsed());
                hash
            }
            Target::Slot(slot) => {
                self.pixels.resize(slot.len() / tail.dtype.bytes(), 0);
                let output = Output::Slot(&mut self.pixels);
                recipe.run(input, ops, names, scratch, output).map_err(failed)?;
                let begun = Instant::now();
                tail.write(scratch.isa, &self.pixels, recipe.channels(), slot);
                let hash = super::hash(&self.pixels);
                clock(&feed.stats.hand_over, begun.elapsed());
                hash
            }
        };
        clock(&feed.stats.decode, std::mem::take(&mut scratch.decoding));
        clock(&feed.stats.ops, std::mem::take(&mut scratch.working));
        Ok(hash)
    }
}

impl Target<'_> {
    /// Zeros, where nothing else can be had.
    fn blank(&mut self, feed: &Feed) {
        match self {
            Self::Slot(slot) => slot.fill(0),
            Self::Picture(picture) => {
                let channels = feed.recipe.channels();
                let (width, height) = feed.recipe.size().unwrap_or((1, 1));
                let pixels = vec![0; width as usize * height as usize * channels];
                **picture = Some(Raster { width, height, channels: channels as u8, pixels });
            }
        }
    }
}

/// Pixels in our order, and in as many channels as are wanted.
fn arranged(data: &[u8], area: usize, (planar, wanted): (bool, usize), out: &mut Vec<u8>) {
    let channels = data.len() / area;
    let value = |pixel: usize, channel: usize| {
        if planar { data[channel * area + pixel] } else { data[pixel * channels + channel] }
    };
    out.clear();
    match (channels, wanted) {
        (1, _) => out.extend(data.iter().flat_map(|&value| std::iter::repeat_n(value, wanted))),
        (_, 3) => out.extend((0..area).flat_map(|pixel| [0, 1, 2].map(|c| value(pixel, c)))),
        _ => {
            let rgb: Vec<u8> =
                (0..area).flat_map(|pixel| [0, 1, 2].map(|c| value(pixel, c))).collect();
            out.resize(area, 0);
            policy::luma(&rgb, out);
        }
    }
}

fn names(feed: &Feed, of: Use) -> Names {
    let id = feed.source.table.id(of.row);
    Names { seed: feed.seed, epoch: of.epoch, id, occurrence: of.occurrence }
}

fn said(payload: &(dyn std::any::Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".into())
}
