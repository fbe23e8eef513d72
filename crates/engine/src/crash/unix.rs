//! Signals and `exit`, on Unix.

use crate::context::{Code, Controlled};
use crate::ending::Crash;
use crate::heap::{Caller, Note};
#[cfg(target_os = "linux")]
use crate::progress::INTERRUPT;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::OnceLock;

/// The signals that a crashing thread raises.
const SIGNALS: [c_int; 5] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT];

crate::kept! {
    /// Who handled them before us.
    static BEFORE: OnceLock<[libc::sigaction; SIGNALS.len()]> = OnceLock::new();
    /// Who handled the signal before by which executions are interrupted.
    static BEFORE_INTERRUPT: OnceLock<libc::sigaction> = OnceLock::new();
}

/// Puts our handlers in front of those that are there, once a process.
pub(crate) fn install() {
    BEFORE.get_or_init(|| SIGNALS.map(|signal| install_one(signal, handle)));
    #[cfg(target_os = "linux")]
    BEFORE_INTERRUPT.get_or_init(|| install_one(INTERRUPT, interrupt));
    super::exit::install();
}

type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

fn install_one(signal: c_int, handle: Handler) -> libc::sigaction {
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: Both structures are valid; the handler touches only the state of the thread that
    // it interrupts, and that only if the thread is not in the middle of an engine function. It runs on the alternative stack that the runtime of std gives each thread,
    // so it can run when the ordinary stack is used up.
    unsafe {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        action.sa_sigaction = handle as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(signal, &raw const action, before.as_mut_ptr());
        before.assume_init()
    }
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let address = match signal {
        // SAFETY: The kernel passes a valid structure; the field is meaningful for access faults.
        libc::SIGSEGV | libc::SIGBUS => unsafe { (*info).si_addr() as usize },
        _ => 0,
    };
    if let Some(controlled) = Controlled::running()
        && controlled.code() != Code::Engine
    {
        let crash = if controlled.is_stack_overflow(address) {
            Crash::StackOverflow
        } else if controlled.has_called_exit_again() {
            Crash::Exit { code: None }
        } else {
            Crash::Signal { number: signal, address, at: controlled.place_of(context) }
        };
        if controlled.cut_off(crash, context) {
            return;
        }
    }
    pass_on(signal, info, context);
}

/// Ends the execution of the interrupted thread, if that is what the signal is for. A thread that is in the
/// engine's code comes to it by itself.
#[cfg(target_os = "linux")]
extern "C" fn interrupt(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let interrupted = Controlled::running().and_then(|controlled| {
        let crash = controlled.interrupted()?;
        let is_over = controlled.code() != Code::Engine && controlled.is_over();
        (!is_over).then_some((controlled, crash))
    });
    match (interrupted, BEFORE_INTERRUPT.get()) {
        (Some((controlled, crash)), _) => {
            if controlled.code() != Code::Engine {
                controlled.cut_off(crash, context);
            }
        }
        (None, Some(before))
            if before.sa_sigaction != libc::SIG_DFL && before.sa_sigaction != libc::SIG_IGN =>
        {
            // SAFETY: It is called as the kernel would have.
            unsafe { call(before, signal, info, context) };
        }
        (None, _) => {}
    }
}

/// Calls a handler as the kernel does.
///
/// # Safety
///
/// The action has a handler, and the other arguments come from the kernel.
unsafe fn call(
    action: &libc::sigaction,
    signal: c_int,
    info: *mut libc::siginfo_t,
    context: *mut c_void,
) {
    // SAFETY: Whoever installed the handler has said which of the two it is.
    unsafe {
        if action.sa_flags & libc::SA_SIGINFO != 0 {
            let handler: Handler = std::mem::transmute(action.sa_sigaction);
            handler(signal, info, context);
        } else {
            let handler: extern "C" fn(c_int) = std::mem::transmute(action.sa_sigaction);
            handler(signal);
        }
    }
}

/// Does what would have been done without us.
fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let before = SIGNALS.iter().position(|&s| s == signal).and_then(|i| Some(BEFORE.get()?[i]));
    // SAFETY: The former handler is called as the kernel would have; without one, the default
    // action is restored and happens when the faulting instruction is run again.
    unsafe {
        match before {
            Some(action)
                if action.sa_sigaction != libc::SIG_DFL && action.sa_sigaction != libc::SIG_IGN =>
            {
                call(&action, signal, info, context);
            }
            _ => {
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
        }
    }
}

impl Controlled {
    /// Whether the execution has ended.
    #[cfg(target_os = "linux")]
    fn is_over(self) -> bool {
        self.execution().ending.is_some()
    }

    /// Whether the address lies in the guard page of the running thread's stack.
    fn is_stack_overflow(self, address: usize) -> bool {
        let execution = &mut *self.execution();
        let Some(fiber) = &execution.threads[execution.current.index()].fiber else { return false };
        // SAFETY: Asking for the page size has no preconditions.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        (fiber.stack_limit..fiber.stack_limit + page).contains(&address)
    }

    /// Where the running thread was interrupted, and the calls that led there.
    fn place_of(self, context: *mut c_void) -> Note {
        let context = context.cast::<libc::ucontext_t>();
        // SAFETY: The kernel passes a valid context.
        let (instruction, frame, stack_pointer) = unsafe {
            (
                registers::instruction(context),
                registers::frame(context),
                registers::stack_pointer(context),
            )
        };
        // Addresses of code are those that calls return to, behind the instruction that is meant.
        let caller = Caller { return_address: instruction.wrapping_add(1), frame };
        self.execution().note_interrupted(caller, stack_pointer)
    }

    /// Makes the interrupted thread hand control back for good as soon as the signal handler
    /// returns. Says whether that is possible: only if it was interrupted on its own stack.
    fn cut_off(self, crash: Crash, context: *mut c_void) -> bool {
        let execution = &mut *self.execution();
        let Some(fiber) = &execution.threads[execution.current.index()].fiber else { return false };
        let (fiber, stack) = (&raw const **fiber, fiber.stack());
        let context = context.cast::<libc::ucontext_t>();
        // SAFETY: The kernel passes a valid context.
        let stack_pointer = unsafe { registers::stack_pointer(context) };
        if !stack.contains(&stack_pointer) {
            return false;
        }
        self.crashed(crash);
        // SAFETY: The thread was interrupted on the stack of this fiber, which is still there. Its frames are
        // discarded without being unwound; what they own is leaked. The handlers come here only if the
        // interrupted code is not the engine's, so nobody is in the middle of writing its state.
        unsafe {
            let target = (*fiber).way_out();
            registers::set(context, &target);
        }
        true
    }
}

/// The registers of an interrupted thread.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod registers {
    use crate::fiber::WayOut;

    pub(super) unsafe fn stack_pointer(context: *mut libc::ucontext_t) -> usize {
        // SAFETY: The caller passes a valid context.
        unsafe { (*context).uc_mcontext.gregs[libc::REG_RSP as usize] as usize }
    }

    pub(super) unsafe fn instruction(context: *mut libc::ucontext_t) -> usize {
        // SAFETY: The caller passes a valid context.
        unsafe { (*context).uc_mcontext.gregs[libc::REG_RIP as usize] as usize }
    }

    pub(super) unsafe fn frame(context: *mut libc::ucontext_t) -> usize {
        // SAFETY: The caller passes a valid context.
        unsafe { (*context).uc_mcontext.gregs[libc::REG_RBP as usize] as usize }
    }

    pub(super) unsafe fn set(context: *mut libc::ucontext_t, target: &WayOut) {
        // SAFETY: The caller passes a valid context.
        let registers = unsafe { &mut (*context).uc_mcontext.gregs };
        registers[libc::REG_RIP as usize] = target.instruction as i64;
        registers[libc::REG_RSP as usize] = target.stack_pointer as i64;
    }
}

#[cfg(all(target_os = "linux", target_arch = "aarch64"))]
mod registers {
    use crate::fiber::WayOut;

    pub(super) unsafe fn stack_pointer(context: *mut libc::ucontext_t) -> usize {
        // SAFETY: The caller passes a valid context.
        unsafe { (*context).uc_mcontext.sp as usize }
    }

    pub(super) unsafe fn instruction(context: *mut libc::ucontext_t) -> usize {
        // SAFETY: The caller passes a valid context.
        unsafe { (*context).uc_mcontext.pc as usize }
    }

    pub(super) unsafe fn frame(context: *mut libc::ucontext_t) -> usize {
        // SAFETY: The caller passes a valid context.
        unsafe { (*context).uc_mcontext.regs[29] as usize }
    }

    pub(super) unsafe fn set(context: *mut libc::ucontext_t, target: &WayOut) {
        // SAFETY: The caller passes a valid context.
        let registers = unsafe { &mut (*context).uc_mcontext };
        registers.pc = target.pc;
        registers.sp = target.sp;
        registers.regs[0] = target.x0;
        registers.regs[1] = target.x1;
        registers.regs[29] = target.x29;
        registers.regs[30] = target.lr;
    }
}

/// Elsewhere a crashing thread is not cut off: the signal is passed on.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod registers {
    use crate::fiber::WayOut;

    pub(super) unsafe fn stack_pointer(_: *mut libc::ucontext_t) -> usize {
        0
    }

    pub(super) unsafe fn instruction(_: *mut libc::ucontext_t) -> usize {
        0
    }

    pub(super) unsafe fn frame(_: *mut libc::ucontext_t) -> usize {
        0
    }

    pub(super) unsafe fn set(_: *mut libc::ucontext_t, _: &WayOut) {}
}
