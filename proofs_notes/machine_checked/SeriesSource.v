(** The loops of certify/backends/float64, written by generate.py; not to be edited. *)
From Coq Require Import Reals.
From Flocq Require Import Core.
From Simplexcert Require Import Rounding.
Local Open Scope R_scope.

Definition doubled_two_sum (left : R) (right : R) :=
  let total := (rnd (left + right)) in
  let part := (rnd (total - left)) in
  (total, (rnd ((rnd (left - (rnd (total - part)))) + (rnd (right - part))))).

Definition doubled_halves (value : R) :=
  let scaled := (rnd (134217729 * value)) in
  let high := (rnd (scaled - (rnd (scaled - value)))) in
  (high, (rnd (value - high))).

Definition doubled_two_product (left : R) (right : R) :=
  let product := (rnd (left * right)) in
  let left_high_left_low := (doubled_halves left) in
  let left_high := fst left_high_left_low in
  let left_low := snd left_high_left_low in
  let right_high_right_low := (doubled_halves right) in
  let right_high := fst right_high_right_low in
  let right_low := snd right_high_right_low in
  let dropped := (rnd ((rnd (left_high * right_high)) - product)) in
  let dropped := (rnd ((rnd (dropped + (rnd (left_high * right_low)))) + (rnd (left_low * right_high)))) in
  (product, (rnd (dropped + (rnd (left_low * right_low))))).

Definition doubled_normalised (high : R) (low : R) :=
  let total := (rnd (high + low)) in
  (total, (rnd (low - (rnd (total - high))))).

Definition doubled_plus (left : R * R) (right : R * R) :=
  let high_low := (doubled_two_sum (fst left) (fst right)) in
  let high := fst high_low in
  let low := snd high_low in
  (doubled_normalised high (rnd (low + (rnd ((snd left) + (snd right)))))).

Definition doubled_times (left : R * R) (right : R * R) :=
  let high_low := (doubled_two_product (fst left) (fst right)) in
  let high := fst high_low in
  let low := snd high_low in
  (doubled_normalised high (rnd (low + (rnd ((rnd ((fst left) * (snd right))) + (rnd ((snd left) * (fst right)))))))).

Definition doubled_over (top : R * R) (bottom : R * R) :=
  let high := (rnd ((fst top) / (fst bottom))) in
  let product_dropped := (doubled_two_product high (fst bottom)) in
  let product := fst product_dropped in
  let dropped := snd product_dropped in
  let rest := (rnd ((rnd ((rnd ((fst top) - product)) - dropped)) + (rnd ((snd top) - (rnd (high * (snd bottom))))))) in
  (doubled_normalised high (rnd (rest / (fst bottom)))).

Definition near_parts (alpha step : R) (ratio : R * R) :=
  let second := (doubled_two_sum alpha step) in
  let total := (doubled_plus (alpha, 0) second) in
  let high := (doubled_over total (doubled_plus (1, 0) ratio)) in
  let low := (doubled_times ratio high) in
  ((rnd ((fst low) / (fst total))), (fst low)).

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

Definition units_recorded (weighted total n : R) : R :=
  units_a_step * weighted / total + n + 8.

Definition units_of_complement (n : R) : R := (units_a_step + 1) * (n + 8).

Definition largest_ratio : R := (8998192055486251 * bpow radix2 (-53)).

Definition ratio_of (n : nat) (alpha total low : R) : R :=
  rnd ((rnd (low * (rnd (1 + (rnd (1 / (INR (S n)))))))) * (Rmax 1 (rnd ((rnd (total + (INR n))) / (rnd ((rnd (alpha + (INR n))) + 1)))))).

Definition negligible_of (value ratio : R) : R :=
  rnd ((rnd ((1 * bpow radix2 (-58)) * value)) * (rnd (1 - ratio))).

Definition recorded_units (n : nat) (weighted value : R) : R :=
  rnd ((rnd ((rnd ((rnd (13 * weighted)) / value)) + (INR n))) + 8).

Definition recorded_doubt (units : R) : R :=
  rnd ((rnd (units * (1 * bpow radix2 (-53)))) + (1 * bpow radix2 (-57))).

Definition logarithm_of_sum (log : R -> R) (value exponent : R) : R :=
  rnd ((log value) + (rnd (exponent * (6243314768165359 * bpow radix2 (-53))))).

Definition rounding_of (part logarithm : R) : R :=
  rnd ((1 * bpow radix2 (-51)) * (rnd ((rnd (1 + (Rabs part))) + (Rabs logarithm)))).

Definition raised (value given doubt rounding : R) : R :=
  rnd (value + (rnd ((2254051613498933 * bpow radix2 (-51)) * (rnd ((rnd (given + doubt)) + rounding))))).

Definition value_of (exp : R -> R) (logarithm : R) : R :=
  rnd ((exp logarithm) * (1125899906842625 * bpow radix2 (-50))).

Definition answer_of (next : R -> R -> R) (value : R) : R :=
  Rmin (next (Rmax value (1 * bpow radix2 (-1022))) 1) 1.

Definition units_of_summed_recorded (weighted value n : R) : R :=
  7 * weighted / value + n + 8.

Definition units_of_summed (k n : R) : R := 7 * k + n + 8.
