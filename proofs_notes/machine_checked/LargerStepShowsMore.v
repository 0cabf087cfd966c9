(** "larger-step-shows-more", strictly at every threshold above 0, by two crossings. *)
From Coq Require Import Reals Lra Lia Psatz Classical.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw StrictCrossings CommonAdditionHides.
Local Open Scope R_scope.

Theorem larger_step_shows_more alpha tau s t Bp1 Bq1 Bp2 Bq2 h1 h2 :
  0 < alpha -> 0 < tau -> tau < s ->
  beta_constant (alpha + s) alpha Bp1 -> beta_constant alpha (alpha + s) Bq1 ->
  beta_constant (alpha + tau) alpha Bp2 -> beta_constant alpha (alpha + tau) Bq2 ->
  hockey t alpha alpha s Bp1 Bq1 h1 -> hockey t alpha alpha tau Bp2 Bq2 h2 ->
  h2 <= h1 /\ (0 < t -> h2 < h1).
Proof.
intros A T L P1 Q1 P2 Q2 H1 H2.
assert (E := beta_unique _ _ _ _ (beta_symmetric _ _ _ P1) Q1). subst Bq1.
assert (E := beta_unique _ _ _ _ (beta_symmetric _ _ _ P2) Q2). subst Bq2.
destruct P1 as [K1 Ip1], Q1 as [_ Iq1], P2 as [K2 Ip2], Q2 as [_ Iq2].
set (k := s / tau).
assert (K : 1 < k).
{ unfold k. apply Rmult_lt_reg_r with tau; [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
assert (Kt : tau * k = s) by (unfold k; field; lra).
set (x := fun u => exp (s * u)).
set (g1 := fun u => w alpha (alpha + s) u / Bp1).
set (g2 := fun u => k * (w alpha (alpha + tau) (k * u + 0) / Bp2)).
assert (G1 : forall u, 0 <= g1 u) by (intros; apply Rlt_le, Rdiv_lt_0_compat; [apply w_pos|lra]).
assert (G2 : forall u, 0 <= g2 u).
{ intros u; unfold g2; apply Rmult_le_pos; [lra|apply Rlt_le, Rdiv_lt_0_compat; [apply w_pos|lra]]. }
assert (E1 : forall u, w (alpha + s) alpha u / Bp1 = x u * g1 u).
{ intros; unfold x, g1; rewrite w_ratio; field; lra. }
assert (E2 : forall u, k * (w (alpha + tau) alpha (k * u + 0) / Bp2) = x u * g2 u).
{ intros u; unfold x, g2; rewrite w_ratio. replace (tau * (k * u + 0)) with (s * u) by (rewrite <- Kt; ring). field; lra. }
assert (X0 : forall v, 0 <= x v) by (intros; apply Rlt_le, exp_pos).
assert (XI : forall u v, u < v -> x u < x v).
{ intros u v Luv; unfold x. apply exp_increasing. apply Rmult_lt_compat_l; lra. }
set (f1 := fun u => alpha * u - (alpha + (alpha + s)) * ln (1 + exp (1 * u + 0)) - ln Bp1).
set (f2 := fun u => ln k + alpha * (k * u + 0) - (alpha + (alpha + tau)) * ln (1 + exp (k * u + 0)) - ln Bp2).
assert (F1 : forall u, g1 u = exp (f1 u)).
{ intros u; unfold g1, f1, w, Rdiv, Rminus. rewrite (exp_plus _ (- ln Bp1)), exp_Ropp, exp_ln by easy.
  f_equal. f_equal. rewrite Rmult_1_l, Rplus_0_r. ring. }
assert (F2 : forall u, g2 u = exp (f2 u)).
{ intros u; unfold g2, f2, w, Rdiv, Rminus.
  rewrite (exp_plus _ (- ln Bp2)), exp_Ropp, (exp_ln Bp2) by easy.
  rewrite (Rplus_assoc (ln k)), (exp_plus (ln k)), (exp_ln k) by lra. rewrite Rmult_assoc. easy. }
set (f' := fun u => (2 * alpha * k + s) * (/ 2 - sg (k * u)) + (2 * alpha + s) * (sg u - / 2)).
assert (DF : forall y, is_derive (fun u => f2 u - f1 u) y (f' y)).
{ intros y.
  replace (f' y) with (alpha * k - (2 * alpha + tau) * (k * sg (k * y + 0)) - alpha + (2 * alpha + s) * sg (1 * y + 0))
    by (unfold f'; rewrite Rplus_0_r, Rmult_1_l, Rplus_0_r; rewrite <- Kt; field).
  unfold f2, f1, sg. assert (Ea := exp_pos (k * y + 0)). assert (Eb := exp_pos (1 * y + 0)).
  auto_derive; [repeat split; lra|]. field; lra. }
assert (AK : 0 < alpha * (k - 1)) by (apply Rmult_lt_0_compat; lra).
assert (J : forall u v z, u < v -> v < z -> g1 u <= g2 u -> g1 z <= g2 z -> g1 v <= g2 v).
{ intros u v z L1 L2 Lu Lz. rewrite F1, F2 in *.
  assert (X : forall r q, exp r <= exp q -> 0 <= q - r).
  { intros r q Lr. destruct (Rle_dec r q); [lra|]. generalize (exp_increasing q r). lra. }
  apply X in Lu. apply X in Lz.
  assert (0 <= f2 v - f1 v); [|destruct (Req_dec (f1 v) (f2 v)) as [->|]; [lra|apply Rlt_le, exp_increasing; lra]].
  clear X.
  apply (interval_of_excess (fun u => f2 u - f1 u) f') with u z; [exact DF| |exact L1|exact L2|exact Lu|exact Lz].
  intros y1 y2 Ly N. unfold f' in *.
  assert (0 < y1).
  { apply Rnot_le_lt. intros Y. apply Rlt_not_le in N. apply N.
    assert (S1 : sg y1 <= / 2) by (rewrite <- sg_0; now apply sg_monotone).
    assert (S2 : sg (k * y1) <= sg y1) by (apply sg_monotone; assert (0 <= (k - 1) * - y1) by (apply Rmult_le_pos; lra); lra).
    assert ((2 * alpha + s) * (/ 2 - sg y1) <= (2 * alpha * k + s) * (/ 2 - sg (k * y1))).
    { apply Rmult_le_compat; lra. } lra. }
  assert (S1 : / 2 <= sg y2) by (rewrite <- sg_0; apply sg_monotone; lra).
  assert (S2 : sg y2 <= sg (k * y2)) by (apply sg_monotone; assert (0 <= (k - 1) * y2) by (apply Rmult_le_pos; lra); lra).
  assert ((2 * alpha + s) * (sg y2 - / 2) <= (2 * alpha * k + s) * (sg (k * y2) - / 2)).
  { apply Rmult_le_compat; lra. } lra. }
assert (I1 : integral g1 1).
{ assert (I := integral_scal (/ Bp1) _ _ Iq1). rewrite Rinv_l in I by lra. revert I.
  apply integral_ext. intros u; unfold g1; req; field; lra. }
assert (I2 : integral g2 1).
{ assert (I := integral_linear _ _ k 0 ltac:(lra) (integral_scal (/ Bp2) _ _ Iq2)).
  rewrite Rinv_l in I by lra. revert I. apply integral_ext. intros u; unfold g2; req; field; lra. }
assert (X1 : integral (fun v => x v * g1 v) 1).
{ assert (I := integral_scal (/ Bp1) _ _ Ip1). rewrite Rinv_l in I by lra. revert I.
  apply integral_ext. intros u; rewrite <- E1; req; field; lra. }
assert (X2 : integral (fun v => x v * g2 v) 1).
{ assert (I := integral_linear _ _ k 0 ltac:(lra) (integral_scal (/ Bp2) _ _ Ip2)).
  rewrite Rinv_l in I by lra. revert I. apply integral_ext. intros u; rewrite <- E2; req; field; lra. }
assert (S1 : integral (fun v => pos (x v - t) * g1 v) h1).
{ revert H1. apply integral_ext. intros u. rewrite E1. apply pos_factor, G1. }
assert (S2 : integral (fun v => pos (x v - t) * g2 v) h2).
{ assert (I := integral_linear _ _ k 0 ltac:(lra) H2). revert I. apply integral_ext. intros u.
  rewrite <- pos_factor by apply G2. rewrite <- E2. unfold g2.
  set (y := w (alpha + tau) alpha (k * u + 0) / Bp2). set (z := w alpha (alpha + tau) (k * u + 0) / Bp2).
  unfold pos, Rmax. repeat destruct Rle_dec; req; nra. }
split; [exact (two_crossings x g1 g2 t 1 1 h1 h2 X0 XI J I1 I2 X1 X2 S1 S2)|].
intros T0. apply (two_crossings_strictly x g1 g2 t 1 1 h1 h2 X0 XI J I1 I2 X1 X2 S1 S2).
- intros v. apply (ex_derive_continuous x). unfold x. auto_derive. easy.
- intros v. apply (continuous_ext (fun u => exp (f1 u))); [intros; symmetry; apply F1|].
  apply (ex_derive_continuous (fun u => exp (f1 u))). unfold f1. auto_derive. generalize (exp_pos (1 * v + 0)); lra.
- intros v. apply (continuous_ext (fun u => exp (f2 u))); [intros; symmetry; apply F2|].
  apply (ex_derive_continuous (fun u => exp (f2 u))). unfold f2. auto_derive. generalize (exp_pos (k * v + 0)); lra.
- exists ((ln t - 1) / s). unfold x. replace (s * ((ln t - 1) / s)) with (ln t - 1) by (field; lra).
  rewrite <- (exp_ln t) at 2 by easy. apply exp_increasing. lra.
- exists ((ln t + 1) / s). unfold x. replace (s * ((ln t + 1) / s)) with (ln t + 1) by (field; lra).
  rewrite <- (exp_ln t) at 1 by easy. apply exp_increasing. lra.
- apply (apart g1 g2 f1 f2 f' F1 F2 DF). intros u v Luv.
  assert (Z : exists z, u < z < v /\ z <> 0).
  { destruct (Req_dec ((u + v) / 2) 0) as [Z|Z]; [exists ((u + 3 * v) / 4)|exists ((u + v) / 2)]; split; lra. }
  destruct Z as (z & B & Nz). exists z. split; [exact B|]. unfold f'. intros E.
  assert (SS : forall y y', y < y' -> sg y < sg y').
  { intros y y' Ly. rewrite !sg_half. apply exp_increasing in Ly. assert (Ey := exp_pos y).
    assert (/ (1 + exp y') < / (1 + exp y)); [|lra]. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra. }
  assert (Kk : 2 * alpha + s < 2 * alpha * k + s) by lra.
  destruct (Rlt_le_dec 0 z) as [Pz|Pz].
  + assert (Q1 : / 2 < sg z) by (rewrite <- sg_0; now apply SS).
    assert (Q2 : sg z < sg (k * z)) by (apply SS; assert (0 < (k - 1) * z) by (apply Rmult_lt_0_compat; lra); lra).
    assert ((2 * alpha + s) * (sg z - / 2) < (2 * alpha * k + s) * (sg (k * z) - / 2)).
    { apply Rmult_le_0_lt_compat; lra. } lra.
  + assert (Nz' : z < 0) by lra.
    assert (Q1 : sg z < / 2) by (rewrite <- sg_0; now apply SS).
    assert (Q2 : sg (k * z) < sg z) by (apply SS; assert (0 < (k - 1) * - z) by (apply Rmult_lt_0_compat; lra); lra).
    assert ((2 * alpha + s) * (/ 2 - sg z) < (2 * alpha * k + s) * (/ 2 - sg (k * z))).
    { apply Rmult_le_0_lt_compat; lra. } lra.
Qed.
