(** The loop of difference_series in doubles against the exact series. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import SeriesSource Rounding.
Local Open Scope R_scope.

Section Loop.
(** Exact numbers, and the doubles that stand for them. *)
Variables a s q : R.
Hypothesis (Ha : 0 < a) (Hs : 0 < s) (Hq : 0 < q).
Let b := a + s.
Let A := 2 * a + s.
Variables second low scaled_low : R.
Hypothesis Wsecond : within 1 second b.          (* alpha + step, rounded *)
Hypothesis Wscaled : within 6 scaled_low (A * q). (* 2 where it is a head of two doubles, 6 where steep *)
Hypothesis Wlow : within 4 low q.                 (* quotient of two heads, or of one exponential *)

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
Hypothesis run : forall n, (n < steps)%nat ->
  (term (S n), partner (S n), total (S n)) =
  step_advance n a s second low scaled_low (term n) (partner n) (total n).
Hypothesis no_underflow : forall n, (n < steps)%nat ->
  normal_advance n a s second low scaled_low (term n) (partner n) (total n).

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

(** Eleven roundings a term, not thirteen: 7 in f_n, 1 or 2 in each denominator. *)
Theorem terms_within n : (n <= steps)%nat ->
  within (11 * n + 6) (term n) (T n) /\ within (11 * n + 2) (partner n) (U n).
Proof.
induction n; intros Ln.
- rewrite T0, U0. split; [apply within_weaken with (2 := term0); lia|exact partner0].
- destruct IHn as (Wt & Wp); [lia|]. assert (R := run n Ln). assert (N := no_underflow n Ln).
  assert (K := pos_INR n). assert (K' := pos_INR (S n)).
  unfold step_advance in R. unfold normal_advance in N. cbv zeta in *.
  destruct N as (N1 & N2 & N3 & N4 & N5 & N6 & N7 & N8 & N9 & N10 & N11 & _).
  assert (Rt := f_equal (fun p => fst (fst p)) R). assert (Rp := f_equal (fun p => snd (fst p)) R).
  cbn [fst snd] in Rt, Rp. rewrite Rt, Rp, TS, US. clear R Rt Rp.
  assert (Wf : within 7 (rnd (rnd (low * INR n) + scaled_low)) (q * (A + INR n))).
  { replace (q * (A + INR n)) with (q * INR n + A * q) by ring.
    apply (rounded 6); [|exact N2]. apply within_add; [|exact Wscaled].
    apply within_weaken with (k := 5%nat); [lia|].
    apply (rounded 4); [|exact N1]. apply (within_mult 4 0); [exact Wlow|now apply within_exact]. }
  assert (Wb : within 2 (rnd (second + INR (S n))) (b + INR (S n))).
  { apply (rounded 1); [|exact N3]. apply within_add; [exact Wsecond|].
    apply within_weaken with (k := 0%nat); [lia|now apply within_exact]. }
  assert (Wa : within 1 (rnd (a + INR (S n))) (a + INR (S n))).
  { apply (rounded 0); [|exact N8]. apply within_exact; lra. }
  assert (B : 0 < b + INR (S n)) by (unfold b; lra).
  set (f := rnd (rnd (low * INR n) + scaled_low)) in *.
  set (db := rnd (second + INR (S n))) in *. set (da := rnd (a + INR (S n))) in *.
  assert (Ws : within (11 * n + 5) (rnd (partner n / db)) (U n / (b + INR (S n)))).
  { replace (11 * n + 5)%nat with (11 * n + 2 + 2 + 1)%nat by lia. apply rounded; [|exact N4].
    now apply within_div. }
  set (share := rnd (partner n / db)) in *.
  split.
  + replace (q * (A + INR n) / (a + INR (S n)) * (T n + U n * (s / (b + INR (S n)))))
      with ((T n + U n / (b + INR (S n)) * s) * (q * (A + INR n) / (a + INR (S n)))) by (field; lra).
    replace (11 * S n + 6)%nat with (11 * n + 7 + 9 + 1)%nat by lia.
    apply rounded; [|exact N10]. apply within_mult.
    * replace (11 * n + 7)%nat with (11 * n + 6 + 1)%nat by lia. apply rounded; [|exact N7].
      apply within_add; [exact Wt|].
      replace (11 * n + 6)%nat with (11 * n + 5 + 0 + 1)%nat by lia. apply rounded; [|exact N6].
      apply within_mult; [exact Ws|now apply within_exact, Rlt_le].
    * apply (rounded (7 + 1)); [|exact N9]. apply within_div; [lra|exact Wf|exact Wa].
  + replace (q * (A + INR n) * U n / (b + INR (S n)))
      with (U n / (b + INR (S n)) * (q * (A + INR n))) by (field; lra).
    replace (11 * S n + 2)%nat with (11 * n + 5 + 7 + 1)%nat by lia.
    apply rounded; [|exact N5]. apply within_mult; [exact Ws|exact Wf].
Qed.

(** What the source adds as its doubt, first order made rigorous: 13 k + n + 8 units of round-off
    for the k-th term of n, for up to 8000 terms (4 _MOST_TERMS). *)
Theorem doubt_covers_rounding n : (n <= steps)%nat -> INR n <= 8000 ->
  Rabs (total n - acc T n) <= u * acc (fun k => T k * units_of_term (INR k) (INR n)) n.
Proof.
intros Ls Ln.
apply (charged_covers (fun k => (11 * k + 6)%nat) T term total steps) with (charged := fun k => units_of_term (INR k) (INR n)).
- intros k. apply TU_pos.
- intros k Lk. apply (terms_within k Lk).
- exact total0.
- intros k Lk. assert (R := run k Lk). unfold step_advance in R. cbv zeta in R.
  assert (Rt := f_equal (fun p => fst (fst p)) R). assert (Rs := f_equal snd R). cbn [fst snd] in Rt, Rs.
  rewrite Rt. exact Rs.
- intros k Lk. assert (R := run k Lk). assert (N := no_underflow k Lk).
  unfold step_advance in R. unfold normal_advance in N. cbv zeta in R, N.
  destruct N as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & N & _).
  assert (Rt := f_equal (fun p => fst (fst p)) R). cbn [fst snd] in Rt. rewrite Rt. exact N.
- exact Ls.
- intros k Lk. apply le_INR in Lk. assert (K := pos_INR k).
  rewrite !plus_INR, mult_INR. unfold units_of_term, units_a_step. simpl INR. lra.
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
  (forall m, (m < n)%nat ->
    normal_advance m a s second low scaled_low (term m) (partner m) (total m)) ->
  INR n <= 8000 ->
  let scale := a * (a + s) / (2 * a + s) in
  Rabs (total n - acc (fun k => scale * PositiveSeries.T a s q k) n) <=
  u * acc (fun k => scale * PositiveSeries.T a s q k * units_of_term (INR k) (INR n)) n.
Proof.
intros A S Q W1 W2 W3 T0 P0 E R N L scale.
apply (doubt_covers_rounding a s q A S Q second low scaled_low W1 W2 W3
  (fun k => scale * PositiveSeries.T a s q k) (fun k => scale * PositiveSeries.U a s q k)) with (term := term) (partner := partner) (steps := n); auto.
- rewrite PositiveSeries.T_0 by easy. unfold scale. field; lra.
- rewrite PositiveSeries.U_0 by easy. unfold scale. field; lra.
- intros m. rewrite PositiveSeries.recurrence by easy. assert (M := pos_INR m). rewrite S_INR. unfold scale. field; lra.
- intros m. rewrite PositiveSeries.recurrence_of_partner by easy. assert (M := pos_INR m). rewrite S_INR. unfold scale. field; lra.
Qed.

(** One sum at a time is added by the same operations. *)
Theorem one_element_is_the_same : step_advance_one = step_advance /\ normal_advance_one = normal_advance.
Proof. split; reflexivity. Qed.
