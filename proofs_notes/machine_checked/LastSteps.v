(** From the loop's sum to the answer of dirichlet.profile.delta: the test that ends the series, the
    doubt as it is rounded, the margin that _raised adds, the exponential and the next double. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import SeriesSource Rounding RoundedSums.
Local Open Scope R_scope.

(** Where sums have not shrunk below 2^-1000. *)
Definition ample (x : R) : Prop := bpow radix2 (-1000) <= x.

Lemma least_ample x : ample x -> least <= bpow radix2 (-58) * x * / 131072.
Proof.
intros A. unfold least. change (-1075)%Z with (-58 + (-1000 + -17))%Z. rewrite !bpow_plus.
rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply bpow_ge_0|]. apply Rmult_le_compat; try apply bpow_ge_0; [exact A|].
simpl; lra.
Qed.

Section Stops.
Variables a s q : R.
Hypothesis (Ha : 0 < a) (Hs : 0 < s) (Hq : 0 < q).
Variables low whole : R.
Hypothesis Wlow : within 4 low q.
Hypothesis Wwhole : within 1 whole (2 * a + s).
Hypothesis size_low : sizeable q.

Lemma ratio_within n : (1 <= n)%nat -> INR n <= 16000 ->
  within 13 (ratio_of n a whole low) (PositiveSeries.rho a s q n).
Proof.
intros L1 L. assert (N1 : 1 <= INR n) by (apply (le_INR 1); exact L1).
assert (Small : forall k, (k <= 20)%nat -> INR k <= 1000000) by (intros k K; apply le_INR in K; simpl in K; lra).
unfold ratio_of, PositiveSeries.rho. rewrite S_INR. set (m := INR n) in *.
assert (W1 : within 1 (rnd (1 / (m + 1))) (1 / (m + 1))).
{ apply within_rnd; [|apply Rlt_le, Rdiv_lt_0_compat; lra]. apply normal_within with (k := 0%nat) (x := 1 / (m + 1)).
  - apply Small; lia.
  - apply within_exact, Rlt_le, Rdiv_lt_0_compat; lra.
  - unfold sizeable. apply Rle_trans with (bpow radix2 (-20)); [apply bpow_le; lia|]. simpl.
    unfold Rdiv. rewrite Rmult_1_l. apply Rinv_le_contravar; lra. }
assert (M2 : within 1 (1 + rnd (1 / (m + 1))) ((m + 2) / (m + 1))).
{ replace ((m + 2) / (m + 1)) with (1 + 1 / (m + 1)) by (field; lra). apply within_add; [|exact W1].
  apply within_weaken with (k := 0%nat); [lia|apply within_exact; lra]. }
assert (P2 : 1 <= (m + 2) / (m + 1)).
{ apply Rmult_le_reg_r with (m + 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
assert (W2 := rounded 1 _ _ M2 (normal_within _ _ _ (Small 1%nat ltac:(lia)) M2 (sizeable_1 _ P2))).
assert (M3 := within_mult _ _ _ _ _ _ Wlow W2).
assert (Q2 : q <= q * ((m + 2) / (m + 1))) by (rewrite <- (Rmult_1_r q) at 1; apply Rmult_le_compat_l; lra).
assert (W3 := rounded _ _ _ M3 (normal_within _ _ _ (Small (4 + (1 + 1))%nat ltac:(simpl; lia)) M3 (sizeable_le _ _ size_low Q2))).
assert (M4 : within 1 (whole + m) (2 * a + s + m)).
{ apply within_add; [exact Wwhole|apply within_weaken with (k := 0%nat); [lia|apply within_exact; lra]]. }
assert (W4 := rounded _ _ _ M4 (normal_within _ _ _ (Small 1%nat ltac:(lia)) M4 (sizeable_1 (2 * a + s + m) ltac:(lra)))).
assert (M5 : within 0 (a + m) (a + m)) by (apply within_exact; lra).
assert (W5 := rounded _ _ _ M5 (normal_within _ _ _ (Small 0%nat ltac:(lia)) M5 (sizeable_1 (a + m) ltac:(lra)))).
assert (M6 : within 1 (rnd (a + m) + 1) (a + m + 1)).
{ apply within_add; [exact W5|apply within_weaken with (k := 0%nat); [lia|apply within_exact; lra]]. }
assert (W6 := rounded _ _ _ M6 (normal_within _ _ _ (Small 1%nat ltac:(lia)) M6 (sizeable_1 (a + m + 1) ltac:(lra)))).
assert (D7 : 0 < a + m + 1) by lra. assert (M7 := within_div _ _ _ _ _ _ D7 W4 W6).
assert (P7 : / 2 <= (2 * a + s + m) / (a + m + 1)).
{ apply Rmult_le_reg_r with (a + m + 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
assert (S7 : sizeable ((2 * a + s + m) / (a + m + 1))).
{ unfold sizeable. apply Rle_trans with (2 := P7). apply Rle_trans with (bpow radix2 (-1)); [apply bpow_le; lia|]. simpl; lra. }
assert (W7 := rounded _ _ _ M7 (normal_within _ _ _ (Small (1 + 1 + (1 + 1))%nat ltac:(simpl; lia)) M7 S7)).
set (y := rnd (rnd (whole + m) / rnd (rnd (a + m) + 1))) in *. set (x := (2 * a + s + m) / (a + m + 1)) in *.
assert (W8 : within (1 + 1 + (1 + 1) + 1) (Rmax 1 y) (Rmax 1 x)).
{ destruct W7 as (X & Lx & Ux). set (k := e (1 + 1 + (1 + 1) + 1)) in *. assert (K : 1 <= k) by apply e_ge_1.
  assert (1 <= Rmax 1 x) by apply Rmax_l. assert (1 <= Rmax 1 y) by apply Rmax_l.
  assert (A1 : 1 <= Rmax 1 y * k) by (apply Rle_trans with (1 * 1); [lra|apply Rmult_le_compat; lra]).
  assert (A2 : 1 <= Rmax 1 x * k) by (apply Rle_trans with (1 * 1); [lra|apply Rmult_le_compat; lra]).
  unfold within. fold k. split; [lra|split; apply Rmax_lub; [exact A1| |exact A2| ]].
  - apply Rle_trans with (1 := Lx). apply Rmult_le_compat_r; [lra|apply Rmax_r].
  - apply Rle_trans with (1 := Ux). apply Rmult_le_compat_r; [lra|apply Rmax_r]. }
assert (M9 := within_mult _ _ _ _ _ _ W3 W8).
refine (rounded 12 _ _ M9 _). apply normal_within with (2 := M9); [apply Small; lia|].
apply sizeable_le with (1 := size_low). apply Rle_trans with (1 := Q2).
rewrite <- (Rmult_1_r (q * _)) at 1. apply Rmult_le_compat_l; [lra|apply Rmax_l].
Qed.

(** The same of a term next to the exact one. *)
Lemma stops_late n term value T : (1 <= n)%nat -> INR n <= 16000 -> ample value ->
  within (11 * n + 6) term T ->
  ratio_of n a whole low < largest_ratio ->
  rnd (term * ratio_of n a whole low) <= negligible_of value (ratio_of n a whole low) ->
  PositiveSeries.rho a s q n <= 9992 / 10000 /\
  T * (PositiveSeries.rho a s q n / (1 - PositiveSeries.rho a s q n)) <= 103 / 100 * bpow radix2 (-58) * value.
Proof.
intros L1 L V Wt Lr Ln. assert (Wr := ratio_within n L1 L).
assert (R0 := PositiveSeries.rho_pos a s q Hq n).
set (rho := PositiveSeries.rho a s q n) in *.
set (r := ratio_of n a whole low) in *.
assert (Y := within_nonneg _ _ _ Wr). assert (Z := within_nonneg _ _ _ Wt).
destruct Wr as (_ & Ur & _), Wt as (T0 & Ut & _).
assert (Us := u_size). assert (Ls := least_small). assert (La := least_ample value V).
assert (E13 : e 13 <= 1 + / 100000000000000).
{ assert (X := e_upper 13). simpl (INR 13) in X. assert (u * u <= u * / 100) by (apply Rmult_le_compat_l; lra).
  assert (X' := X ltac:(lra)). lra. }
assert (Et : e (11 * n + 6) <= 1 + / 1000000000).
{ assert (K : INR (11 * n + 6) <= 176006) by (rewrite plus_INR, mult_INR; simpl INR; lra).
  assert (P := pos_INR (11 * n + 6)). assert (X := e_upper (11 * n + 6)). set (k := INR (11 * n + 6)) in *.
  assert (k * u <= 176006 * / 5000000000000000) by (apply Rmult_le_compat; lra). assert (0 <= k * u) by (apply Rmult_le_pos; lra).
  assert (k * u * (k * u) <= k * u * 1) by (apply Rmult_le_compat_l; lra). lra. }
assert (Lg : largest_ratio <= 9991 / 10000) by (unfold largest_ratio; simpl; lra).
assert (V0 : 0 < value) by (apply Rlt_le_trans with (2 := V); apply bpow_gt_0).
set (c := bpow radix2 (-58)) in *. assert (C0 : 0 < c) by apply bpow_gt_0.
set (x := c * value) in *. assert (X0 : 0 < x) by (apply Rmult_lt_0_compat; assumption).
assert (Hr : r * e 13 <= r + / 100000000000000).
{ apply Rle_trans with (r * (1 + / 100000000000000)); [apply Rmult_le_compat_l; lra|]. lra. }
assert (Rho : 1 - rho >= (1 - r) * (1 - / 10000000000)) by lra.
split; [lra|].
(* what the test says of term r *)
unfold negligible_of in Ln. rewrite Rmult_1_l in Ln. fold c in Ln. fold x in Ln.
assert (A1 := rnd_high x ltac:(lra)). assert (A2 := rnd_high (1 - r) ltac:(lra)).
assert (B1 := rnd_nonneg x ltac:(lra)). assert (B2 := rnd_nonneg (1 - r) ltac:(lra)).
assert (A3 := rnd_high _ (Rmult_le_pos _ _ B1 B2)).
set (x1 := rnd x) in *. set (d1 := rnd (1 - r)) in *.
assert (D1 : d1 <= (1 - r) * (1 + / 1000000000000)) by (unfold v in *; lra).
assert (X1 : x1 <= x * (1 + / 100000)) by (unfold v in *; lra).
assert (X2 : x1 * d1 <= x * (1 + / 100000) * ((1 - r) * (1 + / 1000000000000))) by (apply Rmult_le_compat; assumption).
set (g := x * (1 - r)) in *.
assert (G : x * (9 / 10000) <= g) by (apply Rmult_le_compat_l; lra).
replace (x * (1 + / 100000) * ((1 - r) * (1 + / 1000000000000))) with (g * ((1 + / 100000) * (1 + / 1000000000000))) in X2 by (unfold g; ring).
assert (TR := Rmult_le_pos _ _ Z Y). assert (A4 := rnd_low _ TR).
assert (Tr : term * r <= g * (102 / 100)) by (unfold v in *; lra).
assert (S1 : T * rho <= g * (1029 / 1000)).
{ apply Rle_trans with (term * e (11 * n + 6) * (r * e 13)); [apply Rmult_le_compat; lra|].
  apply Rle_trans with (term * (1 + / 1000000000) * (r * (1 + / 100000000000000))).
  - apply Rmult_le_compat.
    + apply Rmult_le_pos; [exact Z|apply Rlt_le, e_pos].
    + apply Rmult_le_pos; [exact Y|apply Rlt_le, e_pos].
    + apply Rmult_le_compat_l; assumption.
    + apply Rmult_le_compat_l; assumption.
  - lra. }
apply Rmult_le_reg_r with (1 - rho); [lra|].
replace (T * (rho / (1 - rho)) * (1 - rho)) with (T * rho) by (field; lra).
apply Rle_trans with (1 := S1).
apply Rle_trans with (103 / 100 * c * value * ((1 - r) * (1 - / 10000000000))).
- replace (103 / 100 * c * value * ((1 - r) * (1 - / 10000000000))) with (g * (103 / 100 * (1 - / 10000000000))) by (unfold g, x; ring).
  apply Rmult_le_compat_l; lra.
- apply Rmult_le_compat_l; [|lra]. replace (103 / 100 * c * value) with (103 / 100 * x) by (unfold x; ring). lra.
Qed.

(** Where the source's test says that the series has converged, what is left out is at most
    1.03 2^-58 of the sum: it charges 2 2^-58. *)
Theorem stops_late_enough n term value : (1 <= n)%nat -> INR n <= 16000 -> ample value ->
  within (11 * n + 6) term (PositiveSeries.T a s q n * (a * (a + s) / (2 * a + s))) ->
  ratio_of n a whole low < largest_ratio ->
  rnd (term * ratio_of n a whole low) <= negligible_of value (ratio_of n a whole low) ->
  PositiveSeries.rho a s q n < 1 /\
  PositiveSeries.T a s q n * (a * (a + s) / (2 * a + s)) *
    (PositiveSeries.rho a s q n / (1 - PositiveSeries.rho a s q n)) <= 103 / 100 * bpow radix2 (-58) * value.
Proof.
intros L1 L V Wt Lr Ln. destruct (stops_late n term value _ L1 L V Wt Lr Ln) as [R Rest]. split; [lra|exact Rest].
Qed.
End Stops.

(** The units of a weighted sum, as they are rounded, fall short of the exact ones by very little. *)
Lemma units_rounded c n weighted value : 0 <= c <= 13 -> 0 <= weighted -> ample value ->
  0 <= c * weighted / value /\
  (c * weighted / value + INR n + 8) * (99999 / 100000) <=
  rnd (rnd (rnd (rnd (c * weighted) / value) + INR n) + 8).
Proof.
intros C W V. assert (V0 : 0 < value) by (apply Rlt_le_trans with (2 := V); apply bpow_gt_0).
assert (N := pos_INR n). assert (Us := u_size). assert (Ls := least_small). assert (La := least_ample value V).
set (m := INR n) in *. assert (C58 : 0 <= bpow radix2 (-58) <= / 100000000000000000) by (split; [apply bpow_ge_0|simpl; lra]).
assert (W0 : 0 <= c * weighted) by (apply Rmult_le_pos; lra). set (w := c * weighted) in *.
assert (X0 : 0 <= w / value) by (apply Rmult_le_pos; [exact W0|apply Rlt_le, Rinv_0_lt_compat, V0]).
assert (A1 := rnd_low w W0). assert (P1 := rnd_nonneg w W0). set (w1 := rnd w) in *.
assert (Q1 : 0 <= w1 / value) by (apply Rmult_le_pos; [exact P1|apply Rlt_le, Rinv_0_lt_compat, V0]).
assert (B1 : w / value * (1 - v) - / 10000000000 <= w1 / value).
{ apply Rmult_le_reg_r with (1 := V0).
  replace (w1 / value * value) with w1 by (field; lra).
  replace ((w / value * (1 - v) - / 10000000000) * value) with (w * (1 - v) - value * / 10000000000) by (field; lra).
  assert (bpow radix2 (-58) * value <= / 100000000000000000 * value) by (apply Rmult_le_compat_r; lra). lra. }
set (x := w / value) in *.
assert (A2 := rnd_low _ Q1). assert (P2 := rnd_nonneg _ Q1). set (r2 := rnd (w1 / value)) in *.
assert (A3 := rnd_low (r2 + m) ltac:(lra)). assert (P3 := rnd_nonneg (r2 + m) ltac:(lra)). set (r3 := rnd (r2 + m)) in *.
assert (A4 := rnd_low (r3 + 8) ltac:(lra)). split; [exact X0|]. unfold v in *. set (w2 := w1 / value) in *. lra.
Qed.

(** So does the doubt of the difference series. *)
Lemma recorded_doubt_rounded n weighted value : 0 <= weighted -> ample value ->
  0 <= units_recorded weighted value (INR n) /\
  (u * units_recorded weighted value (INR n) + 2 * bpow radix2 (-58)) * (9999 / 10000) <=
  recorded_doubt (recorded_units n weighted value).
Proof.
intros W V. destruct (units_rounded 13 n weighted value ltac:(lra) W V) as [X0 B4].
assert (N := pos_INR n). assert (Us := u_size). assert (Ls := least_small).
unfold recorded_doubt, recorded_units, units_recorded, units_a_step. rewrite !Rmult_1_l.
change (bpow radix2 (-53)) with u. set (r4 := rnd (rnd (_ + INR n) + 8)) in *.
assert (C2 : bpow radix2 (-57) = 2 * bpow radix2 (-58)).
{ change (-57)%Z with (1 + -58)%Z. rewrite bpow_plus. simpl bpow at 1. lra. }
assert (C58 : 0 <= bpow radix2 (-58) <= / 100000000000000000) by (split; [apply bpow_ge_0|simpl; lra]).
set (y := 13 * weighted / value + INR n + 8) in *. assert (y8 : 8 <= y) by (unfold y; lra).
assert (P5 : 0 <= r4 * u) by (apply Rmult_le_pos; lra).
assert (A5 := rnd_low _ P5). assert (Q5 := rnd_nonneg _ P5). set (r5 := rnd (r4 * u)) in *.
assert (B5 : y * (99999 / 100000) * u <= r4 * u) by (apply Rmult_le_compat_r; lra).
assert (A6 := rnd_low (r5 + bpow radix2 (-57)) ltac:(lra)).
rewrite C2 in *. set (c := bpow radix2 (-58)) in *.
assert (u * 8 <= u * y) by (apply Rmult_le_compat_l; lra).
replace (y * (99999 / 100000) * u) with (u * y * (99999 / 100000)) in B5 by ring.
split; [lra|]. unfold v in *. lra.
Qed.

(** And that of an incomplete beta's. *)
Theorem summed_doubt_rounded n weighted value : 0 <= weighted -> ample value ->
  u * units_of_summed_recorded weighted value (INR n) * (9999 / 10000) <= summed_doubt n weighted value.
Proof.
intros W V. destruct (units_rounded 7 n weighted value ltac:(lra) W V) as [X0 B4].
assert (N := pos_INR n). assert (Us := u_size). assert (Ls := least_small).
unfold summed_doubt, units_of_summed_recorded. rewrite Rmult_1_l. change (bpow radix2 (-53)) with u.
set (r4 := rnd (rnd (_ + INR n) + 8)) in *. set (y := 7 * weighted / value + INR n + 8) in *.
assert (y8 : 8 <= y) by (unfold y; lra). assert (P5 : 0 <= u * r4) by (apply Rmult_le_pos; lra).
assert (A5 := rnd_low _ P5). assert (B5 : u * (y * (99999 / 100000)) <= u * r4) by (apply Rmult_le_compat_l; lra).
assert (u * 8 <= u * y) by (apply Rmult_le_compat_l; lra). unfold v in *. lra.
Qed.

(** The doubt of the complement's is not rounded at all. *)
Theorem complement_doubt_exact n : INR n <= 16000 -> complement_doubt n = u * units_of_complement (INR n).
Proof.
intros L. unfold complement_doubt, units_of_complement, units_a_step. rewrite Rmult_1_l. change (bpow radix2 (-53)) with u.
assert (L' : (Z.of_nat n <= 16000)%Z) by (apply le_IZR; rewrite <- INR_IZR_INZ; exact L).
assert (Whole : forall m k, (0 <= m < 2 ^ 53)%Z -> (-1074 <= k)%Z -> rnd (IZR m * bpow radix2 k) = IZR m * bpow radix2 k).
{ intros m k M K. apply round_generic; [apply valid_rnd_N|]. apply generic_format_FLT.
  exists (Float radix2 m k); [reflexivity| |exact K]. simpl Fnum. rewrite Z.abs_eq by apply M. apply M. }
assert (Whole0 : forall m, (0 <= m < 2 ^ 53)%Z -> rnd (IZR m) = IZR m).
{ intros m M. assert (W := Whole m 0%Z M ltac:(lia)). simpl (bpow radix2 0) in W. rewrite Rmult_1_r in W. exact W. }
rewrite INR_IZR_INZ, <- plus_IZR, Whole0 by lia. rewrite <- mult_IZR, Whole0 by lia. unfold u.
rewrite Whole by lia. rewrite mult_IZR. ring.
Qed.

(** What _raised adds covers its own rounding and that of the logarithm of the sum, and leaves the
    doubts whole. *)
Lemma raised_enough L G lg l Df D need : 0 <= Df -> 0 <= need ->
  need * (9998 / 10000) <= D ->
  G <= L + Df -> Rabs (lg - l) <= 2 * u * Rabs l ->
  G + l + need <= raised (rnd (L + lg)) Df D (rounding_of lg L).
Proof.
intros F0 N0 Nd HG Hl. assert (Us := u_size). assert (Ls := least_small).
assert (PL := Rabs_pos L). assert (Pg := Rabs_pos lg). assert (Pl := Rabs_pos l).
assert (Ll : l <= lg + 2 * (u * Rabs l)) by (apply Rabs_le_inv in Hl; lra).
assert (Al : Rabs l <= Rabs lg * (101 / 100)).
{ assert (Rabs l <= Rabs lg + Rabs (lg - l)).
  { replace l with (lg + - (lg - l)) at 1 by ring. apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp. lra. }
  assert (2 * u * Rabs l <= / 1000 * Rabs l) by (apply Rmult_le_compat_r; lra). lra. }
assert (Al' : Rabs l <= Rabs lg * (1 + / 10000)).
{ assert (Rabs l <= Rabs lg + Rabs (lg - l)).
  { replace l with (lg + - (lg - l)) at 1 by ring. apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp. lra. }
  assert (2 * u * Rabs l <= / 1000000 * Rabs l) by (apply Rmult_le_compat_r; lra). lra. }
assert (ul : u * Rabs l <= u * Rabs lg * (1 + / 10000)) by (rewrite Rmult_assoc; apply Rmult_le_compat_l; lra).
unfold raised, rounding_of.
(* the margin for rounding *)
assert (A1 := rnd_low (1 + Rabs lg) ltac:(lra)). assert (P1 := rnd_nonneg (1 + Rabs lg) ltac:(lra)).
set (r1 := rnd (1 + Rabs lg)) in *.
assert (A2 := rnd_low (r1 + Rabs L) ltac:(lra)). assert (P2 := rnd_nonneg (r1 + Rabs L) ltac:(lra)).
set (r2 := rnd (r1 + Rabs L)) in *.
assert (C51 : 1 * bpow radix2 (-51) = 4 * u).
{ unfold u. change (-51)%Z with (2 + -53)%Z. rewrite bpow_plus. simpl bpow at 1. lra. }
rewrite C51.
assert (B2 : (1 + Rabs lg + Rabs L) * (9999 / 10000) <= r2) by (unfold v in *; lra).
assert (P3 : 0 <= 4 * u * r2) by (apply Rmult_le_pos; lra).
assert (A3 := rnd_low _ P3). assert (Q3 := rnd_nonneg _ P3). set (r3 := rnd (4 * u * r2)) in *.
assert (B3 : 4 * u * ((1 + Rabs lg + Rabs L) * (9999 / 10000)) <= 4 * u * r2) by (apply Rmult_le_compat_l; lra).
set (ug := u * Rabs lg) in *. set (uL := u * Rabs L).
assert (0 <= ug) by (apply Rmult_le_pos; lra). assert (0 <= uL) by (apply Rmult_le_pos; lra).
replace (4 * u * ((1 + Rabs lg + Rabs L) * (9999 / 10000))) with (4 * (9999 / 10000) * (u + ug + uL)) in B3 by (unfold ug, uL; ring).
assert (B4 : 39995 / 10000 * (u + ug + uL) <= r3) by (unfold v in *; lra).
assert (D0 : 0 <= D) by lra.
assert (A5 := rnd_low (Df + D) ltac:(lra)). assert (P5 := rnd_nonneg (Df + D) ltac:(lra)). set (r5 := rnd (Df + D)) in *.
assert (A6 := rnd_low (r5 + r3) ltac:(lra)). assert (P6 := rnd_nonneg (r5 + r3) ltac:(lra)). set (r6 := rnd (r5 + r3)) in *.
set (c := 2254051613498933 * bpow radix2 (-51)).
assert (C : 10009999 / 10000000 <= c) by (unfold c; simpl; lra).
assert (B7 : 10009999 / 10000000 * r6 <= c * r6) by (apply Rmult_le_compat_r; lra).
assert (A7 := rnd_low (c * r6) ltac:(lra)). set (r7 := rnd (c * r6)) in *.
assert (B8 : 10009 / 10000 * (Df + D + r3) - 9 * least <= r7) by (unfold v in *; lra).
(* the two sums *)
assert (T1 : Rabs (L + lg) <= Rabs L + Rabs lg) by apply Rabs_triang.
assert (S1 := rnd_error (L + lg)). set (s1 := rnd (L + lg)) in *.
assert (T1' : u * Rabs (L + lg) <= uL + ug).
{ replace (uL + ug) with (u * (Rabs L + Rabs lg)) by (unfold uL, ug; ring). apply Rmult_le_compat_l; lra. }
assert (S2 := rnd_error (s1 + r7)).
assert (R70 : 0 <= r7) by lra.
assert (T2 : Rabs (s1 + r7) <= Rabs (L + lg) + Rabs (s1 - (L + lg)) + r7).
{ replace (s1 + r7) with ((L + lg) + (s1 - (L + lg)) + r7) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _). rewrite (Rabs_pos_eq r7) by exact R70.
  apply Rplus_le_compat_r, Rabs_triang. }
assert (T2' : u * Rabs (s1 + r7) <= (uL + ug) * (1 + / 10000) + r7 * / 1000000 + least).
{ apply Rle_trans with (u * (Rabs L + Rabs lg + (uL + ug + least) + r7)); [apply Rmult_le_compat_l; lra|].
  assert (u * (uL + ug + least + r7) <= / 1000000 * (uL + ug + least + r7)) by (apply Rmult_le_compat_r; lra).
  replace (u * (Rabs L + Rabs lg + (uL + ug + least) + r7)) with (uL + ug + u * (uL + ug + least + r7)) by (unfold uL, ug; ring).
  lra. }
apply Rabs_le_inv in S1. apply Rabs_le_inv in S2. set (s2 := rnd (s1 + r7)) in *. lra.
Qed.

(** The last step: the exponential, the margin, the next double, and the least normal one. *)
Lemma answer_enough (exponential : R -> R) (next : R -> R -> R) logarithm h :
  (forall x, rnd x = x -> x <= 0 -> bpow radix2 (-1022) <= exp x ->
    Rabs (exponential x - exp x) <= 2 * u * exp x) ->
  (forall x y, Rmin x y <= next x y) -> rnd logarithm = logarithm ->
  0 <= h <= 1 -> h <= exp logarithm ->
  h <= answer_of next (value_of exponential (Rmin logarithm 0)).
Proof.
intros E N D [H0 H1] H. unfold answer_of. apply Rmin_glb; [|exact H1].
apply Rle_trans with (2 := N _ _). apply Rmin_glb; [|exact H1].
assert (M : h <= exp (Rmin logarithm 0)) by (apply Rmin_case; [exact H|rewrite exp_0; exact H1]).
set (x := Rmin logarithm 0) in *. rewrite Rmult_1_l.
destruct (Rle_lt_dec (bpow radix2 (-1022)) (exp x)) as [Big|Small].
2:{ apply Rle_trans with (2 := Rmax_r _ _). lra. }
apply Rle_trans with (2 := Rmax_l _ _). apply Rle_trans with (1 := M).
assert (Dx : rnd x = x) by (unfold x; apply Rmin_case; [exact D|apply rnd_0]).
specialize (E x Dx (Rmin_r _ _) Big). assert (Us := u_size). assert (P := exp_pos x). apply Rabs_le_inv in E.
set (y := exp x) in *. unfold value_of.
set (c := 1125899906842625 * bpow radix2 (-50)).
assert (C : c = 1 + 8 * u) by (unfold c, u; simpl; lra).
assert (uy : 0 <= u * y) by (apply Rmult_le_pos; lra).
assert (Ly : least <= u * y).
{ unfold least. change (-1075)%Z with (-53 + -1022)%Z. rewrite bpow_plus. change (bpow radix2 (-53)) with u.
  apply Rmult_le_compat_l; lra. }
assert (Z : y + 5 * (u * y) <= exponential x * c).
{ apply Rle_trans with ((y - 2 * u * y) * c); [|apply Rmult_le_compat_r; lra]. rewrite C.
  assert (u * (u * y) <= / 100 * (u * y)) by (apply Rmult_le_compat_r; lra). lra. }
apply Rle_trans with (2 := rnd_le _ _ Z).
assert (X := rnd_lo (y + 5 * (u * y)) ltac:(lra)).
assert (u * (u * y) <= / 100 * (u * y)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
