(** The profile's series of positive terms: recurrence, cancellation bound, ratio of terms,
    remainder.  No integral is needed: the ratio bound is an elementary product inequality. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

Fixpoint poch (a : R) (n : nat) : R :=
  match n with O => 1 | S m => poch a m * (a + INR m) end.

Lemma poch_pos a n : 0 < a -> 0 < poch a n.
Proof. intros A; induction n; simpl; [lra|]. apply Rmult_lt_0_compat; [easy|]. generalize (pos_INR n); lra. Qed.

Section Profile.
Variables a s q : R.
Hypothesis Ha : 0 < a.
Hypothesis Hs : 0 < s.
Hypothesis Hq : 0 < q.
Let b := a + s.
Let A := 2 * a + s.

Definition V n := poch A n * q ^ n / poch a (S n).
Definition U n := poch A n * q ^ n / poch b (S n).
Definition T n := poch A n * q ^ n * (1 / poch a (S n) - 1 / poch b (S n)).

Let Hb : 0 < b. Proof. unfold b; lra. Qed.
Let HA : 0 < A. Proof. unfold A; lra. Qed.

Ltac nz := repeat match goal with
  | |- context [poch ?x ?n] => assert (poch x n <> 0) by (apply Rgt_not_eq, poch_pos; auto);
     generalize dependent (poch x n); intros
  end.

Lemma T_VU n : T n = V n - U n.
Proof.
unfold T, V, U. assert (X := poch_pos a (S n) Ha). assert (Y := poch_pos b (S n) Hb). field; lra.
Qed.

Lemma T_0 : T 0 = s / (a * (a + s)).
Proof. unfold T; simpl; unfold b in *; field; lra. Qed.

Lemma U_0 : U 0 = 1 / (a + s).
Proof. unfold U; simpl; unfold b in *; field; lra. Qed.

(** The recurrence: nothing is subtracted. *)
Theorem recurrence_of_partner n : U (S n) = q * (A + INR n) * U n / (b + INR (S n)).
Proof.
unfold U. change (poch A (S n)) with (poch A n * (A + INR n)).
change (poch b (S (S n))) with (poch b (S n) * (b + INR (S n))). simpl pow.
assert (Y := poch_pos b (S n) Hb). generalize (pos_INR (S n)); intro. field; lra.
Qed.

Theorem recurrence n :
  T (S n) = q * (A + INR n) / (a + INR (S n)) * (T n + U n * (s / (b + INR (S n)))).
Proof.
unfold T, U. change (poch A (S n)) with (poch A n * (A + INR n)).
change (poch b (S (S n))) with (poch b (S n) * (b + INR (S n))).
change (poch a (S (S n))) with (poch a (S n) * (a + INR (S n))). simpl pow.
assert (X := poch_pos a (S n) Ha). assert (Y := poch_pos b (S n) Hb).
generalize (pos_INR (S n)); intro.
assert (E : b = a + s) by reflexivity. rewrite E in Y |- *.
field; lra.
Qed.

(** The product inequality from which everything follows:
    prod (1 + s/(a+j)) over j <= n  is at least  1 + (n+1) s/(a+n). *)
Lemma poch_ratio n :
  poch a (S n) * (a + INR n + INR (S n) * s) <= poch b (S n) * (a + INR n).
Proof.
induction n.
- simpl. unfold b. nra.
- set (x := a + INR (S n)) in *.
  change (poch a (S (S n))) with (poch a (S n) * x).
  change (poch b (S (S n))) with (poch b (S n) * (b + INR (S n))).
  replace (b + INR (S n)) with (x + s) by (unfold x, b; ring).
  assert (X := poch_pos a (S n) Ha). assert (Y := poch_pos b (S n) Hb).
  replace (INR (S (S n))) with (INR (S n) + 1) by (symmetry; apply S_INR).
  assert (HS := S_INR n). set (k := INR (S n)) in *.
  assert (Z : 0 < a + INR n) by (generalize (pos_INR n); lra).
  assert (K : 0 < k) by (generalize (pos_INR n); lra).
  assert (Xx : x = a + INR n + 1) by (unfold x; lra).
  set (y := a + INR n) in *. set (pa := poch a (S n)) in *. set (pb := poch b (S n)) in *.
  (* pb >= pa (1 + k s / y) >= pa (1 + k s / x) *)
  assert (M : pa * (x + k * s) <= pb * x).
  { assert (L : pa <= pb).
    { apply Rmult_le_reg_r with y; [easy|]. apply Rle_trans with (2 := IHn).
      apply Rmult_le_compat_l; [lra|]. generalize (Rmult_lt_0_compat k s K Hs); lra. }
    rewrite Xx. lra. }
  assert (0 < k * s) by nra. assert (0 < x) by lra.
  assert (pa * (x * (x + (k + 1) * s)) <= (pa * (x + k * s)) * (x + s)) by (assert (0 <= pa * (k * s * s)) by (apply Rmult_le_pos; nra); nra).
  assert ((pa * (x + k * s)) * (x + s) <= (pb * x) * (x + s)) by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

Lemma T_pos n : 0 < T n.
Proof.
unfold T. apply Rmult_lt_0_compat.
- apply Rmult_lt_0_compat; [now apply poch_pos|now apply pow_lt].
- assert (X := poch_pos a (S n) Ha). assert (Y := poch_pos b (S n) Hb).
  assert (P := poch_ratio n).
  assert (Z : 0 < a + INR n) by (generalize (pos_INR n); lra).
  assert (K : 0 < INR (S n)) by (rewrite S_INR; generalize (pos_INR n); lra).
  assert (L : poch a (S n) < poch b (S n)).
  { apply Rmult_lt_reg_r with (a + INR n); [easy|]. apply Rlt_le_trans with (2 := P).
    apply Rmult_lt_compat_l; [easy|]. generalize (Rmult_lt_0_compat _ _ K Hs); lra. }
  assert (1 / poch b (S n) < 1 / poch a (S n)); [|lra].
  unfold Rdiv; rewrite !Rmult_1_l. apply Rinv_lt_contravar; [now apply Rmult_lt_0_compat|easy].
Qed.

(** "ratios-stay-bounded" for one step. *)
Theorem ratios_stay_bounded n :
  T (S n) <= q * ((INR n + 2) / (INR n + 1)) * ((A + INR n) / (a + INR n + 1)) * T n.
Proof.
unfold T at 1. change (poch A (S n)) with (poch A n * (A + INR n)).
change (poch b (S (S n))) with (poch b (S n) * (b + INR (S n))).
change (poch a (S (S n))) with (poch a (S n) * (a + INR (S n))). simpl pow. unfold T.
assert (X := poch_pos a (S n) Ha). assert (Y := poch_pos b (S n) Hb).
assert (Z := poch_pos A n HA). assert (W := pow_lt q n Hq). assert (P := poch_ratio n).
rewrite S_INR in *. assert (N := pos_INR n). set (k := INR n) in *.
set (pa := poch a (S n)) in *. set (pb := poch b (S n)) in *.
assert (Eb : b = a + s) by reflexivity. rewrite Eb in *. clearbody pa pb k. clear b Hb Eb.
set (c := poch A n * q ^ n * (q * (A + k))).
assert (C : 0 < c) by (unfold c; apply Rmult_lt_0_compat; nra).
assert (HA0 := HA).
replace (poch A n * (A + k) * (q * q ^ n) * (1 / (pa * (a + (k + 1))) - 1 / (pb * (a + s + (k + 1)))))
  with (c * (1 / (pa * (a + (k + 1))) - 1 / (pb * (a + s + (k + 1))))) by (unfold c; ring).
replace (q * ((k + 2) / (k + 1)) * ((A + k) / (a + k + 1)) * (poch A n * q ^ n * (1 / pa - 1 / pb)))
  with (c * ((k + 2) / ((k + 1) * (a + k + 1)) * (1 / pa - 1 / pb))) by (unfold c; field; lra).
apply Rmult_le_compat_l; [lra|].
apply Rmult_le_reg_r with (pa * pb * (k + 1) * (a + k + 1) * (a + s + k + 1)).
{ repeat apply Rmult_lt_0_compat; lra. }
replace ((1 / (pa * (a + (k + 1))) - 1 / (pb * (a + s + (k + 1)))) * (pa * pb * (k + 1) * (a + k + 1) * (a + s + k + 1)))
  with ((k + 1) * (pb * (a + s + k + 1) - pa * (a + k + 1))) by (field; lra).
replace ((k + 2) / ((k + 1) * (a + k + 1)) * (1 / pa - 1 / pb) * (pa * pb * (k + 1) * (a + k + 1) * (a + s + k + 1)))
  with ((k + 2) * (pb - pa) * (a + s + k + 1)) by (field; lra).
(* pa ((k+2)(b') - (k+1)(a')) <= pb b',  b' = a' + s,  a' = a + k + 1 *)
assert (pa * (a + k + 1 + s + (k + 1) * s) <= pb * (a + s + k + 1)).
{ apply Rmult_le_reg_r with (a + k); [lra|].
  apply Rle_trans with (pa * (a + k + (k + 1) * s) * (a + s + k + 1)); [|nra].
  assert (0 <= pa * ((k + 1) * s * (s + 1))) by (repeat apply Rmult_le_pos; nra). nra. }
nra.
Qed.

Lemma poch_cross n : poch a (S n) * b <= poch b (S n) * a.
Proof.
induction n; [right; simpl; unfold b; ring|].
change (poch b (S (S n))) with (poch b (S n) * (b + INR (S n))).
change (poch a (S (S n))) with (poch a (S n) * (a + INR (S n))).
assert (X := poch_pos a (S n) Ha). assert (Y := poch_pos b (S n) Hb).
assert (N := pos_INR (S n)).
assert (poch a (S n) * b * (a + INR (S n)) <= poch b (S n) * a * (a + INR (S n)))
  by (apply Rmult_le_compat_r; [lra|apply IHn]).
assert (0 <= poch b (S n) * a * s) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
assert (E : b = a + s) by reflexivity.
replace (b + INR (S n)) with (a + INR (S n) + s) by (rewrite E; ring). lra.
Qed.

(** Every term keeps a share s/(a+s) of the first series' term. *)
Theorem cancellation_bound n : s / (a + s) * V n <= T n.
Proof.
rewrite T_VU. unfold V, U. assert (X := poch_pos a (S n) Ha). assert (Y := poch_pos b (S n) Hb).
assert (C : 0 < poch A n * q ^ n) by (apply Rmult_lt_0_compat; [now apply poch_pos|now apply pow_lt]).
set (c := poch A n * q ^ n) in *.
assert (P := poch_cross n).
unfold b in *. set (pa := poch a (S n)) in *. set (pb := poch (a + s) (S n)) in *.
clearbody pa pb c.
apply Rmult_le_reg_r with (pa * pb * (a + s)); [repeat apply Rmult_lt_0_compat; lra|].
replace (s / (a + s) * (c / pa) * (pa * pb * (a + s))) with (c * (s * pb)) by (field; lra).
replace ((c / pa - c / pb) * (pa * pb * (a + s))) with (c * ((pb - pa) * (a + s))) by (field; lra).
apply Rmult_le_compat_l; lra.
Qed.

(** The bound that is used for all ratios from n on. *)
Definition rho n := q * ((INR n + 2) / (INR n + 1)) * Rmax 1 ((A + INR n) / (a + INR n + 1)).

Lemma rho_pos n : 0 < rho n.
Proof.
unfold rho. assert (N := pos_INR n). repeat apply Rmult_lt_0_compat; try lra.
- apply Rinv_0_lt_compat; lra.
- apply Rlt_le_trans with (2 := Rmax_l _ _); lra.
Qed.

Lemma rho_falls n : rho (S n) <= rho n.
Proof.
unfold rho. rewrite S_INR. assert (N := pos_INR n). set (k := INR n) in *.
assert (F1 : (k + 1 + 2) / (k + 1 + 1) <= (k + 2) / (k + 1)).
{ apply Rmult_le_reg_r with ((k + 1) * (k + 2)); [apply Rmult_lt_0_compat; lra|].
  replace ((k + 1 + 2) / (k + 1 + 1) * ((k + 1) * (k + 2))) with ((k + 3) * (k + 1)) by (field; lra).
  replace ((k + 2) / (k + 1) * ((k + 1) * (k + 2))) with ((k + 2) * (k + 2)) by (field; lra). nra. }
assert (F2 : Rmax 1 ((A + (k + 1)) / (a + (k + 1) + 1)) <= Rmax 1 ((A + k) / (a + k + 1))).
{ apply Rmax_lub; [apply Rmax_l|]. destruct (Rle_dec 1 (a + s)).
  - apply Rle_trans with (2 := Rmax_r _ _). unfold A.
    apply Rmult_le_reg_r with ((a + k + 1) * (a + k + 2)); [apply Rmult_lt_0_compat; lra|].
    replace ((2 * a + s + (k + 1)) / (a + (k + 1) + 1) * ((a + k + 1) * (a + k + 2)))
      with ((2 * a + s + k + 1) * (a + k + 1)) by (field; lra).
    replace ((2 * a + s + k) / (a + k + 1) * ((a + k + 1) * (a + k + 2)))
      with ((2 * a + s + k) * (a + k + 2)) by (field; lra). nra.
  - apply Rle_trans with (2 := Rmax_l _ _). unfold A.
    apply Rmult_le_reg_r with (a + (k + 1) + 1); [lra|].
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
assert (0 <= (k + 1 + 2) / (k + 1 + 1)) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
apply Rmult_le_compat.
- apply Rmult_le_pos; lra.
- apply Rle_trans with (2 := Rmax_l _ _); lra.
- apply Rmult_le_compat_l; lra.
- easy.
Qed.

Lemma T_ratio_rho n : T (S n) <= rho n * T n.
Proof.
apply Rle_trans with (1 := ratios_stay_bounded n). unfold rho. assert (N := pos_INR n).
apply Rmult_le_compat_r; [apply Rlt_le, T_pos|].
apply Rmult_le_compat_l.
- apply Rmult_le_pos; [lra|apply Rlt_le, Rdiv_lt_0_compat; lra].
- apply Rmax_r.
Qed.

Lemma T_geometric n k : T (n + k) <= T n * rho n ^ k.
Proof.
assert (F : forall m, rho (n + m) <= rho n).
{ induction m; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r.
  generalize (rho_falls (n + m)); lra. }
induction k; [rewrite Nat.add_0_r; simpl; lra|].
rewrite Nat.add_succ_r. apply Rle_trans with (1 := T_ratio_rho (n + k)).
apply Rle_trans with (rho n * T (n + k)).
- apply Rmult_le_compat_r; [apply Rlt_le, T_pos|apply F].
- simpl. generalize (rho_pos n); nra.
Qed.

(** "remainder-bound": the series converges, and what follows T_n is at most T_n rho/(1-rho). *)
Theorem remainder_bound n : rho n < 1 ->
  ex_series T /\
  0 < Series (fun k => T (S n + k)) <= T n * (rho n / (1 - rho n)).
Proof.
intros L. assert (P := rho_pos n).
assert (G : ex_series (fun k => T n * rho n * rho n ^ k)).
{ apply (ex_series_scal (V := R_NormedModule) (T n * rho n) (fun k => rho n ^ k)). apply ex_series_geom. rewrite Rabs_pos_eq; lra. }
assert (B : forall k, 0 <= T (S n + k) <= T n * rho n * rho n ^ k).
{ intros k; split; [apply Rlt_le, T_pos|].
  replace (S n + k)%nat with (n + S k)%nat by lia.
  generalize (T_geometric n (S k)); simpl; lra. }
assert (E : ex_series (fun k => T (S n + k))).
{ apply (ex_series_le (V := R_CompleteNormedModule)) with (2 := G). intros k. change (norm (T (S n + k))) with (Rabs (T (S n + k))).
  rewrite Rabs_pos_eq; apply B. }
split; [now apply ex_series_incr_n with (S n)|split].
- assert (E' := E). apply ex_series_incr_1 in E'.
  rewrite Series_incr_1 by easy.
  apply Rplus_lt_le_0_compat; [apply T_pos|].
  rewrite <- (Rmult_0_l (Series (fun _ => 0))). rewrite <- Series_scal_l.
  apply Series_le; [|easy]. intros k; rewrite Rmult_0_l; split; [lra|apply Rlt_le, T_pos].
- apply Rle_trans with (Series (fun k => T n * rho n * rho n ^ k)); [now apply Series_le|].
  rewrite Series_scal_l, Series_geom by (rewrite Rabs_pos_eq; lra). unfold Rdiv; lra.
Qed.

End Profile.
