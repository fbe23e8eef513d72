//! One execution of a test: what its threads do.

use crate::context::{Context, Patience, Stepper};
use crate::gate;
use crate::object::Object;
use crate::table::Table;
use crate::world::{Arguments, Phase, SlotState, world};
use selvedge_engine::Controlled;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether the thread goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    On,
    /// A call panicked: what it left behind is for the others to see.
    NoFurther,
}

/// The slots of calls that one thread makes.
#[derive(Clone, Copy)]
struct Slots {
    from: usize,
    to: usize,
}

/// Runs the test that the world has.
pub(crate) fn run(table: &'static Table) {
    let mut state = world();
    state.reset();
    let (test, left_out) = (&state.test, state.left_out);
    let (make, arguments) = {
        let constructor = &test.constructor;
        (table.constructors[constructor.call.index()].make, Arguments::of(constructor))
    };
    let prefix = Slots { from: 0, to: test.prefix.len() };
    let threads: [Option<Slots>; crate::world::THREADS] = std::array::from_fn(|thread| {
        (thread < test.threads.len()).then(|| Slots {
            from: test.base(thread),
            to: test.base(thread) + test.threads[thread].len(),
        })
    });
    let end = Slots { from: test.base(test.threads.len()), to: test.len() };
    drop(state);
    let stepper = Stepper { thread: None, patience: Patience::Once };
    let mut context =
        Context { object: Object::nothing(), arguments, slot: crate::world::SLOTS - 1, stepper };
    gate::mark();
    let object = make(&mut context);
    gate::mark();
    if calls(table, object, prefix, None, 0) == Goes::NoFurther {
        return;
    }
    world().phase = Phase::Threads;
    let running: Vec<_> = threads
        .into_iter()
        .flatten()
        .enumerate()
        .map(|(number, slots)| {
            selvedge_std::thread::spawn(move || {
                let thread = Controlled::current().map(Controlled::thread);
                world().threads[number] = thread;
                calls(table, object, slots, Some(number), left_out);
                world().stopped(number);
            })
        })
        .collect();
    for thread in running {
        // What panicked was caught before.
        let _ = thread.join();
    }
    world().phase = Phase::After;
    gate::mark();
    if calls(table, object, end, None, 0) == Goes::NoFurther {
        return;
    }
    gate::mark();
    // SAFETY: All threads have ended, what calls returned was dropped by them, and nobody calls any more.
    unsafe { object.free() };
    world().phase = Phase::Over;
}

fn calls(
    table: &Table,
    object: Object,
    slots: Slots,
    thread: Option<usize>,
    left_out: u64,
) -> Goes {
    for slot in slots.from..slots.to {
        if left_out >> slot & 1 == 1 {
            continue;
        }
        if let Some(thread) = thread {
            gate::pass(thread);
        }
        if call(table, object, slot, thread) == Goes::NoFurther {
            return Goes::NoFurther;
        }
    }
    Goes::On
}

fn call(table: &Table, object: Object, slot: usize, thread: Option<usize>) -> Goes {
    let mut state = world();
    let (call, arguments) = {
        let (_, called) = state.test.calls().nth(slot).expect("the slot is one of the test's");
        (table.calls[called.call.index()].call, Arguments::of(called))
    };
    let patience =
        if state.patient >> slot & 1 == 1 { Patience::UntilReady } else { Patience::Once };
    state.begins(slot);
    drop(state);
    let stepper = Stepper { thread, patience };
    let mut context = Context { object, arguments, slot, stepper };
    let result = catch_unwind(AssertUnwindSafe(|| call(&mut context)));
    match result {
        Ok(()) => {
            world().ends(slot, SlotState::Returned);
            Goes::On
        }
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("something");
            context.put(format_args!("panicked: {text}"));
            world().ends(slot, SlotState::Panicked);
            drop(payload);
            Goes::NoFurther
        }
    }
}
