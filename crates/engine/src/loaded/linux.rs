//! What the loader of Linux says.

use super::{Loaded, without};
use std::ffi::{CStr, c_int, c_void};
use std::ops::Range;

impl Loaded {
    /// Everything that is loaded; the program itself comes first.
    pub(crate) fn all() -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        // SAFETY: The callback gets back the vector that is passed here, and nobody else uses it
        // meanwhile.
        unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut all).cast()) };
        all
    }

    fn of(info: &libc::dl_phdr_info) -> Self {
        let base = info.dlpi_addr as usize;
        // SAFETY: The loader passes as many headers as it says.
        let headers =
            unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
        let range = |header: &libc::Elf64_Phdr| {
            let start = base + header.p_vaddr as usize;
            start..start + header.p_memsz as usize
        };
        // SAFETY: The loader passes a string, which lives as long as the library.
        let name = (!info.dlpi_name.is_null()).then(|| unsafe { CStr::from_ptr(info.dlpi_name) });
        let name = name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut loaded = Self { name, base, ..Self::default() };
        for header in headers {
            match header.p_type {
                libc::PT_LOAD if header.p_flags & libc::PF_X != 0 => {
                    let Range { start, end } = range(header);
                    let code = &mut loaded.code;
                    *code = if code.start == code.end {
                        start..end
                    } else {
                        code.start..end.max(code.end)
                    };
                }
                libc::PT_LOAD if header.p_flags & libc::PF_W != 0 => {
                    loaded.writable.push(range(header));
                }
                libc::PT_TLS => loaded.thread_locals = header.p_memsz as usize,
                _ => {}
            }
        }
        // What is written to only while the program is loaded is protected afterwards, as far as
        // whole pages go.
        let protected = headers.iter().filter(|header| header.p_type == libc::PT_GNU_RELRO);
        // SAFETY: Asking for the page size has no preconditions.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        for Range { start, end } in protected.map(range) {
            loaded.writable = without(&loaded.writable, &(start / page * page..end / page * page));
        }
        loaded
    }
}

/// Called by the loader for each program and library.
unsafe extern "C" fn add(info: *mut libc::dl_phdr_info, _: usize, all: *mut c_void) -> c_int {
    // SAFETY: `Loaded::all` passes its vector; the loader passes valid information.
    unsafe { (*all.cast::<Vec<Loaded>>()).push(Loaded::of(&*info)) };
    0
}
