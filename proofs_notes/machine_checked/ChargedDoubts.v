(** The doubts as the source computes them, from its weighted sums, cover the rounding of its sums. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import SeriesSource Rounding RoundedSums DifferenceSeries OneFactorSeries WeightedSum.
Local Open Scope R_scope.

(** Blocks of at most 16 terms, from 0 to n, and the sum of what each adds times where it ends. *)
Definition weighs (place : nat -> nat) (weighted total : nat -> R) (blocks n : nat) : Prop :=
  place 0%nat = 0%nat /\ place blocks = n /\ weighted 0%nat = 0 /\
  (forall j, (j < blocks)%nat ->
    (place j < place (S j) <= place j + 16)%nat /\ (place (S j) <= n)%nat) /\
  (forall j, (j < blocks)%nat -> weighted (S j) =
    rnd (weighted j + rnd (rnd (total (place (S j)) - total (place j)) * INR (place (S j))))).

(** What _record charges for a difference series. *)
Theorem recorded_doubt_covers_rounding a s q second low scaled_low term partner total n place weighted blocks :
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
  sizeable q -> sizeable ((2 * a + s) * q) -> sizeable (T 0%nat) ->
  (forall m, (m < n)%nat ->
    sizeable (U m / (a + s + INR (S m))) /\ sizeable (U m / (a + s + INR (S m)) * s) /\ sizeable (U (S m)) /\
    sizeable (q * (2 * a + s + INR m) / (a + INR (S m))) /\ sizeable (T (S m))) ->
  weighs place weighted total blocks n ->
  Rabs (total n - acc T n) <= u * units_recorded (weighted blocks) (total n) (INR n) * total n.
Proof.
intros A S Q W1 W2 W3 T0 P0 E R L scale T U Z1 Z2 Zt Z3 (H1 & H2 & H3 & H4 & H5).
assert (TU0 : T 0%nat = s / (2 * a + s) /\ U 0%nat = a / (2 * a + s)).
{ unfold T, U. rewrite PositiveSeries.T_0, PositiveSeries.U_0 by easy. unfold scale. split; field; lra. }
assert (TS : forall m, T (Datatypes.S m) = q * (2 * a + s + INR m) / (a + INR (Datatypes.S m)) * (T m + U m * (s / (a + s + INR (Datatypes.S m))))).
{ intros m. unfold T, U. rewrite PositiveSeries.recurrence by easy. assert (M := pos_INR m). rewrite S_INR. unfold scale. field; lra. }
assert (US : forall m, U (Datatypes.S m) = q * (2 * a + s + INR m) * U m / (a + s + INR (Datatypes.S m))).
{ intros m. unfold U. rewrite PositiveSeries.recurrence_of_partner by easy. assert (M := pos_INR m). rewrite S_INR. unfold scale. field; lra. }
destruct TU0 as [T0' U0'].
assert (X : forall m, (m <= n)%nat -> within (11 * m + 6) (term m) (T m)).
{ intros m Lm. now apply (terms_within a s q A S Q second low scaled_low W1 W2 W3 T U T0' U0' TS US
    term partner total T0 P0 E n L R Z1 Z2 Z3 m). }
assert (Y : forall m, (m < n)%nat -> total (Datatypes.S m) = rnd (total m + term (Datatypes.S m)) /\
  normal (total m + term (Datatypes.S m))).
{ intros m Lm.
  destruct (DifferenceSeries.whole_run a s q A S Q second low scaled_low W1 W2 W3 T U T0' U0' TS US
    term partner total T0 P0 E n L R Z1 Z2 Z3 m) as (P & Wt & Wp); [lia|].
  now apply (DifferenceSeries.one_step a s q A S Q second low scaled_low W1 W2 W3 T U T0' U0' TS US
    term partner total n L R Z1 Z2 Z3 m Lm P Wt Wp). }
assert (Ch := charged T term total 11 6 n X E (fun m Lm => proj1 (Y m Lm)) (fun m Lm => proj2 (Y m Lm)) L
  ltac:(lia) place weighted blocks H1 H4 H3 H5 Zt H2 13 ltac:(simpl INR; lra)).
apply Rle_trans with (1 := Ch). right. unfold units_recorded, units_a_step.
simpl (INR 6). unfold Rdiv. ring.
Qed.

(** What _summed charges for an incomplete beta. *)
Theorem summed_recorded_doubt_covers_rounding a A x below place front term value n ends weighted blocks :
  0 < a -> 0 < A -> 0 < x ->
  within 1 below a -> within 1 place x -> within 2 front (A * x) ->
  term 0%nat = 1 -> value 0%nat = 1 ->
  (forall m, (m < n)%nat -> (term (S m), value (S m)) =
    step_summed m front place below (term m) (value m)) ->
  INR n <= 16000 ->
  let t := fun k => a * (PositiveSeries.poch A k * x ^ k / PositiveSeries.poch a (S k)) in
  sizeable x -> sizeable (A * x) ->
  (forall m, (m < n)%nat -> sizeable (x * (A + INR m) / (a + INR (S m))) /\ sizeable (t (S m))) ->
  weighs ends weighted value blocks n ->
  Rabs (value n - acc t n) <=
  u * units_of_summed_recorded (weighted blocks) (value n) (INR n) * value n.
Proof.
intros Ha HA Hx W1 W2 W3 T0 E R L t Z1 Z2 Z3 (H1 & H2 & H3 & H4 & H5).
assert (t0 : t 0%nat = 1) by (unfold t; simpl; field; lra).
assert (tS : forall m, t (S m) = x * (A + INR m) / (a + INR (S m)) * t m).
{ intros m. unfold t. change (PositiveSeries.poch A (S m)) with (PositiveSeries.poch A m * (A + INR m)).
  change (PositiveSeries.poch a (S (S m))) with (PositiveSeries.poch a (S m) * (a + INR (S m))). simpl pow.
  assert (P := PositiveSeries.poch_pos a (S m) Ha). assert (M := pos_INR (S m)). field; lra. }
assert (t0p : 0 < t 0%nat) by lra.
assert (W0 : within 0 (term 0%nat) (t 0%nat)) by (rewrite t0, T0; apply within_exact; lra).
assert (E' : value 0%nat = term 0%nat) by congruence.
assert (R' : forall m, (m < n)%nat ->
  (term (S m), value (S m)) = step_advance_complement m below place front (term m) (value m)).
{ intros m Lm. rewrite R by easy. apply summed_is_the_same. }
assert (X : forall m, (m <= n)%nat -> 0 <= value m /\ within (7 * m + 0) (term m) (t m)).
{ intros m Lm. exact (OneFactorSeries.whole_run A x a HA Hx Ha below place front 1 2 0 W1 W2 W3
    ltac:(lia) ltac:(lia) t t0p tS term value W0 E' n L R' Z1 Z2 Z3 m Lm). }
assert (Y : forall m, (m < n)%nat -> value (S m) = rnd (value m + term (S m)) /\ normal (value m + term (S m))).
{ intros m Lm. destruct (X m) as (P & Wt); [lia|].
  now apply (OneFactorSeries.one_step A x a HA Hx Ha below place front 1 2 0 W1 W2 W3
    ltac:(lia) ltac:(lia) t t0p tS term value n L R' Z1 Z2 Z3 m Lm P Wt). }
assert (Zt : sizeable (t 0%nat)) by (apply sizeable_1; lra).
assert (Ch := charged t term value 7 0 n (fun m Lm => proj2 (X m Lm)) E' (fun m Lm => proj1 (Y m Lm))
  (fun m Lm => proj2 (Y m Lm)) L ltac:(lia) ends weighted blocks H1 H4 H3 H5 Zt H2 7 ltac:(simpl INR; lra)).
assert (V : 0 <= value n) by (apply X; lia).
apply Rle_trans with (1 := Ch). unfold units_of_summed_recorded. apply Rmult_le_compat_r; [easy|].
apply Rmult_le_compat_l; [generalize u_pos; lra|]. simpl (INR 0). unfold Rdiv. lra.
Qed.
