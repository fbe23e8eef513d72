//! What is made of the data of a report.

mod html;
mod lcov;
mod schemas;
mod support;
