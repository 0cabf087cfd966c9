(** The loops of complement_series and of the incomplete beta in doubles against their series: one
    term from the one before, by its ratio z (A + n)/(d + n + 1). *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Simplexcert Require Import SeriesSource Rounding.
Local Open Scope R_scope.

Section Loop.
(** z, A and d exact; how many roundings z, A z and the denominators are off by. *)
Variables z A d : R.
Hypotheses (Hz : 0 < z) (HA : 0 < A) (Hd : 0 < d).
Variables kp ks kd kv : nat.
Variables point scaled : R.
Hypothesis Wpoint : within kp point z.
Hypothesis Wscaled : within ks scaled (A * z).
Hypothesis Kps : (kp + 1 <= ks)%nat.

Variable V : nat -> R.
Hypothesis V0 : 0 < V 0%nat.
Hypothesis VS : forall n, V (S n) = z * (A + INR n) / (d + INR (S n)) * V n.

Lemma V_pos n : 0 < V n.
Proof.
induction n; [exact V0|]. rewrite VS. assert (N := pos_INR n). assert (N' := pos_INR (S n)).
apply Rmult_lt_0_compat; [|exact IHn]. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra.
Qed.

(** One step: its numerator, denominator, quotient and product, each rounded. *)
Variables term numerator below : nat -> R.
Variable steps : nat.
Hypothesis term0 : within kv (term 0%nat) (V 0%nat).
Hypothesis Wnumerator : forall n, (n < steps)%nat -> within (ks + 1) (numerator n) (z * (A + INR n)).
Hypothesis Wbelow : forall n, (n < steps)%nat -> within kd (below n) (d + INR (S n)).
Hypothesis run : forall n, (n < steps)%nat -> term (S n) = rnd (term n * rnd (numerator n / below n)).
Hypothesis no_underflow : forall n, (n < steps)%nat ->
  normal (numerator n / below n) /\ normal (term n * rnd (numerator n / below n)).

Theorem ratio_terms_within n : (n <= steps)%nat -> within ((ks + kd + 3) * n + kv) (term n) (V n).
Proof.
clear Kps.
induction n; intros Ln; [rewrite Nat.mul_0_r; exact term0|].
assert (W := IHn ltac:(lia)). destruct (no_underflow n Ln) as [N1 N2].
rewrite (run n Ln), VS, Rmult_comm. rewrite (Rmult_comm _ (V n)).
replace ((ks + kd + 3) * S n + kv)%nat with (((ks + kd + 3) * n + kv) + (ks + 1 + kd + 1) + 1)%nat by lia.
rewrite (Rmult_comm (rnd _)). apply rounded; [|exact N2]. apply within_mult; [exact W|].
apply rounded; [|exact N1]. apply within_div; [|now apply Wnumerator|now apply Wbelow].
assert (N := pos_INR (S n)). lra.
Qed.

Lemma numerator_within (n : nat) : normal (point * INR n) -> normal (rnd (point * INR n) + scaled) ->
  within (ks + 1) (rnd (rnd (point * INR n) + scaled)) (z * (A + INR n)).
Proof.
intros N1 N2. replace (z * (A + INR n)) with (z * INR n + A * z) by ring.
apply rounded; [|exact N2]. apply within_add; [|exact Wscaled].
apply within_weaken with (k := (kp + 1)%nat); [exact Kps|].
apply rounded; [|exact N1]. rewrite <- (Nat.add_0_r kp). apply within_mult; [exact Wpoint|].
apply within_exact, pos_INR.
Qed.
End Loop.

(** complement_series: z within 4, A z within 6, b rounded; what the source charges, 14 (n + 8). *)
Theorem complement_is_covered z A b V point scaled second term total n :
  0 < z -> 0 < A -> 0 < b -> 0 < V 0%nat ->
  (forall k, V (S k) = z * (A + INR k) / (b + INR (S k)) * V k) ->
  within 4 point z -> within 6 scaled (A * z) -> within 1 second b ->
  within 2 (term 0%nat) (V 0%nat) -> total 0%nat = term 0%nat ->
  (forall k, (k < n)%nat ->
    (term (S k), total (S k)) = step_advance_complement k second point scaled (term k) (total k)) ->
  (forall k, (k < n)%nat -> normal_advance_complement k second point scaled (term k) (total k)) ->
  INR n <= 16000 ->
  Rabs (total n - acc V n) <= u * acc (fun k => V k * units_of_complement (INR n)) n.
Proof.
intros Hz HA Hb V0 VS Wp Ws Wb W0 T0 R N Ln.
set (numerator := fun k => rnd (rnd (point * INR k) + scaled)).
set (below := fun k => rnd (second + INR (S k))).
assert (Rt : forall k, (k < n)%nat -> term (S k) = rnd (term k * rnd (numerator k / below k))).
{ intros k Lk. exact (f_equal fst (R k Lk)). }
assert (Rs : forall k, (k < n)%nat -> total (S k) = rnd (total k + term (S k))).
{ intros k Lk. rewrite (Rt k Lk). exact (f_equal snd (R k Lk)). }
apply (charged_covers (fun k => ((6 + 2 + 3) * k + 2)%nat) V term total n) with (charged := fun _ => units_of_complement (INR n)).
- intros k. apply Rlt_le. apply (V_pos z A b Hz HA Hb V V0 VS).
- intros k Lk. apply (ratio_terms_within z A b Hb 6 2 2 V VS term numerator below n W0); [| |exact Rt| |exact Lk].
  + intros i Li. destruct (N i Li) as (N1 & N2 & _).
    apply (numerator_within z A 4 6 point scaled Wp Ws ltac:(lia) i N1 N2).
  + intros i Li. destruct (N i Li) as (_ & _ & N3 & _). unfold below.
    apply (rounded 1); [|exact N3]. apply within_add; [exact Wb|].
    apply within_weaken with (k := 0%nat); [lia|]. apply within_exact, pos_INR.
  + intros i Li. destruct (N i Li) as (_ & _ & _ & N4 & N5 & _). split; [exact N4|exact N5].
- exact T0.
- exact Rs.
- intros k Lk. destruct (N k Lk) as (_ & _ & _ & _ & _ & N6 & _). rewrite (Rt k Lk). exact N6.
- lia.
- intros k Lk. apply le_INR in Lk. assert (K := pos_INR k).
  rewrite !plus_INR, mult_INR. unfold units_of_complement, units_a_step. simpl INR. lra.
Qed.

(** The incomplete beta's: x within 1, A x within 2, a itself; what is charged, 7 k + n + 8. *)
Theorem incomplete_beta_is_covered x A a V place front term value n :
  0 < x -> 0 < A -> 0 < a -> 0 < V 0%nat ->
  (forall k, V (S k) = x * (A + INR k) / (a + INR (S k)) * V k) ->
  within 1 place x -> within 2 front (A * x) ->
  within 0 (term 0%nat) (V 0%nat) -> value 0%nat = term 0%nat ->
  (forall k, (k < n)%nat ->
    (term (S k), value (S k)) = step_summed k front place a (term k) (value k)) ->
  (forall k, (k < n)%nat -> normal_summed k front place a (term k) (value k)) ->
  INR n <= 16000 ->
  Rabs (value n - acc V n) <= u * acc (fun k => V k * units_of_summed (INR k) (INR n)) n.
Proof.
intros Hx HA Ha V0 VS Wp Ws W0 T0 R N Ln.
set (numerator := fun k => rnd (rnd (place * INR k) + front)).
set (below := fun k => rnd (a + INR (S k))).
assert (Rt : forall k, (k < n)%nat -> term (S k) = rnd (term k * rnd (numerator k / below k))).
{ intros k Lk. unfold numerator. rewrite (Rplus_comm _ front). exact (f_equal fst (R k Lk)). }
assert (Rs : forall k, (k < n)%nat -> value (S k) = rnd (value k + term (S k))).
{ intros k Lk. rewrite (Rt k Lk). unfold numerator. rewrite (Rplus_comm _ front). exact (f_equal snd (R k Lk)). }
apply (charged_covers (fun k => ((2 + 1 + 3) * k + 0)%nat) V term value n) with (charged := fun k => units_of_summed (INR k) (INR n)).
- intros k. apply Rlt_le. apply (V_pos x A a Hx HA Ha V V0 VS).
- intros k Lk. apply (ratio_terms_within x A a Ha 2 1 0 V VS term numerator below n W0); [| |exact Rt| |exact Lk].
  + intros i Li. destruct (N i Li) as (N1 & N2 & _). rewrite Rplus_comm in N2.
    apply (numerator_within x A 1 2 place front Wp Ws ltac:(lia) i N1 N2).
  + intros i Li. destruct (N i Li) as (_ & _ & N3 & _). unfold below.
    apply (rounded 0); [|exact N3]. apply within_exact. assert (I := pos_INR (S i)). lra.
  + intros i Li. destruct (N i Li) as (_ & _ & _ & N4 & N5 & _).
    unfold numerator. rewrite (Rplus_comm _ front). split; [exact N4|exact N5].
- exact T0.
- exact Rs.
- intros k Lk. destruct (N k Lk) as (_ & _ & _ & _ & _ & N6 & _). rewrite (Rt k Lk). unfold numerator.
  rewrite (Rplus_comm _ front). exact N6.
- lia.
- intros k Lk. apply le_INR in Lk. assert (K := pos_INR k).
  rewrite !plus_INR, mult_INR. unfold units_of_summed. simpl INR. lra.
Qed.

(** One sum at a time is added by the same operations. *)
Theorem one_complement_is_the_same :
  step_advance_one_complement = step_advance_complement /\ normal_advance_one_complement = normal_advance_complement.
Proof. split; reflexivity. Qed.
