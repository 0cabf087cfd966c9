(** "larger-step-shows-more", strictly at every threshold above 0: the Blackwell order at one alpha. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw CommonAdditionHides BlackwellOrder.
Local Open Scope R_scope.

Theorem larger_step_shows_more alpha tau s t Bp1 Bq1 Bp2 Bq2 h1 h2 :
  0 < alpha -> 0 < tau -> tau < s ->
  beta_constant (alpha + s) alpha Bp1 -> beta_constant alpha (alpha + s) Bq1 ->
  beta_constant (alpha + tau) alpha Bp2 -> beta_constant alpha (alpha + tau) Bq2 ->
  hockey t alpha alpha s Bp1 Bq1 h1 -> hockey t alpha alpha tau Bp2 Bq2 h2 ->
  h2 <= h1 /\ (0 < t -> h2 < h1).
Proof.
intros A T L P1 Q1 P2 Q2 H1 H2.
assert (S : 0 < s) by lra.
assert (I : / s <= / tau) by (apply Rinv_le_contravar; lra).
assert (Is : 0 < / s) by now apply Rinv_0_lt_compat.
destruct (blackwell_order alpha s alpha tau t Bp1 Bq1 Bp2 Bq2 h1 h2) as [X Y]; try assumption.
- unfold Rdiv. apply Rmult_le_compat_l; lra.
- replace ((2 * alpha + s) / (s * s)) with (2 * alpha * (/ s * / s) + / s) by (field; lra).
  replace ((2 * alpha + tau) / (tau * tau)) with (2 * alpha * (/ tau * / tau) + / tau) by (field; lra).
  apply Rplus_le_compat; [|exact I]. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; lra.
- split; [exact X|]. intros T0. apply Y; [exact T0|]. right. lra.
Qed.
