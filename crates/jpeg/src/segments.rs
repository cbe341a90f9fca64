//! Walks the marker segments of a file: tables are kept, frame and scan headers are handed out.

use crate::error::{Kind, Result, fail};
use crate::exif;
use crate::header::{Applications, Frame};
use crate::huff::Spec;
use crate::zigzag::ZIGZAG;

/// A quantisation table in natural order.
pub(crate) type Quant = [u16; 64];

/// A quantisation table as the file gives it: 64 factors in zigzag order, of one byte or two each.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuantSpec<'a> {
    Narrow(&'a [u8; 64]),
    Wide(&'a [u8; 128]),
}

impl<'a> QuantSpec<'a> {
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Self::Narrow(bytes) => bytes,
            Self::Wide(bytes) => bytes,
        }
    }

    pub fn table(self) -> Quant {
        let mut table = [0; 64];
        for (index, &natural) in ZIGZAG[..64].iter().enumerate() {
            table[usize::from(natural)] = match self {
                Self::Narrow(bytes) => u16::from(bytes[index]),
                Self::Wide(bytes) => u16::from_be_bytes([bytes[2 * index], bytes[2 * index + 1]]),
            };
        }
        table
    }
}

/// One component's part in a scan.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScanComponent {
    /// Its place in the frame.
    pub index: usize,
    pub dc_table: u8,
    pub ac_table: u8,
}

/// A scan header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    pub components: [ScanComponent; 4],
    pub count: usize,
    /// First and last coefficient, in zigzag order.
    pub first: u8,
    pub last: u8,
    /// Successive approximation: bit position of the scan before (0: none) and of this one.
    pub high: u8,
    pub low: u8,
    /// Where the entropy-coded data begins.
    pub data: usize,
}

impl Scan {
    pub fn components(&self) -> &[ScanComponent] {
        &self.components[..self.count]
    }
}

/// What comes next in the file.
pub(crate) enum Event {
    Scan(Scan),
    End,
}

/// The walk itself: a position and the tables in force there.
#[derive(Clone, Debug)]
pub(crate) struct Segments<'a> {
    pub data: &'a [u8],
    pub position: usize,
    pub frame: Option<Frame>,
    pub applications: Applications,
    pub quant: [Option<QuantSpec<'a>>; 4],
    pub dc: [Option<Spec<'a>>; 4],
    pub ac: [Option<Spec<'a>>; 4],
    /// MCUs between restart markers, 0 for none.
    pub restart: u32,
}

impl<'a> Segments<'a> {
    pub fn new(data: &'a [u8]) -> Result<Self> {
        if !data.starts_with(&[0xFF, 0xD8]) {
            return fail(Kind::NotJpeg, 0);
        }
        Ok(Self {
            data,
            position: 2,
            frame: None,
            applications: Applications::default(),
            quant: [None; 4],
            dc: [None; 4],
            ac: [None; 4],
            restart: 0,
        })
    }

    /// Reads on to the next scan header or the end.
    pub fn next(&mut self) -> Result<Event> {
        loop {
            let Some(marker) = self.marker() else { return Ok(Event::End) };
            let offset = self.position - 2;
            match marker {
                0xD9 => return Ok(Event::End),
                0x01 | 0xD0..=0xD8 => continue,
                _ => {}
            }
            let payload = self.payload(marker)?;
            match marker {
                0xC0..=0xC2 => self.read_frame(marker, payload, offset)?,
                0xC4 => self.read_huffman(payload, offset)?,
                0xDA => return Ok(Event::Scan(self.read_scan(payload, offset)?)),
                0xDB => self.read_quant(payload, offset)?,
                0xDD => self.read_restart(payload, offset)?,
                0xE0..=0xEF => self.read_application(marker, payload),
                _ => refuse_other_kinds(marker, offset)?,
            }
        }
    }

    /// The next marker code; whatever stands before it is passed over, as readers do.
    fn marker(&mut self) -> Option<u8> {
        if let Some(&[0xFF, code @ 1..=0xFE]) = self.data.get(self.position..self.position + 2) {
            self.position += 2;
            return Some(code);
        }
        let mut rest = self.data.get(self.position..)?.iter();
        loop {
            rest.find(|&&byte| byte == 0xFF)?;
            let code = *rest.find(|&&byte| byte != 0xFF)?;
            if code != 0 {
                self.position = self.data.len() - rest.len();
                return Some(code);
            }
        }
    }

    fn payload(&mut self, marker: u8) -> Result<&'a [u8]> {
        let at = self.position;
        let Some(&[high, low]) = self.data.get(at..at + 2) else {
            return fail(Kind::CutInHeaders, self.data.len());
        };
        let length = usize::from(u16::from_be_bytes([high, low]));
        if length < 2 {
            return fail(Kind::BadSegmentLength { marker }, at);
        }
        let Some(payload) = self.data.get(at + 2..at + length) else {
            return fail(Kind::CutInHeaders, self.data.len());
        };
        self.position = at + length;
        Ok(payload)
    }

    fn read_frame(&mut self, marker: u8, payload: &[u8], offset: usize) -> Result<()> {
        if self.frame.is_some() {
            return fail(Kind::SecondFrame, offset);
        }
        self.frame = Some(Frame::parse(marker, payload, offset)?);
        Ok(())
    }

    fn read_huffman(&mut self, mut payload: &'a [u8], offset: usize) -> Result<()> {
        while let Some((&[selector, ref counts @ ..], rest)) = payload.split_first_chunk::<17>() {
            let counts: &'a [u8; 16] = counts;
            let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
            let slot = usize::from(selector & 15);
            if total > 256 || slot > 3 || selector > 0x1F || rest.len() < total {
                return fail(Kind::BadHuffmanTable, offset);
            }
            let (values, after) = rest.split_at(total);
            let tables = if selector < 16 { &mut self.dc } else { &mut self.ac };
            tables[slot] = Some(Spec { counts, values });
            payload = after;
        }
        if payload.is_empty() { Ok(()) } else { fail(Kind::BadHuffmanTable, offset) }
    }

    fn read_quant(&mut self, mut payload: &'a [u8], offset: usize) -> Result<()> {
        while let Some((&selector, rest)) = payload.split_first() {
            let (wide, slot) = (selector >> 4, usize::from(selector & 15));
            let split = match wide {
                0 => rest.split_first_chunk().map(|(table, rest)| (QuantSpec::Narrow(table), rest)),
                1 => rest.split_first_chunk().map(|(table, rest)| (QuantSpec::Wide(table), rest)),
                _ => None,
            };
            let (Some((table, rest)), 0..=3) = (split, slot) else {
                return fail(Kind::BadQuantTable, offset);
            };
            self.quant[slot] = Some(table);
            payload = rest;
        }
        Ok(())
    }

    fn read_restart(&mut self, payload: &[u8], offset: usize) -> Result<()> {
        let &[high, low] = payload else {
            return fail(Kind::BadSegmentLength { marker: 0xDD }, offset);
        };
        self.restart = u16::from_be_bytes([high, low]).into();
        Ok(())
    }

    fn read_application(&mut self, marker: u8, payload: &[u8]) {
        let known = &mut self.applications;
        match marker {
            0xE0 if payload.len() >= 14 && payload.starts_with(b"JFIF\0") => known.jfif = true,
            0xE1 if known.orientation.is_none() => known.orientation = exif::orientation(payload),
            0xE2 if payload.starts_with(b"ICC_PROFILE\0") => known.icc = true,
            0xEE if payload.len() >= 12 && payload.starts_with(b"Adobe") => {
                known.adobe = Some(payload[11]);
            }
            _ => {}
        }
    }

    fn read_scan(&mut self, payload: &[u8], offset: usize) -> Result<Scan> {
        let Some(frame) = &self.frame else { return fail(Kind::NoFrame, offset) };
        let Some((&count, rest)) = payload.split_first() else {
            return fail(Kind::BadSegmentLength { marker: 0xDA }, offset);
        };
        let count = usize::from(count);
        if !(1..=4).contains(&count) {
            return fail(Kind::BadScan("it has no component, or more than four"), offset);
        }
        if rest.len() != 2 * count + 3 {
            return fail(Kind::BadSegmentLength { marker: 0xDA }, offset);
        }
        let (selectors, band) = rest.split_at(2 * count);
        let mut scan = Scan {
            components: [ScanComponent::default(); 4],
            count,
            first: band[0],
            last: band[1],
            high: band[2] >> 4,
            low: band[2] & 15,
            data: self.position,
        };
        let mut next = 0;
        for (slot, pair) in selectors.chunks_exact(2).enumerate() {
            let components = &frame.components[..frame.count];
            let Some(index) = components.iter().position(|c| c.id == pair[0]) else {
                return fail(Kind::BadScan("it names a component the frame lacks"), offset);
            };
            if index < next {
                return fail(Kind::BadScan("components out of the frame's order"), offset);
            }
            if pair[1] & 15 > 3 || pair[1] >> 4 > 3 {
                return fail(Kind::MissingHuffmanTable(pair[1]), offset);
            }
            next = index + 1;
            scan.components[slot] =
                ScanComponent { index, dc_table: pair[1] >> 4, ac_table: pair[1] & 15 };
        }
        if frame.progressive {
            check_progression(&scan, offset)?;
        } else {
            (scan.first, scan.last, scan.high, scan.low) = (0, 63, 0, 0);
        }
        check_mcu(frame, &scan, offset)?;
        Ok(scan)
    }
}

fn check_progression(scan: &Scan, offset: usize) -> Result<()> {
    let band = match scan.first {
        0 => scan.last == 0,
        first => scan.count == 1 && first <= scan.last && scan.last <= 63,
    };
    if !band {
        return fail(Kind::BadScan("impossible band of coefficients"), offset);
    }
    if scan.low > 13 || (scan.high != 0 && scan.high != scan.low + 1) {
        return fail(Kind::BadScan("impossible successive approximation"), offset);
    }
    Ok(())
}

fn check_mcu(frame: &Frame, scan: &Scan, offset: usize) -> Result<()> {
    let blocks: u32 = scan
        .components()
        .iter()
        .map(|c| &frame.components[c.index])
        .map(|c| u32::from(c.h) * u32::from(c.v))
        .sum();
    if scan.count > 1 && blocks > 10 { fail(Kind::BadSampling, offset) } else { Ok(()) }
}

/// Frames of kinds that are not read; every other segment is skipped.
fn refuse_other_kinds(marker: u8, offset: usize) -> Result<()> {
    let what = match marker {
        0xC3 => "lossless",
        0xC5..=0xC7 | 0xDE | 0xDF => "hierarchical",
        0xC9 | 0xCA => "arithmetic-coded",
        0xCB => "lossless arithmetic-coded",
        0xCD..=0xCF => "hierarchical arithmetic-coded",
        0xF7 => "JPEG-LS",
        _ => return Ok(()),
    };
    fail(Kind::Unsupported(what), offset)
}
