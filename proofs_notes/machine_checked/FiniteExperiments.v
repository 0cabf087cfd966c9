(** Hockey-stick divergences of finite experiments: the variational form, data processing,
    composition of dominating pairs.  Standard library only. *)
From Coq Require Import Reals Lra Lia Psatz.
Local Open Scope R_scope.

Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => sum m f + f m end.

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof.
induction n; simpl; intros E; [easy|]; rewrite IHn, E by (try intros; try apply E; lia); easy.
Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
induction n; simpl; intros E; [lra|].
specialize (IHn (fun i L => E i (Nat.lt_lt_succ_r _ _ L))); specialize (E n (Nat.lt_succ_diag_r n)); lra.
Qed.

Lemma sum_0 n : sum n (fun _ => 0) = 0.
Proof. induction n; simpl; lra. Qed.

Lemma sum_pos n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof. intros; rewrite <- (sum_0 n); apply sum_le; auto. Qed.

Lemma sum_scal n c f : sum n (fun i => c * f i) = c * sum n f.
Proof. induction n; simpl; [|rewrite IHn]; lra. Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n; simpl; [|rewrite IHn]; lra. Qed.

Lemma sum_swap n m f :
  sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
induction n; simpl; [now rewrite sum_0|]. now rewrite IHn, <- sum_plus.
Qed.

Definition pos (x : R) : R := Rmax x 0.

Lemma pos_ge x : x <= pos x. Proof. apply Rmax_l. Qed.
Lemma pos_pos x : 0 <= pos x. Proof. apply Rmax_r. Qed.
Lemma pos_lub x y : x <= y -> 0 <= y -> pos x <= y.
Proof. intros; now apply Rmax_lub. Qed.
Lemma pos_scal c x : 0 <= c -> pos (c * x) = c * pos x.
Proof. intros; unfold pos, Rmax; repeat destruct Rle_dec; nra. Qed.

(** [H t n p q] is the hockey-stick divergence at threshold [t] of weights [p], [q] on n points. *)
Definition H (t : R) (n : nat) (p q : nat -> R) : R := sum n (fun i => pos (p i - t * q i)).

Definition law (n : nat) (p : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> 0 <= p i) /\ sum n p = 1.

(** H is the largest p(A) - t q(A), over events (and over tests 0 <= a <= 1). *)
Theorem hockey_is_a_supremum t n p q :
  (forall a, (forall i, (i < n)%nat -> 0 <= a i <= 1) ->
     sum n (fun i => a i * p i) - t * sum n (fun i => a i * q i) <= H t n p q)
  /\ exists a, (forall i, a i = 0 \/ a i = 1) /\
     sum n (fun i => a i * p i) - t * sum n (fun i => a i * q i) = H t n p q.
Proof.
split.
- intros a A. rewrite <- sum_scal. unfold Rminus.
  replace (- sum n (fun i => t * (a i * q i))) with ((-1) * sum n (fun i => t * (a i * q i))) by ring.
  rewrite <- sum_scal, <- sum_plus. apply sum_le; intros i L; specialize (A i L).
  assert (G := pos_ge (p i - t * q i)); assert (P := pos_pos (p i - t * q i)); nra.
- exists (fun i => if Rle_dec 0 (p i - t * q i) then 1 else 0). split.
  + intros i; destruct Rle_dec; auto.
  + rewrite <- sum_scal. unfold Rminus at 1.
    replace (- sum n (fun i => t * ((if Rle_dec 0 (p i - t * q i) then 1 else 0) * q i))) with
      ((-1) * sum n (fun i => t * ((if Rle_dec 0 (p i - t * q i) then 1 else 0) * q i))) by ring.
    rewrite <- sum_scal, <- sum_plus. apply sum_ext; intros i _. unfold pos, Rmax.
    destruct (Rle_dec 0 (p i - t * q i)), (Rle_dec (p i - t * q i) 0); lra.
Qed.

(** The image of [p] under the channel [K] (rows: inputs). *)
Definition push (n : nat) (K : nat -> nat -> R) (p : nat -> R) (y : nat) : R :=
  sum n (fun x => p x * K x y).

Definition channel (n m : nat) (K : nat -> nat -> R) : Prop :=
  (forall x y, (x < n)%nat -> (y < m)%nat -> 0 <= K x y) /\
  (forall x, (x < n)%nat -> sum m (K x) = 1).

Lemma push_law n m K p : channel n m K -> law n p -> law m (push n K p).
Proof.
intros [K0 K1] [P0 P1]; split.
- intros y L; apply sum_pos; intros x Lx; apply Rmult_le_pos; auto.
- unfold push; rewrite sum_swap, <- P1; apply sum_ext; intros x L.
  rewrite sum_scal, (K1 x L); ring.
Qed.

(** Data processing, at every real threshold. *)
Theorem data_processing t n m K p q :
  channel n m K -> H t m (push n K p) (push n K q) <= H t n p q.
Proof.
intros [K0 K1]. unfold H, push.
apply Rle_trans with (sum m (fun y => sum n (fun x => K x y * pos (p x - t * q x)))).
- apply sum_le; intros y Ly. apply pos_lub.
  + rewrite <- sum_scal. unfold Rminus.
    replace (- sum n (fun i => t * (q i * K i y))) with ((-1) * sum n (fun i => t * (q i * K i y))) by ring.
    rewrite <- sum_scal, <- sum_plus. apply sum_le; intros x Lx.
    apply Rle_trans with (K x y * (p x - t * q x)); [right; ring|].
    apply Rmult_le_compat_l; [auto|apply pos_ge].
  + apply sum_pos; intros x Lx; apply Rmult_le_pos; auto using pos_pos.
- rewrite <- (sum_swap n m (fun x y => K x y * pos (p x - t * q x))).
  apply sum_le; intros x Lx.
  rewrite (sum_ext m _ (fun y => pos (p x - t * q x) * K x y)) by (intros; ring).
  rewrite sum_scal, (K1 x Lx); lra.
Qed.

(** [(P, Q)] on [n] points dominates [(p, q)] on [m] points. *)
Definition dominates n (P Q : nat -> R) m (p q : nat -> R) : Prop :=
  forall t, 0 <= t -> H t m p q <= H t n P Q.

(** Domination with weights: a p - b q, a, b >= 0, instead of p - t q; the case a = 0 is sums. *)
Lemma dominates_weighted n P Q m p q a b :
  dominates n P Q m p q -> (forall i, (i < m)%nat -> 0 <= q i) ->
  0 <= a -> 0 <= b ->
  sum m (fun i => pos (a * p i - b * q i)) <= sum n (fun i => pos (a * P i - b * Q i)).
Proof.
intros D Q0 A B. destruct (Req_dec a 0) as [->|Na].
- rewrite (sum_ext m _ (fun _ => 0)), sum_0; [apply sum_pos; intros; apply pos_pos|].
  intros i L; unfold pos; rewrite Rmax_right; [easy|specialize (Q0 i L); nra].
- assert (E : forall k (f g : nat -> R), sum k (fun i => pos (a * f i - b * g i)) = a * H (b / a) k f g).
  { intros; unfold H; rewrite <- sum_scal; apply sum_ext; intros i _.
    rewrite <- pos_scal by easy; f_equal; field; easy. }
  rewrite !E; apply Rmult_le_compat_l; [easy|]; apply D.
  apply Rmult_le_pos; [easy|apply Rlt_le, Rinv_0_lt_compat; lra].
Qed.

(** Two releases, the second one chosen in the light of the first one's answer x:
    the joint weight of (x, z) is p x * p2 x z. *)
Definition H2 t n m (f g : nat -> nat -> R) : R :=
  sum n (fun x => sum m (fun z => pos (f x z - t * g x z))).

Theorem adaptive_composition n P Q n2 P2 Q2 m p q m2 p2 q2 :
  (forall i, (i < m)%nat -> 0 <= p i) -> (forall i, (i < m)%nat -> 0 <= q i) ->
  (forall x z, (x < m)%nat -> (z < m2)%nat -> 0 <= q2 x z) ->
  (forall z, (z < n2)%nat -> 0 <= P2 z) -> (forall z, (z < n2)%nat -> 0 <= Q2 z) ->
  dominates n P Q m p q ->
  (forall x, (x < m)%nat -> dominates n2 P2 Q2 m2 (p2 x) (q2 x)) ->
  forall t, 0 <= t ->
  H2 t m m2 (fun x z => p x * p2 x z) (fun x z => q x * q2 x z)
  <= H2 t n n2 (fun x z => P x * P2 z) (fun x z => Q x * Q2 z).
Proof.
intros p0 q0 q20 P20 Q20 D D2 t T. unfold H2.
apply Rle_trans with (sum m (fun x => sum n2 (fun z => pos (p x * P2 z - t * (q x * Q2 z))))).
- apply sum_le; intros x L.
  rewrite (sum_ext m2 _ (fun z => pos (p x * p2 x z - (t * q x) * q2 x z))) by (intros; f_equal; ring).
  rewrite (sum_ext n2 _ (fun z => pos (p x * P2 z - (t * q x) * Q2 z))) by (intros; f_equal; ring).
  apply dominates_weighted; auto. apply Rmult_le_pos; auto.
- rewrite sum_swap, (sum_swap n n2). apply sum_le; intros z L.
  rewrite (sum_ext m _ (fun x => pos (P2 z * p x - (t * Q2 z) * q x))) by (intros; f_equal; ring).
  rewrite (sum_ext n _ (fun x => pos (P2 z * P x - (t * Q2 z) * Q x))) by (intros; f_equal; ring).
  apply dominates_weighted; auto. apply Rmult_le_pos; auto.
Qed.

(** H_t(P, Q) = 1 - t + t H_(1/t)(Q, P): thresholds below 1 follow from those above. *)
Theorem small_thresholds_follow t n p q : law n p -> law n q -> 0 < t ->
  H t n p q = 1 - t + t * H (/ t) n q p.
Proof.
intros [_ P1] [_ Q1] T. unfold H. rewrite <- sum_scal.
replace (1 - t) with (sum n p + (- t) * sum n q) by (rewrite P1, Q1; ring).
rewrite <- sum_scal, <- !sum_plus. apply sum_ext; intros i _.
rewrite <- pos_scal by lra.
replace (t * (q i - / t * p i)) with (- (p i - t * q i)) by (field; lra).
unfold pos, Rmax; repeat destruct Rle_dec; lra.
Qed.
