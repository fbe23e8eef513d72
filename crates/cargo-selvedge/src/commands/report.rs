//! `cargo selvedge report`.

use crate::cli::{ReportArgs, ReportFormat};
use crate::exit::{Exit, Failure};
use crate::gather::Gathered;
use crate::output::{Status, annotate, junit};
use crate::project::{Project, Toolchain};
use anyhow::Context;
use std::path::Path;
use std::process::{Command, Stdio};

/// Makes a report.
pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    if args.open && args.format != ReportFormat::Html {
        return Err(Failure::with(Exit::Usage, "only the page can be opened: leave out --format"));
    }
    if args.output.is_some() && args.format == ReportFormat::Github {
        let why = "annotations are taken from what is printed: leave out --output";
        return Err(Failure::with(Exit::Usage, why));
    }
    let toolchain = Toolchain::find()?;
    let (manifest, target) = (args.manifest_path.as_deref(), args.target_dir.as_deref());
    let project = Project::find(&toolchain, manifest, target, &[])?;
    let gathered = Gathered::of(&project)?;
    let text = match args.format {
        ReportFormat::Html => selvedge_page::html(&gathered.report())?,
        ReportFormat::Json => {
            let mut text = serde_json::to_string_pretty(&gathered.report())?;
            text.push('\n');
            text
        }
        ReportFormat::Sarif => selvedge_page::sarif(&gathered.report())?,
        ReportFormat::Lcov => selvedge_page::lcov(&gathered.report()),
        ReportFormat::Junit => junit(gathered.cases().into_iter())?,
        ReportFormat::Github => {
            gathered.met().for_each(|(id, kept)| annotate(id, kept));
            return Ok(Exit::Clean);
        }
    };
    let usual = project.folder.join("report.html");
    let output = args.output.as_deref();
    let Some(path) = output.or((args.format == ReportFormat::Html).then_some(&usual)) else {
        anstream::print!("{text}");
        return Ok(Exit::Clean);
    };
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
    }
    fs_err::write(path, text)?;
    Status::Finished.say(&format!("the report is in {}", path.display()));
    if args.open {
        open(path)?;
    }
    Ok(Exit::Clean)
}

/// Shows a page in the browser that the system is set to use.
fn open(path: &Path) -> anyhow::Result<()> {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    command.arg(std::path::absolute(path)?).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status();
    let status = status.with_context(|| format!("can not run {program} to open the page"))?;
    anyhow::ensure!(status.success(), "{program} could not open {}", path.display());
    Ok(())
}
