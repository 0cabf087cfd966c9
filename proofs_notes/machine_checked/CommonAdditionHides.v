(** The first half of "dominates-every-neighbour", by two crossings: no random maps, no gamma
    variables, no Fubini. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw.
Local Open Scope R_scope.

(** h1, h2 below are logarithms of two densities: h2 - h1 rises before it falls. *)
Lemma interval_of_excess (f f' : R -> R) :
  (forall u, is_derive f u (f' u)) ->
  (forall x y, x < y -> f' x < 0 -> f' y <= 0) ->
  forall u v z, u < v -> v < z -> 0 <= f u -> 0 <= f z -> 0 <= f v.
Proof.
intros D S u v z L1 L2 Fu Fz. apply Rnot_lt_le; intros N.
destruct (MVT_gen f u v f') as (x & Bx & Ex).
{ intros; apply D. }
{ intros. apply continuity_pt_filterlim, (ex_derive_continuous f). eexists; apply D. }
destruct (MVT_gen f v z f') as (y & By & Ey).
{ intros; apply D. }
{ intros. apply continuity_pt_filterlim, (ex_derive_continuous f). eexists; apply D. }
rewrite Rmin_left, Rmax_right in Bx, By by lra.
assert (Nx : f' x < 0) by nra.
destruct (Req_dec x y) as [->|Nxy]; [nra|].
assert (f' y <= 0) by (apply (S x y); lra). nra.
Qed.

(** A common addition only hides. *)
Theorem common_addition_hides a b tau c1 c2 t Bp1 Bq1 Bp2 Bq2 h1 h2 :
  0 < tau -> 0 <= c1 -> 0 <= c2 ->
  beta_constant (a + tau) b Bp1 -> beta_constant a (b + tau) Bq1 ->
  beta_constant (a + c1 + tau) (b + c2) Bp2 -> beta_constant (a + c1) (b + c2 + tau) Bq2 ->
  hockey t a b tau Bp1 Bq1 h1 -> hockey t (a + c1) (b + c2) tau Bp2 Bq2 h2 ->
  h2 <= h1.
Proof.
intros T C1 C2 [P1 Ip1] [Q1 Iq1] [P2 Ip2] [Q2 Iq2] H1 H2.
set (d := ln (Bq1 / Bp1 / (Bq2 / Bp2)) / tau).
assert (K1 : 0 < Bq1 / Bp1) by (apply Rdiv_lt_0_compat; lra).
assert (K2 : 0 < Bq2 / Bp2) by (apply Rdiv_lt_0_compat; lra).
assert (Ed : forall u, Bq2 / Bp2 * exp (tau * (1 * u + d)) = Bq1 / Bp1 * exp (tau * u)).
{ intros u. replace (tau * (1 * u + d)) with (tau * u + ln (Bq1 / Bp1 / (Bq2 / Bp2))) by (unfold d; field; lra).
  rewrite exp_plus, exp_ln by (apply Rdiv_lt_0_compat; lra). field; lra. }
set (x := fun u => Bq1 / Bp1 * exp (tau * u)).
set (g1 := fun u => w a (b + tau) u / Bq1).
set (g2 := fun u => 1 * (w (a + c1) (b + c2 + tau) (1 * u + d) / Bq2)).
assert (G1 : forall u, 0 <= g1 u) by (intros; apply Rlt_le, Rdiv_lt_0_compat; [apply w_pos|lra]).
assert (G2 : forall u, 0 <= g2 u).
{ intros u; unfold g2; rewrite Rmult_1_l; apply Rlt_le, Rdiv_lt_0_compat; [apply w_pos|lra]. }
assert (E1 : forall u, w (a + tau) b u / Bp1 = x u * g1 u).
{ intros; unfold x, g1; rewrite w_ratio; field; lra. }
assert (E2 : forall u, 1 * (w (a + c1 + tau) (b + c2) (1 * u + d) / Bp2) = x u * g2 u).
{ intros; unfold x, g2; rewrite w_ratio. rewrite <- Ed. field; lra. }
apply (two_crossings x g1 g2 t 1 1 h1 h2).
- intros; unfold x; apply Rmult_le_pos; [lra|apply Rlt_le, exp_pos].
- intros u v L; unfold x. apply Rmult_lt_compat_l; [easy|]. apply exp_increasing. nra.
- (* the interval *)
  set (f1 := fun u => a * u - (a + b + tau) * ln (1 + exp (1 * u + 0)) - ln Bq1).
  set (f2 := fun u => (a + c1) * (1 * u + d) - (a + c1 + (b + c2) + tau) * ln (1 + exp (1 * u + d)) - ln Bq2).
  assert (F1 : forall u, g1 u = exp (f1 u)).
  { intros u; unfold g1, f1, w, Rdiv, Rminus. rewrite (exp_plus _ (- ln Bq1)), exp_Ropp, exp_ln by easy.
    f_equal. f_equal. rewrite Rmult_1_l, Rplus_0_r. ring. }
  assert (F2 : forall u, g2 u = exp (f2 u)).
  { intros u; unfold g2, f2, w, Rdiv, Rminus. rewrite Rmult_1_l, (exp_plus _ (- ln Bq2)), exp_Ropp, (exp_ln Bq2) by easy.
    f_equal. f_equal. ring. }
  intros u v z L1 L2 Lu Lz. rewrite F1, F2 in *.
  assert (X : forall r s, exp r <= exp s -> 0 <= s - r).
  { intros r s L. destruct (Rle_dec r s); [lra|]. generalize (exp_increasing s r). lra. }
  apply X in Lu. apply X in Lz.
  assert (0 <= f2 v - f1 v); [|destruct (Req_dec (f1 v) (f2 v)) as [->|]; [lra|apply Rlt_le, exp_increasing; lra]].
  clear X.
  apply (interval_of_excess (fun u => f2 u - f1 u)
    (fun u => c1 - (a + c1 + (b + c2) + tau) * sg (1 * u + d) + (a + b + tau) * sg (1 * u + 0))) with u z; auto.
  + intros y. unfold f2, f1.
    assert (Da := log1pexp_derive 1 d y). assert (Db := log1pexp_derive 1 0 y).
    unfold sg in *. assert (Ea := exp_pos (1 * y + d)). assert (Eb := exp_pos (1 * y + 0)).
    auto_derive; [repeat split; lra|]. field; lra.
  + intros y1 y2 L N. unfold sg in *.
    assert (Y1 : exp (1 * y1 + d) = exp d * exp y1) by (rewrite <- exp_plus; f_equal; ring).
    assert (Y2 : exp (1 * y2 + d) = exp d * exp y2) by (rewrite <- exp_plus; f_equal; ring).
    rewrite Y1 in N. rewrite Y2. replace (1 * y1 + 0) with y1 in N by ring. replace (1 * y2 + 0) with y2 by ring.
    apply exp_increasing in L. assert (P := exp_pos y1). assert (D := exp_pos d).
    set (v1 := exp y1) in *. set (v2 := exp y2) in *. set (k := exp d) in *. clearbody v1 v2 k.
    set (n := a + b + tau) in *. replace (a + c1 + (b + c2) + tau) with (n + c1 + c2) in * by (unfold n; ring).
    clearbody n.
    assert (V2 : 0 < v2) by lra.
    set (m := c1 * (1 + k) - (n + c1 + c2) * k + n).
    assert (R1 : forall y, 0 < y -> c1 - (n + c1 + c2) * (k * y / (1 + k * y)) + n * (y / (1 + y))
       = (c1 + m * y - c2 * k * (y * y)) / ((1 + k * y) * (1 + y))).
    { intros y Y. assert (0 < k * y) by (apply Rmult_lt_0_compat; lra). unfold m. field; lra. }
    rewrite R1 in N by easy. rewrite R1 by easy.
    assert (Z1 : 0 < (1 + k * v1) * (1 + v1)) by (assert (0 < k * v1) by (apply Rmult_lt_0_compat; lra); apply Rmult_lt_0_compat; lra).
    assert (Z2 : 0 < (1 + k * v2) * (1 + v2)) by (assert (0 < k * v2) by (apply Rmult_lt_0_compat; lra); apply Rmult_lt_0_compat; lra).
    assert (N1 : c1 + m * v1 - c2 * k * (v1 * v1) < 0).
    { apply Rmult_lt_compat_r with (1 := Z1) in N. unfold Rdiv in N. rewrite Rmult_assoc, Rinv_l in N by lra. lra. }
    assert (N2 : (c1 + m * v2 - c2 * k * (v2 * v2)) * v1 <= (c1 + m * v1 - c2 * k * (v1 * v1)) * v2).
    { assert (0 <= c1 * (v2 - v1)) by (apply Rmult_le_pos; lra).
      assert (0 <= c2 * k * (v1 * v2) * (v2 - v1)).
      { repeat apply Rmult_le_pos; lra. }
      lra. }
    apply Rlt_le. apply Rmult_lt_reg_r with (1 := Z2). unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_0_l, Rmult_1_r by lra.
    apply Rmult_lt_reg_r with (1 := P). rewrite Rmult_0_l. apply Rle_lt_trans with (1 := N2).
    apply Rmult_lt_compat_r with (1 := V2) in N1. lra.
- assert (I := integral_scal (/ Bq1) _ _ Iq1). rewrite Rinv_l in I by lra. revert I.
  apply integral_ext. intros u; unfold g1; req; field; lra.
- assert (I := integral_linear _ _ 1 d Rlt_0_1 (integral_scal (/ Bq2) _ _ Iq2)).
  rewrite Rinv_l in I by lra. revert I. apply integral_ext. intros u; unfold g2; req; field; lra.
- assert (I := integral_scal (/ Bp1) _ _ Ip1). rewrite Rinv_l in I by lra. revert I.
  apply integral_ext. intros u; rewrite <- E1; req; field; lra.
- assert (I := integral_linear _ _ 1 d Rlt_0_1 (integral_scal (/ Bp2) _ _ Ip2)).
  rewrite Rinv_l in I by lra. revert I. apply integral_ext. intros u; rewrite <- E2; req; field; lra.
- revert H1. apply integral_ext. intros u. rewrite E1. apply pos_factor, G1.
- assert (I := integral_linear _ _ 1 d Rlt_0_1 H2). revert I. apply integral_ext. intros u.
  rewrite <- pos_factor by apply G2. rewrite <- E2. unfold g2. rewrite !Rmult_1_l. easy.
Qed.
