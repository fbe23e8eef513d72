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
pub struct Connection<S>(S);

impl<S: Read + Write> Connection<S> {
    /// Speaks over the given stream.
    pub const fn new(stream: S) -> Self {
        Self(stream)
    }

    /// Sends a message.
    pub fn send<M: Serialize>(&mut self, message: &M) -> Result<(), WireError> {
        let bytes = postcard::to_stdvec(message)?;
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if length > LONGEST {
            return Err(WireError::TooLong(length));
        }
        self.0.write_all(&length.to_le_bytes())?;
        self.0.write_all(&bytes)?;
        Ok(self.0.flush()?)
    }

    /// Waits for a message; nothing if the other side has closed the connection.
    pub fn receive<M: DeserializeOwned>(&mut self) -> Result<Option<M>, WireError> {
        let mut length = [0; 4];
        match self.0.read_exact(&mut length) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        let length = u32::from_le_bytes(length);
        if length > LONGEST {
            return Err(WireError::TooLong(length));
        }
        let mut bytes = vec![0; length as usize];
        self.0.read_exact(&mut bytes)?;
        Ok(Some(postcard::from_bytes(&bytes)?))
    }
}

#[cfg(test)]
mod tests {
    use super::{Connection, WireError};
    use crate::Request;
    use std::io::Cursor;

    #[test]
    fn a_message_arrives_as_it_was_sent_and_then_the_end_is_seen() {
        let request = Request::Run { test: 3, settings: vec![("seed".into(), "7".into())] };
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
}
