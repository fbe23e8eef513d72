//! `cargo selvedge history`.

use crate::cli::HistoryArgs;
use crate::exit::{Exit, Failure};
use crate::output::history::show;
use crate::project::{Project, Toolchain};
use selvedge_report::plain_lines;
use selvedge_store::history::Question;
use selvedge_store::{Access, Database};

/// Shows what has changed from campaign to campaign.
pub(crate) fn run(args: &HistoryArgs) -> anyhow::Result<Exit> {
    let toolchain = Toolchain::find()?;
    let (manifest, target) = (args.manifest_path.as_deref(), args.target_dir.as_deref());
    let project = Project::find(&toolchain, manifest, target, &[])?;
    let file = project.campaigns();
    if !file.exists() {
        let message = format!(
            "no campaigns have been recorded in {}; run `cargo selvedge test` first",
            file.display()
        );
        return Err(Failure::with(Exit::Usage, message));
    }
    let question = Question {
        test: args.test.clone(),
        last: Some(args.last.get()),
        against: args.against.clone(),
    };
    let history = Database::open(&file, Access::Read)?.history(&question)?;
    anstream::print!("{}", plain_lines(&show(&history, args.list)));
    Ok(Exit::Clean)
}
