//! A JPEG whose headers are valid and whose tables and scans are the fuzzer's: nothing is refused
//! before its entropy-coded data is read, so that is what the fuzzer learns about.

/// The fuzzer's bytes, taken from the front; zeros when they are used up.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn one(&mut self) -> u8 {
        self.some(1).first().copied().unwrap_or(0)
    }

    fn some(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }
}

/// What the first bytes choose.
struct Shape {
    progressive: bool,
    components: u8,
    /// Sampling factors of the first (and fourth) component.
    sampling: (u8, u8),
    /// MCUs between restart markers, 0 for none.
    restart: u8,
    own_tables: bool,
    /// Width and height.
    size: (u8, u8),
    quant: u16,
    /// Zeros behind each stretch of data, so that it is often long enough: with the standard's
    /// tables every bit of them is a legal symbol.
    padding: usize,
}

impl Shape {
    fn read(bytes: &mut Bytes<'_>) -> Self {
        const SAMPLINGS: [(u8, u8); 8] =
            [(1, 1), (2, 1), (2, 2), (1, 2), (4, 1), (1, 4), (3, 1), (4, 2)];
        let (kind, more) = (bytes.one(), bytes.one());
        let components = [1, 3, 3, 4][usize::from(kind >> 1 & 3)];
        // Ten blocks are the most an MCU may have.
        let samplings = if components == 4 { 4 } else { 8 };
        Self {
            progressive: kind & 1 == 1,
            components,
            sampling: SAMPLINGS[usize::from(kind >> 3) % samplings],
            restart: if kind & 0x40 == 0 { 0 } else { 1 + (more & 7) },
            own_tables: kind & 0x80 != 0,
            size: (1 + bytes.one() % 40, 1 + bytes.one() % 40),
            quant: if more & 0x80 == 0 { 1 + u16::from(more >> 3 & 15) } else { 0xFFFF },
            padding: usize::from(bytes.one()) * 8,
        }
    }

    /// Stretches between restart markers of a scan of some components.
    fn stretches(&self, components: &[u8]) -> usize {
        if self.restart == 0 {
            return 1;
        }
        let factors = |component: u8| if leads(component) { self.sampling } else { (1, 1) };
        let most = if self.components == 1 { (1, 1) } else { self.sampling };
        let side = |size: u8, most: u8, own: u8| match components {
            [_] if self.components == 1 => usize::from(size).div_ceil(8),
            [_] => (usize::from(size) * usize::from(own)).div_ceil(usize::from(most)).div_ceil(8),
            _ => usize::from(size).div_ceil(8 * usize::from(most)),
        };
        let own = factors(components[0]);
        let mcus = side(self.size.0, most.0, own.0) * side(self.size.1, most.1, own.1);
        mcus.div_ceil(self.restart.into())
    }
}

/// Whether a component is sampled like the first: that one, and the fourth.
fn leads(component: u8) -> bool {
    matches!(component, 0 | 3)
}

/// A scan: its components, first and last coefficient, bit positions before and after.
type Scan = (Vec<u8>, u8, u8, u8, u8);

/// Makes a JPEG of whatever bytes there are.
#[must_use]
pub fn jpeg(data: &[u8]) -> Vec<u8> {
    let mut bytes = Bytes(data);
    let shape = Shape::read(&mut bytes);
    let mut out = vec![0xFF, 0xD8];
    segment(&mut out, 0xDB, [&[0x10][..], &shape.quant.to_be_bytes().repeat(64)].concat());
    segment(&mut out, if shape.progressive { 0xC2 } else { 0xC1 }, frame(&shape));
    if shape.own_tables {
        for slot in [0x00, 0x10, 0x01, 0x11] {
            segment(&mut out, 0xC4, huffman(slot, &mut bytes));
        }
    }
    if shape.restart > 0 {
        segment(&mut out, 0xDD, vec![0, shape.restart]);
    }
    let script = if shape.progressive {
        progressive(shape.components, &mut bytes)
    } else {
        sequential(shape.components, &mut bytes)
    };
    let last = script.len() - 1;
    for (number, scan) in script.iter().enumerate() {
        segment(&mut out, 0xDA, scan_header(scan));
        stretches(&mut out, &shape, scan, &mut bytes, number == last);
    }
    out.extend([0xFF, 0xD9]);
    out
}

fn segment(out: &mut Vec<u8>, marker: u8, payload: Vec<u8>) {
    let length = payload.len() as u16 + 2;
    out.extend([0xFF, marker]);
    out.extend(length.to_be_bytes());
    out.extend(payload);
}

fn frame(shape: &Shape) -> Vec<u8> {
    let mut out = vec![8, 0, shape.size.1, 0, shape.size.0, shape.components];
    for component in 0..shape.components {
        let (h, v) = if leads(component) { shape.sampling } else { (1, 1) };
        out.extend([component, h << 4 | v, 0]);
    }
    out
}

/// A table the fuzzer chose, with no more codes than fit.
fn huffman(slot: u8, bytes: &mut Bytes<'_>) -> Vec<u8> {
    let (mut out, mut free, mut total) = (vec![slot], 1_usize, 0);
    for _ in 0..16 {
        free = (2 * free).min(1 << 16);
        let count = usize::from(bytes.one()).min(free).min(256 - total);
        free -= count;
        total += count;
        out.push(count.min(255) as u8);
    }
    let named: usize = out[1..].iter().map(|&count| usize::from(count)).sum();
    let values = bytes.some(named);
    out.extend(values);
    out.resize(17 + named, 0);
    out
}

fn sequential(components: u8, bytes: &mut Bytes<'_>) -> Vec<Scan> {
    let all: Vec<u8> = (0..components).collect();
    if bytes.one() & 1 == 0 {
        return vec![(all, 0, 63, 0, 0)];
    }
    all.into_iter().map(|component| (vec![component], 0, 63, 0, 0)).collect()
}

/// A complete progression: two bands a component, refined as often as the fuzzer says.
fn progressive(components: u8, bytes: &mut Bytes<'_>) -> Vec<Scan> {
    let (low, split) = (bytes.one() % 3, 1 + bytes.one() % 63);
    let all: Vec<u8> = (0..components).collect();
    let mut script: Vec<Scan> = vec![(all.clone(), 0, 0, 0, low)];
    let bands = |script: &mut Vec<Scan>, high: u8, low: u8| {
        for &component in &all {
            script.push((vec![component], 1, split, high, low));
            if split < 63 {
                script.push((vec![component], split + 1, 63, high, low));
            }
        }
    };
    bands(&mut script, 0, low);
    for step in (0..low).rev() {
        script.push((all.clone(), 0, 0, step + 1, step));
        bands(&mut script, step + 1, step);
    }
    script
}

fn scan_header((components, first, last, high, low): &Scan) -> Vec<u8> {
    let mut out = vec![components.len() as u8];
    for &component in components {
        out.extend([component, if leads(component) { 0x00 } else { 0x11 }]);
    }
    out.extend([*first, *last, high << 4 | low]);
    out
}

/// The data of a scan, its restart markers where they belong.
fn stretches(out: &mut Vec<u8>, shape: &Shape, scan: &Scan, bytes: &mut Bytes<'_>, last: bool) {
    let count = shape.stretches(&scan.0);
    for number in 0..count {
        if number > 0 {
            out.extend([0xFF, 0xD0 + (number - 1) as u8 % 8]);
        }
        let is_last = last && number + 1 == count;
        let length = if is_last { usize::MAX } else { usize::from(bytes.one()) };
        stuff(out, bytes.some(length));
        out.resize(out.len() + shape.padding, 0);
    }
}

/// Stuffs bytes, but leaves a restart marker that the fuzzer wrote.
fn stuff(out: &mut Vec<u8>, data: &[u8]) {
    for (at, &byte) in data.iter().enumerate() {
        out.push(byte);
        let next = data.get(at + 1).copied().unwrap_or(0);
        if byte == 0xFF && !(0xD0..=0xD7).contains(&next) {
            out.push(0);
        }
    }
}
