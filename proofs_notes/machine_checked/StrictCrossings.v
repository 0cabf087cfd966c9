(** Two densities that cross at most twice have equal hockey-sticks only where they agree on an
    interval: so that only the pair attains. *)
From Coq Require Import Reals Lra Lia Psatz Classical.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw.
Local Open Scope R_scope.

(** A continuous function that is nowhere negative and somewhere positive has a positive integral. *)
Lemma integral_positive (f : R -> R) l v0 :
  (forall v, continuous f v) -> (forall v, 0 <= f v) -> 0 < f v0 -> integral f l -> 0 < l.
Proof.
intros C P P0 I.
assert (EX : forall x y, ex_RInt f x y).
{ intros. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply C. }
assert (N := C v0 _ (locally_ball (f v0) (mkposreal _ P0))). destruct N as [d N]. unfold filtermap in N.
assert (D := cond_pos d).
assert (Near : forall v, v0 - d < v < v0 + d -> 0 < f v).
{ intros v B. assert (X : ball v0 d v).
  { unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl. apply Rabs_def1; lra. }
  apply N in X. unfold ball in X; simpl in X. unfold AbsRing_ball, abs, minus, plus, opp in X; simpl in X.
  apply Rabs_def2 in X. lra. }
set (c := RInt f (v0 - d / 2) (v0 + d / 2)).
assert (Cp : 0 < c).
{ apply RInt_gt_0; [lra| |intros; apply C]. intros v B. apply Near. lra. }
apply Rnot_le_lt. intros L.
assert (E : 0 < c - l) by lra.
assert (H := I _ (locally_ball l (mkposreal _ E))). unfold filtermapi in H.
destruct H as [Q S [q HQ] [s HS] H].
set (x := Rmin (q - 1) (v0 - d)). set (y := Rmax (s + 1) (v0 + d)).
assert (Bx : x <= q - 1 /\ x <= v0 - d) by (split; [apply Rmin_l|apply Rmin_r]).
assert (By : s + 1 <= y /\ v0 + d <= y) by (split; [apply Rmax_l|apply Rmax_r]).
destruct (H x y) as (z & J & Bz); [apply HQ; lra|apply HS; lra|]. simpl in J.
unfold ball in Bz; simpl in Bz. unfold AbsRing_ball, abs, minus, plus, opp in Bz; simpl in Bz.
apply Rabs_def2 in Bz. rewrite <- (is_RInt_unique _ _ _ _ J) in Bz.
assert (R1 : RInt f x y = RInt f x (v0 - d / 2) + (c + RInt f (v0 + d / 2) y)).
{ unfold c. rewrite <- (RInt_Chasles f x (v0 - d / 2) y) by apply EX.
  rewrite <- (RInt_Chasles f (v0 - d / 2) (v0 + d / 2) y) by apply EX. reflexivity. }
assert (0 <= RInt f x (v0 - d / 2)) by (apply RInt_ge_0; [lra|apply EX|intros; apply P]).
assert (0 <= RInt f (v0 + d / 2) y) by (apply RInt_ge_0; [lra|apply EX|intros; apply P]).
lra.
Qed.

Lemma pos_of_continuous (f : R -> R) v : continuous f v -> continuous (fun u => pos (f u)) v.
Proof.
intros C. apply (continuous_ext (fun u => (f u + Rabs (f u)) / 2)).
{ intros; symmetry; apply pos_abs. }
apply (continuous_comp f (fun y => (y + Rabs y) / 2)); [exact C|].
apply continuity_pt_filterlim. apply continuity_pt_mult; [|apply continuity_pt_const; intros ? ?; easy].
apply continuity_pt_plus; [apply continuity_pt_id|apply Rcontinuity_abs].
Qed.

(** [two_crossings], where the densities agree on no interval, and t is a value of x inside. *)
Theorem two_crossings_strictly (x g1 g2 : R -> R) (t m0 m1 h1 h2 : R) :
  (forall v, 0 <= x v) ->
  (forall u v, u < v -> x u < x v) ->
  (forall u v w, u < v -> v < w -> g1 u <= g2 u -> g1 w <= g2 w -> g1 v <= g2 v) ->
  integral g1 m0 -> integral g2 m0 ->
  integral (fun v => x v * g1 v) m1 -> integral (fun v => x v * g2 v) m1 ->
  integral (fun v => pos (x v - t) * g1 v) h1 ->
  integral (fun v => pos (x v - t) * g2 v) h2 ->
  (forall v, continuous x v) -> (forall v, continuous g1 v) -> (forall v, continuous g2 v) ->
  (exists v, x v < t) -> (exists v, t < x v) ->
  (forall u v, u < v -> exists z, u < z < v /\ g1 z <> g2 z) ->
  h2 < h1.
Proof.
intros X0 XI J G1 G2 M1 M2 H1 H2 Cx C1 C2 (vl & Vl) (vr & Vr) Apart.
destruct (excess_over_a_line x g1 g2 t X0 XI J) as (c0 & c1 & P).
set (F := fun v => c0 * (g2 v - g1 v) + c1 * (x v * g2 v - x v * g1 v) - (pos (x v - t) * g2 v - pos (x v - t) * g1 v)).
assert (D : integral F (h1 - h2)).
{ assert (D := integral_minus _ _ _ _
    (integral_plus _ _ _ _ (integral_scal c0 _ _ (integral_minus _ _ _ _ G2 G1))
      (integral_scal c1 _ _ (integral_minus _ _ _ _ M2 M1))) (integral_minus _ _ _ _ H2 H1)).
  replace (c0 * (m0 - m0) + c1 * (m1 - m1) - (h2 - h1)) with (h1 - h2) in D by ring. exact D. }
assert (F0 : forall v, 0 <= F v) by (intros v; specialize (P v); unfold F; lra).
assert (E : forall v, F v = (c0 + c1 * x v - pos (x v - t)) * (g2 v - g1 v)) by (intros; unfold F; ring).
destruct (classic (exists v, 0 < F v)) as [(v & V)|N].
- assert (0 < h1 - h2); [|lra]. apply (integral_positive F _ v); [|exact F0|exact V|exact D].
  clear - Cx C1 C2 E. intros v.
  apply (continuous_ext (fun v => (c0 + c1 * x v - pos (x v - t)) * (g2 v - g1 v))).
  { intros u. symmetry. apply E. }
  apply (continuous_mult (K := R_AbsRing) (fun v => c0 + c1 * x v - pos (x v - t)) (fun v => g2 v - g1 v)).
  + apply (continuous_minus (V := R_NormedModule) (fun v => c0 + c1 * x v) (fun v => pos (x v - t))).
    * apply (continuous_plus (V := R_NormedModule) (fun _ => c0) (fun v => c1 * x v)); [apply continuous_const|].
      apply (continuous_scal_r (K := R_AbsRing) (V := R_NormedModule) c1 x). apply Cx.
    * apply pos_of_continuous.
      apply (continuous_minus (V := R_NormedModule) x (fun _ => t)); [apply Cx|apply continuous_const].
  + apply (continuous_minus (V := R_NormedModule) g2 g1); [apply C2|apply C1].
- exfalso.
  assert (Z : forall v, g1 v <> g2 v -> c0 + c1 * x v = pos (x v - t)).
  { intros v Ne. assert (F v = 0).
    { apply Rle_antisym; [|apply F0]. apply Rnot_lt_le. intros L. apply N. exists v. exact L. }
    rewrite E in H. apply Rmult_integral in H. destruct H; lra. }
  destruct (Apart (vl - 2) (vl - 1)) as (z1 & B1 & N1); [lra|].
  destruct (Apart (vl - 1) vl) as (z2 & B2 & N2); [lra|].
  destruct (Apart vr (vr + 1)) as (z3 & B3 & N3); [lra|].
  apply Z in N1. apply Z in N2. apply Z in N3.
  assert (x z1 < x z2) by (apply XI; lra). assert (x z2 < x vl) by (apply XI; lra).
  assert (x vr < x z3) by (apply XI; lra).
  unfold pos in *. rewrite Rmax_right in N1, N2 by lra. rewrite Rmax_left in N3 by lra.
  assert (K : c1 * (x z2 - x z1) = 0) by lra. apply Rmult_integral in K.
  destruct K; [|lra]. subst c1. lra.
Qed.

(** Densities whose logarithms differ by what has a derivative other than 0 agree on no interval. *)
Lemma apart (g1 g2 f1 f2 f' : R -> R) :
  (forall u, g1 u = exp (f1 u)) -> (forall u, g2 u = exp (f2 u)) ->
  (forall y, is_derive (fun u => f2 u - f1 u) y (f' y)) ->
  (forall u v, u < v -> exists z, u < z < v /\ f' z <> 0) ->
  forall u v, u < v -> exists z, u < z < v /\ g1 z <> g2 z.
Proof.
intros F1 F2 D A u v L. apply NNPP. intros N.
destruct (A u v L) as (z & B & Ne). apply Ne.
rewrite <- (is_derive_unique _ _ _ (D z)).
assert (Z : is_derive (fun u => f2 u - f1 u) z 0); [|exact (is_derive_unique _ _ _ Z)].
apply (is_derive_ext_loc (fun _ => 0)); [|exact (is_derive_const 0 z)].
assert (P : 0 < Rmin (z - u) (v - z)) by (apply Rmin_glb_lt; lra).
exists (mkposreal _ P). intros y By. unfold ball in By; simpl in By.
unfold AbsRing_ball, abs, minus, plus, opp in By; simpl in By. apply Rabs_def2 in By.
assert (M1 := Rmin_l (z - u) (v - z)). assert (M2 := Rmin_r (z - u) (v - z)).
assert (E : g1 y = g2 y).
{ apply NNPP. intros X. apply N. exists y. split; [lra|exact X]. }
rewrite F1, F2 in E. apply exp_inv in E. req. lra.
Qed.
