//! Messages as bytes: a length, then the message as postcard writes it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, ErrorKind, Read, Write};

/// A message longer than this is taken for noise.
const LONGEST: u32 = 1 << 30;

/// A message can not be sent or received.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The other side is gone, or what carries the messages does not work.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// What arrived is no message.
    #[error("not a message: {0}")]
    Garbled(#[from] postcard::Error),
    /// What arrived would be far too long.
    #[error("not a message: it would have {0} bytes")]
    TooLong(u32),
}

/// One end of a connection.
#[derive(Debug)]
pub struct Connection<S> {
    stream: S,
    /// A message that has begun to arrive, with its length.
    begun: Vec<u8>,
}

/// So much is read at a time.
const CHUNK: usize = 1 << 16;

/// What has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrived<M> {
    /// A message.
    Message(M),
    /// No message yet, or only the beginning of one.
    Nothing,
    /// The other side has closed the connection.
    End,
}

impl<S: Read + Write> Connection<S> {
    /// Speaks over the given stream.
    pub const fn new(stream: S) -> Self {
        Self { stream, begun: Vec::new() }
    }

    /// What it speaks over.
    pub const fn stream(&self) -> &S {
        &self.stream
    }

    /// Sends a message.
    pub fn send<M: Serialize>(&mut self, message: &M) -> Result<(), WireError> {
        let bytes = postcard::to_stdvec(message)?;
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if length > LONGEST {
            return Err(WireError::TooLong(length));
        }
        self.stream.write_all(&length.to_le_bytes())?;
        self.stream.write_all(&bytes)?;
        Ok(self.stream.flush()?)
    }

    /// Waits for a message; nothing if the other side has closed the connection.
    pub fn receive<M: DeserializeOwned>(&mut self) -> Result<Option<M>, WireError> {
        match self.look()? {
            Arrived::Message(message) => Ok(Some(message)),
            Arrived::End => Ok(None),
            Arrived::Nothing => Err(WireError::Io(ErrorKind::WouldBlock.into())),
        }
    }

    /// As [`receive`](Self::receive), but does not wait if the stream does not.
    pub fn look<M: DeserializeOwned>(&mut self) -> Result<Arrived<M>, WireError> {
        loop {
            let missing = self.missing()?;
            if missing == 0 {
                let message = postcard::from_bytes(&self.begun[4..])?;
                self.begun.clear();
                return Ok(Arrived::Message(message));
            }
            let before = self.begun.len();
            self.begun.resize(before + missing.min(CHUNK), 0);
            let read = self.stream.read(&mut self.begun[before..]);
            self.begun.truncate(before + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) if before == 0 => return Ok(Arrived::End),
                Ok(0) => return Err(WireError::Io(ErrorKind::UnexpectedEof.into())),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return Ok(Arrived::Nothing);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// How many bytes are missing to what has begun: to the length, then to the whole message.
    fn missing(&self) -> Result<usize, WireError> {
        let Some(length) = self.begun.first_chunk() else { return Ok(4 - self.begun.len()) };
        let length = u32::from_le_bytes(*length);
        if length > LONGEST {
            return Err(WireError::TooLong(length));
        }
        Ok(4 + length as usize - self.begun.len())
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrived, Connection, WireError};
    use crate::Request;
    use selvedge_model::Learned;
    use std::io::Cursor;
    use std::os::unix::net::UnixStream;

    #[test]
    fn a_message_arrives_as_it_was_sent_and_then_the_end_is_seen() {
        let settings = vec![("seed".into(), "7".into())];
        let request = Request::Run { test: 3, settings, known: Learned::default() };
        let mut bytes = Cursor::new(Vec::new());
        Connection::new(&mut bytes).send(&request).unwrap();
        bytes.set_position(0);
        let mut connection = Connection::new(bytes);
        assert_eq!(connection.receive::<Request>().unwrap(), Some(request));
        assert_eq!(connection.receive::<Request>().unwrap(), None);
    }

    #[test]
    fn noise_is_an_error_and_no_allocation() {
        let error = Connection::new(Cursor::new(b"\xff\xff\xff\xffgarbage".to_vec()))
            .receive::<Request>()
            .unwrap_err();
        assert!(matches!(error, WireError::TooLong(u32::MAX)));
    }
    #[test]
    fn whoever_looks_does_not_wait_and_loses_nothing_of_what_has_begun() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        let mut ours = Connection::new(ours);
        let mut bytes = Cursor::new(Vec::new());
        Connection::new(&mut bytes).send(&Request::Stop).unwrap();
        for byte in bytes.into_inner() {
            assert_eq!(ours.look::<Request>().unwrap(), Arrived::Nothing);
            std::io::Write::write_all(&mut &theirs, &[byte]).unwrap();
        }
        assert_eq!(ours.look().unwrap(), Arrived::Message(Request::Stop));
        drop(theirs);
        assert_eq!(ours.look::<Request>().unwrap(), Arrived::End);
    }
}
