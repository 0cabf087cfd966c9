(** q and A q of [front] in incomplete_beta.py, from epsilon, alpha and step: the slope epsilon/step in
    two doubles, then [_near_parts] or [_steep_parts]. *)
From Coq Require Import Reals Lra Lia Psatz ZArith.
From Flocq Require Import Core Mult_error.
From Interval Require Import Tactic.
From Simplexcert Require Import SeriesSource Rounding RoundedSums Doubled ExpTable ExpMinus NearCase SteepCase.
Local Open Scope R_scope.

(** A part of a quotient, scaled: exactly, or it is next to nothing. *)
Lemma scaled_exactly n h : double h -> / 4 <= h <= 4 -> Rabs (rnd (bpow radix2 n * h) - bpow radix2 n * h) <= / 10 ^ 50.
Proof.
intros D H. destruct (Z_le_gt_dec (-900) n) as [N|N].
- rewrite rnd_double; [rewrite Rminus_diag_eq, Rabs_R0 by reflexivity; lra|].
  rewrite Rmult_comm. apply mult_bpow_exact_FLT; [exact D|].
  assert (M : (-1 <= mag radix2 h)%Z); [|lia]. apply mag_ge_bpow. rewrite Rabs_pos_eq by lra. simpl. lra.
- assert (B : bpow radix2 n <= bpow radix2 (-200)) by (apply bpow_le; lia). assert (P := bpow_gt_0 radix2 n).
  assert (S : bpow radix2 (-200) <= / 10 ^ 60) by (simpl; lra).
  assert (T : Rabs (bpow radix2 n * h) <= / 10 ^ 60 * 4) by (apply times_below; rewrite Rabs_pos_eq; lra).
  assert (R := rnd_off _ _ T). assert (Ls := least_tiny (/ 10 ^ 60)).
  assert (least <= / 10 ^ 90); [|lra].
  apply Rle_trans with (bpow radix2 (-320)); [apply bpow_le; lia|simpl; lra].
Qed.

Section Slope.
(** epsilon and step as parts times powers of two, of which shift is the quotient's. *)
Variables top bottom : R.
Variable shift : Z.
Hypothesis (Dt : double top) (Db : double bottom).
Hypothesis (Ht : / 2 <= top <= 1) (Hb : / 2 <= bottom <= 1).
Let slope := bpow radix2 shift * (top / bottom).
Let two := quotient_of_parts top bottom shift.

Lemma slope_pos : 0 < slope.
Proof. apply Rmult_lt_0_compat; [apply bpow_gt_0|apply Rdiv_lt_0_compat; lra]. Qed.

Theorem slope_near : slope <= 1000 \/ fst two <= 999 ->
  double (fst two) /\ double (snd two) /\ 0 <= fst two /\
  Rabs (snd two) <= 126 / 10 ^ 18 * slope + / 10 ^ 30 /\
  Rabs (fst two - slope) <= 126 / 10 ^ 18 * slope + / 10 ^ 30 /\
  Rabs (slope - (fst two + snd two)) <= 2 / 10 ^ 30 * slope + 2 / 10 ^ 30.
Proof.
intros Bound. assert (S0 := slope_pos).
assert (P1 : forall x, double x -> / 2 <= x <= 1 -> pair 0 (x, 0) x).
{ intros x D X. unfold pair, v. cbn [fst snd]. repeat split; try assumption; try apply double_0; try (apply Rabs_le; lra).
  apply Rle_trans with (bpow radix2 (-1)); [apply bpow_le; lia|simpl; lra]. }
assert (X : / 2 <= top / bottom <= 2).
{ split; apply Rmult_le_reg_r with bottom; try lra; replace (top / bottom * bottom) with top by (field; lra); lra. }
assert (P : pair (/ 10 ^ 30) (doubled_over (top, 0) (bottom, 0)) (top / bottom)).
{ refine (over_pair 0 0 _ _ _ _ _ _ _ _ _ _ (P1 _ Dt Ht) (P1 _ Db Hb)); unfold uu; try lra.
  apply Rle_trans with (bpow radix2 (-1)); [apply bpow_le; lia|simpl; lra]. }
unfold two, quotient_of_parts. cbv zeta. cbn [fst snd].
destruct P as (D1 & D2 & _ & E & L & O).
set (h := fst (doubled_over (top, 0) (bottom, 0))) in *. set (l := snd (doubled_over (top, 0) (bottom, 0))) in *.
assert (E' := Rabs_le_inv _ _ E). assert (O' := Rabs_le_inv _ _ O).
assert (S : Rabs l <= / 7980000000000000 * (top / bottom)) by (apply Rabs_le; lra).
assert (R0 := scaled_exactly shift h D1 ltac:(lra)).
set (b := bpow radix2 shift) in *. assert (B0 : 0 < b) by apply bpow_gt_0.
assert (T1 : Rabs (b * l) <= / 7980000000000000 * slope).
{ unfold slope. replace (/ 7980000000000000 * (b * (top / bottom))) with (b * (/ 7980000000000000 * (top / bottom))) by ring.
  apply times_below; [rewrite Rabs_pos_eq; lra|exact S]. }
assert (T2 : Rabs (b * (h + l - top / bottom)) <= / 10 ^ 30 * slope).
{ unfold slope. replace (/ 10 ^ 30 * (b * (top / bottom))) with (b * (/ 10 ^ 30 * (top / bottom))) by ring.
  apply times_below; [rewrite Rabs_pos_eq; lra|exact E]. }
replace (b * (h + l - top / bottom)) with (b * h + b * l - slope) in T2 by (unfold slope; ring).
assert (Ls := least_small). assert (Us := u_size).
assert (R1 := rnd_off _ _ T1). apply Rabs_le_inv in R0. apply Rabs_le_inv in R1. apply Rabs_le_inv in T1. apply Rabs_le_inv in T2.
set (bh := b * h) in *. set (bl := b * l) in *.
assert (Small : least <= / 10 ^ 40).
{ apply Rle_trans with (bpow radix2 (-150)); [apply bpow_le; lia|simpl; lra]. }
repeat split.
- apply double_rnd.
- apply double_rnd.
- apply rnd_nonneg. apply Rmult_le_pos; lra.
- apply Rabs_le. lra.
- apply Rabs_le. lra.
- apply Rabs_le. lra.
Qed.
End Slope.

Lemma zero_slope bottom shift : quotient_of_parts 0 bottom shift = (0, 0).
Proof.
assert (H : doubled_over (0, 0) (bottom, 0) = (0, 0)).
{ unfold doubled_over, doubled_two_product, doubled_halves, doubled_normalised. cbv zeta. cbn [fst snd].
  unfold Rdiv. repeat (rewrite ?Rmult_0_l, ?Rmult_0_r, ?Rminus_0_r, ?Rplus_0_l, ?Rplus_0_r, ?rnd_0). reflexivity. }
unfold quotient_of_parts. cbv zeta. rewrite H. cbn [fst snd]. now rewrite Rmult_0_r, rnd_0.
Qed.

(** Up to a slope of 32, without any assumption on a library's functions: q within 4 roundings, A q
    within 2, a and s scaled by a power of two so that A is not small. *)
Theorem near_case a s top bottom shift low scaled : double a -> double s -> 0 <= a -> 0 <= s ->
  bpow radix2 (-300) <= 2 * a + s ->
  double top -> double bottom -> top = 0 \/ / 2 <= top <= 1 -> / 2 <= bottom <= 1 ->
  fst (quotient_of_parts top bottom shift) <= 32 ->
  (low, scaled) = near_parts a s (exp_minus (quotient_of_parts top bottom shift)) ->
  let q := 1 / (1 + exp (bpow radix2 shift * (top / bottom))) in
  within 4 low q /\ within 2 scaled ((2 * a + s) * q).
Proof.
intros Da Ds A S Size Dt Db Ht Hb Flat Made q.
assert (W : forall p x, pair (/ 10 ^ 19) p x -> pair (bpow radix2 (-62)) p x).
{ intros p x (D1 & D2 & X & E & L & O). assert (Z : 0 < bpow radix2 (-400)) by apply bpow_gt_0.
  assert (K : / 10 ^ 19 <= bpow radix2 (-62)) by (simpl; lra).
  assert (/ 10 ^ 19 * x <= bpow radix2 (-62) * x) by (apply Rmult_le_compat_r; lra).
  repeat split; try assumption; [apply Rle_trans with (1 := E); assumption|apply Rle_trans with (1 := O); lra]. }
destruct Ht as [-> | Ht].
- rewrite zero_slope in Made.
  refine (near_within a s _ Da Ds A S Size _ (exp_minus (0, 0)) _ low scaled Made).
  + unfold Rdiv. rewrite Rmult_0_l, Rmult_0_r. lra.
  + apply W. apply exp_minus_pair; try apply double_0; try lra.
    * rewrite Rabs_R0. lra.
    * unfold Rdiv. rewrite Rmult_0_l, Rmult_0_r. apply Rabs_le. lra.
- assert (S0 := slope_pos top bottom shift Ht Hb).
  destruct (slope_near top bottom shift Dt Db Ht Hb) as (D0 & D1 & P & L & O & E); [right; lra|].
  set (slope := bpow radix2 shift * (top / bottom)) in *. set (two := quotient_of_parts top bottom shift) in *.
  apply Rabs_le_inv in O. assert (Sb : slope <= 33) by lra.
  refine (near_within a s slope Da Ds A S Size _ (exp_minus two) _ low scaled Made); [lra|].
  apply W. rewrite (surjective_pairing two). apply exp_minus_pair; [exact D0|exact D1|lra| |].
  + apply Rle_trans with (1 := L). lra.
  + apply Rle_trans with (1 := E). lra.
Qed.

(** Above, with an exponential of the slope's first double that is off by at most 1.5 u. *)
Theorem steep_case a s top bottom shift exponential total low scaled : 0 <= a -> 0 <= s ->
  double top -> double bottom -> / 2 <= top <= 1 -> / 2 <= bottom <= 1 ->
  let two := quotient_of_parts top bottom shift in
  let slope := bpow radix2 shift * (top / bottom) in
  32 < fst two <= 679 ->
  Rabs (exponential - exp (- fst two)) <= 3 / 2 * u * exp (- fst two) ->
  within 1 total (2 * a + s) ->
  (low, scaled) = steep_parts total exponential (snd two) ->
  let q := 1 / (1 + exp slope) in
  sizeable ((2 * a + s) * q) ->
  within 4 low q /\ within 6 scaled ((2 * a + s) * q).
Proof.
intros A S Dt Db Ht Hb two slope Steep He Ht' Made q Sq.
assert (S0 := slope_pos top bottom shift Ht Hb). fold slope in S0.
destruct (slope_near top bottom shift Dt Db Ht Hb) as (D0 & D1 & P & L & O & E); [right; fold two; lra|].
fold two slope in L, O, E, D0, D1, P. apply Rabs_le_inv in O.
refine (steep_within a s slope _ (fst two) (snd two) exponential total low scaled _ _ He Ht' Made _ Sq).
- (* the least double above 32 *)
  assert (B47 : bpow radix2 (-47) = / 140737488355328) by (simpl; reflexivity).
  assert (N : 32 + bpow radix2 (-47) <= fst two); [|rewrite B47 in N; lra].
  assert (F : double 32) by (replace 32 with (IZR 1 * bpow radix2 5) by (simpl; lra); apply double_whole; [reflexivity|lia]).
  apply Rle_trans with (succ radix2 (FLT_exp (-1074) 53) 32); [|apply succ_le_lt; [apply FLT_exp_valid; easy|exact F|exact D0|lra]].
  rewrite succ_eq_pos by lra. apply Rplus_le_compat_l. rewrite ulp_neq_0 by lra. apply bpow_le.
  unfold cexp, FLT_exp. assert (M : (6 <= mag radix2 32)%Z) by (apply mag_ge_bpow; rewrite Rabs_pos_eq by lra; simpl; lra). lia.
- apply Rle_trans with (1 := L). lra.
- apply Rle_trans with (1 := E). lra.
- apply Rle_trans with (exp (- (679))); [interval with (i_prec 60)|].
  destruct (proj2 Steep) as [X| ->]; [apply Rlt_le, exp_increasing; lra|lra].
Qed.
