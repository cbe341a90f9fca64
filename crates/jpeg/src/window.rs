//! Rectangles: of the picture in pixels, of the scan in MCUs.

use crate::error::{Kind, Result, fail};
use crate::header::{Component, Header};

/// A rectangle of pixels (or of a component's samples).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Left edge.
    pub x: u32,
    /// Upper edge.
    pub y: u32,
    /// Width, at least 1.
    pub width: u32,
    /// Height, at least 1.
    pub height: u32,
}

impl Region {
    /// The whole picture.
    #[must_use]
    pub fn whole(header: &Header) -> Self {
        Self { x: 0, y: 0, width: header.width, height: header.height }
    }

    pub(crate) fn check(&self, width: u32, height: u32) -> Result<()> {
        let inside = |start: u32, size: u32, limit: u32| {
            size > 0 && start.checked_add(size).is_some_and(|end| end <= limit)
        };
        if inside(self.x, self.width, width) && inside(self.y, self.height, height) {
            Ok(())
        } else {
            fail(Kind::RegionOutside, 0)
        }
    }
}

/// MCUs from (x0, y0) up to, not including, (x1, y1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct McuRect {
    pub x0: u32,
    pub y0: u32,
    pub x1: u32,
    pub y1: u32,
}

impl McuRect {
    /// Whether a region is all the samples of a component in these MCUs, and no more.
    pub fn covers(&self, component: &Component, region: Region) -> bool {
        let (w, h) = (8 * u32::from(component.h), 8 * u32::from(component.v));
        let Region { x, y, width, height } = region;
        (x, y, x + width, y + height) == (self.x0 * w, self.y0 * h, self.x1 * w, self.y1 * h)
    }

    const NOTHING: Self = Self { x0: u32::MAX, y0: u32::MAX, x1: 0, y1: 0 };

    /// The MCUs that hold some samples of each component.
    pub fn around<'a>(parts: impl Iterator<Item = (&'a Component, Region)>) -> Self {
        parts.fold(Self::NOTHING, |rect, (component, part)| {
            let (w, h) = (8 * u32::from(component.h), 8 * u32::from(component.v));
            Self {
                x0: rect.x0.min(part.x / w),
                y0: rect.y0.min(part.y / h),
                x1: rect.x1.max((part.x + part.width).div_ceil(w)),
                y1: rect.y1.max((part.y + part.height).div_ceil(h)),
            }
        })
    }
}
