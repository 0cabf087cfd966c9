(** The answer of dirichlet.profile.delta in doubles, where it is 1 less the two series of the complement,
    is at or above the hockey-stick of the dominating pair. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Simplexcert Require PositiveSeries Densities.
From Simplexcert Require Import TwoCrossings BetaLaw Profile.
From Simplexcert Require Import SeriesSource Rounding RoundedSums LastSteps LastStepsOfRest Underflow Sizes Answer Complement.
Local Open Scope R_scope.

Lemma loop_nonneg second point scaled term total n : 0 <= second -> 0 <= point -> 0 <= scaled -> 0 <= term 0%nat ->
  total 0%nat = term 0%nat ->
  (forall m, (m < n)%nat -> (term (S m), total (S m)) =
    step_advance_complement m second point scaled (term m) (total m)) ->
  0 <= total n.
Proof.
intros B P C T0 E R. enough (H : forall m, (m <= n)%nat -> 0 <= term m /\ 0 <= total m) by (apply H; lia).
induction m as [|m IH]; intros L; [rewrite E; now split|]. destruct IH as [T1 T2]; [lia|].
assert (Rm := R m ltac:(lia)). unfold step_advance_complement in Rm. cbv zeta in Rm.
assert (Rt := f_equal fst Rm). assert (Rs := f_equal snd Rm). cbn [fst snd] in Rt, Rs. rewrite <- Rt in Rs.
assert (N := pos_INR m). assert (N' := pos_INR (S m)).
assert (F1 : 0 <= rnd (rnd (point * INR m) + scaled)).
{ apply rnd_nonneg, Rplus_le_le_0_compat; [apply rnd_nonneg, Rmult_le_pos|]; assumption. }
assert (F2 : 0 <= rnd (second + INR (S m))) by (apply rnd_nonneg; lra).
assert (F3 : 0 <= rnd (rnd (rnd (point * INR m) + scaled) / rnd (second + INR (S m)))).
{ apply rnd_nonneg, Rmult_le_pos; [exact F1|]. destruct F2 as [F2| <-]; [apply Rlt_le, Rinv_0_lt_compat, F2|rewrite Rinv_0; lra]. }
assert (T3 : 0 <= term (S m)) by (rewrite Rt; apply rnd_nonneg, Rmult_le_pos; assumption).
split; [exact T3|]. rewrite Rs. apply rnd_nonneg. lra.
Qed.

(** Partial sums are below the whole. *)
Lemma partial_below a s z scale n : 0 < a -> 0 < s -> 0 < z -> 0 <= scale -> ex_series (PositiveSeries.U a s z) ->
  acc (fun k => scale * PositiveSeries.U a s z k) n <= scale * Series (PositiveSeries.U a s z).
Proof.
intros A S Z Sc C.
assert (E : acc (fun k => scale * PositiveSeries.U a s z k) n = scale * sum_f_R0 (PositiveSeries.U a s z) n).
{ induction n as [|n IH]; simpl; [reflexivity|]. rewrite IH. ring. }
rewrite E. apply Rmult_le_compat_l; [exact Sc|]. apply sum_incr.
- apply is_series_Reals, Series_correct, C.
- intros k. unfold PositiveSeries.U. assert (P := PositiveSeries.poch_pos (2 * a + s) k ltac:(lra)).
  assert (Q := PositiveSeries.poch_pos (a + s) (Datatypes.S k) ltac:(lra)).
  apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pow_le; lra]|apply Rlt_le, Rinv_0_lt_compat, Q].
Qed.

(** From epsilon, alpha and step, past the mean, where the complement is taken: two loops, the doubts that
    they charge, and the last lines. What front says of the logarithm of the factor is given. *)
Theorem complement_answer_is_not_below a s eps B h exponential log1p next low scaled_low scaled_high
    term_near near n_near term_far far n_far logarithm doubt :
  beta_constant a (a + s) B -> hockey (exp eps) a a s B B h -> delta_is_tried a s eps -> 0 <= eps ->
  let q := 1 / (1 + exp (eps / s)) in
  let A := 2 * a + s in
  let factor := Rpower q a * Rpower (1 - q) (a + s) / B * (A / (a * (a + s))) in
  let second := rnd (a + s) in
  let whole := rnd (2 * a + s) in
  a <= A * q ->
  exponential_below_0 exponential ->
  (forall x, rnd x = x -> x <= 1 -> bpow radix2 (-1022) <= exp x ->
    Rabs (exponential x - exp x) <= 3 / 2 * u * exp x) ->
  (forall y, rnd y = y -> -1 < y -> Rabs (log1p y - ln (1 + y)) <= 2 * u * Rabs (ln (1 + y))) ->
  (forall x y, Rmin x y <= next x y) ->
  made_by_front exponential a s eps low scaled_low ->
  high_by_front exponential a s eps scaled_high ->
  term_near 0%nat = rnd (a / whole) -> near 0%nat = term_near 0%nat -> INR n_near <= 16000 ->
  (forall m, (m < n_near)%nat -> (term_near (S m), near (S m)) =
    step_advance_complement m second (rnd (scaled_high / whole)) scaled_high (term_near m) (near m)) ->
  term_far 0%nat = rnd (a / whole) -> far 0%nat = term_far 0%nat -> INR n_far <= 16000 ->
  (forall m, (m < n_far)%nat -> (term_far (S m), far (S m)) =
    step_advance_complement m second low scaled_low (term_far m) (far m)) ->
  Rabs (logarithm - ln factor) <= doubt -> rnd logarithm = logarithm -> -480 <= logarithm <= 1 ->
  h <= answer_of next (value_of exponential (Rmin (logarithm_without log1p
    (rest_of exponential logarithm (near n_near) (far n_far)
      (doubt_of_rest doubt (complement_doubt n_near) (complement_doubt n_far)))) 0)).
Proof.
intros PB Hh Tried Heps q A factor second whole Past E0 E1 L1 Nx Made High Tn0 Sn0 Ln Rn Tf0 Sf0 Lf Rf Fr Dl Us.
destruct (delta_sizes a s eps Tried) as (Ha & Hs & _). assert (Up := u_pos).
assert (Q := q_below a s eps Tried Heps). fold q in Q.
destruct (rest_of_delta a s eps B h Ha Hs PB Hh) as (C1 & C2 & Rest). fold q in C1, C2, Rest.
assert (A0 : 0 < A) by (unfold A; lra). assert (P : 0 < a * (a + s)) by (apply Rmult_lt_0_compat; lra).
set (scale := a * (a + s) / A). assert (S0 : 0 < scale) by (apply Rdiv_lt_0_compat; assumption).
assert (F0 : 0 < factor).
{ unfold factor. apply Rmult_lt_0_compat; [|now apply Rdiv_lt_0_compat].
  apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; apply exp_pos|apply PB]. }
assert (W0 : 0 <= second /\ 0 <= whole) by (split; apply rnd_nonneg; lra).
assert (iW : 0 <= / whole).
{ destruct (proj2 W0) as [X|X]; [apply Rlt_le, Rinv_0_lt_compat, X|rewrite <- X, Rinv_0; lra]. }
destruct (Answer.low_off a s eps Tried low scaled_low exponential E0 Made) as [[Pl _] [Pc _]].
assert (Ph := proj1 (high_within exponential a s eps scaled_high Ha Hs E0 High)).
assert (T0 : 0 <= rnd (a / whole)) by (apply rnd_nonneg, Rmult_le_pos; lra).
assert (Nn : 0 <= near n_near).
{ apply (loop_nonneg second (rnd (scaled_high / whole)) scaled_high term_near near); try assumption; try apply W0; [|lra].
  apply rnd_nonneg, Rmult_le_pos; assumption. }
assert (Nf : 0 <= far n_far).
{ apply (loop_nonneg second low scaled_low term_far far); try assumption; try apply W0. lra. }
assert (Bn := complement_at_1_minus_q a s eps Tried Heps Past exponential E0 scaled_high High term_near near n_near Tn0 Sn0 Ln Rn).
assert (Bf := complement_at_q a s eps Tried Heps exponential E0 low scaled_low Made term_far far n_far Tf0 Sf0 Lf Rf).
rewrite !complement_doubt_exact by assumption.
assert (Kn := partial_below a s (1 - q) scale n_near Ha Hs ltac:(lra) ltac:(lra) C2).
assert (Kf := partial_below a s q scale n_far Ha Hs ltac:(lra) ltac:(lra) C1).
fold A in Bn, Bf. fold scale in Bn, Bf. cbv zeta in Bn, Bf. fold q in Bn, Bf.
assert (Un : forall n, 0 <= u * units_of_complement (INR n)).
{ intros n. assert (N := pos_INR n). apply Rmult_le_pos; [lra|]. unfold units_of_complement, units_a_step. lra. }
assert (Most : forall x y n V, Rabs (x - y) <= u * units_of_complement (INR n) * y + bpow radix2 (-900) -> y <= V ->
  x <= V * (1 + u * units_of_complement (INR n)) + bpow radix2 (-900)).
{ intros x y n V X Y. apply Rabs_le_inv in X. assert (H := Un n). assert (u * units_of_complement (INR n) * y <= u * units_of_complement (INR n) * V).
  { now apply Rmult_le_compat_l. } lra. }
assert (Vp : forall z, 0 < z -> ex_series (PositiveSeries.U a s z) -> 0 <= scale * Series (PositiveSeries.U a s z)).
{ intros z Z C. apply Rle_trans with (2 := partial_below a s z scale 0 Ha Hs Z ltac:(lra) C). simpl.
  rewrite PositiveSeries.U_0 by assumption. apply Rmult_le_pos; [lra|]. apply Rlt_le, Rdiv_lt_0_compat; lra. }
apply (rest_enough exponential log1p next E1 L1 Nx factor logarithm doubt _ _ _ _
  (scale * Series (PositiveSeries.U a s (1 - q))) (scale * Series (PositiveSeries.U a s q))); try assumption; try apply Un.
- apply Vp; [lra|exact C2].
- apply Vp; [lra|exact C1].
- exact (Most _ _ _ _ Bn Kn).
- exact (Most _ _ _ _ Bf Kf).
- refine (integral_le (fun _ => 0) _ 0 h _ Densities.integral_zero Hh). intros x. apply Rmax_r.
- right. replace h with (1 - (1 - h)) by ring. rewrite Rest. unfold factor, scale. f_equal.
  assert (B0 := proj1 PB). field. repeat split; lra.
Qed.
