(** Numbers in two doubles: doubled.py's sums and products are exact, and its operations on pairs of
    positive numbers are off by little more than the square of the unit of round-off. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core Pff2Flocq.
From Simplexcert Require Import SeriesSource Rounding.
Local Open Scope R_scope.

Definition double (x : R) : Prop := generic_format radix2 (FLT_exp (-1074) 53) x.

Lemma double_rnd x : double (rnd x).
Proof. apply generic_format_round; [apply FLT_exp_valid; easy|apply valid_rnd_N]. Qed.

Lemma double_opp x : double x -> double (- x).
Proof. apply generic_format_opp. Qed.

Lemma even_symmetric x : negb (Z.even x) = negb (negb (Z.even (- (x + 1)))).
Proof. rewrite Z.even_opp, Z.even_add. now destruct (Z.even x). Qed.

Lemma rnd_opp x : rnd (- x) = - rnd x.
Proof. apply (round_N_opp_sym (-1074) 53 (fun z => negb (Z.even z)) even_symmetric). Qed.

Lemma rnd_double x : double x -> rnd x = x.
Proof. intros D. apply round_generic; [apply valid_rnd_N|exact D]. Qed.

(** Knuth's sum. *)
Theorem two_sum_exact x y : double x -> double y ->
  fst (doubled_two_sum x y) + snd (doubled_two_sum x y) = x + y.
Proof.
intros X Y. exact (TwoSum_correct (-1074) 53 (fun z => negb (Z.even z)) ltac:(lia) ltac:(lia) even_symmetric x y X Y).
Qed.

(** Fast2Sum. *)
Theorem normalised_exact x y : double x -> double y -> Rabs y <= Rabs x ->
  fst (doubled_normalised x y) + snd (doubled_normalised x y) = x + y.
Proof.
intros X Y L. unfold doubled_normalised. cbv zeta. cbn [fst snd].
replace (rnd (rnd (x + y) - x)) with (- rnd (x - rnd (x + y))) by (rewrite <- rnd_opp; f_equal; ring).
replace (y - - rnd (x - rnd (x + y))) with (y + rnd (x - rnd (x + y))) by ring.
exact (Fast2Sum_correct (-1074) 53 (fun z => negb (Z.even z)) ltac:(lia) ltac:(lia) even_symmetric x y X Y L).
Qed.

(** Dekker's product, with Veltkamp's halves. *)
Lemma two_product_both x y : double x -> double y ->
  (bpow radix2 (-969) <= Rabs (x * y) ->
    x * y = fst (doubled_two_product x y) + snd (doubled_two_product x y)) /\
  Rabs (x * y - (fst (doubled_two_product x y) + snd (doubled_two_product x y))) <= 7 * least.
Proof.
intros X Y.
assert (H : forall z, fst (doubled_halves z) = rnd (rnd (z - rnd (z * (bpow radix2 27 + 1))) + rnd (z * (bpow radix2 27 + 1)))).
{ intros z. unfold doubled_halves. cbv zeta. cbn [fst].
  assert (B : 134217729 * z = z * (bpow radix2 27 + 1)) by (change (bpow radix2 27) with 134217728; ring).
  rewrite B. set (p := rnd (z * (bpow radix2 27 + 1))). f_equal. replace (p - z) with (- (z - p)) by ring. rewrite rnd_opp. ring. }
assert (H' : forall z, snd (doubled_halves z) = rnd (z - fst (doubled_halves z))) by reflexivity.
destruct (Dekker radix2 (-1074) 53 (fun z => negb (Z.even z)) ltac:(lia) ltac:(lia) x y X Y (or_introl eq_refl)) as [E F].
fold ZnearestE in E, F. fold rnd in E, F. change (53 - Z.div2 53)%Z with 27%Z in E, F.
rewrite (Rplus_comm (- rnd (x * y))) in E, F. unfold doubled_two_product. cbv zeta. cbn [fst snd].
rewrite !H', !H. split.
- intros L. exact (E (or_intror L)).
- apply Rle_trans with (1 := F). assert (B : bpow radix2 (-1074) = 2 * least) by (unfold least; change (-1074)%Z with (1 + -1075)%Z; rewrite bpow_plus; reflexivity). lra.
Qed.

Theorem two_product_exact x y : double x -> double y -> bpow radix2 (-969) <= Rabs (x * y) ->
  fst (doubled_two_product x y) + snd (doubled_two_product x y) = x * y.
Proof. intros X Y L. symmetry. now apply two_product_both. Qed.

(** A pair of doubles that stands for x > 0, off by at most d of it; its second is the rest of a
    rounding. Numbers are from 2^-400 on, so that no product of two underflows. *)
Definition pair (d : R) (p : R * R) (x : R) : Prop :=
  double (fst p) /\ double (snd p) /\ bpow radix2 (-400) <= x /\
  Rabs (fst p + snd p - x) <= d * x /\ Rabs (snd p) <= v * x /\
  Rabs (fst p - x) <= (/ 7990000000000000 + d) * x.

(** The same, of a number that may be as small as it likes. *)
Definition loose (d : R) (p : R * R) (x : R) : Prop :=
  double (fst p) /\ double (snd p) /\ 0 <= x /\ Rabs (fst p + snd p - x) <= d * x /\ Rabs (snd p) <= v * x.

Lemma pair_loose d p x : pair d p x -> loose d p x.
Proof.
intros (D1 & D2 & X & E & L & _). assert (0 < bpow radix2 (-400)) by apply bpow_gt_0.
unfold loose. assert (0 <= x) by lra. now repeat split.
Qed.

Definition uu : R := / 10000000000000000000000000000000.  (* 1e-31, about 8 u^2 *)

Lemma least_tiny x : bpow radix2 (-900) <= x -> least <= / 10000000000000000000000000000000000000000 * x.
Proof.
intros X. unfold least. change (-1075)%Z with (-175 + -900)%Z. rewrite bpow_plus.
apply Rmult_le_compat; try apply bpow_ge_0; [simpl; lra|exact X].
Qed.

(** Rounding, relative to a bound on the number's size. *)
Lemma rnd_off x b : Rabs x <= b -> Rabs (rnd x - x) <= / 8000000000000000 * b + least.
Proof.
intros B. apply Rle_trans with (1 := rnd_error x). apply Rplus_le_compat_r.
apply Rmult_le_compat; [generalize u_pos; lra|apply Rabs_pos| |exact B]. unfold u; simpl; lra.
Qed.

(** What normalised leaves: the sum as a pair. *)
Lemma normalised_pair h l x d : double h -> double l -> bpow radix2 (-400) <= x -> 0 <= d <= / 1000000 ->
  Rabs l <= / 100 * x -> Rabs (h + l - x) <= d * x -> pair d (doubled_normalised h l) x.
Proof.
intros H L X D Sl Sx. assert (X0 : 0 < x) by (apply Rlt_le_trans with (2 := X); apply bpow_gt_0).
assert (Dx : d * x <= / 1000000 * x) by (apply Rmult_le_compat_r; lra).
apply Rabs_le_inv in Sl. apply Rabs_le_inv in Sx.
assert (E : fst (doubled_normalised h l) + snd (doubled_normalised h l) = h + l).
{ apply normalised_exact; [exact H|exact L|]. rewrite (Rabs_pos_eq h) by lra. apply Rabs_le. lra. }
assert (Lt : least <= / 10000000000000000000000000000000000000000 * x).
{ apply least_tiny. apply Rle_trans with (2 := X). apply bpow_le. lia. }
assert (R := rnd_off (h + l) (x * (1000001 / 1000000)) ltac:(apply Rabs_le; lra)).
assert (F : fst (doubled_normalised h l) = rnd (h + l)) by reflexivity.
assert (S : snd (doubled_normalised h l) = h + l - rnd (h + l)) by (rewrite <- F; lra).
apply Rabs_le_inv in R.
repeat split.
- apply double_rnd.
- apply double_rnd.
- exact X.
- rewrite E. apply Rabs_le. lra.
- rewrite S. apply Rabs_le. unfold v. lra.
- rewrite F. apply Rabs_le. lra.
Qed.

Lemma double_0 : double 0.
Proof. apply generic_format_0. Qed.

Theorem plus_pair d d' f p q x y : 0 <= d <= / 10000000 -> 0 <= d' <= / 10000000 ->
  d <= f - uu -> d' <= f - uu -> f <= / 1000000 ->
  loose d p x -> pair d' q y -> pair f (doubled_plus p q) (x + y).
Proof.
intros D D' F F' Fs (P1 & P2 & X & Ex & Lx) (Q1 & Q2 & Y & Ey & Ly & _).
assert (Z : 0 < bpow radix2 (-400)) by apply bpow_gt_0. unfold uu, v in *.
assert (Dx : d * x <= / 10000000 * x) by (apply Rmult_le_compat_r; lra).
assert (Dy : d' * y <= / 10000000 * y) by (apply Rmult_le_compat_r; lra).
assert (Dx' : d * x <= (f - / 10000000000000000000000000000000) * x) by (apply Rmult_le_compat_r; lra).
assert (Dy' : d' * y <= (f - / 10000000000000000000000000000000) * y) by (apply Rmult_le_compat_r; lra).
unfold doubled_plus. cbv zeta.
assert (S := two_sum_exact (fst p) (fst q) P1 Q1).
assert (H : fst (doubled_two_sum (fst p) (fst q)) = rnd (fst p + fst q)) by reflexivity.
assert (Dl : double (snd (doubled_two_sum (fst p) (fst q)))) by apply double_rnd.
set (h := fst (doubled_two_sum (fst p) (fst q))) in *. set (l := snd (doubled_two_sum (fst p) (fst q))) in *.
assert (Lt : least <= / 10000000000000000000000000000000000000000 * (x + y)).
{ apply least_tiny. apply Rle_trans with (bpow radix2 (-400)); [apply bpow_le; lia|lra]. }
apply Rabs_le_inv in Ex. apply Rabs_le_inv in Ey. apply Rabs_le_inv in Lx. apply Rabs_le_inv in Ly.
assert (R1 := rnd_off (fst p + fst q) ((x + y) * (1001 / 1000)) ltac:(apply Rabs_le; lra)).
rewrite <- H in R1. apply Rabs_le_inv in R1.
assert (R2 := rnd_off (snd p + snd q) (/ 5000000000000000 * (x + y)) ltac:(apply Rabs_le; lra)).
set (m := rnd (snd p + snd q)) in *. apply Rabs_le_inv in R2.
assert (R3 := rnd_off (l + m) (/ 2500000000000000 * (x + y)) ltac:(apply Rabs_le; lra)).
apply Rabs_le_inv in R3. set (t := rnd (l + m)) in *.
apply normalised_pair; [apply double_rnd|apply double_rnd|lra|lra| |].
- apply Rabs_le. lra.
- apply Rabs_le. lra.
Qed.

Lemma times_below a b x y : Rabs a <= x -> Rabs b <= y -> Rabs (a * b) <= x * y.
Proof. intros. rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; assumption. Qed.

Theorem times_pair d d' f p q x y : 0 <= d <= / 10000000 -> 0 <= d' <= / 10000000 ->
  d + d' + d * d' <= f - 4 * uu -> f <= / 1000000 -> bpow radix2 (-400) <= x * y ->
  pair d p x -> pair d' q y -> pair f (doubled_times p q) (x * y).
Proof.
intros D D' F Fs XY (P1 & P2 & X & Ex & Lx & _) (Q1 & Q2 & Y & Ey & Ly & _).
assert (Z : 0 < bpow radix2 (-400)) by apply bpow_gt_0. unfold uu, v in *.
assert (X0 : 0 < x) by lra. assert (Y0 : 0 < y) by lra.
set (p0 := fst p) in *. set (p1 := snd p) in *. set (q0 := fst q) in *. set (q1 := snd q) in *. set (z := x * y) in *.
assert (Dx : d * x <= / 10000000 * x) by (apply Rmult_le_compat_r; lra).
assert (Dy : d' * y <= / 10000000 * y) by (apply Rmult_le_compat_r; lra).
assert (B0 : Rabs p0 <= 1001 / 1000 * x) by (apply Rabs_le_inv in Ex, Lx; apply Rabs_le; lra).
assert (C0 : Rabs q0 <= 1001 / 1000 * y) by (apply Rabs_le_inv in Ey, Ly; apply Rabs_le; lra).
assert (L0 : 999 / 1000 * x <= p0) by (apply Rabs_le_inv in Ex, Lx; lra).
assert (M0 : 999 / 1000 * y <= q0) by (apply Rabs_le_inv in Ey, Ly; lra).
assert (Lt : least <= / 10000000000000000000000000000000000000000 * z).
{ apply least_tiny. apply Rle_trans with (bpow radix2 (-400)); [apply bpow_le; lia|exact XY]. }
assert (T0 : Rabs (p0 * q0) <= 10021 / 10000 * z).
{ apply Rle_trans with (1 := times_below _ _ _ _ B0 C0). unfold z. replace (1001 / 1000 * x * (1001 / 1000 * y)) with (1002001 / 1000000 * (x * y)) by field. apply Rmult_le_compat_r; [unfold z in *|]; lra. }
assert (T0' : 998 / 1000 * z <= p0 * q0).
{ apply Rle_trans with (999 / 1000 * x * (999 / 1000 * y)); [|apply Rmult_le_compat; lra].
  replace (999 / 1000 * x * (999 / 1000 * y)) with (998001 / 1000000 * (x * y)) by field. unfold z in *; lra. }
assert (T1 : Rabs (p0 * q1) <= 1001 / 1000 * / 5000000000000000 * z).
{ apply Rle_trans with (1 := times_below _ _ _ _ B0 Ly). right. unfold z. field. }
assert (T2 : Rabs (p1 * q0) <= 1001 / 1000 * / 5000000000000000 * z).
{ apply Rle_trans with (1 := times_below _ _ _ _ Lx C0). right. unfold z. field. }
assert (T3 : Rabs (p1 * q1) <= / 25000000000000000000000000000000 * z).
{ apply Rle_trans with (1 := times_below _ _ _ _ Lx Ly). right. unfold z. field. }
assert (T4 : Rabs ((p0 + p1) * (q0 + q1) - z) <= (d + d' + d * d') * z).
{ replace ((p0 + p1) * (q0 + q1) - z) with ((p0 + p1 - x) * (q0 + q1 - y) + (p0 + p1 - x) * y + x * (q0 + q1 - y)) by (unfold z; ring).
  apply Rle_trans with (1 := Rabs_triang _ _). apply Rle_trans with (d * x * (d' * y) + d * x * y + x * (d' * y)).
  2:{ right. unfold z. ring. }
  apply Rplus_le_compat.
  - apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat; apply times_below; try assumption. rewrite Rabs_pos_eq; lra.
  - apply times_below; [rewrite Rabs_pos_eq; lra|assumption]. }
assert (T5 : (d + d' + d * d') * z <= (f - 4 * / 10000000000000000000000000000000) * z) by (apply Rmult_le_compat_r; lra).
assert (R1 := rnd_off _ _ T0). assert (R2 := rnd_off _ _ T1). assert (R3 := rnd_off _ _ T2).
unfold doubled_times. cbv zeta. fold p0 p1 q0 q1.
assert (S : fst (doubled_two_product p0 q0) + snd (doubled_two_product p0 q0) = p0 * q0).
{ apply two_product_exact; [exact P1|exact Q1|]. rewrite Rabs_pos_eq by lra.
  apply Rle_trans with (2 := T0'). apply Rle_trans with (bpow radix2 (-401)); [apply bpow_le; lia|].
  assert (E : bpow radix2 (-401) = / 2 * bpow radix2 (-400)) by (change (-401)%Z with (-1 + -400)%Z; rewrite bpow_plus; simpl bpow at 1; lra).
  lra. }
assert (H : fst (doubled_two_product p0 q0) = rnd (p0 * q0)) by reflexivity.
assert (Hd : double (fst (doubled_two_product p0 q0))) by apply double_rnd.
set (h := fst (doubled_two_product p0 q0)) in *. set (l := snd (doubled_two_product p0 q0)) in *. rewrite <- H in R1.
set (m1 := rnd (p0 * q1)) in *. set (m2 := rnd (p1 * q0)) in *.
apply Rabs_le_inv in T0, T1, T2, T3, T4, R1, R2, R3.
assert (R4 := rnd_off (m1 + m2) (/ 2400000000000000 * z) ltac:(apply Rabs_le; lra)).
set (m3 := rnd (m1 + m2)) in *. apply Rabs_le_inv in R4.
assert (R5 := rnd_off (l + m3) (/ 1800000000000000 * z) ltac:(apply Rabs_le; lra)).
set (t := rnd (l + m3)) in *. apply Rabs_le_inv in R5.
apply normalised_pair; [exact Hd|apply double_rnd|exact XY| |apply Rabs_le; lra|apply Rabs_le; lra].
assert (0 <= d * d') by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem over_pair d d' f p q x y : 0 <= d <= / 10000000 -> 0 <= d' <= / 10000000 ->
  (d + d') * (1000001 / 1000000) <= f - 10 * uu -> f <= / 1000000 -> bpow radix2 (-400) <= x / y ->
  pair d p x -> pair d' q y -> pair f (doubled_over p q) (x / y).
Proof.
intros D D' F Fs XY (P1 & P2 & X & Ex & Lx & _) (Q1 & Q2 & Y & Ey & Ly & _).
assert (Z : 0 < bpow radix2 (-400)) by apply bpow_gt_0. unfold uu, v in *.
assert (X0 : 0 < x) by lra. assert (Y0 : 0 < y) by lra.
set (p0 := fst p) in *. set (p1 := snd p) in *. set (q0 := fst q) in *. set (q1 := snd q) in *. set (z := x / y) in *.
assert (Ez : z * y = x) by (unfold z; field; lra).
assert (Z0 : 0 < z) by lra.
assert (Dx : d * x <= / 10000000 * x) by (apply Rmult_le_compat_r; lra).
assert (Dy : d' * y <= / 10000000 * y) by (apply Rmult_le_compat_r; lra).
apply Rabs_le_inv in Ex. apply Rabs_le_inv in Ey. assert (Lx' := Rabs_le_inv _ _ Lx). assert (Ly' := Rabs_le_inv _ _ Ly).
assert (B0 : 9999 / 10000 * x <= p0 <= 10001 / 10000 * x) by lra.
assert (C0 : 9999 / 10000 * y <= q0 <= 10001 / 10000 * y) by lra.
assert (Lt : least <= / 10000000000000000000000000000000000000000 * z).
{ apply least_tiny. apply Rle_trans with (bpow radix2 (-400)); [apply bpow_le; lia|exact XY]. }
assert (Ltx : least <= / 10000000000000000000000000000000000000000 * x).
{ apply least_tiny. apply Rle_trans with (bpow radix2 (-400)); [apply bpow_le; lia|exact X]. }
(* the first quotient *)
assert (Q0 : 0 <= p0 / q0 <= 10003 / 10000 * z).
{ split; [apply Rlt_le, Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with q0; [lra|].
  replace (p0 / q0 * q0) with p0 by (field; lra).
  apply Rle_trans with (10003 / 10000 * z * (9999 / 10000 * y)); [|apply Rmult_le_compat_l; lra].
  replace (10003 / 10000 * z * (9999 / 10000 * y)) with (10003 / 10000 * (9999 / 10000) * x) by (rewrite <- Ez; ring). lra. }
assert (Q0' : 9997 / 10000 * z <= p0 / q0).
{ apply Rmult_le_reg_r with q0; [lra|]. replace (p0 / q0 * q0) with p0 by (field; lra).
  apply Rle_trans with (9997 / 10000 * z * (10001 / 10000 * y)); [apply Rmult_le_compat_l; lra|].
  replace (9997 / 10000 * z * (10001 / 10000 * y)) with (9997 / 10000 * (10001 / 10000) * x) by (rewrite <- Ez; ring). lra. }
assert (R1 := rnd_off (p0 / q0) (10003 / 10000 * z) ltac:(apply Rabs_le; lra)).
unfold doubled_over. cbv zeta. fold p0 p1 q0 q1. set (h := rnd (p0 / q0)) in *.
assert (Hh : double h) by apply double_rnd.
assert (R1' := Rabs_le_inv _ _ R1).
assert (A1 : Rabs (h * q0 - p0) <= / 7900000000000000 * x).
{ replace (h * q0 - p0) with ((h - p0 / q0) * q0) by (field; lra).
  apply Rle_trans with (/ 7990000000000000 * z * (10001 / 10000 * y)).
  - apply times_below; [apply Rle_trans with (1 := R1); lra|rewrite Rabs_pos_eq; lra].
  - replace (/ 7990000000000000 * z * (10001 / 10000 * y)) with (/ 7990000000000000 * (10001 / 10000) * x) by (rewrite <- Ez; ring). lra. }
assert (A2 : Rabs (h * q1) <= / 4990000000000000 * x).
{ apply Rle_trans with (1001 / 1000 * z * (/ 5000000000000000 * y)).
  - apply times_below; [rewrite Rabs_pos_eq; lra|exact Ly].
  - replace (1001 / 1000 * z * (/ 5000000000000000 * y)) with (1001 / 1000 * / 5000000000000000 * x) by (rewrite <- Ez; ring). lra. }
assert (A1' := Rabs_le_inv _ _ A1).
assert (S : fst (doubled_two_product h q0) + snd (doubled_two_product h q0) = h * q0).
{ apply two_product_exact; [exact Hh|exact Q1|]. rewrite Rabs_pos_eq by lra.
  apply Rle_trans with (bpow radix2 (-401)); [apply bpow_le; lia|].
  assert (E : bpow radix2 (-401) = / 2 * bpow radix2 (-400)) by (change (-401)%Z with (-1 + -400)%Z; rewrite bpow_plus; simpl bpow at 1; lra).
  lra. }
assert (H : fst (doubled_two_product h q0) = rnd (h * q0)) by reflexivity.
assert (R2 := rnd_off (h * q0) (10002 / 10000 * x) ltac:(apply Rabs_le; lra)). rewrite <- H in R2.
set (pr := fst (doubled_two_product h q0)) in *. set (dr := snd (doubled_two_product h q0)) in *.
apply Rabs_le_inv in R2.
assert (R3 := rnd_off (p0 - pr) (/ 3900000000000000 * x) ltac:(apply Rabs_le; lra)).
set (e1 := rnd (p0 - pr)) in *. apply Rabs_le_inv in R3.
assert (R4 := rnd_off (e1 - dr) (/ 7800000000000000 * x) ltac:(apply Rabs_le; lra)).
set (e2 := rnd (e1 - dr)) in *. apply Rabs_le_inv in R4.
assert (R5 := rnd_off _ _ A2). set (m1 := rnd (h * q1)) in *. apply Rabs_le_inv in R5. apply Rabs_le_inv in A2.
assert (R6 := rnd_off (p1 - m1) (/ 2400000000000000 * x) ltac:(apply Rabs_le; lra)).
set (m2 := rnd (p1 - m1)) in *. apply Rabs_le_inv in R6.
assert (R7 := rnd_off (e2 + m2) (/ 1800000000000000 * x) ltac:(apply Rabs_le; lra)).
set (rest := rnd (e2 + m2)) in *. apply Rabs_le_inv in R7.
assert (K : Rabs (rest - (p0 + p1 - h * q0 - h * q1)) <= 3 * / 10000000000000000000000000000000 * x) by (apply Rabs_le; lra).
assert (B7 : Rabs rest <= / 1790000000000000 * x) by (apply Rabs_le; lra).
(* the second quotient *)
assert (I : Rabs (/ q0) <= 1001 / 1000 * / y).
{ rewrite Rabs_pos_eq by (apply Rlt_le, Rinv_0_lt_compat; lra). apply Rmult_le_reg_r with (q0 * y); [apply Rmult_lt_0_compat; lra|].
  replace (/ q0 * (q0 * y)) with y by (field; lra). replace (1001 / 1000 * / y * (q0 * y)) with (1001 / 1000 * q0) by (field; lra). lra. }
assert (B8 : Rabs (rest / q0) <= / 1780000000000000 * z).
{ apply Rle_trans with (1 := times_below _ _ _ _ B7 I).
  replace (/ 1790000000000000 * x * (1001 / 1000 * / y)) with (/ 1790000000000000 * (1001 / 1000) * z) by (unfold z; field; lra). lra. }
assert (R8 := rnd_off _ _ B8). set (c := rnd (rest / q0)) in *.
assert (T : Rabs (rest / q0 * q1) <= 2 * / 10000000000000000000000000000000 * x).
{ apply Rle_trans with (1 := times_below _ _ _ _ B8 Ly).
  replace (/ 1780000000000000 * z * (/ 5000000000000000 * y)) with (/ 1780000000000000 * / 5000000000000000 * x) by (rewrite <- Ez; ring). lra. }
assert (W : Rabs (h + rest / q0 - z) <= ((d + d') + 5 * / 10000000000000000000000000000000) * (1000001 / 1000000) * z).
{ assert (Qq : (1 - / 10000000) * y <= q0 + q1) by lra.
  assert (V : Rabs ((h + rest / q0 - z) * (q0 + q1)) <= (d + d' + 5 * / 10000000000000000000000000000000) * x).
  { replace ((h + rest / q0 - z) * (q0 + q1)) with
      ((rest - (p0 + p1 - h * q0 - h * q1)) + rest / q0 * q1 + (p0 + p1 - x) - z * (q0 + q1 - y)).
    2:{ rewrite <- Ez at 1. field. lra. }
    assert (Zq : Rabs (z * (q0 + q1 - y)) <= d' * x).
    { rewrite <- Ez. replace (d' * (z * y)) with (z * (d' * y)) by ring. apply times_below; [rewrite Rabs_pos_eq; lra|apply Rabs_le; lra]. }
    apply Rabs_le_inv in K. apply Rabs_le_inv in T. apply Rabs_le_inv in Zq. apply Rabs_le. lra. }
  rewrite Rabs_mult, (Rabs_pos_eq (q0 + q1)) in V by lra.
  apply Rmult_le_reg_r with (q0 + q1); [lra|]. apply Rle_trans with (1 := V).
  set (g := d + d' + 5 * / 10000000000000000000000000000000). assert (0 <= g) by (unfold g; lra).
  apply Rle_trans with (g * (1000001 / 1000000) * z * ((1 - / 10000000) * y)).
  - replace (g * (1000001 / 1000000) * z * ((1 - / 10000000) * y)) with (g * (1000001 / 1000000 * (1 - / 10000000)) * x) by (rewrite <- Ez; ring).
    apply Rmult_le_compat_r; lra.
  - apply Rmult_le_compat_l; [|exact Qq]. apply Rmult_le_pos; lra. }
apply Rabs_le_inv in R8. apply Rabs_le_inv in B8. apply Rabs_le_inv in W.
assert (Fz : (d + d') * (1000001 / 1000000) * z <= (f - 10 * / 10000000000000000000000000000000) * z) by (apply Rmult_le_compat_r; lra).
apply normalised_pair; [exact Hh|apply double_rnd|exact XY|lra|apply Rabs_le; lra|apply Rabs_le; lra].
Qed.

(** A sum of two doubles, and one double alone. *)
Theorem two_sum_pair x y : double x -> double y -> bpow radix2 (-400) <= x + y ->
  pair 0 (doubled_two_sum x y) (x + y).
Proof.
intros X Y S. assert (Z : 0 < bpow radix2 (-400)) by apply bpow_gt_0.
assert (E := two_sum_exact x y X Y).
assert (F : fst (doubled_two_sum x y) = rnd (x + y)) by reflexivity.
assert (Lt : least <= / 10000000000000000000000000000000000000000 * (x + y)).
{ apply least_tiny. apply Rle_trans with (bpow radix2 (-400)); [apply bpow_le; lia|exact S]. }
assert (R := rnd_off (x + y) (x + y) ltac:(rewrite Rabs_pos_eq; lra)). rewrite <- F in R. apply Rabs_le_inv in R.
assert (F' : double (fst (doubled_two_sum x y))) by apply double_rnd.
assert (S' : double (snd (doubled_two_sum x y))) by apply double_rnd.
unfold pair, v. repeat split; try assumption; apply Rabs_le; lra.
Qed.

Lemma single_loose x : double x -> 0 <= x -> loose 0 (x, 0) x.
Proof.
intros D X. unfold loose, v. cbn [fst snd]. repeat split; try assumption; try apply double_0; apply Rabs_le; lra.
Qed.

(** The first of a pair. *)
Lemma first_near d f p x : 0 <= d <= / 100000000000000000 -> 127 / 1000000000000000000 + d * (1001 / 1000) <= f ->
  pair d p x -> near f (fst p) x.
Proof.
intros D F (_ & _ & X & _ & _ & E). assert (Z : 0 < bpow radix2 (-400)) by apply bpow_gt_0.
assert (X0 : 0 < x) by lra. apply Rabs_le_inv in E. set (g := / 7990000000000000 + d) in *.
assert (G : 0 <= g <= / 1000000000000000) by (unfold g; lra).
assert (GG : g * (1 + g + / 10000000000) <= f).
{ assert (g * g <= g * / 1000000000000000) by (apply Rmult_le_compat_l; lra). unfold g in *. lra. }
assert (Gx : 0 <= g * x <= / 1000000000000000 * x) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
assert (F0 : 0 <= f) by lra.
repeat split; [lra| |].
- apply Rle_trans with ((x - g * x) * (1 + f)); [|apply Rmult_le_compat_r; lra].
  apply Rle_trans with ((x - g * x) * (1 + g * (1 + g + / 10000000000))); [|apply Rmult_le_compat_l; lra].
  replace ((x - g * x) * (1 + g * (1 + g + / 10000000000))) with (x + g * x * (/ 10000000000 * (1 - g) - g * g)) by ring.
  assert (g * g <= / 1000000000000000 * / 1000000000000000) by (apply Rmult_le_compat; lra).
  assert (0 <= g * x * (/ 10000000000 * (1 - g) - g * g)) by (apply Rmult_le_pos; lra). lra.
- apply Rle_trans with (x + g * x); [lra|]. replace (x * (1 + f)) with (x + f * x) by ring.
  assert (g <= f) by (assert (0 <= g * (g + / 10000000000)) by (apply Rmult_le_pos; lra); lra).
  assert (g * x <= f * x) by (apply Rmult_le_compat_r; lra). lra.
Qed.
