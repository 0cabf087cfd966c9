(** The loops whose terms have one factor each, whatever underflows in them: the complement's series
    and that of the incomplete beta. What underflow adds is negligible beside the sum, or nothing. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import SeriesSource Rounding RoundedSums OneFactorSeries WeightedSum ChargedDoubts Underflow.
Local Open Scope R_scope.

Section Loop.
Variables A z c : R.
Hypothesis (HA : 0 < A) (Hz : 0 < z <= 1) (Hc : 0 < c).
Variables bottom point scaled : R.
Variables i j r first : nat. (* roundings of the point, of A z, of c, and of the first term *)
Variables dpoint dscaled : R. (* what underflow adds to the two *)
Hypothesis Wbottom : within r bottom c.
Hypothesis Wpoint : off i dpoint point z.
Hypothesis Wscaled : off j dscaled scaled (A * z).
Hypothesis dpoint_small : dpoint <= bpow radix2 (-150).
Hypothesis dscaled_small : dscaled <= bpow radix2 (-132).
Hypothesis room : (i + 1 <= j)%nat.
Hypothesis little : (j <= 8)%nat /\ (r <= 1)%nat /\ (first <= 8)%nat.

Variable t : nat -> R.
Hypothesis t0 : 0 < t 0%nat.
Hypothesis tS : forall n, t (S n) = z * (A + INR n) / (c + INR (S n)) * t n.
(** A size at or above the first term, beside which what underflows is nothing. *)
Variable size : R.
Hypothesis first_below : t 0%nat <= size.
Hypothesis ample_size : bpow radix2 (-940) <= size.

Variables term total : nat -> R.
Hypothesis term0 : off first (2 * tiny) (term 0%nat) (t 0%nat).
Hypothesis total0 : total 0%nat = term 0%nat.
Variable steps : nat.
Hypothesis few : INR steps <= 16000.
Hypothesis run : forall n, (n < steps)%nat ->
  (term (S n), total (S n)) = step_advance_complement n bottom point scaled (term n) (total n).

Local Notation factor := (Underflow.factor A z c).
Local Notation growth := (Underflow.growth A z c).
Let factor_pos n : 0 < factor n := Underflow.factor_pos A z c HA Hz Hc n.

Lemma t_positive n : 0 < t n.
Proof. induction n; [exact t0|]. rewrite tS. apply Rmult_lt_0_compat; [apply factor_pos|exact IHn]. Qed.

Lemma t_upper n : t n <= t 0%nat * growth n.
Proof.
induction n; [simpl; lra|]. rewrite tS. fold (factor n). simpl. assert (P := factor_pos n). assert (Tn := t_positive n).
replace (t 0%nat * (growth n * Rmax 1 (factor n))) with (Rmax 1 (factor n) * (t 0%nat * growth n)) by ring.
apply Rmult_le_compat; [lra|lra|apply Rmax_r|exact IHn].
Qed.

Lemma grown_terms n : (forall m, (m < n)%nat -> 1 <= factor m) -> t 0%nat * growth n <= t n.
Proof.
induction n; intros L; [simpl; lra|].
specialize (IHn ltac:(intros; apply L; lia)). assert (H := L n ltac:(lia)). rewrite tS. fold (factor n).
change (growth (S n)) with (growth n * Rmax 1 (factor n)). rewrite Rmax_right by easy. assert (P := factor_pos n).
replace (t 0%nat * (growth n * factor n)) with (factor n * (t 0%nat * growth n)) by ring. apply Rmult_le_compat_l; lra.
Qed.

Lemma grown_to_a_term n : exists m, (m <= n)%nat /\ t 0%nat * growth n <= t m.
Proof.
induction n; [exists 0%nat; split; [lia|simpl; lra]|].
destruct (Rle_lt_dec 1 (factor n)) as [B|S'].
- exists (S n). split; [lia|]. apply grown_terms. intros m L. apply (factor_before A z c) with n; assumption || lia.
- destruct IHn as (m & L & H). exists m. split; [lia|]. simpl. rewrite Rmax_left by lra. lra.
Qed.

Lemma acc_t_positive n : 0 < acc t n.
Proof. induction n; simpl; [|apply Rplus_lt_0_compat; [easy|]]; apply t_positive. Qed.

Lemma term_below_sum m n : (m <= n)%nat -> t m <= acc t n.
Proof.
induction n; intros L; [replace m with 0%nat by lia; simpl; lra|]. simpl.
assert (P := acc_t_positive n). destruct (Nat.eq_dec m (S n)) as [->|D]; [lra|].
specialize (IHn ltac:(lia)). assert (Q := t_positive (S n)). lra.
Qed.

Lemma grown_below_sum m n : (m <= n)%nat -> t 0%nat * growth m <= acc t n.
Proof.
intros L. destruct (grown_to_a_term m) as (k & K & H). apply Rle_trans with (1 := H). apply term_below_sum. lia.
Qed.

Let p := (j + r + 4)%nat. (* a sum, a denominator and its parts, a quotient, a product *)
Let term_off n := INR (S n) * (d * K n * growth n) * size.

Lemma small_sizes : 0 < d <= slack * / 1000000 /\ tiny <= d * / 10 ^ 8 /\ tiny <= size * (d * / 1000) /\ 0 < size.
Proof.
assert (D : 0 < d) by apply bpow_gt_0. assert (Tp := tiny_pos).
assert (S0 : 0 < size) by (apply Rlt_le_trans with (2 := ample_size); apply bpow_gt_0).
repeat split; try easy.
- unfold d. apply Rle_trans with (bpow radix2 (-100)); [apply bpow_le; lia|unfold slack; simpl; lra].
- unfold tiny, d. change (-1074)%Z with (-954 + -120)%Z. rewrite bpow_plus, Rmult_comm. apply Rmult_le_compat_l; [apply bpow_ge_0|].
  apply Rle_trans with (bpow radix2 (-30)); [apply bpow_le; lia|simpl; lra].
- replace tiny with (bpow radix2 (-940) * (bpow radix2 (-14) * d)) by (unfold tiny, d; rewrite <- !bpow_plus; reflexivity).
  apply Rmult_le_compat; [apply bpow_ge_0|apply Rmult_le_pos; [apply bpow_ge_0|lra]|exact ample_size|].
  rewrite (Rmult_comm d). apply Rmult_le_compat_r; [lra|simpl; lra].
Qed.

(** One run of the body: its roundings more, and what underflows. *)
Lemma one_step_off n : (n < steps)%nat ->
  off (p * n + first) (term_off n) (term n) (t n) -> off (p * S n + first) (term_off (S n)) (term (S n)) (t (S n)).
Proof.
intros Ln Ot. assert (R := run n Ln). unfold step_advance_complement in R. cbv zeta in R.
assert (Rt := f_equal fst R). cbn [fst] in Rt. clear R. rewrite Rt. clear Rt.
destruct small_sizes as ((D0 & D1) & Z1 & Z3 & S0). assert (Tp := tiny_pos).
assert (Gp := growth_1 A z c n). assert (Kp := K_1 n). assert (Rp := factor_pos n).
assert (Few : INR n <= 16000) by (apply le_INR in Ln; rewrite S_INR in Ln; lra).
assert (N := pos_INR n). assert (N' := S_INR n).
assert (Big : forall k, (k <= p * n + first + 20)%nat -> INR k <= 300000).
{ intros k Lk. assert (L2 : (k <= 13 * n + 30)%nat) by (unfold p in *; nia).
  apply le_INR in L2. rewrite plus_INR, mult_INR in L2. simpl INR in L2. lra. }
assert (Small : forall k, (k <= 20)%nat -> INR k <= 300000) by (intros; apply Big; lia).
set (D := c + INR (S n)). assert (HD : 1 <= D) by (unfold D; lra).
set (F := z * (A + INR n)). assert (EF : F / D = factor n) by reflexivity.
set (g := Rmax 1 (factor n)). assert (g1 : 1 <= g) by apply Rmax_l. assert (gr : factor n <= g) by apply Rmax_r.
assert (Tn := t_positive n).
set (phi := d * / 1000).
assert (Of : off (j + 1) phi (rnd (rnd (point * INR n) + scaled)) F).
{ exact (sum_off A z i j dpoint dscaled point scaled n Few room ltac:(lia) Wpoint Wscaled dpoint_small dscaled_small). }
set (f := rnd (rnd (point * INR n) + scaled)) in *.
assert (M3 : within r (bottom + INR (S n)) D).
{ apply within_add; [exact Wbottom|]. apply within_weaken with (k := 0%nat); [lia|apply within_exact; lra]. }
assert (N3 : normal (bottom + INR (S n))).
{ apply normal_within with (2 := M3); [assert (X := Small r ltac:(lia)); lra|]. apply sizeable_1. lra. }
assert (Wb := rounded r _ _ M3 N3).
set (db := rnd (bottom + INR (S n))) in *.
assert (OR := off_rnd _ _ _ _ (off_div _ _ _ _ _ _ _ (Small (r + 1)%nat ltac:(lia)) (Rlt_le_trans _ _ _ Rlt_0_1 HD) Of Wb)).
rewrite EF in OR. set (psi := (1 + slack) * ((1 + slack) * (phi / D)) + tiny) in *.
assert (OT := off_mult _ _ _ _ _ _ _ _ (Big (p * n + first)%nat ltac:(lia)) (Small (j + 1 + (r + 1) + 1)%nat ltac:(lia)) Ot OR).
apply off_rnd in OT. replace (t n * factor n) with (t (S n)) in OT by (rewrite tS; unfold Underflow.factor; ring).
apply off_weaken with (3 := OT); [unfold p; lia|]. clear OT OR Ot Of Wb M3 N3.
assert (pD : 0 <= phi / D <= phi).
{ unfold Rdiv. assert (0 < / D <= 1).
  { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (0 <= phi) by (unfold phi; lra).
  split; [apply Rmult_le_pos; lra|]. rewrite <- (Rmult_1_r phi) at 2. apply Rmult_le_compat_l; lra. }
assert (Ps : 0 <= psi <= d * / 400) by (unfold psi, phi, slack in *; lra).
set (Q := d * K n * growth n).
assert (GQ : growth n * d <= Q).
{ unfold Q. replace (growth n * d) with (d * 1 * growth n) by ring. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra. }
assert (Q0 : d <= Q).
{ apply Rle_trans with (2 := GQ). rewrite <- (Rmult_1_l d) at 1. apply Rmult_le_compat_r; lra. }
unfold term_off. fold Q. set (y := INR (S n)) in *. assert (y1 : 1 <= y) by lra.
replace (INR (S (S n))) with (y + 1) by (unfold y; rewrite (S_INR (S n)); reflexivity).
assert (EQ : d * K (S n) * growth (S n) = (1 + 10 * slack) * (Q * g)).
{ change (growth (S n)) with (growth n * g). change (K (S n)) with ((1 + 10 * slack) * K n). unfold Q. ring. }
rewrite EQ. set (M := Q * g). assert (QM : Q <= M) by (unfold M; rewrite <- (Rmult_1_r Q) at 1; apply Rmult_le_compat_l; lra).
assert (yQ : 0 <= y * Q * size) by (repeat apply Rmult_le_pos; lra).
assert (C1 : y * Q * size * ((1 + slack) * factor n + psi) <= y * Q * size * ((1 + 2 * slack) * g)).
{ apply Rmult_le_compat_l; [exact yQ|]. unfold slack in *. lra. }
assert (C2 : t n * psi <= M * size * / 400).
{ apply Rle_trans with (size * growth n * (d * / 400)).
  - apply Rmult_le_compat; [lra|lra| |lra]. apply Rle_trans with (1 := t_upper n). apply Rmult_le_compat_r; lra.
  - replace (size * growth n * (d * / 400)) with (growth n * d * (size * / 400)) by ring.
    replace (M * size * / 400) with (M * (size * / 400)) by ring. apply Rmult_le_compat_r; lra. }
assert (C3 : size * (d * / 1000) <= M * size * / 1000).
{ replace (M * size * / 1000) with (size * (M * / 1000)) by ring. apply Rmult_le_compat_l; lra. }
replace (y * Q * size * ((1 + 2 * slack) * g)) with ((1 + 2 * slack) * (y * M * size)) in C1 by (unfold M; ring).
assert (yM : M * size <= y * M * size).
{ assert (0 <= M * size) by (apply Rmult_le_pos; lra). rewrite Rmult_assoc. rewrite <- (Rmult_1_l (M * size)) at 1. apply Rmult_le_compat_r; lra. }
assert (M0 : 0 <= M * size) by (apply Rmult_le_pos; lra).
replace ((1 + slack) * t n * psi) with ((1 + slack) * (t n * psi)) by ring.
replace ((y + 1) * ((1 + 10 * slack) * M) * size) with ((1 + 10 * slack) * (y * M * size + M * size)) by ring.
set (v2 := y * M * size) in *. set (v1 := M * size) in *. unfold slack in *. lra.
Qed.

Lemma whole_run_off n : (n <= steps)%nat -> off (p * n + first) (term_off n) (term n) (t n).
Proof.
destruct small_sizes as (D & _ & Z & S0). induction n; intros Ln; [|apply one_step_off; [lia|apply IHn; lia]].
unfold term_off, K. simpl growth. simpl pow. rewrite Nat.mul_0_r. simpl plus. simpl INR.
apply off_weaken with (3 := term0); [lia|]. assert (0 <= size * d) by (apply Rmult_le_pos; lra). lra.
Qed.

(** Each term is, up to its roundings, a number next to that of the exact series. *)
Lemma term_next_to n : (n <= steps)%nat ->
  exists x, within (p * n + first) (term n) x /\ Rabs (x - t n) <= bpow radix2 (-100) * (size * growth n).
Proof.
intros Ln. assert (L := le_INR _ _ Ln). assert (N := pos_INR n). assert (Tn := t_positive n).
assert (Big : INR (p * n + first) <= 300000).
{ assert (L2 : (p * n + first <= 13 * n + 8)%nat) by (unfold p in *; nia).
  apply le_INR in L2. rewrite (plus_INR (13 * n)), (mult_INR 13 n) in L2. simpl (INR 13) in L2. simpl (INR 8) in L2. lra. }
destruct (near_number _ _ _ _ Big Tn (whole_run_off n Ln)) as (x & W & E). exists x. split; [exact W|].
apply Rle_trans with (1 := E).
assert (K2 := K_2 n ltac:(lra)). assert (K1 := K_1 n). assert (G1 := growth_1 A z c n).
destruct small_sizes as (D & _ & _ & S0).
assert (y1 : 1 <= INR (S n) <= 16001) by (rewrite S_INR; lra).
assert (Pg : 0 <= size * growth n) by (apply Rmult_le_pos; lra).
unfold term_off. set (y := INR (S n)) in *.
replace ((1 + slack) * (y * (d * K n * growth n) * size)) with ((1 + slack) * y * K n * d * (size * growth n)) by ring.
apply Rmult_le_compat_r; [easy|]. replace (bpow radix2 (-100)) with (bpow radix2 20 * d).
2:{ unfold d. rewrite <- bpow_plus. reflexivity. }
apply Rmult_le_compat_r; [lra|].
apply Rle_trans with ((1 + slack) * 16001 * 2); [|unfold slack; simpl; lra].
apply Rmult_le_compat; try lra; [apply Rmult_le_pos; [unfold slack; lra|lra]|]. apply Rmult_le_compat_l; [unfold slack|]; lra.
Qed.

Lemma total_is_added n : (n < steps)%nat -> total (S n) = rnd (total n + term (S n)).
Proof.
intros L. assert (R := run n L). unfold step_advance_complement in R. cbv zeta in R.
assert (Rt := f_equal fst R). assert (Rs := f_equal snd R). cbn [fst snd] in Rt, Rs.
rewrite Rs, Rt. reflexivity.
Qed.

Lemma next_to_terms : t 0%nat = size -> exists x : nat -> R, forall m, (m <= steps)%nat ->
  within (p * m + first) (term m) (x m) /\ Rabs (x m - t m) <= bpow radix2 (-86) * acc t steps.
Proof.
intros Es. apply (numbers (fun m y => within (p * m + first) (term m) y /\ Rabs (y - t m) <= bpow radix2 (-86) * acc t steps)).
intros m L. destruct (term_next_to m L) as (x & W & E). exists x. split; [exact W|].
apply Rle_trans with (1 := E). assert (B : bpow radix2 (-100) <= bpow radix2 (-86)) by (apply bpow_le; lia).
assert (H := grown_below_sum m steps L). rewrite Es in H. assert (0 < bpow radix2 (-100)) by apply bpow_gt_0.
apply Rmult_le_compat; [lra| |exact B|exact H]. destruct small_sizes as (_ & _ & _ & S0). apply Rmult_le_pos; [lra|generalize (growth_1 A z c m); lra].
Qed.

(** Where the terms fall from the first on, whose size may itself be next to nothing. *)
Lemma next_to_nothing : A * z <= c + 1 -> size <= bpow radix2 (-930) ->
  acc t steps <= bpow radix2 (-900) /\ 0 <= total steps <= bpow radix2 (-900).
Proof.
intros Falls Sz. destruct small_sizes as (D & _ & _ & S0).
assert (B : bpow radix2 (-900) = bpow radix2 30 * bpow radix2 (-930)) by (rewrite <- bpow_plus; reflexivity).
assert (B0 : 0 < bpow radix2 (-930)) by apply bpow_gt_0. assert (B30 : 2 * (16001 * 4) <= bpow radix2 30) by (simpl; lra).
assert (Each : forall m, (m <= steps)%nat -> t m <= bpow radix2 (-930) /\ 0 <= term m <= 3 * bpow radix2 (-930)).
{ intros m L. assert (Tm := t_upper m). rewrite (falling A z c), Rmult_1_r in Tm by easy. split; [lra|].
  destruct (term_next_to m L) as (x & W & E). rewrite (falling A z c), Rmult_1_r in E by easy.
  assert (L2 : (p * m + first <= 13 * m + 8)%nat) by (unfold p in *; nia).
  apply le_INR in L2, L. rewrite (plus_INR (13 * m)), (mult_INR 13 m) in L2. simpl (INR 13) in L2. simpl (INR 8) in L2.
  destruct (within_below (p * m + first)%nat _ _ ltac:(lra) W) as [[X1 X2] _]. split; [exact X1|]. apply Rle_trans with (1 := X2).
  assert (C : bpow radix2 (-100) <= / 10) by (simpl; lra). assert (bpow radix2 (-100) * size <= / 10 * size) by (apply Rmult_le_compat_r; lra).
  apply Rabs_le_inv in E. unfold slack. lra. }
assert (K2 := K_2).
assert (Sum : forall m, (m <= steps)%nat -> acc t m <= INR (S m) * bpow radix2 (-930) /\
  0 <= total m <= INR (S m) * 4 * K m * bpow radix2 (-930)).
{ induction m as [|m IH]; intros L.
  - destruct (Each 0%nat L) as [E1 E2]. rewrite total0. unfold K. set (b := bpow radix2 (-930)) in *.
    simpl acc. simpl pow. simpl INR. split; lra.
  - destruct (Each (S m) L) as [E1 E2]. destruct IH as [I1 [I0 I2]]; [lia|]. assert (N := pos_INR (S m)). assert (K1 := K_1 m).
    change (acc t (S m)) with (acc t m + t (S m)). rewrite (S_INR (S m)). split; [lra|].
    rewrite total_is_added by lia. split; [apply rnd_nonneg; lra|].
    assert (H := rnd_high (total m + term (S m)) ltac:(lra)). apply Rle_trans with (1 := H).
    assert (Ls : least <= slack * bpow radix2 (-930)).
    { unfold least. change (-1075)%Z with (-145 + -930)%Z. rewrite bpow_plus. apply Rmult_le_compat_r; [lra|].
      apply Rle_trans with (bpow radix2 (-100)); [apply bpow_le; lia|unfold slack; simpl; lra]. }
    change (K (S m)) with ((1 + 10 * slack) * K m). set (b := bpow radix2 (-930)) in *.
    set (k := INR (S m)) in *. assert (0 <= k * K m * b) by (repeat apply Rmult_le_pos; lra).
    assert (b <= K m * b) by (rewrite <- (Rmult_1_l b) at 1; apply Rmult_le_compat_r; lra).
    replace (k * 4 * K m * b) with (4 * (k * K m * b)) in I2 by ring.
    replace ((k + 1) * 4 * ((1 + 10 * slack) * K m) * b) with ((1 + 10 * slack) * 4 * (k * K m * b + K m * b)) by ring.
    set (kb := k * K m * b) in *. set (Kb := K m * b) in *. unfold slack in *. unfold v. lra. }
destruct (Sum steps (le_n _)) as [S1 [S2 S3]].
assert (k1 : INR (S steps) <= 16001) by (rewrite S_INR; lra). assert (k0 := pos_INR (S steps)).
rewrite B. split; [|split; [exact S2|]].
- apply Rle_trans with (1 := S1). apply Rmult_le_compat_r; lra.
- apply Rle_trans with (1 := S3). apply Rmult_le_compat_r; [lra|].
  assert (X := K2 steps ltac:(lra)). assert (X1 := K_1 steps).
  apply Rle_trans with (16001 * 4 * 2); [apply Rmult_le_compat; lra|lra].
Qed.
End Loop.

(** The complement's series, times a b/A, for z = q or 1 - q: past the mean of the law its terms fall, and
    the charged 14 (n + 8) units cover the rounding, whatever underflows, for all sizes. *)
Theorem complement_sum_near a s z second point scaled dpoint dscaled term total n :
  0 < a -> 0 < s -> 0 < z <= 1 -> (2 * a + s) * z <= a + s + 1 ->
  within 1 second (a + s) -> off 6 dpoint point z -> off 7 dscaled scaled ((2 * a + s) * z) ->
  dpoint <= bpow radix2 (-150) -> dscaled <= bpow radix2 (-132) ->
  off 2 (2 * tiny) (term 0%nat) (a / (2 * a + s)) -> total 0%nat = term 0%nat ->
  (forall m, (m < n)%nat -> (term (S m), total (S m)) =
    step_advance_complement m second point scaled (term m) (total m)) ->
  INR n <= 16000 ->
  let v := fun k => a * (a + s) / (2 * a + s) * PositiveSeries.U a s z k in
  Rabs (total n - acc v n) <= u * units_of_complement (INR n) * acc v n + bpow radix2 (-900).
Proof.
intros Ha Hs Hz Falls W1 W2 W3 D1 D2 T0 E R L v.
assert (V0 : v 0%nat = a / (2 * a + s)) by (unfold v; rewrite PositiveSeries.U_0 by easy; field; lra).
assert (VS : forall m, v (S m) = z * (2 * a + s + INR m) / (a + s + INR (S m)) * v m).
{ intros m. unfold v. rewrite PositiveSeries.recurrence_of_partner by easy.
  assert (M := pos_INR m). rewrite S_INR. field; lra. }
assert (V0p : 0 < v 0%nat) by (rewrite V0; apply Rdiv_lt_0_compat; lra).
assert (HA : 0 < 2 * a + s) by lra. assert (Hc : 0 < a + s) by lra.
rewrite <- V0 in T0. assert (B900 : 0 < bpow radix2 (-900)) by apply bpow_gt_0. assert (N := pos_INR n).
assert (Pos := acc_t_positive (2 * a + s) z (a + s) HA Hz Hc v V0p VS n).
assert (Us := u_size). assert (U0 : 0 <= u * units_of_complement (INR n) * acc v n).
{ apply Rmult_le_pos; [apply Rmult_le_pos; [lra|unfold units_of_complement, units_a_step; lra]|lra]. }
destruct (Rle_lt_dec (bpow radix2 (-930)) (v 0%nat)) as [Big|Small].
- assert (Ample : bpow radix2 (-940) <= v 0%nat) by (apply Rle_trans with (2 := Big); apply bpow_le; lia).
  destruct (next_to_terms (2 * a + s) z (a + s) HA Hz Hc second point scaled 6 7 1 2 _ _ W1 W2 W3 D1 D2 ltac:(lia) ltac:(lia)
    v V0p VS (v 0%nat) (Rle_refl _) Ample term total T0 n L R eq_refl) as (x & X).
  assert (Terms := fun m Lm => proj1 (X m Lm)).
  assert (First : bpow radix2 (-941) <= term 0%nat).
  { destruct (X 0%nat ltac:(lia)) as [W _]. destruct T0 as (Y & y & Wy & Dy). destruct (within_below 2 _ _ ltac:(simpl; lra) Wy) as [_ Ly].
    assert (E930 : bpow radix2 (-930) = 2048 * bpow radix2 (-941)).
    { change (-930)%Z with (11 + -941)%Z. rewrite bpow_plus. reflexivity. }
    assert (tiny <= bpow radix2 (-941)) by (apply bpow_le; lia). apply Rabs_le_inv in Dy. unfold slack in Ly. lra. }
  assert (Added := fun m Lm => total_is_added second point scaled term total n R m Lm).
  assert (Normal : forall m, (m < n)%nat -> normal (total m + term (S m))).
  { exact (total_normal v x term total 12 2 n X E Added First ltac:(lia)). }
  assert (S1 := sum_doubt x term total 12 2 n Terms E Added Normal n (le_n _) L ltac:(lia) ltac:(lia)).
  assert (Sx : acc x n <= acc v n + bpow radix2 (-72) * acc v n /\ acc v n - bpow radix2 (-72) * acc v n <= acc x n).
  { assert (Each : forall m, (m <= n)%nat -> Rabs (acc x m - acc v m) <= INR (S m) * (bpow radix2 (-86) * acc v n)).
    { induction m as [|m IH]; intros Lm.
      - destruct (X 0%nat Lm) as [_ Ex]. simpl (INR 1). rewrite Rmult_1_l. exact Ex.
      - destruct (X (S m) Lm) as [_ Ex]. rewrite (S_INR (S m)).
        change (acc x (S m)) with (acc x m + x (S m)). change (acc v (S m)) with (acc v m + v (S m)).
        replace (acc x m + x (S m) - (acc v m + v (S m))) with ((acc x m - acc v m) + (x (S m) - v (S m))) by ring.
        apply Rle_trans with (1 := Rabs_triang _ _). specialize (IH ltac:(lia)). lra. }
    assert (Last := Each n (le_n _)). assert (Last2 : INR (S n) * (bpow radix2 (-86) * acc v n) <= bpow radix2 (-72) * acc v n).
    { replace (bpow radix2 (-72)) with (bpow radix2 14 * bpow radix2 (-86)) by (rewrite <- bpow_plus; reflexivity).
      rewrite Rmult_assoc. apply Rmult_le_compat_r; [apply Rmult_le_pos; [apply bpow_ge_0|lra]|]. rewrite S_INR. simpl. lra. }
    apply Rabs_le_inv in Last. lra. }
  assert (Xn : forall k, (k <= n)%nat -> 0 <= x k) by (intros k Lk; apply (Terms k Lk)).
  assert (S2 : acc (fun k => x k * (INR 12 * INR k + INR n + INR 2 + 1)) n <= acc x n * (13 * INR n + 3)).
  { rewrite <- acc_scal. apply acc_le. intros k Lk. apply Rmult_le_compat_l; [now apply Xn|].
    apply le_INR in Lk. simpl (INR 12). simpl (INR 2). lra. }
  assert (C72 : 0 < bpow radix2 (-72) <= u * / 1000).
  { split; [apply bpow_gt_0|]. unfold u. change (-72)%Z with (-19 + -53)%Z. rewrite bpow_plus, Rmult_comm.
    apply Rmult_le_compat_l; [apply bpow_ge_0|simpl; lra]. }
  assert (S3 : acc x n * (13 * INR n + 3) <= acc v n * (13 * INR n + 4)).
  { apply Rle_trans with (acc v n * (1 + bpow radix2 (-72)) * (13 * INR n + 3)); [apply Rmult_le_compat_r; lra|].
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. 
    assert (bpow radix2 (-72) * (13 * INR n + 3) <= / 1000000 * (13 * 16000 + 3)) by (apply Rmult_le_compat; lra). lra. }
  assert (S4 : u * acc (fun k => x k * (INR 12 * INR k + INR n + INR 2 + 1)) n <= u * (acc v n * (13 * INR n + 4))).
  { apply Rmult_le_compat_l; lra. }
  replace (u * units_of_complement (INR n) * acc v n) with (14 * (u * (acc v n * INR n)) + 112 * (u * acc v n)) in *
    by (unfold units_of_complement, units_a_step; ring).
  replace (u * (acc v n * (13 * INR n + 4))) with (13 * (u * (acc v n * INR n)) + 4 * (u * acc v n)) in S4 by ring.
  assert (0 <= u * (acc v n * INR n)) by (repeat apply Rmult_le_pos; lra).
  assert (bpow radix2 (-72) * acc v n <= u * / 1000 * acc v n) by (apply Rmult_le_compat_r; lra).
  assert (0 <= u * acc v n) by (apply Rmult_le_pos; lra).
  apply Rabs_le_inv in S1. apply Rabs_le. lra.
- destruct (next_to_nothing (2 * a + s) z (a + s) HA Hz Hc second point scaled 6 7 1 2 _ _ W1 W2 W3 D1 D2 ltac:(lia) ltac:(lia)
    v V0p VS (bpow radix2 (-930)) ltac:(lra) ltac:(apply bpow_le; lia) term total T0 E n L R Falls (Rle_refl _)) as (S1 & S2 & S3).
  apply Rabs_le. lra.
Qed.

(** The incomplete beta's series: what _summed charges covers the rounding, whatever underflows; A x within
    3 roundings where a is a double, within 2 where it is rounded. *)
Theorem summed_sum_near j r a A x below place front dplace dfront term value n ends weighted blocks :
  (j + r = 3)%nat -> (r <= 1)%nat -> 0 < a -> 0 < A -> 0 < x <= 1 ->
  within r below a -> off 1 dplace place x -> off j dfront front (A * x) ->
  dplace <= bpow radix2 (-150) -> dfront <= bpow radix2 (-132) ->
  term 0%nat = 1 -> value 0%nat = 1 ->
  (forall m, (m < n)%nat -> (term (S m), value (S m)) =
    step_summed m front place below (term m) (value m)) ->
  INR n <= 16000 ->
  let t := fun k => a * (PositiveSeries.poch A k * x ^ k / PositiveSeries.poch a (S k)) in
  weighs ends weighted value blocks n ->
  Rabs (value n - acc t n) <=
  u * units_of_summed_recorded (weighted blocks) (value n) (INR n) * value n.
Proof.
intros Jr Hr Ha HA Hx W1 W2 W3 D1 D2 T0 E R L t We.
assert (t0 : t 0%nat = 1) by (unfold t; simpl; field; lra).
assert (tS : forall m, t (S m) = x * (A + INR m) / (a + INR (S m)) * t m).
{ intros m. unfold t. change (PositiveSeries.poch A (S m)) with (PositiveSeries.poch A m * (A + INR m)).
  change (PositiveSeries.poch a (S (S m))) with (PositiveSeries.poch a (S m) * (a + INR (S m))). simpl pow.
  assert (P := PositiveSeries.poch_pos a (S m) Ha). assert (M := pos_INR (S m)). field; lra. }
assert (t0p : 0 < t 0%nat) by lra. assert (Tp := tiny_pos).
assert (W0 : off 0 (2 * tiny) (term 0%nat) (t 0%nat)).
{ rewrite t0, T0. apply off_weaken with (k := 0%nat) (d := 0); [lia|lra|apply off_within, within_exact; lra]. }
assert (E' : value 0%nat = term 0%nat) by congruence.
assert (R' : forall m, (m < n)%nat ->
  (term (S m), value (S m)) = step_advance_complement m below place front (term m) (value m)).
{ intros m Lm. rewrite R by easy. apply summed_is_the_same. }
assert (Ample : bpow radix2 (-940) <= t 0%nat) by (rewrite t0; change 1 with (bpow radix2 0); apply bpow_le; lia).
destruct (next_to_terms A x a HA Hx Ha below place front 1 j r 0 _ _ W1 W2 W3 D1 D2 ltac:(lia) ltac:(lia)
  t t0p tS (t 0%nat) (Rle_refl _) Ample term value W0 n L R' eq_refl) as (y & Y).
replace (j + r + 4)%nat with 7%nat in Y by lia.
assert (First : bpow radix2 (-941) <= term 0%nat) by (rewrite T0; change 1 with (bpow radix2 0); apply bpow_le; lia).
assert (Added := fun m Lm => total_is_added below place front term value n R' m Lm).
destruct (near_sum t y term value 7 0 n (t_positive A x a HA Hx Ha t t0p tS) Y E' Added First L ltac:(lia)
  ends weighted blocks We 7 ltac:(simpl INR; lra)) as (M1 & M2 & M3).
assert (V0 : 0 < value n).
{ assert (P := acc_t_positive A x a HA Hx Ha t t0p tS n). lra. }
apply Rle_trans with (1 := M3). apply Rmult_le_compat_r; [lra|].
assert (C68 : bpow radix2 (-68) <= u * / 1000).
{ unfold u. change (-68)%Z with (-15 + -53)%Z. rewrite bpow_plus, Rmult_comm.
  apply Rmult_le_compat_l; [apply bpow_ge_0|simpl; lra]. }
assert (Us := u_size). unfold units_of_summed_recorded. simpl (INR 0). unfold Rdiv in *.
replace (7 * (weighted blocks * / value n)) with (7 * weighted blocks * / value n) by ring.
set (W := 7 * weighted blocks * / value n). assert (0 <= u * 1) by lra.
replace (u * (W + INR n + 8)) with (u * (W + INR n + 0 + 2) + u * 6) by ring. lra.
Qed.
