(** The loops of certify/backends/float64, written by generate.py; not to be edited. *)
From Coq Require Import Reals.
From Simplexcert Require Import Rounding.
Local Open Scope R_scope.

Definition step_advance (n : nat) (alpha step second low scaled_low term partner total : R) :=
  let factor1 := rnd (low * (INR n)) in
  let factor2 := rnd (factor1 + scaled_low) in
  let scratch1 := rnd (second + (INR (S n))) in
  let share1 := rnd (partner / scratch1) in
  let partner1 := rnd (share1 * factor2) in
  let share2 := rnd (share1 * step) in
  let term1 := rnd (term + share2) in
  let scratch2 := rnd (alpha + (INR (S n))) in
  let factor3 := rnd (factor2 / scratch2) in
  let term2 := rnd (term1 * factor3) in
  let total1 := rnd (total + term2) in
  (term2, partner1, total1).

Definition normal_advance (n : nat) (alpha step second low scaled_low term partner total : R) : Prop :=
  normal (low * (INR n)) /\
  let factor1 := rnd (low * (INR n)) in
  normal (factor1 + scaled_low) /\
  let factor2 := rnd (factor1 + scaled_low) in
  normal (second + (INR (S n))) /\
  let scratch1 := rnd (second + (INR (S n))) in
  normal (partner / scratch1) /\
  let share1 := rnd (partner / scratch1) in
  normal (share1 * factor2) /\
  let partner1 := rnd (share1 * factor2) in
  normal (share1 * step) /\
  let share2 := rnd (share1 * step) in
  normal (term + share2) /\
  let term1 := rnd (term + share2) in
  normal (alpha + (INR (S n))) /\
  let scratch2 := rnd (alpha + (INR (S n))) in
  normal (factor2 / scratch2) /\
  let factor3 := rnd (factor2 / scratch2) in
  normal (term1 * factor3) /\
  let term2 := rnd (term1 * factor3) in
  normal (total + term2) /\
  let total1 := rnd (total + term2) in
  True.

Definition step_advance_one (n : nat) (alpha step second low scaled_low term partner total : R) :=
  let factor1 := rnd (low * (INR n)) in
  let factor2 := rnd (factor1 + scaled_low) in
  let share1 := rnd (second + (INR (S n))) in
  let share2 := rnd (partner / share1) in
  let partner1 := rnd (share2 * factor2) in
  let term1 := rnd (share2 * step) in
  let term2 := rnd (term + term1) in
  let term3 := rnd (alpha + (INR (S n))) in
  let term4 := rnd (factor2 / term3) in
  let term5 := rnd (term2 * term4) in
  let total1 := rnd (total + term5) in
  (term5, partner1, total1).

Definition normal_advance_one (n : nat) (alpha step second low scaled_low term partner total : R) : Prop :=
  normal (low * (INR n)) /\
  let factor1 := rnd (low * (INR n)) in
  normal (factor1 + scaled_low) /\
  let factor2 := rnd (factor1 + scaled_low) in
  normal (second + (INR (S n))) /\
  let share1 := rnd (second + (INR (S n))) in
  normal (partner / share1) /\
  let share2 := rnd (partner / share1) in
  normal (share2 * factor2) /\
  let partner1 := rnd (share2 * factor2) in
  normal (share2 * step) /\
  let term1 := rnd (share2 * step) in
  normal (term + term1) /\
  let term2 := rnd (term + term1) in
  normal (alpha + (INR (S n))) /\
  let term3 := rnd (alpha + (INR (S n))) in
  normal (factor2 / term3) /\
  let term4 := rnd (factor2 / term3) in
  normal (term2 * term4) /\
  let term5 := rnd (term2 * term4) in
  normal (total + term5) /\
  let total1 := rnd (total + term5) in
  True.

Definition step_advance_complement (n : nat) (second point scaled_point term total : R) :=
  let factor1 := rnd (point * (INR n)) in
  let factor2 := rnd (factor1 + scaled_point) in
  let scratch1 := rnd (second + (INR (S n))) in
  let factor3 := rnd (factor2 / scratch1) in
  let term1 := rnd (term * factor3) in
  let total1 := rnd (total + term1) in
  (term1, total1).

Definition normal_advance_complement (n : nat) (second point scaled_point term total : R) : Prop :=
  normal (point * (INR n)) /\
  let factor1 := rnd (point * (INR n)) in
  normal (factor1 + scaled_point) /\
  let factor2 := rnd (factor1 + scaled_point) in
  normal (second + (INR (S n))) /\
  let scratch1 := rnd (second + (INR (S n))) in
  normal (factor2 / scratch1) /\
  let factor3 := rnd (factor2 / scratch1) in
  normal (term * factor3) /\
  let term1 := rnd (term * factor3) in
  normal (total + term1) /\
  let total1 := rnd (total + term1) in
  True.

Definition step_advance_one_complement (n : nat) (second point scaled_point term total : R) :=
  let term1 := rnd (point * (INR n)) in
  let term2 := rnd (term1 + scaled_point) in
  let term3 := rnd (second + (INR (S n))) in
  let term4 := rnd (term2 / term3) in
  let term5 := rnd (term * term4) in
  let total1 := rnd (total + term5) in
  (term5, total1).

Definition normal_advance_one_complement (n : nat) (second point scaled_point term total : R) : Prop :=
  normal (point * (INR n)) /\
  let term1 := rnd (point * (INR n)) in
  normal (term1 + scaled_point) /\
  let term2 := rnd (term1 + scaled_point) in
  normal (second + (INR (S n))) /\
  let term3 := rnd (second + (INR (S n))) in
  normal (term2 / term3) /\
  let term4 := rnd (term2 / term3) in
  normal (term * term4) /\
  let term5 := rnd (term * term4) in
  normal (total + term5) /\
  let total1 := rnd (total + term5) in
  True.

Definition step_summed (n : nat) (front place below term value : R) :=
  let term1 := rnd (place * (INR n)) in
  let term2 := rnd (front + term1) in
  let term3 := rnd (below + (INR (S n))) in
  let term4 := rnd (term2 / term3) in
  let term5 := rnd (term * term4) in
  let value1 := rnd (value + term5) in
  (term5, value1).

Definition normal_summed (n : nat) (front place below term value : R) : Prop :=
  normal (place * (INR n)) /\
  let term1 := rnd (place * (INR n)) in
  normal (front + term1) /\
  let term2 := rnd (front + term1) in
  normal (below + (INR (S n))) /\
  let term3 := rnd (below + (INR (S n))) in
  normal (term2 / term3) /\
  let term4 := rnd (term2 / term3) in
  normal (term * term4) /\
  let term5 := rnd (term * term4) in
  normal (value + term5) /\
  let value1 := rnd (value + term5) in
  True.

Definition steep_parts (total ratio rest_of_slope : R) :=
  let ratio1 := rnd (ratio * rest_of_slope) in
  let ratio2 := rnd (ratio - ratio1) in
  let low1 := rnd (ratio2 * ratio2) in
  let low2 := rnd (ratio2 - low1) in
  let scaled1 := rnd (total * low2) in
  (low2, scaled1).

Definition units_a_step : R := 13.

Definition units_of_term (k n : R) : R := units_a_step * k + n + 8.

Definition units_of_complement (n : R) : R := (units_a_step + 1) * (n + 8).

Definition units_of_summed (k n : R) : R := 7 * k + n + 8.
