(** Beta laws in the coordinate u = log(r/(1-r)): the law Beta(a, b) of r has there the
    unnormalised density w a b u = e^(a u) (1 + e^u)^-(a+b).  Its integral exists, is positive and
    unique; hockey-sticks exist. *)
From Coq Require Import Reals Lra Lia Psatz Classical.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings.
Local Open Scope R_scope.

Definition w (a b u : R) : R := exp (a * u - (a + b) * ln (1 + exp u)).
Definition beta_constant (a b B : R) : Prop := 0 < B /\ integral (w a b) B.

(** H_t(Beta(a+tau, b), Beta(a, b+tau)) = h, Bp and Bq their normalising constants. *)
Definition hockey (t a b tau Bp Bq h : R) : Prop :=
  integral (fun u => pos (w (a + tau) b u / Bp - t * (w a (b + tau) u / Bq))) h.

Lemma w_pos a b u : 0 < w a b u. Proof. apply exp_pos. Qed.

Lemma w_ratio a b tau u : w (a + tau) b u = exp (tau * u) * w a (b + tau) u.
Proof. unfold w. rewrite <- exp_plus. f_equal. ring. Qed.

Lemma pos_factor x t g : 0 <= g -> pos (x * g - t * g) = pos (x - t) * g.
Proof.
intros G. rewrite <- Rmult_minus_distr_r. unfold pos, Rmax. repeat destruct Rle_dec; try lra; nra.
Qed.

(** Logistic function. *)
Definition sg (u : R) : R := exp u / (1 + exp u).

Lemma log1pexp_derive k d u : is_derive (fun u => ln (1 + exp (k * u + d))) u (k * sg (k * u + d)).
Proof.
unfold sg. assert (E := exp_pos (k * u + d)). auto_derive; [lra|]. field; lra.
Qed.

Ltac req := match goal with |- @eq _ ?x ?y => change (@eq R x y) end.

Lemma sg_half u : sg u = 1 - / (1 + exp u).
Proof. unfold sg. generalize (exp_pos u); intro. field; lra. Qed.

Lemma sg_monotone u v : u <= v -> sg u <= sg v.
Proof.
intros [L| ->]; [|lra]. rewrite !sg_half. apply exp_increasing in L.
assert (E := exp_pos u). assert (/ (1 + exp v) < / (1 + exp u)); [|lra].
apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra.
Qed.

Lemma sg_0 : sg 0 = / 2.
Proof. unfold sg. rewrite exp_0. lra. Qed.

Lemma sg_range u : 0 < sg u < 1.
Proof.
unfold sg. assert (E := exp_pos u). split; [apply Rdiv_lt_0_compat; lra|].
apply Rmult_lt_reg_r with (1 + exp u); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma sg_derive u : is_derive sg u (sg u * (1 - sg u)).
Proof. unfold sg. assert (E := exp_pos u). auto_derive; [lra|]. field; lra. Qed.

Lemma half_line (f : R -> R) C k : 0 < k -> (forall u, continuous f u) ->
  (forall u, 0 <= u -> 0 <= f u <= C * exp (- k * u)) ->
  exists L, is_RInt_gen (V := R_NormedModule) f (at_point 0) (Rbar_locally p_infty) L /\
    forall x, 0 <= x -> RInt f 0 x <= L.
Proof.
intros K Cf B.
assert (EX : forall x y, ex_RInt f x y).
{ intros. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply Cf. }
assert (C0 : 0 <= C).
{ destruct (B 0 (Rle_refl _)) as [? D]. rewrite Rmult_0_r, exp_0 in D. lra. }
assert (M : forall x y, 0 <= x <= y -> RInt f 0 x <= RInt f 0 y).
{ intros x y L. rewrite <- (RInt_Chasles f 0 x y) by apply EX. change plus with Rplus.
  assert (0 <= RInt f x y); [|lra]. apply RInt_ge_0; [lra|apply EX|]. intros; apply B; lra. }
assert (U : forall x, 0 <= x -> RInt f 0 x <= C / k).
{ intros x X.
  assert (I : is_RInt (fun u => C * exp (- k * u)) 0 x ((- C / k * exp (- k * x)) - (- C / k * exp (- k * 0)))).
  { apply (is_RInt_derive (V := R_CompleteNormedModule) (fun u => - C / k * exp (- k * u))).
    - intros u _. auto_derive; [easy|]. field; lra.
    - intros u _. apply (ex_derive_continuous (fun u => C * exp (- k * u))). auto_derive; easy. }
  apply Rle_trans with (RInt (fun u => C * exp (- k * u)) 0 x).
  - apply RInt_le; [easy|apply EX|eexists; apply I|]. intros; apply B; lra.
  - rewrite (is_RInt_unique _ _ _ _ I). rewrite Rmult_0_r, exp_0.
    assert (0 <= C / k) by (apply Rmult_le_pos; [easy|apply Rlt_le, Rinv_0_lt_compat, K]).
    assert (0 <= C / k * exp (- k * x)) by (apply Rmult_le_pos; [easy|apply Rlt_le, exp_pos]).
    unfold Rdiv in *. lra. }
destruct (completeness (fun y => exists x, 0 <= x /\ y = RInt f 0 x)) as [L [L1 L2]].
{ exists (C / k). intros y (x & X & ->). now apply U. }
{ exists (RInt f 0 0), 0. split; [lra|easy]. }
exists L. split.
2:{ intros x X. apply L1. exists x; auto. }
intros P [eps HP].
assert (exists x0, 0 <= x0 /\ L - eps < RInt f 0 x0) as (x0 & X0 & N0).
{ apply NNPP. intros N. assert (L <= L - eps); [|destruct eps; simpl in *; lra].
  apply L2. intros y (x & X & ->). apply Rnot_lt_le. intros Q. apply N. exists x; auto. }
apply (Filter_prod _ _ _ (fun a => a = 0) (fun b => x0 < b)); [easy|now exists x0|].
intros a b -> Lb. simpl in *. exists (RInt f 0 b). split; [apply (RInt_correct (V := R_CompleteNormedModule)), EX|].
apply HP. unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl.
assert (RInt f 0 x0 <= RInt f 0 b) by (apply M; lra).
assert (RInt f 0 b <= L) by (apply L1; exists b; split; [lra|easy]).
apply Rabs_def1; lra.
Qed.

Theorem integral_exists (f : R -> R) C k C' k' : 0 < k -> 0 < k' -> (forall u, continuous f u) ->
  (forall u, 0 <= u -> 0 <= f u <= C * exp (- k * u)) ->
  (forall u, u <= 0 -> 0 <= f u <= C' * exp (k' * u)) ->
  exists l, integral f l /\ RInt f 0 1 <= l.
Proof.
intros K K' Cf B B'.
destruct (half_line f C k K Cf B) as (L1 & I1 & N1).
destruct (half_line (fun u => f (- u)) C' k' K') as (L2 & I2 & N2).
{ intros u. apply (continuous_comp (fun u => - u) f); [|apply Cf].
  apply (ex_derive_continuous (fun u => - u)). auto_derive; easy. }
{ intros u U. replace (- k' * u) with (k' * - u) by ring. apply B'; lra. }
assert (L20 : 0 <= L2) by (generalize (N2 0 (Rle_refl _)); rewrite RInt_point; unfold zero; simpl; lra).
exists (plus L2 L1). split.
2:{ generalize (N1 1 Rle_0_1). unfold plus; simpl; lra. }
apply (is_RInt_gen_Chasles (V := R_NormedModule) f 0 L2 L1); [|easy].
intros P HP. specialize (I2 P HP). unfold filtermapi in *. destruct I2 as [Q S HQ [r HS] H].
apply (Filter_prod _ _ _ (fun a => S (- a)) (fun b => b = 0)); [|easy|].
- exists (- r). intros x X. apply HS. lra.
- intros a b Sa ->. destruct (H 0 (- a) HQ Sa) as (y & I & Py). simpl in *. exists y. split; [|easy].
  rewrite <- Ropp_0 in I at 1.
  apply (is_RInt_comp_opp (V := R_NormedModule)) in I.
  apply (is_RInt_swap (V := R_NormedModule)) in I.
  apply (is_RInt_opp (V := R_NormedModule)) in I. rewrite opp_opp in I.
  revert I. apply (is_RInt_ext (V := R_NormedModule)). intros u _. rewrite opp_opp. f_equal. apply Ropp_involutive.
Qed.

Lemma ln1pexp u : 0 <= ln (1 + exp u) /\ u <= ln (1 + exp u).
Proof.
assert (E := exp_pos u). split.
- rewrite <- ln_1. apply Rlt_le, ln_increasing; lra.
- rewrite <- (ln_exp u) at 1. apply Rlt_le, ln_increasing; lra.
Qed.

Lemma w_right a b u : 0 < a + b -> w a b u <= 1 * exp (- b * u).
Proof.
intros P. rewrite Rmult_1_l. unfold w.
destruct (ln1pexp u) as [_ L]. apply Rmult_le_compat_l with (r := a + b) in L; [|lra].
destruct (Req_dec (a * u - (a + b) * ln (1 + exp u)) (- b * u)) as [->|]; [lra|apply Rlt_le, exp_increasing; lra].
Qed.

Lemma w_left a b u : 0 < a + b -> w a b u <= 1 * exp (a * u).
Proof.
intros P. rewrite Rmult_1_l. unfold w.
destruct (ln1pexp u) as [L _]. apply Rmult_le_compat_l with (r := a + b) in L; [|lra].
destruct (Req_dec (a * u - (a + b) * ln (1 + exp u)) (a * u)) as [->|]; [lra|apply Rlt_le, exp_increasing; lra].
Qed.

Lemma w_continuous a b u : continuous (w a b) u.
Proof.
apply (ex_derive_continuous (w a b)). unfold w. auto_derive. generalize (exp_pos u); lra.
Qed.

(** The beta integrals exist and are positive. *)
Theorem beta_exists a b : 0 < a -> 0 < b -> exists B, beta_constant a b B.
Proof.
intros A B. destruct (integral_exists (w a b) 1 b 1 a B A (w_continuous a b)) as (l & I & P).
- intros u _; split; [apply Rlt_le, w_pos|apply w_right; lra].
- intros u _; split; [apply Rlt_le, w_pos|apply w_left; lra].
- exists l. split; [|easy]. apply Rlt_le_trans with (2 := P).
  apply RInt_gt_0; [lra|intros; apply w_pos|intros; apply w_continuous].
Qed.

Lemma beta_unique a b B B' : beta_constant a b B -> beta_constant a b B' -> B = B'.
Proof.
intros [_ I] [_ I']. rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ I).
exact (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ I').
Qed.

Lemma w_reflect a b u : w b a u = w a b (- u).
Proof.
unfold w. f_equal. assert (E := exp_pos u).
replace (1 + exp (- u)) with ((1 + exp u) / exp u) by (rewrite exp_Ropp; field; lra).
unfold Rdiv. rewrite ln_mult; [|lra|now apply Rinv_0_lt_compat]. rewrite ln_Rinv by easy. rewrite ln_exp. ring.
Qed.

Lemma beta_symmetric a b B : beta_constant a b B -> beta_constant b a B.
Proof.
intros [P I]; split; [easy|]. apply integral_reflect in I. revert I. apply integral_ext.
intros; symmetry; apply w_reflect.
Qed.

Lemma pos_abs x : pos x = (x + Rabs x) / 2.
Proof. unfold pos, Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra. Qed.

(** So do the hockey-sticks. *)
Theorem hockey_exists t a b tau Bp Bq : 0 <= t -> 0 < a -> 0 < b -> 0 < tau -> 0 < Bp -> 0 < Bq ->
  exists h, hockey t a b tau Bp Bq h.
Proof.
intros T A B T' P Q.
set (f := fun u => pos (w (a + tau) b u / Bp - t * (w a (b + tau) u / Bq))).
assert (F : forall u, 0 <= f u <= w (a + tau) b u / Bp).
{ intros u; unfold f, pos. split; [apply Rmax_r|]. apply Rmax_lub.
  - assert (0 <= t * (w a (b + tau) u / Bq)); [|lra]. apply Rmult_le_pos; [easy|].
    apply Rlt_le, Rdiv_lt_0_compat; [apply w_pos|easy].
  - apply Rlt_le, Rdiv_lt_0_compat; [apply w_pos|easy]. }
destruct (integral_exists f (/ Bp) b (/ Bp) (a + tau)) as (l & I & _); [easy|lra| | | |now exists l].
- intros u. apply (continuous_ext (fun u => (fun y => (y + Rabs y) / 2) (w (a + tau) b u / Bp - t * (w a (b + tau) u / Bq)))).
  { intros; symmetry; apply pos_abs. }
  apply (continuous_comp (fun u => w (a + tau) b u / Bp - t * (w a (b + tau) u / Bq)) (fun y => (y + Rabs y) / 2)).
  + apply (ex_derive_continuous (fun u => w (a + tau) b u / Bp - t * (w a (b + tau) u / Bq))).
    unfold w. auto_derive. assert (E := exp_pos u). repeat split; lra.
  + apply continuity_pt_filterlim. apply continuity_pt_mult; [|apply continuity_pt_const; intros ? ?; easy].
    apply continuity_pt_plus; [apply continuity_pt_id|apply Rcontinuity_abs].
- intros u U. split; [apply F|]. apply Rle_trans with (1 := proj2 (F u)).
  generalize (w_right (a + tau) b u ltac:(lra)). unfold Rdiv; intros W.
  apply Rmult_le_compat_r with (r := / Bp) in W; [lra|apply Rlt_le, Rinv_0_lt_compat, P].
- intros u U. split; [apply F|]. apply Rle_trans with (1 := proj2 (F u)).
  generalize (w_left (a + tau) b u ltac:(lra)). unfold Rdiv; intros W.
  apply Rmult_le_compat_r with (r := / Bp) in W; [lra|apply Rlt_le, Rinv_0_lt_compat, P].
Qed.
