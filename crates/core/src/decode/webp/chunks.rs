//! WebP's chunks: what the picture is and where its data lies, without unpacking any of it.

use std::ops::Range;

use super::super::exif;
use super::super::policy::check_memory;
use super::super::raster::{Limits, Probe};
use super::{NAME, missing};
use crate::fault::{Code, Fault};

/// One coded picture: its place on the canvas and the chunks that hold it.
pub(super) struct Picture {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    lossless: bool,
    image: Range<usize>,
    alpha: Option<Range<usize>>,
}

impl Picture {
    /// Refuses, before anything is allocated, what cannot be whole or would take too much.
    pub(super) fn check_data(&self, data: &[u8], limits: &Limits) -> Result<(), Fault> {
        let pixels = u64::from(self.width) * u64::from(self.height);
        if self.lossless {
            // A picture of one colour takes no bits for each pixel: no bound from its length exists.
            return check_memory(NAME, pixels * 5 + (1 << 20), limits);
        }
        self.check_blocks(&data[self.image.clone()])?;
        let alpha = if self.alpha.is_some() { 9 } else { 0 };
        check_memory(NAME, pixels * (2 + alpha) + (1 << 20), limits)
    }

    /// The cheapest macroblock spends 2.6 bits on its luma mode and 0.8 on its chroma mode, whose
    /// probabilities are fixed in key frames, so the first part cannot be shorter than this.
    fn check_blocks(&self, image: &[u8]) -> Result<(), Fault> {
        let blocks = u64::from(self.width.div_ceil(16)) * u64::from(self.height.div_ceil(16));
        let tag = image.get(..3).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], 0]));
        let first = tag as usize >> 5;
        if image.len() < 10 + first || blocks * 3 / 8 > first as u64 + 64 {
            let found = format!("{} bytes of lossy data for {blocks} blocks", image.len());
            return Err(Fault::new(Code::Truncated, NAME, found));
        }
        Ok(())
    }

    /// A still file of nothing but this picture: the crate sees no chunk that was not checked.
    pub(super) fn file(&self, data: &[u8]) -> Vec<u8> {
        let mut body = b"WEBP".to_vec();
        if let Some(alpha) = &self.alpha {
            let [w, h] = [self.width - 1, self.height - 1].map(u32::to_le_bytes);
            put(&mut body, b"VP8X", &[0x10, 0, 0, 0, w[0], w[1], w[2], h[0], h[1], h[2]]);
            put(&mut body, b"ALPH", &data[alpha.clone()]);
        }
        let kind = if self.lossless { b"VP8L" } else { b"VP8 " };
        put(&mut body, kind, &data[self.image.clone()]);
        let mut file = Vec::with_capacity(body.len() + 8);
        put(&mut file, b"RIFF", &body);
        file
    }
}

fn put(out: &mut Vec<u8>, kind: &[u8; 4], body: &[u8]) {
    out.extend_from_slice(kind);
    out.extend_from_slice(&(body.len() as u32).to_le_bytes());
    out.extend_from_slice(body);
    out.resize(out.len() + body.len() % 2, 0);
}

/// What a walk over the chunks finds.
pub(super) struct Chunks {
    pub(super) width: u32,
    pub(super) height: u32,
    transparent: bool,
    animated: bool,
    icc: bool,
    orientation: u8,
    /// Its fault where it is cut or does not fit its canvas.
    pub(super) picture: Result<Picture, Fault>,
}

impl Chunks {
    pub(super) fn read(data: &[u8]) -> Result<Self, Fault> {
        let mut parts = Parts { data, at: 12 };
        let (kind, body) = parts.next().ok_or_else(|| missing(data))?;
        let head = |length: usize| {
            data.get(body.start..).and_then(|b| b.get(..length)).ok_or_else(|| missing(data))
        };
        match &kind {
            b"VP8 " => Self::simple(lossy_size(head(10)?)?, false, false, data, body),
            b"VP8L" => {
                let head = head(5)?;
                Self::simple(lossless_size(head)?, true, head[4] & 0x10 != 0, data, body)
            }
            b"VP8X" => Ok(Self::extended(head(10)?, parts)),
            _ => {
                let found = format!("a first chunk named {:?}", String::from_utf8_lossy(&kind));
                Err(Fault::new(Code::BadHeader, NAME, found).at(12))
            }
        }
    }

    fn simple(
        (width, height): (u32, u32),
        lossless: bool,
        transparent: bool,
        data: &[u8],
        image: Range<usize>,
    ) -> Result<Self, Fault> {
        let whole = image.end <= data.len();
        let picture = Picture { left: 0, top: 0, width, height, lossless, image, alpha: None };
        Ok(Self {
            width,
            height,
            transparent,
            animated: false,
            icc: false,
            orientation: 1,
            picture: if whole { Ok(picture) } else { Err(missing(data)) },
        })
    }

    fn extended(head: &[u8], mut parts: Parts<'_>) -> Self {
        let flags = head[0];
        let mut this = Self {
            width: number(&head[4..7]) + 1,
            height: number(&head[7..10]) + 1,
            transparent: flags & 0x10 != 0,
            animated: flags & 0x02 != 0,
            icc: flags & 0x20 != 0,
            orientation: 1,
            picture: Err(missing(parts.data)),
        };
        let (mut alpha, mut first) = (None, true);
        while let Some((kind, body)) = parts.next() {
            let Some(bytes) = parts.data.get(body.clone()) else { break };
            match &kind {
                b"EXIF" => this.orientation = exif::orientation(bytes).unwrap_or(1),
                b"ALPH" if first && !this.animated => alpha = this.transparent.then_some(body),
                b"VP8 " | b"VP8L" if first && !this.animated => {
                    first = false;
                    this.picture = Ok(this.still(&kind, body, alpha.take()));
                }
                b"ANMF" if first && this.animated => {
                    first = false;
                    this.picture = this.frame(parts.data, body);
                }
                _ => {}
            }
        }
        this
    }

    fn still(&self, kind: &[u8; 4], image: Range<usize>, alpha: Option<Range<usize>>) -> Picture {
        let (width, height) = (self.width, self.height);
        Picture { left: 0, top: 0, width, height, lossless: kind == b"VP8L", image, alpha }
    }

    /// The first frame of an animation.
    fn frame(&self, data: &[u8], body: Range<usize>) -> Result<Picture, Fault> {
        let broken = |found: &str| Fault::new(Code::BadSegment, NAME, found).at(body.start as u64);
        let Some(head) = data[body.clone()].get(..16) else {
            return Err(broken("a frame without its header"));
        };
        let [left, top] = [0, 3].map(|i| number(&head[i..i + 3]) * 2);
        let [width, height] = [6, 9].map(|i| number(&head[i..i + 3]) + 1);
        if left + width > self.width || top + height > self.height {
            return Err(broken("a first frame that reaches out of its canvas"));
        }
        let parts = Parts { data: &data[..body.end], at: body.start + 16 };
        let mut alpha = None;
        for (kind, image) in parts {
            match &kind {
                _ if image.end > body.end => break,
                b"ALPH" => alpha = Some(image),
                b"VP8 " | b"VP8L" => {
                    let lossless = &kind == b"VP8L";
                    return Ok(Picture { left, top, width, height, lossless, image, alpha });
                }
                _ => {}
            }
        }
        Err(broken("a first frame without a whole picture"))
    }

    pub(super) fn probe(&self) -> Probe {
        Probe {
            format: NAME,
            width: self.width,
            height: self.height,
            channels: 3 + u8::from(self.transparent),
            bits: 8,
            colorspace: match &self.picture {
                Ok(picture) if !picture.lossless => "ycbcr",
                _ => "rgb",
            },
            alpha: self.transparent,
            orientation: self.orientation,
            progressive: false,
            animated: self.animated,
            icc: self.icc,
            subsampling: String::new(),
        }
    }
}

/// Steps from chunk to chunk; a chunk's range may reach over the end of cut data.
struct Parts<'a> {
    data: &'a [u8],
    at: usize,
}

impl Iterator for Parts<'_> {
    type Item = ([u8; 4], Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let head = self.data.get(self.at..self.at + 8)?;
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let start = self.at + 8;
        self.at = start + length + length % 2;
        Some(([head[0], head[1], head[2], head[3]], start..start + length))
    }
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0])
}

fn lossy_size(head: &[u8]) -> Result<(u32, u32), Fault> {
    if head[0] & 1 != 0 || head[3..6] != [0x9D, 0x01, 0x2A] {
        return Err(Fault::new(Code::BadHeader, NAME, "lossy data that begins with no key frame"));
    }
    let size = |i| u32::from(u16::from_le_bytes([head[i], head[i + 1]]) & 0x3FFF);
    Ok((size(6), size(8)))
}

fn lossless_size(head: &[u8]) -> Result<(u32, u32), Fault> {
    let bits = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
    if head[0] != 0x2F || bits >> 29 != 0 {
        return Err(Fault::new(Code::BadHeader, NAME, "lossless data without its signature"));
    }
    Ok(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
}
