(** The loop of difference_series whatever underflows in it: what underflow adds is negligible beside
    the sum, for all sizes of alpha, step and q from which a run begins. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import SeriesSource Rounding RoundedSums WeightedSum ChargedDoubts.
Local Open Scope R_scope.

(** The double y is x up to k roundings, and d beside them. *)
Definition off (k : nat) (d y x : R) : Prop := 0 <= y /\ exists z, within k z x /\ Rabs (y - z) <= d.

(** More than all roundings of a term together, and what one underflow takes. *)
Definition slack : R := / 1000000000.
Definition tiny : R := bpow radix2 (-1074).

Lemma slack_pos : 0 < slack. Proof. unfold slack; lra. Qed.
Lemma tiny_pos : 0 < tiny. Proof. apply bpow_gt_0. Qed.

Lemma roundings_small k : INR k <= 300000 -> e k <= 1 + slack.
Proof.
intros K. assert (Us := u_size). assert (K0 := pos_INR k).
assert (Ku : 0 <= INR k * u <= 300000 * / 5000000000000000) by (split; [apply Rmult_le_pos|apply Rmult_le_compat]; lra).
assert (E := e_upper k ltac:(lra)).
assert (INR k * u * (INR k * u) <= 1 * (INR k * u)) by (apply Rmult_le_compat_r; lra). unfold slack. lra.
Qed.

Lemma within_below k z x : INR k <= 300000 -> within k z x -> 0 <= z <= (1 + slack) * x /\ x <= (1 + slack) * z.
Proof.
intros K W. assert (Z := within_nonneg _ _ _ W). destruct W as (X & L & U). assert (E := roundings_small k K).
assert (x * e k <= x * (1 + slack)) by (apply Rmult_le_compat_l; lra).
assert (z * e k <= z * (1 + slack)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma off_within k y x : within k y x -> off k 0 y x.
Proof. intros W. split; [now apply within_nonneg in W|]. exists y. split; [easy|]. rewrite Rminus_diag_eq, Rabs_R0; lra. Qed.

Lemma off_weaken k m d f y x : (k <= m)%nat -> d <= f -> off k d y x -> off m f y x.
Proof. intros K D (Y & z & W & E). split; [easy|]. exists z. split; [now apply within_weaken with k|lra]. Qed.

Lemma off_add k d f y z x v : off k d y x -> off k f z v -> off k (d + f) (y + z) (x + v).
Proof.
intros (Y & y' & W & E) (Z & z' & W' & E'). split; [lra|]. exists (y' + z'). split; [now apply within_add|].
replace (y + z - (y' + z')) with ((y - y') + (z - z')) by ring.
apply Rle_trans with (1 := Rabs_triang _ _). lra.
Qed.

Lemma off_rnd k d y x : off k d y x -> off (k + 1) ((1 + slack) * d + tiny) (rnd y) x.
Proof.
intros (Y & z & W & E). assert (D : 0 <= d) by (generalize (Rabs_pos (y - z)); lra).
assert (Us := u_size). assert (Wp := slack_pos). assert (Tp := tiny_pos).
split; [now apply rnd_nonneg|]. destruct (Rle_lt_dec (bpow radix2 (-1022)) y) as [B|S].
- assert (Y0 : 0 < y) by (generalize (bpow_gt_0 radix2 (-1022)); lra).
  destruct (within_rnd y (or_intror B) Y) as (_ & L & U). unfold e in L, U. rewrite pow_1 in L, U.
  set (m := rnd y / y). assert (Em : rnd y = m * y) by (unfold m; field; lra).
  assert (M1 : 1 <= m * (1 + u)).
  { apply Rmult_le_reg_r with (1 := Y0). replace (m * (1 + u) * y) with (rnd y * (1 + u)) by (rewrite Em; ring). lra. }
  assert (M2 : m <= 1 + u).
  { apply Rmult_le_reg_r with (1 := Y0). rewrite <- Em. lra. }
  assert (M0 : 0 <= m) by (apply Rmult_le_reg_r with (1 + u); lra).
  assert (Z := within_nonneg _ _ _ W). exists (z * m). split.
  + replace (k + 1)%nat with (1 + k)%nat by lia. apply within_trans with (2 := W).
    unfold within, e. rewrite pow_1. split; [easy|split].
    * replace (z * m * (1 + u)) with (z * (m * (1 + u))) by ring. rewrite <- (Rmult_1_r z) at 1. now apply Rmult_le_compat_l.
    * now apply Rmult_le_compat_l.
  + rewrite Em. replace (m * y - z * m) with (m * (y - z)) by ring. rewrite Rabs_mult, (Rabs_pos_eq m) by easy.
    apply Rle_trans with ((1 + u) * d); [apply Rmult_le_compat; try assumption; apply Rabs_pos|].
    assert (u * d <= slack * d) by (apply Rmult_le_compat_r; unfold slack; lra). lra.
- exists z. split; [apply within_weaken with k; [lia|easy]|].
  assert (R := rnd_error y). rewrite (Rabs_pos_eq y Y) in R.
  assert (Two : u * bpow radix2 (-1022) = least) by (unfold u, least; rewrite <- bpow_plus; reflexivity).
  assert (Tn : tiny = 2 * least).
  { unfold tiny, least. change (-1074)%Z with (1 + -1075)%Z. rewrite bpow_plus. simpl bpow at 1. lra. }
  assert (u * y <= u * bpow radix2 (-1022)) by (apply Rmult_le_compat_l; lra).
  replace (rnd y - z) with ((rnd y - y) + (y - z)) by ring. apply Rle_trans with (1 := Rabs_triang _ _).
  assert (0 <= slack * d) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma off_mult k m d f y z x v : INR k <= 300000 -> INR m <= 300000 -> off k d y x -> off m f z v ->
  off (k + m) (d * ((1 + slack) * v + f) + (1 + slack) * x * f) (y * z) (x * v).
Proof.
intros K M (Y & y' & W & E) (Z & z' & W' & E'). split; [now apply Rmult_le_pos|].
exists (y' * z'). split; [now apply within_mult|].
destruct (within_below _ _ _ K W) as [[P1 P2] _]. destruct (within_below _ _ _ M W') as [[Q1 Q2] _].
assert (D0 := Rabs_pos (y - y')). assert (F0 := Rabs_pos (z - z')).
assert (Zb : z <= (1 + slack) * v + f) by (apply Rabs_le_inv in E'; lra).
replace (y * z - y' * z') with ((y - y') * z + y' * (z - z')) by ring.
apply Rle_trans with (1 := Rabs_triang _ _). rewrite !Rabs_mult, (Rabs_pos_eq z), (Rabs_pos_eq y') by easy.
apply Rplus_le_compat; apply Rmult_le_compat; lra.
Qed.

Lemma off_div k m d y z x v : INR m <= 300000 -> 0 < v -> off k d y x -> within m z v ->
  off (k + m) ((1 + slack) * (d / v)) (y / z) (x / v).
Proof.
intros M V (Y & y' & W & E) W'. destruct (within_below _ _ _ M W') as [[Q1 Q2] Q3].
assert (D0 := Rabs_pos (y - y')). assert (Wp := slack_pos).
assert (Z : 0 < z) by (apply Rmult_lt_reg_l with (1 + slack); lra).
split; [apply Rmult_le_pos; [easy|now apply Rlt_le, Rinv_0_lt_compat]|].
exists (y' / z). split; [now apply within_div|].
replace (y / z - y' / z) with ((y - y') * / z) by (field; lra).
rewrite Rabs_mult, (Rabs_pos_eq (/ z)) by now apply Rlt_le, Rinv_0_lt_compat.
replace ((1 + slack) * (d / v)) with (d * ((1 + slack) / v)) by (field; lra).
apply Rmult_le_compat; [easy|now apply Rlt_le, Rinv_0_lt_compat|easy|].
apply Rmult_le_reg_r with (z * v); [now apply Rmult_lt_0_compat|].
replace (/ z * (z * v)) with v by (field; lra). replace ((1 + slack) / v * (z * v)) with ((1 + slack) * z) by (field; lra). easy.
Qed.

(** What is off by little from z, itself within k roundings of x, is within k of a number next to x. *)
Lemma near_number k f y x : INR k <= 300000 -> 0 < x -> off k f y x ->
  exists x', within k y x' /\ Rabs (x' - x) <= (1 + slack) * f.
Proof.
intros Big X (Y & z & W & E). destruct (within_below _ _ _ Big W) as [[Z1 Z2] Z3]. assert (Wp := slack_pos).
assert (Z : 0 < z) by (apply Rmult_lt_reg_l with (1 + slack); lra).
assert (Tz : x / z <= 1 + slack) by (apply Rmult_le_reg_r with (1 := Z); unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
assert (Tz0 : 0 < x / z) by now apply Rdiv_lt_0_compat.
exists (x / z * y). split.
- destruct W as (_ & L' & U'). split; [apply Rmult_le_pos; lra|split].
  + replace (x / z * y) with (y * (x / z)) by ring. apply Rmult_le_compat_l; [easy|].
    apply Rmult_le_reg_r with (1 := Z). replace (x / z * z) with x by (field; lra). lra.
  + replace (x / z * y * e k) with (y * (x / z * e k)) by ring.
    rewrite <- (Rmult_1_r y) at 1. apply Rmult_le_compat_l; [easy|].
    apply Rmult_le_reg_r with (1 := Z). replace (x / z * e k * z) with (x * e k) by (field; lra). lra.
- replace (x / z * y - x) with (x / z * (y - z)) by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (x / z)) by lra. apply Rmult_le_compat; try lra. apply Rabs_pos.
Qed.

Lemma numbers (P : nat -> R -> Prop) n : (forall m, (m <= n)%nat -> exists x, P m x) ->
  exists x : nat -> R, forall m, (m <= n)%nat -> P m (x m).
Proof.
induction n; intros H.
- destruct (H 0%nat (le_n _)) as (x & X). exists (fun _ => x). intros m L. replace m with 0%nat by lia. exact X.
- destruct IHn as (x & X); [intros; apply H; lia|]. destruct (H (S n) (le_n _)) as (x' & X').
  exists (fun m => if Nat.eq_dec m (S n) then x' else x m). intros m Lm.
  destruct (Nat.eq_dec m (S n)) as [->|D]; [exact X'|]. apply X. lia.
Qed.

(** A sum whose terms are, up to their roundings, next to exact ones. *)
Section Near.
Variables T x term total : nat -> R.
Variables c d0 steps : nat.
Hypothesis positive : forall n, 0 < T n.
Hypothesis terms : forall n, (n <= steps)%nat ->
  within (c * n + d0) (term n) (x n) /\ Rabs (x n - T n) <= bpow radix2 (-86) * acc T steps.
Hypothesis total0 : total 0%nat = term 0%nat.
Hypothesis added : forall n, (n < steps)%nat -> total (S n) = rnd (total n + term (S n)).
Hypothesis first_term : bpow radix2 (-941) <= term 0%nat.
Hypothesis few : INR steps <= 16000.
Hypothesis small : (c <= 13)%nat /\ (d0 <= 8)%nat.

Lemma acc_positive n : 0 < acc T n.
Proof. induction n; simpl; [|apply Rplus_lt_0_compat; [easy|]]; apply positive. Qed.

Lemma total_least n : (n <= steps)%nat -> bpow radix2 (-942) <= total n.
Proof.
assert (F : rnd (bpow radix2 (-942)) = bpow radix2 (-942)).
{ apply round_generic; [apply valid_rnd_N|]. apply generic_format_bpow. unfold FLT_exp. lia. }
induction n; intros L.
- rewrite total0. apply Rle_trans with (2 := first_term). apply bpow_le. lia.
- rewrite added by lia. rewrite <- F. apply rnd_le. specialize (IHn ltac:(lia)).
  assert (Y := within_nonneg _ _ _ (proj1 (terms (S n) L))). lra.
Qed.

Lemma total_normal n : (n < steps)%nat -> normal (total n + term (S n)).
Proof.
intros L. right. assert (Y := within_nonneg _ _ _ (proj1 (terms (S n) L))). assert (B := total_least n ltac:(lia)).
apply Rle_trans with (bpow radix2 (-942)); [apply bpow_le; lia|lra].
Qed.

Lemma few_roundings k : (k <= steps)%nat -> e (c * k + d0 + steps) <= 1 + slack.
Proof.
intros Lk. apply roundings_small. assert (M : (c * k + d0 + steps <= 14 * steps + 8)%nat) by nia. apply le_INR in M.
rewrite (plus_INR (14 * steps)), (mult_INR 14 steps) in M. simpl (INR 14) in M. simpl (INR 8) in M. lra.
Qed.

Variables (place : nat -> nat) (weighted : nat -> R) (blocks : nat).
Hypothesis weighs_them : weighs place weighted total blocks steps.

Lemma near_sum C : INR c <= C <= 13 ->
  acc T steps <= 3 * total steps /\ total steps <= 3 * acc T steps /\
  Rabs (total steps - acc T steps) <=
    (u * (C * (weighted blocks / total steps) + INR steps + INR d0 + 2) + bpow radix2 (-68)) * total steps.
Proof.
intros HC. destruct weighs_them as (H1 & H2 & H3 & H4 & H5).
assert (Terms := fun m L => proj1 (terms m L)).
assert (V := total_least steps (le_n _)). assert (V0 : 0 < total steps) by (generalize (bpow_gt_0 radix2 (-942)); lra).
assert (Sx : sizeable (x 0%nat)).
{ assert (W0 := Terms 0%nat ltac:(lia)). rewrite Nat.mul_0_r in W0. simpl in W0.
  assert (D8 : INR d0 <= 300000) by (destruct small as [_ L]; apply le_INR in L; simpl (INR 8) in L; lra).
  destruct (within_below d0 _ _ D8 W0) as [[_ L] _].
  assert (F := first_term). assert (P : 0 < bpow radix2 (-942)) by apply bpow_gt_0.
  assert (E : bpow radix2 (-941) = 2 * bpow radix2 (-942)).
  { change (-941)%Z with (1 + -942)%Z. rewrite bpow_plus. reflexivity. }
  unfold sizeable. apply Rle_trans with (bpow radix2 (-942)); [apply bpow_le; lia|]. unfold slack in L. lra. }
assert (Ch := charged x term total c d0 steps Terms total0 added total_normal few
  small place weighted blocks H1 H4 H3 H5 Sx H2 C HC).
assert (M0 := acc_positive steps). set (M := acc T steps) in *.
assert (Dx : Rabs (acc x steps - M) <= bpow radix2 (-72) * M).
{ assert (Each : forall m, (m <= steps)%nat -> Rabs (acc x m - acc T m) <= INR (S m) * (bpow radix2 (-86) * M)).
  { induction m; intros L.
    - destruct (terms 0%nat L) as [_ E]. simpl (INR 1). rewrite Rmult_1_l. exact E.
    - destruct (terms (S m) L) as [_ E]. rewrite (S_INR (S m)).
      change (acc x (S m)) with (acc x m + x (S m)). change (acc T (S m)) with (acc T m + T (S m)).
      replace (acc x m + x (S m) - (acc T m + T (S m))) with ((acc x m - acc T m) + (x (S m) - T (S m))) by ring.
      apply Rle_trans with (1 := Rabs_triang _ _). specialize (IHm ltac:(lia)). lra. }
  apply Rle_trans with (1 := Each steps (le_n _)).
  replace (bpow radix2 (-72)) with (bpow radix2 14 * bpow radix2 (-86)) by (rewrite <- bpow_plus; reflexivity).
  rewrite Rmult_assoc. apply Rmult_le_compat_r; [apply Rmult_le_pos; [apply bpow_ge_0|lra]|]. rewrite S_INR. simpl. lra. }
assert (X0 : forall k, (k <= steps)%nat -> 0 <= x k) by (intros k Lk; apply (Terms k Lk)).
destruct (sum_within x term total c d0 steps Terms total0 added total_normal steps (le_n _)) as [Lo Hi].
assert (Mx : acc x steps <= 2 * total steps).
{ apply Rle_trans with (2 := Rmult_le_compat_l 2 _ _ ltac:(lra) Lo). rewrite Rmult_comm, <- acc_scal.
  apply acc_le. intros k Lk. rewrite Rmult_assoc. rewrite <- (Rmult_1_r (x k)) at 1.
  apply Rmult_le_compat_l; [now apply X0|]. assert (E := few_roundings k Lk). assert (Ep := e_pos (c * k + d0 + steps)).
  unfold slack in E. apply Rmult_le_reg_r with (1 := Ep). rewrite Rmult_assoc, (Rmult_comm 2), <- Rmult_assoc, Rinv_l; lra. }
assert (Mx' : total steps <= acc x steps * 2).
{ apply Rle_trans with (1 := Hi). rewrite <- acc_scal. apply acc_le. intros k Lk.
  apply Rmult_le_compat_l; [now apply X0|]. assert (E := few_roundings k Lk). unfold slack in E. lra. }
assert (C72 : 0 < bpow radix2 (-72) <= / 10) by (split; [apply bpow_gt_0|simpl; lra]).
apply Rabs_le_inv in Dx.
assert (bpow radix2 (-72) * M <= / 10 * M) by (apply Rmult_le_compat_r; lra).
assert (M3 : M <= 3 * total steps) by lra.
split; [exact M3|split; [lra|]].
assert (Dt : bpow radix2 (-72) * M <= bpow radix2 (-68) * total steps).
{ replace (bpow radix2 (-68)) with (16 * bpow radix2 (-72)).
  2:{ change (-68)%Z with (4 + -72)%Z. rewrite bpow_plus. reflexivity. }
  apply Rle_trans with (bpow radix2 (-72) * (3 * total steps)); [apply Rmult_le_compat_l; lra|].
  assert (0 <= bpow radix2 (-72) * total steps) by (apply Rmult_le_pos; lra). lra. }
apply Rabs_le_inv in Ch. apply Rabs_le. lra.
Qed.
End Near.

(** What multiplies terms of ratios z (A + n)/(c + n + 1), and how much a small number has grown until
    then, at most. *)
Definition d : R := bpow radix2 (-120).
Definition K (n : nat) : R := (1 + 10 * slack) ^ n.

Lemma K_1 n : 1 <= K n. Proof. apply pow_R1_Rle. unfold slack; lra. Qed.

Lemma K_2 n : INR n <= 16001 -> K n <= 2.
Proof.
assert (X : forall m, K m * (1 - INR m * (10 * slack)) <= 1).
{ induction m; [unfold K; simpl; lra|]. rewrite S_INR. assert (P := K_1 m). assert (N := pos_INR m).
  change (K (S m)) with ((1 + 10 * slack) * K m). set (x := 10 * slack) in *. assert (x0 : 0 < x) by (unfold x, slack; lra). clearbody x.
  assert (0 <= K m * ((INR m + 1) * (x * x))) by (repeat apply Rmult_le_pos; lra).
  replace ((1 + x) * K m * (1 - (INR m + 1) * x)) with (K m * (1 - INR m * x) - K m * ((INR m + 1) * (x * x))) by ring. lra. }
intros L. specialize (X n). assert (P := K_1 n).
assert (H : / 2 <= 1 - INR n * (10 * slack)) by (unfold slack; lra).
assert (K n * / 2 <= K n * (1 - INR n * (10 * slack))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Section Growth.
Variables A z c : R.
Hypothesis (HA : 0 < A) (Hz : 0 < z <= 1) (Hc : 0 < c).

Definition factor (n : nat) : R := z * (A + INR n) / (c + INR (S n)).
Fixpoint growth (n : nat) : R := match n with O => 1 | S m => growth m * Rmax 1 (factor m) end.

Lemma factor_pos n : 0 < factor n.
Proof.
assert (N := pos_INR n). unfold factor. rewrite S_INR.
apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra.
Qed.

Lemma growth_1 n : 1 <= growth n.
Proof.
induction n; simpl; [lra|]. rewrite <- (Rmult_1_l 1) at 1. apply Rmult_le_compat; [lra|lra|exact IHn|apply Rmax_l].
Qed.

(** The terms grow first, if at all: what has grown is one of them. *)
Lemma factor_before n m : (m <= n)%nat -> 1 <= factor n -> 1 <= factor m.
Proof.
intros L. apply le_INR in L. unfold factor. rewrite !S_INR. assert (N := pos_INR m). intros H.
apply Rmult_le_reg_r with (c + (INR m + 1)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
apply Rmult_le_compat_r with (r := c + (INR n + 1)) in H; [|lra]. unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l in H by lra.
assert (z * (INR n - INR m) <= 1 * (INR n - INR m)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** Or fall from the first on. *)
Lemma no_growth : (forall n, factor n <= 1) -> forall n, growth n = 1.
Proof. intros L. induction n as [|n IH]; [reflexivity|]. simpl. rewrite IH, Rmult_1_l. apply Rmax_left, L. Qed.

Lemma falling : A * z <= c + 1 -> forall n, growth n = 1.
Proof.
intros Falls. apply no_growth. intros n. assert (N := pos_INR n). unfold factor. rewrite S_INR.
apply Rmult_le_reg_r with (c + (INR n + 1)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
assert (z * INR n <= 1 * INR n) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** z (A + n) as every loop makes it. *)
Lemma sum_off i j dpoint dscaled point scaled n : INR n <= 16000 -> (i + 1 <= j)%nat -> (j <= 8)%nat ->
  off i dpoint point z -> off j dscaled scaled (A * z) -> dpoint <= bpow radix2 (-150) -> dscaled <= bpow radix2 (-132) ->
  off (j + 1) (d * / 1000) (rnd (rnd (point * INR n) + scaled)) (z * (A + INR n)).
Proof.
intros Few room little Wpoint Wscaled D1 D2. assert (N := pos_INR n). assert (D0 : 0 < d) by apply bpow_gt_0.
assert (S150 : bpow radix2 (-150) <= / 10 ^ 8 * d).
{ change (-150)%Z with (-30 + -120)%Z. rewrite bpow_plus. fold d. apply Rmult_le_compat_r; [lra|simpl; lra]. }
assert (St : tiny <= / 10 ^ 8 * d) by (apply Rle_trans with (2 := S150); apply bpow_le; lia).
set (phi := d * / 1000).
assert (O1 : off (i + 1) (/ 4 * phi) (rnd (point * INR n)) (z * INR n)).
{ assert (H := off_mult i 0 dpoint 0 point (INR n) z (INR n)
    ltac:(assert (L : (i <= 8)%nat) by lia; apply le_INR in L; simpl (INR 8) in L; lra) ltac:(simpl; lra)
    Wpoint (off_within _ _ _ (within_exact _ N))).
  apply off_rnd in H. apply off_weaken with (3 := H); [lia|].
  assert (Y : 0 <= dpoint) by (destruct Wpoint as (_ & y & _ & E); generalize (Rabs_pos (point - y)); lra).
  assert (dpoint * INR n <= bpow radix2 (-150) * 16000) by (apply Rmult_le_compat; lra).
  unfold phi, slack. lra. }
assert (H1 := off_add _ _ _ _ _ _ _ (off_weaken (i + 1) j _ _ _ _ room (Rle_refl _) O1) Wscaled).
replace (z * INR n + A * z) with (z * (A + INR n)) in H1 by ring.
apply off_rnd in H1. apply off_weaken with (3 := H1); [lia|].
assert (bpow radix2 (-132) <= / 4000 * d).
{ change (-132)%Z with (-12 + -120)%Z. rewrite bpow_plus. fold d. apply Rmult_le_compat_r; [lra|simpl; lra]. }
unfold phi, slack. lra.
Qed.
End Growth.

Section Loop.
Variables a s q : R.
Hypothesis (Ha : 0 < a) (Hs : 0 < s) (Hq : 0 < q < 1).
Let b := a + s.
Let A := 2 * a + s.
Hypothesis large : A <= bpow radix2 932.
Hypothesis share : bpow radix2 (-940) <= s / A.
Variables second low scaled_low : R.
Hypothesis Wsecond : within 1 second b.
(** q within 4 roundings and A q within 6, or nearly: both may underflow. *)
Variables dq dscaled : R.
Hypothesis Wlow : off 4 dq low q.
Hypothesis Wscaled : off 6 dscaled scaled_low (A * q).
Hypothesis dq_small : dq <= bpow radix2 (-150).
Hypothesis dscaled_small : dscaled <= bpow radix2 (-132).

Variables T U : nat -> R.
Hypothesis T0 : T 0%nat = s / A.
Hypothesis U0 : U 0%nat = a / A.
Hypothesis TS : forall n, T (S n) = q * (A + INR n) / (a + INR (S n)) * (T n + U n * (s / (b + INR (S n)))).
Hypothesis US : forall n, U (S n) = q * (A + INR n) * U n / (b + INR (S n)).

Variables term partner total : nat -> R.
Hypothesis term0 : within 2 (term 0%nat) (s / A).
Hypothesis partner0 : off 2 (2 * tiny) (partner 0%nat) (a / A).
Variable steps : nat.
Hypothesis few : INR steps <= 16000.
Hypothesis run : forall n, (n < steps)%nat ->
  (term (S n), partner (S n), total (S n)) =
  step_advance n a s second low scaled_low (term n) (partner n) (total n).

Local Notation r := (factor A q a).
Local Notation G := (growth A q a).
Lemma A_pos : 0 < A. Proof. unfold A; lra. Qed.
Let t0 := s / A.
Lemma t0_pos : 0 < t0. Proof. apply Rdiv_lt_0_compat; [easy|apply A_pos]. Qed.
Lemma t0_1 : t0 <= 1.
Proof. apply Rmult_le_reg_r with (1 := A_pos). unfold t0, Rdiv. rewrite Rmult_assoc, Rinv_l by (generalize A_pos; lra). unfold A; lra. Qed.

Lemma r_pos n : 0 < r n.
Proof. apply factor_pos; [apply A_pos|lra|exact Ha]. Qed.

Lemma TU_positive n : 0 < T n /\ 0 < U n.
Proof.
induction n.
- rewrite T0, U0. assert (X := A_pos). split; apply Rdiv_lt_0_compat; lra.
- destruct IHn as [Tn Un]. rewrite TS, US. assert (N := pos_INR n). assert (N' := pos_INR (S n)). assert (X := A_pos).
  unfold b in *. split.
  + apply Rmult_lt_0_compat.
    * apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra.
    * apply Rplus_lt_0_compat; [easy|]. apply Rmult_lt_0_compat; [easy|apply Rdiv_lt_0_compat; lra].
  + apply Rdiv_lt_0_compat; [|lra]. repeat apply Rmult_lt_0_compat; lra.
Qed.

Lemma U_upper n : U n <= a / A * G n.
Proof.
induction n; [rewrite U0; simpl; lra|]. destruct (TU_positive n) as [_ Un]. assert (Rp := r_pos n). simpl.
assert (N := pos_INR n). assert (E : U (S n) = U n * r n * ((a + INR (S n)) / (b + INR (S n)))).
{ rewrite US. unfold factor. rewrite S_INR. unfold b. field. lra. }
rewrite E. assert (F : 0 <= (a + INR (S n)) / (b + INR (S n)) <= 1).
{ rewrite S_INR. unfold b. split; [apply Rlt_le, Rdiv_lt_0_compat; lra|].
  apply Rmult_le_reg_r with (a + s + (INR n + 1)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
assert (P : 0 < U n * r n) by now apply Rmult_lt_0_compat.
apply Rle_trans with (U n * r n * 1); [apply Rmult_le_compat_l; lra|]. rewrite Rmult_1_r, <- Rmult_assoc.
apply Rmult_le_compat; [lra|lra|easy|apply Rmax_r].
Qed.

Lemma fed n : U n * (s / (b + INR (S n))) <= t0 * G n.
Proof.
assert (N := pos_INR (S n)). assert (X := A_pos). assert (Gp := growth_1 A q a n).
apply Rle_trans with (a / A * G n * (s / (b + INR (S n)))).
- apply Rmult_le_compat_r; [apply Rlt_le, Rdiv_lt_0_compat; unfold b; lra|apply U_upper].
- replace (a / A * G n * (s / (b + INR (S n)))) with (t0 * G n * (a / (b + INR (S n)))) by (unfold t0, b; field; unfold b in *; lra).
  assert (P := t0_pos). assert (0 <= t0 * G n) by (apply Rmult_le_pos; lra).
  rewrite <- (Rmult_1_r (t0 * G n)) at 2. apply Rmult_le_compat_l; [easy|].
  apply Rmult_le_reg_r with (b + INR (S n)); [unfold b; lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by (unfold b; lra).
  unfold b; lra.
Qed.

Lemma T_upper n : T n <= (INR n + 1) * (t0 * G n).
Proof.
induction n; [rewrite T0; simpl; unfold t0; lra|]. rewrite TS. fold (r n). assert (F := fed n). assert (Rp := r_pos n).
assert (P := t0_pos). assert (Gp := growth_1 A q a n). rewrite S_INR at 2. simpl G.
assert (0 <= t0 * G n) by (apply Rmult_le_pos; lra). assert (N := pos_INR n).
apply Rle_trans with (r n * ((INR n + 1 + 1) * (t0 * G n))); [apply Rmult_le_compat_l; lra|].
replace ((INR n + 1 + 1) * (t0 * (G n * Rmax 1 (r n)))) with (Rmax 1 (r n) * ((INR n + 1 + 1) * (t0 * G n))) by ring.
apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|apply Rmax_r].
Qed.

Lemma grown n : (forall m, (m < n)%nat -> 1 <= r m) -> t0 * G n <= T n.
Proof.
induction n; intros L; [rewrite T0; simpl; unfold t0; lra|].
specialize (IHn ltac:(intros; apply L; lia)). assert (H := L n ltac:(lia)). rewrite TS. fold (r n). change (G (S n)) with (G n * Rmax 1 (r n)).
destruct (TU_positive n) as [_ Un]. rewrite Rmax_right by easy. assert (Rp := r_pos n). assert (N := pos_INR (S n)).
assert (0 <= U n * (s / (b + INR (S n)))).
{ apply Rlt_le, Rmult_lt_0_compat; [easy|apply Rdiv_lt_0_compat; unfold b; lra]. }
replace (t0 * (G n * r n)) with (r n * (t0 * G n)) by ring. apply Rmult_le_compat_l; lra.
Qed.

Lemma grown_to_some n : exists m, (m <= n)%nat /\ t0 * G n <= T m.
Proof.
induction n; [exists 0%nat; split; [lia|rewrite T0; simpl; unfold t0; lra]|].
destruct (Rle_lt_dec 1 (r n)) as [B|S'].
- exists (S n). split; [lia|]. apply grown. intros m L. apply (factor_before A q a) with n; try assumption; lra || lia.
- destruct IHn as (m & L & H). exists m. split; [lia|]. simpl. rewrite Rmax_left by lra. lra.
Qed.

Lemma grown_below n : t0 * G n <= acc T n.
Proof.
destruct (grown_to_some n) as (m & L & H). apply Rle_trans with (1 := H). clear H. induction n.
- replace m with 0%nat by lia. simpl. lra.
- simpl. assert (P : forall k, 0 <= acc T k).
  { induction k; simpl; [|apply Rplus_le_le_0_compat; [easy|]]; apply Rlt_le, TU_positive. }
  destruct (Nat.eq_dec m (S n)) as [->|D]; [generalize (P n); lra|].
  assert (H := IHn ltac:(lia)). destruct (TU_positive (S n)). lra.
Qed.

(** The sizes. *)
Lemma sizes : 0 < d <= slack * / 1000000 /\ tiny <= d * / 1000 /\ tiny * (A + 20000) <= d * / 1000 /\
  tiny <= t0 * (d * / 1000) /\ tiny * s <= t0 * (d * / 1000).
Proof.
assert (D : 0 < d) by apply bpow_gt_0. assert (X := A_pos). assert (Tp := tiny_pos). assert (P := t0_pos). assert (P1 := t0_1).
assert (Split : tiny = bpow radix2 (-940) * (bpow radix2 (-14) * d)).
{ unfold tiny, d. rewrite <- !bpow_plus. reflexivity. }
assert (Small : bpow radix2 (-14) * d <= / 10000 * d) by (apply Rmult_le_compat_r; [lra|simpl; lra]).
assert (Z : 0 < bpow radix2 (-14) * d) by (apply Rmult_lt_0_compat; [apply bpow_gt_0|easy]).
assert (B : 0 < bpow radix2 (-940)) by apply bpow_gt_0.
assert (Sh : bpow radix2 (-940) <= t0) by exact share.
assert (T1 : tiny <= t0 * (/ 10000 * d)) by (rewrite Split; apply Rmult_le_compat; lra).
assert (T2 : tiny * A <= / 10 ^ 6 * d).
{ apply Rle_trans with (tiny * bpow radix2 932); [apply Rmult_le_compat_l; lra|].
  replace (tiny * bpow radix2 932) with (bpow radix2 (-22) * d) by (unfold tiny, d; rewrite <- !bpow_plus; reflexivity).
  apply Rmult_le_compat_r; [lra|simpl; lra]. }
assert (T3 : tiny <= / 10 ^ 8 * d).
{ replace tiny with (bpow radix2 (-954) * d) by (unfold tiny, d; rewrite <- !bpow_plus; reflexivity).
  apply Rmult_le_compat_r; [lra|]. apply Rle_trans with (bpow radix2 (-30)); [apply bpow_le; lia|simpl; lra]. }
assert (T0' : 0 <= t0 * d) by (apply Rmult_le_pos; lra).
assert (Dw : d <= slack * / 1000000).
{ apply Rle_trans with (bpow radix2 (-100)); [apply bpow_le; lia|unfold slack; simpl; lra]. }
repeat split; try lra.
- replace s with (A * t0) by (unfold t0; field; lra). replace (tiny * (A * t0)) with (t0 * (tiny * A)) by ring.
  apply Rmult_le_compat_l; lra.
Qed.

Let partner_off n := INR (S n) * (d * K n * G n).
Let term_off n := 4 * (INR (S n) * INR (S n)) * (d * K n * G n) * t0.

(** One run of the body: eleven roundings more, and what underflows. *)
Lemma one_step n : (n < steps)%nat ->
  off (11 * n + 6) (term_off n) (term n) (T n) -> off (11 * n + 2) (partner_off n) (partner n) (U n) ->
  off (11 * S n + 6) (term_off (S n)) (term (S n)) (T (S n)) /\
  off (11 * S n + 2) (partner_off (S n)) (partner (S n)) (U (S n)).
Proof.
intros Ln Ot Op. assert (R := run n Ln). unfold step_advance in R. cbv zeta in R.
assert (Rt := f_equal (fun p => fst (fst p)) R). assert (Rp := f_equal (fun p => snd (fst p)) R).
cbn [fst snd] in Rt, Rp. clear R. rewrite Rt, Rp. clear Rt Rp.
destruct sizes as ((D0 & D1) & Z1 & Z2 & Z3 & Z4). assert (Tp := tiny_pos). assert (X := A_pos).
assert (P0 := t0_pos). assert (P1 := t0_1). assert (Gp := growth_1 A q a n). assert (Kp := K_1 n). assert (Rp := r_pos n).
assert (Few : INR n <= 16000) by (apply le_INR in Ln; rewrite S_INR in Ln; lra).
assert (N := pos_INR n). assert (N' := S_INR n).
assert (Big : forall k, (k <= 11 * n + 20)%nat -> INR k <= 300000).
{ intros k Lk. apply le_INR in Lk. rewrite plus_INR, mult_INR in Lk. simpl INR in Lk. lra. }
assert (Small : forall k, (k <= 20)%nat -> INR k <= 300000) by (intros; apply Big; lia).
set (B := b + INR (S n)). assert (HB : 0 < B) by (unfold B, b; lra).
set (D := a + INR (S n)). assert (HD : 1 <= D <= B) by (unfold D, B, b; lra).
set (F := q * (A + INR n)). assert (EF : F = r n * D) by (unfold F, factor, D; field; unfold D in HD; lra).
assert (F0 : 0 < F) by (rewrite EF; apply Rmult_lt_0_compat; lra).
set (g := Rmax 1 (r n)). assert (g1 : 1 <= g) by apply Rmax_l. assert (gr : r n <= g) by apply Rmax_r.
destruct (TU_positive n) as [Tn Un]. assert (Uu := U_upper n).
assert (aA : 0 < a / A <= 1).
{ split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with A; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. unfold A; lra. }
assert (UG : U n <= G n) by (apply Rle_trans with (1 := Uu); rewrite <- (Rmult_1_l (G n)) at 2; apply Rmult_le_compat_r; lra).
(* f_n *)
set (phi := d * / 1000).
assert (Of : off 7 phi (rnd (rnd (low * INR n) + scaled_low)) F).
{ exact (sum_off A q 4 6 dq dscaled low scaled_low n Few ltac:(lia) ltac:(lia) Wlow Wscaled dq_small dscaled_small). }
set (f := rnd (rnd (low * INR n) + scaled_low)) in *.
assert (phi0 : 0 < phi <= slack * / 1000000000) by (unfold phi; lra).
(* the denominators *)
assert (M3 : within 1 (second + INR (S n)) B).
{ apply within_add; [exact Wsecond|]. apply within_weaken with (k := 0%nat); [lia|apply within_exact; lra]. }
assert (N3 : normal (second + INR (S n))).
{ apply normal_within with (2 := M3); [simpl; lra|]. apply sizeable_1. lra. }
assert (Wb := rounded 1 _ _ M3 N3). change (1 + 1)%nat with 2%nat in Wb.
assert (M8 : within 0 D D) by (apply within_exact; lra).
assert (N8 : normal D) by (apply normal_within with (2 := M8); [simpl; lra|apply sizeable_1; lra]).
assert (Wa := rounded 0 _ _ M8 N8). change (0 + 1)%nat with 1%nat in Wa. fold D.
set (db := rnd (second + INR (S n))) in *. set (da := rnd D) in *.
set (Q := d * K n * G n).
assert (Q0 : d <= Q).
{ unfold Q. rewrite Rmult_assoc. rewrite <- (Rmult_1_r d) at 1. apply Rmult_le_compat_l; [lra|].
  rewrite <- (Rmult_1_l 1). apply Rmult_le_compat; lra. }
assert (GQ : G n * d <= Q).
{ unfold Q. replace (G n * d) with (d * 1 * G n) by ring. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra. }
set (y := INR (S n)) in *. assert (y1 : 1 <= y) by lra.
unfold partner_off, term_off in *. fold Q in Op, Ot. fold y in Op, Ot.
(* share *)
assert (Os := off_rnd _ _ _ _ (off_div _ _ _ _ _ _ _ (Small 2%nat ltac:(lia)) HB Op Wb)).
set (sh := rnd (partner n / db)) in *. set (e1 := (1 + slack) * ((1 + slack) * (y * Q / B)) + tiny) in *.
assert (HyQ : 0 <= y * Q) by (apply Rmult_le_pos; lra).
assert (iB : 0 < / B) by now apply Rinv_0_lt_compat.
(* partner *)
assert (OU := off_mult _ _ _ _ _ _ _ _ (Big (11 * n + 2 + 2 + 1)%nat ltac:(lia)) (Small 7%nat ltac:(lia)) Os Of).
assert (OV := off_mult _ _ _ _ _ _ _ _ (Big (11 * n + 2 + 2 + 1)%nat ltac:(lia)) (Small 0%nat ltac:(lia)) Os
  (off_within 0 s s (within_exact _ (Rlt_le _ _ Hs)))).
apply off_rnd in OU. apply off_rnd in OV.
replace (U n / B * F) with (U (S n)) in OU by (rewrite US; fold y B; unfold F; field; lra).
assert (OX := off_add _ _ _ _ _ _ _ Ot (off_weaken (11 * n + 2 + 2 + 1 + 0 + 1) (11 * n + 6) _ _ _ _ ltac:(lia) (Rle_refl _) OV)).
apply off_rnd in OX.
assert (HD' : 0 < D) by lra.
assert (OR := off_rnd _ _ _ _ (off_div _ _ _ _ _ _ _ (Small 1%nat ltac:(lia)) HD' Of Wa)).
replace (F / D) with (r n) in OR by (rewrite EF; field; lra).
assert (OT := off_mult _ _ _ _ _ _ _ _ (Big (11 * n + 6 + 1)%nat ltac:(lia)) (Small (7 + 1 + 1)%nat ltac:(simpl; lia)) OX OR).
apply off_rnd in OT.
replace ((T n + U n / B * s) * r n) with (T (S n)) in OT.
2:{ rewrite TS. fold (r n). fold y B. field. lra. }
(* sizes of what was added *)
assert (yQB : 0 <= y * Q / B <= y * Q).
{ unfold Rdiv. split; [apply Rmult_le_pos; lra|]. rewrite <- (Rmult_1_r (y * Q)) at 2. apply Rmult_le_compat_l; [lra|].
  rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
assert (e1F : e1 * F <= ((1 + slack) * (1 + slack) * (y * Q) + d * / 1000) * g).
{ unfold e1. rewrite EF.
  assert (DB : D / B <= 1) by (apply Rmult_le_reg_r with B; [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (y * Q / B * D <= y * Q).
  { replace (y * Q / B * D) with (y * Q * (D / B)) by (field; lra). rewrite <- (Rmult_1_r (y * Q)) at 2. apply Rmult_le_compat_l; lra. }
  assert (tiny * D <= d * / 1000).
  { apply Rle_trans with (2 := Z2). apply Rmult_le_compat_l; [lra|]. unfold D, A in *. lra. }
  replace (((1 + slack) * ((1 + slack) * (y * Q / B)) + tiny) * (r n * D)) with
    (((1 + slack) * (1 + slack) * (y * Q / B * D) + tiny * D) * r n) by ring.
  assert (0 <= y * Q / B * D) by (apply Rmult_le_pos; lra). assert (0 <= tiny * D) by (apply Rmult_le_pos; lra).
  apply Rmult_le_compat; [unfold slack; lra|lra|unfold slack; lra|exact gr]. }
assert (e1s : e1 * s <= ((1 + slack) * (1 + slack) * 2 * (y * Q) + d * / 1000) * t0).
{ unfold e1. assert (s / B <= 2 * t0).
  { unfold t0. apply Rmult_le_reg_r with (B * A); [apply Rmult_lt_0_compat; lra|].
    replace (s / B * (B * A)) with (s * A) by (field; lra). replace (2 * (s / A) * (B * A)) with (s * (2 * B)) by (field; lra).
    apply Rmult_le_compat_l; [lra|]. unfold B, A, b. lra. }
  assert (y * Q / B * s <= y * Q * (2 * t0)).
  { replace (y * Q / B * s) with (y * Q * (s / B)) by (field; lra). apply Rmult_le_compat_l; lra. }
  unfold slack in *. lra. }
assert (e1a : 0 <= e1 <= (1 + slack) * (1 + slack) * (y * Q) + d * / 1000) by (unfold e1, slack; lra).
assert (EG : G (S n) = G n * g) by reflexivity.
assert (EK : K (S n) = (1 + 10 * slack) * K n) by reflexivity.
assert (EQ : d * K (S n) * G (S n) = (1 + 10 * slack) * (Q * g)) by (rewrite EG, EK; unfold Q; ring).
rewrite EQ. replace (INR (S (S n))) with (y + 1) by (unfold y; rewrite (S_INR (S n)); reflexivity).
set (M := Q * g) in *. assert (QM : Q <= M) by (unfold M; rewrite <- (Rmult_1_r Q) at 1; apply Rmult_le_compat_l; lra).
assert (yQM : y * Q * g = y * M) by (unfold M; ring). assert (yQM' : y * Q <= y * M) by (apply Rmult_le_compat_l; lra).
assert (dM : d * g <= M) by (unfold M; apply Rmult_le_compat_r; lra).
split.
2:{ apply off_weaken with (3 := OU); [lia|].
  assert (C1 : e1 * phi <= ((1 + slack) * (1 + slack) * (y * Q) + d * / 1000) * slack) by (apply Rmult_le_compat; try lra; unfold slack in *; lra).
  assert (C2 : U n / B * phi <= Q * / 1000).
  { apply Rle_trans with (G n * phi); [|unfold phi; lra]. apply Rmult_le_compat_r; [lra|].
    apply Rle_trans with (2 := UG). unfold Rdiv. rewrite <- (Rmult_1_r (U n)) at 2. apply Rmult_le_compat_l; [lra|].
    rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  replace (e1 * ((1 + slack) * F + phi) + (1 + slack) * (U n / B) * phi) with ((1 + slack) * (e1 * F) + e1 * phi + (1 + slack) * (U n / B * phi)) by ring.
  assert (0 <= M) by lra. assert (0 <= y * M) by lra.
  replace (((1 + slack) * (1 + slack) * (y * Q) + d * / 1000) * g) with ((1 + slack) * (1 + slack) * (y * M) + d * g * / 1000) in e1F by (rewrite <- yQM; ring).
  unfold slack in *. lra. }
apply off_weaken with (3 := OT); [lia|].
set (e2 := (1 + slack) * (e1 * ((1 + slack) * s + 0) + (1 + slack) * (U n / B) * 0) + tiny).
assert (E2 : e2 <= (21 / 10 * (y * Q) + d * / 400) * t0).
{ unfold e2. replace (e1 * ((1 + slack) * s + 0) + (1 + slack) * (U n / B) * 0) with ((1 + slack) * (e1 * s)) by ring.
  assert (0 <= y * Q * t0) by (apply Rmult_le_pos; lra). assert (0 <= d * t0) by (apply Rmult_le_pos; lra). unfold slack in *. lra. }
set (omega := (1 + slack) * (4 * (y * y) * Q * t0 + e2) + tiny).
assert (yyQ : 0 <= y * y * Q) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
set (Y2 := y * y * Q * t0). set (Y1 := y * Q * t0). set (Y0 := Q * t0).
assert (Y20 : 0 <= Y2) by (apply Rmult_le_pos; lra). assert (Y10 : 0 <= Y1) by (apply Rmult_le_pos; lra).
assert (Y00 : 0 <= Y0) by (apply Rmult_le_pos; lra).
assert (dY : d * t0 <= Y0) by (apply Rmult_le_compat_r; lra).
assert (Om : omega <= (1 + slack) * 4 * Y2 + 22 / 10 * Y1 + / 100 * Y0).
{ unfold omega. replace (4 * (y * y) * Q * t0) with (4 * Y2) by (unfold Y2; ring).
  replace ((21 / 10 * (y * Q) + d * / 400) * t0) with (21 / 10 * Y1 + / 400 * (d * t0)) in E2 by (unfold Y1; ring).
  unfold slack in *. lra. }
assert (e20 : 0 <= e2).
{ unfold e2. replace (e1 * ((1 + slack) * s + 0) + (1 + slack) * (U n / B) * 0) with ((1 + slack) * (e1 * s)) by ring.
  assert (0 <= e1 * s) by (apply Rmult_le_pos; lra). unfold slack; lra. }
assert (Om0 : 0 <= omega).
{ unfold omega. replace (4 * (y * y) * Q * t0) with (4 * Y2) by (unfold Y2; ring). unfold slack; lra. }
set (psi := (1 + slack) * ((1 + slack) * (phi / D)) + tiny).
assert (pD : 0 <= phi / D <= phi).
{ unfold Rdiv. assert (0 < / D <= 1).
  { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  split; [apply Rmult_le_pos; lra|]. rewrite <- (Rmult_1_r phi) at 2. apply Rmult_le_compat_l; lra. }
assert (Ps : 0 <= psi <= d * / 400) by (unfold psi, phi, slack in *; lra).
assert (Xs : 0 <= T n + U n / B * s <= (y + 1) * (t0 * G n)).
{ assert (H := fed n). fold y B in H. assert (H2 := T_upper n). rewrite <- N' in H2.
  replace (U n / B * s) with (U n * (s / B)) by (field; lra). split; [|lra].
  apply Rplus_le_le_0_compat; [lra|]. apply Rmult_le_pos; [lra|]. unfold Rdiv. apply Rmult_le_pos; lra. }
assert (C3 : (T n + U n / B * s) * psi <= (y + 1) * Y0 * / 400).
{ apply Rle_trans with ((y + 1) * (t0 * G n) * (d * / 400)); [apply Rmult_le_compat; lra|].
  replace ((y + 1) * (t0 * G n) * (d * / 400)) with ((y + 1) * t0 * / 400 * (G n * d)) by ring.
  replace ((y + 1) * Y0 * / 400) with ((y + 1) * t0 * / 400 * Q) by (unfold Y0; ring).
  apply Rmult_le_compat_l; [|lra]. apply Rmult_le_pos; [apply Rmult_le_pos|]; lra. }
assert (C4 : omega * ((1 + slack) * r n + psi) <= ((1 + slack) * 4 * Y2 + 22 / 10 * Y1 + / 100 * Y0) * ((1 + 2 * slack) * g)).
{ apply Rmult_le_compat; [lra| |lra|]; unfold slack in *; lra. }
replace (omega * ((1 + slack) * r n + psi) + (1 + slack) * (T n + U n / B * s) * psi) with
  (omega * ((1 + slack) * r n + psi) + (1 + slack) * ((T n + U n / B * s) * psi)) by ring.
replace (4 * ((y + 1) * (y + 1)) * ((1 + 10 * slack) * M) * t0) with (4 * (1 + 10 * slack) * (Y2 * g + 2 * (Y1 * g) + Y0 * g)) by (unfold Y2, Y1, Y0, M; ring).
replace (((1 + slack) * 4 * Y2 + 22 / 10 * Y1 + / 100 * Y0) * ((1 + 2 * slack) * g)) with
  ((1 + 2 * slack) * ((1 + slack) * 4 * (Y2 * g) + 22 / 10 * (Y1 * g) + / 100 * (Y0 * g))) in C4 by ring.
assert (Y2 <= Y2 * g) by (rewrite <- (Rmult_1_r Y2) at 1; apply Rmult_le_compat_l; lra).
assert (Y1 <= Y1 * g) by (rewrite <- (Rmult_1_r Y1) at 1; apply Rmult_le_compat_l; lra).
assert (Y0 <= Y0 * g) by (rewrite <- (Rmult_1_r Y0) at 1; apply Rmult_le_compat_l; lra).
replace ((y + 1) * Y0 * / 400) with ((Y1 + Y0) * / 400) in C3 by (unfold Y1, Y0; ring).
set (z2 := Y2 * g) in *. set (z1 := Y1 * g) in *. set (z0 := Y0 * g) in *.
unfold slack in *. lra.
Qed.

Lemma whole_run n : (n <= steps)%nat ->
  off (11 * n + 6) (term_off n) (term n) (T n) /\ off (11 * n + 2) (partner_off n) (partner n) (U n).
Proof.
assert (P0 := t0_pos). destruct sizes as (D & Z & _). induction n; intros Ln; [|apply one_step; [lia|apply IHn; lia|apply IHn; lia]].
unfold term_off, partner_off, K. simpl. rewrite T0, U0. split.
- apply off_weaken with (k := 2%nat) (d := 0); [lia| |now apply off_within].
  assert (0 <= d * t0) by (apply Rmult_le_pos; lra). lra.
- apply off_weaken with (3 := partner0); [lia|]. lra.
Qed.

(** Each term is, up to its roundings, a number next to that of the exact series. *)
Lemma term_near n : (n <= steps)%nat ->
  exists x, within (11 * n + 6) (term n) x /\ Rabs (x - T n) <= bpow radix2 (-86) * (t0 * G n).
Proof.
intros Ln. assert (L := le_INR _ _ Ln). assert (N := pos_INR n). destruct (TU_positive n) as [Tn _].
assert (Big : INR (11 * n + 6) <= 300000) by (rewrite plus_INR, mult_INR; simpl INR; lra).
destruct (near_number _ _ _ _ Big Tn (proj1 (whole_run n Ln))) as (x & W & E). exists x. split; [exact W|].
apply Rle_trans with (1 := E).
assert (K2 := K_2 n ltac:(lra)). assert (K1 := K_1 n). assert (P0 := t0_pos). assert (G1 := growth_1 A q a n).
assert (y1 : 1 <= INR (S n) <= 16001) by (rewrite S_INR; lra).
assert (yy : 0 <= INR (S n) * INR (S n) <= 16001 * 16001) by (split; [apply Rmult_le_pos|apply Rmult_le_compat]; lra).
assert (Pg : 0 <= t0 * G n) by (apply Rmult_le_pos; lra).
unfold term_off. set (y := INR (S n)) in *.
replace ((1 + slack) * (4 * (y * y) * (d * K n * G n) * t0)) with ((1 + slack) * 4 * (y * y) * K n * d * (t0 * G n)) by ring.
apply Rmult_le_compat_r; [easy|]. replace (bpow radix2 (-86)) with (bpow radix2 34 * d).
2:{ unfold d. rewrite <- bpow_plus. reflexivity. }
apply Rmult_le_compat_r; [apply bpow_ge_0|].
apply Rle_trans with ((1 + slack) * 4 * (16001 * 16001) * 2); [|unfold slack; simpl; lra].
apply Rmult_le_compat; try lra; [apply Rmult_le_pos; [unfold slack; lra|lra]|]. apply Rmult_le_compat_l; [unfold slack|]; lra.
Qed.

Lemma grown_before m n : (m <= n)%nat -> t0 * G m <= acc T n.
Proof.
intros L. apply Rle_trans with (1 := grown_below m). induction n; [replace m with 0%nat by lia; lra|].
destruct (Nat.eq_dec m (S n)) as [->|D]; [lra|]. simpl. destruct (TU_positive (S n)). specialize (IHn ltac:(lia)). lra.
Qed.

(** The sum. *)
Hypothesis total0 : total 0%nat = term 0%nat.

Lemma total_added n : (n < steps)%nat -> total (S n) = rnd (total n + term (S n)).
Proof.
intros L. assert (R := run n L). unfold step_advance in R. cbv zeta in R.
assert (Rt := f_equal (fun p => fst (fst p)) R). assert (Rs := f_equal snd R). cbn [fst snd] in Rt, Rs.
rewrite Rs, Rt. reflexivity.
Qed.

Lemma first_term : bpow radix2 (-941) <= term 0%nat.
Proof.
destruct (within_below 2 _ _ ltac:(simpl; lra) term0) as [_ L]. assert (P : 0 < bpow radix2 (-941)) by apply bpow_gt_0.
assert (E : bpow radix2 (-940) = 2 * bpow radix2 (-941)).
{ change (-940)%Z with (1 + -941)%Z. rewrite bpow_plus. reflexivity. }
assert (S' := share). unfold slack in L. lra.
Qed.

Lemma next_to : exists x : nat -> R, forall m, (m <= steps)%nat ->
  within (11 * m + 6) (term m) (x m) /\ Rabs (x m - T m) <= bpow radix2 (-86) * acc T steps.
Proof.
apply (numbers (fun m y => within (11 * m + 6) (term m) y /\ Rabs (y - T m) <= bpow radix2 (-86) * acc T steps)).
intros m L. destruct (term_near m L) as (x & W & E). exists x. split; [exact W|].
apply Rle_trans with (1 := E). apply Rmult_le_compat_l; [apply bpow_ge_0|now apply grown_before].
Qed.

Variables (place : nat -> nat) (weighted : nat -> R) (blocks : nat).
Hypothesis weighs_them : weighs place weighted total blocks steps.

(** What _record charges, and next to nothing for what underflows; and the last term is next to an exact
    one in the same sense. *)
Theorem sum_near :
  acc T steps <= 3 * total steps /\ total steps <= 3 * acc T steps /\
  Rabs (total steps - acc T steps) <=
    (u * units_recorded (weighted blocks) (total steps) (INR steps) + bpow radix2 (-68)) * total steps /\
  exists x, within (11 * steps + 6) (term steps) x /\ Rabs (x - T steps) <= bpow radix2 (-84) * total steps.
Proof.
destruct next_to as (x & X).
destruct (near_sum T x term total 11 6 steps (fun n => proj1 (TU_positive n)) X total0 total_added first_term few
  ltac:(lia) place weighted blocks weighs_them 13 ltac:(simpl INR; lra)) as (M1 & M2 & M3).
split; [exact M1|split; [exact M2|split]].
- apply Rle_trans with (1 := M3). right. unfold units_recorded, units_a_step. simpl (INR 6). unfold Rdiv. ring.
- exists (x steps). destruct (X steps (le_n _)) as [W E]. split; [exact W|]. apply Rle_trans with (1 := E).
  apply Rle_trans with (bpow radix2 (-86) * (3 * total steps)); [apply Rmult_le_compat_l; [apply bpow_ge_0|exact M1]|].
  replace (bpow radix2 (-84)) with (4 * bpow radix2 (-86)).
  2:{ change (-84)%Z with (2 + -86)%Z. rewrite bpow_plus. reflexivity. }
  assert (0 < acc T steps) by (apply acc_positive; intros m; apply TU_positive).
  assert (0 <= bpow radix2 (-86) * total steps) by (apply Rmult_le_pos; [apply bpow_ge_0|lra]). lra.
Qed.
End Loop.
