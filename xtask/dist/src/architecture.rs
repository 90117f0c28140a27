//! What each architecture is called, by whom.

/// A kind of processor that programs are released for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Architecture {
    X86_64,
    Aarch64,
}

impl Architecture {
    pub(crate) const ALL: [Architecture; 2] = [Architecture::X86_64, Architecture::Aarch64];

    /// By Rust and by Linux.
    pub(crate) fn rust(self) -> &'static str {
        match self {
            Architecture::X86_64 => "x86_64",
            Architecture::Aarch64 => "aarch64",
        }
    }

    /// By Debian, and by container images.
    pub(crate) fn debian(self) -> &'static str {
        match self {
            Architecture::X86_64 => "amd64",
            Architecture::Aarch64 => "arm64",
        }
    }

    /// Whether this machine runs it by itself.
    pub(crate) fn is_native(self) -> bool {
        self.rust() == std::env::consts::ARCH
    }
}
