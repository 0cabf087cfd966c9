(** The loops of certify/backends/float64, written by generate.py; not to be edited. *)
From Coq Require Import Reals List ZArith.
From Flocq Require Import Core.
From Simplexcert Require Import Rounding.
Import ListNotations.
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

Definition exp_first : R := (381061692393 * bpow radix2 (-44)).
Definition exp_second : R := ((-3334593536453) * bpow radix2 (-89)).
Definition exp_third : R := (1011567658708801 * bpow radix2 (-141)).
Definition exp_step : R := (6243314768165359 * bpow radix2 (-58)).
Definition exp_taylor_0 : R := (3660068268593165 * bpow radix2 (-64)).
Definition exp_taylor_1 : R := (6405119470038039 * bpow radix2 (-62)).
Definition exp_taylor_2 : R := (4803839602528529 * bpow radix2 (-59)).
Definition exp_taylor_3 : R := (6004799503160661 * bpow radix2 (-57)).
Definition exp_taylor_4 : R := (6004799503160661 * bpow radix2 (-55)).
Definition exp_taylor_5 : R := (1 * bpow radix2 (-1)).
Definition exp_powers : list (R * R) := [
  (1, 0);
  ((1150553904472413 * bpow radix2 (-50)), (8290191583589477 * bpow radix2 (-107)));
  ((4702991017412879 * bpow radix2 (-52)), (6938117195718923 * bpow radix2 (-106)));
  ((4805973110840145 * bpow radix2 (-52)), ((-3204561479290269) * bpow radix2 (-105)));
  ((4911210218475899 * bpow radix2 (-52)), ((-2471843284632891) * bpow radix2 (-106)));
  ((2509375859350741 * bpow radix2 (-51)), (2111455317498127 * bpow radix2 (-104)));
  ((641081008892999 * bpow radix2 (-49)), (7230932696630643 * bpow radix2 (-106)));
  ((5240950840352481 * bpow radix2 (-52)), (6213240076702293 * bpow radix2 (-107)));
  ((5355712719992597 * bpow radix2 (-52)), (1615297279451321 * bpow radix2 (-105)));
  ((5472987557571019 * bpow radix2 (-52)), ((-3128614696613233) * bpow radix2 (-105)));
  ((2796415189850641 * bpow radix2 (-51)), (1889520471254959 * bpow radix2 (-105)));
  ((5715297417922861 * bpow radix2 (-52)), (432896738261005 * bpow radix2 (-107)));
  ((5840446135085607 * bpow radix2 (-52)), (4118546547614065 * bpow radix2 (-107)));
  ((2984167626155969 * bpow radix2 (-51)), ((-4638556587900077) * bpow radix2 (-107)));
  ((6099024776549417 * bpow radix2 (-52)), (6247751575029677 * bpow radix2 (-106)));
  ((6232576028726661 * bpow radix2 (-52)), ((-5492891627598999) * bpow radix2 (-106)));
  ((6369051672525773 * bpow radix2 (-52)), ((-3921520054841899) * bpow radix2 (-105)));
  ((1627128935946205 * bpow radix2 (-50)), ((-4906328082905753) * bpow radix2 (-107)));
  ((6651033680544135 * bpow radix2 (-52)), ((-5653104372783407) * bpow radix2 (-107)));
  ((6796672353750547 * bpow radix2 (-52)), ((-1030808165066331) * bpow radix2 (-103)));
  ((6945500098633947 * bpow radix2 (-52)), (6449672235666215 * bpow radix2 (-106)));
  ((7097586746770917 * bpow radix2 (-52)), ((-1644808735907759) * bpow radix2 (-107)));
  ((453312728678153 * bpow radix2 (-48)), (4008971198855519 * bpow radix2 (-107)));
  ((7411823758157149 * bpow radix2 (-52)), ((-8214927500984801) * bpow radix2 (-106)));
  ((7574121564787629 * bpow radix2 (-52)), (6651827183275137 * bpow radix2 (-106)));
  ((7739973230616135 * bpow radix2 (-52)), ((-6008072956062779) * bpow radix2 (-108)));
  ((1977364143756455 * bpow radix2 (-50)), (4803102885562589 * bpow radix2 (-107)));
  ((8082651121422441 * bpow radix2 (-52)), (5915148445895131 * bpow radix2 (-108)));
  ((8259638134547591 * bpow radix2 (-52)), (5327146039588615 * bpow radix2 (-107)));
  ((8440500658608991 * bpow radix2 (-52)), ((-1241843954488023) * bpow radix2 (-104)));
  ((4312661778122861 * bpow radix2 (-51)), ((-8615923835218067) * bpow radix2 (-106)));
  ((137721774192917 * bpow radix2 (-46)), (7269838508040587 * bpow radix2 (-106)))].

Definition exp_minus (argument : R * R) :=
  let whole := ZnearestE (rnd (- fst argument / exp_step)) in
  let steps := IZR whole in
  let near := (rnd ((- (fst argument)) - (rnd (steps * exp_first)))) in
  let rest_low := (doubled_two_sum near (rnd ((- steps) * exp_second))) in
  let rest := fst rest_low in
  let low := snd rest_low in
  let low := (rnd ((rnd (low - (rnd (steps * exp_third)))) - (snd argument))) in
  let tail := exp_taylor_0 in
  let tail := rnd (rnd (tail * rest) + exp_taylor_1) in
  let tail := rnd (rnd (tail * rest) + exp_taylor_2) in
  let tail := rnd (rnd (tail * rest) + exp_taylor_3) in
  let tail := rnd (rnd (tail * rest) + exp_taylor_4) in
  let tail := rnd (rnd (tail * rest) + exp_taylor_5) in
  let bent := (rnd ((rnd (rest * rest)) * tail)) in
  let growth := (doubled_normalised rest (rnd (bent + (rnd (low * (rnd ((rnd (1 + rest)) + bent))))))) in
  let power := nth (Z.to_nat (whole mod 32)) exp_powers (0, 0) in
  let high_low := (doubled_plus power (doubled_times power growth)) in
  let high := fst high_low in
  let low := snd high_low in
  let scale := (whole / 32)%Z in
  (rnd (bpow radix2 scale * high), rnd (bpow radix2 scale * low)).

Definition quotient_of_parts (top_part bottom_part : R) (shift : Z) :=
  let high_low := (doubled_over (top_part, 0) (bottom_part, 0)) in
  let high := fst high_low in
  let low := snd high_low in
  (rnd (bpow radix2 shift * high), rnd (bpow radix2 shift * low)).

Definition near_parts (alpha step : R) (ratio : R * R) :=
  let second := (doubled_two_sum alpha step) in
  let total := (doubled_plus (alpha, 0) second) in
  let high := (doubled_over total (doubled_plus (1, 0) ratio)) in
  let low := (doubled_times ratio high) in
  ((rnd ((fst low) / (fst total))), (fst low)).

Definition near_high (alpha step : R) (ratio : R * R) :=
  let second := (doubled_two_sum alpha step) in
  let total := (doubled_plus (alpha, 0) second) in
  let high := (doubled_over total (doubled_plus (1, 0) ratio)) in
  let low := (doubled_times ratio high) in
  (fst high).

Definition beta_low (whole : R * R) (usual : R) :=
  fst (doubled_times whole (usual, 0)).

Definition beta_high (whole : R * R) (usual : R) :=
  fst (doubled_times whole (doubled_two_sum 1 (- usual))).

Definition beta_underflowing : R := (1248699420126397 * bpow radix2 (-482)).

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

Definition steep_high (total ratio rest_of_slope : R) :=
  let ratio1 := rnd (ratio * rest_of_slope) in
  let ratio2 := rnd (ratio - ratio1) in
  let high1 := rnd (1 + ratio2) in
  let high2 := rnd (total / high1) in
  (high2).

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

Definition complement_doubt (n : nat) : R :=
  rnd ((rnd (14 * (rnd ((INR n) + 8)))) * (1 * bpow radix2 (-53))).

Definition summed_doubt (n : nat) (weighted value : R) : R :=
  rnd ((1 * bpow radix2 (-53)) * (rnd ((rnd ((rnd ((rnd (7 * weighted)) / value)) + (INR n))) + 8))).

Definition logarithm_of_sum (log : R -> R) (value exponent : R) : R :=
  rnd ((log value) + (rnd (exponent * (6243314768165359 * bpow radix2 (-53))))).

Definition rounding_of (part logarithm : R) : R :=
  rnd ((1 * bpow radix2 (-51)) * (rnd ((rnd (1 + (Rabs part))) + (Rabs logarithm)))).

Definition raised (value given doubt rounding : R) : R :=
  rnd (value + (rnd ((2254051613498933 * bpow radix2 (-51)) * (rnd ((rnd (given + doubt)) + rounding))))).

Definition doubt_of_rest (given near far : R) : R :=
  rnd ((rnd (given + (Rmax near far))) + (1 * bpow radix2 (-51))).

Definition rest_of (exp : R -> R) (logarithm near far doubt : R) : R :=
  rnd ((rnd ((exp logarithm) * (rnd (near + far)))) * (rnd (1 - (rnd ((4548635623644201 * bpow radix2 (-52)) * doubt))))).

Definition logarithm_without (log1p : R -> R) (missing : R) : R :=
  rnd ((log1p (rnd ((- missing) * (1125899906842623 * bpow radix2 (-50))))) * (2251799813685247 * bpow radix2 (-51))).

Definition value_of (exp : R -> R) (logarithm : R) : R :=
  rnd ((exp logarithm) * (1125899906842625 * bpow radix2 (-50))).

Definition answer_of (next : R -> R -> R) (value : R) : R :=
  Rmin (next (Rmax value (1 * bpow radix2 (-1022))) 1) 1.

Definition delta_is_tried (alpha step epsilon : R) : Prop :=
  alpha > (2043740476963553 * bpow radix2 (-981)) /\
  alpha < (310130032290503 * bpow radix2 882) /\
  step > (2043740476963553 * bpow radix2 (-981)) /\
  step < (310130032290503 * bpow radix2 882) /\
  rnd (epsilon / step) < (310130032290503 * bpow radix2 882) /\
  rnd (alpha / step) < (310130032290503 * bpow radix2 882).

Definition beta_is_tried (alpha others point : R) : Prop :=
  alpha > (2043740476963553 * bpow radix2 (-981)) /\
  others > (2043740476963553 * bpow radix2 (-981)) /\
  (rnd (alpha + others)) < (310130032290503 * bpow radix2 882) /\
  Rmin alpha others > rnd ((2043740476963553 * bpow radix2 (-981)) * (rnd (alpha + others))) /\
  point < 1.

Definition steep_from : R := 32.

Definition left_out_from : R := 800.

Definition large_sum : R := bpow radix2 700.

Definition units_of_summed_recorded (weighted value n : R) : R :=
  7 * weighted / value + n + 8.

Definition units_of_summed (k n : R) : R := 7 * k + n + 8.
