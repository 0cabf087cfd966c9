(** Up to epsilon/step = 32: q and A q as [_near_parts] of incomplete_beta.py makes them, in two
    doubles, from an exponential that is a little wrong. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require Import SeriesSource Rounding RoundedSums Doubled.
Local Open Scope R_scope.

Lemma exp_minus_33 : bpow radix2 (-66) <= exp (Ropp 33).
Proof.
assert (A : exp (/ 2) <= 2).
{ assert (P := exp_pos (/ 2)). assert (L := exp_ineq1_le (- / 2)).
  assert (E : exp (/ 2) * exp (- / 2) = 1) by (rewrite <- exp_plus; replace (/ 2 + - / 2) with 0 by ring; apply exp_0).
  assert (exp (/ 2) * (1 - / 2) <= exp (/ 2) * exp (- / 2)) by (apply Rmult_le_compat_l; lra). lra. }
assert (B : forall k, exp (INR k * / 2) <= 2 ^ k).
{ induction k as [|k IH]; [simpl; rewrite Rmult_0_l, exp_0; lra|].
  rewrite S_INR, Rmult_plus_distr_r, exp_plus, Rmult_1_l. simpl pow. rewrite Rmult_comm.
  apply Rmult_le_compat; try apply Rlt_le, exp_pos; assumption. }
specialize (B 66%nat). replace (INR 66 * / 2) with 33 in B by (simpl; lra).
rewrite exp_Ropp. apply Rle_trans with (/ 2 ^ 66).
- right. change (bpow radix2 (-66)) with (/ IZR (Z.pow_pos 2 66)). f_equal. rewrite pow_IZR. reflexivity.
- apply Rinv_le_contravar; [apply exp_pos|exact B].
Qed.

Section Near.
Variables a s slope : R.
(** a and s scaled by a power of two, so that A is about 1; a may be as small as it likes. *)
Hypothesis (Da : double a) (Ds : double s).
Hypothesis (Ha : 0 <= a) (Hs : 0 <= s).
Let A := 2 * a + s.
Hypothesis size : bpow radix2 (-300) <= A.
Hypothesis flat : 0 <= slope <= 33.
Let q := 1 / (1 + exp slope).
Variable ratio : R * R.
Hypothesis exponential : pair (bpow radix2 (-62)) ratio (exp (- slope)).
Variables low scaled : R.
Hypothesis made : (low, scaled) = near_parts a s ratio.

Lemma half_down k : bpow radix2 (k - 1) * 2 = bpow radix2 k.
Proof. change 2 with (bpow radix2 1). rewrite <- bpow_plus. f_equal. lia. Qed.

Lemma high_pair : let total := doubled_plus (a, 0) (doubled_two_sum a s) in
  pair (2 * uu) total A /\
  pair (bpow radix2 (-62) * (101 / 100)) (doubled_over total (doubled_plus (1, 0) ratio)) (A / (1 + exp (- slope))).
Proof.
assert (Z : 0 < bpow radix2 (-300)) by apply bpow_gt_0.
assert (A0 : 0 < A) by lra.
assert (S3 : bpow radix2 (-400) <= bpow radix2 (-303)) by (apply bpow_le; lia).
assert (H1 := half_down (-300)). assert (H2 := half_down (-301)). assert (H3 := half_down (-302)). simpl Z.sub in *.
set (d := bpow radix2 (-62)) in *. assert (D : d = / 4611686018427387904) by (unfold d; simpl; reflexivity).
set (r := exp (- slope)) in *. assert (R0 : 0 < r) by apply exp_pos.
assert (R1 : r <= 1) by (unfold r; rewrite <- exp_0; destruct (Rle_lt_or_eq_dec 0 slope (proj1 flat)) as [L|<-]; [apply Rlt_le, exp_increasing; lra|rewrite Ropp_0; lra]).
assert (Hh : / 2 * A <= A / (1 + r)).
{ apply Rmult_le_reg_r with (1 + r); [lra|]. replace (A / (1 + r) * (1 + r)) with A by (field; lra).
  assert (A * r <= A * 1) by (apply Rmult_le_compat_l; lra). lra. }
assert (P2 : pair 0 (doubled_two_sum a s) (a + s)).
{ apply two_sum_pair; [exact Da|exact Ds|]. unfold A in *. lra. }
assert (P3 : pair (2 * uu) (doubled_plus (a, 0) (doubled_two_sum a s)) A).
{ unfold A. replace (2 * a + s) with (a + (a + s)) by ring. unfold uu.
  refine (plus_pair 0 0 _ _ _ _ _ _ _ _ _ _ (single_loose a Da Ha) P2); unfold uu; lra. }
assert (D1 : double 1).
{ change 1 with (bpow radix2 0). apply generic_format_bpow. unfold FLT_exp. simpl. lia. }
assert (P4 : pair (d + 2 * uu) (doubled_plus (1, 0) ratio) (1 + r)).
{ refine (plus_pair 0 d _ _ _ _ _ _ _ _ _ _ (single_loose 1 D1 _) exponential); rewrite ?D; unfold uu; lra. }
split; [exact P3|]. refine (over_pair _ _ _ _ _ _ _ _ _ _ _ _ P3 P4); rewrite ?D; unfold uu; lra.
Qed.

Lemma within_near k d y x : (1 <= k)%nat -> 0 <= d -> d <= INR k * u -> near d y x -> within k y x.
Proof.
intros K G Gk N. assert (Y' := near_nonneg _ _ _ G N). destruct N as (X & L & R').
assert (E : 1 + d <= e k).
{ apply Rle_trans with (1 + INR k * u); [lra|]. unfold e. apply poly. generalize u_pos; lra. }
repeat split; [exact X| |].
- apply Rle_trans with (1 := L). now apply Rmult_le_compat_l.
- apply Rle_trans with (1 := R'). now apply Rmult_le_compat_l.
Qed.

Theorem near_high_within : within 2 (near_high a s ratio) (A * (1 - q)).
Proof.
assert (U : u = / 9007199254740992) by (unfold u; simpl; reflexivity).
assert (D : bpow radix2 (-62) = / 4611686018427387904) by (simpl; reflexivity).
replace (A * (1 - q)) with (A / (1 + exp (- slope))).
2:{ unfold q. rewrite exp_Ropp. assert (P := exp_pos slope). field. lra. }
apply (within_near 2 (116 / 100 * u)); [lia|rewrite U; lra|simpl INR; rewrite U; lra|].
refine (first_near _ _ _ _ _ _ (proj2 high_pair)); rewrite D, ?U; lra.
Qed.

Theorem near_within : within 4 low q /\ within 2 scaled (A * q).
Proof.
assert (Z : 0 < bpow radix2 (-300)) by apply bpow_gt_0.
assert (A0 : 0 < A) by lra.
assert (S3 : bpow radix2 (-400) <= bpow radix2 (-303)) by (apply bpow_le; lia).
assert (H1 := half_down (-300)). assert (H2 := half_down (-301)). assert (H3 := half_down (-302)). simpl Z.sub in *.
assert (U : u = / 9007199254740992) by (unfold u; simpl; reflexivity).
set (d := bpow radix2 (-62)) in *. assert (D : d = / 4611686018427387904) by (unfold d; simpl; reflexivity).
(* the exact numbers *)
set (r := exp (- slope)) in *. assert (R0 : 0 < r) by apply exp_pos.
assert (R1 : r <= 1) by (unfold r; rewrite <- exp_0; destruct (Rle_lt_or_eq_dec 0 slope (proj1 flat)) as [L|<-]; [apply Rlt_le, exp_increasing; lra|rewrite Ropp_0; lra]).
assert (Rl : bpow radix2 (-66) <= r).
{ apply Rle_trans with (1 := exp_minus_33). unfold r. destruct (Rle_lt_or_eq_dec slope 33 (proj2 flat)) as [L| ->]; [apply Rlt_le, exp_increasing; lra|lra]. }
assert (Eq : A * q = r * (A / (1 + r))).
{ unfold q, r. rewrite exp_Ropp. assert (P := exp_pos slope). field. lra. }
assert (Hh : / 2 * A <= A / (1 + r)).
{ apply Rmult_le_reg_r with (1 + r); [lra|]. replace (A / (1 + r) * (1 + r)) with A by (field; lra).
  assert (A * r <= A * 1) by (apply Rmult_le_compat_l; lra). lra. }
(* the computed ones *)
assert (P35 := high_pair). cbv zeta in P35. fold d r in P35. destruct P35 as [P3 P5].
unfold near_parts in made. cbv zeta in made.
set (total := doubled_plus (a, 0) (doubled_two_sum a s)) in *.
set (high := doubled_over total (doubled_plus (1, 0) ratio)) in *.
assert (P6 : pair (d * (202 / 100)) (doubled_times ratio high) (A * q)).
{ rewrite Eq. refine (times_pair _ _ _ _ _ _ _ _ _ _ _ _ exponential P5); rewrite ?D; try (unfold uu; lra).
  apply Rle_trans with (bpow radix2 (-66) * bpow radix2 (-301)); [rewrite <- bpow_plus; apply bpow_le; lia|].
  apply Rmult_le_compat; try apply bpow_ge_0; [exact Rl|lra]. }
set (lowp := doubled_times ratio high) in *.
assert (Ml := f_equal fst made). assert (Ms := f_equal snd made). cbn [fst snd] in Ml, Ms.
assert (N1 : near (116 / 100 * u) (fst lowp) (A * q)).
{ refine (first_near _ _ _ _ _ _ P6); rewrite D, ?U; lra. }
assert (N2 : near (115 / 100 * u) (fst total) A).
{ refine (first_near _ _ _ _ _ _ P3); unfold uu; rewrite ?U; lra. }
assert (Q0 : 0 < A * q) by (destruct P6 as (_ & _ & X & _); apply Rlt_le_trans with (2 := X); apply bpow_gt_0).
assert (Qp : 0 < q) by (apply Rmult_lt_reg_l with (1 := A0); lra).
assert (T0 : 0 < fst total).
{ destruct N2 as (_ & L & _). assert (0 < 1 + 115 / 100 * u) by (rewrite U; lra). apply Rmult_lt_reg_r with (1 := H). lra. }
assert (N3 : near (115 / 100 * u) (/ fst total) (/ A)).
{ destruct N2 as (_ & L & R). repeat split; [apply Rlt_le, Rinv_0_lt_compat, A0| |].
  - apply Rmult_le_reg_r with (A * fst total); [apply Rmult_lt_0_compat; assumption|].
    replace (/ A * (A * fst total)) with (fst total) by (field; lra).
    replace (/ fst total * (1 + 115 / 100 * u) * (A * fst total)) with (A * (1 + 115 / 100 * u)) by (field; lra). exact R.
  - apply Rmult_le_reg_r with (A * fst total); [apply Rmult_lt_0_compat; assumption|].
    replace (/ fst total * (A * fst total)) with A by (field; lra).
    replace (/ A * (1 + 115 / 100 * u) * (A * fst total)) with (fst total * (1 + 115 / 100 * u)) by (field; lra). exact L. }
assert (Ev : A * q * / A = q) by (field; lra).
assert (N4 : near (232 / 100 * u) (fst lowp / fst total) q).
{ unfold Rdiv. rewrite <- Ev. refine (near_mult _ _ _ _ _ _ _ _ _ _ N1 N3); rewrite U; lra. }
assert (Qs : bpow radix2 (-70) <= q).
{ apply Rle_trans with (r * / 2).
  - apply Rle_trans with (bpow radix2 (-66) * / 2); [|apply Rmult_le_compat_r; lra].
    assert (E := half_down (-66)). simpl Z.sub in E. assert (bpow radix2 (-70) <= bpow radix2 (-67)) by (apply bpow_le; lia). lra.
  - apply Rmult_le_reg_l with (1 := A0). rewrite Eq. replace (A * (r * / 2)) with (r * (/ 2 * A)) by ring. apply Rmult_le_compat_l; lra. }
assert (Nx : normal (fst lowp / fst total)).
{ right. apply Rle_trans with (bpow radix2 (-71)); [apply bpow_le; lia|].
  assert (E := half_down (-70)). simpl Z.sub in E. assert (N4c := N4). destruct N4c as (_ & L & _).
  assert (fst lowp / fst total * (1 + 232 / 100 * u) <= fst lowp / fst total * 2).
  { apply Rmult_le_compat_l; [|rewrite U; lra]. apply (near_nonneg (232 / 100 * u) _ q); [rewrite U; lra|exact N4]. }
  lra. }
assert (Y : 0 <= fst lowp / fst total) by (apply (near_nonneg (232 / 100 * u) _ q); [rewrite U; lra|exact N4]).
assert (N5 := near_rnd _ Nx Y). rewrite <- Ml in N5.
assert (N6 : near (34 / 10 * u) low q).
{ refine (near_trans _ _ _ _ _ _ _ _ _ N5 N4); rewrite U; lra. }
split.
- refine (within_near 4%nat _ _ _ _ _ _ N6); [lia|rewrite U; lra|simpl INR; rewrite U; lra].
- rewrite Ms. refine (within_near 2%nat _ _ _ _ _ _ N1); [lia|rewrite U; lra|simpl INR; rewrite U; lra].
Qed.
End Near.
