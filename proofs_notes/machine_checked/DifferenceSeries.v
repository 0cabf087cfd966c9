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
Hypothesis Wscaled : within 2 scaled_low (A * q). (* head of two doubles *)
Hypothesis Wlow : within 4 low q.                 (* quotient of two heads, and exp's 2^-62 *)

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

(** Ten roundings a term, not thirteen: 6 in f_n, 1 or 2 in each denominator. *)
Theorem terms_within n : (n <= steps)%nat ->
  within (10 * n + 6) (term n) (T n) /\ within (10 * n + 2) (partner n) (U n).
Proof.
induction n; intros Ln.
- rewrite T0, U0. split; [apply within_weaken with (2 := term0); lia|exact partner0].
- destruct IHn as (Wt & Wp); [lia|]. assert (R := run n Ln). assert (N := no_underflow n Ln).
  assert (K := pos_INR n). assert (K' := pos_INR (S n)).
  unfold step_advance in R. unfold normal_advance in N. cbv zeta in *.
  destruct N as (N1 & N2 & N3 & N4 & N5 & N6 & N7 & N8 & N9 & N10 & N11 & _).
  assert (Rt := f_equal (fun p => fst (fst p)) R). assert (Rp := f_equal (fun p => snd (fst p)) R).
  cbn [fst snd] in Rt, Rp. rewrite Rt, Rp, TS, US. clear R Rt Rp.
  assert (Wf : within 6 (rnd (rnd (low * INR n) + scaled_low)) (q * (A + INR n))).
  { replace (q * (A + INR n)) with (q * INR n + A * q) by ring.
    apply (rounded 5); [|exact N2]. apply within_add.
    - apply (rounded 4); [|exact N1]. apply (within_mult 4 0); [exact Wlow|now apply within_exact].
    - apply within_weaken with (2 := Wscaled); lia. }
  assert (Wb : within 2 (rnd (second + INR (S n))) (b + INR (S n))).
  { apply (rounded 1); [|exact N3]. apply within_add; [exact Wsecond|].
    apply within_weaken with (k := 0%nat); [lia|now apply within_exact]. }
  assert (Wa : within 1 (rnd (a + INR (S n))) (a + INR (S n))).
  { apply (rounded 0); [|exact N8]. apply within_exact; lra. }
  assert (B : 0 < b + INR (S n)) by (unfold b; lra).
  set (f := rnd (rnd (low * INR n) + scaled_low)) in *.
  set (db := rnd (second + INR (S n))) in *. set (da := rnd (a + INR (S n))) in *.
  assert (Ws : within (10 * n + 5) (rnd (partner n / db)) (U n / (b + INR (S n)))).
  { replace (10 * n + 5)%nat with (10 * n + 2 + 2 + 1)%nat by lia. apply rounded; [|exact N4].
    now apply within_div. }
  set (share := rnd (partner n / db)) in *.
  split.
  + replace (q * (A + INR n) / (a + INR (S n)) * (T n + U n * (s / (b + INR (S n)))))
      with ((T n + U n / (b + INR (S n)) * s) * (q * (A + INR n) / (a + INR (S n)))) by (field; lra).
    replace (10 * S n + 6)%nat with (10 * n + 7 + 8 + 1)%nat by lia.
    apply rounded; [|exact N10]. apply within_mult.
    * replace (10 * n + 7)%nat with (10 * n + 6 + 1)%nat by lia. apply rounded; [|exact N7].
      apply within_add; [exact Wt|].
      replace (10 * n + 6)%nat with (10 * n + 5 + 0 + 1)%nat by lia. apply rounded; [|exact N6].
      apply within_mult; [exact Ws|now apply within_exact, Rlt_le].
    * apply (rounded (6 + 1)); [|exact N9]. apply within_div; [lra|exact Wf|exact Wa].
  + replace (q * (A + INR n) * U n / (b + INR (S n)))
      with (U n / (b + INR (S n)) * (q * (A + INR n))) by (field; lra).
    replace (10 * S n + 2)%nat with (10 * n + 5 + 6 + 1)%nat by lia.
    apply rounded; [|exact N5]. apply within_mult; [exact Ws|exact Wf].
Qed.

(** The running sum: every term carries its own roundings and those of the additions. *)
Theorem total_within n : (n <= steps)%nat ->
  acc (fun k => T k * / e (10 * k + 6 + n)) n <= total n <= acc (fun k => T k * e (10 * k + 6 + n)) n.
Proof.
induction n; intros Ln.
- change (T 0%nat * / e 6 <= total 0%nat <= T 0%nat * e 6). rewrite total0.
  destruct (terms_within 0 Ln) as [(X & L & U') _]. change (10 * 0 + 6)%nat with 6%nat in *.
  assert (E := e_pos 6). split; [|exact U'].
  apply Rmult_le_reg_r with (1 := E). rewrite Rmult_assoc, Rinv_l by lra. lra.
- specialize (IHn ltac:(lia)). assert (R := run n Ln). assert (N := no_underflow n Ln).
  unfold step_advance in R. unfold normal_advance in N. cbv zeta in *.
  destruct N as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & N & _).
  assert (Rt := f_equal (fun p => fst (fst p)) R). assert (Rs := f_equal snd R). cbn [fst snd] in Rt, Rs. clear R.
  rewrite <- Rt in N, Rs. rewrite Rs. clear Rt Rs.
  destruct (terms_within (S n) Ln) as [W _].
  assert (Pt := within_nonneg _ _ _ W). destruct W as (X & L & U').
  assert (Pn : 0 <= total n).
  { apply Rle_trans with (2 := proj1 IHn). clear - Ha Hs Hq T0 U0 TS US.
    assert (G : forall m, 0 <= acc (fun k => T k * / e (10 * k + 6 + n)) m).
    { induction m; simpl.
      - apply Rmult_le_pos; [apply TU_pos|apply Rlt_le, Rinv_0_lt_compat, e_pos].
      - apply Rplus_le_le_0_compat; [easy|].
        apply Rmult_le_pos; [apply TU_pos|apply Rlt_le, Rinv_0_lt_compat, e_pos]. }
    apply G. }
  destruct (within_rnd _ N) as (_ & Lr & Ur); [lra|].
  unfold e in Lr, Ur; rewrite pow_1 in Lr, Ur. assert (Q := u_pos).
  set (y := rnd (total n + term (S n))) in *.
  assert (Ee : forall k, e (k + S n) = e (k + n) * (1 + u)).
  { intros k. replace (k + S n)%nat with (k + n + 1)%nat by lia. rewrite e_plus. unfold e at 2. now rewrite pow_1. }
  assert (E := e_pos (10 * S n + 6)). assert (E' := e_ge_1 n).
  split.
  + apply Rmult_le_reg_r with (1 + u); [lra|]. apply Rle_trans with (2 := Lr).
    rewrite <- acc_scal. change (acc (fun k => T k * / e (10 * k + 6 + S n) * (1 + u)) (S n)) with
      (acc (fun k => T k * / e (10 * k + 6 + S n) * (1 + u)) n + T (S n) * / e (10 * S n + 6 + S n) * (1 + u)).
    apply Rplus_le_compat.
    * apply Rle_trans with (2 := proj1 IHn). apply acc_le. intros k _. rewrite Ee.
      assert (P := e_pos (10 * k + 6 + n)). right. field. lra.
    * rewrite Ee, e_plus. apply Rmult_le_reg_r with (1 := E).
      replace (T (S n) * / (e (10 * S n + 6) * e n * (1 + u)) * (1 + u) * e (10 * S n + 6)) with (T (S n) * / e n) by (field; lra).
      apply Rle_trans with (2 := L). rewrite <- (Rmult_1_r (T (S n))) at 2. apply Rmult_le_compat_l; [easy|].
      rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
  + apply Rle_trans with (1 := Ur).
    change (acc (fun k => T k * e (10 * k + 6 + S n)) (S n)) with
      (acc (fun k => T k * e (10 * k + 6 + S n)) n + T (S n) * e (10 * S n + 6 + S n)).
    rewrite Rmult_plus_distr_r. apply Rplus_le_compat.
    * apply Rle_trans with (acc (fun k => T k * e (10 * k + 6 + n)) n * (1 + u)).
      { apply Rmult_le_compat_r; [lra|apply IHn]. }
      rewrite <- acc_scal. apply acc_le. intros k _. rewrite Ee. lra.
    * rewrite Ee, e_plus. 
      apply Rle_trans with (T (S n) * e (10 * S n + 6) * (1 + u)); [apply Rmult_le_compat_r; lra|].
      assert (0 <= T (S n) * e (10 * S n + 6) * (1 + u)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
      replace (T (S n) * (e (10 * S n + 6) * e n * (1 + u))) with (T (S n) * e (10 * S n + 6) * (1 + u) * e n) by ring.
      rewrite <- Rmult_1_r at 1. apply Rmult_le_compat_l; lra.
Qed.

(** What the source adds as its doubt, first order made rigorous: 13 k + n + 8 units of round-off
    for the k-th term of n, for up to 8000 terms (4 _MOST_TERMS). *)
Theorem doubt_covers_rounding n : (n <= steps)%nat -> INR n <= 8000 ->
  Rabs (total n - acc T n) <= u * acc (fun k => T k * units_of_term (INR k) (INR n)) n.
Proof.
intros Lsteps Ln. destruct (total_within n Lsteps) as [L U'].
assert (Q := u_pos). assert (Q' : u <= / 1000000000000000) by (unfold u; simpl; lra).
assert (B : forall k, (k <= n)%nat ->
  T k - T k * units_of_term (INR k) (INR n) * u <= T k * / e (10 * k + 6 + n) /\ T k * e (10 * k + 6 + n) <= T k + T k * units_of_term (INR k) (INR n) * u).
{ intros k Lk. apply le_INR in Lk. assert (K := pos_INR k). assert (X := proj1 (TU_pos k)).
  assert (E1 := e_lower (10 * k + 6 + n)). assert (E2 := e_upper (10 * k + 6 + n)).
  assert (M : INR (10 * k + 6 + n) = 10 * INR k + 6 + INR n).
  { rewrite !plus_INR, mult_INR. simpl. lra. }
  rewrite M in *. set (m := 10 * INR k + 6 + INR n) in *.
  assert (0 <= m <= 100000) by (unfold m; lra).
  assert (mu : m * u <= / 10000000000).
  { apply Rle_trans with (100000 * / 1000000000000000); [apply Rmult_le_compat|]; lra. }
  assert (mu0 : 0 <= m * u) by (apply Rmult_le_pos; lra).
  assert (mmu : m * u * (m * u) <= 2 * u).
  { replace (m * u * (m * u)) with (m * (m * u) * u) by ring. apply Rmult_le_compat_r; [lra|].
    apply Rle_trans with (100000 * / 10000000000); [apply Rmult_le_compat|]; lra. }
  specialize (E2 ltac:(lra)).
  assert (Z : m * u + 2 * u <= units_of_term (INR k) (INR n) * u).
  { replace (m * u + 2 * u) with ((m + 2) * u) by ring. apply Rmult_le_compat_r; [lra|unfold m, units_of_term, units_a_step; lra]. }
  split.
  - replace (T k - T k * units_of_term (INR k) (INR n) * u) with (T k * (1 - units_of_term (INR k) (INR n) * u)) by ring.
    apply (Rmult_le_compat_l (T k)); [exact X|lra].
  - replace (T k + T k * units_of_term (INR k) (INR n) * u) with (T k * (1 + units_of_term (INR k) (INR n) * u)) by ring.
    apply (Rmult_le_compat_l (T k)); [exact X|lra]. }
rewrite (Rmult_comm u), <- acc_scal.
assert (H1 : acc T n - acc (fun k => T k * units_of_term (INR k) (INR n) * u) n <= total n).
{ apply Rle_trans with (2 := L).
  apply Rle_trans with (acc (fun k => T k + (- (T k * units_of_term (INR k) (INR n) * u)) ) n).
  - rewrite acc_plus, (acc_opp (fun k => T k * units_of_term (INR k) (INR n) * u)). lra.
  - apply acc_le. intros k Lk. destruct (B k Lk). lra. }
assert (H2 : total n <= acc T n + acc (fun k => T k * units_of_term (INR k) (INR n) * u) n).
{ apply Rle_trans with (1 := U'). rewrite <- acc_plus. apply acc_le. intros k Lk. apply B, Lk. }
apply Rabs_le. lra.
Qed.
End Loop.

(** The source's loop sums the series of the notes, times a b/A, within its stated doubt. *)
Theorem source_sums_the_series a s q second low scaled_low term partner total n :
  0 < a -> 0 < s -> 0 < q ->
  within 1 second (a + s) -> within 2 scaled_low ((2 * a + s) * q) ->
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
