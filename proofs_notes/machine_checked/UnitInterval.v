(** The coordinate r in (0, 1): Beta densities as they are usually written, their hockey-sticks, and
    that both are what the other files say in u = log(r/(1-r)). *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw DominatingPair.
Local Open Scope R_scope.

(** Improper integrals over (0, 1). *)
Notation unit_integral f l :=
  (is_RInt_gen (V := R_NormedModule) f (at_right 0) (at_left 1) l).

(** The density of Beta(a, b) but for its constant, and the constant: 0 < B = the integral. *)
Definition beta (a b r : R) : R := Rpower r (a - 1) * Rpower (1 - r) (b - 1).
Definition normalises (a b B : R) : Prop := 0 < B /\ unit_integral (beta a b) B.

(** H_t(Beta(a, b), Beta(a', b')) = h, B and B' their constants. *)
Definition hockey_stick (t a b B a' b' B' h : R) : Prop :=
  unit_integral (fun r => pos (beta a b r / B - t * (beta a' b' r / B'))) h.

Lemma sg_of_logit r : 0 < r < 1 -> sg (ln (r / (1 - r))) = r.
Proof.
intros R. unfold sg. rewrite exp_ln by (apply Rdiv_lt_0_compat; lra). field; lra.
Qed.

Lemma sg_below m r : 0 < r < 1 -> r < sg m -> ln (r / (1 - r)) < m.
Proof.
intros R L. apply Rnot_le_lt. intros N. apply sg_monotone in N. rewrite sg_of_logit in N by easy. lra.
Qed.

Lemma sg_above m r : 0 < r < 1 -> sg m < r -> m < ln (r / (1 - r)).
Proof.
intros R L. apply Rnot_le_lt. intros N. apply sg_monotone in N. rewrite sg_of_logit in N by easy. lra.
Qed.

Lemma beta_of_sg a b u : sg u * (1 - sg u) * beta a b (sg u) = w a b u.
Proof.
assert (E := exp_pos u). assert (N : 1 + exp u <> 0) by lra.
set (l := ln (1 + exp u)).
assert (S : sg u = exp (u - l)).
{ unfold Rminus. rewrite exp_plus, exp_Ropp. unfold l. rewrite exp_ln by lra. reflexivity. }
assert (S' : 1 - sg u = exp (- l)).
{ rewrite exp_Ropp. unfold l. rewrite exp_ln by lra. unfold sg. field; lra. }
unfold beta, Rpower. rewrite S', S, !ln_exp, <- !exp_plus. unfold w. fold l. f_equal. ring.
Qed.

(** What is continuous on (0, 1) is integrated by r as by u. *)
Section Substitution.
Variable f : R -> R.
Hypothesis Cf : forall r, 0 < r < 1 -> continuous f r.
Let g u := sg u * (1 - sg u) * f (sg u).

Lemma pieces x y : is_RInt (V := R_NormedModule) g x y (RInt f (sg x) (sg y)).
Proof.
apply (is_RInt_comp (V := R_CompleteNormedModule) f sg (fun u => sg u * (1 - sg u))).
- intros u _. apply Cf, sg_range.
- intros u _. split; [apply sg_derive|].
  apply (ex_derive_continuous (fun u => sg u * (1 - sg u))).
  apply (ex_derive_mult sg (fun u => 1 - sg u)); [eexists; apply sg_derive|].
  apply (ex_derive_minus (V := R_NormedModule) (fun _ => 1) sg); [apply ex_derive_const|eexists; apply sg_derive].
Qed.

Lemma to_the_line l : unit_integral f l -> integral g l.
Proof.
intros I P HP. specialize (I P HP). unfold filtermapi in *.
destruct I as [Q S [d1 HQ] [d2 HS] H].
set (m1 := Rmin (d1 / 2) (/ 2)). set (m2 := Rmin (d2 / 2) (/ 2)).
assert (D1 := cond_pos d1). assert (D2 := cond_pos d2).
assert (M1 : 0 < m1 <= / 2 /\ m1 < d1).
{ unfold m1. assert (A := Rmin_l (d1 / 2) (/ 2)). assert (B := Rmin_r (d1 / 2) (/ 2)).
  assert (0 < Rmin (d1 / 2) (/ 2)) by (apply Rmin_glb_lt; lra). lra. }
assert (M2 : 0 < m2 <= / 2 /\ m2 < d2).
{ unfold m2. assert (A := Rmin_l (d2 / 2) (/ 2)). assert (B := Rmin_r (d2 / 2) (/ 2)).
  assert (0 < Rmin (d2 / 2) (/ 2)) by (apply Rmin_glb_lt; lra). lra. }
clearbody m1 m2.
apply (Filter_prod _ _ _ (fun u => u < ln (m1 / (1 - m1))) (fun u => ln ((1 - m2) / (1 - (1 - m2))) < u)).
- now exists (ln (m1 / (1 - m1))).
- now exists (ln ((1 - m2) / (1 - (1 - m2)))).
- intros x y X Y. simpl in *.
  assert (Rx := sg_range x). assert (Ry := sg_range y).
  assert (Sx : sg x <= m1).
  { rewrite <- (sg_of_logit m1) by lra. apply sg_monotone. lra. }
  assert (Sy : 1 - m2 <= sg y).
  { rewrite <- (sg_of_logit (1 - m2)) by lra. apply sg_monotone. lra. }
  assert (Qx : Q (sg x)).
  { apply HQ; [|lra]. unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl.
    apply Rabs_def1; lra. }
  assert (Qy : S (sg y)).
  { apply HS; [|lra]. unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl.
    apply Rabs_def1; lra. }
  destruct (H _ _ Qx Qy) as (v & I & Pv). simpl in I.
  exists v. split; [|easy]. rewrite <- (is_RInt_unique _ _ _ _ I). apply pieces.
Qed.

Lemma from_the_line l : integral g l -> unit_integral f l.
Proof.
intros I P HP. specialize (I P HP). unfold filtermapi in *.
destruct I as [Q S [m1 HQ] [m2 HS] H].
assert (R1 := sg_range m1). assert (R2 := sg_range m2).
apply (Filter_prod _ _ _ (fun r => 0 < r < sg m1) (fun r => sg m2 < r < 1)).
- exists (mkposreal (sg m1) (proj1 R1)). intros r B L. simpl in *.
  unfold ball in B; simpl in B. unfold AbsRing_ball, abs, minus, plus, opp in B; simpl in B.
  apply Rabs_def2 in B. lra.
- assert (Z : 0 < 1 - sg m2) by lra. exists (mkposreal _ Z). intros r B L. simpl in *.
  unfold ball in B; simpl in B. unfold AbsRing_ball, abs, minus, plus, opp in B; simpl in B.
  apply Rabs_def2 in B. lra.
- intros r1 r2 L1 L2. simpl in *.
  assert (U1 : 0 < r1 < 1) by lra. assert (U2 : 0 < r2 < 1) by lra.
  set (x := ln (r1 / (1 - r1))). set (y := ln (r2 / (1 - r2))).
  assert (Qx : Q x) by (apply HQ; apply sg_below; lra).
  assert (Sy : S y) by (apply HS; apply sg_above; lra).
  destruct (H _ _ Qx Sy) as (v & J & Pv). simpl in J.
  exists v. split; [|easy].
  rewrite <- (is_RInt_unique _ _ _ _ J).
  rewrite (is_RInt_unique _ _ _ _ (pieces x y)). unfold x, y. rewrite !sg_of_logit by easy.
  apply (RInt_correct (V := R_CompleteNormedModule)).
  apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z B. apply Cf.
  unfold Rmin, Rmax in B. destruct Rle_dec; lra.
Qed.
End Substitution.

Lemma beta_continuous a b r : 0 < r < 1 -> continuous (beta a b) r.
Proof.
intros R. apply (ex_derive_continuous (beta a b)). unfold beta, Rpower. auto_derive. lra.
Qed.

Lemma pos_continuous (f : R -> R) r : continuous f r -> continuous (fun r => pos (f r)) r.
Proof.
intros C. apply (continuous_ext (fun r => (f r + Rabs (f r)) / 2)).
{ intros; symmetry; apply pos_abs. }
apply (continuous_comp f (fun y => (y + Rabs y) / 2)); [easy|].
apply continuity_pt_filterlim. apply continuity_pt_mult; [|apply continuity_pt_const; intros ? ?; easy].
apply continuity_pt_plus; [apply continuity_pt_id|apply Rcontinuity_abs].
Qed.

Lemma stick_continuous t a b B a' b' B' r : 0 < r < 1 ->
  continuous (fun r => pos (beta a b r / B - t * (beta a' b' r / B'))) r.
Proof.
intros R. apply pos_continuous.
apply (continuous_minus (V := R_NormedModule) (fun r => beta a b r / B) (fun r => t * (beta a' b' r / B'))).
- apply (continuous_scal_l (K := R_AbsRing) (V := R_NormedModule) (beta a b) (/ B)). now apply beta_continuous.
- apply (continuous_scal_r (K := R_AbsRing) (V := R_NormedModule) t (fun r => beta a' b' r / B')).
  apply (continuous_scal_l (K := R_AbsRing) (V := R_NormedModule) (beta a' b') (/ B')). now apply beta_continuous.
Qed.

(** The constants and hockey-sticks of r are those of u. *)
Theorem normalises_in_r a b B : normalises a b B <-> beta_constant a b B.
Proof.
assert (E : forall u, sg u * (1 - sg u) * beta a b (sg u) = w a b u) by (intros; apply beta_of_sg).
unfold normalises, beta_constant. split; intros [P I]; (split; [easy|]).
- apply (to_the_line (beta a b)) in I; [|apply beta_continuous]. revert I. now apply integral_ext.
- apply (from_the_line (beta a b)); [apply beta_continuous|]. revert I. apply integral_ext.
  intros; symmetry; apply E.
Qed.

Lemma stick_in_u t a b B a' b' B' u : 0 < B -> 0 < B' ->
  sg u * (1 - sg u) * pos (beta a b (sg u) / B - t * (beta a' b' (sg u) / B')) =
  pos (w a b u / B - t * (w a' b' u / B')).
Proof.
intros P P'. rewrite <- !beta_of_sg. assert (R := sg_range u).
set (k := sg u * (1 - sg u)). assert (K : 0 < k) by (apply Rmult_lt_0_compat; lra).
set (x := beta a b (sg u)). set (y := beta a' b' (sg u)).
replace (k * x / B - t * (k * y / B')) with (k * (x / B - t * (y / B'))) by (field; lra).
unfold pos. rewrite <- (Rmult_0_r k) at 2. apply Rmult_max_distr_l. lra.
Qed.

Theorem hockey_stick_in_r t a b B a' b' B' h : 0 < B -> 0 < B' ->
  (hockey_stick t a b B a' b' B' h <->
   integral (fun u => pos (w a b u / B - t * (w a' b' u / B'))) h).
Proof.
intros P P'. unfold hockey_stick.
set (f := fun r => pos (beta a b r / B - t * (beta a' b' r / B'))).
assert (C : forall r, 0 < r < 1 -> continuous f r) by (intros; now apply stick_continuous).
split; intros I.
- apply (to_the_line f C) in I. revert I. apply integral_ext. intros u. now apply stick_in_u.
- apply (from_the_line f C). revert I. apply integral_ext. intros u. symmetry. now apply stick_in_u.
Qed.

(** So the constants and the hockey-sticks of any two laws exist. *)
Theorem normalised a b : 0 < a -> 0 < b -> exists B, normalises a b B.
Proof.
intros A B. destruct (beta_exists a b A B) as [C H]. exists C. now apply normalises_in_r.
Qed.

Theorem dominating_pair_in_r alpha step a b a' b' t B B' Bp Bq h h' H :
  0 < alpha -> 0 <= t ->
  alpha <= a -> alpha <= b -> alpha <= a' -> alpha <= b' ->
  a + b = a' + b' -> 0 < a - a' <= step ->
  normalises a b B -> normalises a' b' B' ->
  normalises (alpha + step) alpha Bp -> normalises alpha (alpha + step) Bq ->
  hockey_stick t a b B a' b' B' h -> hockey_stick t a' b' B' a b B h' ->
  hockey_stick t (alpha + step) alpha Bp alpha (alpha + step) Bq H ->
  h <= H /\ h' <= H.
Proof.
intros A T L1 L2 L3 L4 E S N N' NP NQ I I' IH.
assert (P := proj1 N). assert (P' := proj1 N'). assert (PP := proj1 NP). assert (PQ := proj1 NQ).
rewrite normalises_in_r in N, N', NP, NQ. rewrite hockey_stick_in_r in I, I', IH by easy.
exact (dominating_pair alpha step a b a' b' t B B' Bp Bq h h' H A T L1 L2 L3 L4 E S N N' NP NQ I I' IH).
Qed.
