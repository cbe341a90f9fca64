//! JPEG, by our own crate: exact pixels of a region, or planes that are resized as they come.

use pixfeed_jpeg::{Colour, Decoder, Error, Header, Jpeg, Kind, Layout, Plane, Region, Scale};

use super::policy;
use super::raster::{Limits, Probe};
use crate::fault::{Code, Fault};
use crate::ops::orient::Rect;
use crate::ops::resize::{Blend, Filter, Geometry, Grid, PlaneGrid, Resizer};

/// Reads the headers.
pub fn open<'a>(data: &'a [u8], limits: &Limits) -> Result<Jpeg<'a>, Fault> {
    let limits =
        pixfeed_jpeg::Limits { pixels: limits.pixels, scans: limits.scans, memory: limits.memory };
    Jpeg::open(data, limits).map_err(fault)
}

/// What the headers say.
#[must_use]
pub fn probe(header: &Header) -> Probe {
    let colorspace = match header.colour {
        Colour::Gray => "gray",
        Colour::YCbCr => "ycbcr",
        Colour::Rgb => "rgb",
        Colour::Cmyk => "cmyk",
        Colour::Ycck => "ycck",
    };
    Probe {
        format: "JPEG",
        width: header.width,
        height: header.height,
        channels: header.components().len() as u8,
        bits: 8,
        colorspace,
        alpha: false,
        orientation: header.orientation,
        progressive: header.progressive,
        animated: false,
        icc: header.icc,
        subsampling: header.subsampling(),
    }
}

/// The facts of a JPEG error.
fn fault(error: Error) -> Fault {
    let code = match error.kind {
        Kind::CutInHeaders | Kind::CutInScan { .. } | Kind::MissingScan => Code::Truncated,
        Kind::NotJpeg
        | Kind::NoFrame
        | Kind::SecondFrame
        | Kind::EmptyPicture
        | Kind::BadComponentCount(_)
        | Kind::DuplicateComponent(_)
        | Kind::BadSampling => Code::BadHeader,
        Kind::BadSegmentLength { .. } | Kind::BadScan(_) | Kind::BadRestart { .. } => {
            Code::BadSegment
        }
        Kind::BadQuantTable
        | Kind::MissingQuantTable(_)
        | Kind::BadHuffmanTable
        | Kind::MissingHuffmanTable(_) => Code::BadTable,
        Kind::Unsupported(_) => Code::Unsupported,
        Kind::TooManyPixels { .. } => Code::TooManyPixels,
        Kind::TooManyScans { .. } => Code::TooManyScans,
        Kind::TooMuchMemory { .. } => Code::TooMuchMemory,
        Kind::RegionOutside => Code::BoxOutside,
        _ => Code::BadData,
    };
    Fault::new(code, "JPEG", error.kind.to_string()).at(error.offset as u64)
}

/// Refuses a file too short for what it claims, before the output is allocated.
pub fn check_length(jpeg: &Jpeg<'_>) -> Result<(), Fault> {
    jpeg.check_length().map_err(fault)
}

/// The exact pixels of a part, as gray (1 channel) or RGB (3), in stored orientation.
pub fn pixels(
    decoder: &mut Decoder,
    jpeg: &Jpeg<'_>,
    part: Rect,
    channels: usize,
    out: &mut [u8],
) -> Result<(), Fault> {
    let region = Region { x: part.x, y: part.y, width: part.width, height: part.height };
    let header = jpeg.header();
    let layout = match (header.colour, channels) {
        (Colour::Gray | Colour::YCbCr, 1) => Layout::Luma,
        (Colour::Gray | Colour::YCbCr, _) | (Colour::Rgb, 3) => Layout::Rgb,
        (Colour::Rgb, _) => return to_gray(decoder, jpeg, region, Layout::Rgb, out),
        (Colour::Cmyk | Colour::Ycck, 1) => {
            return to_gray(decoder, jpeg, region, Layout::Inks, out);
        }
        (Colour::Cmyk | Colour::Ycck, _) => return inks(decoder, jpeg, region, out),
    };
    decoder.pixels(jpeg, region, layout, out).map_err(fault)
}

fn to_gray(
    decoder: &mut Decoder,
    jpeg: &Jpeg<'_>,
    region: Region,
    layout: Layout,
    out: &mut [u8],
) -> Result<(), Fault> {
    let mut rgb = vec![0; out.len() * 3];
    if layout == Layout::Inks {
        inks(decoder, jpeg, region, &mut rgb)?;
    } else {
        decoder.pixels(jpeg, region, layout, &mut rgb).map_err(fault)?;
    }
    policy::luma(&rgb, out);
    Ok(())
}

/// Inks to RGB; an Adobe segment says that they are stored inverted.
fn inks(
    decoder: &mut Decoder,
    jpeg: &Jpeg<'_>,
    region: Region,
    out: &mut [u8],
) -> Result<(), Fault> {
    let mut inks = vec![0; out.len() / 3 * 4];
    decoder.pixels(jpeg, region, Layout::Inks, &mut inks).map_err(fault)?;
    let inverted = jpeg.header().adobe.is_some();
    for (inks, rgb) in inks.chunks_exact(4).zip(out.chunks_exact_mut(3)) {
        let inks = [inks[0], inks[1], inks[2], inks[3]];
        let inks = if inverted { inks.map(|ink| 255 - ink) } else { inks };
        rgb.copy_from_slice(&policy::cmyk(inks));
    }
    Ok(())
}

/// Whether a picture's planes can be resized one by one and blended after.
#[must_use]
pub fn resizes_by_plane(header: &Header, channels: usize) -> bool {
    match header.colour {
        Colour::Gray | Colour::YCbCr => true,
        Colour::Rgb => channels == 3,
        Colour::Cmyk | Colour::Ycck => false,
    }
}

/// A part, resized: `target` is (width, height) in stored orientation.
pub struct Resize {
    /// The part.
    pub part: Rect,
    /// Width and height of the target.
    pub target: (usize, usize),
    /// The columns and the rows of the target that are wanted.
    pub window: [(usize, usize); 2],
    /// The filter.
    pub filter: Filter,
    /// Mirrors, across and down.
    pub backwards: (bool, bool),
    /// 1 or 3.
    pub channels: usize,
}

/// Decodes what a resize needs of each plane and resizes it as it comes.
pub fn resized(
    decoder: &mut Decoder,
    resizer: &mut Resizer,
    jpeg: &Jpeg<'_>,
    resize: &Resize,
    out: &mut [u8],
) -> Result<(), Fault> {
    let header = jpeg.header();
    let blend = match (header.colour, resize.channels) {
        (_, 1) => Blend::One,
        (Colour::Gray, _) => Blend::Repeated,
        (Colour::Rgb, _) => Blend::Three,
        _ => Blend::Luma,
    };
    let scales: [Scale; 3] = std::array::from_fn(|index| scale(header, index, resize));
    let geometry = Geometry {
        blend,
        target: resize.target,
        window: resize.window,
        filter: resize.filter,
        backwards: resize.backwards,
        planes: std::array::from_fn(|index| grid(header, index, resize.part, scales[index])),
    };
    resizer.plan(&geometry);
    let mut planes = [None; 4];
    for (index, plane) in planes.iter_mut().enumerate().take(blend.planes()) {
        let [columns, rows] = resizer.window(index);
        let component = &header.components()[index];
        let divisor = scales[index].divisor();
        let part = |(first, end): (usize, usize), size: u32| {
            let first = first as u32 * divisor;
            (first, (end as u32 * divisor).min(size) - first)
        };
        let ((x, width), (y, height)) =
            (part(columns, component.width), part(rows, component.height));
        *plane = Some(Plane { region: Region { x, y, width, height }, scale: scales[index] });
    }
    let mut running = resizer.start(out);
    decoder.strips(jpeg, &planes, &mut running).map_err(fault)?;
    debug_assert!(running.complete());
    Ok(())
}

/// The smallest scale at which a plane's part still has twice the target's size in both directions.
fn scale(header: &Header, index: usize, resize: &Resize) -> Scale {
    let Some(component) = header.components().get(index) else { return Scale::Full };
    if resize.filter == Filter::Nearest {
        return Scale::Full;
    }
    let (h_max, v_max) = factors(header);
    let enough = |scale: &Scale| {
        let divisor = u64::from(scale.divisor());
        let fits = |size: u32, factor: u8, whole: u32, target: usize| {
            u64::from(size) * u64::from(factor) >= 2 * target as u64 * divisor * u64::from(whole)
        };
        fits(resize.part.width, component.h, h_max, resize.target.0)
            && fits(resize.part.height, component.v, v_max, resize.target.1)
    };
    Scale::ALL.into_iter().rev().find(enough).unwrap_or_default()
}

fn factors(header: &Header) -> (u32, u32) {
    let most = |factor: fn(&pixfeed_jpeg::Component) -> u8| {
        header.components().iter().map(factor).max().unwrap_or(1).into()
    };
    (most(|c| c.h), most(|c| c.v))
}

/// Where a plane's samples lie relative to the picture's part.
fn grid(header: &Header, index: usize, part: Rect, scale: Scale) -> PlaneGrid {
    let (h_max, v_max) = factors(header);
    let Some(component) = header.components().get(index) else {
        return PlaneGrid { span: [(0.0, 1.0); 2], grid: [Grid::Own; 2] };
    };
    let axis = |start: u32, size: u32, factor: u8, most: u32, samples: u32, triangle: bool| {
        let (low, high) = (f64::from(start), f64::from(start + size));
        if scale != Scale::Full {
            // Samples are measured directly, those of the last block's padding left out.
            let unit = f64::from(factor) / f64::from(most * scale.divisor());
            let limit = f64::from(samples.div_ceil(scale.divisor()));
            return ((low * unit, (high * unit).min(limit)), Grid::Own);
        }
        let grid = match (u32::from(factor), most) {
            (part, whole) if part == whole => Grid::Own,
            (part, whole) if 2 * part == whole && triangle => {
                Grid::Triangle { samples: samples as usize }
            }
            (part, whole) => Grid::Repeat { part: part as usize, whole: whole as usize },
        };
        ((low, high), grid)
    };
    // libjpeg's rules of which direction gets a triangle.
    let (half_h, half_v) =
        (u32::from(component.h) * 2 == h_max, u32::from(component.v) * 2 == v_max);
    let (same_h, same_v) = (u32::from(component.h) == h_max, u32::from(component.v) == v_max);
    let wide = component.width > 2;
    let across = half_h && wide && (same_v || half_v);
    let down = half_v && (same_h || half_h && wide);
    let (x, columns) = axis(part.x, part.width, component.h, h_max, component.width, across);
    let (y, rows) = axis(part.y, part.height, component.v, v_max, component.height, down);
    PlaneGrid { span: [x, y], grid: [columns, rows] }
}
