//! A stretch of MCUs of one row: where decoded blocks wait, while they are in the first cache, for
//! the transform.

use crate::block::Block;
use crate::header::Header;

/// MCUs a chunk holds; even, so that the transform finds its blocks in pairs.
pub(crate) const CHUNK: usize = 16;

/// One block of an MCU: whose it is, and where in the chunk the first and the next MCU's stand.
#[derive(Clone, Copy, Default)]
pub(crate) struct Planned {
    pub component: usize,
    pub first: usize,
    pub step: usize,
}

/// The blocks of up to [`CHUNK`] MCUs, each component's rows of blocks one after the other.
#[derive(Default)]
pub(crate) struct Chunk {
    pub blocks: Vec<Block>,
    /// The last zigzag position of each block that may not be zero.
    pub lasts: Vec<u8>,
    plan: Vec<Planned>,
    bases: [usize; 4],
    /// Per component: coefficients needed of each block; 0 steps over it.
    pub limits: [u32; 4],
}

impl Chunk {
    /// Lays the chunk out for a picture.
    pub fn arrange(&mut self, header: &Header, limits: [u32; 4]) {
        self.limits = limits;
        self.plan.clear();
        let mut next = 0;
        for (component, info) in header.components().iter().enumerate() {
            self.bases[component] = next;
            let (h, v) = (usize::from(info.h), usize::from(info.v));
            for row in 0..v {
                for column in 0..h {
                    let first = next + row * CHUNK * h + column;
                    self.plan.push(Planned { component, first, step: h });
                }
            }
            next += CHUNK * h * v;
        }
        self.blocks.resize(next, [0; 64]);
        self.lasts.resize(next, 0);
    }

    /// The blocks of an MCU in the order the file has them.
    pub fn plan(&self) -> &[Planned] {
        &self.plan
    }

    /// Whether every coefficient of every component is needed.
    pub fn takes_all(&self, header: &Header) -> bool {
        self.limits[..header.count].iter().all(|&limit| limit == 64)
    }

    /// The plan, and the places it speaks of.
    pub fn parts(&mut self) -> (&[Planned], &mut [Block], &mut [u8]) {
        (&self.plan, &mut self.blocks, &mut self.lasts)
    }

    /// Row `row` of the blocks that `count` MCUs have of a component.
    pub fn row(&self, component: usize, h: usize, row: usize, count: usize) -> (&[Block], &[u8]) {
        let start = self.bases[component] + row * CHUNK * h;
        let range = start..start + count * h;
        (&self.blocks[range.clone()], &self.lasts[range])
    }
}
