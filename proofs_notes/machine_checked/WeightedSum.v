(** The weighted sum by which a sum's doubt is computed: block by block, in doubles, every term
    weighed with the end of its block. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require Import Rounding RoundedSums.
Local Open Scope R_scope.

Section Weighted.
Variables T term total : nat -> R.
Variables c d steps : nat.
Hypothesis terms : forall n, (n <= steps)%nat -> within (c * n + d) (term n) (T n).
Hypothesis total0 : total 0%nat = term 0%nat.
Hypothesis added : forall n, (n < steps)%nat -> total (S n) = rnd (total n + term (S n)).
Hypothesis no_underflow : forall n, (n < steps)%nat -> normal (total n + term (S n)).
Hypothesis few : INR steps <= 16000.
Hypothesis small : (c <= 13)%nat /\ (d <= 8)%nat.
(** Ends of blocks of at most 16 terms, and the weighted sum. *)
Variables (place : nat -> nat) (weighted : nat -> R) (blocks : nat).
Hypothesis place0 : place 0%nat = 0%nat.
Hypothesis placed : forall j, (j < blocks)%nat ->
  (place j < place (S j) <= place j + 16)%nat /\ (place (S j) <= steps)%nat.
Hypothesis weighted0 : weighted 0%nat = 0.
Hypothesis weighed : forall j, (j < blocks)%nat -> weighted (S j) =
  rnd (weighted j + rnd (rnd (total (place (S j)) - total (place j)) * INR (place (S j)))).
Hypothesis size : sizeable (T 0%nat).

Let eps := / 1000000000.
Let G := (1 + eps) * acc T steps.

Lemma roundings k : INR k <= 300000 -> e k <= 1 + eps.
Proof.
intros K. assert (Us := u_size). assert (K0 := pos_INR k).
assert (Ku : 0 <= INR k * u <= 300000 * / 5000000000000000) by (split; [apply Rmult_le_pos|apply Rmult_le_compat]; lra).
assert (E := e_upper k ltac:(lra)).
assert (INR k * u * (INR k * u) <= 1 * (INR k * u)) by (apply Rmult_le_compat_r; lra). unfold eps. lra.
Qed.

Lemma T_nonneg n : (n <= steps)%nat -> 0 <= T n. Proof. intros L. apply (terms n L). Qed.

Lemma acc_grows m n : (m + n <= steps)%nat -> acc T m <= acc T (m + n).
Proof.
induction n; intros L; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r in *. simpl acc.
specialize (IHn ltac:(lia)). assert (P := T_nonneg (S (m + n)) ltac:(lia)). lra.
Qed.

Lemma acc_pos : T 0%nat <= acc T steps.
Proof. exact (acc_grows 0 steps (le_n _)). Qed.

Lemma bound n : (n <= steps)%nat -> total n <= G.
Proof.
intros L. destruct (sum_within T term total c d steps terms total0 added no_underflow n L) as [_ U].
apply Rle_trans with (1 := U). apply Rle_trans with (acc T n * (1 + eps)).
- rewrite <- acc_scal. apply acc_le. intros k Lk. apply Rmult_le_compat_l; [apply T_nonneg; lia|].
  apply roundings. assert (M : (c * k + d + n <= 14 * steps + 8)%nat) by nia. apply le_INR in M.
  rewrite (plus_INR (14 * steps)), (mult_INR 14 steps) in M. simpl (INR 14) in M. simpl (INR 8) in M. lra.
- unfold G. rewrite Rmult_comm. apply Rmult_le_compat_l; [unfold eps; lra|].
  replace steps with (n + (steps - n))%nat by lia. apply acc_grows. lia.
Qed.

Lemma sizeable_bound : bpow radix2 (-1021) <= G.
Proof.
apply Rle_trans with (1 := size). assert (P := acc_pos). assert (0 <= T 0%nat) by (apply T_nonneg; lia).
unfold G. assert (0 <= eps * acc T steps) by (apply Rmult_le_pos; [unfold eps; lra|lra]). lra.
Qed.

Lemma G_pos : 0 < G. Proof. generalize (bpow_gt_0 radix2 (-1021)) sizeable_bound; lra. Qed.

Lemma least_G : least <= u * G.
Proof.
unfold least. change (-1075)%Z with (-54 + -1021)%Z. rewrite bpow_plus.
apply Rmult_le_compat; [apply bpow_ge_0|apply bpow_ge_0| |exact sizeable_bound].
unfold u. apply bpow_le. lia.
Qed.

Lemma term_below n : (n < steps)%nat -> T (S n) <= (1 + eps) * (total (S n) - total n + u * G).
Proof.
intros L. assert (Us := u_size). assert (Gp := G_pos).
assert (P : 0 <= total n) by (apply (sum_nonneg T term total c d steps); auto; lia).
assert (W := terms (S n) L). assert (Pt := within_nonneg _ _ _ W). destruct W as (X & Lw & _).
assert (N := no_underflow n L).
destruct (within_rnd _ N) as (_ & Lr & _); [lra|]. rewrite <- (added n L) in Lr.
unfold e in Lr. rewrite pow_1 in Lr.
assert (B := bound (S n) L).
assert (total (S n) * u <= G * u) by (apply Rmult_le_compat_r; lra).
assert (Ic : INR (c * S n + d) <= 300000).
{ assert (M : (c * S n + d <= 13 * steps + 8)%nat) by nia. apply le_INR in M.
  rewrite (plus_INR (13 * steps)), (mult_INR 13 steps) in M. simpl (INR 13) in M. simpl (INR 8) in M. lra. }
assert (E := roundings _ Ic). assert (Ep := e_pos (c * S n + d)).
apply Rle_trans with (1 := Lw). rewrite Rmult_comm.
apply Rmult_le_compat; lra.
Qed.

Lemma block_below p E m : (p + m <= steps)%nat -> (forall k, (k <= m)%nat -> INR (p + k) <= E) -> 0 <= E ->
  acc (fun k => INR k * T k) (p + m) <=
  acc (fun k => INR k * T k) p + E * ((1 + eps) * (total (p + m)%nat - total p + INR m * (u * G))).
Proof.
induction m; intros L B E0.
- rewrite Nat.add_0_r. simpl INR. right. ring.
- specialize (IHm ltac:(lia) ltac:(intros; apply B; lia) E0).
  rewrite Nat.add_succ_r in *. simpl acc. assert (Tb := term_below (p + m) ltac:(lia)).
  assert (Tn := T_nonneg (S (p + m)) ltac:(lia)).
  assert (Bk := B (S m) (le_n _)). rewrite Nat.add_succ_r in Bk.
  assert (INR (S (p + m)) * T (S (p + m)) <= E * T (S (p + m))) by (apply Rmult_le_compat_r; lra).
  assert (E * T (S (p + m)) <= E * ((1 + eps) * (total (S (p + m)) - total (p + m)%nat + u * G)))
    by (apply Rmult_le_compat_l; lra).
  rewrite (S_INR m). change (match (p + m)%nat with 0%nat => 1 | S _ => INR (p + m) + 1 end) with (INR (S (p + m))).
  lra.
Qed.

Let kappa := 400000 * (u * G).

Lemma rnd_below x b : Rabs x <= b -> x - u * b - least <= rnd x.
Proof.
intros B. assert (H := rnd_error x). apply Rabs_le_inv in H. assert (Us := u_size).
assert (u * Rabs x <= u * b) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma power j : 1 <= (1 + 2 * u) ^ j.
Proof. apply pow_R1_Rle. generalize u_size; lra. Qed.

Lemma increases j : (j <= blocks)%nat -> (place j <= steps)%nat /\ (j <= place j)%nat.
Proof.
induction j; intros L; [rewrite place0; lia|]. destruct IHj; [lia|].
destruct (placed j ltac:(lia)). lia.
Qed.

Theorem weighted_below j : (j <= blocks)%nat ->
  acc (fun k => INR k * T k) (place j) <=
  (1 + eps) * (1 + 2 * u) ^ j * (weighted j + INR j * (2 * kappa)).
Proof.
assert (Us := u_size). assert (Gp := G_pos). assert (Lg := least_G).
assert (uG : 0 < u * G) by (apply Rmult_lt_0_compat; lra).
assert (uuG : u * (u * G) <= / 5000000000000000 * (u * G)) by (apply Rmult_le_compat_r; lra).
assert (l0 : 0 < least) by apply bpow_gt_0.
induction j; intros L.
- rewrite place0, weighted0. simpl. right. ring.
- specialize (IHj ltac:(lia)). destruct (placed j L) as [[P1 P2] P3].
  destruct (increases j ltac:(lia)) as [Q1 Q2].
  set (E := INR (place (S j))). set (D := total (place (S j)) - total (place j)).
  assert (E1 : 1 <= E <= 16000).
  { unfold E. split; [change 1 with (INR 1)|]. apply le_INR; lia. apply le_INR in P3. lra. }
  assert (M := block_below (place j) E (place (S j) - place j)).
  replace (place j + (place (S j) - place j))%nat with (place (S j)) in M by lia.
  specialize (M P3 ltac:(intros k Lk; apply le_INR; lia) ltac:(lra)). fold D in M.
  assert (I16 : INR (place (S j) - place j) <= 16).
  { apply Rle_trans with (INR 16); [apply le_INR; lia|simpl; lra]. }
  assert (B1 : 0 <= total (place j) <= G).
  { split; [apply (sum_nonneg T term total c d steps); auto|now apply bound]. }
  assert (B2 : 0 <= total (place (S j)) <= G).
  { split; [apply (sum_nonneg T term total c d steps); auto|now apply bound]. }
  assert (AD : Rabs D <= G) by (apply Rabs_le; unfold D; lra).
  assert (R1 := rnd_below D G AD).
  assert (R1u : Rabs (rnd D) <= 2 * G).
  { assert (H := rnd_error D). assert (u * Rabs D <= u * G) by (apply Rmult_le_compat_l; lra).
    assert (u * G <= / 5000000000000000 * G) by (apply Rmult_le_compat_r; lra).
    apply Rle_trans with (Rabs (rnd D - D) + Rabs D); [|lra].
    replace (rnd D) with ((rnd D - D) + D) at 1 by ring. apply Rabs_triang. }
  set (p := rnd (rnd D * E)).
  assert (R2 : rnd D * E - u * (2 * G * E) - least <= p).
  { apply rnd_below. rewrite Rabs_mult, (Rabs_pos_eq E) by lra. apply Rmult_le_compat_r; lra. }
  assert (R3 : (D - u * G - least) * E <= rnd D * E) by (apply Rmult_le_compat_r; lra).
  assert (uGE : u * G * E <= u * G * 16000) by (apply Rmult_le_compat_l; lra).
  assert (lE : least * E <= u * G * 16000) by (apply Rmult_le_compat; lra).
  assert (mE : E * (INR (place (S j) - place j) * (u * G)) <= 16000 * (16 * (u * G))).
  { assert (0 <= INR (place (S j) - place j)) by apply pos_INR.
    apply Rmult_le_compat; [lra|apply Rmult_le_pos; lra|lra|apply Rmult_le_compat_r; lra]. }
  assert (Inc : E * (D + INR (place (S j) - place j) * (u * G)) <= p + kappa) by (unfold kappa; lra).
  set (S0 := acc (fun k => INR k * T k) (place j)) in *.
  set (S1 := acc (fun k => INR k * T k) (place (S j))) in *.
  assert (Mono : S0 <= S1 /\ 0 <= S0).
  { unfold S0, S1. clear - terms P1 P3.
    assert (N : forall m, (m <= steps)%nat -> 0 <= acc (fun k => INR k * T k) m).
    { induction m; intros Lm; simpl acc.
      - apply Rmult_le_pos; [simpl; lra|apply (terms 0); lia].
      - apply Rplus_le_le_0_compat; [apply IHm; lia|apply Rmult_le_pos; [apply (pos_INR (S m))|apply (terms (S m)); lia]]. }
    split; [|apply N; lia].
    assert (K : forall m, (place j + m <= steps)%nat ->
      acc (fun k => INR k * T k) (place j) <= acc (fun k => INR k * T k) (place j + m)).
    { induction m; intros Lm; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r in *. simpl acc.
      specialize (IHm ltac:(lia)).
      assert (0 <= INR (S (place j + m)) * T (S (place j + m))) by (apply Rmult_le_pos; [apply pos_INR|apply (terms (S (place j + m))); lia]).
      simpl INR in H. lra. }
    replace (place (S j)) with (place j + (place (S j) - place j))%nat by lia. apply K. lia. }
  assert (e0 : 0 < eps) by (unfold eps; lra).
  assert (Inc2 : S1 <= S0 + (1 + eps) * (p + kappa)).
  { apply Rle_trans with (1 := M). apply Rplus_le_compat_l.
    replace (E * ((1 + eps) * (D + INR (place (S j) - place j) * (u * G))))
      with ((1 + eps) * (E * (D + INR (place (S j) - place j) * (u * G)))) by ring.
    apply Rmult_le_compat_l; lra. }
  assert (Ppos : 0 <= p + kappa).
  { apply Rmult_le_reg_l with (1 + eps); lra. }
  assert (Pw := power j).
  set (y := weighted j + p). set (Z := y + (2 * INR j + 1) * kappa).
  assert (S1Z : S1 <= (1 + eps) * (1 + 2 * u) ^ j * Z).
  { apply Rle_trans with (1 := Inc2).
    apply Rle_trans with ((1 + eps) * (1 + 2 * u) ^ j * (weighted j + INR j * (2 * kappa))
      + (1 + eps) * (1 + 2 * u) ^ j * (p + kappa)); [|right; unfold Z, y; ring].
    apply Rplus_le_compat; [exact IHj|].
    apply Rmult_le_compat_r; [exact Ppos|]. rewrite <- (Rmult_1_r (1 + eps)) at 1. apply Rmult_le_compat_l; lra. }
  assert (C0 : 0 < (1 + eps) * (1 + 2 * u) ^ j) by (apply Rmult_lt_0_compat; lra).
  assert (Z0 : 0 <= Z) by (apply Rmult_le_reg_l with (1 := C0); lra).
  assert (J : 0 <= INR j <= 16000).
  { split; [apply pos_INR|]. apply Rle_trans with (2 := few). apply le_INR. lia. }
  assert (kp : 0 < kappa) by (unfold kappa; lra).
  assert (Jk : 0 <= (2 * INR j + 1) * kappa <= 32001 * kappa) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
  assert (Ay : Rabs y <= Z + (2 * INR j + 1) * kappa) by (apply Rabs_le; unfold Z in *; lra).
  assert (R4 := rnd_below y _ Ay).
  assert (uk : u * ((2 * INR j + 1) * kappa) <= / 5000000000000000 * (32001 * kappa)).
  { apply Rmult_le_compat; lra. }
  rewrite (weighed j L). fold D E p y. rewrite S_INR.
  apply Rle_trans with (1 := S1Z). rewrite !Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  simpl pow. rewrite (Rmult_comm (1 + 2 * u)), !Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  assert (Low : Z * (1 - u) <= rnd y + (INR j + 1) * (2 * kappa)).
  { assert (Ey : y = Z - (2 * INR j + 1) * kappa) by (unfold Z; ring). unfold kappa in *. lra. }
  apply Rle_trans with ((1 + 2 * u) * (Z * (1 - u))); [|apply Rmult_le_compat_l; lra].
  assert (0 <= Z * u * (1 - 2 * u)) by (repeat apply Rmult_le_pos; lra). lra.
Qed.

(** In whole runs: the weighted sum is all but that of k T_k, or above. *)
Hypothesis whole : place blocks = steps.

Lemma weighted_enough : acc (fun k => INR k * T k) steps <= weighted blocks + / 1000 * acc T steps.
Proof.
assert (W := weighted_below blocks (le_n _)). rewrite whole in W.
assert (Us := u_size). assert (Gp := G_pos). assert (Lb := proj2 (increases blocks (le_n _))). rewrite whole in Lb.
apply le_INR in Lb. assert (B0 := pos_INR blocks).
set (S1 := acc (fun k => INR k * T k) steps) in *. set (M := acc T steps) in *.
assert (M0 : 0 <= M) by (generalize acc_pos (T_nonneg 0 ltac:(lia)); fold M; lra).
assert (SM : 0 <= S1 <= M * 16000).
{ unfold S1, M. rewrite <- acc_scal. split.
  - assert (N : forall m, (m <= steps)%nat -> 0 <= acc (fun k => INR k * T k) m).
    { induction m; intros Lm; simpl acc.
      - apply Rmult_le_pos; [simpl; lra|apply T_nonneg; lia].
      - apply Rplus_le_le_0_compat; [apply IHm; lia|apply Rmult_le_pos; [apply (pos_INR (S m))|apply T_nonneg; lia]]. }
    now apply N.
  - apply acc_le. intros k Lk. rewrite Rmult_comm. apply Rmult_le_compat_l; [now apply T_nonneg|].
    apply le_INR in Lk. lra. }
assert (Pw := power blocks).
assert (Pu : (1 + 2 * u) ^ blocks <= 1 + eps).
{ apply Rle_trans with (e (2 * blocks)).
  - unfold e. rewrite pow_mult. apply pow_incr. split; [lra|]. simpl. assert (0 <= u * u) by (apply Rmult_le_pos; lra). lra.
  - apply roundings. rewrite mult_INR. simpl (INR 2). lra. }
assert (Kb : INR blocks * (2 * kappa) <= / 10000 * G).
{ apply Rle_trans with (16000 * (2 * kappa)).
  - apply Rmult_le_compat_r; [|lra]. unfold kappa. assert (0 <= u * G) by (apply Rmult_le_pos; lra). lra.
  - unfold kappa. assert (u * G <= / 5000000000000000 * G) by (apply Rmult_le_compat_r; lra). lra. }
assert (GM : G <= 2 * M) by (unfold G, eps; fold M; lra).
set (F := (1 + eps) * (1 + 2 * u) ^ blocks) in *. set (x := weighted blocks + INR blocks * (2 * kappa)) in *.
assert (F1 : 1 <= F <= 1 + / 100000000).
{ unfold F. split.
  - rewrite <- (Rmult_1_l 1) at 1. apply Rmult_le_compat; unfold eps; lra.
  - apply Rle_trans with ((1 + eps) * (1 + eps)); [apply Rmult_le_compat_l; unfold eps in *; lra|unfold eps; lra]. }
assert (X0 : 0 <= x) by (apply Rmult_le_reg_l with F; lra).
assert (F * x <= (1 + / 100000000) * x) by (apply Rmult_le_compat_r; lra).
assert (x * (1 + / 100000000) >= S1) by lra.
assert (S1 * (1 - / 100000000) <= x).
{ apply Rmult_le_reg_r with (1 + / 100000000); [lra|]. assert (0 <= S1) by lra. lra. }
unfold x in *. lra.
Qed.

(** The doubt as the code computes it, C units a step: the last quotient and sum are exact here. *)
Theorem charged C : INR c <= C <= 13 ->
  Rabs (total steps - acc T steps) <=
  u * (C * (weighted blocks / total steps) + INR steps + INR d + 2) * total steps.
Proof.
intros [C1 C2]. assert (W := weighted_enough). assert (Us := u_size).
assert (D := sum_doubt T term total c d steps terms total0 added no_underflow steps (le_n _) few (proj1 small) (proj2 small)).
set (M := acc T steps) in *. set (S1 := acc (fun k => INR k * T k) steps) in *.
assert (Ed : acc (fun k => T k * (INR c * INR k + INR steps + INR d + 1)) steps = S1 * INR c + M * (INR steps + INR d + 1)).
{ unfold S1, M. rewrite <- !acc_scal, <- acc_plus.
  assert (X : forall f g n, (forall k, f k = g k) -> acc f n = acc g n).
  { intros f g n E. induction n; simpl; rewrite ?IHn, E; reflexivity. }
  apply X. intros k. ring. }
rewrite Ed in D.
assert (T0 : 0 < T 0%nat) by (generalize (bpow_gt_0 radix2 (-1021)); unfold sizeable in size; lra).
assert (MT : 0 < M) by (generalize acc_pos; fold M; lra).
assert (S0 : 0 <= S1).
{ assert (N : forall m, (m <= steps)%nat -> 0 <= acc (fun k => INR k * T k) m).
  { induction m; intros Lm; simpl acc.
    - apply Rmult_le_pos; [simpl; lra|apply T_nonneg; lia].
    - apply Rplus_le_le_0_compat; [apply IHm; lia|apply Rmult_le_pos; [apply (pos_INR (S m))|apply T_nonneg; lia]]. }
  now apply N. }
assert (c0 := pos_INR c). assert (d0 := pos_INR d). assert (n0 := pos_INR steps).
assert (d8 : INR d <= 8) by (destruct small as [_ L]; apply le_INR in L; simpl (INR 8) in L; lra).
(* the sum is at least all but a billionth of the exact one *)
assert (Low : M <= total steps * (1 + eps)).
{ destruct (sum_within T term total c d steps terms total0 added no_underflow steps (le_n _)) as [L _].
  assert (P : 0 < 1 + eps) by (unfold eps; lra).
  apply Rle_trans with (acc (fun k => T k * / e (c * k + d + steps)) steps * (1 + eps)).
  - rewrite <- acc_scal. apply acc_le. intros k Lk. rewrite Rmult_assoc. rewrite <- (Rmult_1_r (T k)) at 1.
    apply Rmult_le_compat_l; [now apply T_nonneg|].
    assert (Ep := e_pos (c * k + d + steps)). apply Rmult_le_reg_l with (1 := Ep).
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l, Rmult_1_r by lra.
    apply roundings. assert (Mm : (c * k + d + steps <= 14 * steps + 8)%nat) by (destruct small; nia). apply le_INR in Mm.
    rewrite (plus_INR (14 * steps)), (mult_INR 14 steps) in Mm. simpl (INR 14) in Mm. simpl (INR 8) in Mm. lra.
  - apply Rmult_le_compat_r; lra. }
set (t := total steps) in *. assert (t0 : 0 < t) by (unfold eps in Low; lra).
apply Rle_trans with (1 := D). rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
replace ((C * (weighted blocks / t) + INR steps + INR d + 2) * t) with
  (C * weighted blocks + (INR steps + INR d + 2) * t) by (field; lra).
assert (CW : S1 * INR c <= C * weighted blocks + 13 * (/ 1000 * M)).
{ apply Rle_trans with (C * (weighted blocks + / 1000 * M)).
  - apply Rle_trans with (C * S1); [rewrite Rmult_comm; apply Rmult_le_compat_r; lra|apply Rmult_le_compat_l; lra].
  - assert (C * (/ 1000 * M) <= 13 * (/ 1000 * M)) by (apply Rmult_le_compat_r; lra). lra. }
assert (MN : M * (INR steps + INR d + 1) <= t * (1 + eps) * (INR steps + INR d + 1)) by (apply Rmult_le_compat_r; lra).
assert (tN : t * (INR steps + INR d + 1) <= t * 20000) by (apply Rmult_le_compat_l; lra).
unfold eps in *. lra.
Qed.
End Weighted.
