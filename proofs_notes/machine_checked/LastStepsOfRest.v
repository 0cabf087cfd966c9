(** From the complement's two sums to the answer of dirichlet.profile.delta: the exponential, the doubt that
    is taken off, the logarithm of what is left of 1. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Interval Require Import Tactic.
From Simplexcert Require Import SeriesSource Rounding LastSteps.
Local Open Scope R_scope.

(** What the doubt takes off is more than what the exponential adds to it. *)
Lemma taken_off x : 0 <= x -> exp x * (1 - (x + 4 * u)) <= 1 - 3 * u.
Proof.
intros X. assert (Us := u_size). assert (E := exp_ineq1_le (- (x + 4 * u))).
apply Rle_trans with (exp x * exp (- (x + 4 * u))); [apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|lra]|].
rewrite <- exp_plus. replace (x + - (x + 4 * u)) with (- (4 * u)) by ring. rewrite exp_Ropp.
assert (F := exp_ineq1_le (4 * u)). apply Rle_trans with (/ (1 + 4 * u)); [apply Rinv_le_contravar; lra|].
apply Rmult_le_reg_r with (1 + 4 * u); [lra|]. rewrite Rinv_l by lra.
assert (u * u <= / 100 * u) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Section Steps.
Variables exponential log1p : R -> R.
Variable next : R -> R -> R.
Hypothesis exponential_near : forall x, rnd x = x -> x <= 1 -> bpow radix2 (-1022) <= exp x ->
  Rabs (exponential x - exp x) <= 3 / 2 * u * exp x.
Hypothesis log1p_near : forall y, rnd y = y -> -1 < y -> Rabs (log1p y - ln (1 + y)) <= 2 * u * Rabs (ln (1 + y)).
Hypothesis next_between : forall x y, Rmin x y <= next x y.

(** What is within 3 u of 1 is answered by 1. *)
Lemma answer_1 L h : rnd L = L -> -3 * u <= L -> h <= 1 ->
  h <= answer_of next (value_of exponential (Rmin L 0)).
Proof.
intros D L3 H1. assert (Us := u_size). unfold answer_of. apply Rmin_glb; [|exact H1].
apply Rle_trans with (2 := next_between _ _). apply Rmin_glb; [|exact H1].
apply Rle_trans with (1 := H1). apply Rle_trans with (2 := Rmax_l _ _).
set (x := Rmin L 0). assert (X : -3 * u <= x <= 0) by (unfold x; split; [apply Rmin_glb; lra|apply Rmin_r]).
assert (Dx : rnd x = x) by (unfold x; apply Rmin_case; [exact D|apply rnd_0]).
assert (E := exp_ineq1_le x). assert (Small : bpow radix2 (-1022) <= / 2).
{ apply Rle_trans with (bpow radix2 (-1)); [apply bpow_le; lia|simpl; lra]. }
assert (N := exponential_near x Dx ltac:(lra) ltac:(lra)). apply Rabs_le_inv in N.
assert (F : exp x <= 1).
{ rewrite <- exp_0. destruct (proj2 X) as [P| ->]; [apply Rlt_le, exp_increasing, P|lra]. }
assert (u * exp x <= u * 1) by (apply Rmult_le_compat_l; lra).
unfold value_of. set (c := 1125899906842625 * bpow radix2 (-50)).
assert (C : c = 1 + 8 * u) by (unfold c, u; simpl; lra).
assert (One : rnd 1 = 1).
{ change 1 with (bpow radix2 0). apply round_generic; [apply valid_rnd_N|]. apply generic_format_bpow. unfold FLT_exp. lia. }
rewrite <- One at 1. apply rnd_le. rewrite C.
apply Rle_trans with ((1 - 5 * u) * (1 + 8 * u)); [|apply Rmult_le_compat_r; lra].
assert (u * u <= / 100 * u) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Variables factor logarithm Df near far Dn Dg Vn Vf h : R.
Hypothesis positive : 0 < factor.
Hypothesis front : Rabs (logarithm - ln factor) <= Df.
Hypothesis double_logarithm : rnd logarithm = logarithm.
Hypothesis usual : -480 <= logarithm <= 1.
Hypothesis (N0 : 0 <= near) (F0 : 0 <= far) (Dn0 : 0 <= Dn) (Dg0 : 0 <= Dg) (Vn0 : 0 <= Vn) (Vf0 : 0 <= Vf).
Hypothesis near_most : near <= Vn * (1 + Dn) + bpow radix2 (-900).
Hypothesis far_most : far <= Vf * (1 + Dg) + bpow radix2 (-900).
Hypothesis (H0 : 0 <= h) (H1 : h <= 1 - factor * (Vn + Vf)).

Theorem rest_enough : let doubt := doubt_of_rest Df Dn Dg in
  let log_delta := logarithm_without log1p (rest_of exponential logarithm near far doubt) in
  h <= answer_of next (value_of exponential (Rmin log_delta 0)).
Proof.
intros doubt log_delta. assert (Us := u_size). assert (Ls := least_small). assert (Up := u_pos).
assert (Df0 : 0 <= Df) by (generalize (Rabs_pos (logarithm - ln factor)); lra).
set (D := Rmax Dn Dg). assert (D1 : Dn <= D) by apply Rmax_l. assert (D2 : Dg <= D) by apply Rmax_r.
assert (Ep : bpow radix2 (-890) = 1024 * bpow radix2 (-900)).
{ change (-890)%Z with (10 + -900)%Z. rewrite bpow_plus. reflexivity. }
assert (t0 : 0 < bpow radix2 (-900)) by apply bpow_gt_0.
assert (Lt : least <= bpow radix2 (-900)) by (apply bpow_le; lia).
set (V := Vn + Vf). set (M := factor * V) in *. fold V in H1. fold M in H1.
assert (M0 : 0 <= M) by (unfold M, V; apply Rmult_le_pos; lra).
(* the exponential *)
assert (Ex : bpow radix2 (-1022) <= exp logarithm).
{ apply Rle_trans with (exp (-480)); [interval with (i_prec 60)|].
  destruct (proj1 usual) as [Q| <-]; [apply Rlt_le, exp_increasing, Q|lra]. }
assert (En := exponential_near logarithm double_logarithm (proj2 usual) Ex). apply Rabs_le_inv in En.
set (E := exponential logarithm) in *.
assert (X3 : exp logarithm <= 3).
{ apply Rle_trans with (2 := exp_le_3). destruct (proj2 usual) as [Q| ->]; [apply Rlt_le, exp_increasing, Q|lra]. }
assert (Xp := exp_pos logarithm).
assert (uX : u * exp logarithm <= / 1000 * exp logarithm) by (apply Rmult_le_compat_r; lra).
assert (E0 : 0 <= E <= 4) by lra.
assert (EF : exp logarithm <= factor * exp Df).
{ rewrite <- (exp_ln factor positive) at 1. rewrite <- exp_plus. apply Rabs_le_inv in front.
  destruct (Rle_lt_or_eq_dec logarithm (ln factor + Df) ltac:(lra)) as [Q| <-]; [apply Rlt_le, exp_increasing, Q|lra]. }
(* the sum *)
assert (S0 : 0 <= near + far <= V * (1 + D) + 2 * bpow radix2 (-900)).
{ split; [lra|]. assert (Vn * (1 + Dn) <= Vn * (1 + D)) by (apply Rmult_le_compat_l; lra).
  assert (Vf * (1 + Dg) <= Vf * (1 + D)) by (apply Rmult_le_compat_l; lra). unfold V. lra. }
assert (V0 : 0 <= V) by (unfold V; lra). assert (VD : 0 <= V * (1 + D)) by (apply Rmult_le_pos; lra).
assert (A1 := rnd_hi (near + far) ltac:(lra)). assert (P1 := rnd_nonneg (near + far) ltac:(lra)).
unfold log_delta, rest_of. fold E. set (s1 := rnd (near + far)) in *.
assert (us : u * (near + far) <= u * (V * (1 + D)) + 2 * bpow radix2 (-900)).
{ apply Rle_trans with (u * (V * (1 + D) + 2 * bpow radix2 (-900))); [apply Rmult_le_compat_l; lra|].
  assert (u * bpow radix2 (-900) <= 1 * bpow radix2 (-900)) by (apply Rmult_le_compat_r; lra). lra. }
assert (S1 : s1 <= V * (1 + D) * (1 + u) + 5 * bpow radix2 (-900)) by lra.
set (X := M * exp Df * (1 + D)). assert (Xd := exp_pos Df).
assert (X0 : 0 <= X) by (unfold X; repeat apply Rmult_le_pos; lra).
assert (Es : E * s1 <= X * (1 + 27 / 10 * u) + 20 * bpow radix2 (-900)).
{ apply Rle_trans with (E * (V * (1 + D) * (1 + u) + 5 * bpow radix2 (-900))); [apply Rmult_le_compat_l; lra|].
  assert (E * (5 * bpow radix2 (-900)) <= 4 * (5 * bpow radix2 (-900))) by (apply Rmult_le_compat_r; lra).
  assert (E * (V * (1 + D) * (1 + u)) <= factor * exp Df * (1 + 3 / 2 * u) * (V * (1 + D) * (1 + u))).
  { apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|].
    apply Rle_trans with (exp logarithm * (1 + 3 / 2 * u)); [lra|apply Rmult_le_compat_r; lra]. }
  replace (factor * exp Df * (1 + 3 / 2 * u) * (V * (1 + D) * (1 + u))) with (X * ((1 + 3 / 2 * u) * (1 + u))) in * by (unfold X, M; ring).
  assert (X * ((1 + 3 / 2 * u) * (1 + u)) <= X * (1 + 27 / 10 * u)).
  { apply Rmult_le_compat_l; [exact X0|]. assert (u * u <= / 100 * u) by (apply Rmult_le_compat_r; lra). lra. }
  lra. }
assert (Es0 : 0 <= E * s1) by (apply Rmult_le_pos; lra).
assert (A2 := rnd_hi _ Es0). assert (P2 := rnd_nonneg _ Es0). set (p1 := rnd (E * s1)) in *.
assert (p1X : p1 <= X * (1 + 38 / 10 * u) + 50 * bpow radix2 (-900)).
{ assert (u * (E * s1) <= u * (X * (1 + 27 / 10 * u) + 20 * bpow radix2 (-900))) by (apply Rmult_le_compat_l; lra).
  assert (u * bpow radix2 (-900) <= / 100 * bpow radix2 (-900)) by (apply Rmult_le_compat_r; lra).
  assert (uX0 : 0 <= u * X) by (apply Rmult_le_pos; lra). assert (u * (u * X) <= / 1000 * (u * X)) by (apply Rmult_le_compat_r; lra). lra. }
(* the doubt *)
unfold doubt, doubt_of_rest. fold D. rewrite Rmult_1_l.
assert (C51 : bpow radix2 (-51) = 4 * u).
{ unfold u. change (-51)%Z with (2 + -53)%Z. rewrite bpow_plus. reflexivity. }
rewrite C51. set (x := Df + D). assert (x0 : 0 <= x) by (unfold x; lra).
assert (A3 := rnd_low x x0). assert (P3 := rnd_nonneg x x0). set (r1 := rnd x) in *.
assert (A4 := rnd_low (r1 + 4 * u) ltac:(lra)). set (r2 := rnd (r1 + 4 * u)) in *.
assert (R2 : (x + 4 * u) * (999 / 1000) <= r2) by (unfold v in *; lra).
set (c := 4548635623644201 * bpow radix2 (-52)). assert (C : 10099 / 10000 <= c) by (unfold c; simpl; lra).
assert (P4 : 0 <= c * r2) by (apply Rmult_le_pos; lra).
assert (A5 := rnd_low _ P4). assert (Cr : 10099 / 10000 * r2 <= c * r2) by (apply Rmult_le_compat_r; lra).
set (r3 := rnd (c * r2)) in *.
assert (R3 : x + 4 * u <= r3) by (unfold v in *; lra).
set (W := rnd (1 - r3)).
set (m := rnd (p1 * W)).
(* what is left of 1 *)
set (c1 := 1125899906842623 * bpow radix2 (-50)). set (c2 := 2251799813685247 * bpow radix2 (-51)).
assert (C1 : c1 = 1 - 8 * u) by (unfold c1, u; simpl; lra). assert (C2 : c2 = 1 - 4 * u) by (unfold c2, u; simpl; lra).
assert (Most : m <= M * (1 + 3 * u) + 400 * bpow radix2 (-900)).
{ destruct (Rle_lt_dec (1 - r3) 0) as [Neg|Pos].
  - apply Rle_trans with 0.
    + unfold m. rewrite <- rnd_0. apply rnd_le.
      assert (W0 : W <= 0) by (unfold W; rewrite <- rnd_0; apply rnd_le; exact Neg).
      assert (0 <= p1 * - W) by (apply Rmult_le_pos; lra). lra.
    + assert (0 <= u * M) by (apply Rmult_le_pos; lra). lra.
  - assert (A6 := rnd_hi (1 - r3) ltac:(lra)). assert (P6 := rnd_nonneg (1 - r3) ltac:(lra)). fold W in A6, P6.
    assert (W1 : W <= 2). { assert (u * (1 - r3) <= u * 1) by (apply Rmult_le_compat_l; lra). lra. }
    assert (XW : X * (1 - r3) <= M * (1 - 3 * u)).
    { apply Rle_trans with (M * (exp x * (1 - (x + 4 * u)))).
      - unfold X. replace (M * exp Df * (1 + D) * (1 - r3)) with (M * (exp Df * (1 + D) * (1 - r3))) by ring.
        apply Rmult_le_compat_l; [exact M0|]. apply Rmult_le_compat; try lra.
        + apply Rmult_le_pos; lra.
        + unfold x. rewrite exp_plus. apply Rmult_le_compat_l; [lra|apply exp_ineq1_le].
      - apply Rmult_le_compat_l; [exact M0|]. apply taken_off, x0. }
    (* underflow of W is next to nothing *)
    assert (XL : X <= 100).
    { unfold X. assert (x1 : x <= 1) by lra. assert (ex3 : exp x <= 3).
      { apply Rle_trans with (2 := exp_le_3). destruct x1 as [Q| ->]; [apply Rlt_le, exp_increasing, Q|lra]. }
      assert (exp Df * (1 + D) <= exp x) by (unfold x; rewrite exp_plus; apply Rmult_le_compat_l; [lra|apply exp_ineq1_le]).
      replace (M * exp Df * (1 + D)) with (M * (exp Df * (1 + D))) by ring.
      apply Rle_trans with (1 * 3); [|lra]. apply Rmult_le_compat; try lra. apply Rmult_le_pos; lra. }
    set (t := bpow radix2 (-900)) in *. assert (uM : 0 <= u * M <= M) by (split; [apply Rmult_le_pos; lra|rewrite <- (Rmult_1_l M) at 2; apply Rmult_le_compat_r; lra]).
    assert (uuM : 0 <= u * (u * M) <= / 1000 * (u * M)) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]).
    assert (uuuM : 0 <= u * (u * (u * M)) <= / 1000 * (u * M)).
    { split; [apply Rmult_le_pos; lra|]. apply Rle_trans with (1 * (u * (u * M))); [apply Rmult_le_compat_r; lra|lra]. }
    assert (pW : p1 * W <= M * (1 + 19 / 10 * u) + 350 * t).
    { apply Rle_trans with ((X * (1 + 38 / 10 * u) + 50 * t) * W); [apply Rmult_le_compat_r; lra|].
      assert (t * W <= t * 2) by (apply Rmult_le_compat_l; lra).
      assert (X * W <= M * (1 - 3 * u) * (1 + u) + 100 * least).
      { apply Rle_trans with (X * ((1 - r3) * (1 + u) + least)); [apply Rmult_le_compat_l; lra|].
        assert (X * (1 - r3) * (1 + u) <= M * (1 - 3 * u) * (1 + u)) by (apply Rmult_le_compat_r; lra).
        assert (X * least <= 100 * least) by (apply Rmult_le_compat_r; lra). lra. }
      assert (X * W * (1 + 38 / 10 * u) <= (M * (1 - 3 * u) * (1 + u) + 100 * least) * (1 + 38 / 10 * u)) by (apply Rmult_le_compat_r; lra).
      assert (u * least <= / 1000 * least) by (apply Rmult_le_compat_r; lra).
      replace ((X * (1 + 38 / 10 * u) + 50 * t) * W) with (X * W * (1 + 38 / 10 * u) + 50 * (t * W)) by ring.
      replace ((M * (1 - 3 * u) * (1 + u) + 100 * least) * (1 + 38 / 10 * u)) with
        (M + 18 / 10 * (u * M) - (2 * 38 / 10 + 3) * (u * (u * M)) - 3 * 38 / 10 * (u * (u * (u * M))) + 100 * least + 380 * (u * least)) in * by field.
      lra. }
    assert (pW0 : 0 <= p1 * W) by (apply Rmult_le_pos; lra).
    assert (A7 := rnd_hi _ pW0). fold m in A7.
    assert (u * (p1 * W) <= u * (M * (1 + 19 / 10 * u) + 350 * t)) by (apply Rmult_le_compat_l; lra).
    assert (u * t <= / 1000 * t) by (apply Rmult_le_compat_r; lra). lra. }
set (t := bpow radix2 (-900)) in *.
assert (tt : t <= / 10 ^ 60) by (apply Rle_trans with (bpow radix2 (-210)); [apply bpow_le; lia|simpl; lra]).
unfold logarithm_without. fold c1 c2. set (z := rnd (- m * c1)). set (L := rnd (log1p z * c2)).
assert (DL : rnd L = L) by apply rnd_rnd. assert (Dz : rnd z = z) by apply rnd_rnd.
assert (Ez := rnd_error (- m * c1)). fold z in Ez.
assert (uu : / 10 ^ 16 * / 10 ^ 16 <= u * u <= / 1000 * u) by (split; [apply Rmult_le_compat; lra|apply Rmult_le_compat_r; lra]).
assert (lt : least <= / 10 ^ 60) by lra.
destruct (Rle_lt_dec u m) as [Large|Small].
- (* a sum that a double beside 1 shows *)
  assert (MU : u / 2 <= M).
  { assert (M * (1 + 3 * u) <= M * (11 / 10)) by (apply Rmult_le_compat_l; lra). lra. }
  assert (uM : u * (u / 2) <= u * M) by (apply Rmult_le_compat_l; lra).
  assert (uuM : 0 <= u * (u * M) <= / 1000 * (u * M)) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]).
  assert (M1 : M <= 1) by lra.
  assert (um : 0 <= u * m <= / 1000 * m) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]).
  assert (mc : 0 < m * c1 <= M * (1 - 49 / 10 * u) + 400 * t).
  { rewrite C1. split; [apply Rmult_lt_0_compat; lra|].
    assert (m * (1 - 8 * u) <= (M * (1 + 3 * u) + 400 * t) * (1 - 8 * u)) by (apply Rmult_le_compat_r; lra).
    assert (0 <= u * t) by (apply Rmult_le_pos; lra). lra. }
  replace (- m * c1) with (- (m * c1)) in Ez by ring. rewrite Rabs_Ropp, (Rabs_pos_eq (m * c1)) in Ez by lra. apply Rabs_le_inv in Ez.
  assert (umc : u * (m * c1) <= u * (M * (1 - 49 / 10 * u) + 400 * t)) by (apply Rmult_le_compat_l; lra).
  assert (ut : 0 <= u * t <= t) by (split; [apply Rmult_le_pos; lra|rewrite <- (Rmult_1_l t) at 2; apply Rmult_le_compat_r; lra]).
  assert (Z1 : - z <= M * (1 - 2 * u)) by lra.
  assert (Z2 : z <= - (u / 2)).
  { assert (u * (1 - 8 * u) <= m * c1) by (rewrite C1; apply Rmult_le_compat_r; lra).
    assert (u * (m * c1) <= / 1000 * (m * c1)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Z3 : -1 < z) by lra.
  assert (N := log1p_near z Dz Z3). assert (Ln : ln (1 + z) <= z).
  { assert (Y := exp_ineq1_le (ln (1 + z))). rewrite exp_ln in Y by lra. lra. }
  set (l := ln (1 + z)) in *. rewrite (Rabs_left l) in N by lra. apply Rabs_le_inv in N.
  set (k := - l). assert (k0 : u / 2 <= k) by (unfold k; lra).
  assert (uk : u * (u / 2) <= u * k) by (apply Rmult_le_compat_l; lra).
  assert (uk1 : u * k <= / 1000 * k) by (apply Rmult_le_compat_r; lra).
  assert (uuk : 0 <= u * (u * k) <= / 1000 * (u * k)) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]).
  assert (B : - k - 2 * (u * k) <= log1p z <= - k + 2 * (u * k)) by (unfold k in *; lra).
  assert (Bc : - (k * (1 - 19 / 10 * u)) <= log1p z * c2 <= 0).
  { rewrite C2. split.
    - assert ((- k - 2 * (u * k)) * (1 - 4 * u) <= log1p z * (1 - 4 * u)) by (apply Rmult_le_compat_r; lra). lra.
    - assert (0 <= - log1p z * (1 - 4 * u)) by (apply Rmult_le_pos; lra). lra. }
  assert (EL := rnd_error (log1p z * c2)). fold L in EL. rewrite (Rabs_left1 (log1p z * c2)) in EL by lra. apply Rabs_le_inv in EL.
  assert (u * - (log1p z * c2) <= u * (k * (1 - 19 / 10 * u))) by (apply Rmult_le_compat_l; lra).
  assert (LL : l <= L) by (unfold k in *; lra).
  apply answer_enough; [|exact next_between|exact DL|lra|].
  + intros y Y1 Y2 Y3. apply Rle_trans with (1 := exponential_near y Y1 ltac:(lra) Y3).
    apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|lra].
  + apply Rle_trans with (exp l).
    * unfold l. rewrite exp_ln by lra. assert (0 <= u * M) by (apply Rmult_le_pos; lra). lra.
    * destruct LL as [Q| <-]; [apply Rlt_le, exp_increasing, Q|lra].
- (* one that it does not *)
  apply answer_1; [exact DL| |assert (Y := M0); lra].
  assert (Zu : - u <= z).
  { assert (Fu : rnd (- u) = - u).
    { apply round_generic; [apply valid_rnd_N|]. apply generic_format_opp, generic_format_bpow. unfold FLT_exp. lia. }
    rewrite <- Fu. apply rnd_le. assert (0 <= c1 <= 1) by (rewrite C1; lra).
    destruct (Rle_lt_dec 0 m) as [P|P].
    - assert (m * c1 <= u * 1) by (apply Rmult_le_compat; lra). lra.
    - assert (0 <= - m * c1) by (apply Rmult_le_pos; lra). lra. }
  assert (N := log1p_near z Dz ltac:(lra)). assert (Lg : - (11 / 10 * u) <= ln (1 + z)).
  { assert (Y := exp_ineq1_le (11 / 10 * u)). rewrite <- (ln_exp (- (11 / 10 * u))).
    assert (Q : exp (- (11 / 10 * u)) <= 1 + z).
    { rewrite exp_Ropp. apply Rle_trans with (/ (1 + 11 / 10 * u)); [apply Rinv_le_contravar; lra|].
      apply Rmult_le_reg_r with (1 + 11 / 10 * u); [lra|]. rewrite Rinv_l by lra.
      assert ((1 - u) * (1 + 11 / 10 * u) <= (1 + z) * (1 + 11 / 10 * u)) by (apply Rmult_le_compat_r; lra). lra. }
    destruct Q as [Q|Q]; [apply Rlt_le, ln_increasing; [apply exp_pos|exact Q]|rewrite Q; lra]. }
  apply Rabs_le_inv in N. set (l := ln (1 + z)) in *.
  assert (Lp : - (12 / 10 * u) <= log1p z).
  { destruct (Rle_lt_dec 0 l) as [P|P].
    - rewrite (Rabs_pos_eq l P) in N. assert (u * l <= / 1000 * l) by (apply Rmult_le_compat_r; lra). lra.
    - rewrite (Rabs_left l P) in N. assert (u * - l <= / 1000 * - l) by (apply Rmult_le_compat_r; lra). lra. }
  assert (F3 : rnd (-2 * u) = -2 * u).
  { assert (E52 : bpow radix2 (-52) = 2 * u).
    { unfold u. change (-52)%Z with (1 + -53)%Z. rewrite bpow_plus. reflexivity. }
    replace (-2 * u) with (- bpow radix2 (-52)) by lra.
    apply round_generic; [apply valid_rnd_N|]. apply generic_format_opp, generic_format_bpow. unfold FLT_exp. lia. }
  apply Rle_trans with (-2 * u); [lra|]. rewrite <- F3. apply rnd_le. rewrite C2.
  assert (- (12 / 10 * u) * (1 - 4 * u) <= log1p z * (1 - 4 * u)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
End Steps.
