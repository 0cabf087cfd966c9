(** "blackwell-order" of monotone-roots.md: which pairs (alpha, step) show less than which, by two
    crossings instead of the note's coupling. *)
From Coq Require Import Reals Lra Lia Psatz Classical.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw StrictCrossings CommonAdditionHides.
Local Open Scope R_scope.

Lemma sg_opp y : sg (- y) - / 2 = - (sg y - / 2).
Proof. unfold sg. rewrite exp_Ropp. assert (E := exp_pos y). field. lra. Qed.

(** sg - 1/2 is concave above 0. *)
Lemma sg_concave k y : 0 < k <= 1 -> 0 <= y -> k * (sg y - / 2) <= sg (k * y) - / 2.
Proof.
intros K Y. set (f := fun z => sg (k * z) - k * sg z).
set (f' := fun z => k * (sg (k * z) * (1 - sg (k * z))) - k * (sg z * (1 - sg z))).
destruct (MVT_gen f 0 y f') as (z & B & E).
- intros z _. unfold f, f'. apply (is_derive_minus (fun z => sg (k * z)) (fun z => k * sg z)).
  + apply (is_derive_comp sg (fun z => k * z)); [apply sg_derive|]. auto_derive; [easy|ring].
  + apply (is_derive_scal sg). apply sg_derive.
- intros z _. apply continuity_pt_filterlim, (ex_derive_continuous f). exists (f' z). unfold f, f'.
  apply (is_derive_minus (fun z => sg (k * z)) (fun z => k * sg z)).
  + apply (is_derive_comp sg (fun z => k * z)); [apply sg_derive|]. auto_derive; [easy|ring].
  + apply (is_derive_scal sg). apply sg_derive.
- rewrite Rmin_left, Rmax_right in B by exact Y.
  assert (S0 : / 2 <= sg (k * z)) by (rewrite <- sg_0; apply sg_monotone, Rmult_le_pos; lra).
  assert (S1 : sg (k * z) <= sg z).
  { apply sg_monotone. assert (0 <= (1 - k) * z) by (apply Rmult_le_pos; lra). lra. }
  assert (F : 0 <= f' z).
  { unfold f'. rewrite <- Rmult_minus_distr_l. apply Rmult_le_pos; [lra|].
    set (p := sg (k * z)) in *. set (q := sg z) in *. assert (0 <= (q - p) * (p + q - 1)) by (apply Rmult_le_pos; lra). lra. }
  assert (0 <= f' z * (y - 0)) by (apply Rmult_le_pos; lra).
  unfold f in E. rewrite Rmult_0_r, sg_0 in E. lra.
Qed.

Lemma sg_increases y y' : y < y' -> sg y < sg y'.
Proof.
intros L. rewrite !sg_half. apply exp_increasing in L. assert (E := exp_pos y).
assert (/ (1 + exp y') < / (1 + exp y)); [|lra]. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra.
Qed.

Lemma sg_strictly_concave k y : 0 < k < 1 -> 0 < y -> k * (sg y - / 2) < sg (k * y) - / 2.
Proof.
intros K Y. set (f := fun z => sg (k * z) - k * sg z).
set (f' := fun z => k * (sg (k * z) * (1 - sg (k * z))) - k * (sg z * (1 - sg z))).
assert (D : forall z, is_derive f z (f' z)).
{ intros z. unfold f, f'. apply (is_derive_minus (fun z => sg (k * z)) (fun z => k * sg z)).
  - apply (is_derive_comp sg (fun z => k * z)); [apply sg_derive|]. auto_derive; [easy|ring].
  - apply (is_derive_scal sg). apply sg_derive. }
assert (Half := sg_concave k (y / 2) ltac:(lra) ltac:(lra)).
destruct (MVT_gen f (y / 2) y f') as (z & B & E).
- intros z _. apply D.
- intros z _. apply continuity_pt_filterlim, (ex_derive_continuous f). exists (f' z). apply D.
- rewrite Rmin_left, Rmax_right in B by lra.
  assert (Z : 0 < z) by lra. assert (Kz : 0 < k * z) by (apply Rmult_lt_0_compat; lra).
  assert (S0 : / 2 < sg (k * z)) by (rewrite <- sg_0; now apply sg_increases).
  assert (S1 : sg (k * z) < sg z).
  { apply sg_increases. assert (0 < (1 - k) * z) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (F : 0 < f' z).
  { unfold f'. rewrite <- Rmult_minus_distr_l. apply Rmult_lt_0_compat; [lra|].
    set (p := sg (k * z)) in *. set (q := sg z) in *. assert (0 < (q - p) * (p + q - 1)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (0 < f' z * (y - y / 2)) by (apply Rmult_lt_0_compat; lra).
  unfold f in E. lra.
Qed.

(** (a2, s2) shows no more than (a1, s1) where a2/s2 >= a1/s1 and (2 a2 + s2)/s2^2 >= (2 a1 + s1)/s1^2,
    and at every t > 0 less, unless they are equal. *)
Theorem blackwell_order a1 s1 a2 s2 t Bp1 Bq1 Bp2 Bq2 h1 h2 :
  0 < a1 -> 0 < s1 -> 0 < a2 -> 0 < s2 ->
  a1 / s1 <= a2 / s2 -> (2 * a1 + s1) / (s1 * s1) <= (2 * a2 + s2) / (s2 * s2) ->
  beta_constant (a1 + s1) a1 Bp1 -> beta_constant a1 (a1 + s1) Bq1 ->
  beta_constant (a2 + s2) a2 Bp2 -> beta_constant a2 (a2 + s2) Bq2 ->
  hockey t a1 a1 s1 Bp1 Bq1 h1 -> hockey t a2 a2 s2 Bp2 Bq2 h2 ->
  h2 <= h1 /\ (0 < t -> a1 <> a2 \/ s1 <> s2 -> h2 < h1).
Proof.
intros A1 T1 A2 T2 C1 C2 P1 Q1 P2 Q2 H1 H2.
assert (E := beta_unique _ _ _ _ (beta_symmetric _ _ _ P1) Q1). subst Bq1.
assert (E := beta_unique _ _ _ _ (beta_symmetric _ _ _ P2) Q2). subst Bq2.
destruct P1 as [K1 Ip1], Q1 as [_ Iq1], P2 as [K2 Ip2], Q2 as [_ Iq2].
set (k := s1 / s2).
assert (K : 0 < k) by (now apply Rdiv_lt_0_compat).
assert (Kt : s2 * k = s1) by (unfold k; field; lra).
set (M1 := 2 * a1 + s1). set (M2 := (2 * a2 + s2) * k).
assert (M1p : 0 < M1) by (unfold M1; lra).
assert (M12 : M1 <= M2).
{ unfold M1, M2, k. apply Rmult_le_reg_r with (/ s1); [now apply Rinv_0_lt_compat|].
  replace ((2 * a1 + s1) * / s1) with (2 * (a1 / s1) + 1) by (field; lra).
  replace ((2 * a2 + s2) * (s1 / s2) * / s1) with (2 * (a2 / s2) + 1) by (field; lra). lra. }
assert (M12' : M1 <= M2 * k).
{ unfold M1, M2, k. apply Rmult_le_reg_r with (/ (s1 * s1)); [apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra|].
  replace ((2 * a1 + s1) * / (s1 * s1)) with ((2 * a1 + s1) / (s1 * s1)) by (field; lra).
  replace ((2 * a2 + s2) * (s1 / s2) * (s1 / s2) * / (s1 * s1)) with ((2 * a2 + s2) / (s2 * s2)) by (field; lra). exact C2. }
assert (Up : forall y, 0 <= y -> M1 * (sg y - / 2) <= M2 * (sg (k * y) - / 2)).
{ intros y Y. assert (Z : 0 <= sg y - / 2) by (assert (X := sg_monotone 0 y Y); rewrite sg_0 in X; lra).
  destruct (Rle_dec 1 k) as [Kg|Kg].
  - assert (X : sg y <= sg (k * y)) by (apply sg_monotone; assert (0 <= (k - 1) * y) by (apply Rmult_le_pos; lra); lra).
    apply Rmult_le_compat; lra.
  - apply Rle_trans with (M2 * (k * (sg y - / 2))).
    + rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
    + apply Rmult_le_compat_l; [lra|]. apply sg_concave; lra. }
set (x := fun u => exp (s1 * u)).
set (g1 := fun u => w a1 (a1 + s1) u / Bp1).
set (g2 := fun u => k * (w a2 (a2 + s2) (k * u + 0) / Bp2)).
assert (G1 : forall u, 0 <= g1 u) by (intros; apply Rlt_le, Rdiv_lt_0_compat; [apply w_pos|lra]).
assert (G2 : forall u, 0 <= g2 u).
{ intros u; unfold g2; apply Rmult_le_pos; [lra|apply Rlt_le, Rdiv_lt_0_compat; [apply w_pos|lra]]. }
assert (E1 : forall u, w (a1 + s1) a1 u / Bp1 = x u * g1 u).
{ intros; unfold x, g1; rewrite w_ratio; field; lra. }
assert (E2 : forall u, k * (w (a2 + s2) a2 (k * u + 0) / Bp2) = x u * g2 u).
{ intros u; unfold x, g2; rewrite w_ratio. replace (s2 * (k * u + 0)) with (s1 * u) by (rewrite <- Kt; ring). field; lra. }
assert (X0 : forall v, 0 <= x v) by (intros; apply Rlt_le, exp_pos).
assert (XI : forall u v, u < v -> x u < x v).
{ intros u v Luv; unfold x. apply exp_increasing. apply Rmult_lt_compat_l; lra. }
set (f1 := fun u => a1 * u - (a1 + (a1 + s1)) * ln (1 + exp (1 * u + 0)) - ln Bp1).
set (f2 := fun u => ln k + a2 * (k * u + 0) - (a2 + (a2 + s2)) * ln (1 + exp (k * u + 0)) - ln Bp2).
assert (F1 : forall u, g1 u = exp (f1 u)).
{ intros u; unfold g1, f1, w, Rdiv, Rminus. rewrite (exp_plus _ (- ln Bp1)), exp_Ropp, exp_ln by easy.
  f_equal. f_equal. rewrite Rmult_1_l, Rplus_0_r. ring. }
assert (F2 : forall u, g2 u = exp (f2 u)).
{ intros u; unfold g2, f2, w, Rdiv, Rminus.
  rewrite (exp_plus _ (- ln Bp2)), exp_Ropp, (exp_ln Bp2) by easy.
  rewrite (Rplus_assoc (ln k)), (exp_plus (ln k)), (exp_ln k) by lra. rewrite Rmult_assoc. easy. }
set (f' := fun u => M1 * (sg u - / 2) - M2 * (sg (k * u) - / 2)).
assert (DF : forall y, is_derive (fun u => f2 u - f1 u) y (f' y)).
{ intros y.
  replace (f' y) with (a2 * k - (2 * a2 + s2) * (k * sg (k * y + 0)) - a1 + (2 * a1 + s1) * sg (1 * y + 0))
    by (unfold f', M1, M2; rewrite Rplus_0_r, Rmult_1_l, Rplus_0_r; rewrite <- Kt; field).
  unfold f2, f1, sg. assert (Ea := exp_pos (k * y + 0)). assert (Eb := exp_pos (1 * y + 0)).
  auto_derive; [repeat split; lra|]. field; lra. }
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
  { apply Rnot_le_lt. intros Y. apply Rlt_not_le in N. apply N. specialize (Up (- y1) ltac:(lra)).
    replace (k * - y1) with (- (k * y1)) in Up by ring. rewrite !sg_opp in Up. lra. }
  specialize (Up y2 ltac:(lra)). lra. }
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
  set (y := w (a2 + s2) a2 (k * u + 0) / Bp2). set (z := w a2 (a2 + s2) (k * u + 0) / Bp2).
  unfold pos, Rmax. repeat destruct Rle_dec; req; nra. }
split; [exact (two_crossings x g1 g2 t 1 1 h1 h2 X0 XI J I1 I2 X1 X2 S1 S2)|].
intros T0 Ne. apply (two_crossings_strictly x g1 g2 t 1 1 h1 h2 X0 XI J I1 I2 X1 X2 S1 S2).
- intros v. apply (ex_derive_continuous x). unfold x. auto_derive. easy.
- intros v. apply (continuous_ext (fun u => exp (f1 u))); [intros; symmetry; apply F1|].
  apply (ex_derive_continuous (fun u => exp (f1 u))). unfold f1. auto_derive. generalize (exp_pos (1 * v + 0)); lra.
- intros v. apply (continuous_ext (fun u => exp (f2 u))); [intros; symmetry; apply F2|].
  apply (ex_derive_continuous (fun u => exp (f2 u))). unfold f2. auto_derive. generalize (exp_pos (k * v + 0)); lra.
- exists ((ln t - 1) / s1). unfold x. replace (s1 * ((ln t - 1) / s1)) with (ln t - 1) by (field; lra).
  rewrite <- (exp_ln t) at 2 by easy. apply exp_increasing. lra.
- exists ((ln t + 1) / s1). unfold x. replace (s1 * ((ln t + 1) / s1)) with (ln t + 1) by (field; lra).
  rewrite <- (exp_ln t) at 1 by easy. apply exp_increasing. lra.
- apply (apart g1 g2 f1 f2 f' F1 F2 DF). intros u v Luv.
  assert (Z : exists z, u < z < v /\ z <> 0).
  { destruct (Req_dec ((u + v) / 2) 0) as [Z|Z]; [exists ((u + 3 * v) / 4)|exists ((u + v) / 2)]; split; lra. }
  destruct Z as (z & B & Nz). exists z. split; [exact B|].
  assert (Up' : forall y, 0 < y -> M1 * (sg y - / 2) < M2 * (sg (k * y) - / 2)).
  { intros y Y. assert (Z : 0 < sg y - / 2) by (assert (X := sg_increases 0 y Y); rewrite sg_0 in X; lra).
    destruct (total_order_T 1 k) as [[Kg|Ke]|Kl].
    - assert (X : sg y < sg (k * y)) by (apply sg_increases; assert (0 < (k - 1) * y) by (apply Rmult_lt_0_compat; lra); lra).
      apply Rle_lt_trans with (M2 * (sg y - / 2)); [apply Rmult_le_compat_r; lra|apply Rmult_lt_compat_l; lra].
    - rewrite <- Ke, Rmult_1_l. apply Rmult_lt_compat_r; [exact Z|].
      assert (Es : s2 = s1) by (rewrite <- Kt, <- Ke; ring).
      assert (Ne' : M1 <> M2); [|lra]. unfold M1, M2. rewrite <- Ke, Es. intros E.
      assert (a1 = a2) by lra. destruct Ne as [Ne|Ne]; lra.
    - apply Rle_lt_trans with (M2 * (k * (sg y - / 2))).
      + rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
      + apply Rmult_lt_compat_l; [lra|]. apply sg_strictly_concave; lra. }
  unfold f'. destruct (Rlt_le_dec 0 z) as [Pz|Pz].
  + specialize (Up' z Pz). lra.
  + specialize (Up' (- z) ltac:(lra)). replace (k * - z) with (- (k * z)) in Up' by ring. rewrite !sg_opp in Up'. lra.
Qed.

(** "increases-in-k": alpha and step both times k. *)
Corollary increases_in_k a s k k' t Bp Bq Bp' Bq' h h' : 0 < a -> 0 < s -> 0 < k -> k <= k' ->
  beta_constant (k' * a + k' * s) (k' * a) Bp' -> beta_constant (k' * a) (k' * a + k' * s) Bq' ->
  beta_constant (k * a + k * s) (k * a) Bp -> beta_constant (k * a) (k * a + k * s) Bq ->
  hockey t (k' * a) (k' * a) (k' * s) Bp' Bq' h' -> hockey t (k * a) (k * a) (k * s) Bp Bq h ->
  h <= h' /\ (0 < t -> k < k' -> h < h').
Proof.
intros A S K L P' Q' P Q H' H.
destruct (blackwell_order (k' * a) (k' * s) (k * a) (k * s) t Bp' Bq' Bp Bq h' h) as [X Y]; try assumption;
  try (apply Rmult_lt_0_compat; lra).
- right. field. lra.
- replace ((2 * (k' * a) + k' * s) / (k' * s * (k' * s))) with (/ k' * ((2 * a + s) / (s * s))) by (field; lra).
  replace ((2 * (k * a) + k * s) / (k * s * (k * s))) with (/ k * ((2 * a + s) / (s * s))) by (field; lra).
  apply Rmult_le_compat_r; [apply Rlt_le, Rdiv_lt_0_compat; [lra|now apply Rmult_lt_0_compat]|].
  apply Rinv_le_contravar; lra.
- split; [exact X|]. intros T Lk. apply Y; [exact T|]. left.
  assert (k * a < k' * a) by (apply Rmult_lt_compat_r; lra). lra.
Qed.
