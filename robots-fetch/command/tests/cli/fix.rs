//! `lint --fix` writes to files of other people.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};

use crate::command::{folder, outcome};

const BEFORE: &str = "User-agent: *\r\nDisallow: /mine";
const AFTER: &str = "User-agent: *\r\nDisallow: /mine\r\n";

#[test]
fn a_link_stays_and_its_target_is_replaced_in_its_own_folder() {
    let folder = folder("fix-link");
    let (elsewhere, here) = (folder.join("elsewhere"), folder.join("here"));
    fs::create_dir_all(&elsewhere).unwrap();
    fs::create_dir_all(&here).unwrap();
    let (target, link) = (elsewhere.join("real.txt"), here.join("robots.txt"));
    fs::write(&target, BEFORE).unwrap();
    symlink(&target, &link).unwrap();
    let (status, _, err) = outcome(&["lint", "--fix", link.to_str().unwrap()], "");
    assert_eq!(status, 0, "{err}");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), AFTER);
    // No other file stays.
    for folder in [elsewhere, here] {
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    }
}

#[test]
fn permissions_and_owner_stay() {
    let folder = folder("fix-owner");
    let file = folder.join("robots.txt");
    for mode in [0o600, 0o640, 0o444, 0o666] {
        fs::write(folder.join("new"), BEFORE).unwrap();
        fs::rename(folder.join("new"), &file).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        // Only root can give a file to someone else.
        let given = chown(&file, Some(12_345), Some(54_321)).is_ok();
        let before = fs::metadata(&file).unwrap();
        let (status, _, err) = outcome(&["lint", "--fix", file.to_str().unwrap()], "");
        assert_eq!(status, 0, "{err}");
        let after = fs::metadata(&file).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), AFTER);
        assert_ne!(before.ino(), after.ino(), "replaced in one step");
        assert_eq!((after.mode(), after.uid(), after.gid()), (before.mode(), before.uid(), before.gid()));
        if !given {
            println!("the owner could not be changed, so that only the permissions were tried");
        }
    }
}

#[test]
fn no_link_in_the_folder_is_followed() {
    let folder = folder("fix-trap");
    let (file, precious) = (folder.join("robots.txt"), folder.join("precious"));
    fs::write(&file, BEFORE).unwrap();
    fs::write(&precious, "precious").unwrap();
    // Names that can be guessed: of process identifiers.
    for id in 1..100_000 {
        if symlink(&precious, folder.join(format!("robots.txt.{id}.tmp"))).is_err() {
            break;
        }
    }
    let (status, _, err) = outcome(&["lint", "--fix", file.to_str().unwrap()], "");
    assert_eq!(status, 0, "{err}");
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    assert_eq!(fs::read_to_string(&file).unwrap(), AFTER);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_folder_without_permission_is_an_error_and_changes_nothing() {
    let folder = folder("fix-denied");
    let file = folder.join("robots.txt");
    fs::write(&file, BEFORE).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let (status, _, err) = outcome(&["lint", "--fix", file.to_str().unwrap()], "");
    let is_root = fs::write(folder.join("probe"), "").is_ok();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    if is_root {
        println!("skipped: root may write everywhere");
        return;
    }
    assert_eq!(status, 2);
    assert!(err.contains("can't write"), "{err}");
    assert_eq!(fs::read_to_string(&file).unwrap(), BEFORE);
}
