(** The steep case, epsilon/step > 32: q = 1/(1 + e^slope) and A q as [_steep_parts] of
    incomplete_beta.py makes them from an exponential that is a little wrong. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core Relative.
From Simplexcert Require Import SeriesSource Rounding RoundedSums.
Local Open Scope R_scope.

Lemma exp_double x y z : 0 <= y -> y <= exp x -> z = 2 * x -> y * y <= exp z.
Proof. intros P L ->. replace (2 * x) with (x + x) by ring. rewrite exp_plus. now apply Rmult_le_compat. Qed.

Lemma exp_32 : 1000000000000 <= exp 32.
Proof.
assert (A : 9 / 8 <= exp (/ 8)) by (generalize (exp_ineq1_le (/ 8)); lra).
apply (exp_double _ _ (/ 4)) in A; [|lra|lra]. assert (B : 12 / 10 <= exp (/ 4)) by lra. clear A.
assert (A : 126 / 100 <= exp (/ 4)).
{ assert (C : 9 / 8 <= exp (/ 8)) by (generalize (exp_ineq1_le (/ 8)); lra).
  apply (exp_double _ _ (/ 4)) in C; lra. } clear B.
apply (exp_double _ _ (/ 2)) in A; [|lra|lra]. assert (B : 158 / 100 <= exp (/ 2)) by lra. clear A.
apply (exp_double _ _ 1) in B; [|lra|lra]. assert (A : 249 / 100 <= exp 1) by lra. clear B.
apply (exp_double _ _ 2) in A; [|lra|lra]. assert (B : 62 / 10 <= exp 2) by lra. clear A.
apply (exp_double _ _ 4) in B; [|lra|lra]. assert (A : 384 / 10 <= exp 4) by lra. clear B.
apply (exp_double _ _ 8) in A; [|lra|lra]. assert (B : 1474 <= exp 8) by lra. clear A.
apply (exp_double _ _ 16) in B; [|lra|lra]. assert (A : 2172000 <= exp 16) by lra. clear B.
apply (exp_double _ _ 32) in A; lra.
Qed.

Lemma exp_near_0 x : Rabs x <= / 1000000000000 -> Rabs (exp (- x) - (1 - x)) <= 2 * (x * x).
Proof.
intros X. apply Rabs_le_inv in X.
assert (L := exp_ineq1_le (- x)). assert (L' := exp_ineq1_le x). assert (P := exp_pos x).
assert (S : 0 <= x * x) by (rewrite <- (Rmult_0_r 0); nra).
assert (E : exp (- x) * exp x = 1) by (rewrite <- exp_plus; replace (- x + x) with 0 by ring; apply exp_0).
assert (U : exp (- x) * (1 + x) <= 1) by (rewrite <- E; apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|lra]).
assert (U' : exp (- x) <= 1 - x + 2 * (x * x)).
{ apply Rmult_le_reg_r with (1 + x); [lra|]. apply Rle_trans with (1 := U).
  assert (0 <= x * x * (1 + 2 * x)) by (apply Rmult_le_pos; lra). lra. }
apply Rabs_le. lra.
Qed.

Section Steep.
Variables a s slope : R.
Hypothesis (Ha : 0 < a) (Hs : 0 < s).
Hypothesis steep : 32 <= slope.
Let A := 2 * a + s.
Let q := 1 / (1 + exp slope).
(** The slope in two doubles, its exponential within three quarters of a unit in the last place,
    A rounded. *)
Variables head rest exponential total low scaled : R.
Hypothesis Hrest : Rabs rest <= / 10000000000000.
Hypothesis Hslope : Rabs (slope - (head + rest)) <= / 1000000000000000000000000.
Hypothesis Hexp : Rabs (exponential - exp (- head)) <= 3 / 2 * u * exp (- head).
Hypothesis Htotal : within 1 total A.
Hypothesis made : (low, scaled) = steep_parts total exponential rest.
(** Nothing underflows but the square of e^-slope and its rest, which are negligible. *)
Hypothesis size : bpow radix2 (-980) <= exp (- head).
Hypothesis size_scaled : sizeable (A * q).

Lemma least_below y : bpow radix2 (-981) <= y -> least <= / 1000000000000000000000000000 * y.
Proof.
intros Y. apply Rle_trans with (/ 1000000000000000000000000000 * bpow radix2 (-981)).
2:{ apply Rmult_le_compat_l; lra. }
unfold least. change (-1075)%Z with (-94 + -981)%Z. rewrite bpow_plus.
apply Rmult_le_compat_r; [apply bpow_ge_0|]. simpl. lra.
Qed.

Theorem steep_within : within 4 low q /\ within 6 scaled (A * q).
Proof.
assert (Us := u_size). set (x := exp (- head)) in *. assert (X : 0 < x) by apply exp_pos.
unfold steep_parts in made. cbv zeta in made.
assert (Ml := f_equal fst made). assert (Ms := f_equal snd made). cbn [fst snd] in Ml, Ms. clear made.
rewrite <- Ml in Ms.
set (E := exponential) in *. set (p := rnd (E * rest)) in *. set (ratio := rnd (E - p)) in *.
set (sq := rnd (ratio * ratio)) in *.
apply Rabs_le_inv in Hexp. assert (Uu : u * x <= / 5000000000000000 * x) by (apply Rmult_le_compat_r; lra).
assert (Half : bpow radix2 (-981) * 2 = bpow radix2 (-980)).
{ change 2 with (bpow radix2 1). now rewrite <- bpow_plus. }
assert (EP : 0 < E /\ 9 / 10 * x <= E) by lra. destruct EP as [EP EX].
assert (Z981 : 0 < bpow radix2 (-981)) by apply bpow_gt_0.
assert (least0 : 0 < least) by apply bpow_gt_0.
assert (NE : near (8 / 5 * u) E x).
{ assert (0 < u * x) by (apply Rmult_lt_0_compat; lra). repeat split; [lra| |lra].
  replace (E * (1 + 8 / 5 * u)) with (E + 8 / 5 * u * E) by ring.
  assert (8 / 5 * u * (98 / 100 * x) <= 8 / 5 * u * E) by (apply Rmult_le_compat_l; lra). lra. }
(* the true e^-slope is x r, what is computed E m *)
set (theta := slope - head). set (r := exp (- theta)).
assert (Er : exp (- slope) = x * r).
{ unfold x, r, theta. rewrite <- exp_plus. f_equal. ring. }
apply Rabs_le_inv in Hrest. apply Rabs_le_inv in Hslope.
assert (Th : - (2 * / 10000000000000) <= theta <= 2 * / 10000000000000) by (unfold theta; lra).
assert (Tt : theta * theta <= 4 * / 100000000000000000000000000).
{ rewrite <- (Rabs_pos_eq (theta * theta)) by nra. rewrite Rabs_mult.
  assert (Rabs theta <= 2 * / 10000000000000) by (apply Rabs_le; lra). assert (P := Rabs_pos theta).
  apply Rle_trans with ((2 * / 10000000000000) * (2 * / 10000000000000)); [apply Rmult_le_compat; lra|lra]. }
assert (Rr : Rabs (r - (1 - theta)) <= 8 * / 100000000000000000000000000).
{ apply Rle_trans with (1 := exp_near_0 theta ltac:(apply Rabs_le; lra)). lra. }
apply Rabs_le_inv in Rr.
assert (Pe := rnd_error (E * rest)). fold p in Pe. rewrite Rabs_mult, (Rabs_pos_eq E) in Pe by lra.
assert (Ar : Rabs rest <= / 10000000000000) by (apply Rabs_le; lra).
assert (Le := least_below E ltac:(lra)).
assert (P1 : u * (E * Rabs rest) <= E * / 1000000000000000000000000000).
{ replace (u * (E * Rabs rest)) with (E * (u * Rabs rest)) by ring. apply Rmult_le_compat_l; [lra|].
  apply Rle_trans with (/ 5000000000000000 * / 10000000000000); [apply Rmult_le_compat; [lra|apply Rabs_pos|lra|lra]|lra]. }
set (m := (E - p) / E).
assert (Em : E - p = E * m) by (unfold m; field; lra).
assert (Dm : - (2 * / 1000000000000000000000000000) <= m - (1 - rest) <= 2 * / 1000000000000000000000000000).
{ apply Rabs_le_inv in Pe.
  assert (Q : m - (1 - rest) = - (p - E * rest) / E) by (unfold m; field; lra). rewrite Q.
  split; apply Rmult_le_reg_r with (1 := EP); unfold Rdiv; rewrite (Rmult_assoc (- (p - E * rest))), Rinv_l by lra; lra. }
assert (Nm : near (10 * / 1000000000000000000000000) m r).
{ apply near_of_difference; [unfold theta in *; lra|lra|]. apply Rabs_le. unfold theta in *. lra. }
set (rho := exp (- slope)) in *.
assert (uu : 0 <= u * u <= / 5000000000000000 * u) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
assert (N1 : near (17 / 10 * u) (E - p) rho).
{ rewrite Em, Er. refine (near_mult _ _ _ _ _ _ _ _ _ _ NE Nm); lra. }
(* e^-slope is small *)
assert (Rho : 0 < rho <= / 1000000000000).
{ split; [apply exp_pos|]. unfold rho. rewrite exp_Ropp. apply Rinv_le_contravar; [lra|].
  apply Rle_trans with (1 := exp_32). destruct steep as [L| <-]; [|lra]. apply Rlt_le, exp_increasing, L. }
assert (RX : 9 / 10 * x <= rho).
{ rewrite Er. replace (9 / 10 * x) with (x * (9 / 10)) by ring. apply Rmult_le_compat_l; lra. }
assert (Mpos : 0 < E - p /\ 8 / 10 * x <= E - p).
{ rewrite Em. assert (9 / 10 <= m) by lra.
  assert (E * (9 / 10) <= E * m) by (apply Rmult_le_compat_l; lra). lra. }
assert (Norm : forall y, bpow radix2 (-982) <= y -> normal y).
{ intros y Y. right. apply Rle_trans with (2 := Y). apply bpow_le. lia. }
assert (Half2 : bpow radix2 (-982) * 2 = bpow radix2 (-981)).
{ change 2 with (bpow radix2 1). now rewrite <- bpow_plus. }
assert (Z982 : 0 < bpow radix2 (-982)) by apply bpow_gt_0.
assert (N2 : near u ratio (E - p)) by (apply near_rnd; [apply Norm|]; lra).
assert (N3 : near (275 / 100 * u) ratio rho).
{ refine (near_trans _ _ _ _ _ _ _ _ _ N2 N1); lra. }
assert (R0 : 0 < ratio /\ 9 / 10 * (E - p) <= ratio).
{ destruct N2 as (_ & L & _). assert (9 / 10 * (E - p) <= ratio); [|lra].
  apply Rmult_le_reg_r with (1 + u); [lra|]. apply Rle_trans with (2 := L).
  assert ((E - p) * u <= (E - p) * / 100) by (apply Rmult_le_compat_l; lra). lra. }
assert (R1 : Rabs (ratio - rho) <= / 100000000000000000000000000).
{ destruct N3 as (_ & L & U). assert (rho * u <= / 1000000000000 * / 5000000000000000) by (apply Rmult_le_compat; lra).
  assert (ratio <= 2 * rho) by (assert (rho * u <= rho * / 100) by (apply Rmult_le_compat_l; lra); lra).
  assert (rho * u <= / 1000000000000000000000000000 / 4).
  { apply Rle_trans with (/ 1000000000000 * / 5000000000000000); [exact H|lra]. }
  assert (ratio * u <= 2 * rho * u) by (apply Rmult_le_compat_r; lra). apply Rabs_le. lra. }
apply Rabs_le_inv in R1.
assert (Sq := rnd_error (ratio * ratio)). fold sq in Sq.
rewrite (Rabs_pos_eq (ratio * ratio)) in Sq by (apply Rmult_le_pos; lra).
assert (Lr := least_below ratio).
set (k := (ratio - sq) / ratio).
assert (Ek : ratio - sq = ratio * k) by (unfold k; field; lra).
set (kappa := / (1 + rho)).
assert (Eq : q = rho * kappa).
{ unfold q, rho, kappa, rho. rewrite exp_Ropp. assert (P := exp_pos slope). field. lra. }
assert (Kp : kappa = 1 - rho + rho * rho * kappa) by (unfold kappa; field; lra).
assert (K1 : 0 < kappa <= 1).
{ unfold kappa. split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
assert (RR : 0 <= rho * rho <= / 1000000000000000000000000).
{ split; [apply Rmult_le_pos; lra|]. apply Rle_trans with (/ 1000000000000 * / 1000000000000); [apply Rmult_le_compat|]; lra. }
assert (K2 : 0 <= rho * rho * kappa <= / 1000000000000000000000000).
{ split; [apply Rmult_le_pos; lra|]. apply Rle_trans with (rho * rho * 1); [apply Rmult_le_compat_l; lra|lra]. }
assert (Dk : - (2 * / 1000000000000000000000000) <= k - (1 - ratio) <= 2 * / 1000000000000000000000000).
{ specialize (Lr ltac:(lra)). apply Rabs_le_inv in Sq.
  assert (Q : k - (1 - ratio) = - (sq - ratio * ratio) / ratio) by (unfold k; field; lra). rewrite Q.
  assert (u * (ratio * ratio) <= ratio * / 1000000000000000000000000).
  { replace (u * (ratio * ratio)) with (ratio * (u * ratio)) by ring. apply Rmult_le_compat_l; [lra|].
    apply Rle_trans with (/ 5000000000000000 * (2 * / 1000000000000)); [apply Rmult_le_compat; lra|lra]. }
  split; apply Rmult_le_reg_r with (1 := proj1 R0); unfold Rdiv;
    rewrite (Rmult_assoc (- (sq - ratio * ratio))), Rinv_l by lra; lra. }
assert (Nk : near (20 * / 1000000000000000000000000) k kappa).
{ apply near_of_difference; [lra|lra|]. apply Rabs_le. lra. }
assert (N4 : near (28 / 10 * u) (ratio - sq) q).
{ rewrite Ek, Eq. refine (near_mult _ _ _ _ _ _ _ _ _ _ N3 Nk); lra. }
assert (D0 : bpow radix2 (-982) <= ratio - sq).
{ rewrite Ek. assert (ratio * (9 / 10) <= ratio * k) by (apply Rmult_le_compat_l; lra). lra. }
assert (N5 : near u (rnd (ratio - sq)) (ratio - sq)) by (apply near_rnd; [apply Norm|]; lra).
rewrite <- Ml in N5.
assert (N6 : near (4 * u) low q).
{ refine (near_trans _ _ _ _ _ _ _ _ _ N5 N4); lra. }
assert (Y : 0 <= low) by (refine (near_nonneg _ _ _ _ N6); lra).
assert (W : within 4 low q).
{ destruct N6 as (Q & L & U). assert (E4 : 1 + 4 * u <= e 4).
  { unfold e. simpl pow. assert (0 <= u * u * u) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= u * u * u * u) by (repeat apply Rmult_le_pos; lra). lra. }
  repeat split; [easy| |].
  - apply Rle_trans with (1 := L). now apply Rmult_le_compat_l.
  - apply Rle_trans with (1 := U). now apply Rmult_le_compat_l. }
split; [exact W|]. rewrite Ms.
assert (Wp := within_mult _ _ _ _ _ _ Htotal W). change (1 + 4)%nat with 5%nat in Wp.
apply (rounded 5); [exact Wp|]. apply normal_within with (2 := Wp); [simpl; lra|exact size_scaled].
Qed.
End Steep.
