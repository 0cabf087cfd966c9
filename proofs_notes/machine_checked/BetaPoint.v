(** A x and A (1-x) of an incomplete beta as incomplete_beta.py makes them from a, b and x, and its sums:
    for all sizes that are tried, whatever underflows, what the source charges covers the rounding. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import SeriesSource Rounding RoundedSums Doubled ChargedDoubts Underflow FactorUnderflow Sizes.
Local Open Scope R_scope.

(** The first double of a product of two pairs. *)
Lemma times_first w1 w2 h1 h2 Z : double w1 -> double h1 -> 0 < w1 -> 0 < h1 -> bpow radix2 (-900) <= w1 * h1 ->
  Rabs w2 <= 2 * u * w1 -> Rabs h2 <= 2 * u * h1 -> Rabs ((w1 + w2) * (h1 + h2) - Z) <= / 10 * u * (w1 * h1) ->
  within 2 (fst (doubled_times (w1, w2) (h1, h2))) Z.
Proof.
intros D1 D2 P1 P2 Big W2 H2 Near. assert (Us := u_size). set (M := w1 * h1) in *.
assert (B0 : 0 < bpow radix2 (-900)) by apply bpow_gt_0. assert (M0 : 0 < M) by lra.
assert (Lt : least <= / 10 ^ 40 * M).
{ apply Rle_trans with (1 := least_tiny M Big). right. f_equal. f_equal. lra. }
assert (Ex := two_product_exact w1 h1 D1 D2).
assert (L969 : bpow radix2 (-969) <= Rabs (w1 * h1)).
{ rewrite Rabs_pos_eq by (fold M; lra). apply Rle_trans with (2 := Big). apply bpow_le. lia. }
specialize (Ex L969). unfold doubled_times. cbv zeta. cbn [fst snd].
assert (F : fst (doubled_two_product w1 h1) = rnd M) by reflexivity.
set (P := fst (doubled_two_product w1 h1)) in *. set (l := snd (doubled_two_product w1 h1)) in *. fold M in Ex.
assert (uM : / 10 ^ 16 * M <= u * M <= / 5000000000000000 * M) by (split; apply Rmult_le_compat_r; lra).
assert (uuM : 0 <= u * (u * M) <= / 5000000000000000 * (u * M)) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
assert (E0 := rnd_error M). rewrite <- F, (Rabs_pos_eq M) in E0 by lra. apply Rabs_le_inv in E0.
assert (L0 : Rabs l <= 11 / 10 * (u * M)) by (apply Rabs_le; lra).
assert (X1 : Rabs (w1 * h2) <= 2 * (u * M)).
{ rewrite Rabs_mult, (Rabs_pos_eq w1) by lra. apply Rle_trans with (w1 * (2 * u * h1)); [apply Rmult_le_compat_l; lra|]. unfold M. right; ring. }
assert (X2 : Rabs (w2 * h1) <= 2 * (u * M)).
{ rewrite Rabs_mult, (Rabs_pos_eq h1) by lra. apply Rle_trans with (2 * u * w1 * h1); [apply Rmult_le_compat_r; lra|]. unfold M. right; ring. }
assert (X3 : Rabs (w2 * h2) <= 4 * (u * (u * M))).
{ rewrite Rabs_mult. apply Rle_trans with (2 * u * w1 * (2 * u * h1)); [apply Rmult_le_compat; try apply Rabs_pos; lra|]. unfold M. right; ring. }
assert (Off : forall y b, Rabs y <= b * (u * M) -> 0 <= b -> Rabs (rnd y - y) <= b * (u * (u * M)) + least).
{ intros y b Y B. apply Rle_trans with (1 := rnd_error y). apply Rplus_le_compat_r.
  replace (b * (u * (u * M))) with (u * (b * (u * M))) by ring. apply Rmult_le_compat_l; lra. }
assert (O1 := Off (w1 * h2) 2 X1 ltac:(lra)). assert (O2 := Off (w2 * h1) 2 X2 ltac:(lra)).
set (r1 := rnd (w1 * h2)) in *. set (r2 := rnd (w2 * h1)) in *.
apply Rabs_le_inv in X1. apply Rabs_le_inv in X2. apply Rabs_le_inv in X3. apply Rabs_le_inv in O1. apply Rabs_le_inv in O2. apply Rabs_le_inv in L0.
assert (O3 := Off (r1 + r2) 5 ltac:(apply Rabs_le; lra) ltac:(lra)). set (r3 := rnd (r1 + r2)) in *. apply Rabs_le_inv in O3.
assert (O4 := Off (l + r3) 7 ltac:(apply Rabs_le; lra) ltac:(lra)). set (r4 := rnd (l + r3)) in *. apply Rabs_le_inv in O4.
apply Rabs_le_inv in Near.
assert (Split : (w1 + w2) * (h1 + h2) = M + w1 * h2 + w2 * h1 + w2 * h2) by (unfold M; ring). rewrite Split in Near.
assert (C : Rabs (P + r4 - Z) <= / 5 * (u * M)) by (apply Rabs_le; lra). apply Rabs_le_inv in C.
assert (Z0 : 9 / 10 * M <= Z) by lra. assert (uZ : u * (9 / 10 * M) <= u * Z) by (apply Rmult_le_compat_l; lra).
assert (W1 : within 1 (P + r4) Z).
{ unfold within, e. rewrite pow_1. assert (u * (8 / 10 * M) <= u * (P + r4)) by (apply Rmult_le_compat_l; lra). repeat split; lra. }
change (fst (doubled_normalised P r4)) with (rnd (P + r4)). apply (rounded 1); [exact W1|].
apply normal_within with (2 := W1); [simpl; lra|]. unfold sizeable.
assert (E : bpow radix2 (-900) = 2 * bpow radix2 (-901)).
{ change (-900)%Z with (1 + -901)%Z. rewrite bpow_plus. reflexivity. }
apply Rle_trans with (bpow radix2 (-901)); [apply bpow_le; lia|lra].
Qed.

Section Point.
(** b in two doubles. *)
Variables a o1 o2 x : R.
Hypothesis (Da : double a) (Do1 : double o1) (Do2 : double o2) (Dx : double x).
Hypothesis b_near : within 1 o1 (o1 + o2).
(** Of all sizes that are tried. *)
Hypothesis tried : beta_is_tried a o1 x.
Let Ha : 0 < a. Proof. apply (beta_sizes _ _ _ _ b_near tried). Qed.
Let Ho : 0 < o1. Proof. apply (beta_sizes _ _ _ _ b_near tried). Qed.
Hypothesis positive_x : 0 < x.
Let Hx : 0 < x < 1. Proof. split; [exact positive_x|apply tried]. Qed.
Let b := o1 + o2.
Let A := a + b.
Let size : bpow radix2 (-930) <= A <= bpow radix2 932. Proof. apply (beta_sizes _ _ _ _ b_near tried). Qed.
(** A in two doubles, and both scaled so that A is about 1, exactly but where the second underflows. *)
Let total := doubled_plus (a, 0) (o1, o2).
Variable power : Z.
Variable whole : R * R.
Hypothesis whole_first : double (fst whole) /\ bpow radix2 power * fst whole = fst total.
Hypothesis whole_second : Rabs (snd whole - bpow radix2 (- power) * snd total) <= tiny.
Hypothesis about_1 : / 4 <= fst whole <= 4.

Lemma rest : Rabs o2 <= 11 / 10 * (u * o1).
Proof.
assert (Us := u_size). assert (R := b_near). destruct R as (B & L & U). unfold e in L, U. rewrite pow_1 in L, U.
assert (uo : 0 <= u * o1 <= / 100 * o1) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
assert (u * (o1 + o2) <= u * (o1 * (102 / 100))) by (apply Rmult_le_compat_l; lra). apply Rabs_le. lra.
Qed.

Lemma total_near : Rabs (fst total + snd total - A) <= / 10 ^ 29 * A /\ Rabs (fst total - A) <= 11 / 10 * u * A /\
  Rabs (snd total) <= 11 / 10 * u * A.
Proof.
assert (Us := u_size). assert (R := rest). apply Rabs_le_inv in R.
assert (uo : u * o1 <= / 5000000000000000 * o1) by (apply Rmult_le_compat_r; lra).
assert (A0 : a + o1 * (9 / 10) <= A <= a + o1 * (11 / 10)) by (unfold A, b; lra). assert (Ap : 0 < A) by lra.
assert (uA : / 10 ^ 16 * A <= u * A <= / 5000000000000000 * A) by (split; apply Rmult_le_compat_r; lra).
assert (Lt : least <= / 10 ^ 40 * A).
{ unfold least. change (-1075)%Z with (-145 + -930)%Z. rewrite bpow_plus. apply Rmult_le_compat; try apply bpow_ge_0; [|apply size].
  simpl; lra. }
assert (E1 := two_sum_exact a o1 Da Do1). assert (F1 : fst (doubled_two_sum a o1) = rnd (a + o1)) by reflexivity.
set (high := fst (doubled_two_sum a o1)) in *. set (low := snd (doubled_two_sum a o1)) in *.
assert (R1 := rnd_error (a + o1)). rewrite <- F1, (Rabs_pos_eq (a + o1)) in R1 by lra. apply Rabs_le_inv in R1.
assert (uS : u * (a + o1) <= u * (A * (12 / 10))) by (apply Rmult_le_compat_l; lra).
assert (uo2 : u * o1 <= u * (A * (12 / 10))) by (apply Rmult_le_compat_l; lra).
assert (uuA : 0 <= u * (u * A) <= / 5000000000000000 * (u * A)) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
assert (Y := rnd_error (low + o2)). assert (Lo : Rabs (low + o2) <= 3 * (u * A)) by (apply Rabs_le; lra).
assert (uL : u * Rabs (low + o2) <= u * (3 * (u * A))) by (apply Rmult_le_compat_l; lra).
apply Rabs_le_inv in Y. apply Rabs_le_inv in Lo. 
assert (T : total = doubled_normalised high (rnd (low + o2))).
{ unfold total, doubled_plus. cbv zeta. cbn [fst snd]. fold high low. rewrite Rplus_0_l, (rnd_double o2 Do2). reflexivity. }
set (y := rnd (low + o2)) in *.
assert (uu5 : u * (u * A) <= / 5000000000000000 * (/ 5000000000000000 * A)).
{ apply Rle_trans with (1 := proj2 uuA). apply Rmult_le_compat_l; lra. }
assert (HighA : 9 / 10 * A <= high <= 13 / 10 * A) by (unfold A, b in *; lra).
assert (Yb : Rabs y <= 4 * (u * A)) by (apply Rabs_le; lra).
assert (E2 : fst total + snd total = high + y).
{ rewrite T. apply normalised_exact; [unfold high, doubled_two_sum; cbv zeta; apply double_rnd|apply double_rnd|].
  rewrite (Rabs_pos_eq high) by lra. apply Rle_trans with (1 := Yb). lra. }
assert (F2 : fst total = rnd (high + y)) by (rewrite T; reflexivity).
assert (C : - (/ 10 ^ 29 * A) <= high + y - A <= / 10 ^ 29 * A) by (unfold A, b in *; lra).
assert (R2 := rnd_error (high + y)). rewrite <- F2, (Rabs_pos_eq (high + y)) in R2 by (apply Rabs_le_inv in Yb; lra).
apply Rabs_le_inv in R2. assert (uH : u * (high + y) <= u * (A * (101 / 100))) by (apply Rmult_le_compat_l; lra).
split; [rewrite E2; apply Rabs_le; exact C|split; apply Rabs_le; lra].
Qed.

Lemma A_above : 0 < A.
Proof. apply Rlt_le_trans with (2 := proj1 size). apply bpow_gt_0. Qed.

Lemma total_within : within 2 (fst total) A.
Proof.
destruct total_near as (_ & N & _). assert (A0 := A_above). assert (Us := u_size). apply Rabs_le_inv in N.
assert (uA : 0 <= u * A <= / 100 * A) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
assert (0 <= u * (u * A)) by (apply Rmult_le_pos; lra).
assert (u * (9 / 10 * A) <= u * fst total) by (apply Rmult_le_compat_l; lra).
assert (0 <= u * (u * fst total)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
unfold within, e. simpl pow. repeat split; lra.
Qed.

(** What is multiplied: A scaled, as a sum, and how large its second double is. *)
Lemma whole_near_A : Rabs (fst whole + snd whole - bpow radix2 (- power) * A) <= / 10 ^ 28 * fst whole /\
  Rabs (snd whole) <= 2 * u * fst whole.
Proof.
destruct total_near as (N1 & N2 & N3). assert (A0 := A_above). assert (Us := u_size). destruct whole_first as [_ W1].
assert (B := bpow_gt_0 radix2 (- power)).
assert (One : bpow radix2 (- power) * bpow radix2 power = 1) by (rewrite <- bpow_plus, Z.add_opp_diag_l; reflexivity).
assert (W1' : fst whole = bpow radix2 (- power) * fst total) by (rewrite <- W1, <- Rmult_assoc, One; ring).
set (c := bpow radix2 (- power)) in *. clearbody c.
assert (S := whole_second). apply Rabs_le_inv in S. apply Rabs_le_inv in N1. apply Rabs_le_inv in N2. apply Rabs_le_inv in N3.
assert (cA : 0 < c * A) by (apply Rmult_lt_0_compat; lra).
assert (Tn : tiny <= / 10 ^ 40 * fst whole).
{ apply Rle_trans with (bpow radix2 (-140)); [apply bpow_le; lia|]. apply Rle_trans with (/ 10 ^ 40 * / 4); [simpl; lra|lra]. }
assert (Up : forall y g, - (g * A) <= y <= g * A -> - (g * (c * A)) <= c * y <= g * (c * A)).
{ intros y g Y. replace (- (g * (c * A))) with (c * - (g * A)) by ring. replace (g * (c * A)) with (c * (g * A)) by ring.
  split; apply Rmult_le_compat_l; lra. }
assert (V1 := Up _ _ N1). assert (V2 := Up _ _ N2). assert (V3 := Up _ _ N3).
assert (uu : 11 / 10 * u * (c * A) <= / 1000 * (c * A)) by (apply Rmult_le_compat_r; lra).
assert (cA2 : c * A <= 11 / 10 * fst whole) by (rewrite W1'; lra).
assert (u * (c * A) <= u * (11 / 10 * fst whole)) by (apply Rmult_le_compat_l; lra).
assert (/ 10 ^ 16 * fst whole <= u * fst whole) by (apply Rmult_le_compat_r; lra).
split; apply Rabs_le; [|lra].
replace (fst whole + snd whole - c * A) with (c * (fst total + snd total - A) + (snd whole - c * snd total)) by (rewrite W1'; ring). lra.
Qed.

Lemma scaled_up k y z : within k y z -> within k (bpow radix2 power * y) (bpow radix2 power * z).
Proof. intros W. change k with (0 + k)%nat. apply within_mult; [apply within_exact, bpow_ge_0|exact W]. Qed.

Lemma product_near h1 h2 z : double h1 -> 0 < h1 -> bpow radix2 (-890) <= h1 -> Rabs h2 <= 11 / 10 * (u * h1) -> h1 + h2 = z ->
  within 2 (bpow radix2 power * fst (doubled_times whole (h1, h2))) (A * z).
Proof.
intros D1 P1 Big H2 <-. assert (A0 := A_above). destruct whole_near_A as [N1 N2]. destruct whole_first as [Dw _]. assert (Us := u_size).
assert (One : bpow radix2 power * bpow radix2 (- power) = 1) by (rewrite <- bpow_plus, Z.add_opp_diag_r; reflexivity).
replace (A * (h1 + h2)) with (bpow radix2 power * (bpow radix2 (- power) * A * (h1 + h2))) by (rewrite <- !Rmult_assoc, One; ring).
apply scaled_up. rewrite (surjective_pairing whole). set (w1 := fst whole) in *. set (w2 := snd whole) in *.
assert (uh : u * h1 <= / 100 * h1) by (apply Rmult_le_compat_r; lra).
apply times_first; try assumption; try lra.
- apply Rle_trans with (bpow radix2 (-2) * bpow radix2 (-890)); [rewrite <- bpow_plus; apply bpow_le; lia|].
  apply Rmult_le_compat; try apply bpow_ge_0; [simpl; lra|exact Big].
- apply Rle_trans with (1 := H2). assert (0 <= u * h1) by (apply Rmult_le_pos; lra). lra.
- replace ((w1 + w2) * (h1 + h2) - bpow radix2 (- power) * A * (h1 + h2)) with ((w1 + w2 - bpow radix2 (- power) * A) * (h1 + h2)) by ring.
  rewrite Rabs_mult. apply Rabs_le_inv in H2. rewrite (Rabs_pos_eq (h1 + h2)) by lra.
  apply Rle_trans with (/ 10 ^ 28 * w1 * (2 * h1)); [apply Rmult_le_compat; try apply Rabs_pos; lra|].
  replace (/ 10 ^ 28 * w1 * (2 * h1)) with (2 * / 10 ^ 28 * (w1 * h1)) by ring. apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|lra].
Qed.

(** A x, but for what underflows where it is made of x below 1e-130, or scaled back. *)
Theorem low_near front : 0 <= front ->
  beta_underflowing <= x /\ Rabs (front - bpow radix2 power * beta_low whole x) <= tiny \/
  x < beta_underflowing /\ front = rnd (fst total * x) ->
  off 3 tiny front (A * x).
Proof.
intros F0 [[Usual F]|[_ ->]].
- assert (W : within 2 (bpow radix2 power * beta_low whole x) (A * x)).
  { unfold beta_low. apply product_near; try assumption; try lra.
    - apply Rle_trans with (2 := Usual). apply Rle_trans with (bpow radix2 (-450)); [apply bpow_le; lia|].
      unfold beta_underflowing. simpl. lra.
    - rewrite Rabs_R0. apply Rmult_le_pos; [lra|apply Rmult_le_pos; [generalize u_pos|]; lra]. }
  split; [exact F0|]. exists (bpow radix2 power * beta_low whole x). split; [apply within_weaken with (2 := W); lia|exact F].
- assert (W : within (2 + 0) (fst total * x) (A * x)) by (apply within_mult; [apply total_within|apply within_exact; lra]).
  assert (O := off_rnd _ _ _ _ (off_within _ _ _ W)). rewrite Rmult_0_r, Rplus_0_l in O. exact O.
Qed.

(** A (1-x), which does not underflow. *)
Theorem high_near front :
  beta_underflowing <= x /\ front = bpow radix2 power * beta_high whole x \/
  x < beta_underflowing /\ front = fst total ->
  within 2 front (A * (1 - x)).
Proof.
assert (A0 := A_above). assert (Us := u_size).
assert (D1 : double 1) by (change 1 with (bpow radix2 0); apply generic_format_bpow; unfold FLT_exp; simpl; lia).
intros [[Usual ->]|[Small ->]].
- unfold beta_high.
  assert (E := two_sum_exact 1 (- x) D1 (double_opp x Dx)). set (t := doubled_two_sum 1 (- x)) in *.
  assert (F : fst t = rnd (1 + - x)) by reflexivity.
  assert (X53 : bpow radix2 (-53) <= 1 - x).
  { assert (P : x <= pred radix2 (FLT_exp (-1074) 53) 1) by (apply pred_ge_gt; [apply FLT_exp_valid; easy|exact Dx|exact D1|lra]).
    change 1 with (bpow radix2 0) in P. rewrite pred_bpow in P. change (FLT_exp (-1074) 53 0) with (-53)%Z in P.
    simpl (bpow radix2 0) in P. lra. }
  assert (W : within 1 (fst t) (1 + - x)).
  { rewrite F. apply within_rnd; [|lra]. right. apply Rle_trans with (bpow radix2 (-53)); [apply bpow_le; lia|lra]. }
  assert (Er : Rabs (snd t) <= 11 / 10 * (u * fst t)).
  { replace (snd t) with (1 + - x - fst t) by lra. destruct W as (_ & L & U). unfold e in L, U. rewrite pow_1 in L, U.
    assert (uo : 0 <= u * fst t <= / 100 * fst t).
    { assert (T0 : 0 <= fst t) by (rewrite F; apply rnd_nonneg; lra). split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra. }
    assert (u * (1 + - x) <= u * (fst t * (102 / 100))) by (apply Rmult_le_compat_l; lra). apply Rabs_le. lra. }
  assert (Ft : bpow radix2 (-890) <= fst t).
  { destruct W as (_ & L & _). unfold e in L. rewrite pow_1 in L. assert (fst t * (1 + u) <= fst t * 2).
    { apply Rmult_le_compat_l; [rewrite F; apply rnd_nonneg; lra|lra]. }
    assert (bpow radix2 (-53) = 2 * bpow radix2 (-54)) by (change (-53)%Z with (1 + -54)%Z; rewrite bpow_plus; reflexivity).
    apply Rle_trans with (bpow radix2 (-54)); [apply bpow_le; lia|lra]. }
  rewrite (surjective_pairing t). apply product_near; [rewrite F; apply double_rnd| |exact Ft|exact Er|lra].
  apply Rlt_le_trans with (2 := Ft). apply bpow_gt_0.
- destruct total_near as (_ & N & _). apply Rabs_le_inv in N.
  assert (X : x <= / 10 ^ 20).
  { apply Rle_trans with (1 := Rlt_le _ _ Small). unfold beta_underflowing. simpl. lra. }
  assert (Ax : 0 <= A * x <= A * / 10 ^ 20) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra).
  assert (uA : / 10 ^ 16 * A <= u * A <= / 100 * A) by (split; apply Rmult_le_compat_r; lra).
  set (B := A * (1 - x)). assert (EB : B = A - A * x) by (unfold B; ring).
  assert (u * (99 / 100 * A) <= u * B) by (apply Rmult_le_compat_l; lra).
  assert (u * (9 / 10 * A) <= u * fst total) by (apply Rmult_le_compat_l; lra).
  assert (0 <= u * (u * B)) by (repeat apply Rmult_le_pos; lra).
  assert (0 <= u * (u * fst total)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
  unfold within, e. simpl pow. repeat split; lra.
Qed.

Variables term value : nat -> R.
Variable n : nat.
Hypothesis few : INR n <= 16000.
Hypothesis term0 : term 0%nat = 1.
Hypothesis value0 : value 0%nat = 1.
Variables (ends : nat -> nat) (weighted : nat -> R) (blocks : nat).
Hypothesis weighs_them : weighs ends weighted value blocks n.
Let t c z k := c * (PositiveSeries.poch A k * z ^ k / PositiveSeries.poch c (S k)).

Lemma front_small : tiny <= bpow radix2 (-132).
Proof. apply bpow_le. lia. Qed.

(** The series of I_x(a, b), and of I_(1-x)(b, a). *)
Theorem series_of_beta front : 0 <= front ->
  beta_underflowing <= x /\ Rabs (front - bpow radix2 power * beta_low whole x) <= tiny \/
  x < beta_underflowing /\ front = rnd (fst total * x) ->
  (forall m, (m < n)%nat -> (term (S m), value (S m)) = step_summed m front x a (term m) (value m)) ->
  Rabs (value n - acc (t a x) n) <= u * units_of_summed_recorded (weighted blocks) (value n) (INR n) * value n.
Proof.
intros F0 F R. assert (O := low_near front F0 F). assert (Z150 : 0 <= bpow radix2 (-150)) by apply bpow_ge_0.
refine (summed_sum_near 3 0 a A x a x front 0 tiny term value n ends weighted blocks eq_refl _ Ha A_above _ _ _ O Z150 front_small term0 value0 R few weighs_them).
- lia.
- lra.
- apply within_exact; lra.
- apply off_weaken with (k := 0%nat) (d := 0); [lia|lra|apply off_within, within_exact; lra].
Qed.

Theorem series_of_other_beta front :
  beta_underflowing <= x /\ front = bpow radix2 power * beta_high whole x \/
  x < beta_underflowing /\ front = fst total ->
  (forall m, (m < n)%nat -> (term (S m), value (S m)) = step_summed m front (rnd (1 - x)) o1 (term m) (value m)) ->
  Rabs (value n - acc (t b (1 - x)) n) <= u * units_of_summed_recorded (weighted blocks) (value n) (INR n) * value n.
Proof.
intros F R. assert (W := high_near front F). assert (Z150 : 0 <= bpow radix2 (-150)) by apply bpow_ge_0.
assert (Z132 : 0 <= bpow radix2 (-132)) by apply bpow_ge_0.
assert (B0 : 0 < b).
{ assert (Us := u_size). assert (Q := rest). apply Rabs_le_inv in Q. assert (0 <= u * o1) by (apply Rmult_le_pos; lra). assert (u * o1 <= / 100 * o1) by (apply Rmult_le_compat_r; lra). unfold b. lra. }
refine (summed_sum_near 2 1 b A (1 - x) o1 (rnd (1 - x)) front (1 * tiny) 0 term value n ends weighted blocks eq_refl (le_n _) B0 A_above _ b_near _ (off_within _ _ _ W) _ Z132 term0 value0 R few weighs_them).
- lra.
- assert (O := off_rnd _ _ _ _ (off_within 0 _ _ (within_exact (1 - x) ltac:(lra)))). apply off_weaken with (3 := O); [lia|lra].
- rewrite Rmult_1_l. apply bpow_le. lia.
Qed.
End Point.
