fn main() {
    println!("{}", link_bin::first(b"binary"));
}
