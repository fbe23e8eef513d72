//! A file system in memory: names, files, open files and a quota, each with locks of their own.

use selvedge::sync::{Arc, Mutex, RwLock};
use selvedge::thread;
use std::collections::BTreeMap;

/// How many bytes all files together may have.
const QUOTA: usize = 64;

#[derive(Default)]
struct File {
    content: RwLock<Vec<u8>>,
    version: Mutex<u32>,
}

/// Locks are taken in the order of the fields; those of a file after the names and before the rest.
#[derive(Default)]
pub(crate) struct Files {
    names: RwLock<BTreeMap<String, Arc<File>>>,
    open: Mutex<BTreeMap<u32, Arc<File>>>,
    next: Mutex<u32>,
    used: Mutex<usize>,
}

impl Files {
    fn file(&self, name: &str) -> Option<Arc<File>> {
        self.names.read().unwrap().get(name).cloned()
    }

    pub(crate) fn create(&self, name: &str) {
        self.names.write().unwrap().entry(name.to_owned()).or_default();
    }

    pub(crate) fn delete(&self, name: &str) {
        let removed = self.names.write().unwrap().remove(name);
        if let Some(file) = removed {
            let mut content = file.content.write().unwrap();
            *self.used.lock().unwrap() -= content.len();
            content.clear();
        }
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        let mut names = self.names.write().unwrap();
        if !names.contains_key(to)
            && let Some(file) = names.remove(from)
        {
            names.insert(to.to_owned(), file);
        }
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.names.read().unwrap().contains_key(name)
    }

    pub(crate) fn list(&self) -> Vec<String> {
        self.names.read().unwrap().keys().cloned().collect()
    }

    pub(crate) fn open(&self, name: &str) -> Option<u32> {
        let file = self.file(name)?;
        let mut open = self.open.lock().unwrap();
        let mut next = self.next.lock().unwrap();
        *next += 1;
        open.insert(*next, file);
        Some(*next)
    }

    pub(crate) fn close(&self, handle: u32) {
        self.open.lock().unwrap().remove(&handle);
    }

    pub(crate) fn open_count(&self) -> usize {
        self.open.lock().unwrap().len()
    }

    fn of_handle(&self, handle: u32) -> Option<Arc<File>> {
        self.open.lock().unwrap().get(&handle).cloned()
    }

    pub(crate) fn append(&self, handle: u32, bytes: &[u8]) {
        let Some(file) = self.of_handle(handle) else { return };
        let mut content = file.content.write().unwrap();
        let mut used = self.used.lock().unwrap();
        if *used + bytes.len() <= QUOTA {
            *used += bytes.len();
            content.extend_from_slice(bytes);
        }
        drop(used);
        *file.version.lock().unwrap() += 1;
    }

    pub(crate) fn read(&self, handle: u32) -> Vec<u8> {
        let Some(file) = self.of_handle(handle) else { return Vec::new() };
        let content = file.content.read().unwrap();
        content.clone()
    }

    pub(crate) fn truncate(&self, name: &str) {
        let Some(file) = self.file(name) else { return };
        let mut content = file.content.write().unwrap();
        *self.used.lock().unwrap() -= content.len();
        content.clear();
        *file.version.lock().unwrap() += 1;
    }

    pub(crate) fn size(&self, name: &str) -> usize {
        let Some(file) = self.file(name) else { return 0 };
        let content = file.content.read().unwrap();
        content.len()
    }

    pub(crate) fn version(&self, name: &str) -> u32 {
        let Some(file) = self.file(name) else { return 0 };
        let version = file.version.lock().unwrap();
        *version
    }

    pub(crate) fn used(&self) -> usize {
        *self.used.lock().unwrap()
    }

    /// All files, with the names held.
    pub(crate) fn total(&self) -> usize {
        let names = self.names.read().unwrap();
        names.values().map(|file| file.content.read().unwrap().len()).sum()
    }

    /// Reads a whole file through a handle of its own.
    pub(crate) fn cat(&self, name: &str) -> Vec<u8> {
        let Some(handle) = self.open(name) else { return Vec::new() };
        let bytes = self.read(handle);
        self.close(handle);
        bytes
    }

    /// Adds to a file through a handle of its own.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let Some(handle) = self.open(name) else { return };
        self.append(handle, bytes);
        self.close(handle);
    }
}

/// What each of six threads does.
const THREADS: [&[fn(&Files)]; 6] = [
    &[
        |files| files.write("a", b"one"),
        |files| _ = files.size("b"),
        |files| files.truncate("a"),
        |files| _ = files.list(),
    ],
    &[
        |files| _ = files.cat("a"),
        |files| files.create("c"),
        |files| files.write("c", b"two"),
        |files| _ = files.used(),
    ],
    &[
        |files| files.write("b", b"three"),
        |files| _ = files.version("b"),
        |files| _ = files.cat("b"),
        |files| _ = files.open_count(),
    ],
    &[
        |files| _ = files.total(),
        |files| files.write("a", b"four"),
        |files| _ = files.exists("c"),
        |files| _ = files.version("a"),
    ],
    &[
        |files| files.create("d"),
        |files| files.rename("d", "e"),
        |files| files.delete("e"),
        |files| _ = files.total(),
    ],
    &[
        |files| _ = files.size("a"),
        |files| files.truncate("b"),
        |files| _ = files.used(),
        |files| files.write("b", b"five"),
    ],
];

pub(crate) fn test() {
    let files = Arc::new(Files::default());
    files.create("a");
    files.create("b");
    let threads = THREADS.map(|methods| {
        let files = Arc::clone(&files);
        thread::spawn(move || methods.iter().for_each(|method| method(&files)))
    });
    for thread in threads {
        thread.join().expect("no thread of a correct test panics");
    }
    assert_eq!(files.open_count(), 0);
    assert_eq!(files.used(), files.total(), "the quota counts what is there");
}
