//! A real browser, driven by way of WebDriver: as much of it as the checks need.

use crate::Result;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Nothing takes longer than this, even where other things are going on.
const PATIENCE: Duration = Duration::from_secs(120);

/// What chromium is started with: no window, nothing that goes to the network by itself.
const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
];

/// A browser with one page.
pub(super) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts a browser whose profile is in the given folder.
    pub(super) fn start(profile: &Path) -> Result<Self> {
        // Whoever takes the port in between makes the start fail, not the checks.
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let mut driver = Command::new("chromedriver");
        driver.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
        let driver = driver.spawn().map_err(|error| {
            format!(
                "can not run chromedriver: {error}; on Debian: apt-get install chromium \
                 chromium-driver"
            )
        })?;
        // From here on the process ends with the browser.
        let mut browser = Self { driver, port, session: String::new() };
        browser.wait_until_it_listens()?;
        let mut flags: Vec<String> = FLAGS.map(str::to_owned).into();
        flags.push(format!("--user-data-dir={}", profile.display()));
        let answer = browser.send(
            "/session",
            &json!({ "capabilities": { "alwaysMatch": {
                "goog:chromeOptions": { "args": flags },
                "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            }}}),
        )?;
        let session = answer["sessionId"].as_str().ok_or("chromedriver starts no session")?;
        browser.session = session.to_owned();
        // What the page asks for that the browser itself begins with is not ours.
        browser.command("url", &json!({ "url": "about:blank" }))?;
        browser.log("performance")?;
        Ok(browser)
    }

    fn wait_until_it_listens(&mut self) -> Result<()> {
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if let Some(status) = self.driver.try_wait()? {
                return Err(format!("chromedriver has ended: {status}").into());
            }
            if began.elapsed() > PATIENCE {
                return Err("chromedriver does not listen".into());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Loads a page from a file, at the part with this name.
    pub(super) fn open(&self, file: &Path, part: &str) -> Result<()> {
        // What differs in the part alone would not be loaded again.
        self.command("url", &json!({ "url": "about:blank" }))?;
        let url = format!("file://{}#{part}", file.display());
        self.command("url", &json!({ "url": url })).map(drop)
    }

    /// Runs the body of a function in the page and gives what it returns.
    pub(super) fn run(&self, script: &str) -> Result<Value> {
        self.command("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Presses keys, one after the other.
    pub(super) fn press(&self, keys: &[&str]) -> Result<()> {
        let strokes: Vec<_> = keys
            .iter()
            .flat_map(|key| {
                [
                    json!({ "type": "keyDown", "value": key }),
                    json!({ "type": "keyUp", "value": key }),
                ]
            })
            .collect();
        let actions = json!({ "actions": [{ "type": "key", "id": "keys", "actions": strokes }] });
        self.command("actions", &actions).map(drop)
    }

    /// Shows pages as a screen of this size does; 0 by 0 is that of the window.
    pub(super) fn screen(&self, width: u32, height: u32) -> Result<()> {
        self.protocol(
            "Emulation.setDeviceMetricsOverride",
            &json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width > 0 }),
        )
    }

    /// Has the system prefer this colour scheme.
    pub(super) fn scheme(&self, scheme: &str) -> Result<()> {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.protocol("Emulation.setEmulatedMedia", &json!({ "features": [feature] }))
    }

    /// What was logged since the last time: the console (`browser`) or the network (`performance`).
    pub(super) fn log(&self, kind: &str) -> Result<Vec<Value>> {
        let entries = self.command("se/log", &json!({ "type": kind }))?;
        Ok(entries.as_array().cloned().unwrap_or_default())
    }

    fn protocol(&self, command: &str, parameters: &Value) -> Result<()> {
        let body = json!({ "cmd": command, "params": parameters });
        self.command("goog/cdp/execute", &body).map(drop)
    }

    fn command(&self, name: &str, body: &Value) -> Result<Value> {
        self.send(&format!("/session/{}/{name}", self.session), body)
    }

    fn send(&self, path: &str, body: &Value) -> Result<Value> {
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )?;
        let answer = read_answer(&mut BufReader::new(stream))?;
        let value = serde_json::from_slice::<Value>(&answer)?["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(format!("{path}: {error}: {}", value["message"]).into()),
            None => Ok(value),
        }
    }
}

/// The body of an answer.
fn read_answer(stream: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("content-length:") {
            length = number.trim().parse()?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(body)
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Closing the session ends chromium; whoever is gone already needs no closing.
        let _ = TcpStream::connect(("127.0.0.1", self.port)).and_then(|mut stream| {
            let path = format!("/session/{}", self.session);
            write!(
                stream,
                "DELETE {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            )?;
            stream.set_read_timeout(Some(Duration::from_secs(10)))?;
            stream.read_to_end(&mut Vec::new())
        });
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
