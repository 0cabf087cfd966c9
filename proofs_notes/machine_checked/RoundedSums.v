(** Sums of nonnegative terms in doubles, whatever loop makes the terms: the doubt of a sum whose
    k-th term is within c k + d roundings. Whether anything underflows is read off exact numbers. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require Import Rounding.
Local Open Scope R_scope.

Section Sum.
Variables T term total : nat -> R.
Variables c d steps : nat.
Hypothesis terms : forall n, (n <= steps)%nat -> within (c * n + d) (term n) (T n).
Hypothesis total0 : total 0%nat = term 0%nat.
Hypothesis added : forall n, (n < steps)%nat -> total (S n) = rnd (total n + term (S n)).
Hypothesis no_underflow : forall n, (n < steps)%nat -> normal (total n + term (S n)).

(** The running sum: every term carries its own roundings and those of the additions. *)
Theorem sum_within n : (n <= steps)%nat ->
  acc (fun k => T k * / e (c * k + d + n)) n <= total n <= acc (fun k => T k * e (c * k + d + n)) n.
Proof.
induction n; intros Ln.
- rewrite total0. destruct (terms 0 Ln) as (X & L & U').
  simpl acc. rewrite Nat.add_0_r.
  assert (E := e_pos (c * 0 + d)). split; [|exact U'].
  apply Rmult_le_reg_r with (1 := E). rewrite Rmult_assoc, Rinv_l by lra. lra.
- specialize (IHn ltac:(lia)). assert (N := no_underflow n Ln). rewrite (added n Ln).
  assert (W := terms (S n) Ln).
  assert (Pt := within_nonneg _ _ _ W). destruct W as (X & L & U').
  assert (Pn : 0 <= total n).
  { apply Rle_trans with (2 := proj1 IHn).
    assert (G : forall m, (m <= n)%nat -> 0 <= acc (fun k => T k * / e (c * k + d + n)) m).
    { induction m; simpl; intros Lm.
      - apply Rmult_le_pos; [apply (terms 0); lia|apply Rlt_le, Rinv_0_lt_compat, e_pos].
      - apply Rplus_le_le_0_compat; [apply IHm; lia|].
        apply Rmult_le_pos; [apply (terms (S m)); lia|apply Rlt_le, Rinv_0_lt_compat, e_pos]. }
    now apply G. }
  destruct (within_rnd _ N) as (_ & Lr & Ur); [lra|].
  unfold e in Lr, Ur; rewrite pow_1 in Lr, Ur. assert (Q := u_pos).
  set (y := rnd (total n + term (S n))) in *.
  assert (Ee : forall k, e (k + S n) = e (k + n) * (1 + u)).
  { intros k. replace (k + S n)%nat with (k + n + 1)%nat by lia. rewrite e_plus. unfold e at 2. now rewrite pow_1. }
  assert (E := e_pos (c * S n + d)). assert (E' := e_ge_1 n).
  split.
  + apply Rmult_le_reg_r with (1 + u); [lra|]. apply Rle_trans with (2 := Lr).
    rewrite <- acc_scal. change (acc (fun k => T k * / e (c * k + d + S n) * (1 + u)) (S n)) with
      (acc (fun k => T k * / e (c * k + d + S n) * (1 + u)) n + T (S n) * / e (c * S n + d + S n) * (1 + u)).
    apply Rplus_le_compat.
    * apply Rle_trans with (2 := proj1 IHn). apply acc_le. intros k _. rewrite Ee.
      assert (P := e_pos (c * k + d + n)). right. field. lra.
    * rewrite Ee, e_plus. apply Rmult_le_reg_r with (1 := E).
      replace (T (S n) * / (e (c * S n + d) * e n * (1 + u)) * (1 + u) * e (c * S n + d)) with (T (S n) * / e n) by (field; lra).
      apply Rle_trans with (2 := L). rewrite <- (Rmult_1_r (T (S n))) at 2. apply Rmult_le_compat_l; [easy|].
      rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
  + apply Rle_trans with (1 := Ur).
    change (acc (fun k => T k * e (c * k + d + S n)) (S n)) with
      (acc (fun k => T k * e (c * k + d + S n)) n + T (S n) * e (c * S n + d + S n)).
    rewrite Rmult_plus_distr_r. apply Rplus_le_compat.
    * apply Rle_trans with (acc (fun k => T k * e (c * k + d + n)) n * (1 + u)).
      { apply Rmult_le_compat_r; [lra|apply IHn]. }
      rewrite <- acc_scal. apply acc_le. intros k _. rewrite Ee. lra.
    * rewrite Ee, e_plus.
      apply Rle_trans with (T (S n) * e (c * S n + d) * (1 + u)); [apply Rmult_le_compat_r; lra|].
      assert (0 <= T (S n) * e (c * S n + d) * (1 + u)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
      replace (T (S n) * (e (c * S n + d) * e n * (1 + u))) with (T (S n) * e (c * S n + d) * (1 + u) * e n) by ring.
      rewrite <- Rmult_1_r at 1. apply Rmult_le_compat_l; lra.
Qed.

Lemma sum_nonneg n : (n <= steps)%nat -> 0 <= total n.
Proof.
intros L. apply Rle_trans with (2 := proj1 (sum_within n L)).
assert (G : forall m, (m <= n)%nat -> 0 <= acc (fun k => T k * / e (c * k + d + n)) m).
{ induction m; simpl; intros Lm.
  - apply Rmult_le_pos; [apply (terms 0); lia|apply Rlt_le, Rinv_0_lt_compat, e_pos].
  - apply Rplus_le_le_0_compat; [apply IHm; lia|].
    apply Rmult_le_pos; [apply (terms (S m)); lia|apply Rlt_le, Rinv_0_lt_compat, e_pos]. }
now apply G.
Qed.

(** First order made rigorous, for up to 16000 terms: one unit more than what is counted. *)
Theorem sum_doubt n : (n <= steps)%nat -> INR n <= 16000 -> (c <= 13)%nat -> (d <= 8)%nat ->
  Rabs (total n - acc T n) <=
  u * acc (fun k => T k * (INR c * INR k + INR n + INR d + 1)) n.
Proof.
intros Lsteps Ln Lc Ld. destruct (sum_within n Lsteps) as [L U'].
apply le_INR in Lc, Ld. simpl in Lc, Ld. assert (C := pos_INR c). assert (D := pos_INR d).
set (f := fun k => INR c * INR k + INR n + INR d + 1).
assert (Q := u_pos). assert (Q' : u <= / 1000000000000000) by (unfold u; simpl; lra).
assert (B : forall k, (k <= n)%nat ->
  T k - T k * f k * u <= T k * / e (c * k + d + n) /\ T k * e (c * k + d + n) <= T k + T k * f k * u).
{ intros k Lk. assert (X : 0 <= T k) by (apply (terms k); lia).
  apply le_INR in Lk. assert (K := pos_INR k).
  assert (E1 := e_lower (c * k + d + n)). assert (E2 := e_upper (c * k + d + n)).
  assert (M : INR (c * k + d + n) = INR c * INR k + INR d + INR n).
  { rewrite !plus_INR, mult_INR. lra. }
  rewrite M in *. set (m := INR c * INR k + INR d + INR n) in *.
  assert (CK : 0 <= INR c * INR k <= 13 * 16000).
  { split; [now apply Rmult_le_pos|apply Rmult_le_compat; lra]. }
  assert (Bm : 0 <= m <= 300000) by (unfold m; lra).
  assert (mu : m * u <= / 1000000000).
  { apply Rle_trans with (300000 * / 1000000000000000); [apply Rmult_le_compat|]; lra. }
  assert (mu0 : 0 <= m * u) by (apply Rmult_le_pos; lra).
  assert (mmu : m * u * (m * u) <= u).
  { replace (m * u * (m * u)) with (m * (m * u) * u) by ring. rewrite <- (Rmult_1_l u) at 3.
    apply Rmult_le_compat_r; [lra|].
    apply Rle_trans with (300000 * / 1000000000); [apply Rmult_le_compat|]; lra. }
  assert (Ef : f k = m + 1) by (unfold f, m; ring). rewrite Ef.
  specialize (E2 ltac:(lra)). split.
  - replace (T k - T k * (m + 1) * u) with (T k * (1 - (m + 1) * u)) by ring.
    apply Rmult_le_compat_l; lra.
  - replace (T k + T k * (m + 1) * u) with (T k * (1 + (m + 1) * u)) by ring.
    apply Rmult_le_compat_l; lra. }
rewrite (Rmult_comm u), <- acc_scal. fold f.
assert (H1 : acc T n - acc (fun k => T k * f k * u) n <= total n).
{ apply Rle_trans with (2 := L).
  apply Rle_trans with (acc (fun k => T k + - (T k * f k * u)) n).
  - rewrite acc_plus, (acc_opp (fun k => T k * f k * u)). lra.
  - apply acc_le. intros k Lk. destruct (B k Lk). lra. }
assert (H2 : total n <= acc T n + acc (fun k => T k * f k * u) n).
{ apply Rle_trans with (1 := U'). rewrite <- acc_plus. apply acc_le. intros k Lk. apply B, Lk. }
apply Rabs_le. unfold f in *. lra.
Qed.
End Sum.

(** An exact number that is large enough for what is computed of it not to underflow. *)
Definition sizeable (x : R) : Prop := bpow radix2 (-1021) <= x.

Lemma normal_within k y x : INR k <= 1000000 -> within k y x -> sizeable x -> normal y.
Proof.
intros K (_ & L & _) Z. right. unfold sizeable in Z.
assert (Q := u_pos). assert (Q' : u <= / 1000000000000000) by (unfold u; simpl; lra).
assert (Ku : 0 <= INR k * u <= / 2).
{ split; [apply Rmult_le_pos; [apply pos_INR|lra]|].
  apply Rle_trans with (1000000 * / 1000000000000000); [|lra].
  apply Rmult_le_compat; [apply pos_INR| | |]; lra. }
assert (E := e_upper k ltac:(lra)).
assert (INR k * u * (INR k * u) <= / 2 * / 2) by (apply Rmult_le_compat; lra).
assert (E2 : e k <= 2) by lra.
assert (P := e_pos k). assert (0 < bpow radix2 (-1021)) by apply bpow_gt_0.
assert (Y : 0 < y) by (apply Rmult_lt_reg_r with (1 := P); lra).
assert (y * e k <= y * 2) by (apply Rmult_le_compat_l; lra).
replace (bpow radix2 (-1021)) with (bpow radix2 (-1022) * 2) in Z.
2:{ change 2 with (bpow radix2 1). now rewrite <- bpow_plus. }
lra.
Qed.

Lemma sizeable_le x y : sizeable x -> x <= y -> sizeable y.
Proof. unfold sizeable. lra. Qed.

Lemma sizeable_1 x : 1 <= x -> sizeable x.
Proof. intros L. unfold sizeable. apply Rle_trans with (2 := L). change 1 with (bpow radix2 0). apply bpow_le. lia. Qed.

Lemma normal_ge x y : normal x -> 0 < x -> x <= y -> normal y.
Proof. intros [->|N] P L; [lra|right; lra]. Qed.
