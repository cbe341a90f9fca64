//! The tables of a scan, kept from image to image: files that share tables share lookups.

use crate::error::{Kind, Result, fail};
use crate::huff::Table;
use crate::idct::Dequant;
use crate::segments::{Quant, QuantSpec, Scan, Segments};
use crate::standard;

/// Four DC and four AC tables, and four of quantisation.
pub(crate) struct Tables {
    pub dc: [Table; 4],
    pub ac: [Table; 4],
    quant: [Factors; 4],
}

/// A quantisation table as the transform takes it, and the bytes of the file it was made of.
struct Factors {
    key: Vec<u8>,
    factors: Dequant,
}

impl Tables {
    pub fn new() -> Self {
        let four = || std::array::from_fn(|_| Table::new());
        let quant = std::array::from_fn(|_| Factors { key: Vec::new(), factors: [0; 64] });
        Self { dc: four(), ac: four(), quant }
    }

    /// Takes up a quantisation table.
    pub fn load_quant(&mut self, slot: u8, spec: QuantSpec<'_>) {
        let held = &mut self.quant[usize::from(slot)];
        if held.key != spec.bytes() {
            held.key.clear();
            held.key.extend_from_slice(spec.bytes());
            held.factors = as_factors(&spec.table());
        }
    }

    /// A quantisation table that was taken up.
    pub fn factors(&self, slot: u8) -> &Dequant {
        &self.quant[usize::from(slot)].factors
    }

    /// Takes up the tables a scan names and builds what its kind of decoding looks up.
    pub fn load(&mut self, segments: &Segments<'_>, scan: &Scan, progressive: bool) -> Result<()> {
        let mut held = None;
        for component in scan.components() {
            // Chroma planes share theirs.
            if held.replace((component.dc_table, component.ac_table))
                == Some((component.dc_table, component.ac_table))
            {
                continue;
            }
            if scan.first == 0 && scan.high == 0 {
                self.load_dc(segments, component.dc_table, scan.data)?;
            }
            if scan.last > 0 {
                self.load_ac(segments, component.ac_table, scan.data, progressive)?;
            }
        }
        Ok(())
    }

    /// Builds the lookups that step over blocks, for tables that are loaded.
    pub fn load_skips(&mut self, scan: &Scan) {
        for component in scan.components() {
            self.ac[usize::from(component.ac_table)].build_skips();
        }
    }

    fn load_dc(&mut self, segments: &Segments<'_>, slot: u8, offset: usize) -> Result<()> {
        let index = usize::from(slot);
        let none_defined = segments.dc.iter().all(Option::is_none);
        let spec = match segments.dc[index] {
            Some(spec) => spec,
            None if none_defined && index < 2 => standard::dc(index),
            None => return fail(Kind::MissingHuffmanTable(slot), offset),
        };
        if !self.dc[index].load(spec) {
            return fail(Kind::BadHuffmanTable, offset);
        }
        self.dc[index].build_differences();
        Ok(())
    }

    fn load_ac(
        &mut self,
        segments: &Segments<'_>,
        slot: u8,
        offset: usize,
        progressive: bool,
    ) -> Result<()> {
        let index = usize::from(slot);
        let none_defined = segments.ac.iter().all(Option::is_none);
        let spec = match segments.ac[index] {
            Some(spec) => spec,
            None if none_defined && index < 2 => standard::ac(index),
            None => return fail(Kind::MissingHuffmanTable(slot), offset),
        };
        let table = &mut self.ac[index];
        if !table.load(spec) {
            return fail(Kind::BadHuffmanTable, offset);
        }
        if progressive {
            table.build_symbols();
        } else {
            table.build_values();
        }
        Ok(())
    }
}

/// A quantisation table as the transform multiplies it.
pub(crate) fn as_factors(quant: &Quant) -> Dequant {
    quant.map(|factor| factor as i16)
}
