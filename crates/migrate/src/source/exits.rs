//! How loops that wait for something can be left.

use syn::visit::{self, Visit};
use syn::{Expr, Item};

/// Whether a condition asks something that others may change.
pub(super) fn asks(condition: &Expr) -> bool {
    struct Calls(bool);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_expr_method_call(&mut self, _: &'ast syn::ExprMethodCall) {
            self.0 = true;
        }
        fn visit_expr_call(&mut self, _: &'ast syn::ExprCall) {
            self.0 = true;
        }
        fn visit_expr_macro(&mut self, _: &'ast syn::ExprMacro) {
            self.0 = true;
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(condition);
    calls.0
}

/// How a loop can be left.
#[derive(Default)]
pub(super) struct Exits {
    /// At all.
    pub(super) any: bool,
    /// After a question that others may answer.
    pub(super) asked: bool,
    within_question: usize,
    within_loop: usize,
}

impl<'ast> Visit<'ast> for Exits {
    fn visit_expr_break(&mut self, expression: &'ast syn::ExprBreak) {
        if self.within_loop == 0 || expression.label.is_some() {
            self.any = true;
            self.asked |= self.within_question > 0;
        }
    }

    fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
        self.any = true;
        self.asked |= self.within_question > 0;
    }

    fn visit_expr_if(&mut self, expression: &'ast syn::ExprIf) {
        let question = usize::from(asks(&expression.cond));
        self.within_question += question;
        visit::visit_expr_if(self, expression);
        self.within_question -= question;
    }

    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        let question = usize::from(asks(&expression.expr));
        self.within_question += question;
        visit::visit_expr_match(self, expression);
        self.within_question -= question;
    }

    fn visit_expr_loop(&mut self, expression: &'ast syn::ExprLoop) {
        self.within_loop += 1;
        visit::visit_expr_loop(self, expression);
        self.within_loop -= 1;
    }

    fn visit_expr_while(&mut self, expression: &'ast syn::ExprWhile) {
        self.within_loop += 1;
        visit::visit_expr_while(self, expression);
        self.within_loop -= 1;
    }

    fn visit_expr_for_loop(&mut self, expression: &'ast syn::ExprForLoop) {
        self.within_loop += 1;
        visit::visit_expr_for_loop(self, expression);
        self.within_loop -= 1;
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'ast Item) {}
}
