//! Which instruction set the kernels use. Every kernel has a portable twin that gives the same bytes.

/// The instruction set of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// Portable Rust.
    Scalar,
    /// x86-64 with AVX2, BMI1, BMI2 and LZCNT.
    Avx2,
}

impl Isa {
    /// The best this machine has.
    #[must_use]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
        {
            return Self::Avx2;
        }
        Self::Scalar
    }

    /// This one where the machine has it, else what it has.
    #[must_use]
    pub fn available(self) -> Self {
        if self == Self::Avx2 { Self::detect() } else { self }
    }
}
