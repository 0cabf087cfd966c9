(** The loop of difference_series in doubles against the exact series. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import SeriesSource Rounding RoundedSums.
Local Open Scope R_scope.

Section Loop.
(** Exact numbers, and the doubles that stand for them, as [front] of incomplete_beta.py has them
    whatever epsilon/step is: two doubles up to 32, one double and its rest above. *)
Variables a s q : R.
Hypothesis (Ha : 0 < a) (Hs : 0 < s) (Hq : 0 < q).
Let b := a + s.
Let A := 2 * a + s.
Variables second low scaled_low : R.
Hypothesis Wsecond : within 1 second b.          (* alpha + step, rounded *)
Hypothesis Wscaled : within 6 scaled_low (A * q).
Hypothesis Wlow : within 4 low q.

(** The exact series, times a b/A. *)
Variables T U : nat -> R.
Hypothesis T0 : T 0%nat = s / A.
Hypothesis U0 : U 0%nat = a / A.
Hypothesis TS : forall n, T (S n) = q * (A + INR n) / (a + INR (S n)) * (T n + U n * (s / (b + INR (S n)))).
Hypothesis US : forall n, U (S n) = q * (A + INR n) * U n / (b + INR (S n)).

(** The computed one: the loop of _advance as it stands in the source. *)
Variables term partner total : nat -> R.
Hypothesis term0 : within 2 (term 0%nat) (s / A).
Hypothesis partner0 : within 2 (partner 0%nat) (a / A).
Hypothesis total0 : total 0%nat = term 0%nat.
Variable steps : nat. (* that were run *)
Hypothesis few : INR steps <= 16000.
Hypothesis run : forall n, (n < steps)%nat ->
  (term (S n), partner (S n), total (S n)) =
  step_advance n a s second low scaled_low (term n) (partner n) (total n).
(** Exact numbers at or above 2^-1021: from them it follows that nothing underflows. *)
Hypothesis size_low : sizeable q.
Hypothesis size_scaled : sizeable (A * q).
Hypothesis sizes : forall n, (n < steps)%nat ->
  sizeable (U n / (b + INR (S n))) /\ sizeable (U n / (b + INR (S n)) * s) /\ sizeable (U (S n)) /\
  sizeable (q * (A + INR n) / (a + INR (S n))) /\ sizeable (T (S n)).

Lemma TU_pos n : 0 <= T n /\ 0 < U n.
Proof.
induction n.
- rewrite T0, U0. unfold A. split; [apply Rlt_le|]; apply Rdiv_lt_0_compat; lra.
- destruct IHn as [Tn Un]. rewrite TS, US. assert (N := pos_INR n). assert (N' := pos_INR (S n)).
  unfold A, b. split.
  + apply Rmult_le_pos.
    * apply Rlt_le, Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra.
    * apply Rplus_le_le_0_compat; [easy|]. apply Rlt_le, Rmult_lt_0_compat; [easy|apply Rdiv_lt_0_compat; lra].
  + apply Rdiv_lt_0_compat; [|lra]. repeat apply Rmult_lt_0_compat; lra.
Qed.

(** One run of the body: eleven roundings more, not thirteen, and no underflow. *)
Lemma one_step n : (n < steps)%nat -> 0 <= total n ->
  within (11 * n + 6) (term n) (T n) -> within (11 * n + 2) (partner n) (U n) ->
  normal_advance n a s second low scaled_low (term n) (partner n) (total n) /\
  within (11 * S n + 6) (term (S n)) (T (S n)) /\ within (11 * S n + 2) (partner (S n)) (U (S n)) /\
  total (S n) = rnd (total n + term (S n)) /\ normal (total n + term (S n)).
Proof.
intros Ln Pt Wt Wp. assert (R := run n Ln).
destruct (sizes n Ln) as (Z1 & Z2 & Z3 & Z4 & Z5).
assert (K := pos_INR n). assert (K' : 1 <= INR (S n)) by (rewrite S_INR; lra).
assert (Few : INR n <= 16000) by (apply le_INR in Ln; rewrite S_INR in Ln; lra).
unfold step_advance in R. unfold normal_advance. cbv zeta in *.
assert (Rt := f_equal (fun p => fst (fst p)) R). assert (Rp := f_equal (fun p => snd (fst p)) R).
assert (Rs := f_equal snd R). cbn [fst snd] in Rt, Rp, Rs. clear R.
assert (Big : forall k, (k <= 11 * n + 20)%nat -> INR k <= 1000000).
{ intros k Lk. apply le_INR in Lk. rewrite plus_INR, mult_INR in Lk. simpl INR in Lk. lra. }
assert (B : 0 < b + INR (S n)) by (unfold b; lra).
assert (Q : 0 < A * q) by (apply Rmult_lt_0_compat; [unfold A; lra|easy]).
destruct (TU_pos n) as [Tn Un].
assert (M1 : within 4 (low * INR n) (q * INR n)) by (apply (within_mult 4 0); [exact Wlow|now apply within_exact]).
assert (N1 : normal (low * INR n)).
{ destruct n as [|m]; [left; simpl; ring|]. apply normal_within with (2 := M1); [apply Big; lia|].
  apply sizeable_le with (1 := size_low). rewrite <- (Rmult_1_r q) at 1. apply Rmult_le_compat_l; [lra|].
  rewrite S_INR. generalize (pos_INR m); lra. }
assert (W1 := rounded 4 _ _ M1 N1).
assert (M2 : within 6 (rnd (low * INR n) + scaled_low) (q * (A + INR n))).
{ replace (q * (A + INR n)) with (q * INR n + A * q) by ring. apply within_add; [|exact Wscaled].
  apply within_weaken with (2 := W1); lia. }
assert (N2 : normal (rnd (low * INR n) + scaled_low)).
{ apply normal_within with (2 := M2); [apply Big; lia|]. apply sizeable_le with (1 := size_scaled).
  assert (0 <= q * INR n) by (apply Rmult_le_pos; lra). lra. }
assert (Wf := rounded 6 _ _ M2 N2). change (6 + 1)%nat with 7%nat in Wf.
assert (M3 : within 1 (second + INR (S n)) (b + INR (S n))).
{ apply within_add; [exact Wsecond|]. apply within_weaken with (k := 0%nat); [lia|apply within_exact; lra]. }
assert (N3 : normal (second + INR (S n))).
{ apply normal_within with (2 := M3); [apply Big; lia|]. apply sizeable_1. unfold b; lra. }
assert (Wb := rounded 1 _ _ M3 N3). change (1 + 1)%nat with 2%nat in Wb.
assert (M8 : within 0 (a + INR (S n)) (a + INR (S n))) by (apply within_exact; lra).
assert (N8 : normal (a + INR (S n))).
{ apply normal_within with (2 := M8); [apply Big; lia|]. apply sizeable_1. lra. }
assert (Wa := rounded 0 _ _ M8 N8). change (0 + 1)%nat with 1%nat in Wa.
set (f := rnd (rnd (low * INR n) + scaled_low)) in *.
set (db := rnd (second + INR (S n))) in *. set (da := rnd (a + INR (S n))) in *.
assert (M4 : within (11 * n + 4) (partner n / db) (U n / (b + INR (S n)))).
{ replace (11 * n + 4)%nat with (11 * n + 2 + 2)%nat by lia. now apply within_div. }
assert (N4 : normal (partner n / db)) by (apply normal_within with (2 := M4); [apply Big; lia|exact Z1]).
assert (Ws := rounded _ _ _ M4 N4). replace (11 * n + 4 + 1)%nat with (11 * n + 5)%nat in Ws by lia.
set (share := rnd (partner n / db)) in *.
assert (M5 : within (11 * n + 12) (share * f) (U (S n))).
{ rewrite US. replace (q * (A + INR n) * U n / (b + INR (S n)))
    with (U n / (b + INR (S n)) * (q * (A + INR n))) by (field; lra).
  replace (11 * n + 12)%nat with (11 * n + 5 + 7)%nat by lia. now apply within_mult. }
assert (N5 : normal (share * f)) by (apply normal_within with (2 := M5); [apply Big; lia|exact Z3]).
assert (M6 : within (11 * n + 5) (share * s) (U n / (b + INR (S n)) * s)).
{ replace (11 * n + 5)%nat with (11 * n + 5 + 0)%nat by lia.
  apply within_mult; [exact Ws|now apply within_exact, Rlt_le]. }
assert (N6 : normal (share * s)) by (apply normal_within with (2 := M6); [apply Big; lia|exact Z2]).
assert (W6 := rounded _ _ _ M6 N6). replace (11 * n + 5 + 1)%nat with (11 * n + 6)%nat in W6 by lia.
assert (M7 := within_add _ _ _ _ _ Wt W6).
assert (N7 : normal (term n + rnd (share * s))).
{ apply normal_within with (2 := M7); [apply Big; lia|]. apply sizeable_le with (1 := Z2). lra. }
assert (W7 := rounded _ _ _ M7 N7). replace (11 * n + 6 + 1)%nat with (11 * n + 7)%nat in W7 by lia.
assert (M9 : within (7 + 1) (f / da) (q * (A + INR n) / (a + INR (S n)))) by (apply within_div; [lra|exact Wf|exact Wa]).
assert (N9 : normal (f / da)) by (apply normal_within with (2 := M9); [apply Big; lia|exact Z4]).
assert (W9 := rounded _ _ _ M9 N9).
assert (M10 := within_mult _ _ _ _ _ _ W7 W9).
assert (ET : (T n + U n / (b + INR (S n)) * s) * (q * (A + INR n) / (a + INR (S n))) = T (S n)).
{ rewrite TS. field. unfold b in *; lra. }
rewrite ET in M10.
assert (N10 : normal (rnd (term n + rnd (share * s)) * rnd (f / da))).
{ apply normal_within with (2 := M10); [apply Big; lia|exact Z5]. }
assert (W10 := rounded _ _ _ M10 N10). rewrite <- Rt in W10. rewrite <- Rt in Rs.
assert (W5 := rounded _ _ _ M5 N5). rewrite <- Rp in W5.
replace (11 * n + 7 + (7 + 1 + 1) + 1)%nat with (11 * S n + 6)%nat in W10 by lia.
replace (11 * n + 12 + 1)%nat with (11 * S n + 2)%nat in W5 by lia.
assert (N11 : normal (total n + term (S n))).
{ apply normal_ge with (term (S n)); [|  |lra].
  - apply normal_within with (2 := W10); [apply Big; lia|exact Z5].
  - destruct W10 as (_ & L & _). assert (E := e_pos (11 * S n + 6)). unfold sizeable in Z5.
    assert (0 < bpow radix2 (-1021)) by apply bpow_gt_0.
    apply Rmult_lt_reg_r with (1 := E). lra. }
rewrite <- Rt. repeat split; try assumption; try apply W10; apply W5.
Qed.

Lemma whole_run n : (n <= steps)%nat -> 0 <= total n /\
  within (11 * n + 6) (term n) (T n) /\ within (11 * n + 2) (partner n) (U n).
Proof.
induction n; intros Ln.
- rewrite T0, U0, total0. assert (W := within_nonneg _ _ _ term0).
  split; [exact W|split; [apply within_weaken with (2 := term0); lia|exact partner0]].
- destruct IHn as (P & Wt & Wp); [lia|].
  destruct (one_step n Ln P Wt Wp) as (_ & Wt' & Wp' & Et & N).
  split; [|now split]. rewrite Et. apply within_nonneg with 1%nat (total n + term (S n)).
  apply within_rnd; [exact N|]. apply within_nonneg in Wt'. lra.
Qed.

(** Eleven roundings a term: 7 in f_n, 1 or 2 in each denominator. *)
Theorem terms_within n : (n <= steps)%nat ->
  within (11 * n + 6) (term n) (T n) /\ within (11 * n + 2) (partner n) (U n).
Proof. intros L. apply (whole_run n L). Qed.

(** Every operation of the run is of normal numbers. *)
Theorem nothing_underflows n : (n < steps)%nat ->
  normal_advance n a s second low scaled_low (term n) (partner n) (total n).
Proof.
intros L. destruct (whole_run n) as (P & Wt & Wp); [lia|]. now apply one_step.
Qed.

(** What the source adds as its doubt, first order made rigorous: 13 k + n + 8 units of round-off
    for the k-th term of n. *)
Theorem doubt_covers_rounding n : (n <= steps)%nat ->
  Rabs (total n - acc T n) <= u * acc (fun k => T k * units_of_term (INR k) (INR n)) n.
Proof.
intros L. assert (Ln : INR n <= 16000) by (apply le_INR in L; lra).
apply Rle_trans with (u * acc (fun k => T k * (INR 11 * INR k + INR n + INR 6 + 1)) n).
- apply sum_doubt with (term := term) (steps := steps); try easy; try lia.
  + intros k Lk. now apply terms_within.
  + intros k Lk. destruct (whole_run k) as (P & Wt & Wp); [lia|]. now apply one_step.
  + intros k Lk. destruct (whole_run k) as (P & Wt & Wp); [lia|]. now apply one_step.
- apply Rmult_le_compat_l; [generalize u_pos; lra|]. apply acc_le. intros k _.
  apply Rmult_le_compat_l; [apply TU_pos|]. unfold units_of_term, units_a_step.
  assert (K := pos_INR k). simpl INR. lra.
Qed.
End Loop.

(** The source's loop sums the series of the notes, times a b/A, within its stated doubt. *)
Theorem source_sums_the_series a s q second low scaled_low term partner total n :
  0 < a -> 0 < s -> 0 < q ->
  within 1 second (a + s) -> within 6 scaled_low ((2 * a + s) * q) ->
  within 4 low q ->
  within 2 (term 0%nat) (s / (2 * a + s)) -> within 2 (partner 0%nat) (a / (2 * a + s)) ->
  total 0%nat = term 0%nat ->
  (forall m, (m < n)%nat -> (term (S m), partner (S m), total (S m)) =
    step_advance m a s second low scaled_low (term m) (partner m) (total m)) ->
  INR n <= 16000 ->
  let scale := a * (a + s) / (2 * a + s) in
  let T := fun k => scale * PositiveSeries.T a s q k in
  let U := fun k => scale * PositiveSeries.U a s q k in
  sizeable q -> sizeable ((2 * a + s) * q) ->
  (forall m, (m < n)%nat ->
    sizeable (U m / (a + s + INR (S m))) /\ sizeable (U m / (a + s + INR (S m)) * s) /\ sizeable (U (S m)) /\
    sizeable (q * (2 * a + s + INR m) / (a + INR (S m))) /\ sizeable (T (S m))) ->
  Rabs (total n - acc T n) <= u * acc (fun k => T k * units_of_term (INR k) (INR n)) n.
Proof.
intros A S Q W1 W2 W3 T0 P0 E R L scale T U Z1 Z2 Z3.
apply (doubt_covers_rounding a s q A S Q second low scaled_low W1 W2 W3 T U)
  with (term := term) (partner := partner) (steps := n); auto.
- unfold T. rewrite PositiveSeries.T_0 by easy. unfold scale. field; lra.
- unfold U. rewrite PositiveSeries.U_0 by easy. unfold scale. field; lra.
- intros m. unfold T, U. rewrite PositiveSeries.recurrence by easy. assert (M := pos_INR m). rewrite S_INR. unfold scale. field; lra.
- intros m. unfold U. rewrite PositiveSeries.recurrence_of_partner by easy. assert (M := pos_INR m). rewrite S_INR. unfold scale. field; lra.
Qed.

(** One sum at a time is added by the same operations. *)
Theorem one_element_is_the_same : step_advance_one = step_advance /\ normal_advance_one = normal_advance.
Proof. split; reflexivity. Qed.
