(** The rounding errors of the profile's series in doubles (round to nearest even, gradual
    underflow excluded): a calculus of factors (1+u)^k, the loop of _advance, its sum. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core Relative.
Local Open Scope R_scope.

(** A double next to x, and that x does not underflow. *)
Definition rnd := round radix2 (FLT_exp (-1074) 53) ZnearestE.
Definition normal (x : R) : Prop := x = 0 \/ bpow radix2 (-1022) <= x.

Definition u : R := bpow radix2 (-53).
Definition e (k : nat) : R := (1 + u) ^ k.

Lemma u_pos : 0 < u. Proof. apply bpow_gt_0. Qed.
Lemma e_ge_1 k : 1 <= e k. Proof. apply pow_R1_Rle. generalize u_pos; lra. Qed.
Lemma e_pos k : 0 < e k. Proof. generalize (e_ge_1 k); lra. Qed.
Lemma e_plus k m : e (k + m) = e k * e m. Proof. apply pow_add. Qed.
Lemma e_le k m : (k <= m)%nat -> e k <= e m.
Proof. intros. apply Rle_pow; [generalize u_pos; lra|easy]. Qed.

(** [within k y x]: the double y is x up to k roundings, on either side. *)
Definition within (k : nat) (y x : R) : Prop := 0 <= x /\ x <= y * e k /\ y <= x * e k.

Lemma within_exact x : 0 <= x -> within 0 x x.
Proof. intros; repeat split; unfold e; simpl; lra. Qed.

Lemma within_nonneg k y x : within k y x -> 0 <= y.
Proof.
intros (X & L & _). generalize (e_pos k); intros E. apply Rmult_le_reg_r with (1 := E). lra.
Qed.

Lemma within_weaken k m y x : (k <= m)%nat -> within k y x -> within m y x.
Proof.
intros K W. assert (Y := within_nonneg _ _ _ W). destruct W as (X & L & U).
assert (E := e_le k m K). repeat split; [easy| |].
- apply Rle_trans with (1 := L). now apply Rmult_le_compat_l.
- apply Rle_trans with (1 := U). now apply Rmult_le_compat_l.
Qed.

Lemma within_rnd x : normal x -> 0 <= x -> within 1 (rnd x) x.
Proof.
intros [-> | N] X.
- unfold rnd. rewrite round_0 by apply valid_rnd_N. repeat split; lra.
- unfold rnd. rewrite round_FLT_FLX by (rewrite Rabs_pos_eq by easy; exact N).
  assert (P : Prec_gt_0 53) by easy.
  assert (B := relative_error_N_FLX' radix2 53 P (fun x => negb (Z.even x)) x).
  fold ZnearestE in B. rewrite (Rabs_pos_eq x X) in B.
  assert (U : u_ro radix2 53 = u) by (unfold u_ro, u; change (-(53) + 1)%Z with (-52)%Z; change (-53)%Z with (-1 + -52)%Z; rewrite (bpow_plus radix2 (-1)); easy).
  rewrite U in B. assert (Q := u_pos). apply Rabs_le_inv in B.
  set (y := round radix2 (FLX_exp 53) ZnearestE x) in *.
  assert (V : u / (1 + u) <= u).
  { apply Rmult_le_reg_r with (1 + u); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    assert (0 <= u * u) by (apply Rmult_le_pos; lra). lra. }
  repeat split; [easy| |]; unfold e; rewrite pow_1.
  + assert (D : x * (1 - u / (1 + u)) <= y) by lra.
    apply Rmult_le_compat_r with (r := 1 + u) in D; [|lra].
    replace (x * (1 - u / (1 + u)) * (1 + u)) with x in D by (field; lra). lra.
  + assert (u / (1 + u) * x <= u * x) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma within_trans k m z y x : within k z y -> within m y x -> within (k + m) z x.
Proof.
intros Wz (X & L & U). assert (Z := within_nonneg _ _ _ Wz). destruct Wz as (Y & L' & U').
unfold within. rewrite e_plus.
assert (K := e_pos k). assert (M := e_pos m). repeat split; [easy| |].
- apply Rle_trans with (1 := L). rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
- apply Rle_trans with (1 := U'). rewrite (Rmult_comm (e k)), <- Rmult_assoc. apply Rmult_le_compat_r; lra.
Qed.

Lemma within_mult k m y z x v : within k y x -> within m z v -> within (k + m) (y * z) (x * v).
Proof.
intros Wy Wz. assert (Y := within_nonneg _ _ _ Wy). assert (Z := within_nonneg _ _ _ Wz).
destruct Wy as (X & L & U), Wz as (V & L' & U'). unfold within. rewrite e_plus.
assert (K := e_pos k). assert (M := e_pos m). repeat split.
- now apply Rmult_le_pos.
- replace (y * z * (e k * e m)) with ((y * e k) * (z * e m)) by ring. now apply Rmult_le_compat.
- replace (x * v * (e k * e m)) with ((x * e k) * (v * e m)) by ring. now apply Rmult_le_compat.
Qed.

Lemma within_inv k y x : 0 < x -> within k y x -> within k (/ y) (/ x).
Proof.
intros X (_ & L & U). assert (K := e_pos k).
assert (Y : 0 < y) by (apply Rmult_lt_reg_r with (1 := K); lra).
repeat split; [now apply Rlt_le, Rinv_0_lt_compat| |].
- apply Rmult_le_reg_r with (x * y); [now apply Rmult_lt_0_compat|].
  replace (/ x * (x * y)) with y by (field; lra). replace (/ y * e k * (x * y)) with (x * e k) by (field; lra). easy.
- apply Rmult_le_reg_r with (x * y); [now apply Rmult_lt_0_compat|].
  replace (/ y * (x * y)) with x by (field; lra). replace (/ x * e k * (x * y)) with (y * e k) by (field; lra). easy.
Qed.

Lemma within_div k m y z x v : 0 < v -> within k y x -> within m z v -> within (k + m) (y / z) (x / v).
Proof. intros; apply within_mult; [easy|now apply within_inv]. Qed.

Lemma within_add k y z x v : within k y x -> within k z v -> within k (y + z) (x + v).
Proof. intros (X & L & U) (V & L' & U'). repeat split; lra. Qed.

(** Rounded operations. *)
Lemma rounded k y x : within k y x -> normal y -> within (k + 1) (rnd y) x.
Proof.
intros W N. rewrite Nat.add_comm. apply within_trans with (2 := W). apply within_rnd; [easy|].
now apply within_nonneg in W.
Qed.

(** First-order bounds on factors, and sums. *)
Lemma e_upper m : INR m * u <= 1 -> e m <= 1 + INR m * u + INR m * u * (INR m * u).
Proof.
assert (Q := u_pos). induction m; intros L.
- unfold e; simpl; lra.
- change (e (S m)) with ((1 + u) * e m). rewrite S_INR in *. assert (M := pos_INR m).
  assert (L' : INR m * u <= 1) by lra. specialize (IHm L'). set (x := INR m) in *.
  assert (0 <= x * u) by (apply Rmult_le_pos; lra).
  assert (x * u * (x * u) <= x * u) by (rewrite <- Rmult_1_r; apply Rmult_le_compat_l; lra).
  assert (u * (x * u * (x * u)) <= u * (x * u)) by (apply Rmult_le_compat_l; lra).
  apply Rle_trans with ((1 + u) * (1 + x * u + x * u * (x * u))); [apply Rmult_le_compat_l; lra|].
  assert (0 <= u * u) by (apply Rmult_le_pos; lra). assert (0 <= x * (u * u)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma e_lower m : 1 - INR m * u <= / e m.
Proof.
assert (Q := u_pos). assert (E := e_pos m). apply Rmult_le_reg_r with (1 := E). rewrite Rinv_l by lra.
clear E. induction m; [unfold e; simpl; lra|].
change (e (S m)) with ((1 + u) * e m). rewrite S_INR. assert (M := pos_INR m). assert (E := e_pos m).
set (x := INR m) in *. set (y := e m) in *.
replace ((1 - (x + 1) * u) * ((1 + u) * y)) with ((1 - x * u) * y - (x + 1) * (u * u) * y) by ring.
assert (0 <= (x + 1) * (u * u) * y) by (repeat apply Rmult_le_pos; lra). lra.
Qed.

Fixpoint acc (f : nat -> R) (n : nat) : R :=
  match n with O => f O | S m => acc f m + f (S m) end.

Lemma acc_le f g n : (forall k, (k <= n)%nat -> f k <= g k) -> acc f n <= acc g n.
Proof.
induction n; simpl; intros L; [apply L; lia|].
apply Rplus_le_compat; [apply IHn; intros; apply L|apply L]; lia.
Qed.

Lemma acc_scal c f n : acc (fun k => f k * c) n = acc f n * c.
Proof. induction n; simpl; [|rewrite IHn]; ring. Qed.

Lemma acc_plus f g n : acc (fun k => f k + g k) n = acc f n + acc g n.
Proof. induction n; simpl; [|rewrite IHn]; ring. Qed.

Lemma acc_opp f n : acc (fun k => - f k) n = - acc f n.
Proof. induction n; simpl; [|rewrite IHn]; ring. Qed.

(** y is x up to a factor 1 + d, on either side. *)
Definition near (d y x : R) : Prop := 0 <= x /\ x <= y * (1 + d) /\ y <= x * (1 + d).

Lemma near_nonneg d y x : 0 <= d -> near d y x -> 0 <= y.
Proof. intros D (X & L & _). apply Rmult_le_reg_r with (1 + d); lra. Qed.

Lemma near_trans d d' f z y x : 0 <= d -> 0 <= d' -> d + d' + d * d' <= f ->
  near d z y -> near d' y x -> near f z x.
Proof.
intros D D' F Nz (X & L & U). assert (Z := near_nonneg _ _ _ D Nz). destruct Nz as (Y & L' & U').
assert (E : (1 + d) * (1 + d') <= 1 + f) by lra. repeat split; [easy| |].
- apply Rle_trans with (z * ((1 + d) * (1 + d'))); [|now apply Rmult_le_compat_l].
  apply Rle_trans with (1 := L). rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
- apply Rle_trans with (x * ((1 + d) * (1 + d'))); [|now apply Rmult_le_compat_l].
  apply Rle_trans with (1 := U'). rewrite (Rmult_comm (1 + d)), <- Rmult_assoc. apply Rmult_le_compat_r; lra.
Qed.

Lemma near_mult d d' f y z x v : 0 <= d -> 0 <= d' -> d + d' + d * d' <= f ->
  near d y x -> near d' z v -> near f (y * z) (x * v).
Proof.
intros D D' F Ny Nz. assert (Y := near_nonneg _ _ _ D Ny). assert (Z := near_nonneg _ _ _ D' Nz).
destruct Ny as (X & L & U), Nz as (V & L' & U').
assert (E : (1 + d) * (1 + d') <= 1 + f) by lra. repeat split; [now apply Rmult_le_pos| |].
- apply Rle_trans with (y * z * ((1 + d) * (1 + d'))); [|apply Rmult_le_compat_l; [now apply Rmult_le_pos|easy]].
  replace (y * z * ((1 + d) * (1 + d'))) with (y * (1 + d) * (z * (1 + d'))) by ring. now apply Rmult_le_compat.
- apply Rle_trans with (x * v * ((1 + d) * (1 + d'))); [|apply Rmult_le_compat_l; [now apply Rmult_le_pos|easy]].
  replace (x * v * ((1 + d) * (1 + d'))) with (x * (1 + d) * (v * (1 + d'))) by ring. now apply Rmult_le_compat.
Qed.

Lemma near_of_difference d y x : / 2 <= x -> / 2 <= y -> Rabs (y - x) <= d / 2 -> near d y x.
Proof.
intros X Y D. apply Rabs_le_inv in D.
assert (0 <= d) by lra.
assert (/ 2 * d <= x * d) by (apply Rmult_le_compat_r; lra).
assert (/ 2 * d <= y * d) by (apply Rmult_le_compat_r; lra). repeat split; lra.
Qed.

Lemma near_rnd x : normal x -> 0 <= x -> near u (rnd x) x.
Proof. intros N P. destruct (within_rnd x N P) as (X & L & U). unfold e in *. rewrite pow_1 in *. now split. Qed.

Lemma u_size : / 10000000000000000 <= u <= / 5000000000000000.
Proof. unfold u; simpl; lra. Qed.

(** A rounded number, underflow included. *)
Definition least : R := bpow radix2 (-1075).

Lemma rnd_error x : Rabs (rnd x - x) <= u * Rabs x + least.
Proof.
destruct (error_N_FLT radix2 (-1074) 53 ltac:(easy) (fun z => negb (Z.even z)) x) as (d & h & D & H & _ & E).
fold ZnearestE in E. fold rnd in E. rewrite E.
replace (x * (1 + d) + h - x) with (x * d + h) by ring.
apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat.
- rewrite Rabs_mult, Rmult_comm. apply Rmult_le_compat_r; [apply Rabs_pos|].
  apply Rle_trans with (1 := D). right. unfold u. change (-(53) + 1)%Z with (1 + -53)%Z. rewrite bpow_plus. simpl. lra.
- apply Rle_trans with (1 := H). right. unfold least. change (-1074)%Z with (1 + -1075)%Z. rewrite bpow_plus. simpl bpow at 1. lra.
Qed.

Lemma rnd_le x y : x <= y -> rnd x <= rnd y.
Proof. intros L. unfold rnd. apply round_le; [apply FLT_exp_valid; easy|apply valid_rnd_N|exact L]. Qed.

Lemma rnd_0 : rnd 0 = 0.
Proof. apply round_0. apply valid_rnd_N. Qed.

Lemma rnd_nonneg x : 0 <= x -> 0 <= rnd x.
Proof. intros X. rewrite <- rnd_0. now apply rnd_le. Qed.

Lemma rnd_lo x : 0 <= x -> x - u * x - least <= rnd x.
Proof. intros X. assert (E := rnd_error x). rewrite (Rabs_pos_eq x X) in E. apply Rabs_le_inv in E. lra. Qed.

Lemma rnd_hi x : 0 <= x -> rnd x <= x + u * x + least.
Proof. intros X. assert (E := rnd_error x). rewrite (Rabs_pos_eq x X) in E. apply Rabs_le_inv in E. lra. Qed.

(** The same, rounder: v is about 1.8 u. *)
Definition v : R := / 5000000000000000.

Lemma rnd_low x : 0 <= x -> x - v * x - least <= rnd x.
Proof.
intros X. assert (E := rnd_lo x X). assert (u * x <= v * x) by (apply Rmult_le_compat_r; [exact X|apply u_size]). lra.
Qed.

Lemma rnd_high x : 0 <= x -> rnd x <= x + v * x + least.
Proof.
intros X. assert (E := rnd_hi x X). assert (u * x <= v * x) by (apply Rmult_le_compat_r; [exact X|apply u_size]). lra.
Qed.

Lemma least_small : 0 < least <= u * / 1000000000000000000000000000000.
Proof.
split; [apply bpow_gt_0|]. unfold least, u. change (-1075)%Z with (-53 + -1022)%Z. rewrite bpow_plus.
apply Rmult_le_compat_l; [apply bpow_ge_0|]. apply Rle_trans with (bpow radix2 (-100)); [apply bpow_le; lia|]. simpl; lra.
Qed.

Lemma rnd_rnd x : rnd (rnd x) = rnd x.
Proof.
unfold rnd. apply round_generic; [apply valid_rnd_N|]. apply generic_format_round; [apply FLT_exp_valid; easy|apply valid_rnd_N].
Qed.
