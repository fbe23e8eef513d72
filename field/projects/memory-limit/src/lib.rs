//! Tests that take a gigabyte, and one that only reserves it.

#![cfg(test)]

use std::hint::black_box;
use std::thread;

const TOTAL: usize = 1 << 30;

fn take(block: usize) {
    let blocks: Vec<Vec<u8>> = (0..TOTAL / block).map(|_| vec![1; block]).collect();
    black_box(&blocks);
}

#[test]
fn small_blocks() {
    thread::scope(|scope| {
        scope.spawn(|| take(1 << 16));
        scope.spawn(|| ());
    });
}

#[test]
fn big_blocks() {
    thread::spawn(|| ()).join().unwrap();
    take(64 << 20);
}

#[test]
fn nothing_but_zeroes() {
    thread::spawn(|| ()).join().unwrap();
    let zeroes = vec![0_u8; TOTAL];
    black_box(&zeroes);
}
