//! What a statement is about: the name of the call that matters in it.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Expr, Stmt};

/// Calls that only unpack, wrap or compare what another call has done.
const WRAPPERS: [&str; 27] = [
    "unwrap",
    "expect",
    "unwrap_err",
    "expect_err",
    "clone",
    "ok",
    "err",
    "is_ok",
    "is_err",
    "is_some",
    "is_none",
    "block_on",
    "into",
    "from",
    "as_ref",
    "as_mut",
    "to_string",
    "to_owned",
    "from_millis",
    "from_secs",
    "from_micros",
    "from_nanos",
    "new",
    "ms",
    "unwrap_or_else",
    "unwrap_or_default",
    "poll_once",
];

/// The name of the call that a statement is about.
pub(super) fn of_statement(statement: &Stmt) -> Option<String> {
    match statement {
        Stmt::Local(local) => of_expression(&local.init.as_ref()?.expr),
        Stmt::Expr(expression, _) => of_expression(expression),
        Stmt::Macro(mac) => of_macro(&mac.mac),
        _ => None,
    }
}

fn of_macro(mac: &syn::Macro) -> Option<String> {
    let own = || mac.path.segments.last().map(|last| last.ident.to_string());
    of_tokens(mac.tokens.clone()).or_else(own)
}

/// The outermost call that is not a wrapper.
fn of_expression(expression: &Expr) -> Option<String> {
    match expression {
        Expr::MethodCall(call) => named(&call.method.to_string())
            .or_else(|| of_expression(&call.receiver))
            .or_else(|| call.args.iter().find_map(of_expression)),
        Expr::Call(call) => {
            let own = match &*call.func {
                Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
                _ => None,
            };
            own.and_then(|name| named(&name)).or_else(|| call.args.iter().find_map(of_expression))
        }
        Expr::Macro(mac) => of_macro(&mac.mac),
        Expr::Await(inner) => of_expression(&inner.base),
        Expr::Try(inner) => of_expression(&inner.expr),
        Expr::Reference(inner) => of_expression(&inner.expr),
        Expr::Unary(inner) => of_expression(&inner.expr),
        Expr::Paren(inner) => of_expression(&inner.expr),
        Expr::Field(inner) => of_expression(&inner.base),
        Expr::Assign(assign) => of_expression(&assign.right),
        Expr::Binary(binary) => {
            of_expression(&binary.left).or_else(|| of_expression(&binary.right))
        }
        Expr::Match(inner) => of_expression(&inner.expr),
        Expr::If(inner) => of_expression(&inner.cond),
        Expr::Let(inner) => of_expression(&inner.expr),
        Expr::While(_) | Expr::Loop(_) | Expr::ForLoop(_) => Some("loop".to_owned()),
        _ => None,
    }
}

/// The first call in the tokens of a macro that is not a wrapper.
fn of_tokens(tokens: TokenStream) -> Option<String> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1)) {
            (TokenTree::Ident(ident), Some(TokenTree::Group(group)))
                if group.delimiter() == Delimiter::Parenthesis =>
            {
                if let Some(name) = named(&ident.to_string()) {
                    return Some(name);
                }
            }
            (TokenTree::Group(group), _) => {
                if let Some(name) = of_tokens(group.stream()) {
                    return Some(name);
                }
            }
            _ => {}
        }
    }
    None
}

/// The name, if it is that of a function that is not a wrapper.
fn named(name: &str) -> Option<String> {
    let is_function = name.starts_with(|c: char| c.is_lowercase() || c == '_');
    let name = name.trim_start_matches("r#");
    (is_function && !WRAPPERS.contains(&name)).then(|| name.to_owned())
}

/// The variable on which a statement calls `join()`, whatever it does with the result.
pub(super) fn joined(statement: &Stmt) -> Option<String> {
    let expression = match statement {
        Stmt::Local(local) => &*local.init.as_ref()?.expr,
        Stmt::Expr(expression, _) => expression,
        Stmt::Macro(mac) => return joined_in_tokens(mac.mac.tokens.clone()),
        _ => return None,
    };
    joined_in(expression)
}

fn joined_in(expression: &Expr) -> Option<String> {
    match expression {
        Expr::MethodCall(call) if call.method == "join" && call.args.is_empty() => {
            Some(match &*call.receiver {
                Expr::Path(path) => {
                    path.path.get_ident().map_or(String::new(), ToString::to_string)
                }
                _ => String::new(),
            })
        }
        Expr::MethodCall(call) => {
            joined_in(&call.receiver).or_else(|| call.args.iter().find_map(joined_in))
        }
        Expr::Call(call) => call.args.iter().find_map(joined_in),
        Expr::Try(inner) => joined_in(&inner.expr),
        Expr::Macro(mac) => joined_in_tokens(mac.mac.tokens.clone()),
        _ => None,
    }
}

fn joined_in_tokens(tokens: TokenStream) -> Option<String> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(ident) if ident == "join" => {
                let empty = matches!(tokens.get(at + 1), Some(TokenTree::Group(group))
                    if group.stream().is_empty());
                if let (true, Some(TokenTree::Ident(name))) =
                    (empty, at.checked_sub(2).and_then(|at| tokens.get(at)))
                {
                    return Some(name.to_string());
                }
            }
            TokenTree::Group(group) => {
                if let Some(name) = joined_in_tokens(group.stream()) {
                    return Some(name);
                }
            }
            _ => {}
        }
    }
    None
}
