(** "counts-attain" and "histogram-attains": which pairs of count vectors realise the pair at
    the floor.  Integers and lists only; no axioms. *)
From Coq Require Import ZArith List Lia.
Import ListNotations.
Local Open Scope Z_scope.

Definition total (u : list Z) : Z := fold_right Z.add 0 u.
Definition input (n : nat) (N m : Z) (u : list Z) : Prop :=
  length u = n /\ total u = N /\ Forall (fun c => m <= c) u.

(** One record moves from category [j] to category [i] : u -> u'.  [x], [y] are u_i, u_j after
    and before in the notes' order: u = (x+1, y), u' = (x, y+1) in the two categories. *)
Definition moved (i j : nat) (u u' : list Z) : Prop :=
  i <> j /\ (i < length u)%nat /\ (j < length u)%nat /\ length u' = length u /\
  nth i u 0 = nth i u' 0 + 1 /\ nth j u' 0 = nth j u 0 + 1 /\
  forall k, (k < length u)%nat -> k <> i -> k <> j -> nth k u 0 = nth k u' 0.

Definition neighbours n N m u u' : Prop :=
  input n N m u /\ input n N m u' /\ exists i j, moved i j u u'.

(** The pair is attained: the least counts of both are m in the two categories. *)
Definition attained n N m : Prop :=
  exists u u' i j, input n N m u /\ input n N m u' /\ moved i j u u' /\ nth i u' 0 = m /\ nth j u 0 = m.

Lemma total_app u v : total (u ++ v) = total u + total v.
Proof. unfold total; induction u; simpl; lia. Qed.

Lemma total_repeat m k : total (repeat m k) = m * Z.of_nat k.
Proof. unfold total; induction k; simpl repeat; simpl fold_right; lia. Qed.

Lemma total_least m u : Forall (fun c => m <= c) u -> m * Z.of_nat (length u) <= total u.
Proof.
unfold total; induction 1; simpl fold_right; simpl length; [lia|]. rewrite Nat2Z.inj_succ. lia.
Qed.

(** With all counts at least m, the counts at two places leave room for the others. *)
Lemma nth_split_total u i m : (i < length u)%nat -> Forall (fun c => m <= c) u ->
  nth i u 0 + m * (Z.of_nat (length u) - 1) <= total u.
Proof.
revert i; induction u; simpl length; [lia|]. intros i L F. inversion F; subst.
destruct i; simpl nth; unfold total; simpl fold_right; fold (total u).
- generalize (total_least m u H2). lia.
- specialize (IHu i ltac:(lia) H2). fold (total u). lia.
Qed.

Lemma two_split_total u i j m : i <> j -> (i < length u)%nat -> (j < length u)%nat ->
  Forall (fun c => m <= c) u -> nth i u 0 + nth j u 0 + m * (Z.of_nat (length u) - 2) <= total u.
Proof.
revert i j; induction u; simpl length; [lia|]. intros i j D Li Lj F. inversion F; subst.
unfold total; simpl fold_right; fold (total u).
destruct i, j; simpl nth; [lia| | |].
- generalize (nth_split_total u j m ltac:(lia) H2). lia.
- generalize (nth_split_total u i m ltac:(lia) H2). lia.
- generalize (IHu i j ltac:(lia) ltac:(lia) ltac:(lia) H2). lia.
Qed.

Lemma two_only u i j : i <> j -> (i < 2)%nat -> (j < 2)%nat -> length u = 2%nat ->
  total u = nth i u 0 + nth j u 0.
Proof.
intros D Li Lj E. destruct u as [|a [|b [|? ?]]]; try discriminate. unfold total; simpl.
destruct i as [|[|?]], j as [|[|?]]; simpl; lia.
Qed.

(** Neighbours exist iff N >= n m + 1 (n >= 2). *)
Theorem neighbours_exist n N m : (2 <= n)%nat ->
  (exists u u', neighbours n N m u u') <-> m * Z.of_nat n + 1 <= N.
Proof.
intros Hn; split.
- intros (u & u' & (Lu & Tu & Fu) & (Lu' & Tu' & Fu') & i & j & D & Li & Lj & E & Ei & Ej & O).
  generalize (nth_split_total u i m Li Fu). rewrite Lu in *.
  rewrite Forall_forall in Fu'. generalize (Fu' (nth i u' 0) ltac:(apply nth_In; lia)). lia.
- intros L. destruct n as [|[|k]]; [lia|lia|].
  set (r := N - m * Z.of_nat (S (S k)) - 1).
  exists (m + 1 :: m + r :: repeat m k), (m :: m + r + 1 :: repeat m k).
  assert (R : 0 <= r) by (unfold r; lia).
  assert (Fr : Forall (fun c => m <= c) (repeat m k)) by (apply Forall_forall; intros c I; apply repeat_spec in I; lia).
  repeat split; try (simpl; rewrite repeat_length; easy).
  + unfold total; simpl fold_right. fold (total (repeat m k)). rewrite total_repeat. unfold r; lia.
  + repeat constructor; try lia; easy.
  + unfold total; simpl fold_right. fold (total (repeat m k)). rewrite total_repeat. unfold r; lia.
  + repeat constructor; try lia; easy.
  + exists 0%nat, 1%nat. repeat split; try (simpl; rewrite ?repeat_length; lia).
    intros [|[|q]] ? ? ?; [lia|lia|easy].
Qed.

(** The counts attain the pair iff n >= 3 and N >= n m + 1, or n = 2 and N = 2 m + 1. *)
Theorem counts_attain n N m : (2 <= n)%nat ->
  attained n N m <->
  ((3 <= n)%nat /\ m * Z.of_nat n + 1 <= N) \/ (n = 2%nat /\ N = 2 * m + 1).
Proof.
intros Hn; split.
- intros (u & u' & i & j & (Lu & Tu & Fu) & (Lu' & Tu' & Fu') & (D & Li & Lj & E & Ei & Ej & O) & Mi & Mj).
  destruct (Nat.eq_dec n 2) as [->|N2].
  + right; split; [easy|]. rewrite Lu in *. generalize (two_only u i j D Li Lj Lu). lia.
  + left; split; [lia|]. generalize (two_split_total u i j m D Li Lj Fu). rewrite Lu in *. lia.
- intros [[N3 L]|[-> ->]].
  + destruct n as [|[|[|k]]]; [lia|lia|lia|].
    set (r := N - m * Z.of_nat (S (S (S k))) - 1).
    assert (R : 0 <= r) by (unfold r; lia).
    assert (Fr : Forall (fun c => m <= c) (repeat m k)) by (apply Forall_forall; intros c I; apply repeat_spec in I; lia).
    exists (m + 1 :: m :: m + r :: repeat m k), (m :: m + 1 :: m + r :: repeat m k), 0%nat, 1%nat.
    repeat split; try (simpl; rewrite ?repeat_length; lia).
    * unfold total; simpl fold_right. fold (total (repeat m k)). rewrite total_repeat. unfold r; lia.
    * repeat constructor; try lia; easy.
    * unfold total; simpl fold_right. fold (total (repeat m k)). rewrite total_repeat. unfold r; lia.
    * repeat constructor; try lia; easy.
    * intros [|[|q]] ? ? ?; [lia|lia|easy].
  + exists [m + 1; m], [m; m + 1], 0%nat, 1%nat.
    repeat match goal with |- _ /\ _ => split | |- input _ _ _ _ => split | |- moved _ _ _ _ => split end;
      try (unfold total, fold_right; lia); try (simpl; lia); try (simpl; intros [|[|q]] ? ? ?; lia).
    all: repeat (apply Forall_cons; [lia|]); apply Forall_nil.
Qed.

(** A histogram: least count 0; d cells, N >= 1 records. *)
Corollary histogram_attains d N : (2 <= d)%nat -> 1 <= N ->
  attained d N 0 <-> (3 <= d)%nat \/ N = 1.
Proof.
intros D P. rewrite counts_attain by easy. split; [intros [[? ?]|[? ?]]; auto; right; lia|].
intros [L|E]; [left; split; lia|]. destruct (Nat.eq_dec d 2); [right; lia|left; lia].
Qed.
