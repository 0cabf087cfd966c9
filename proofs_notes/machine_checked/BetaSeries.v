(** delta = F (S(a, b, q) - S(b, a, q)): the incomplete beta integral is its power series
    (DLMF 8.17.8), from the differential equation of the coefficients. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw.
From Simplexcert Require PositiveSeries.
Local Open Scope R_scope.

Notation poch := PositiveSeries.poch.

Definition sc (a b : R) (n : nat) : R := poch (a + b) n / poch a (S n).

Section Beta.
Variables a b : R.
Hypothesis (Ha : 0 < a) (Hb : 0 < b).

Lemma sc_pos n : 0 < sc a b n.
Proof. apply Rdiv_lt_0_compat; apply PositiveSeries.poch_pos; lra. Qed.

Lemma sc_step n : (a + INR (S n)) * sc a b (S n) = (a + b + INR n) * sc a b n.
Proof.
unfold sc. change (poch (a + b) (S n)) with (poch (a + b) n * (a + b + INR n)).
change (poch a (S (S n))) with (poch a (S n) * (a + INR (S n))).
assert (X := PositiveSeries.poch_pos a (S n) Ha). assert (N := pos_INR (S n)). field; lra.
Qed.

Lemma sc_radius : CV_radius (sc a b) = 1.
Proof.
rewrite <- Rinv_1. apply CV_radius_finite_DAlembert; [intros n; generalize (sc_pos n); lra|lra|].
apply is_lim_seq_ext with (fun n => 1 + (b - 1) * / (a + INR (S n))).
- intros n. assert (N := pos_INR n). assert (P := sc_pos n). assert (P' := sc_pos (S n)).
  rewrite Rabs_pos_eq by (apply Rlt_le, Rdiv_lt_0_compat; easy).
  assert (E := sc_step n). rewrite S_INR in *.
  replace (sc a b (S n)) with ((a + b + INR n) * sc a b n / (a + (INR n + 1))) by (rewrite <- E; field; lra).
  field; lra.
- replace (Finite 1) with (Finite (1 + (b - 1) * 0)) by (f_equal; ring).
  apply is_lim_seq_plus'; [apply is_lim_seq_const|].
  apply (is_lim_seq_scal_l (fun n => / (a + INR (S n))) (b - 1) 0).
  replace (Finite 0) with (Rbar_inv p_infty) by easy.
  apply is_lim_seq_inv; [|easy].
  apply is_lim_seq_le_p_loc with INR; [|apply is_lim_seq_INR].
  exists 0%nat. intros n _. rewrite S_INR. lra.
Qed.

Lemma inside x : Rabs x < 1 -> Rbar_lt (Finite (Rabs x)) (CV_radius (sc a b)).
Proof. intros; now rewrite sc_radius. Qed.

(** (a - (a+b) x) S + x (1-x) S' = 1. *)
Lemma differential_equation x : Rabs x < 1 ->
  (a - (a + b) * x) * PSeries (sc a b) x + x * (1 - x) * PSeries (PS_derive (sc a b)) x = 1.
Proof.
intros X. assert (I := inside x X).
assert (E0 : ex_pseries (sc a b) x) by now apply CV_radius_inside.
assert (E1 : ex_pseries (PS_derive (sc a b)) x) by (apply CV_radius_inside; now rewrite CV_radius_derive).
set (d := PS_incr_1 (PS_derive (sc a b))).
assert (Ed : ex_pseries d x) by now apply ex_pseries_incr_1.
assert (Yd : PSeries d x = x * PSeries (PS_derive (sc a b)) x) by apply PSeries_incr_1.
assert (Dn : forall n, d n = INR n * sc a b n).
{ intros [|n]; unfold d, PS_incr_1; [simpl; unfold zero; simpl; ring|easy]. }
assert (C0 : x * x = mult x x) by easy.
assert (Ec : forall c, ex_pseries (PS_plus (PS_scal c (sc a b)) d) x).
{ intros c. apply ex_pseries_plus; [|easy]. apply ex_pseries_scal; [apply Rmult_comm|easy]. }
assert (Vc : forall c, PSeries (PS_plus (PS_scal c (sc a b)) d) x = c * PSeries (sc a b) x + PSeries d x).
{ intros c. rewrite PSeries_plus, PSeries_scal; [easy| |easy]. apply ex_pseries_scal; [apply Rmult_comm|easy]. }
assert (L := PSeries_decr_1 _ _ (Ec a)). rewrite Vc in L.
rewrite (PSeries_ext (PS_decr_1 (PS_plus (PS_scal a (sc a b)) d)) (PS_plus (PS_scal (a + b) (sc a b)) d)) in L.
2:{ intros n. unfold PS_decr_1, PS_plus, PS_scal. rewrite !Dn. unfold plus, scal; simpl. unfold mult; simpl.
  assert (Q := sc_step n). simpl in Q. lra. }
rewrite Vc in L.
assert (Z : PS_plus (PS_scal a (sc a b)) d 0 = 1).
{ unfold PS_plus, PS_scal. rewrite Dn. unfold plus, scal; simpl. unfold mult; simpl. unfold sc; simpl. field; lra. }
rewrite Z in L. rewrite Yd in L. lra.
Qed.

Definition G (u : R) : R := w a b u * PSeries (sc a b) (sg u).


Lemma w_derive u : is_derive (w a b) u (w a b u * (a - (a + b) * sg u)).
Proof.
assert (D : is_derive (fun u => a * u - (a + b) * ln (1 + exp u)) u (a - (a + b) * sg u)).
{ unfold sg. assert (E := exp_pos u). auto_derive; [lra|]. field; lra. }
assert (D2 := is_derive_comp exp _ u _ _ (proj2 (is_derive_Reals _ _ _) (derivable_pt_lim_exp _)) D).
rewrite Rmult_comm. exact D2.
Qed.

Lemma G_derive u : is_derive G u (w a b u).
Proof.
assert (R := sg_range u). assert (X : Rabs (sg u) < 1) by (rewrite Rabs_pos_eq; lra).
assert (DS : is_derive (fun u => PSeries (sc a b) (sg u)) u
  (sg u * (1 - sg u) * PSeries (PS_derive (sc a b)) (sg u))).
{ apply (is_derive_comp (PSeries (sc a b)) sg); [|apply sg_derive].
  apply is_derive_PSeries. now apply inside. }
assert (D := is_derive_mult (w a b) _ u _ _ (w_derive u) DS Rmult_comm).
assert (E := differential_equation (sg u) X).
replace (w a b u) with (plus (mult (w a b u * (a - (a + b) * sg u)) (PSeries (sc a b) (sg u)))
  (mult (w a b u) (sg u * (1 - sg u) * PSeries (PS_derive (sc a b)) (sg u)))).
{ exact D. }
unfold plus, mult; simpl.
apply eq_trans with (w a b u * ((a - (a + b) * sg u) * PSeries (sc a b) (sg u)
  + sg u * (1 - sg u) * PSeries (PS_derive (sc a b)) (sg u))); [req; ring|rewrite E; req; ring].
Qed.

Lemma w_vanishes : filterlim (w a b) (Rbar_locally m_infty) (locally 0).
Proof.
intros P [eps HP]. exists (ln eps / a). intros u L. apply HP.
unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl.
rewrite Ropp_0, Rplus_0_r, Rabs_pos_eq by apply Rlt_le, w_pos.
apply Rle_lt_trans with (1 := w_left a b u ltac:(lra)). rewrite Rmult_1_l.
rewrite <- (exp_ln eps) by apply cond_pos. apply exp_increasing.
apply Rmult_lt_compat_l with (r := a) in L; [|easy]. replace (a * (ln eps / a)) with (ln eps) in L by (field; lra). lra.
Qed.

Lemma sg_vanishes : filterlim sg (Rbar_locally m_infty) (locally 0).
Proof.
intros P [eps HP]. exists (ln eps). intros u L. apply HP. assert (R := sg_range u).
unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl.
rewrite Ropp_0, Rplus_0_r, Rabs_pos_eq by lra.
apply exp_increasing in L. rewrite exp_ln in L by apply cond_pos.
apply Rle_lt_trans with (2 := L). unfold sg. assert (E := exp_pos u).
apply Rmult_le_reg_r with (1 + exp u); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
assert (0 <= exp u * exp u) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma G_vanishes : filterlim G (Rbar_locally m_infty) (locally 0).
Proof.
replace 0 with (mult 0 (PSeries (sc a b) 0)) by (unfold mult; simpl; ring).
unfold G. apply (filterlim_comp_2 (G := locally 0) (H := locally (PSeries (sc a b) 0)) (w a b) (fun u => PSeries (sc a b) (sg u)) mult).
- apply w_vanishes.
- apply filterlim_comp with (2 := proj1 (continuity_pt_filterlim _ _) (PSeries_continuity (sc a b) 0 (inside 0 ltac:(rewrite Rabs_R0; lra)))).
  apply sg_vanishes.
- apply (filterlim_mult (K := R_AbsRing)).
Qed.

(** Beta(a, b) below q = sg u0: B I_q(a, b) = q^a (1-q)^b S(a, b, q). *)
Theorem beta_series u0 :
  is_RInt_gen (V := R_NormedModule) (w a b) (Rbar_locally m_infty) (at_point u0) (G u0).
Proof.
assert (D : forall u, Derive G u = w a b u) by (intros; apply is_derive_unique, G_derive).
replace (G u0) with (G u0 - 0) by ring.
apply (is_RInt_gen_ext (V := R_NormedModule) (Derive G)).
{ apply filter_forall. intros; apply D. }
apply is_RInt_gen_Derive.
- apply filter_forall. intros [x y] v _. eexists; apply G_derive.
- apply filter_forall. intros [x y] v _. apply (continuous_ext (w a b)); [intros; now rewrite D|apply w_continuous].
- apply G_vanishes.
- intros P HP. unfold filtermap, at_point. now apply locally_singleton.
Qed.
End Beta.

(** The beta constant from both sides of any point, each by its series. *)
Lemma part_reflected f u0 l :
  is_RInt_gen (V := R_NormedModule) f (Rbar_locally m_infty) (at_point (- u0)) l ->
  is_RInt_gen (V := R_NormedModule) (fun u => f (- u)) (at_point u0) (Rbar_locally p_infty) l.
Proof.
intros H P HP. specialize (H P HP). unfold filtermapi in *.
destruct H as [Q S [q HQ] HS H].
apply (Filter_prod _ _ _ (fun a => a = u0) (fun b => Q (- b))); [easy|exists (- q); intros x L; apply HQ; lra|].
intros a b -> Qb. destruct (H _ _ Qb HS) as (y & I & Py). simpl in *. exists y. split; [|easy].
apply (is_RInt_swap (V := R_NormedModule)) in I.
apply (is_RInt_comp_opp (V := R_NormedModule)) in I.
apply (is_RInt_opp (V := R_NormedModule)) in I. rewrite opp_opp in I.
revert I. apply (is_RInt_ext (V := R_NormedModule)). intros u _. apply opp_opp.
Qed.

Theorem constant_by_parts a b B u0 : 0 < a -> 0 < b -> beta_constant a b B -> B = G a b u0 + G b a (- u0).
Proof.
intros Ha Hb [_ I].
assert (L := beta_series a b Ha Hb u0). assert (R := part_reflected _ u0 _ (beta_series b a Hb Ha (- u0))).
assert (R' : is_RInt_gen (V := R_NormedModule) (w a b) (at_point u0) (Rbar_locally p_infty) (G b a (- u0))).
{ revert R. apply (is_RInt_gen_ext (V := R_NormedModule)). apply filter_forall.
  intros [x y] u _. symmetry. apply w_reflect. }
assert (C := is_RInt_gen_Chasles (V := R_NormedModule) (w a b) u0 _ _ L R').
rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ I).
exact (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ C).
Qed.
