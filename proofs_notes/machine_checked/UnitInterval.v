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

(** Two laws that differ attain the pair's hockey-stick, at a threshold above 0, only if they are
    the pair, in this order or the other. *)
Theorem only_the_pair_in_r alpha step a b a' b' t B B' C h H :
  0 < alpha -> 0 < t ->
  alpha <= a -> alpha <= b -> alpha <= a' -> alpha <= b' ->
  a + b = a' + b' -> a <> a' -> Rabs (a - a') <= step ->
  normalises a b B -> normalises a' b' B' -> normalises alpha (alpha + step) C ->
  hockey_stick t a b B a' b' B' h ->
  hockey_stick t (alpha + step) alpha C alpha (alpha + step) C H ->
  h <= H /\
  (h = H <-> (a = alpha + step /\ b = alpha /\ a' = alpha /\ b' = alpha + step)
    \/ (a = alpha /\ b = alpha + step /\ a' = alpha + step /\ b' = alpha)).
Proof.
intros A Tp L1 L2 L3 L4 E Ne S N N' NC I IH.
assert (T : 0 <= t) by lra.
assert (P := proj1 N). assert (P' := proj1 N'). assert (PC := proj1 NC).
assert (U := proj1 (normalises_in_r _ _ _) N). assert (U' := proj1 (normalises_in_r _ _ _) N').
assert (UC := proj1 (normalises_in_r _ _ _) NC). assert (UD := beta_symmetric _ _ _ UC).
assert (J := proj1 (hockey_stick_in_r _ _ _ _ _ _ _ _ P P') I).
assert (JH := proj1 (hockey_stick_in_r _ _ _ _ _ _ _ _ PC PC) IH).
assert (JR : integral (fun u => pos (w b a u / B - t * (w b' a' u / B'))) h).
{ apply integral_reflect in J. revert J. apply integral_ext. intros u. rewrite <- !w_reflect. reflexivity. }
destruct (Rlt_le_dec (a - a') 0) as [L|L].
- rewrite Rabs_left in S by lra.
  destruct (dominated alpha step b a b' a' t B B' C C h H A T L2 L1 L4 L3 ltac:(lra) ltac:(lra)
    (beta_symmetric _ _ _ U) (beta_symmetric _ _ _ U') UD UC JR JH) as [W D'].
  assert (D := D' Tp). split; [exact W|split].
  + intros X. right.
    destruct (Req_dec b' alpha) as [Z1|Z1]; [|specialize (D (or_introl Z1)); lra].
    destruct (Req_dec a alpha) as [Z2|Z2]; [|specialize (D (or_intror (or_introl Z2))); lra].
    destruct (Req_dec (b - b') step) as [Z3|Z3]; [|specialize (D (or_intror (or_intror Z3))); lra].
    repeat split; lra.
  + intros [(X1 & X2 & X3 & X4)|(X1 & X2 & X3 & X4)]; [lra|]. subst a b a' b'.
    rewrite (beta_unique _ _ _ _ (beta_symmetric _ _ _ U) UD), (beta_unique _ _ _ _ (beta_symmetric _ _ _ U') UC) in JR.
    rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ JR).
    exact (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ JH).
- assert (L' : 0 < a - a') by lra. rewrite Rabs_pos_eq in S by lra.
  destruct (dominated alpha step a b a' b' t B B' C C h H A T L1 L2 L3 L4 E ltac:(lra) U U' UD UC J JH) as [W D'].
  assert (D := D' Tp). split; [exact W|split].
  + intros X. left.
    destruct (Req_dec a' alpha) as [Z1|Z1]; [|specialize (D (or_introl Z1)); lra].
    destruct (Req_dec b alpha) as [Z2|Z2]; [|specialize (D (or_intror (or_introl Z2))); lra].
    destruct (Req_dec (a - a') step) as [Z3|Z3]; [|specialize (D (or_intror (or_intror Z3))); lra].
    repeat split; lra.
  + intros [(X1 & X2 & X3 & X4)|(X1 & X2 & X3 & X4)]; [|lra]. subst a b a' b'.
    rewrite (beta_unique _ _ _ _ U UD), (beta_unique _ _ _ _ U' UC) in J.
    rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ J).
    exact (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ JH).
Qed.

(** The same, said of what is released: Dirichlet parameters k x + offset of entries at a floor or
    above it, between neighbours that differ by at most shift. *)
Theorem attained_iff k offset floor shift x y x' y' t B B' C h H :
  0 < k -> 0 < k * floor + offset -> 0 < t ->
  floor <= x -> floor <= y -> floor <= x' -> floor <= y' ->
  x + y = x' + y' -> x <> x' -> Rabs (x - x') <= shift ->
  let alpha := k * floor + offset in
  normalises (k * x + offset) (k * y + offset) B -> normalises (k * x' + offset) (k * y' + offset) B' ->
  normalises alpha (alpha + k * shift) C ->
  hockey_stick t (k * x + offset) (k * y + offset) B (k * x' + offset) (k * y' + offset) B' h ->
  hockey_stick t (alpha + k * shift) alpha C alpha (alpha + k * shift) C H ->
  h <= H /\
  (h = H <-> (x = floor + shift /\ y = floor /\ x' = floor /\ y' = floor + shift)
    \/ (x = floor /\ y = floor + shift /\ x' = floor + shift /\ y' = floor)).
Proof.
intros K A Tp L1 L2 L3 L4 E Ne S alpha N N' NC I IH.
assert (M : forall z, floor <= z -> alpha <= k * z + offset).
{ intros z L. apply Rplus_le_compat_r, Rmult_le_compat_l; lra. }
assert (Q : forall z z', k * z + offset = k * z' + offset <-> z = z').
{ intros z z'. split; [|intros ->; reflexivity]. intros Z. apply Rmult_eq_reg_l with k; lra. }
assert (Up : alpha + k * shift = k * (floor + shift) + offset) by (unfold alpha; ring).
assert (Es : k * x + offset + (k * y + offset) = k * x' + offset + (k * y' + offset)).
{ replace (k * x + offset + (k * y + offset)) with (k * (x + y) + 2 * offset) by ring. rewrite E. ring. }
assert (Nk : k * x + offset <> k * x' + offset) by (intros Z; apply Ne, Q, Z).
assert (Sk : Rabs (k * x + offset - (k * x' + offset)) <= k * shift).
{ replace (k * x + offset - (k * x' + offset)) with (k * (x - x')) by ring.
  rewrite Rabs_mult, Rabs_pos_eq by lra. apply Rmult_le_compat_l; lra. }
destruct (only_the_pair_in_r alpha (k * shift) _ _ _ _ t B B' C h H A Tp (M x L1) (M y L2) (M x' L3) (M y' L4)
  Es Nk Sk N N' NC I IH) as [W D].
split; [exact W|]. rewrite D, Up. unfold alpha. rewrite !Q. reflexivity.
Qed.

(** Two counts of at least m with 2m + 2 records or more hide strictly: no neighbours attain. *)
Theorem two_counts_hide_strictly k m c1 c2 c1' c2' t B B' C h H :
  0 < k -> (0 < m)%nat -> 0 < t ->
  (m <= c1)%nat -> (m <= c2)%nat -> (m <= c1')%nat -> (m <= c2')%nat ->
  (c1 + c2 = c1' + c2')%nat -> (c1 = S c1' \/ c1' = S c1) -> (2 * m + 2 <= c1 + c2)%nat ->
  let alpha := k * INR m + 0 in
  normalises (k * INR c1 + 0) (k * INR c2 + 0) B -> normalises (k * INR c1' + 0) (k * INR c2' + 0) B' ->
  normalises alpha (alpha + k * 1) C ->
  hockey_stick t (k * INR c1 + 0) (k * INR c2 + 0) B (k * INR c1' + 0) (k * INR c2' + 0) B' h ->
  hockey_stick t (alpha + k * 1) alpha C alpha (alpha + k * 1) C H ->
  h < H.
Proof.
intros K M Tp L1 L2 L3 L4 E D Large alpha N N' NC I IH.
assert (P := lt_INR _ _ M). change (INR 0) with 0 in P.
assert (Er : INR c1 + INR c2 = INR c1' + INR c2') by (rewrite <- !plus_INR; now f_equal).
assert (Dr : INR c1 = INR c1' + 1 \/ INR c1' = INR c1 + 1) by (destruct D as [-> | ->]; rewrite S_INR; lra).
assert (Lr := le_INR _ _ Large). rewrite !plus_INR, mult_INR in Lr. change (INR 2) with 2 in Lr.
assert (A : 0 < k * INR m + 0) by (rewrite Rplus_0_r; now apply Rmult_lt_0_compat).
assert (Sh : Rabs (INR c1 - INR c1') <= 1).
{ destruct Dr as [Dr|Dr]; rewrite Dr; [rewrite Rabs_pos_eq|rewrite Rabs_left]; lra. }
destruct (attained_iff k 0 (INR m) 1 (INR c1) (INR c2) (INR c1') (INR c2') t B B' C h H K A Tp
  (le_INR _ _ L1) (le_INR _ _ L2) (le_INR _ _ L3) (le_INR _ _ L4) Er ltac:(lra) Sh N N' NC I IH) as [W Q].
destruct (Rle_lt_or_eq_dec _ _ W) as [Lt|Eq]; [exact Lt|].
apply Q in Eq. destruct Eq as [(X1 & X2 & _)|(X1 & X2 & _)]; lra.
Qed.
