(** Two laws of finite experiments for densities over the real line: thresholds below 1, and a first
    release with finitely many answers followed by one with a density. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import FiniteExperiments TwoCrossings.
Local Open Scope R_scope.

(** H_t(P, Q) = 1 - t + t H_(1/t)(Q, P), the left one existing where the right one does. *)
Theorem small_thresholds_of_densities t p q h : 0 < t -> integral p 1 -> integral q 1 ->
  integral (fun u => pos (q u - / t * p u)) h ->
  integral (fun u => pos (p u - t * q u)) (1 - t + t * h).
Proof.
intros T P Q H1.
replace (1 - t + t * h) with ((1 - t * 1) + t * h) by ring.
apply (integral_ext (fun u => (p u - t * q u) + t * pos (q u - / t * p u))).
- intros u. assert (E : t * (q u - / t * p u) = - (p u - t * q u)) by (field; lra).
  change (p u - t * q u + t * FiniteExperiments.pos (q u - / t * p u) = FiniteExperiments.pos (p u - t * q u)).
  rewrite <- pos_scal by lra. rewrite E.
  unfold FiniteExperiments.pos, Rmax; repeat destruct Rle_dec; lra.
- apply integral_plus; [|now apply integral_scal].
  apply integral_minus; [easy|now apply integral_scal].
Qed.

Lemma integral_zero : integral (fun _ => 0) 0.
Proof.
intros P HP. apply (Filter_prod _ _ _ (fun _ => True) (fun _ => True)); [now exists 0|now exists 0|].
intros a b _ _. exists 0. split; [|exact (locally_singleton _ _ HP)].
assert (I := is_RInt_const (V := R_NormedModule) a b 0).
assert (Z : scal (V := R_NormedModule) (b - a) 0 = 0) by apply (scal_zero_r (V := R_NormedModule)).
exact (eq_ind _ (fun v => is_RInt (V := R_NormedModule) (fun _ => 0) a b v) I _ Z).
Qed.

Lemma integral_sum n (f : nat -> R -> R) (l : nat -> R) :
  (forall i, (i < n)%nat -> integral (f i) (l i)) ->
  integral (fun z => sum n (fun i => f i z)) (sum n l).
Proof.
induction n; simpl; intros I; [exact integral_zero|].
apply integral_plus; [apply IHn|]; auto.
Qed.

(** The first release has weights p, q on m answers, dominated by P, Q on n; given its answer x the
    second has densities p2 x, q2 x.  The integrals of all weighted hockey-sticks of the second pair
    exist and are at most those of P2, Q2: [second].  [g x] is the hockey-stick of what is released,
    given x, [l i] that of the product of the pairs, given i. *)
Theorem composition_with_a_density t n P Q m p q (P2 Q2 : R -> R) (p2 q2 : nat -> R -> R) g l :
  0 <= t -> (forall i, (i < m)%nat -> 0 <= p i) -> (forall i, (i < m)%nat -> 0 <= q i) ->
  (forall z, 0 <= P2 z) -> (forall z, 0 <= Q2 z) ->
  dominates n P Q m p q ->
  (forall x a b h, (x < m)%nat -> 0 <= a -> 0 <= b ->
    integral (fun z => FiniteExperiments.pos (a * p2 x z - b * q2 x z)) h ->
    exists k, integral (fun z => FiniteExperiments.pos (a * P2 z - b * Q2 z)) k /\ h <= k) ->
  (forall x, (x < m)%nat ->
    integral (fun z => FiniteExperiments.pos (p x * p2 x z - t * (q x * q2 x z))) (g x)) ->
  (forall i, (i < n)%nat ->
    integral (fun z => FiniteExperiments.pos (P i * P2 z - t * (Q i * Q2 z))) (l i)) ->
  sum m g <= sum n l.
Proof.
intros T p0 q0 P20 Q20 D second G L.
assert (K : forall x, exists k, (x < m)%nat ->
  integral (fun z => FiniteExperiments.pos (p x * P2 z - (t * q x) * Q2 z)) k /\ g x <= k).
{ intros x. destruct (Compare_dec.lt_dec x m) as [X|X]; [|exists 0; intros Y; contradiction].
  destruct (second x (p x) (t * q x) (g x)) as (k & I & O); auto.
  - apply Rmult_le_pos; auto.
  - generalize (G x X). apply integral_ext. intros z. f_equal. ring.
  - exists k. auto. }
assert (S : forall M, (M <= m)%nat -> exists k : nat -> R, forall x, (x < M)%nat ->
  integral (fun z => FiniteExperiments.pos (p x * P2 z - (t * q x) * Q2 z)) (k x) /\ g x <= k x).
{ induction M as [|M IH]; intros B; [exists (fun _ => 0); intros; easy|].
  destruct IH as [k HK]; [now apply Nat.lt_le_incl|]. destruct (K M) as [c HC].
  exists (fun x => if Nat.eq_dec x M then c else k x). intros x X.
  destruct (Nat.eq_dec x M) as [->|N]; [now apply HC|].
  apply HK. lia. }
destruct (S m (Nat.le_refl m)) as [k HK].
apply Rle_trans with (sum m k); [apply sum_le; intros x X; now apply HK|].
apply (integral_le _ _ _ _) with (2 := integral_sum m _ k (fun x X => proj1 (HK x X)))
  (3 := integral_sum n _ l L).
intros z. simpl.
rewrite (sum_ext m _ (fun x => FiniteExperiments.pos (P2 z * p x - (t * Q2 z) * q x))) by (intros; f_equal; ring).
rewrite (sum_ext n _ (fun x => FiniteExperiments.pos (P2 z * P x - (t * Q2 z) * Q x))) by (intros; f_equal; ring).
apply dominates_weighted; auto. apply Rmult_le_pos; auto.
Qed.
