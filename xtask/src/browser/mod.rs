//! Looks at the page of a report in a real browser, headless: that it works by pointer and by
//! keyboard, in dark and in light, at the width of a phone, asks nothing of the network, and that
//! the page of a large campaign opens quickly.

mod contrast;
mod driver;

use crate::Result;
use driver::Browser;
use selvedge_page::sample::{Size, report};
use selvedge_page::{Maker, Tested, html};
use selvedge_report::NoSources;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The page of a large campaign must not be larger.
const MOST_BYTES: usize = 10_000_000;
/// It has to open within 2 s on a machine of its own. This one may have other things to do.
const PATIENCE: Duration = Duration::from_secs(20);

/// Keys that have no character, as WebDriver calls them.
const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const DOWN: &str = "\u{e015}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";
const TAB: &str = "\u{e004}";
const ESCAPE: &str = "\u{e00c}";

/// Makes pages and looks at them.
pub(crate) fn check() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("selvedge-browser-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let result = check_in(&folder);
    fs::remove_dir_all(&folder)?;
    result
}

fn check_in(folder: &Path) -> Result<()> {
    let small =
        write(folder, "small.html", &html(&report(Size { tests: 6, findings: 8, steps: 60 }))?)?;
    let large = write(folder, "large.html", &html(&report(Size::LARGE))?)?;
    let evil = write(folder, "evil.html", &evil_page()?)?;
    let browser = Browser::start(&folder.join("profile"))?;
    let look = Look { browser };
    look.stepping(&small)?;
    look.keyboard(&small)?;
    look.lists(&small)?;
    look.coverage(&small)?;
    look.colours(&small)?;
    look.phone(&small)?;
    look.escaping(&evil)?;
    look.large(&large)?;
    look.quiet()
}

fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    fs::write(&path, text)?;
    println!("{name}: {:.1} MB", text.len() as f64 / 1e6);
    Ok(path)
}

/// A page whose test has a name that would like to be markup.
fn evil_page() -> Result<String> {
    let name = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 1'>";
    let mut maker = Maker::new(selvedge_page::Head {
        project: name.to_owned(),
        ..selvedge_page::Head::default()
    });
    maker.test(Tested { message: Some(name.to_owned()), ..Tested::unknown(name, name) });
    Ok(html(&maker.finish(&NoSources))?)
}

/// Somebody who looks at pages.
struct Look {
    browser: Browser,
}

impl Look {
    /// The row that is marked as the current step.
    fn selected(&self) -> Result<i64> {
        let row = self
            .browser
            .run("return Number(document.querySelector('.row.selected').dataset.row)")?;
        row.as_i64().ok_or_else(|| "no step is marked".into())
    }

    /// Fails unless a script gives what it should.
    fn expect(&self, what: &str, script: &str, expected: &Value) -> Result<()> {
        let found = self.browser.run(script)?;
        match found == *expected {
            true => Ok(()),
            false => Err(format!("{what}: {found} instead of {expected}").into()),
        }
    }

    /// Fails unless a script gives `true`.
    fn ensure(&self, what: &str, script: &str) -> Result<()> {
        self.expect(what, script, &Value::Bool(true))
    }

    /// The slider and the buttons move the marked step, and the sources with it.
    fn stepping(&self, page: &Path) -> Result<()> {
        self.browser.open(page, "finding-00000001")?;
        self.ensure(
            "the headline",
            "return document.querySelector('#finding-title').textContent.includes('assertion')",
        )?;
        self.ensure("the title says what is wrong", "return document.title.includes('panic')")?;
        let slide = |to: i64| {
            format!(
                "const s = document.querySelector('.player input'); s.value = {to}; s.dispatchEvent(new Event('input')); return s.value"
            )
        };
        for to in [0, 5, 12] {
            self.browser.run(&slide(to))?;
            if self.selected()? != to {
                return Err(format!(
                    "the slider was put to {to}, and step {} is marked",
                    self.selected()?
                )
                .into());
            }
        }
        self.ensure(
            "one line of source is marked on each side",
            "return document.querySelectorAll('.pane:not([hidden]) .line.current').length === 2",
        )?;
        self.browser.run("document.querySelector('[aria-label=\"Next step\"]').click()")?;
        if self.selected()? != 13 {
            return Err("the button does not step".into());
        }
        self.ensure("arrows are drawn", "return document.querySelectorAll('.arrow').length > 5")?;
        self.ensure(
            "operations that matter are marked",
            "return document.querySelectorAll('.row.matters').length >= 2",
        )?;
        self.browser.run("document.querySelector('.row[data-row=\"2\"]').dispatchEvent(new MouseEvent('mouseenter', { clientX: 200, clientY: 200 }))")?;
        self.ensure("the source line is shown on hover", "const t = document.querySelector('#tip'); return !t.hidden && t.querySelector('.line.current') !== null")?;
        self.browser.run(
            "document.querySelector('.row[data-row=\"3\"]').dispatchEvent(new MouseEvent('click'))",
        )?;
        match self.selected()? {
            3 => Ok(()),
            other => Err(format!("row 3 was clicked, and {other} is marked").into()),
        }
    }

    /// Everything can be reached by keys.
    fn keyboard(&self, page: &Path) -> Result<()> {
        self.browser.open(page, "finding-00000000")?;
        self.browser.press(&[HOME])?;
        let steps = [(&[RIGHT][..], 1), (&[DOWN, "j"][..], 3), (&[LEFT, "k"][..], 1)];
        for (keys, expected) in steps {
            self.browser.press(keys)?;
            if self.selected()? != expected {
                return Err(
                    format!("{keys:?} leads to step {}, not {expected}", self.selected()?).into()
                );
            }
        }
        self.browser.press(&[END])?;
        self.ensure("End leads to the last step", "const r = document.querySelectorAll('.row'); return r[r.length - 1].classList.contains('selected')")?;
        self.browser.press(&["c"])?;
        self.ensure(
            "c leads to what matters",
            "return document.querySelector('.row.selected').classList.contains('matters')",
        )?;
        self.browser.press(&["?"])?;
        self.ensure("? opens the help", "return document.querySelector('#help').open")?;
        self.browser.press(&[ESCAPE])?;
        self.ensure("Escape closes the help", "return !document.querySelector('#help').open")?;
        self.browser.press(&["n"])?;
        self.expect(
            "n leads to the next finding",
            "return location.hash",
            &"#finding-00000001".into(),
        )?;
        self.browser.press(&[ESCAPE])?;
        self.expect("Escape leads to the overview", "return location.hash", &"#overview".into())?;
        self.browser.press(&["/", "1"])?;
        self.expect(
            "/ leads to the search",
            "return document.activeElement.id + document.activeElement.value",
            &"search1".into(),
        )?;
        self.browser.open(page, "overview")?;
        self.browser.press(&[TAB])?;
        self.ensure(
            "the first stop is the way around the header",
            "return document.activeElement.classList.contains('skip')",
        )?;
        for _ in 0..12 {
            self.browser.press(&[TAB])?;
            self.ensure("what has the focus shows it", "const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1")?;
        }
        Ok(())
    }

    /// Lists can be searched and filtered.
    fn lists(&self, page: &Path) -> Result<()> {
        let shown = "return document.querySelectorAll('.findings li:not([hidden])').length";
        self.browser.open(page, "overview")?;
        self.expect("all findings are listed", shown, &8.into())?;
        self.browser.run("document.querySelector('.chip[data-kind=deadlock]').click()")?;
        self.expect("half of them are deadlocks", shown, &4.into())?;
        self.browser.run("document.querySelector('.chip[data-kind=deadlock]').click(); const s = document.querySelector('#search'); s.value = 'there_3'; s.dispatchEvent(new Event('input'))")?;
        self.expect("one is in the test that was searched for", shown, &1.into())?;
        self.expect(
            "and one test",
            "return document.querySelectorAll('.tests tbody tr:not([hidden])').length",
            &1.into(),
        )?;
        self.browser.open(page, "findings-0")?;
        self.expect("a test leads to its findings", shown, &2.into())
    }

    /// Metrics have curves and lists that lead to the source.
    fn coverage(&self, page: &Path) -> Result<()> {
        self.browser.open(page, "coverage-1-sp")?;
        self.ensure("there is a curve", "return document.querySelector('.chart .curve:not(.other)').getAttribute('d').length > 50")?;
        self.ensure(
            "with the point of saturation",
            "return document.querySelector('.saturated-knob') !== null",
        )?;
        self.expect(
            "and one for each strategy",
            "return document.querySelectorAll('.chart .other').length",
            &3.into(),
        )?;
        self.browser.run("document.querySelector('.missed .link').click()")?;
        self.ensure(
            "a place shows its source",
            "return document.querySelector('.shown .line.current') !== null",
        )
    }

    /// Both themes can be read, by the system's wish and by the button.
    fn colours(&self, page: &Path) -> Result<()> {
        for scheme in ["light", "dark"] {
            self.browser.scheme(scheme)?;
            self.browser.open(page, "finding-00000000")?;
            self.contrast(scheme)?;
            self.browser.run("document.querySelector('#theme').click()")?;
            let other = if scheme == "light" { "dark" } else { "light" };
            self.expect(
                "the button switches",
                "return document.documentElement.dataset.theme",
                &other.into(),
            )?;
            self.contrast(other)?;
            self.browser.run("try { localStorage.clear() } catch {}")?;
        }
        self.browser.scheme("light")
    }

    fn contrast(&self, scheme: &str) -> Result<()> {
        let colour = |name: &str| -> Result<[f64; 3]> {
            let script = format!(
                "return getComputedStyle(document.documentElement).getPropertyValue('--{name}')"
            );
            contrast::parse(self.browser.run(&script)?.as_str().unwrap_or_default())
        };
        let background =
            self.browser.run("return getComputedStyle(document.body).backgroundColor")?;
        let is_dark =
            contrast::luminance(contrast::parse(background.as_str().unwrap_or_default())?) < 0.2;
        if is_dark != (scheme == "dark") {
            return Err(format!("the page is not {scheme}: {background}").into());
        }
        let mut least = f64::INFINITY;
        for (text, below) in contrast::PAIRS {
            let ratio = contrast::ratio(colour(text)?, colour(below)?);
            if ratio < contrast::LEAST {
                return Err(
                    format!("{scheme}: {text} on {below} has a contrast of {ratio:.2}").into()
                );
            }
            least = least.min(ratio);
        }
        println!("{scheme}: the least contrast is {least:.2}");
        Ok(())
    }

    /// At the width of a phone nothing has to be scrolled sideways but the diagram.
    fn phone(&self, page: &Path) -> Result<()> {
        self.browser.screen(360, 740)?;
        for part in ["overview", "finding-00000000", "finding-00000001", "coverage-1-sp"] {
            self.browser.open(page, part)?;
            self.expect(
                &format!("{part} at 360 px"),
                "return document.documentElement.scrollWidth",
                &360.into(),
            )?;
        }
        self.browser.screen(0, 0)
    }

    /// Nothing that comes from a test is run.
    fn escaping(&self, page: &Path) -> Result<()> {
        self.browser.open(page, "overview")?;
        self.ensure(
            "a name is text",
            "return window.evil === undefined && document.querySelector('img') === null",
        )?;
        self.ensure(
            "all of it",
            "return document.querySelector('.tests .name').textContent.startsWith('</script>')",
        )
    }

    /// A large campaign is small enough and opens quickly.
    fn large(&self, page: &Path) -> Result<()> {
        let bytes = fs::metadata(page)?.len();
        if bytes >= MOST_BYTES as u64 {
            return Err(format!("the large page has {bytes} bytes").into());
        }
        for part in ["overview", "finding-000001f4"] {
            self.browser.open(page, part)?;
            self.ensure(
                "all findings are there",
                "return document.querySelectorAll('.findings li').length === 1000",
            )?;
            let spent = self.browser.run(
                "const n = performance.getEntriesByType('navigation')[0]; \
                 return [n.domContentLoadedEventEnd, performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1]",
            )?;
            let loaded = spent[0].as_f64().ok_or("no time was measured")?;
            println!(
                "large campaign, #{part}: ready after {loaded:.0} ms, first paint after {:.0} ms",
                spent[1].as_f64().unwrap_or(-1.0)
            );
            if loaded > PATIENCE.as_secs_f64() * 1000.0 {
                return Err("that is too long".into());
            }
        }
        Ok(())
    }

    /// Nothing was complained about, and nothing asked of the network, by any of the pages.
    fn quiet(&self) -> Result<()> {
        if let Some(entry) =
            self.browser.log("browser")?.iter().find(|entry| entry["level"] == "SEVERE")
        {
            return Err(format!("the console says {}", entry["message"]).into());
        }
        let mut pages = 0;
        for entry in self.browser.log("performance")? {
            let message: Value = serde_json::from_str(entry["message"].as_str().unwrap_or("{}"))?;
            let event = &message["message"];
            if event["method"] != "Network.requestWillBeSent" {
                continue;
            }
            match event["params"]["request"]["url"].as_str().unwrap_or_default() {
                url if url.starts_with("file:") => pages += 1,
                url if url.starts_with("data:") || url.starts_with("about:") => {}
                url => return Err(format!("the page asks for {url}").into()),
            }
        }
        if pages == 0 {
            return Err("no request was logged at all".into());
        }
        println!("{pages} pages were loaded; nothing else was asked for, and no error was logged");
        Ok(())
    }
}
