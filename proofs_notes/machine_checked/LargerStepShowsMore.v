(** "larger-step-shows-more" (not strictly), by two crossings. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw CommonAdditionHides.
Local Open Scope R_scope.

Theorem larger_step_shows_more alpha tau s t Bp1 Bq1 Bp2 Bq2 h1 h2 :
  0 < alpha -> 0 < tau -> tau < s ->
  beta_constant (alpha + s) alpha Bp1 -> beta_constant alpha (alpha + s) Bq1 ->
  beta_constant (alpha + tau) alpha Bp2 -> beta_constant alpha (alpha + tau) Bq2 ->
  hockey t alpha alpha s Bp1 Bq1 h1 -> hockey t alpha alpha tau Bp2 Bq2 h2 ->
  h2 <= h1.
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
apply (two_crossings x g1 g2 t 1 1 h1 h2).
- intros; apply Rlt_le, exp_pos.
- intros u v Luv; unfold x. apply exp_increasing. apply Rmult_lt_compat_l; lra.
- set (f1 := fun u => alpha * u - (alpha + (alpha + s)) * ln (1 + exp (1 * u + 0)) - ln Bp1).
  set (f2 := fun u => ln k + alpha * (k * u + 0) - (alpha + (alpha + tau)) * ln (1 + exp (k * u + 0)) - ln Bp2).
  assert (F1 : forall u, g1 u = exp (f1 u)).
  { intros u; unfold g1, f1, w, Rdiv, Rminus. rewrite (exp_plus _ (- ln Bp1)), exp_Ropp, exp_ln by easy.
    f_equal. f_equal. rewrite Rmult_1_l, Rplus_0_r. ring. }
  assert (F2 : forall u, g2 u = exp (f2 u)).
  { intros u; unfold g2, f2, w, Rdiv, Rminus.
    rewrite (exp_plus _ (- ln Bp2)), exp_Ropp, (exp_ln Bp2) by easy.
    rewrite (Rplus_assoc (ln k)), (exp_plus (ln k)), (exp_ln k) by lra. rewrite Rmult_assoc. easy. }
  intros u v z L1 L2 Lu Lz. rewrite F1, F2 in *.
  assert (X : forall r q, exp r <= exp q -> 0 <= q - r).
  { intros r q Lr. destruct (Rle_dec r q); [lra|]. generalize (exp_increasing q r). lra. }
  apply X in Lu. apply X in Lz.
  assert (0 <= f2 v - f1 v); [|destruct (Req_dec (f1 v) (f2 v)) as [->|]; [lra|apply Rlt_le, exp_increasing; lra]].
  clear X.
  apply (interval_of_excess (fun u => f2 u - f1 u)
    (fun u => alpha * k - (2 * alpha + tau) * (k * sg (k * u + 0)) - alpha + (2 * alpha + s) * sg (1 * u + 0))) with u z; auto.
  + intros y. unfold f2, f1.
    unfold sg. assert (Ea := exp_pos (k * y + 0)). assert (Eb := exp_pos (1 * y + 0)).
    auto_derive; [repeat split; lra|]. field; lra.
  + intros y1 y2 Ly N. cbv beta in *.
    assert (F : forall u, alpha * k - (2 * alpha + tau) * (k * sg (k * u + 0)) - alpha + (2 * alpha + s) * sg (1 * u + 0)
      = (2 * alpha * k + s) * (/ 2 - sg (k * u)) + (2 * alpha + s) * (sg u - / 2)).
    { intros u0. rewrite Rplus_0_r, Rmult_1_l, Rplus_0_r. rewrite <- Kt. field. }
    rewrite F in *.
    assert (AK : 2 * alpha + s <= 2 * alpha * k + s) by (assert (0 < alpha * (k - 1)) by (apply Rmult_lt_0_compat; lra); lra).
    assert (0 < y1).
    { apply Rnot_le_lt. intros Y. apply Rlt_not_le in N. apply N.
      assert (S1 : sg y1 <= / 2) by (rewrite <- sg_0; now apply sg_monotone).
      assert (S2 : sg (k * y1) <= sg y1) by (apply sg_monotone; assert (0 <= (k - 1) * - y1) by (apply Rmult_le_pos; lra); lra).
      assert ((2 * alpha + s) * (/ 2 - sg y1) <= (2 * alpha * k + s) * (/ 2 - sg (k * y1))).
      { apply Rmult_le_compat; lra. } lra. }
    assert (S1 : / 2 <= sg y2) by (rewrite <- sg_0; apply sg_monotone; lra).
    assert (S2 : sg y2 <= sg (k * y2)) by (apply sg_monotone; assert (0 <= (k - 1) * y2) by (apply Rmult_le_pos; lra); lra).
    assert ((2 * alpha + s) * (sg y2 - / 2) <= (2 * alpha * k + s) * (sg (k * y2) - / 2)).
    { apply Rmult_le_compat; lra. } lra.
- assert (I := integral_scal (/ Bp1) _ _ Iq1). rewrite Rinv_l in I by lra. revert I.
  apply integral_ext. intros u; unfold g1; req; field; lra.
- assert (I := integral_linear _ _ k 0 ltac:(lra) (integral_scal (/ Bp2) _ _ Iq2)).
  rewrite Rinv_l in I by lra. revert I. apply integral_ext. intros u; unfold g2; req; field; lra.
- assert (I := integral_scal (/ Bp1) _ _ Ip1). rewrite Rinv_l in I by lra. revert I.
  apply integral_ext. intros u; rewrite <- E1; req; field; lra.
- assert (I := integral_linear _ _ k 0 ltac:(lra) (integral_scal (/ Bp2) _ _ Ip2)).
  rewrite Rinv_l in I by lra. revert I. apply integral_ext. intros u; rewrite <- E2; req; field; lra.
- revert H1. apply integral_ext. intros u. rewrite E1. apply pos_factor, G1.
- assert (I := integral_linear _ _ k 0 ltac:(lra) H2). revert I. apply integral_ext. intros u.
  rewrite <- pos_factor by apply G2. rewrite <- E2. unfold g2.
  set (y := w (alpha + tau) alpha (k * u + 0) / Bp2). set (z := w alpha (alpha + tau) (k * u + 0) / Bp2).
  unfold pos, Rmax. repeat destruct Rle_dec; req; nra.
Qed.
