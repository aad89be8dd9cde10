// SPDX-License-Identifier: MIT
// Rust names: generics, traits, closures, impl blocks. Usage: w_rust [MILLISECONDS].
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

mod shapes {
    use std::hint::black_box;

    pub trait Area {
        fn area(&self) -> u64;
    }

    pub struct Square<T>(pub T);
    pub struct Pair<'a, T: 'a>(pub &'a [T]);

    impl<T: Into<u64> + Copy> Area for Square<T> {
        #[inline(never)]
        fn area(&self) -> u64 {
            let mut s = 0u64;
            for i in 0..3000 {
                s = black_box(s ^ (i * self.0.into()));
            }
            s
        }
    }

    impl<'a> Area for Pair<'a, u8> {
        #[inline(never)]
        fn area(&self) -> u64 {
            let mut s = 0u64;
            for i in 0..3000 {
                s = black_box(s + self.0[i % self.0.len()] as u64);
            }
            s
        }
    }
}

#[inline(never)]
fn apply<F: FnMut(u64) -> u64>(mut f: F) -> u64 {
    let mut s = 0;
    for i in 0..500 {
        s = black_box(f(s ^ i));
    }
    s
}

#[inline(never)]
fn shown<T: Debug + ?Sized>(t: &T) -> usize {
    format!("{:?}", t).len()
}

#[inline(never)]
fn dynamic(v: &[Box<dyn shapes::Area>]) -> u64 {
    v.iter().map(|a| a.area()).sum()
}

fn main() {
    let ms: u64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(60);
    let end = Instant::now() + Duration::from_millis(ms);
    let bytes: &'static [u8] = b"abcdef";
    let v: Vec<Box<dyn shapes::Area>> = vec![
        Box::new(shapes::Square(3u32)),
        Box::new(shapes::Square(4u8)),
        Box::new(shapes::Pair(bytes)),
    ];
    let mut map = BTreeMap::new();
    while Instant::now() < end {
        black_box(dynamic(&v));
        black_box(apply(|x| black_box(x.wrapping_mul(31)) + 1));
        black_box(shown("text"));
        black_box(shown(&[Some(1u8), None]));
        for i in 0..50u32 {
            map.insert(i % 17, i.to_string());
        }
    }
}
