fn main() {
    println!("{}", link_example::first(b"example"));
}
