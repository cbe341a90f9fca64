//! The images of a class folder: `root/class/**/image`, found without opening or asking after any
//! file that the folder's own entries describe.

use std::ffi::OsString;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::build::Builder;
use super::key;
use super::links::{Target, Trail};
use super::names::Names;
use super::report::Report;

/// What a class folder holds.
#[derive(Debug, Default)]
pub struct Listing {
    /// The class folders, sorted by name.
    pub classes: Vec<Class>,
    /// What was seen besides images.
    pub report: Report,
}

/// One folder that stands for a class.
#[derive(Debug, Default)]
pub struct Class {
    /// Its name as a key: composed, odd bytes escaped. Two folders may share one name.
    pub name: String,
    /// Its images, relative to the root.
    pub images: Names,
}

impl Listing {
    /// Adds every image to a table, with one label a class folder, all in one split.
    ///
    /// # Panics
    /// When there are not as many labels as class folders.
    pub fn add_to(&self, builder: &mut Builder, labels: &[i64], split: u16) {
        assert_eq!(labels.len(), self.classes.len(), "one label a class folder");
        for (class, &label) in self.classes.iter().zip(labels) {
            class.images.each(|place| builder.push(place, label, split));
        }
    }
}

/// Lists the class folders of `root/under` with so many threads; places are relative to `root`, and
/// links may lead anywhere inside it. The result does not depend on the threads.
///
/// # Errors
/// What the system says when `root/under` itself cannot be listed. What cannot be read further down
/// is named in the report.
pub fn list(root: &Path, under: &Path, threads: usize) -> io::Result<Listing> {
    let real = fs::canonicalize(root)?;
    let walk = Walk { root, real: &real };
    let trail = Trail::new(&real, fs::canonicalize(root.join(under))?);
    let mut top = walk.folder(&Spot { place: under.to_owned(), trail })?;
    let loose = std::mem::take(&mut top.images);
    loose.each(|place| top.report.loose.add(|| place.into()));
    top.folders.sort_by_cached_key(Spot::name);
    Ok(walk.classes(top, threads))
}

/// A folder to be walked: its place under the root, and where that really is.
struct Spot {
    place: PathBuf,
    trail: Trail,
}

impl Spot {
    fn name(&self) -> (String, PathBuf) {
        let name = self.place.file_name().unwrap_or_default();
        (key::of_place(name).into_owned(), self.place.clone())
    }
}

#[derive(Default)]
struct Folder {
    images: Names,
    folders: Vec<Spot>,
    report: Report,
}

struct Walk<'a> {
    root: &'a Path,
    real: &'a Path,
}

impl Walk<'_> {
    /// Every class by itself, by as many threads as wanted, put together in the order of names.
    fn classes(&self, top: Folder, threads: usize) -> Listing {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Folder)>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, top.folders.len().max(1)) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(spot) = top.folders.get(number) else { break };
                        let found = self.below(spot);
                        done.lock().expect("no thread panics holding it").push((number, found));
                    }
                });
            }
        });
        let mut done = done.into_inner().expect("no thread panics holding it");
        done.sort_by_key(|(number, _)| *number);
        let mut listing = Listing { classes: Vec::with_capacity(done.len()), report: top.report };
        for (number, found) in done {
            let name = top.folders[number].name().0;
            listing.classes.push(Class { name, images: found.images });
            listing.report.append(found.report);
        }
        listing
    }

    /// A whole class, folder by folder; a stack of our own, since folders may nest deeper than ours.
    fn below(&self, class: &Spot) -> Folder {
        let mut all = Folder::default();
        let mut open = vec![Spot { place: class.place.clone(), trail: class.trail.clone() }];
        while let Some(spot) = open.pop() {
            match self.folder(&spot) {
                Ok(mut found) => {
                    all.images.append(&found.images);
                    all.report.append(found.report);
                    open.extend(found.folders.drain(..).rev());
                }
                Err(error) => all.report.unreadable.push((spot.place, error.to_string())),
            }
        }
        all
    }

    /// One folder, its entries sorted by name.
    fn folder(&self, spot: &Spot) -> io::Result<Folder> {
        let mut entries = fs::read_dir(self.root.join(&spot.place))?
            .map(|entry| entry.map(|entry| (entry.file_name(), entry)))
            .collect::<io::Result<Vec<(OsString, DirEntry)>>>()?;
        entries.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut found = Folder::default();
        for (name, entry) in entries {
            if let Err(error) = self.entry(spot, &name, &entry, &mut found) {
                found.report.unreadable.push((spot.place.join(name), error.to_string()));
            }
        }
        Ok(found)
    }

    fn entry(
        &self,
        at: &Spot,
        name: &OsString,
        entry: &DirEntry,
        found: &mut Folder,
    ) -> io::Result<()> {
        if name.as_encoded_bytes().starts_with(b".") {
            found.report.hidden.add(|| at.place.join(name));
            return Ok(());
        }
        let kind = entry.file_type()?;
        if kind.is_file() {
            found.file(at, name);
        } else if kind.is_dir() {
            found.folders.push(Spot { place: at.place.join(name), trail: at.trail.down(name) });
        } else if kind.is_symlink() {
            found.link(at, name, at.trail.follow(self.real, &entry.path())?);
        } else {
            found.report.foreign.add(|| at.place.join(name));
        }
        Ok(())
    }
}

impl Folder {
    fn file(&mut self, at: &Spot, name: &OsString) {
        if key::is_image(&name.to_string_lossy()) {
            self.images.push(&at.place, name);
        } else {
            self.report.foreign.add(|| at.place.join(name));
        }
    }

    fn link(&mut self, at: &Spot, name: &OsString, target: Target) {
        match target {
            Target::File => self.file(at, name),
            Target::Folder(trail) => self.folders.push(Spot { place: at.place.join(name), trail }),
            Target::Other => self.report.foreign.add(|| at.place.join(name)),
            Target::Refused(why) => self.report.links.push((at.place.join(name), why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is gone when the test is.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("pixfeed-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn file(&self, place: &str) {
            let path = self.0.join(place);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, b"").unwrap();
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn table(listing: &Listing) -> Vec<String> {
        let mut builder = Builder::new("", ["all"]);
        let labels: Vec<i64> = (0..listing.classes.len() as i64).collect();
        listing.add_to(&mut builder, &labels, 0);
        let table = builder.finish().unwrap();
        (0..table.len()).map(|row| format!("{}={}", table.key(row), table.label(row))).collect()
    }

    #[test]
    fn images_are_listed_and_the_rest_is_counted() {
        let scratch = Scratch::new("listing");
        for place in
            ["b/2.PNG", "b/deep/er/1.jpg", "a b/x\n.gif", "top.jpg", "b/notes.txt", ".git/x.jpg"]
        {
            scratch.file(place);
        }
        scratch.file("b/.hidden.jpg");
        let listing = list(&scratch.0, Path::new(""), 2).unwrap();
        assert_eq!(table(&listing), ["a b/x\n.gif=0", "b/2.PNG=1", "b/deep/er/1.jpg=1"]);
        let report = &listing.report;
        assert_eq!([report.hidden.count, report.foreign.count, report.loose.count], [2, 1, 1]);
        assert_eq!(report.foreign.first.as_deref(), Some(Path::new("b/notes.txt")));
    }

    #[test]
    fn threads_do_not_show() {
        let scratch = Scratch::new("threads");
        (0..600).for_each(|i| scratch.file(&format!("c{}/d{}/{i}.jpg", i % 13, i % 3)));
        (0..13).for_each(|i| scratch.file(&format!("c{i}/readme{i}")));
        let lone = list(&scratch.0, Path::new(""), 1).unwrap();
        for threads in [2, 3, 8, 64] {
            let many = list(&scratch.0, Path::new(""), threads).unwrap();
            assert_eq!(table(&many), table(&lone));
            assert_eq!(many.report, lone.report);
        }
    }
}
