//! Traces that somebody has made up, with checksums that are right.

use selvedge_model::{ObjectKind, OperationKind};

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n.max(1)
    }

    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A number below `n`, or now and then one that is not.
    pub(crate) fn about(&mut self, n: u64) -> u64 {
        match self.below(6000) {
            0 => self.next(),
            1 => u64::MAX,
            2 => n,
            3 => 1 << self.below(64),
            _ => self.below(n),
        }
    }
}

/// Bytes as the format has them.
#[derive(Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Bytes {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn chunk(&mut self, kind: u8, body: &[u8]) {
        self.byte(kind);
        self.0.extend_from_slice(&(body.len() as u64).to_le_bytes());
        self.0.extend_from_slice(&checksum(body).to_le_bytes());
        self.0.extend_from_slice(body);
    }
}

/// As the format says.
fn checksum(bytes: &[u8]) -> u64 {
    let step =
        |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum =
        words.iter().fold(bytes.len() as u64, |sum, &word| step(sum, u64::from_le_bytes(word)));
    rest.iter().fold(sum, |sum, &byte| step(sum, u64::from(byte)))
}

/// A trace that makes sense for the most part.
pub(crate) struct Forger {
    random: Random,
    sites: u64,
    threads: u64,
    objects: u64,
}

impl Forger {
    pub(crate) fn new(random: Random) -> Self {
        Self { random, sites: 0, threads: 0, objects: 0 }
    }

    pub(crate) fn operation(&mut self, out: &mut Bytes) {
        let kind = self.random.about(OperationKind::ALL.len() as u64);
        out.number(kind);
        // Most act on something.
        let none = kind < OperationKind::MutexLock as u64 && self.random.one_in(2);
        let object = self.random.about(self.objects).wrapping_add(1);
        out.number(if none { 0 } else { object });
        if OperationKind::ALL.get(kind as usize).is_some_and(|kind| kind.has_second()) {
            out.number(self.random.about(self.objects).wrapping_add(1));
        }
        out.number(self.random.about(self.sites));
    }

    pub(crate) fn who(&mut self, tag: u8, out: &mut Bytes) {
        let thread = self.random.about(self.threads);
        match self.random.below(3) {
            0 => {
                out.byte(tag);
                out.number(thread);
            }
            1 => {
                out.byte(tag | 0x20);
                out.number(thread);
            }
            _ => {
                out.byte(tag | 0x40);
                out.number(thread);
                let entries = self.random.below(4);
                out.number(entries);
                for _ in 0..entries {
                    out.number(self.random.about(self.threads));
                    out.number(self.random.about(40));
                }
            }
        }
    }

    pub(crate) fn range(&mut self, out: &mut Bytes) {
        let far = self.random.one_in(600);
        out.number(if far {
            self.random.next() >> self.random.below(64)
        } else {
            self.random.below(256)
        });
        out.number(self.random.about(64));
    }

    pub(crate) fn record(&mut self, out: &mut Bytes) {
        match self.random.below(16) {
            0 => {
                out.byte(1);
                out.number(self.random.about(2));
                out.number(self.random.about(90));
                out.number(self.random.about(40));
                self.sites += 1;
            }
            1 => {
                out.byte(2);
                out.number(self.random.about(self.threads));
                out.number(self.random.about(5));
                out.number(self.random.next() >> 40);
                out.number(self.random.about(self.sites + 1));
                self.operation(out);
                self.threads += 1;
            }
            2 => {
                out.byte(3);
                out.number(self.random.about(11));
                out.number(self.random.about(self.sites + 1));
                out.number(self.random.about(self.sites));
                self.objects += 1;
            }
            3 => {
                out.byte(4);
                out.number(self.random.about(self.threads));
                self.operation(out);
            }
            4 => {
                out.byte(5);
                out.number(self.random.about(9));
            }
            5..=10 => {
                let pending = self.random.one_in(2);
                self.who(if pending { 0x16 } else { 0x06 }, out);
                if self.random.one_in(8) {
                    out.byte(0xff);
                    out.number(self.random.about(40));
                }
                let effect = self.random.about(11) as u8 & 0x0f;
                let order = self.random.about(6) as u8;
                out.byte(effect | order << 4);
                match effect {
                    5 | 6 | 8 => out.number(self.random.about(9)),
                    7 => {
                        out.number(self.random.about(9));
                        out.number(self.random.about(9));
                    }
                    9 => out.number(self.random.about(self.threads)),
                    10 => out.number(self.random.about(4)),
                    _ => {}
                }
                if !pending {
                    self.operation(out);
                }
            }
            11..=14 => {
                self.who(7, out);
                let mode = self.random.below(3) as u8;
                let bits = self.random.below(32) as u8 & !0x06 | mode << 1;
                out.byte(bits);
                if bits & 0x08 == 0 {
                    out.number(self.random.about(self.objects));
                } else {
                    self.range(out);
                }
                if bits & 0x10 == 0 {
                    out.number(self.random.about(self.sites));
                } else {
                    out.number(self.random.about(99));
                }
            }
            _ => {
                self.who(8, out);
                self.range(out);
                let ends = self.random.one_in(2);
                out.byte(u8::from(ends));
                if ends {
                    out.number(self.random.about(99));
                }
            }
        }
    }

    pub(crate) fn execution(&mut self, number: u64) -> Vec<u8> {
        let mut out = Bytes::default();
        out.number(number);
        if number == 1 {
            for file in ["src/lib.rs", "src/\u{1b}[2J.rs"] {
                out.byte(0);
                out.text(file);
            }
            for line in 1..4 {
                out.byte(1);
                out.number(0);
                out.number(line);
                out.number(5);
                self.sites += 1;
            }
        }
        (self.threads, self.objects) = (0, 0);
        out.byte(3);
        [6, 0, 0].into_iter().for_each(|n| out.number(n));
        self.objects = 1;
        for ordinal in 0..3 {
            out.byte(2);
            [0, ordinal, ordinal, 0, 0, 0, 0].into_iter().for_each(|n| out.number(n));
            self.threads += 1;
        }
        for _ in 0..self.random.below(150) {
            self.record(&mut out);
        }
        out.byte(9);
        let verdict = self.random.below(3) as u8;
        out.byte(verdict);
        if verdict != 0 {
            let threads = self.random.below(3);
            out.number(threads);
            for _ in 0..threads {
                out.text(["0", "1", "1.2", "1.2.3.4.5", "x"][self.random.below(5) as usize]);
                out.text("a\nb");
            }
        }
        if self.random.one_in(10) && !out.0.is_empty() {
            let at = self.random.below(out.0.len() as u64) as usize;
            out.0[at] = self.random.next() as u8;
        }
        out.0
    }

    pub(crate) fn trace(&mut self) -> Vec<u8> {
        self.sites = 0;
        let mut out = Bytes(b"selvedge trace\n\0\x03".to_vec());
        let mut header = Bytes::default();
        header.text("close");
        header.text("/nowhere");
        header.number(0);
        header.number(OperationKind::ALL.len() as u64);
        OperationKind::ALL.iter().for_each(|kind| header.text(kind.name()));
        let kinds = [
            ObjectKind::Atomic,
            ObjectKind::Barrier,
            ObjectKind::Channel,
            ObjectKind::Condvar,
            ObjectKind::Files,
            ObjectKind::Futex,
            ObjectKind::Mutex,
            ObjectKind::Once,
            ObjectKind::RwLock,
            ObjectKind::Thread,
            ObjectKind::Schedule,
        ];
        header.number(kinds.len() as u64);
        kinds.iter().for_each(|kind| header.text(&kind.to_string()));
        out.chunk(b'H', &header.0);
        let executions = 1 + self.random.below(3);
        for number in 1..=executions {
            let body = self.execution(number);
            out.chunk(b'X', &body);
        }
        let mut end = Bytes::default();
        end.number(executions);
        end.number(0);
        out.chunk(b'E', &end.0);
        out.0
    }
}
