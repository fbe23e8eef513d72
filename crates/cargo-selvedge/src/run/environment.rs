//! The environment that cargo gives to tests.

use cargo_metadata::{BuildScript, Package};

/// Variables, by name.
pub(crate) type Variables = Vec<(String, String)>;

/// What the tests of a package find there, as the reference of cargo has it.
pub(crate) fn of_package(package: &Package, script: Option<&BuildScript>) -> Variables {
    let text = |option: &Option<String>| option.clone().unwrap_or_default();
    let path = |option: &Option<cargo_metadata::camino::Utf8PathBuf>| {
        option.as_ref().map(ToString::to_string).unwrap_or_default()
    };
    let version = &package.version;
    let folder = package.manifest_path.parent().map(ToString::to_string).unwrap_or_default();
    let known = [
        ("MANIFEST_DIR", folder),
        ("MANIFEST_PATH", package.manifest_path.to_string()),
        ("PKG_NAME", package.name.to_string()),
        ("PKG_VERSION", version.to_string()),
        ("PKG_VERSION_MAJOR", version.major.to_string()),
        ("PKG_VERSION_MINOR", version.minor.to_string()),
        ("PKG_VERSION_PATCH", version.patch.to_string()),
        ("PKG_VERSION_PRE", version.pre.to_string()),
        ("PKG_AUTHORS", package.authors.join(":")),
        ("PKG_DESCRIPTION", text(&package.description)),
        ("PKG_HOMEPAGE", text(&package.homepage)),
        ("PKG_REPOSITORY", text(&package.repository)),
        ("PKG_LICENSE", text(&package.license)),
        ("PKG_LICENSE_FILE", path(&package.license_file)),
        ("PKG_README", path(&package.readme)),
        (
            "PKG_RUST_VERSION",
            package.rust_version.as_ref().map(ToString::to_string).unwrap_or_default(),
        ),
    ];
    let mut variables: Variables =
        known.into_iter().map(|(name, value)| (format!("CARGO_{name}"), value)).collect();
    if let Some(script) = script {
        variables.push(("OUT_DIR".to_owned(), script.out_dir.to_string()));
        variables.extend(script.env.iter().cloned());
    }
    variables
}
