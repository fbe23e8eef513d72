//! Reads a file: bodies, blocks, statements, tests.

use super::exits::{Exits, asks};
use super::uses::{Names, is_sleep};
use super::{
    Block, BlockId, Body, BodyId, Braces, Captures, File, FileId, InMacro, Kind, Loop, Outline,
    ParseError, Scope, Sources, Statement, StatementId, Tail, TestFn, Variables, calls, variables,
};
use proc_macro2::{TokenStream, TokenTree};
use std::ops::Range;
use std::path::PathBuf;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Stmt};

/// Adds a file to what is known.
pub(super) fn scan(
    sources: &mut Sources,
    path: PathBuf,
    text: String,
    modules: &[String],
    scope: Scope,
) -> Result<Vec<Outline>, ParseError> {
    let tree = syn::parse_file(&text).map_err(|error| {
        let start = error.span().start();
        let (line, column) = (start.line, start.column + 1);
        ParseError { path: path.clone(), line, column, message: error.to_string() }
    })?;
    let file = FileId(sources.files.len());
    sources.files.push(File { path, text, in_macros: Vec::new() });
    let mut scanner = Scanner {
        sources,
        file,
        modules: modules.to_vec(),
        depth: modules.len(),
        scope,
        names: Vec::new(),
        bodies: Vec::new(),
        block: None,
        statement: None,
        loops: Vec::new(),
        outlines: Vec::new(),
    };
    scanner.module(&tree.items);
    let outlines = scanner.outlines;
    mark_helpers(sources, file);
    Ok(outlines)
}

/// Calls of functions that do nothing but sleep are sleeps, too.
fn mark_helpers(sources: &mut Sources, file: FileId) {
    let sleeps = |body: &Body| match &sources.block(body.root).statements[..] {
        [only] => sources.statement(*only).kind == Kind::Sleep,
        _ => false,
    };
    let helpers: Vec<_> = sources
        .bodies
        .iter()
        .filter(|body| body.file == file && sleeps(body))
        .filter_map(|body| body.function.clone())
        .collect();
    for statement in sources.statements.iter_mut().filter(|statement| statement.file == file) {
        if statement.callee.as_ref().is_some_and(|callee| helpers.contains(callee)) {
            statement.kind = Kind::Sleep;
        }
    }
}

struct Scanner<'a> {
    sources: &'a mut Sources,
    file: FileId,
    modules: Vec<String>,
    /// How many of the modules are around the file.
    depth: usize,
    scope: Scope,
    names: Vec<Names>,
    bodies: Vec<BodyId>,
    block: Option<BlockId>,
    statement: Option<StatementId>,
    loops: Vec<Loop>,
    outlines: Vec<Outline>,
}

impl Scanner<'_> {
    /// Reads the items of a module.
    fn module(&mut self, items: &[Item]) {
        let mut names = Names::of_module();
        for item in items {
            match item {
                Item::Use(item) => names.declare(item),
                Item::Fn(item) => names.define(&item.sig.ident.to_string()),
                _ => {}
            }
        }
        self.names.push(names);
        items.iter().for_each(|item| self.visit_item(item));
        self.names.pop();
    }

    /// Reads the code of a function or a closure.
    fn body(
        &mut self,
        function: Option<String>,
        inner: Range<usize>,
        braces: Braces,
        read: impl FnOnce(&mut Self, BlockId),
    ) -> BodyId {
        let (id, root) = (BodyId(self.sources.bodies.len()), BlockId(self.sources.blocks.len()));
        let outermost = self.bodies.first().copied();
        let within = self.statement;
        let body = Body {
            file: self.file,
            root,
            function,
            captures: Captures::Borrowed,
            within,
            outermost,
            idents: Vec::new(),
            variables: Variables::default(),
        };
        self.sources.bodies.push(body);
        let block = Block { file: self.file, body: id, inner, braces, statements: Vec::new() };
        self.sources.blocks.push(block);
        self.bodies.push(id);
        let block = self.block.replace(root);
        let loops = std::mem::take(&mut self.loops);
        let statement = self.statement;
        read(self, root);
        self.statement = statement;
        self.loops = loops;
        self.block = block;
        self.bodies.pop();
        id
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) -> BodyId {
        let name = signature.ident.to_string();
        let names = std::mem::take(&mut self.bodies);
        let statement = self.statement.take();
        let id = self.body(Some(name), inner(block), Braces::Written, |scanner, root| {
            scanner.statements(root, block);
        });
        self.sources.bodies[id.0].variables = variables::of(Some(signature), block);
        self.statement = statement;
        self.bodies = names;
        id
    }

    /// Reads the statements of a block.
    fn statements(&mut self, id: BlockId, block: &syn::Block) {
        let mut names = Names::of_block();
        for statement in &block.stmts {
            if let Stmt::Item(Item::Use(item)) = statement {
                names.declare(item);
            }
        }
        self.names.push(names);
        let outer = self.statement;
        let last = block.stmts.len().saturating_sub(1);
        for (at, statement) in block.stmts.iter().enumerate() {
            if let Stmt::Item(item) = statement {
                self.visit_item(item);
                continue;
            }
            let tail = match statement {
                Stmt::Expr(_, None) if at == last => Tail::Value,
                Stmt::Macro(mac) if at == last && mac.semi_token.is_none() => Tail::Value,
                _ => Tail::No,
            };
            let kind = self.kind(statement);
            let made = self.add(id, statement.span().byte_range(), kind, tail);
            let entry = &mut self.sources.statements[made.0];
            entry.call = calls::of_statement(statement);
            entry.joins = calls::joined(statement);
            entry.binds = bound(statement);
            entry.callee = callee(statement);
            self.statement = Some(made);
            visit::visit_stmt(self, statement);
        }
        self.statement = outer;
        self.names.pop();
    }

    fn add(&mut self, block: BlockId, range: Range<usize>, kind: Kind, tail: Tail) -> StatementId {
        let id = StatementId(self.sources.statements.len());
        let index = self.sources.blocks[block.0].statements.len();
        let loops = self.loops.clone();
        let (call, binds, joins, callee) = (None, None, None, None);
        self.sources.statements.push(Statement {
            file: self.file,
            block,
            index,
            range,
            kind,
            tail,
            call,
            loops,
            binds,
            joins,
            callee,
        });
        self.sources.blocks[block.0].statements.push(id);
        id
    }

    fn kind(&self, statement: &Stmt) -> Kind {
        match statement {
            Stmt::Expr(expression, _) if self.sleeps(expression) => Kind::Sleep,
            Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _) => Kind::Leaves,
            _ => Kind::Other,
        }
    }

    /// Whether an expression is a call of `std::thread::sleep`.
    fn sleeps(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => is_sleep(&path.path, &self.names),
                _ => false,
            },
            _ => false,
        }
    }

    fn in_loop(&mut self, kind: Loop, read: impl FnOnce(&mut Self)) {
        self.loops.push(kind);
        read(self);
        self.loops.pop();
    }

    /// Notes that a name occurs in the body that is being read.
    fn note(&mut self, name: &str) {
        let Some(body) = self.bodies.last() else { return };
        let idents = &mut self.sources.bodies[body.0].idents;
        if let Err(at) = idents.binary_search_by(|other| other.as_str().cmp(name)) {
            idents.insert(at, name.to_owned());
        }
    }

    /// Reads a block that is part of a statement.
    fn nested(&mut self, block: &syn::Block) {
        let Some(&body) = self.bodies.last() else { return };
        let id = BlockId(self.sources.blocks.len());
        let (inner, braces) = (inner(block), Braces::Written);
        let made = Block { file: self.file, body, inner, braces, statements: Vec::new() };
        self.sources.blocks.push(made);
        let around = self.block.replace(id);
        self.statements(id, block);
        self.block = around;
    }
}

impl<'ast> Visit<'ast> for Scanner<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let scope = self.scope;
        if is_for_tests(&item.attrs) {
            self.scope = Scope::All;
        }
        let name = plain(&item.ident.to_string());
        match &item.content {
            Some((_, items)) => {
                self.modules.push(name);
                self.module(items);
                self.modules.pop();
            }
            None => {
                let within = self.modules[self.depth..].to_vec();
                let path = path_attribute(&item.attrs);
                self.outlines.push(Outline { name, within, path, scope: self.scope });
            }
        }
        self.scope = scope;
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let test = item.attrs.iter().find(|attribute| attribute.path().is_ident("test"));
        if item.sig.constness.is_some() || (self.scope == Scope::Tests && test.is_none()) {
            return;
        }
        let name = item.sig.ident.to_string();
        let scope = std::mem::replace(&mut self.scope, Scope::All);
        let body = self.function(&item.sig, &item.block);
        self.scope = scope;
        let Some(test) = test else { return };
        let mut path = self.modules.clone();
        path.push(plain(&name));
        let range = item.span().byte_range();
        let function = item.sig.ident.span().byte_range().start..range.end;
        self.sources.tests.push(TestFn {
            name: path.join("::"),
            body,
            attribute: test.span().byte_range(),
            range,
            function,
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if item.sig.constness.is_none() && self.scope == Scope::All {
            self.function(&item.sig, &item.block);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let (Some(block), Scope::All) = (&item.default, self.scope) {
            self.function(&item.sig, block);
        }
    }

    // Their values are computed by the compiler, or before any test.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.nested(block);
    }

    fn visit_expr_async(&mut self, expression: &'ast syn::ExprAsync) {
        if self.bodies.is_empty() {
            return;
        }
        self.body(None, inner(&expression.block), Braces::Written, |scanner, root| {
            scanner.statements(root, &expression.block);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        if self.bodies.is_empty() {
            return;
        }
        let own = self.sources.bodies.len();
        match &*closure.body {
            Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => {
                self.body(None, inner(&block.block), Braces::Written, |scanner, root| {
                    scanner.statements(root, &block.block);
                });
            }
            // Braces could not be added without the type in some places, and nothing happens in it.
            Expr::Path(_) | Expr::Lit(_) | Expr::Field(_) | Expr::Reference(_) => {}
            expression => {
                let range = expression.span().byte_range();
                self.body(None, range.clone(), Braces::Missing, |scanner, root| {
                    let kind = if scanner.sleeps(expression) { Kind::Sleep } else { Kind::Other };
                    let made = scanner.add(root, range, kind, Tail::Value);
                    let statement = Stmt::Expr(expression.clone(), None);
                    let entry = &mut scanner.sources.statements[made.0];
                    entry.call = calls::of_statement(&statement);
                    entry.joins = calls::joined(&statement);
                    entry.callee = callee(&statement);
                    scanner.statement = Some(made);
                    scanner.visit_expr(expression);
                });
            }
        }
        if let (true, Some(body)) = (closure.capture.is_some(), self.sources.bodies.get_mut(own)) {
            body.captures = Captures::Moved;
        }
    }

    fn visit_expr_while(&mut self, expression: &'ast syn::ExprWhile) {
        self.visit_expr(&expression.cond);
        let kind = match &*expression.cond {
            Expr::Let(_) => Loop::Counted,
            condition if asks(condition) => Loop::Polling,
            _ => Loop::Counted,
        };
        self.in_loop(kind, |scanner| scanner.nested(&expression.body));
    }

    fn visit_expr_loop(&mut self, expression: &'ast syn::ExprLoop) {
        let mut exits = Exits::default();
        exits.visit_block(&expression.body);
        let kind = if exits.any { Loop::Polling } else { Loop::Endless };
        self.in_loop(kind, |scanner| scanner.nested(&expression.body));
    }

    fn visit_expr_for_loop(&mut self, expression: &'ast syn::ExprForLoop) {
        self.visit_expr(&expression.expr);
        let mut exits = Exits::default();
        exits.visit_block(&expression.body);
        let kind = if exits.asked { Loop::Polling } else { Loop::Counted };
        self.in_loop(kind, |scanner| scanner.nested(&expression.body));
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(ident) = path.path.get_ident() {
            self.note(&ident.to_string());
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        variables::in_tokens(mac.tokens.clone()).iter().for_each(|name| self.note(name));
        if has_sleep(mac.tokens.clone()) {
            let name = mac.path.segments.last().map_or(String::new(), |s| s.ident.to_string());
            let (at, statement) = (mac.span().byte_range().start, self.statement);
            let file = &mut self.sources.files[self.file.0];
            file.in_macros.push(InMacro { name, at, statement });
        }
    }
}

/// Whether tokens call something with the name `sleep`.
fn has_sleep(tokens: TokenStream) -> bool {
    let tokens: Vec<_> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) if ident == "sleep" || ident == "sleep_ms" => {
            matches!(tokens.get(at + 1), Some(TokenTree::Group(_)))
        }
        TokenTree::Group(group) => has_sleep(group.stream()),
        _ => false,
    })
}

/// A name as the compiler writes it: `r#` only where it is needed.
fn plain(name: &str) -> String {
    let short = name.trim_start_matches("r#");
    let name = if syn::parse_str::<syn::Ident>(short).is_ok() { short } else { name };
    name.to_owned()
}

/// The offsets between the braces of a block.
fn inner(block: &syn::Block) -> Range<usize> {
    let span = block.brace_token.span;
    span.open().byte_range().end..span.close().byte_range().start
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return false };
        list.path.is_ident("cfg") && mentions_test(list.tokens.clone())
    })
}

fn mentions_test(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "test",
        TokenTree::Group(group) => mentions_test(group.stream()),
        _ => false,
    })
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}

/// The variable that a `let` binds, if it is a single one.
fn bound(statement: &Stmt) -> Option<String> {
    let Stmt::Local(local) = statement else { return None };
    let pattern = match &local.pat {
        syn::Pat::Type(typed) => &*typed.pat,
        pattern => pattern,
    };
    match pattern {
        syn::Pat::Ident(ident) => Some(ident.ident.to_string()),
        _ => None,
    }
}

/// The function that a statement calls, if it does nothing else.
fn callee(statement: &Stmt) -> Option<String> {
    let Stmt::Expr(Expr::Call(call), _) = statement else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    path.path.get_ident().map(ToString::to_string)
}
