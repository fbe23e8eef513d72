//! Pipes, sockets and event loops between controlled threads, inside an execution and outside.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use sample::{passes, results};
use selvedge_engine::{Ending, Engine, Watch};
use selvedge_std::thread;
use selvedge_strategy::Random;
use std::io::{IoSlice, Read, Write, pipe};
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::ptr;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const HOUR: Duration = Duration::from_secs(3600);

fn eventfd() -> Arc<OwnedFd> {
    // SAFETY: Has no preconditions; nobody else owns the file.
    Arc::new(unsafe { OwnedFd::from_raw_fd(libc::eventfd(0, 0)) })
}

fn add(file: &OwnedFd) {
    let one = 1u64.to_ne_bytes();
    // SAFETY: The buffer is as long as is said.
    assert_eq!(unsafe { libc::write(file.as_raw_fd(), one.as_ptr().cast(), 8) }, 8);
}

fn poll(file: &impl AsRawFd, milliseconds: i32) -> i32 {
    let mut file = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: The file lives as long as the call.
    let count = unsafe { libc::poll(&raw mut file, 1, milliseconds) };
    assert_eq!(count > 0, file.revents != 0);
    count
}

fn ping_pong() {
    let (mut in_here, mut out_there) = pipe().unwrap();
    let (mut in_there, mut out_here) = pipe().unwrap();
    let other = thread::spawn(move || {
        let mut byte = [0];
        in_there.read_exact(&mut byte).unwrap();
        out_there.write_all(&[byte[0] + 1]).unwrap();
    });
    out_here.write_all(&[7]).unwrap();
    let mut all = Vec::new();
    in_here.read_to_end(&mut all).unwrap();
    assert_eq!(all, [8]);
    other.join().unwrap();
}

#[test]
fn threads_talk_through_pipes() {
    selvedge_libc::install();
    passes(ping_pong);
}

#[test]
fn more_than_fits_into_a_pipe_goes_through() {
    selvedge_libc::install();
    passes(|| {
        let (mut input, mut output) = pipe().unwrap();
        let writer = thread::spawn(move || output.write_all(&[1; 200_000]).unwrap());
        let mut all = Vec::new();
        input.read_to_end(&mut all).unwrap();
        assert_eq!(all.len(), 200_000);
        writer.join().unwrap();
    });
}

#[test]
fn parts_that_fit_are_written_as_one() {
    selvedge_libc::install();
    passes(|| {
        let parts = [IoSlice::new(b"one "), IoSlice::new(b""), IoSlice::new(b"two")];
        let (_reader, mut writer) = pipe().unwrap();
        assert_eq!(writer.write_vectored(&parts).unwrap(), 7);
        let (mut one, mut two) = UnixStream::pair().unwrap();
        let reader = thread::spawn(move || {
            let mut text = String::new();
            one.read_to_string(&mut text).unwrap();
            text
        });
        assert_eq!(two.write_vectored(&parts).unwrap(), 7);
        drop(two);
        assert_eq!(reader.join().unwrap(), "one two");
    });
}

#[test]
fn threads_talk_through_sockets() {
    selvedge_libc::install();
    passes(|| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let client = thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(b"hello").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        });
        let (mut stream, _) = listener.accept().unwrap();
        let mut hello = [0; 5];
        stream.read_exact(&mut hello).unwrap();
        stream.write_all(b"bye").unwrap();
        drop(stream);
        assert_eq!(client.join().unwrap(), "bye");
    });
}

#[test]
fn a_socket_that_does_not_wait_for_ever_gives_up_in_virtual_time() {
    selvedge_libc::install();
    passes(|| {
        let (mut here, _there) = UnixStream::pair().unwrap();
        here.set_read_timeout(Some(HOUR)).unwrap();
        let before = Instant::now();
        let error = here.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
        assert!(before.elapsed() >= HOUR);
        here.set_nonblocking(true).unwrap();
        let error = here.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    });
}

#[test]
fn an_event_loop_is_woken_by_another_thread() {
    selvedge_libc::install();
    passes(|| {
        // SAFETY: Has no preconditions; nobody else owns the file.
        let group = unsafe { OwnedFd::from_raw_fd(libc::epoll_create1(0)) };
        let event = eventfd();
        let mut interest = libc::epoll_event { events: libc::EPOLLIN as u32, u64: 42 };
        let (add_file, file) = (libc::EPOLL_CTL_ADD, event.as_raw_fd());
        // SAFETY: The interest lives as long as the call.
        let added =
            unsafe { libc::epoll_ctl(group.as_raw_fd(), add_file, file, &raw mut interest) };
        assert_eq!(added, 0);
        let theirs = Arc::clone(&event);
        let other = thread::spawn(move || add(&theirs));
        let mut found = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: The event lives as long as the call.
        let count = unsafe { libc::epoll_wait(group.as_raw_fd(), &raw mut found, 1, -1) };
        assert_eq!((count, { found.u64 }), (1, 42));
        let mut value = 0;
        // SAFETY: The value lives as long as the call.
        assert_eq!(unsafe { libc::eventfd_read(event.as_raw_fd(), &raw mut value) }, 0);
        assert_eq!(value, 1);
        other.join().unwrap();
    });
}

#[test]
fn a_reactor_waits_in_virtual_time_while_others_sleep() {
    selvedge_libc::install();
    let results = results(|| {
        let event = eventfd();
        let theirs = Arc::clone(&event);
        let other = thread::spawn(move || {
            thread::sleep(2 * HOUR);
            add(&theirs);
        });
        let before = Instant::now();
        let first = poll(&*event, 3_600_000);
        let second = if first == 0 { poll(&*event, -1) } else { 1 };
        assert_eq!(second, 1);
        assert!(before.elapsed() >= HOUR || first == 1);
        other.join().unwrap();
        first
    });
    assert!(results.contains(&0), "{results:?}");
}

#[test]
fn nothing_to_wait_for_is_a_sleep() {
    selvedge_libc::install();
    passes(|| {
        let before = Instant::now();
        // SAFETY: No files are needed if there are none, nor sets.
        unsafe {
            assert_eq!(libc::poll(ptr::null_mut(), 0, 3_600_000), 0);
            let (none, mut hour) = (ptr::null_mut(), libc::timeval { tv_sec: 3600, tv_usec: 0 });
            assert_eq!(libc::select(0, none, none, none, &raw mut hour), 0);
        }
        assert!(before.elapsed() >= 2 * HOUR);
    });
}

#[test]
fn the_younger_functions_and_raw_system_calls_wait_in_virtual_time() {
    selvedge_libc::install();
    passes(|| {
        let before = Instant::now();
        let hour = libc::timespec { tv_sec: 3600, tv_nsec: 0 };
        let (event, none) = (eventfd(), ptr::null_mut::<libc::c_void>());
        // SAFETY: The times and buffers live as long as the calls; null is allowed.
        unsafe {
            let group = OwnedFd::from_raw_fd(libc::epoll_create1(0));
            let mut found = libc::epoll_event { events: 0, u64: 0 };
            let file = group.as_raw_fd();
            let (found, hour) = (&raw mut found, &raw const hour);
            assert_eq!(libc::epoll_pwait2(file, found, 1, hour, ptr::null()), 0);
            let sets = ptr::null_mut();
            assert_eq!(libc::pselect(0, sets, sets, sets, hour, ptr::null()), 0);
            let (clock, flags) = (libc::CLOCK_MONOTONIC, 0);
            assert_eq!(libc::syscall(libc::SYS_clock_nanosleep, clock, flags, hour, none), 0);
            let mut waited = libc::pollfd { fd: event.as_raw_fd(), events: 1, revents: 0 };
            let waited = &raw mut waited;
            assert_eq!(libc::syscall(libc::SYS_ppoll, waited, 1, hour, none, 0), 0);
            assert!(before.elapsed() >= 4 * HOUR && before.elapsed() < 5 * HOUR);
        }
        let theirs = Arc::clone(&event);
        let other = thread::spawn(move || {
            let one = 1u64.to_ne_bytes();
            // SAFETY: The buffer is as long as is said.
            let written =
                unsafe { libc::syscall(libc::SYS_write, theirs.as_raw_fd(), one.as_ptr(), 8) };
            assert_eq!(written, 8);
        });
        let mut value = [0u8; 8];
        // SAFETY: The buffer is as long as is said.
        let read =
            unsafe { libc::syscall(libc::SYS_read, event.as_raw_fd(), value.as_mut_ptr(), 8) };
        assert_eq!((read, u64::from_ne_bytes(value)), (8, 1));
        other.join().unwrap();
    });
}

#[test]
fn whoever_connects_waits_for_a_full_queue_and_finds_that_nobody_listens() {
    selvedge_libc::install();
    passes(|| {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let error = TcpStream::connect(address).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
    });
    let ending = run(|| {
        // SAFETY: Has no preconditions; nobody else owns the file.
        let listener = unsafe {
            let file = libc::socket(libc::AF_UNIX, libc::SOCK_STREAM, 0);
            OwnedFd::from_raw_fd(file)
        };
        // An abstract name, which is nobody else's.
        // SAFETY: All zeroes are a value of the structure.
        let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
        address.sun_family = libc::AF_UNIX as libc::sa_family_t;
        let name = format!("selvedge-{}", std::process::id());
        for (to, from) in address.sun_path[1..].iter_mut().zip(name.bytes()) {
            *to = from as libc::c_char;
        }
        let place = (&raw const address).cast::<libc::sockaddr>();
        let size = size_of::<libc::sockaddr_un>() as libc::socklen_t;
        // SAFETY: The address lives as long as the calls.
        unsafe {
            assert_eq!(libc::bind(listener.as_raw_fd(), place, size), 0);
            assert_eq!(libc::listen(listener.as_raw_fd(), 0), 0);
        }
        let acceptor = thread::spawn(move || {
            for _ in 0..3 {
                let (address, size) = (ptr::null_mut(), ptr::null_mut());
                // SAFETY: Null is allowed; nobody else owns the file.
                unsafe { OwnedFd::from_raw_fd(libc::accept(listener.as_raw_fd(), address, size)) };
            }
        });
        for _ in 0..3 {
            // SAFETY: The address lives as long as the call; nobody else owns the file.
            let (result, _socket) = unsafe {
                let socket =
                    OwnedFd::from_raw_fd(libc::socket(libc::AF_UNIX, libc::SOCK_STREAM, 0));
                (libc::connect(socket.as_raw_fd(), place, size), socket)
            };
            assert_eq!(result, 0);
        }
        acceptor.join().unwrap();
    });
    assert_eq!(ending, Ending::Passed);
}

#[test]
fn a_child_can_be_waited_for_more_than_once() {
    selvedge_libc::install();
    let ending = run(|| {
        #[expect(clippy::zombie_processes, reason = "whoever it is gets waited for below")]
        let child = Command::new("sleep").arg("0.01").spawn().unwrap();
        let id = child.id();
        // SAFETY: All zeroes are a value of the structure, which lives as long as the calls.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let options = libc::WEXITED | libc::WNOWAIT;
            assert_eq!(libc::waitid(libc::P_PID, id, &raw mut info, options), 0);
            assert_eq!(info.si_pid(), id as i32);
            assert_eq!(libc::waitid(libc::P_PID, id, &raw mut info, libc::WEXITED), 0);
            // Nobody is left to wait for.
            assert_eq!(libc::waitid(libc::P_PID, id, &raw mut info, libc::WEXITED), -1);
        }
    });
    assert_eq!(ending, Ending::Passed);
}

#[test]
fn a_look_without_waiting_comes_back_at_once() {
    selvedge_libc::install();
    passes(|| {
        let event = eventfd();
        assert_eq!(poll(&*event, 0), 0);
        add(&event);
        assert_eq!(poll(&*event, 0), 1);
    });
}

#[test]
fn bad_files_are_refused_with_the_right_reason() {
    selvedge_libc::install();
    passes(|| {
        // SAFETY: The buffer is as long as is said.
        assert_eq!(unsafe { libc::read(-1, [0u8].as_mut_ptr().cast(), 1) }, -1);
        assert_eq!(std::io::Error::last_os_error().raw_os_error(), Some(libc::EBADF));
        // SAFETY: As above.
        assert_eq!(unsafe { libc::close(-1) }, -1);
        assert_eq!(std::io::Error::last_os_error().raw_os_error(), Some(libc::EBADF));
    });
}

#[test]
fn children_are_processes_of_their_own() {
    selvedge_libc::install();
    let ending = run(|| {
        let output = Command::new("sh").args(["-c", "echo hello; sleep 0.01"]).output().unwrap();
        assert_eq!(output.stdout, b"hello\n");
        assert!(Command::new("true").status().unwrap().success());
    });
    assert_eq!(ending, Ending::Passed);
}

#[test]
fn outside_of_an_execution_everything_is_as_ever() {
    selvedge_libc::install();
    let (mut input, mut output) = pipe().unwrap();
    let writer = std::thread::spawn(move || output.write_all(&[1; 200_000]).unwrap());
    let mut all = Vec::new();
    input.read_to_end(&mut all).unwrap();
    assert_eq!(all.len(), 200_000);
    writer.join().unwrap();
    let event = eventfd();
    assert_eq!(poll(&*event, 1), 0);
    add(&event);
    assert_eq!(poll(&*event, -1), 1);
    assert!(Command::new("true").status().unwrap().success());
}

/// Runs the test once.
fn run(test: impl Fn() + Sync) -> Ending {
    let mut engine = Engine::new(sample::settings(), Arc::default());
    engine.run(&test, &mut Random::new(7), None).ending().clone()
}

#[test]
fn a_lock_inside_of_std_that_somebody_outside_holds_is_waited_for() {
    selvedge_libc::install();
    // How long the other thread takes to give the lock back is up to the machine. It must be
    // possible to wait for it.
    let waited = (0..100).any(|_| {
        let lock = Arc::new(Mutex::new(0));
        let theirs = Arc::clone(&lock);
        let (begun, has_begun) = channel();
        let (go, may_go) = channel();
        let outside = std::thread::spawn(move || {
            let mut guard = theirs.lock().unwrap();
            begun.send(()).unwrap();
            may_go.recv().unwrap();
            *guard += 1;
        });
        has_begun.recv().unwrap();
        let ending = run(|| {
            go.send(()).unwrap();
            *lock.lock().unwrap() += 1;
        });
        outside.join().unwrap();
        ending == Ending::Passed && *lock.lock().unwrap() == 2
    });
    assert!(waited);
}

#[test]
fn a_lock_inside_of_std_is_given_back_to_somebody_outside() {
    selvedge_libc::install();
    let lock = Arc::new(Mutex::new(0));
    let theirs = Arc::clone(&lock);
    let (begun, has_begun) = channel();
    let outside = std::thread::spawn(move || {
        let () = has_begun.recv().unwrap();
        *theirs.lock().unwrap() += 1;
    });
    let ending = run(|| {
        let mut guard = lock.lock().unwrap();
        begun.send(()).unwrap();
        thread::yield_now();
        *guard += 1;
    });
    assert_eq!(ending, Ending::Passed);
    outside.join().unwrap();
    assert_eq!(*lock.lock().unwrap(), 2);
}

#[test]
fn a_file_that_never_gets_ready_is_shown_to_whoever_watches() {
    selvedge_libc::install();
    let watch = Arc::new(Watch::default());
    let theirs = Arc::clone(&watch);
    let (mut input, output) = pipe().unwrap();
    let input_file = input.as_raw_fd();
    let worker = std::thread::spawn(move || {
        let mut engine = Engine::new(sample::settings(), theirs);
        let test = move || {
            let mut byte = [0u8];
            // SAFETY: The buffer is as long as is said.
            unsafe { libc::read(input_file, byte.as_mut_ptr().cast(), 1) };
        };
        engine.run(&test, &mut Random::new(7), None).ending().clone()
    });
    // Nobody writes as long as the watcher has not seen where the thread waits.
    while !watch.last().1.is_some_and(|at| at.file.ends_with("io/input.rs")) {
        std::thread::yield_now();
    }
    drop(output);
    assert_eq!(worker.join().unwrap(), Ending::Passed);
    assert_eq!(input.read(&mut [0]).unwrap(), 0);
}
