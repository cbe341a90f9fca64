//! The front door: opens a file, decodes a region to pixels or to strips of planes, or gives its
//! coefficients.

use crate::block::BlockTables;
use crate::chunk::Chunk;
use crate::coefficients::{self, Coefficients, Extent, Workspace};
use crate::driver::{self, BlockSink, Gathered, Streamed};
use crate::error::{Kind, Result, fail};
use crate::header::{Colour, Header};
use crate::isa::Isa;
use crate::pixels::{self, Layout, PixelScratch, PixelSink};
use crate::segments::{Event, Scan, Segments};
use crate::sequential::{Cursor, Sequential};
use crate::strips::{self, Plane, StripScratch, StripSink, Strips};
use crate::tables::{self, Tables};
use crate::unstuff::Unstuffed;
use crate::window::{McuRect, Region};

/// What a file must not exceed; checked before anything is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most pixels of the picture.
    pub pixels: u64,
    /// Most scans of a progressive file.
    pub scans: u32,
    /// Most bytes of coefficients held at once (progressive files only).
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { pixels: 178_000_000, scans: 100, memory: 2 << 30 }
    }
}

/// A file whose headers have been read.
///
/// ```
/// # let data = include_bytes!("../tests/data/tiny.jpg");
/// let jpeg = pixfeed_jpeg::Jpeg::open(data, pixfeed_jpeg::Limits::default())?;
/// assert_eq!((jpeg.header().width, jpeg.header().height), (16, 8));
/// # Ok::<(), pixfeed_jpeg::Error>(())
/// ```
pub struct Jpeg<'a> {
    header: Header,
    segments: Segments<'a>,
    first: Scan,
    limits: Limits,
}

impl<'a> Jpeg<'a> {
    /// Reads the headers up to the first scan.
    ///
    /// # Errors
    ///
    /// When the headers are malformed, of a kind that is not read, or over a limit.
    pub fn open(data: &'a [u8], limits: Limits) -> Result<Self> {
        let mut segments = Segments::new(data)?;
        let Event::Scan(first) = segments.next()? else {
            let kind =
                if segments.frame.is_some() { Kind::MissingScan } else { Kind::CutInHeaders };
            return fail(kind, segments.position);
        };
        let Some(frame) = &segments.frame else { return fail(Kind::NoFrame, segments.position) };
        let header = frame.header(&segments.applications);
        let pixels = u64::from(header.width) * u64::from(header.height);
        if pixels > limits.pixels {
            return fail(Kind::TooManyPixels { pixels, limit: limits.pixels }, segments.position);
        }
        Ok(Self { header, segments, first, limits })
    }

    /// What the headers say.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Refuses a file too short to hold as many blocks as it claims; cheap, so that callers can ask
    /// before they allocate the output.
    ///
    /// # Errors
    ///
    /// [`Kind::CutInScan`] where the data cannot be complete.
    pub fn check_length(&self) -> Result<()> {
        let blocks = |c: &crate::header::Component| {
            u64::from(c.width.div_ceil(8)) * u64::from(c.height.div_ceil(8))
        };
        let total = self.header.components().iter().map(blocks).sum();
        coefficients::plausible(total, self.segments.data, self.first.data)
    }

    /// Whether the first scan is sequential and has all components, so that it can be streamed.
    fn streams(&self) -> bool {
        !self.header.progressive && self.first.count == self.header.count
    }
}

/// Decodes files, one after the other; keeps tables and buffers from file to file. Not shared between
/// threads: give each its own.
pub struct Decoder {
    isa: Isa,
    tables: Tables,
    unstuffed: Unstuffed,
    chunk: Chunk,
    pixels: PixelScratch,
    strips: StripScratch,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new(Isa::detect())
    }
}

impl Decoder {
    /// A decoder whose kernels use an instruction set (or what the machine has of it).
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self {
            isa: isa.available(),
            tables: Tables::new(),
            unstuffed: Unstuffed::default(),
            chunk: Chunk::default(),
            pixels: PixelScratch::default(),
            strips: StripScratch::default(),
        }
    }

    /// Decodes a region to the pixels libjpeg-turbo gives for it (accurate transform, "fancy"
    /// upsampling), row by row into `out`.
    ///
    /// ```
    /// # let data = include_bytes!("../tests/data/tiny.jpg");
    /// use pixfeed_jpeg::{Decoder, Jpeg, Layout, Limits, Region};
    /// let jpeg = Jpeg::open(data, Limits::default())?;
    /// let region = Region { x: 3, y: 2, width: 5, height: 4 };
    /// let mut out = vec![0; 5 * 4 * 3];
    /// Decoder::default().pixels(&jpeg, region, Layout::Rgb, &mut out)?;
    /// # Ok::<(), pixfeed_jpeg::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the data is malformed or cut short, or the region lies outside the picture.
    ///
    /// # Panics
    ///
    /// When `out` is not as long as the region needs, or the picture has no such layout.
    pub fn pixels(
        &mut self,
        jpeg: &Jpeg<'_>,
        region: Region,
        layout: Layout,
        out: &mut [u8],
    ) -> Result<()> {
        let header = &jpeg.header;
        region.check(header.width, header.height)?;
        let has_inks = matches!(header.colour, Colour::Cmyk | Colour::Ycck);
        assert!((layout == Layout::Inks) == has_inks, "{layout:?} of {:?}", header.colour);
        assert!(layout != Layout::Luma || header.colour != Colour::Rgb, "luma of an RGB picture");
        let area = region.width as usize * region.height as usize;
        assert_eq!(out.len(), area * layout.channels(), "length of the output");

        let reach = pixels::reach(header, region, layout);
        let (count, rect) = reach;
        // Places without a component take nothing away from a picture that is wanted whole.
        let unused = header.count;
        let limits = std::array::from_fn(|at| if at < count || at >= unused { 64 } else { 0 });
        let mut scratch = std::mem::take(&mut self.pixels);
        let mut sink = PixelSink::new(self.isa, header, region, layout, reach, &mut scratch, out);
        let done = self.run(jpeg, rect, limits, &mut sink);
        self.pixels = scratch;
        done
    }

    /// Decodes parts of some components, each at its own scale, and hands them to `sink` in strips.
    ///
    /// # Errors
    ///
    /// When the data is malformed or cut short, or a part lies outside its component.
    ///
    /// # Panics
    ///
    /// When no component is wanted.
    pub fn strips<S: StripSink>(
        &mut self,
        jpeg: &Jpeg<'_>,
        planes: &[Option<Plane>; 4],
        sink: &mut S,
    ) -> Result<()> {
        let header = &jpeg.header;
        let wanted = header.components().iter().zip(planes).filter_map(|(c, p)| p.map(|p| (c, p)));
        for (component, plane) in wanted.clone() {
            plane.region.check(component.width, component.height)?;
        }
        assert!(wanted.count() > 0, "no component is wanted");
        let rect = strips::reach(header, planes);
        let limits = std::array::from_fn(|index| match planes[index] {
            Some(plane) => plane.scale.coefficients(),
            None if index < header.count => 0,
            None => 64,
        });
        let mut scratch = std::mem::take(&mut self.strips);
        let mut sink = Strips::new(self.isa, header, planes, &mut scratch, sink);
        let done = self.run(jpeg, rect, limits, &mut sink);
        self.strips = scratch;
        done
    }

    /// All coefficients of the picture, as a transcoder needs them.
    ///
    /// # Errors
    ///
    /// When the data is malformed or cut short, or over the limit of memory.
    pub fn coefficients(&mut self, jpeg: &Jpeg<'_>) -> Result<Coefficients> {
        self.gather(jpeg, u32::MAX, [64; 4])
    }

    fn gather(&mut self, jpeg: &Jpeg<'_>, mcu_rows: u32, limits: [u32; 4]) -> Result<Coefficients> {
        let Limits { scans, memory, .. } = jpeg.limits;
        let extent = Extent { mcu_rows, limits, scans, memory };
        let mut workspace =
            Workspace { tables: &mut self.tables, unstuffed: &mut self.unstuffed, isa: self.isa };
        let segments = jpeg.segments.clone();
        coefficients::gather(&jpeg.header, segments, jpeg.first, extent, &mut workspace)
    }

    fn run(
        &mut self,
        jpeg: &Jpeg<'_>,
        rect: McuRect,
        limits: [u32; 4],
        sink: &mut impl BlockSink,
    ) -> Result<()> {
        self.chunk.arrange(&jpeg.header, limits);
        if jpeg.streams() {
            return self.stream(jpeg, rect, sink);
        }
        let coefficients = self.gather(jpeg, rect.y1, limits)?;
        let header = &jpeg.header;
        let mut dequant = [[0; 64]; 4];
        for (dequant, component) in dequant.iter_mut().zip(&coefficients.components) {
            *dequant = tables::as_factors(&component.quant);
        }
        let dequant = dequant.each_ref();
        let mut source = Gathered { header, coefficients: &coefficients };
        driver::run(header, rect, dequant, &mut source, &mut self.chunk, sink)
    }

    fn stream(&mut self, jpeg: &Jpeg<'_>, rect: McuRect, sink: &mut impl BlockSink) -> Result<()> {
        let (header, segments, scan) = (&jpeg.header, &jpeg.segments, &jpeg.first);
        self.tables.load(segments, scan, false)?;
        let (mcus_wide, mcus_high) = header.mcus();
        let whole =
            (rect.x0, rect.y0, rect.x1) == (0, 0, mcus_wide) && self.chunk.takes_all(header);
        if !whole {
            self.tables.load_skips(scan);
        }
        for (index, component) in header.components().iter().enumerate() {
            let spec = coefficients::quant(header, segments, index)?;
            self.tables.load_quant(component.quant, spec);
        }
        let dequant = header.components.map(|component| self.tables.factors(component.quant));
        self.unstuffed.read(segments.data, scan.data, self.isa);
        let total = u64::from(mcus_wide) * u64::from(mcus_high);
        let cursor = Cursor::new(segments.data, &self.unstuffed, segments.restart, total);
        let tables = scan.components;
        let tables = std::array::from_fn(|slot| {
            let (dc, ac) = (tables[slot].dc_table, tables[slot].ac_table);
            BlockTables::new(&self.tables.dc[usize::from(dc)], &self.tables.ac[usize::from(ac)])
        });
        let scan = Sequential::new(cursor, tables, &self.chunk, self.isa);
        let mut source = Streamed { scan, mcus_wide };
        driver::run(header, rect, dequant, &mut source, &mut self.chunk, sink)
    }
}
