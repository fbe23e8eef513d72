//! The HTML documentation that rustup installs next to a toolchain.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::html::between;
use crate::Result;

/// The folder of std's pages, relative to the sysroot.
pub(super) const FOLDER: &str = "share/doc/rust/html/std";

/// The pages of std, and which toolchain they belong to.
pub(super) struct Docs {
    folder: PathBuf,
    version: String,
    stability: RefCell<BTreeMap<String, bool>>,
}

impl Docs {
    /// Finds the documentation of the compiler that cargo would use.
    pub(super) fn of_toolchain() -> Result<Docs> {
        let sysroot = ask_rustc(&["--print", "sysroot"])?;
        let compiler = ask_rustc(&["--version"])?;
        let folder = PathBuf::from(sysroot).join(FOLDER);
        if !folder.is_dir() {
            return Err(format!(
                "no documentation in <sysroot>/{FOLDER}; try `rustup component add rust-docs`"
            )
            .into());
        }
        let mut docs = Docs { folder, version: String::new(), stability: RefCell::default() };
        let index = docs.page("index.html")?;
        let version = between(&index, "data-rustdoc-version=\"", "\"")
            .ok_or("std's index page names no version")?;
        if compiler != format!("rustc {version}") {
            return Err(
                format!("the documentation is of {version}, the compiler is {compiler}").into()
            );
        }
        docs.version = compiler;
        Ok(docs)
    }

    /// What `rustc --version` says; the documentation was made by the same version.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Reads a page, named relative to the folder of std.
    pub(super) fn page(&self, page: &str) -> Result<String> {
        let file = self.folder.join(page);
        fs::read_to_string(&file)
            .map_err(|error| format!("failed to read the page {page}: {error}").into())
    }

    /// Whether the item that a page is about can not be named on stable.
    ///
    /// Items without a page of their own are not asked for: rustdoc links to nothing then.
    pub(super) fn is_unstable(&self, page: &str) -> Result<bool> {
        if let Some(&known) = self.stability.borrow().get(page) {
            return Ok(known);
        }
        let html = self.page(page)?;
        // The item's own mark stands between its declaration and its description; later marks are
        // those of its methods and implementors.
        let declaration = html
            .find("item-decl")
            .and_then(|at| html[at..].find("</code></pre>").map(|end| at + end));
        let rest = &html[declaration.unwrap_or(0)..];
        let head = ["<details", "<h2", "</main>"].iter().filter_map(|end| rest.find(end)).min();
        let unstable = rest[..head.unwrap_or(rest.len())].contains("stab unstable");
        self.stability.borrow_mut().insert(page.to_owned(), unstable);
        Ok(unstable)
    }
}

fn ask_rustc(arguments: &[&str]) -> Result<String> {
    // Cargo names the compiler it would use in this variable when it runs a chore.
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(arguments)
        .output()
        .map_err(|error| format!("failed to run rustc: {error}"))?;
    if !output.status.success() {
        return Err(format!("rustc {} ended with {}", arguments.join(" "), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
