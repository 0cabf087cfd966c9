(** exp_minus of doubled.py: the exponential of a slope up to 32 in two doubles, off by at most
    2^-62. *)
From Coq Require Import Reals Lra Lia Psatz List ZArith.
From Flocq Require Import Core Mult_error.
From Interval Require Import Tactic.
From Simplexcert Require Import SeriesSource Rounding Doubled Constants ExpTable.
Local Open Scope R_scope.

Lemma whole_of_double x : double x -> bpow radix2 (-7) <= Rabs x -> exists n, x = IZR n * bpow radix2 (-59).
Proof.
intros D L. unfold double, generic_format in D. set (c := cexp radix2 (FLT_exp (-1074) 53) x) in *.
assert (C : (-59 <= c)%Z).
{ unfold c, cexp, FLT_exp. assert (M := mag_ge_bpow radix2 x (-6) L). lia. }
exists (Ztrunc (scaled_mantissa radix2 (FLT_exp (-1074) 53) x) * 2 ^ (c + 59))%Z.
rewrite D at 1. unfold F2R. simpl Fnum. simpl Fexp. fold c. rewrite mult_IZR, Rmult_assoc. f_equal.
replace c with (c + 59 + -59)%Z at 1 by ring. rewrite bpow_plus. f_equal. symmetry. apply (IZR_Zpower radix2). lia.
Qed.

(** The whole number of steps, and what is left. *)
Lemma steps_near a : 0 <= a <= 32 ->
  let k := ZnearestE (rnd (- a / exp_step)) in
  Rabs (IZR k * (ln 2 / 32) + a) <= 108305 / 10000000 /\ (-1500 <= k <= 0)%Z.
Proof.
intros A k. assert (C : 2166 / 100000 <= exp_step <= 21661 / 1000000) by (unfold exp_step; interval with (i_prec 60)).
assert (Ln : ln 2 / 32 <= 216609 / 10000000) by interval with (i_prec 60).
assert (St := step_size). assert (Ls := least_small). assert (Us := u_size).
assert (X : 0 <= a / exp_step <= 1478).
{ split; [apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra]|].
  apply Rmult_le_reg_r with exp_step; [lra|]. replace (a / exp_step * exp_step) with a by (field; lra). lra. }
assert (E : - a / exp_step = - (a / exp_step)) by (field; lra).
assert (B : Rabs (- (a / exp_step)) <= 1478) by (apply Rabs_le; lra). assert (R := rnd_off _ _ B).
assert (Kd : k = ZnearestE (rnd (- (a / exp_step)))) by (unfold k; now rewrite E). clearbody k.
set (y := rnd (- (a / exp_step))) in *. set (x := a / exp_step) in *.
assert (N := Znearest_half (fun z => negb (Z.even z)) y). fold ZnearestE in N. rewrite <- Kd in N.
apply Rabs_le_inv in R. apply Rabs_le_inv in N.
assert (K : Rabs (IZR k + x) <= 5000001 / 10000000) by (apply Rabs_le; lra). assert (K' := Rabs_le_inv _ _ K).
split.
- replace (IZR k * (ln 2 / 32) + a) with ((IZR k + x) * exp_step - IZR k * (exp_step - ln 2 / 32)) by (unfold x; field; lra).
  assert (Ep : Rabs exp_step = exp_step) by (apply Rabs_pos_eq; lra). assert (T1 := times_below _ _ _ _ K (Req_le _ _ Ep)).
  assert (K15 : Rabs (IZR k) <= 1500) by (apply Rabs_le; lra). assert (T2 := times_below _ _ _ _ K15 St).
  assert (S5 : exp_step <= ln 2 / 32 + / 10 ^ 17) by (apply Rabs_le_inv in St; lra).
  apply Rabs_le_inv in T1. apply Rabs_le_inv in T2. apply Rabs_le. lra.
- split.
  + apply le_IZR. lra.
  + assert (k < 1)%Z; [apply lt_IZR; lra|lia].
Qed.

Lemma exact_multiple k m e : (-1500 <= k <= 0)%Z -> (Z.abs m < 2 ^ 40)%Z -> (-1000 <= e)%Z ->
  rnd (IZR k * (IZR m * bpow radix2 e)) = IZR k * (IZR m * bpow radix2 e).
Proof.
intros K M E. apply rnd_double. rewrite <- Rmult_assoc, <- mult_IZR. apply double_whole; [|lia].
rewrite Z.abs_mul. apply Z.le_lt_trans with (1500 * 2 ^ 40)%Z; [apply Z.mul_le_mono_nonneg; lia|reflexivity].
Qed.

(** What is left of the argument after the first piece, exactly. *)
Lemma first_exact a k : double a -> 0 <= a <= 32 -> (-1500 <= k <= 0)%Z ->
  Rabs (IZR k * (ln 2 / 32) + a) <= 108305 / 10000000 ->
  rnd (- a - rnd (IZR k * exp_first)) = - a - IZR k * exp_first.
Proof.
intros D A K L. assert (F : exp_first = IZR 381061692393 * bpow radix2 (-44)) by reflexivity.
rewrite F, exact_multiple, <- F by (lia || easy).
destruct (Z.eq_dec k 0) as [->|N].
{ replace (- a - 0 * exp_first) with (- a) by ring. apply rnd_double, double_opp, D. }
assert (K1 : IZR k <= -1) by (apply IZR_le; lia).
assert (K2 : -1500 <= IZR k) by (apply IZR_le; lia).
assert (Ln : 21660 / 1000000 <= ln 2 / 32 <= 216609 / 10000000) by (split; interval with (i_prec 60)).
assert (Df : Rabs (exp_first - ln 2 / 32) <= / 10 ^ 13) by (unfold exp_first; interval with (i_prec 100)).
assert (K15 : Rabs (IZR k) <= 1500) by (apply Rabs_le; lra). assert (T := times_below _ _ _ _ K15 Df). apply Rabs_le_inv in T. apply Rabs_le_inv in L.
assert (B : Rabs (- a - IZR k * exp_first) <= 108306 / 10000000).
{ apply Rabs_le. lra. }
assert (A7 : 108 / 10000 <= a).
{ assert (IZR k * (ln 2 / 32) <= -1 * (ln 2 / 32)) by (apply Rmult_le_compat_r; lra). lra. }
destruct (whole_of_double a D) as [n En].
{ rewrite Rabs_pos_eq by lra. simpl; lra. }
assert (E : - a - IZR k * exp_first = IZR (- n - k * (381061692393 * 2 ^ 15)) * bpow radix2 (-59)).
{ rewrite minus_IZR, opp_IZR, !mult_IZR, Rmult_minus_distr_r, F, En.
  assert (P : bpow radix2 (-44) = IZR (2 ^ 15) * bpow radix2 (-59)) by (change (-44)%Z with (15 + -59)%Z; rewrite bpow_plus; reflexivity).
  rewrite P. ring. }
rewrite E in *. apply rnd_double, double_whole; [|lia].
apply lt_IZR. rewrite abs_IZR. apply Rmult_lt_reg_r with (bpow radix2 (-59)); [apply bpow_gt_0|].
rewrite <- (Rabs_pos_eq (bpow radix2 (-59))) at 1 by apply bpow_ge_0. rewrite <- Rabs_mult.
apply Rle_lt_trans with (1 := B). change (IZR (2 ^ 53)) with (bpow radix2 53). rewrite <- bpow_plus. simpl; lra.
Qed.

(** One step of Horner's rule. *)
Lemma horner t P e r c C g B : Rabs (t - P) <= e -> Rabs P <= B -> Rabs r <= 109 / 10000 -> Rabs (c - C) <= g ->
  0 <= e <= / 10 ^ 15 -> B <= 1 -> Rabs (P * r + C) <= 52 / 100 -> g <= / 10 ^ 16 ->
  Rabs (rnd (rnd (t * r) + c) - (P * r + C)) <= 7 / 10 ^ 17 + 11 / 1000 * e + 12 / 10 ^ 19 * B + g.
Proof.
intros T Bp R G E B1 Pc G1. assert (Ls := least_small). assert (Us := u_size).
assert (X : Rabs (t * r - P * r) <= e * (109 / 10000)).
{ replace (t * r - P * r) with ((t - P) * r) by ring. apply times_below; assumption. }
assert (Y := times_below _ _ _ _ Bp R). apply Rabs_le_inv in X. apply Rabs_le_inv in Y.
assert (R1 := rnd_off (t * r) (B * (109 / 10000) + e * (109 / 10000)) ltac:(apply Rabs_le; lra)).
set (z := rnd (t * r)) in *. apply Rabs_le_inv in R1. apply Rabs_le_inv in G. apply Rabs_le_inv in Pc.
assert (B0 : 0 <= B) by (apply Rle_trans with (2 := Bp); apply Rabs_pos).
assert (R2 := rnd_off (z + c) (521 / 1000) ltac:(apply Rabs_le; lra)). apply Rabs_le_inv in R2.
apply Rabs_le. lra.
Qed.

Definition P1 r := 1 / 5040 * r + 1 / 720.
Definition P2 r := P1 r * r + 1 / 120.
Definition P3 r := P2 r * r + 1 / 24.
Definition P4 r := P3 r * r + 1 / 6.
Definition P5 r := P4 r * r + 1 / 2.

Lemma tail_near r : Rabs r <= 109 / 10000 ->
  let t1 := rnd (rnd (exp_taylor_0 * r) + exp_taylor_1) in
  let t2 := rnd (rnd (t1 * r) + exp_taylor_2) in
  let t3 := rnd (rnd (t2 * r) + exp_taylor_3) in
  let t4 := rnd (rnd (t3 * r) + exp_taylor_4) in
  Rabs (rnd (rnd (t4 * r) + exp_taylor_5) - P5 r) <= 8 / 10 ^ 17.
Proof.
intros R t1 t2 t3 t4.
assert (H1 : Rabs (t1 - P1 r) <= 8 / 10 ^ 17).
{ eapply Rle_trans; [apply (horner _ (1 / 5040) (/ 10 ^ 18) r _ (1 / 720) (/ 10 ^ 18) (/ 1000)); try assumption; unfold exp_taylor_0, exp_taylor_1; try interval with (i_prec 100)|lra]. }
assert (H2 : Rabs (t2 - P2 r) <= 8 / 10 ^ 17).
{ eapply Rle_trans; [apply (horner _ (P1 r) (8 / 10 ^ 17) r _ (1 / 120) (2 / 10 ^ 18) (/ 100)); try assumption; unfold P1, exp_taylor_2; try interval with (i_prec 100)|lra]. }
assert (H3 : Rabs (t3 - P3 r) <= 8 / 10 ^ 17).
{ eapply Rle_trans; [apply (horner _ (P2 r) (8 / 10 ^ 17) r _ (1 / 24) (3 / 10 ^ 18) (/ 10)); try assumption; unfold P2, P1, exp_taylor_3; try interval with (i_prec 100)|lra]. }
assert (H4 : Rabs (t4 - P4 r) <= 9 / 10 ^ 17).
{ eapply Rle_trans; [apply (horner _ (P3 r) (8 / 10 ^ 17) r _ (1 / 6) (10 / 10 ^ 18) (/ 10)); try assumption; unfold P3, P2, P1, exp_taylor_4; try interval with (i_prec 100)|lra]. }
eapply Rle_trans; [apply (horner _ (P4 r) (9 / 10 ^ 17) r _ (1 / 2) 0 (2 / 10)); try assumption; unfold P4, P3, P2, P1, exp_taylor_5; try interval with (i_prec 100)|lra].
Qed.

(** normalised where its second number may be above its first. *)
Lemma normalised_off h l H L : Rabs h <= H -> Rabs l <= L ->
  Rabs (fst (doubled_normalised h l) + snd (doubled_normalised h l) - (h + l)) <=
    / 7900000000000000 * L + / 10 ^ 31 * H + 4 * least /\
  Rabs (snd (doubled_normalised h l)) <= / 3900000000000000 * L + / 7900000000000000 * H + 4 * least /\
  Rabs (fst (doubled_normalised h l) - (h + l)) <= / 8000000000000000 * (H + L) + least.
Proof.
intros Bh Bl. unfold doubled_normalised. cbv zeta. cbn [fst snd].
assert (H0 : 0 <= H) by (apply Rle_trans with (2 := Bh); apply Rabs_pos).
assert (L0 : 0 <= L) by (apply Rle_trans with (2 := Bl); apply Rabs_pos).
assert (Ls : 0 < least) by apply least_small.
apply Rabs_le_inv in Bh. apply Rabs_le_inv in Bl.
assert (R1 := rnd_off (h + l) (H + L) ltac:(apply Rabs_le; lra)). set (f := rnd (h + l)) in *.
assert (R1' := Rabs_le_inv _ _ R1).
assert (R2 := rnd_off (f - h) (L + / 8000000000000000 * (H + L) + least) ltac:(apply Rabs_le; lra)).
set (w := rnd (f - h)) in *. apply Rabs_le_inv in R2.
assert (R3 := rnd_off (l - w) (/ 8000000000000000 * (H + L) + least + (/ 8000000000000000 * (L + / 8000000000000000 * (H + L) + least) + least)) ltac:(apply Rabs_le; lra)).
set (s := rnd (l - w)) in *. apply Rabs_le_inv in R3.
split; [apply Rabs_le; lra|split; [apply Rabs_le; lra|exact R1]].
Qed.

Lemma exp_near e : Rabs e <= 2 / 10 ^ 14 -> Rabs (exp e - (1 + e)) <= / 10 ^ 27.
Proof. intros B. interval with (i_prec 150, i_taylor e, i_degree 4). Qed.

(** e^r - 1 for what is left of the argument. *)
Lemma growth_near rest low : Rabs rest <= 10831 / 1000000 -> Rabs low <= 11 / 10 ^ 15 ->
  let t1 := rnd (rnd (exp_taylor_0 * rest) + exp_taylor_1) in
  let t2 := rnd (rnd (t1 * rest) + exp_taylor_2) in
  let t3 := rnd (rnd (t2 * rest) + exp_taylor_3) in
  let t4 := rnd (rnd (t3 * rest) + exp_taylor_4) in
  let tail := rnd (rnd (t4 * rest) + exp_taylor_5) in
  let bent := rnd (rnd (rest * rest) * tail) in
  let growth := doubled_normalised rest (rnd (bent + rnd (low * rnd (rnd (1 + rest) + bent)))) in
  Rabs (1 + (fst growth + snd growth) - exp (rest + low)) <= 6 / 10 ^ 20 /\
  Rabs (fst growth) <= 11 / 1000 /\ Rabs (snd growth) <= 3 / 10 ^ 18.
Proof.
intros R Lo t1 t2 t3 t4 tail bent growth.
assert (Ls := least_small). assert (Us := u_size).
assert (T : Rabs (tail - P5 rest) <= 8 / 10 ^ 17) by (apply tail_near; lra).
assert (P : Rabs (P5 rest) <= 502 / 1000) by (unfold P5, P4, P3, P2, P1; interval with (i_prec 60)).
assert (Tb : Rabs tail <= 503 / 1000) by (apply Rabs_le_inv in T; apply Rabs_le_inv in P; apply Rabs_le; lra).
assert (S : Rabs (rest * rest) <= 118 / 10 ^ 6) by (apply Rle_trans with (1 := times_below _ _ _ _ R R); lra).
assert (R1 := rnd_off _ _ S). set (r2 := rnd (rest * rest)) in *.
assert (R1c : Rabs (r2 - rest * rest) <= 15 / 10 ^ 21) by lra.
assert (Y1 := times_below _ _ _ _ R1c Tb). assert (Y2 := times_below _ _ _ _ S T). assert (Y3 := times_below _ _ _ _ S P).
assert (B1 : Rabs (r2 * tail - rest * rest * P5 rest) <= 18 / 10 ^ 21).
{ replace (r2 * tail - rest * rest * P5 rest) with ((r2 - rest * rest) * tail + rest * rest * (tail - P5 rest)) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _). lra. }
apply Rabs_le_inv in B1. apply Rabs_le_inv in Y3.
assert (R2 := rnd_off (r2 * tail) (6 / 10 ^ 5) ltac:(apply Rabs_le; lra)). fold bent in R2. apply Rabs_le_inv in R2.
assert (B2 : Rabs (bent - rest * rest * P5 rest) <= 26 / 10 ^ 21) by (apply Rabs_le; lra).
assert (Bb : Rabs bent <= 61 / 10 ^ 6) by (apply Rabs_le; lra).
(* the second double *)
assert (R' := Rabs_le_inv _ _ R). assert (Bb' := Rabs_le_inv _ _ Bb).
assert (R3 := rnd_off (1 + rest) 2 ltac:(apply Rabs_le; lra)). set (s1 := rnd (1 + rest)) in *. apply Rabs_le_inv in R3.
assert (R4 := rnd_off (s1 + bent) 2 ltac:(apply Rabs_le; lra)). set (s2 := rnd (s1 + bent)) in *. apply Rabs_le_inv in R4.
assert (G : Rabs (s2 - exp rest) <= / 10 ^ 12).
{ assert (X := taylor_left_out rest R). apply Rabs_le_inv in X. apply Rabs_le_inv in B2.
  assert (Z : rest * rest * P5 rest = rest * rest * (1 / 2 + rest * (1 / 6 + rest * (1 / 24 + rest * (1 / 120 + rest * (1 / 720 + rest * (1 / 5040))))))) by (unfold P5, P4, P3, P2, P1; ring).
  rewrite <- Z in X. apply Rabs_le. lra. }
assert (Eb : Rabs (exp rest) <= 102 / 100) by interval with (i_prec 60).
assert (Gb : Rabs s2 <= 103 / 100) by (apply Rabs_le; lra).
assert (W1 := times_below _ _ _ _ Lo Gb). assert (W2 := times_below _ _ _ _ Lo G).
assert (R5 := rnd_off _ _ W1). set (w := rnd (low * s2)) in *. apply Rabs_le_inv in W1. apply Rabs_le_inv in W2. apply Rabs_le_inv in R5.
assert (R6 := rnd_off (bent + w) (611 / 10 ^ 7) ltac:(apply Rabs_le; lra)). fold growth in R6.
set (l := rnd (bent + w)) in *. apply Rabs_le_inv in R6.
assert (Lb : Rabs l <= 62 / 10 ^ 6) by (apply Rabs_le; lra).
destruct (normalised_off rest l _ _ R Lb) as (N1 & N2 & N3). fold growth in N1, N2, N3.
apply Rabs_le_inv in N1. apply Rabs_le_inv in N3. apply Rabs_le_inv in Lb.
split; [|split; [apply Rabs_le; lra|lra]].
(* the exponential *)
assert (X := taylor_left_out rest R). 
assert (Z : rest * rest * P5 rest = rest * rest * (1 / 2 + rest * (1 / 6 + rest * (1 / 24 + rest * (1 / 120 + rest * (1 / 720 + rest * (1 / 5040))))))) by (unfold P5, P4, P3, P2, P1; ring).
rewrite <- Z in X.
assert (V : Rabs (exp low - (1 + low)) <= / 10 ^ 27) by (apply exp_near; lra).
assert (V' := times_below _ _ _ _ Eb V). rewrite exp_plus.
replace (low * (s2 - exp rest)) with (low * s2 - low * exp rest) in W2 by ring.
replace (exp rest * (exp low - (1 + low))) with (exp rest * exp low - exp rest - low * exp rest) in V' by ring.
apply Rabs_le_inv in X. apply Rabs_le_inv in V'. apply Rabs_le_inv in B2. apply Rabs_le. lra.
Qed.

(** The product with a power of two, and the sum. *)
Lemma product_near b0 b1 g0 g1 p : double b0 -> double g0 ->
  1 <= p <= 2 -> Rabs (b0 + b1 - p) <= 4 / 10 ^ 32 -> Rabs b1 <= 12 / 10 ^ 17 ->
  Rabs g0 <= 11 / 1000 -> Rabs g1 <= 3 / 10 ^ 18 ->
  let n := doubled_times (b0, b1) (g0, g1) in
  Rabs (fst n + snd n - (b0 * g0 + b0 * g1 + b1 * g0)) <= / 10 ^ 31 /\
  Rabs (fst n) <= 23 / 1000 /\ Rabs (snd n) <= 4 / 10 ^ 18.
Proof.
intros D0 E0 Pp B B1 G0 G1. unfold doubled_times. cbv zeta. cbn [fst snd].
assert (Ls := least_small). assert (Us := u_size). apply Rabs_le_inv in B. assert (B1' := Rabs_le_inv _ _ B1).
assert (B0 : Rabs b0 <= 2001 / 1000) by (apply Rabs_le; lra).
destruct (two_product_both b0 g0 D0 E0) as [_ T].
assert (F : fst (doubled_two_product b0 g0) = rnd (b0 * g0)) by reflexivity.
set (h := fst (doubled_two_product b0 g0)) in *. set (l := snd (doubled_two_product b0 g0)) in *.
assert (Y0 := times_below _ _ _ _ B0 G0). assert (Y1 := times_below _ _ _ _ B0 G1). assert (Y2 := times_below _ _ _ _ B1 G0).
assert (R0 := rnd_off _ _ Y0). rewrite <- F in R0. assert (R1 := rnd_off _ _ Y1). assert (R2 := rnd_off _ _ Y2).
set (m1 := rnd (b0 * g1)) in *. set (m2 := rnd (b1 * g0)) in *.
apply Rabs_le_inv in T. apply Rabs_le_inv in Y0. apply Rabs_le_inv in Y1. apply Rabs_le_inv in Y2.
apply Rabs_le_inv in R0. apply Rabs_le_inv in R1. apply Rabs_le_inv in R2.
assert (R3 := rnd_off (m1 + m2) (8 / 10 ^ 18) ltac:(apply Rabs_le; lra)). set (m3 := rnd (m1 + m2)) in *. apply Rabs_le_inv in R3.
assert (R4 := rnd_off (l + m3) (12 / 10 ^ 18) ltac:(apply Rabs_le; lra)). set (t := rnd (l + m3)) in *. apply Rabs_le_inv in R4.
destruct (normalised_off h t (221 / 10000) (13 / 10 ^ 18)) as (N1 & N2 & N3); [apply Rabs_le; lra|apply Rabs_le; lra|].
apply Rabs_le_inv in N1. apply Rabs_le_inv in N3.
split; [apply Rabs_le; lra|split; [apply Rabs_le; lra|lra]].
Qed.

Lemma sum_near b0 b1 n0 n1 p E g0 g1 : double b0 -> double n0 ->
  1 <= p <= 2 -> Rabs (b0 + b1 - p) <= 4 / 10 ^ 32 -> Rabs b1 <= 12 / 10 ^ 17 ->
  Rabs g0 <= 11 / 1000 -> Rabs g1 <= 3 / 10 ^ 18 ->
  Rabs (n0 + n1 - (b0 * g0 + b0 * g1 + b1 * g0)) <= / 10 ^ 31 -> Rabs n0 <= 23 / 1000 -> Rabs n1 <= 4 / 10 ^ 18 ->
  Rabs (1 + (g0 + g1) - E) <= 61 / 10 ^ 21 ->
  pair (8 / 10 ^ 20) (doubled_plus (b0, b1) (n0, n1)) (p * E).
Proof.
intros D0 E0 Pp B B1 G0 G1 N N0 N1 Ge. unfold doubled_plus. cbv zeta. cbn [fst snd].
assert (Ls := least_small). assert (Us := u_size). assert (B' := Rabs_le_inv _ _ B). assert (B1' := Rabs_le_inv _ _ B1).
apply Rabs_le_inv in N. apply Rabs_le_inv in N0. apply Rabs_le_inv in N1. assert (G0' := Rabs_le_inv _ _ G0). assert (G1' := Rabs_le_inv _ _ G1).
assert (S := two_sum_exact b0 n0 D0 E0).
assert (F : fst (doubled_two_sum b0 n0) = rnd (b0 + n0)) by reflexivity.
assert (R0 := rnd_off (b0 + n0) (21 / 10) ltac:(apply Rabs_le; lra)). rewrite <- F in R0.
set (h := fst (doubled_two_sum b0 n0)) in *. set (l := snd (doubled_two_sum b0 n0)) in *. apply Rabs_le_inv in R0.
assert (R1 := rnd_off (b1 + n1) (13 / 10 ^ 17) ltac:(apply Rabs_le; lra)). set (m := rnd (b1 + n1)) in *. apply Rabs_le_inv in R1.
assert (R2 := rnd_off (l + m) (5 / 10 ^ 16) ltac:(apply Rabs_le; lra)). set (t := rnd (l + m)) in *. apply Rabs_le_inv in R2.
assert (Ge' := Rabs_le_inv _ _ Ge).
assert (Ex : 98 / 100 <= E <= 102 / 100) by lra.
assert (Px : 98 / 100 * p <= p * E <= 102 / 100 * p).
{ split; [rewrite Rmult_comm; apply Rmult_le_compat_l; lra|rewrite (Rmult_comm (102 / 100)); apply Rmult_le_compat_l; lra]. }
assert (Y1 := times_below _ _ _ _ B1 G1).
assert (Y2 : Rabs ((b0 + b1 - p) * (1 + (g0 + g1))) <= 4 / 10 ^ 32 * 2) by (apply times_below; [exact B|apply Rabs_le; lra]).
assert (Y3 : Rabs (p * (1 + (g0 + g1) - E)) <= p * (61 / 10 ^ 21)) by (apply times_below; [rewrite Rabs_pos_eq; lra|exact Ge]).
apply Rabs_le_inv in Y1. apply Rabs_le_inv in Y2. apply Rabs_le_inv in Y3.
apply normalised_pair; [apply double_rnd|apply double_rnd| |lra|apply Rabs_le; lra|apply Rabs_le; lra].
apply Rle_trans with (bpow radix2 (-2)); [apply bpow_le; lia|]. simpl; lra.
Qed.

(** Scaled by a power of two, as ldexp does. *)
Lemma scaled_pair d f p x n : (-100 <= n <= 0)%Z -> 9 / 10 <= x -> 0 <= d <= / 10 ^ 19 -> d + / 10 ^ 31 <= f <= / 10 ^ 18 -> pair d p x ->
  pair f (rnd (bpow radix2 n * fst p), rnd (bpow radix2 n * snd p)) (bpow radix2 n * x).
Proof.
intros N X D F (P1 & P2 & _ & E & L & O).
assert (Ls := least_small). assert (Us := u_size).
set (b := bpow radix2 n) in *. assert (B0 : 0 < b) by apply bpow_gt_0.
assert (Bl : bpow radix2 (-100) <= b) by (apply bpow_le; lia).
assert (E' := Rabs_le_inv _ _ E). assert (O' := Rabs_le_inv _ _ O).
assert (Dx : 0 <= d * x <= / 10 ^ 19 * x) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]).
assert (S : Rabs (snd p) <= (/ 7990000000000000 + 2 * d) * x) by (apply Rabs_le; lra).
assert (H1 : / 2 <= fst p) by lra.
assert (Hx : double (b * fst p)).
{ unfold b. rewrite Rmult_comm. apply mult_bpow_exact_FLT; [exact P1|].
  assert (M := mag_ge_bpow radix2 (fst p) 0). assert (0 <= mag radix2 (fst p))%Z; [|lia]. apply M.
  rewrite Rabs_pos_eq by lra. simpl. lra. }
rewrite (rnd_double _ Hx).
assert (Xs : bpow radix2 (-200) <= b * x).
{ apply Rle_trans with (bpow radix2 (-100) * / 2).
  - apply Rle_trans with (bpow radix2 (-100 + -1)); [apply bpow_le; lia|]. rewrite bpow_plus. apply Rmult_le_compat_l; [apply bpow_ge_0|simpl; lra].
  - apply Rmult_le_compat; [apply bpow_ge_0|lra|exact Bl|lra]. }
assert (Lt : least <= / 10000000000000000000000000000000000000000 * (b * x)).
{ apply least_tiny. apply Rle_trans with (2 := Xs). apply bpow_le. lia. }
set (z := b * x) in *. assert (Z0 : 0 < z) by (apply Rmult_lt_0_compat; lra).
assert (T1 : Rabs (b * snd p) <= (/ 7990000000000000 + 2 * d) * z).
{ replace ((/ 7990000000000000 + 2 * d) * z) with (b * ((/ 7990000000000000 + 2 * d) * x)) by (unfold z; ring).
  apply times_below; [rewrite Rabs_pos_eq; lra|exact S]. }
assert (T2 : Rabs (b * (fst p + snd p - x)) <= d * z).
{ replace (d * z) with (b * (d * x)) by (unfold z; ring). apply times_below; [rewrite Rabs_pos_eq; lra|exact E]. }
assert (T3 : Rabs (b * (fst p - x)) <= (/ 7990000000000000 + d) * z).
{ replace ((/ 7990000000000000 + d) * z) with (b * ((/ 7990000000000000 + d) * x)) by (unfold z; ring).
  apply times_below; [rewrite Rabs_pos_eq; lra|exact O]. }
replace (b * (fst p + snd p - x)) with (b * fst p + b * snd p - z) in T2 by (unfold z; ring).
replace (b * (fst p - x)) with (b * fst p - z) in T3 by (unfold z; ring).
assert (Dz : 0 <= d * z <= / 10 ^ 19 * z) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]).
assert (R := rnd_off (b * snd p) (/ 7970000000000000 * z) ltac:(apply Rle_trans with (1 := T1); lra)).
set (y := rnd (b * snd p)) in *. set (hh := b * fst p) in *. set (ll := b * snd p) in *.
assert (Fz : (d + / 10 ^ 31) * z <= f * z) by (apply Rmult_le_compat_r; lra).
apply Rabs_le_inv in R. apply Rabs_le_inv in T1. apply Rabs_le_inv in T2. apply Rabs_le_inv in T3.
unfold pair, v. cbn [fst snd]. repeat split.
- exact Hx.
- apply double_rnd.
- apply Rle_trans with (2 := Xs). apply bpow_le. lia.
- apply Rabs_le. lra.
- apply Rabs_le. lra.
- apply Rabs_le. lra.
Qed.

(** The whole: the exponential of a slope that is two doubles to 1e-26. *)
Theorem exp_minus_pair a0 a1 slope : double a0 -> double a1 -> 0 <= a0 <= 32 -> Rabs a1 <= 8 / 10 ^ 15 ->
  Rabs (slope - (a0 + a1)) <= / 10 ^ 26 ->
  pair (/ 10 ^ 19) (exp_minus (a0, a1)) (exp (- slope)).
Proof.
intros D0 D1 A A1 Sl. assert (Ls := least_small). assert (Us := u_size).
assert (St := steps_near a0 A). cbv zeta in St. unfold exp_minus. cbv zeta. cbn [fst snd].
set (k := ZnearestE (rnd (- a0 / exp_step))) in *. destruct St as [K0 K1].
assert (Fe := first_exact a0 k D0 A K1 K0). rewrite Fe.
assert (K2 : Rabs (IZR k) <= 1500).
{ apply Rabs_le. split; [apply (IZR_le (-1500)); lia|apply IZR_le; lia]. }
assert (Dn : double (- a0 - IZR k * exp_first)) by (rewrite <- Fe; apply double_rnd).
assert (Ds : double (rnd (- IZR k * exp_second))) by apply double_rnd.
assert (Ts := two_sum_exact _ _ Dn Ds).
assert (F : fst (doubled_two_sum (- a0 - IZR k * exp_first) (rnd (- IZR k * exp_second))) =
  rnd (- a0 - IZR k * exp_first + rnd (- IZR k * exp_second))) by reflexivity.
assert (C2 : Rabs exp_second <= / 10 ^ 13) by (unfold exp_second; interval with (i_prec 60)).
assert (C3 : Rabs exp_third <= / 10 ^ 26) by (unfold exp_third; interval with (i_prec 60)).
assert (Q2 : Rabs (- IZR k * exp_second) <= 1500 * / 10 ^ 13) by (apply times_below; [rewrite Rabs_Ropp|]; assumption).
assert (Q3 := times_below _ _ _ _ K2 C3).
assert (R2 := rnd_off _ _ Q2). assert (R3 := rnd_off _ _ Q3).
assert (Pc := times_below _ _ _ _ K2 pieces).
set (s2 := rnd (- IZR k * exp_second)) in *. set (s3 := rnd (IZR k * exp_third)) in *.
apply Rabs_le_inv in R2. apply Rabs_le_inv in R3. apply Rabs_le_inv in Q2. apply Rabs_le_inv in Q3.
replace (IZR k * (exp_first + exp_second + exp_third - ln 2 / 32)) with
  (IZR k * exp_first + IZR k * exp_second + IZR k * exp_third - IZR k * (ln 2 / 32)) in Pc by ring.
replace (- IZR k * exp_second) with (- (IZR k * exp_second)) in * by ring.
set (k1 := IZR k * exp_first) in *. set (k2 := IZR k * exp_second) in *. set (k3 := IZR k * exp_third) in *. set (kl := IZR k * (ln 2 / 32)) in *.
apply Rabs_le_inv in Pc. apply Rabs_le_inv in K0. apply Rabs_le_inv in A1. apply Rabs_le_inv in Sl.
assert (R0 := rnd_off (- a0 - k1 + s2) (1083051 / 10 ^ 8) ltac:(apply Rabs_le; lra)). rewrite <- F in R0.
set (rest := fst (doubled_two_sum (- a0 - k1) s2)) in *. set (low0 := snd (doubled_two_sum (- a0 - k1) s2)) in *.
apply Rabs_le_inv in R0.
assert (R4 := rnd_off (low0 - s3) (2 / 10 ^ 18) ltac:(apply Rabs_le; lra)). set (low1 := rnd (low0 - s3)) in *. apply Rabs_le_inv in R4.
assert (R5 := rnd_off (low1 - a1) (9 / 10 ^ 15) ltac:(apply Rabs_le; lra)). set (low := rnd (low1 - a1)) in *. apply Rabs_le_inv in R5.
assert (Rb : Rabs rest <= 10831 / 1000000) by (apply Rabs_le; lra).
assert (Lb : Rabs low <= 11 / 10 ^ 15) by (apply Rabs_le; lra).
assert (Gn := growth_near rest low Rb Lb). cbv zeta in Gn.
set (growth := doubled_normalised rest _) in *. destruct Gn as (G & G0 & G1).
(* the exponential that it stands for *)
set (E := exp (- slope - kl)).
set (e := - slope - kl - (rest + low)).
assert (Eb : Rabs e <= / 10 ^ 25) by (apply Rabs_le; unfold e; lra).
assert (Er : Rabs (1 + (fst growth + snd growth) - E) <= 61 / 10 ^ 21).
{ assert (V : Rabs (exp e - (1 + e)) <= / 10 ^ 27) by (apply exp_near; lra).
  assert (Eq : E = exp (rest + low) * exp e) by (unfold E, e; rewrite <- exp_plus; f_equal; ring).
  assert (X : Rabs (exp (rest + low)) <= 2).
  { apply Rabs_le_inv in Rb. apply Rabs_le_inv in Lb. assert (Y : Rabs (rest + low) <= 2 / 100) by (apply Rabs_le; lra).
    set (y := rest + low) in *. interval with (i_prec 60). }
  assert (Z : Rabs (exp e - 1) <= 2 / 10 ^ 25) by (apply Rabs_le_inv in V; apply Rabs_le_inv in Eb; apply Rabs_le; lra).
  assert (T := times_below _ _ _ _ X Z). rewrite Eq. apply Rabs_le_inv in T. apply Rabs_le_inv in G. apply Rabs_le. lra. }
(* the table *)
assert (J : (0 <= k mod 32 < 32)%Z) by (apply Z.mod_pos_bound; lia).
destruct (table (k mod 32) J) as [T1 T2]. set (power := nth (Z.to_nat (k mod 32)) exp_powers (0, 0)) in *.
set (p := exp (IZR (k mod 32) * (ln 2 / 32))) in *.
assert (Pp : 1 <= p <= 2).
{ assert (J0 : 0 <= IZR (k mod 32) <= 31) by (split; apply IZR_le; lia). unfold p. set (jj := IZR (k mod 32)) in *.
  assert (L2 : 0 <= ln 2 / 32) by interval with (i_prec 60). split.
  - rewrite <- exp_0. assert (Y : 0 <= jj * (ln 2 / 32)) by (apply Rmult_le_pos; lra). destruct Y as [Y| <-]; [apply Rlt_le, exp_increasing, Y|lra].
  - rewrite <- (exp_ln 2) at 2 by lra. apply Rlt_le, exp_increasing.
    assert (0 < ln 2) by interval with (i_prec 60). apply Rle_lt_trans with (31 * (ln 2 / 32)); [apply Rmult_le_compat_r; lra|lra]. }
assert (Db : double (fst power)) by (apply table_double; exact J).
assert (Dg : double (fst growth)) by apply double_rnd.
assert (Pn := product_near (fst power) (snd power) (fst growth) (snd growth) p Db Dg Pp T1 T2 G0 G1). cbv zeta in Pn.
rewrite <- !surjective_pairing in Pn. destruct Pn as (N & N0 & N1).
set (prod := doubled_times power growth) in *.
assert (Dp : double (fst prod)) by apply double_rnd.
assert (Sn := sum_near (fst power) (snd power) (fst prod) (snd prod) p E (fst growth) (snd growth) Db Dp Pp T1 T2 G0 G1 N N0 N1 Er).
rewrite <- !surjective_pairing in Sn.
assert (Ex : exp (- slope) = bpow radix2 (k / 32) * (p * E)).
{ replace (bpow radix2 (k / 32)) with (exp (IZR (k / 32) * ln 2)).
  2:{ rewrite bpow_exp. f_equal. }
  unfold p, E. rewrite <- !exp_plus. f_equal. unfold kl.
  assert (Dm := Z.div_mod k 32 ltac:(lia)). apply (f_equal IZR) in Dm. rewrite plus_IZR, mult_IZR in Dm.
  rewrite Dm. field. }
rewrite Ex. assert (Er' := Rabs_le_inv _ _ Er). apply Rabs_le_inv in G0. apply Rabs_le_inv in G1.
apply scaled_pair with (d := 8 / 10 ^ 20); [| |lra|lra|exact Sn].
- split; [apply Z.div_le_lower_bound; lia|apply Z.div_le_upper_bound; lia].
- apply Rle_trans with (1 * (9 / 10)); [lra|apply Rmult_le_compat; lra].
Qed.
