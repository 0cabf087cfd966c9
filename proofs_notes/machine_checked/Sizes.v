(** Of which sizes delta and the incomplete beta are tried at all, as the source says it. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require Import SeriesSource Rounding.
Local Open Scope R_scope.

Lemma tiny_quotient : least <= / 10 ^ 40.
Proof. unfold least. apply Rle_trans with (bpow radix2 (-140)); [apply bpow_le; lia|simpl; lra]. Qed.

(** Sizes of alpha and step, and their ratio, of which no part of the difference series' sum is lost. *)
Theorem delta_sizes a s eps : delta_is_tried a s eps ->
  0 < a /\ 0 < s /\ bpow radix2 (-930) <= 2 * a + s <= bpow radix2 932 /\ bpow radix2 (-940) <= s / (2 * a + s).
Proof.
unfold delta_is_tried. intros (A1 & A2 & S1 & S2 & _ & R).
assert (B882 : 0 < bpow radix2 882) by apply bpow_gt_0. assert (B981 : 0 < bpow radix2 (-981)) by apply bpow_gt_0.
assert (E930 : bpow radix2 (-930) = 2251799813685248 * bpow radix2 (-981)).
{ change (-930)%Z with (51 + -981)%Z. rewrite bpow_plus. reflexivity. }
assert (E932 : bpow radix2 932 = 1125899906842624 * bpow radix2 882).
{ change 932%Z with (50 + 882)%Z. rewrite bpow_plus. reflexivity. }
assert (E938 : bpow radix2 938 = 72057594037927936 * bpow radix2 882).
{ change 938%Z with (56 + 882)%Z. rewrite bpow_plus. reflexivity. }
set (c := bpow radix2 (-981)) in *. set (C := bpow radix2 882) in *. clearbody c.
assert (a0 : 0 < a) by lra. assert (s0 : 0 < s) by lra.
split; [exact a0|split; [exact s0|split; [split; lra|]]].
assert (Q0 : 0 <= a / s) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
assert (L := rnd_low (a / s) Q0). assert (T := tiny_quotient).
assert (One : 1 <= C) by (unfold C; change 1 with (bpow radix2 0); apply bpow_le; lia).
assert (Q1 : a / s <= 310130032290504 * C) by (unfold v in L; lra).
apply Rmult_le_compat_r with (r := s) in Q1; [|lra]. unfold Rdiv in Q1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in Q1 by lra.
assert (X : 2 * a + s <= bpow radix2 938 * s).
{ rewrite E938. assert (1 * s <= C * s) by (apply Rmult_le_compat_r; lra). lra. }
apply Rmult_le_reg_r with (2 * a + s); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
apply Rle_trans with (bpow radix2 (-940) * (bpow radix2 938 * s)); [apply Rmult_le_compat_l; [apply bpow_ge_0|exact X]|].
rewrite <- Rmult_assoc, <- bpow_plus. rewrite <- (Rmult_1_l s) at 2. apply Rmult_le_compat_r; [lra|simpl; lra].
Qed.

(** Sizes of a and b, of which b is given in two doubles, the first one within a rounding. *)
Theorem beta_sizes a o b x : within 1 o b -> beta_is_tried a o x ->
  0 < a /\ 0 < o /\ bpow radix2 (-930) <= a + b <= bpow radix2 932.
Proof.
unfold beta_is_tried. intros (B0 & L & U) (A1 & O1 & S & _). unfold e in L, U. rewrite pow_1 in L, U.
assert (B882 : 0 < bpow radix2 882) by apply bpow_gt_0. assert (B981 : 0 < bpow radix2 (-981)) by apply bpow_gt_0.
assert (E930 : bpow radix2 (-930) = 2251799813685248 * bpow radix2 (-981)).
{ change (-930)%Z with (51 + -981)%Z. rewrite bpow_plus. reflexivity. }
assert (E932 : bpow radix2 932 = 1125899906842624 * bpow radix2 882).
{ change 932%Z with (50 + 882)%Z. rewrite bpow_plus. reflexivity. }
assert (One : 1 <= bpow radix2 882) by (change 1 with (bpow radix2 0); apply bpow_le; lia).
set (c := bpow radix2 (-981)) in *. set (C := bpow radix2 882) in *. clearbody c C.
assert (Us := u_size). assert (T := tiny_quotient). assert (a0 : 0 < a) by lra. assert (o0 : 0 < o) by lra.
assert (R := rnd_low (a + o) ltac:(lra)). unfold v in R.
assert (o * (1 + u) <= o * (1 + / 1000)) by (apply Rmult_le_compat_l; lra).
assert (b * (1 + u) <= b * (1 + / 1000)) by (apply Rmult_le_compat_l; lra).
repeat split; lra.
Qed.
