(** "closed-form": where the density of P passes e^eps times that of Q. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw.
Local Open Scope R_scope.

(** "closed-form", its threshold: for P = Beta(alpha, alpha+s), Q = Beta(alpha+s, alpha), one
    constant B: p > e^eps q exactly for u < -eps/s, that is r < 1/(1 + e^(eps/s)). *)
Theorem threshold alpha s eps B u : 0 < s -> 0 < B ->
  exp eps * (w (alpha + s) alpha u / B) < w alpha (alpha + s) u / B <-> u < - eps / s.
Proof.
intros S P. rewrite w_ratio. assert (W := w_pos alpha (alpha + s) u).
assert (V : 0 < w alpha (alpha + s) u / B) by now apply Rdiv_lt_0_compat.
replace (exp eps * (exp (s * u) * w alpha (alpha + s) u / B))
  with (exp (eps + s * u) * (w alpha (alpha + s) u / B)) by (rewrite exp_plus; field; lra).
set (v := w alpha (alpha + s) u / B) in *. split; intros L.
- assert (exp (eps + s * u) < 1).
  { apply Rmult_lt_reg_r with (1 := V). lra. }
  rewrite <- exp_0 in H. apply exp_lt_inv in H.
  apply Rmult_lt_reg_l with (1 := S). replace (s * (- eps / s)) with (- eps) by (field; lra). lra.
- apply Rmult_lt_compat_l with (1 := S) in L. replace (s * (- eps / s)) with (- eps) in L by (field; lra).
  assert (exp (eps + s * u) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
  apply Rmult_lt_compat_r with (1 := V) in H. lra.
Qed.

Lemma logit_threshold r x : 0 < r < 1 -> (ln (r / (1 - r)) < - x <-> r < 1 / (1 + exp x)).
Proof.
intros R. assert (E := exp_pos x). assert (D : 0 < r / (1 - r)) by (apply Rdiv_lt_0_compat; lra).
split; intros L.
- apply exp_increasing in L. rewrite exp_ln, exp_Ropp in L by easy.
  apply Rmult_lt_reg_r with (1 + exp x); [lra|].
  apply Rmult_lt_compat_r with (r := (1 - r) * exp x) in L; [|apply Rmult_lt_0_compat; lra].
  replace (r / (1 - r) * ((1 - r) * exp x)) with (r * exp x) in L by (field; lra).
  replace (/ exp x * ((1 - r) * exp x)) with (1 - r) in L by (field; lra).
  replace (1 / (1 + exp x) * (1 + exp x)) with 1 by (field; lra). lra.
- apply exp_lt_inv. rewrite exp_ln, exp_Ropp by easy.
  apply Rmult_lt_reg_r with ((1 - r) * exp x); [apply Rmult_lt_0_compat; lra|].
  replace (r / (1 - r) * ((1 - r) * exp x)) with (r * exp x) by (field; lra).
  replace (/ exp x * ((1 - r) * exp x)) with (1 - r) by (field; lra).
  apply Rmult_lt_compat_r with (r := 1 + exp x) in L; [|lra].
  replace (1 / (1 + exp x) * (1 + exp x)) with 1 in L by (field; lra). lra.
Qed.
