(** The first half of "dominates-every-neighbour", by two crossings: no random maps, no gamma
    variables, no Fubini. *)
From Coq Require Import Reals Lra Lia Psatz Classical.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw StrictCrossings.
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

(** A common addition only hides; strictly, at every threshold above 0. *)
Theorem common_addition_hides a b tau c1 c2 t Bp1 Bq1 Bp2 Bq2 h1 h2 :
  0 < tau -> 0 <= c1 -> 0 <= c2 ->
  beta_constant (a + tau) b Bp1 -> beta_constant a (b + tau) Bq1 ->
  beta_constant (a + c1 + tau) (b + c2) Bp2 -> beta_constant (a + c1) (b + c2 + tau) Bq2 ->
  hockey t a b tau Bp1 Bq1 h1 -> hockey t (a + c1) (b + c2) tau Bp2 Bq2 h2 ->
  h2 <= h1 /\ (0 < t -> 0 < c1 + c2 -> h2 < h1).
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
assert (X0 : forall v, 0 <= x v).
{ intros; unfold x; apply Rmult_le_pos; [lra|apply Rlt_le, exp_pos]. }
assert (XI : forall u v, u < v -> x u < x v).
{ intros u v L; unfold x. apply Rmult_lt_compat_l; [easy|]. apply exp_increasing. nra. }
set (f1 := fun u => a * u - (a + b + tau) * ln (1 + exp (1 * u + 0)) - ln Bq1).
set (f2 := fun u => (a + c1) * (1 * u + d) - (a + c1 + (b + c2) + tau) * ln (1 + exp (1 * u + d)) - ln Bq2).
assert (F1 : forall u, g1 u = exp (f1 u)).
{ intros u; unfold g1, f1, w, Rdiv, Rminus. rewrite (exp_plus _ (- ln Bq1)), exp_Ropp, exp_ln by easy.
  f_equal. f_equal. rewrite Rmult_1_l, Rplus_0_r. ring. }
assert (F2 : forall u, g2 u = exp (f2 u)).
{ intros u; unfold g2, f2, w, Rdiv, Rminus. rewrite Rmult_1_l, (exp_plus _ (- ln Bq2)), exp_Ropp, (exp_ln Bq2) by easy.
  f_equal. f_equal. ring. }
set (f' := fun u => c1 - (a + c1 + (b + c2) + tau) * sg (1 * u + d) + (a + b + tau) * sg (1 * u + 0)).
assert (DF : forall y, is_derive (fun u => f2 u - f1 u) y (f' y)).
{ intros y. unfold f2, f1, f'.
  assert (Da := log1pexp_derive 1 d y). assert (Db := log1pexp_derive 1 0 y).
  unfold sg in *. assert (Ea := exp_pos (1 * y + d)). assert (Eb := exp_pos (1 * y + 0)).
  auto_derive; [repeat split; lra|]. field; lra. }
(* the derivative is a quadratic in e^u over what is positive *)
set (k := exp d). set (n := a + b + tau). set (m := c1 * (1 + k) - (n + c1 + c2) * k + n).
set (p := fun v => c1 + m * v - c2 * k * (v * v)).
assert (D0 : 0 < k) by apply exp_pos.
assert (FP : forall u, f' u = p (exp u) / ((1 + k * exp u) * (1 + exp u))).
{ intros u. unfold f', sg. replace (exp (1 * u + d)) with (k * exp u) by (unfold k; rewrite <- exp_plus; f_equal; ring).
  replace (1 * u + 0) with u by ring. replace (a + c1 + (b + c2) + tau) with (n + c1 + c2) by (unfold n; ring).
  fold n. assert (E := exp_pos u). assert (0 < k * exp u) by (apply Rmult_lt_0_compat; lra).
  unfold p, m. field; lra. }
assert (Den : forall u, 0 < (1 + k * exp u) * (1 + exp u)).
{ intros u. assert (E := exp_pos u). assert (0 < k * exp u) by (apply Rmult_lt_0_compat; lra).
  apply Rmult_lt_0_compat; lra. }
assert (J : forall u v z, u < v -> v < z -> g1 u <= g2 u -> g1 z <= g2 z -> g1 v <= g2 v).
{ intros u v z L1 L2 Lu Lz. rewrite F1, F2 in *.
  assert (X : forall r s, exp r <= exp s -> 0 <= s - r).
  { intros r s L. destruct (Rle_dec r s); [lra|]. generalize (exp_increasing s r). lra. }
  apply X in Lu. apply X in Lz.
  assert (0 <= f2 v - f1 v); [|destruct (Req_dec (f1 v) (f2 v)) as [->|]; [lra|apply Rlt_le, exp_increasing; lra]].
  clear X.
  apply (interval_of_excess (fun u => f2 u - f1 u) f') with u z; [exact DF| |exact L1|exact L2|exact Lu|exact Lz].
  intros y1 y2 L N. rewrite FP in N |- *. assert (Z1 := Den y1). assert (Z2 := Den y2).
  apply exp_increasing in L. assert (P := exp_pos y1).
  set (v1 := exp y1) in *. set (v2 := exp y2) in *.
  assert (V2 : 0 < v2) by lra.
  assert (N1 : p v1 < 0).
  { apply Rmult_lt_compat_r with (1 := Z1) in N. unfold Rdiv in N. rewrite Rmult_assoc, Rinv_l in N by lra. lra. }
  assert (N2 : p v2 * v1 <= p v1 * v2).
  { unfold p. assert (0 <= c1 * (v2 - v1)) by (apply Rmult_le_pos; lra).
    assert (0 <= c2 * k * (v1 * v2) * (v2 - v1)).
    { assert (0 < v1 * v2) by (apply Rmult_lt_0_compat; lra). repeat apply Rmult_le_pos; lra. }
    lra. }
  apply Rlt_le. apply Rmult_lt_reg_r with (1 := Z2). unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_0_l, Rmult_1_r by lra.
  apply Rmult_lt_reg_r with (1 := P). rewrite Rmult_0_l. apply Rle_lt_trans with (1 := N2).
  apply Rmult_lt_compat_r with (1 := V2) in N1. lra. }
assert (I1 : integral g1 1).
{ assert (I := integral_scal (/ Bq1) _ _ Iq1). rewrite Rinv_l in I by lra. revert I.
  apply integral_ext. intros u; unfold g1; req; field; lra. }
assert (I2 : integral g2 1).
{ assert (I := integral_linear _ _ 1 d Rlt_0_1 (integral_scal (/ Bq2) _ _ Iq2)).
  rewrite Rinv_l in I by lra. revert I. apply integral_ext. intros u; unfold g2; req; field; lra. }
assert (X1 : integral (fun v => x v * g1 v) 1).
{ assert (I := integral_scal (/ Bp1) _ _ Ip1). rewrite Rinv_l in I by lra. revert I.
  apply integral_ext. intros u; rewrite <- E1; req; field; lra. }
assert (X2 : integral (fun v => x v * g2 v) 1).
{ assert (I := integral_linear _ _ 1 d Rlt_0_1 (integral_scal (/ Bp2) _ _ Ip2)).
  rewrite Rinv_l in I by lra. revert I. apply integral_ext. intros u; rewrite <- E2; req; field; lra. }
assert (S1 : integral (fun v => pos (x v - t) * g1 v) h1).
{ revert H1. apply integral_ext. intros u. rewrite E1. apply pos_factor, G1. }
assert (S2 : integral (fun v => pos (x v - t) * g2 v) h2).
{ assert (I := integral_linear _ _ 1 d Rlt_0_1 H2). revert I. apply integral_ext. intros u.
  rewrite <- pos_factor by apply G2. rewrite <- E2. unfold g2. rewrite !Rmult_1_l. easy. }
split; [exact (two_crossings x g1 g2 t 1 1 h1 h2 X0 XI J I1 I2 X1 X2 S1 S2)|].
intros T0 CC.
apply (two_crossings_strictly x g1 g2 t 1 1 h1 h2 X0 XI J I1 I2 X1 X2 S1 S2).
- intros v. apply (ex_derive_continuous x). unfold x. auto_derive. easy.
- intros v. apply (continuous_ext (fun u => exp (f1 u))); [intros; symmetry; apply F1|].
  apply (ex_derive_continuous (fun u => exp (f1 u))). unfold f1. auto_derive. generalize (exp_pos (1 * v + 0)); lra.
- intros v. apply (continuous_ext (fun u => exp (f2 u))); [intros; symmetry; apply F2|].
  apply (ex_derive_continuous (fun u => exp (f2 u))). unfold f2. auto_derive. generalize (exp_pos (1 * v + d)); lra.
- exists ((ln (t / (Bq1 / Bp1)) - 1) / tau). unfold x.
  replace (tau * ((ln (t / (Bq1 / Bp1)) - 1) / tau)) with (ln (t / (Bq1 / Bp1)) - 1) by (field; lra).
  apply Rlt_le_trans with (Bq1 / Bp1 * exp (ln (t / (Bq1 / Bp1)))).
  + apply Rmult_lt_compat_l; [easy|]. apply exp_increasing. lra.
  + rewrite exp_ln by (apply Rdiv_lt_0_compat; lra). right. field; lra.
- exists ((ln (t / (Bq1 / Bp1)) + 1) / tau). unfold x.
  replace (tau * ((ln (t / (Bq1 / Bp1)) + 1) / tau)) with (ln (t / (Bq1 / Bp1)) + 1) by (field; lra).
  apply Rle_lt_trans with (Bq1 / Bp1 * exp (ln (t / (Bq1 / Bp1)))).
  + rewrite exp_ln by (apply Rdiv_lt_0_compat; lra). right. field; lra.
  + apply Rmult_lt_compat_l; [easy|]. apply exp_increasing. lra.
- apply (apart g1 g2 f1 f2 f' F1 F2 DF). intros u v L.
  (* a quadratic with three roots is nothing *)
  apply NNPP. intros N.
  assert (Root : forall z, u < z < v -> p (exp z) = 0).
  { intros z B. assert (Z : f' z = 0) by (apply NNPP; intros Ne; apply N; exists z; split; [exact B|exact Ne]).
    rewrite FP in Z. assert (Dz := Den z). apply Rmult_eq_compat_r with (r := (1 + k * exp z) * (1 + exp z)) in Z.
    unfold Rdiv in Z. rewrite Rmult_assoc, Rinv_l in Z by lra. lra. }
  assert (R1 := Root (u + (v - u) / 4) ltac:(lra)). assert (R2 := Root (u + (v - u) / 2) ltac:(lra)).
  assert (R3 := Root (u + 3 * (v - u) / 4) ltac:(lra)).
  assert (L1 : exp (u + (v - u) / 4) < exp (u + (v - u) / 2)) by (apply exp_increasing; lra).
  assert (L2 : exp (u + (v - u) / 2) < exp (u + 3 * (v - u) / 4)) by (apply exp_increasing; lra).
  assert (Py := exp_pos (u + (v - u) / 4)).
  set (y1 := exp (u + (v - u) / 4)) in *. set (y2 := exp (u + (v - u) / 2)) in *. set (y3 := exp (u + 3 * (v - u) / 4)) in *.
  unfold p in R1, R2, R3.
  assert (A1 : (y2 - y1) * (m - c2 * k * (y1 + y2)) = 0) by lra.
  assert (A2 : (y3 - y2) * (m - c2 * k * (y2 + y3)) = 0) by lra.
  apply Rmult_integral in A1. apply Rmult_integral in A2. destruct A1 as [|A1]; [lra|]. destruct A2 as [|A2]; [lra|].
  assert (A3 : c2 * (k * (y3 - y1)) = 0) by lra. apply Rmult_integral in A3.
  destruct A3 as [A3|A3]; [|apply Rmult_integral in A3; destruct A3; lra].
  rewrite A3 in *. assert (m = 0) by lra. rewrite H in *. lra.
Qed.
