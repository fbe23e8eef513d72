//! What a test process prints.
//!
//! It is taken in by whoever waits for the process: what was printed before a message was sent is
//! in the pipe when the message arrives, so it belongs to the right test and nothing is lost.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdout};
use std::time::{Duration, Instant};

/// At most so much is kept, the last of it.
const KEPT: usize = 64 << 10;
/// After so many times of taking in as much as that, a pipe has been emptied.
const FULL_PIPE: usize = 64;

/// What came of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// There is something to be read.
    Ready,
    /// There was nothing for as long as was said.
    TimedOut,
}

/// The standard output and the standard error of a process.
#[derive(Debug)]
pub(crate) struct Printed {
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    last: Vec<u8>,
    left_out: usize,
}

impl Printed {
    /// Of a process whose output was asked for.
    pub(crate) fn of(child: &mut Child) -> Self {
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        Self { stdout, stderr, last: Vec::new(), left_out: 0 }
    }

    /// Waits until the file can be read, and takes in what is printed meanwhile.
    pub(crate) fn wait_for(&mut self, file: BorrowedFd<'_>, patience: Duration) -> Waited {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let (ready, printed) = self.look(Some(file), left);
            if printed == Waited::Ready {
                self.take_in();
            }
            if ready == Waited::Ready || left.is_zero() {
                return ready;
            }
        }
    }

    /// Waits for something to be printed, and takes it in.
    pub(crate) fn wait(&mut self, patience: Duration) {
        match self.look(None, patience).1 {
            Waited::Ready => self.take_in(),
            // Streams that are closed are no reason to look again at once.
            Waited::TimedOut => {}
        }
    }

    /// What has been printed since this was last asked.
    pub(crate) fn take(&mut self) -> String {
        // What a process leaves behind may print for ever; a pipe does not hold so much.
        for _ in 0..FULL_PIPE {
            if self.look(None, Duration::ZERO).1 == Waited::TimedOut {
                break;
            }
            self.take_in();
        }
        let text = String::from_utf8_lossy(&self.last).into_owned();
        self.last.clear();
        match std::mem::take(&mut self.left_out) {
            0 => text,
            left_out => format!("[{left_out} bytes were printed before]\n{text}"),
        }
    }

    /// Whether the file can be read, and whether there is something printed.
    fn look(&self, file: Option<BorrowedFd<'_>>, patience: Duration) -> (Waited, Waited) {
        let streams =
            [self.stdout.as_ref().map(AsFd::as_fd), self.stderr.as_ref().map(AsFd::as_fd)];
        let files = file.into_iter().chain(streams.into_iter().flatten());
        let mut files: Vec<_> = files.map(|file| PollFd::new(file, PollFlags::POLLIN)).collect();
        let timeout = PollTimeout::try_from(patience).unwrap_or(PollTimeout::MAX);
        match poll(&mut files, timeout) {
            // A signal came; whoever waits looks again.
            Err(Errno::EINTR) | Ok(0) => return (Waited::TimedOut, Waited::TimedOut),
            // Reading tells what is wrong.
            Err(_) => return (Waited::Ready, Waited::TimedOut),
            Ok(_) => {}
        }
        let is_ready = |file: &PollFd<'_>| file.any().unwrap_or(true);
        let waited = |ready| if ready { Waited::Ready } else { Waited::TimedOut };
        let (asked, streams) = files.split_at(usize::from(file.is_some()));
        (waited(asked.iter().any(is_ready)), waited(streams.iter().any(is_ready)))
    }

    /// Takes in what is there. A stream that has ended is not looked at any more.
    fn take_in(&mut self) {
        let mut buffer = vec![0; KEPT];
        let length = read_if_ready(&mut self.stdout, &mut buffer);
        self.keep(&buffer[..length]);
        let length = read_if_ready(&mut self.stderr, &mut buffer);
        self.keep(&buffer[..length]);
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.last.extend_from_slice(bytes);
        let excess = self.last.len().saturating_sub(KEPT);
        self.last.drain(..excess);
        self.left_out += excess;
    }
}

/// Reads what there is without waiting; closes a stream that has ended or does not work.
fn read_if_ready<S: Read + AsFd>(stream: &mut Option<S>, buffer: &mut [u8]) -> usize {
    let Some(open) = stream else { return 0 };
    let mut files = [PollFd::new(open.as_fd(), PollFlags::POLLIN)];
    let ready = poll(&mut files, PollTimeout::ZERO).is_ok_and(|ready| ready > 0);
    if !ready {
        return 0;
    }
    match open.read(buffer) {
        Ok(length @ 1..) => length,
        Ok(0) | Err(_) => {
            *stream = None;
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;
    use std::process::{Command, Stdio};

    fn printed_by(script: &str) -> (Child, Printed) {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let printed = Printed::of(&mut child);
        (child, printed)
    }

    #[test]
    fn both_streams_are_taken_in_and_of_too_much_the_last_is_kept() {
        let script = "echo first; i=0; while [ $i -lt 3000 ]; do \
                      echo a line of some thirty characters; i=$((i+1)); done; echo last >&2";
        let (mut child, mut printed) = printed_by(script);
        // The process ends although nobody reads but we, while we wait for something else.
        let (silent, _other_end) = UnixStream::pair().unwrap();
        while child.try_wait().unwrap().is_none() {
            let waited = printed.wait_for(silent.as_fd(), Duration::from_millis(1));
            assert_eq!(waited, Waited::TimedOut);
        }
        let text = printed.take();
        assert!(text.contains("last\n") && !text.contains("first"), "{text}");
        assert!(text.starts_with('[') && text.contains(" bytes were printed before]\n"), "{text}");
        assert_eq!(printed.take(), "", "what was taken is gone");
    }
}
