(** The loops whose terms have one factor each, in doubles: the complement's series and that of the
    incomplete beta. t_(n+1) = z (A + n)/(c + n + 1) t_n, c being b or a. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import SeriesSource Rounding RoundedSums.
Local Open Scope R_scope.

Section Loop.
Variables A z c : R.
Hypothesis (HA : 0 < A) (Hz : 0 < z) (Hc : 0 < c).
Variables bottom point scaled : R.
Variables i j first : nat. (* roundings of the point, of A z, and of the first term *)
Hypothesis Wbottom : within 1 bottom c.
Hypothesis Wpoint : within i point z.
Hypothesis Wscaled : within j scaled (A * z).
Hypothesis room : (i + 1 <= j)%nat.
Hypothesis little : (j <= 20)%nat /\ (first <= 20)%nat.

Variable t : nat -> R.
Hypothesis t0 : 0 < t 0%nat.
Hypothesis tS : forall n, t (S n) = z * (A + INR n) / (c + INR (S n)) * t n.

Variables term total : nat -> R.
Hypothesis term0 : within first (term 0%nat) (t 0%nat).
Hypothesis total0 : total 0%nat = term 0%nat.
Variable steps : nat.
Hypothesis few : INR steps <= 16000.
Hypothesis run : forall n, (n < steps)%nat ->
  (term (S n), total (S n)) = step_advance_complement n bottom point scaled (term n) (total n).
Hypothesis size_point : sizeable z.
Hypothesis size_scaled : sizeable (A * z).
Hypothesis sizes : forall n, (n < steps)%nat ->
  sizeable (z * (A + INR n) / (c + INR (S n))) /\ sizeable (t (S n)).

Lemma t_pos n : 0 < t n.
Proof.
induction n; [exact t0|]. rewrite tS. assert (N := pos_INR n). rewrite S_INR.
apply Rmult_lt_0_compat; [|exact IHn]. apply Rdiv_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; lra.
Qed.

Let p := (j + 5)%nat. (* a sum, a denominator of two, a quotient, a product *)

Lemma one_step n : (n < steps)%nat -> 0 <= total n -> within (p * n + first) (term n) (t n) ->
  normal_advance_complement n bottom point scaled (term n) (total n) /\
  within (p * S n + first) (term (S n)) (t (S n)) /\
  total (S n) = rnd (total n + term (S n)) /\ normal (total n + term (S n)).
Proof.
intros Ln Pt Wt. assert (R := run n Ln). destruct (sizes n Ln) as (Z1 & Z2).
assert (K := pos_INR n). assert (K' : 1 <= INR (S n)) by (rewrite S_INR; lra).
assert (Few : INR n <= 16000) by (apply le_INR in Ln; rewrite S_INR in Ln; lra).
unfold step_advance_complement in R. unfold normal_advance_complement. cbv zeta in *.
assert (Rt := f_equal fst R). assert (Rs := f_equal snd R). cbn [fst snd] in Rt, Rs. clear R.
assert (Big : forall k, (k <= p * S n + first)%nat -> INR k <= 1000000).
{ intros k Lk. assert (L25 : (p <= 25)%nat) by (unfold p; lia).
  assert (L2 : (k <= 25 * S n + 20)%nat) by nia.
  apply le_INR in L2. rewrite plus_INR, mult_INR, (S_INR n) in L2. simpl INR in L2. lra. }
assert (Pp : (p * S n = p * n + p)%nat) by lia.
assert (M1 : within i (point * INR n) (z * INR n)).
{ replace i with (i + 0)%nat by lia. apply within_mult; [exact Wpoint|now apply within_exact]. }
assert (N1 : normal (point * INR n)).
{ destruct n as [|m]; [left; simpl; ring|]. apply normal_within with (2 := M1); [apply Big; unfold p in *; lia|].
  apply sizeable_le with (1 := size_point). rewrite <- (Rmult_1_r z) at 1. apply Rmult_le_compat_l; [lra|].
  rewrite S_INR. generalize (pos_INR m); lra. }
assert (W1 := rounded _ _ _ M1 N1).
assert (M2 : within j (rnd (point * INR n) + scaled) (z * (A + INR n))).
{ replace (z * (A + INR n)) with (z * INR n + A * z) by ring. apply within_add; [|exact Wscaled].
  apply within_weaken with (2 := W1); lia. }
assert (N2 : normal (rnd (point * INR n) + scaled)).
{ apply normal_within with (2 := M2); [apply Big; unfold p in *; lia|]. apply sizeable_le with (1 := size_scaled).
  assert (0 <= z * INR n) by (apply Rmult_le_pos; lra). lra. }
assert (Wf := rounded _ _ _ M2 N2).
assert (M3 : within 1 (bottom + INR (S n)) (c + INR (S n))).
{ apply within_add; [exact Wbottom|]. apply within_weaken with (k := 0%nat); [lia|apply within_exact; lra]. }
assert (N3 : normal (bottom + INR (S n))).
{ apply normal_within with (2 := M3); [apply Big; unfold p in *; lia|]. apply sizeable_1. lra. }
assert (Wb := rounded _ _ _ M3 N3).
assert (M4 : within (j + 1 + (1 + 1)) (rnd (rnd (point * INR n) + scaled) / rnd (bottom + INR (S n)))
  (z * (A + INR n) / (c + INR (S n)))) by (apply within_div; [lra|exact Wf|exact Wb]).
assert (N4 : normal (rnd (rnd (point * INR n) + scaled) / rnd (bottom + INR (S n)))).
{ apply normal_within with (2 := M4); [apply Big; unfold p in *; lia|exact Z1]. }
assert (W4 := rounded _ _ _ M4 N4).
assert (M5 := within_mult _ _ _ _ _ _ Wt W4). rewrite (Rmult_comm (t n)), <- tS in M5.
assert (N5 : normal (term n * rnd (rnd (rnd (point * INR n) + scaled) / rnd (bottom + INR (S n))))).
{ apply normal_within with (2 := M5); [apply Big; unfold p in *; lia|exact Z2]. }
assert (W5 := rounded _ _ _ M5 N5). rewrite <- Rt in W5, Rs.
replace (p * n + first + (j + 1 + (1 + 1) + 1) + 1)%nat with (p * S n + first)%nat in W5 by (unfold p; lia).
assert (N6 : normal (total n + term (S n))).
{ apply normal_ge with (term (S n)); [| |lra].
  - apply normal_within with (2 := W5); [apply Big; lia|exact Z2].
  - destruct W5 as (_ & L & _). assert (E := e_pos (p * S n + first)). assert (P := t_pos (S n)).
    apply Rmult_lt_reg_r with (1 := E). lra. }
rewrite <- Rt. repeat split; try assumption; apply W5.
Qed.

Lemma whole_run n : (n <= steps)%nat -> 0 <= total n /\ within (p * n + first) (term n) (t n).
Proof.
induction n; intros Ln.
- rewrite total0, Nat.mul_0_r. split; [now apply within_nonneg in term0|exact term0].
- destruct IHn as (P & Wt); [lia|]. destruct (one_step n Ln P Wt) as (_ & Wt' & Et & N).
  split; [|exact Wt']. rewrite Et. apply within_nonneg with 1%nat (total n + term (S n)).
  apply within_rnd; [exact N|]. apply within_nonneg in Wt'. lra.
Qed.

Lemma one_factor_doubt n : (n <= steps)%nat -> (p <= 13)%nat -> (first <= 8)%nat ->
  Rabs (total n - acc t n) <= u * acc (fun k => t k * (INR p * INR k + INR n + INR first + 1)) n.
Proof.
intros L P F. assert (Ln : INR n <= 16000) by (apply le_INR in L; lra).
apply sum_doubt with (term := term) (steps := steps); try easy.
- intros k Lk. now apply whole_run.
- intros k Lk. destruct (whole_run k) as (Q & Wt); [lia|]. now apply one_step.
- intros k Lk. destruct (whole_run k) as (Q & Wt); [lia|]. now apply one_step.
Qed.

Lemma one_factor_normal n : (n < steps)%nat ->
  normal_advance_complement n bottom point scaled (term n) (total n).
Proof. intros L. destruct (whole_run n) as (P & Wt); [lia|]. now apply one_step. Qed.
End Loop.

(** The complement's series V(z), times a b/A, z = q or 1 - q: 14 (n + 8) units cover it. *)
Theorem complement_doubt_covers_rounding a s z second point scaled term total n :
  0 < a -> 0 < s -> 0 < z ->
  within 1 second (a + s) -> within 4 point z -> within 6 scaled ((2 * a + s) * z) ->
  within 2 (term 0%nat) (a / (2 * a + s)) -> total 0%nat = term 0%nat ->
  (forall m, (m < n)%nat -> (term (S m), total (S m)) =
    step_advance_complement m second point scaled (term m) (total m)) ->
  INR n <= 16000 ->
  let v := fun k => a * (a + s) / (2 * a + s) * PositiveSeries.U a s z k in
  sizeable z -> sizeable ((2 * a + s) * z) ->
  (forall m, (m < n)%nat ->
    sizeable (z * (2 * a + s + INR m) / (a + s + INR (S m))) /\ sizeable (v (S m))) ->
  Rabs (total n - acc v n) <= u * units_of_complement (INR n) * acc v n.
Proof.
intros A S Z W1 W2 W3 T0 E R L v Z1 Z2 Z3.
assert (V0 : v 0%nat = a / (2 * a + s)) by (unfold v; rewrite PositiveSeries.U_0 by easy; field; lra).
assert (VS : forall m, v (Datatypes.S m) = z * (2 * a + s + INR m) / (a + s + INR (Datatypes.S m)) * v m).
{ intros m. unfold v. rewrite PositiveSeries.recurrence_of_partner by easy.
  assert (M := pos_INR m). rewrite S_INR. field; lra. }
assert (V0p : 0 < v 0%nat) by (rewrite V0; apply Rdiv_lt_0_compat; lra).
assert (HA : 0 < 2 * a + s) by lra. assert (Hc : 0 < a + s) by lra.
rewrite <- V0 in T0.
assert (D := one_factor_doubt (2 * a + s) z (a + s) HA Z Hc second point scaled 4 6 2 W1 W2 W3
  ltac:(lia) ltac:(lia) v V0p VS term total T0 E n L R Z1 Z2 Z3 n (le_n n) ltac:(lia) ltac:(lia)).
apply Rle_trans with (1 := D). rewrite Rmult_assoc. apply Rmult_le_compat_l; [generalize u_pos; lra|].
rewrite (Rmult_comm (units_of_complement _)), <- acc_scal. apply acc_le. intros k Lk.
apply Rmult_le_compat_l; [apply Rlt_le, (t_pos (2 * a + s) z (a + s) HA Z Hc v V0p VS)|].
apply le_INR in Lk. unfold units_of_complement, units_a_step.
assert (K := pos_INR k). simpl INR. lra.
Qed.

(** The array's loop and that of one element, and the incomplete beta's, are these operations. *)
Theorem complement_of_one_is_the_same :
  step_advance_one_complement = step_advance_complement /\
  normal_advance_one_complement = normal_advance_complement.
Proof. split; reflexivity. Qed.

(** The incomplete beta's loop adds A x first, then x n: the same sum. *)
Theorem summed_is_the_same n front place below term value :
  step_summed n front place below term value = step_advance_complement n below place front term value.
Proof. unfold step_summed, step_advance_complement. cbv zeta. rewrite (Rplus_comm front). reflexivity. Qed.

(** The series of I_x(a, b), t_n = a poch A n x^n / poch a (n+1), or of its complement with x and
    1 - x, a and b exchanged: 7 k + n + 8 units cover it, x off by one rounding, A x by two. *)
Theorem summed_doubt_covers_rounding a A x below place front term value n :
  0 < a -> 0 < A -> 0 < x ->
  within 1 below a -> within 1 place x -> within 2 front (A * x) ->
  term 0%nat = 1 -> value 0%nat = 1 ->
  (forall m, (m < n)%nat -> (term (S m), value (S m)) =
    step_summed m front place below (term m) (value m)) ->
  INR n <= 16000 ->
  let t := fun k => a * (PositiveSeries.poch A k * x ^ k / PositiveSeries.poch a (S k)) in
  sizeable x -> sizeable (A * x) ->
  (forall m, (m < n)%nat -> sizeable (x * (A + INR m) / (a + INR (S m))) /\ sizeable (t (S m))) ->
  Rabs (value n - acc t n) <= u * acc (fun k => t k * units_of_summed (INR k) (INR n)) n.
Proof.
intros Ha HA Hx W1 W2 W3 T0 E R L t Z1 Z2 Z3.
assert (t0 : t 0%nat = 1) by (unfold t; simpl; field; lra).
assert (tS : forall m, t (S m) = x * (A + INR m) / (a + INR (S m)) * t m).
{ intros m. unfold t. change (PositiveSeries.poch A (S m)) with (PositiveSeries.poch A m * (A + INR m)).
  change (PositiveSeries.poch a (S (S m))) with (PositiveSeries.poch a (S m) * (a + INR (S m))). simpl pow.
  assert (P := PositiveSeries.poch_pos a (S m) Ha). assert (M := pos_INR (S m)). field; lra. }
assert (t0p : 0 < t 0%nat) by lra.
assert (W0 : within 0 (term 0%nat) (t 0%nat)) by (rewrite t0, T0; apply within_exact; lra).
assert (D := one_factor_doubt A x a HA Hx Ha below place front 1 2 0 W1 W2 W3
  ltac:(lia) ltac:(lia) t t0p tS term value W0 ltac:(congruence) n L
  ltac:(intros m Lm; rewrite R by easy; apply summed_is_the_same) Z1 Z2 Z3 n (le_n n) ltac:(lia) ltac:(lia)).
apply Rle_trans with (1 := D). apply Rmult_le_compat_l; [generalize u_pos; lra|].
apply acc_le. intros k Lk.
apply Rmult_le_compat_l; [apply Rlt_le, (t_pos A x a HA Hx Ha t t0p tS)|].
unfold units_of_summed. assert (K := pos_INR k). simpl INR. lra.
Qed.
