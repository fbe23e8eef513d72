//! How fast: executions a second, and what steps, threads, executions and clocks cost.

mod costs;
mod executions;

use crate::args::Size;
use crate::measure::Slices;
use crate::report::Section;
use std::time::Duration;

pub(crate) fn measure(size: Size) -> Section {
    // Others use the machine as well: the more often one looks, the likelier is a quiet moment.
    let slices = match size {
        Size::Quick => Slices { count: 3, length: Duration::from_millis(100) },
        Size::Usual | Size::Full => Slices { count: 9, length: Duration::from_millis(150) },
    };
    let mut section = Section::new("Speed");
    section.say(&format!(
        "Processor time of the whole process, best of {} slices that take turns between the \
         engines. Selvedge and shuttle make random choices with a fixed seed; loom enumerates, \
         and begins anew when it is through. *portfolio* is Selvedge as it is when nothing is set.",
        slices.count
    ));
    executions::measure(&mut section, slices);
    costs::measure(&mut section, slices);
    section
}
