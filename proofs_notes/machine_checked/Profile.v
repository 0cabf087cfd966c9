(** The profile: the hockey-stick divergence of the dominating pair at e^eps is F times the sum of
    the positive terms T_n. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw ClosedForm BetaSeries.
From Simplexcert Require PositiveSeries.
Local Open Scope R_scope.

Lemma zero_beyond (f : R -> R) u0 : (forall u, u0 < u -> f u = 0) ->
  is_RInt_gen (V := R_NormedModule) f (at_point u0) (Rbar_locally p_infty) 0.
Proof.
intros Z P HP.
apply (Filter_prod _ _ _ (fun a => a = u0) (fun b => u0 < b)); [easy|now exists u0|].
intros x y -> L. simpl. exists 0. split; [|now apply locally_singleton].
apply (is_RInt_ext (V := R_NormedModule) (fun _ => 0)).
{ intros u B. rewrite Rmin_left in B by lra. symmetry. apply Z. lra. }
assert (I := is_RInt_const (V := R_NormedModule) u0 y 0).
replace (scal (y - u0) (0 : R_NormedModule)) with (0 : R_NormedModule) in I; [exact I|].
unfold scal; simpl. unfold mult; simpl. ring.
Qed.

Theorem delta_is_the_series alpha s eps B :
  0 < alpha -> 0 < s -> beta_constant alpha (alpha + s) B ->
  let q := 1 / (1 + exp (eps / s)) in
  let front := Rpower q alpha * Rpower (1 - q) (alpha + s) / B in
  ex_series (PositiveSeries.T alpha s q) /\
  hockey (exp eps) alpha alpha s B B (front * Series (PositiveSeries.T alpha s q)).
Proof.
intros A S [PB IB] q front.
set (u0 := - eps / s).
assert (Eq : sg u0 = q).
{ unfold sg, q, u0. replace (- eps / s) with (- (eps / s)) by (field; lra). rewrite exp_Ropp.
  assert (E := exp_pos (eps / s)). field; lra. }
assert (Rq := sg_range u0). rewrite Eq in Rq.
assert (Ef : front = w alpha (alpha + s) u0 / B).
{ unfold front. f_equal. unfold Rpower, w. rewrite <- exp_plus. f_equal.
  assert (E := exp_pos u0). rewrite <- Eq.
  replace (1 - sg u0) with (/ (1 + exp u0)) by (unfold sg; field; lra).
  unfold sg, Rdiv. rewrite ln_mult by (try apply Rinv_0_lt_compat; lra). rewrite ln_Rinv, ln_exp by lra. ring. }
set (b := alpha + s). assert (Hb : 0 < b) by (unfold b; lra).
assert (C1 : ex_series (fun n => sc alpha b n * q ^ n)).
{ apply ex_pseries_R, CV_radius_inside, inside; [easy|easy|rewrite Rabs_pos_eq; lra]. }
assert (C2 : ex_series (fun n => sc b alpha n * q ^ n)).
{ apply ex_pseries_R, CV_radius_inside, inside; [easy|easy|rewrite Rabs_pos_eq; lra]. }
assert (ET : forall n, sc alpha b n * q ^ n - sc b alpha n * q ^ n = PositiveSeries.T alpha s q n).
{ intros n. unfold sc, PositiveSeries.T. replace (b + alpha) with (2 * alpha + s) by (unfold b; ring).
  replace (alpha + b) with (2 * alpha + s) by (unfold b; ring). fold b.
  assert (X := PositiveSeries.poch_pos alpha (Datatypes.S n) A). assert (Y := PositiveSeries.poch_pos b (Datatypes.S n) Hb). field; lra. }
assert (CT : ex_series (PositiveSeries.T alpha s q)).
{ apply (ex_series_ext (V := R_NormedModule) (fun n => minus (sc alpha b n * q ^ n) (sc b alpha n * q ^ n))); [exact ET|].
  now apply (ex_series_minus (V := R_NormedModule)). }
split; [exact CT|].
assert (ST : Series (PositiveSeries.T alpha s q) = PSeries (sc alpha b) q - PSeries (sc b alpha) q).
{ unfold PSeries. rewrite <- Series_minus by easy. apply Series_ext. intros n. symmetry. apply ET. }
rewrite Ef, ST.
(* in the notes' order of the pair; reflected below *)
set (f := fun u => pos (w alpha b u / B - exp eps * (w b alpha u / B))).
assert (I : integral f (w alpha b u0 / B * (PSeries (sc alpha b) q - PSeries (sc b alpha) q))).
{ rewrite <- (Rplus_0_r (w alpha b u0 / B * _)).
  apply (is_RInt_gen_Chasles (V := R_NormedModule) f u0).
  2:{ apply zero_beyond. intros u L. unfold f, pos. apply Rmax_right.
    apply Rnot_lt_le. intros N. assert (w alpha b u / B > exp eps * (w b alpha u / B)) by lra.
    apply (threshold alpha s eps B u S PB) in H. unfold u0 in L. lra. }
  assert (J1 := is_RInt_gen_scal (V := R_NormedModule) _ (/ B) _ (beta_series alpha b A Hb u0)).
  assert (J2 := is_RInt_gen_scal (V := R_NormedModule) _ (exp eps / B) _ (beta_series b alpha Hb A u0)).
  assert (J := is_RInt_gen_minus (V := R_NormedModule) _ _ _ _ J1 J2).
  replace (w alpha b u0 / B * (PSeries (sc alpha b) q - PSeries (sc b alpha) q)) with
    (minus (scal (/ B) (G alpha b u0)) (scal (exp eps / B) (G b alpha u0))).
  2:{ unfold G, minus, plus, opp, scal; simpl. unfold mult; simpl. rewrite Eq.
    unfold b. rewrite (w_ratio alpha alpha s u0).
    assert (Z : exp eps * exp (s * u0) = 1).
    { rewrite <- exp_plus. replace (eps + s * u0) with 0 by (unfold u0; field; lra). apply exp_0. }
    fold b. set (ww := w alpha b u0). set (p1 := PSeries (sc alpha b) q). set (p2 := PSeries (sc b alpha) q).
    req. apply eq_trans with (ww / B * p1 - (exp eps * exp (s * u0)) * (ww / B * p2)); [field; lra|rewrite Z; field; lra]. }
  revert J. apply (is_RInt_gen_ext (V := R_NormedModule)).
  apply (Filter_prod _ _ _ (fun a => a < u0) (fun c => c = u0)); [now exists u0|easy|].
  intros x y Lx ->. simpl. intros u Bu. rewrite Rmax_right in Bu by lra.
  unfold f, pos, minus, plus, opp, scal; simpl. unfold mult; simpl.
  assert (L : exp eps * (w b alpha u / B) < w alpha b u / B).
  { apply (threshold alpha s eps B u S PB). apply Bu. }
  rewrite Rmax_left by lra. req. field; lra. }
apply integral_reflect in I. unfold hockey. revert I. apply integral_ext.
intros u. unfold f. rewrite <- !w_reflect. reflexivity.
Qed.

(** What is left of 1 is two series of positive terms: 1 - delta = F (V(q) + V(1-q)). *)
Theorem rest_of_delta alpha s eps B h :
  0 < alpha -> 0 < s -> beta_constant alpha (alpha + s) B -> hockey (exp eps) alpha alpha s B B h ->
  let q := 1 / (1 + exp (eps / s)) in
  let front := Rpower q alpha * Rpower (1 - q) (alpha + s) / B in
  ex_series (PositiveSeries.U alpha s q) /\ ex_series (PositiveSeries.U alpha s (1 - q)) /\
  1 - h = front * (Series (PositiveSeries.U alpha s q) + Series (PositiveSeries.U alpha s (1 - q))).
Proof.
intros A S PB Hh q front. destruct (delta_is_the_series alpha s eps B A S PB) as [CT H]. fold q in CT, H. fold front in H.
assert (Eh : h = front * Series (PositiveSeries.T alpha s q)).
{ unfold hockey in *. rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ Hh).
  exact (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ H). }
set (u0 := - eps / s). set (b := alpha + s). assert (Hb : 0 < b) by (unfold b; lra).
assert (Eq : sg u0 = q).
{ unfold sg, q, u0. replace (- eps / s) with (- (eps / s)) by (field; lra). rewrite exp_Ropp.
  assert (E := exp_pos (eps / s)). field; lra. }
assert (Rq := sg_range u0). rewrite Eq in Rq.
assert (Eq' : sg (- u0) = 1 - q).
{ rewrite <- Eq. unfold sg. rewrite exp_Ropp. assert (E := exp_pos u0). field; lra. }
assert (Ef : front = w alpha b u0 / B).
{ unfold front. f_equal. unfold Rpower, w. rewrite <- exp_plus. f_equal.
  assert (E := exp_pos u0). rewrite <- Eq.
  replace (1 - sg u0) with (/ (1 + exp u0)) by (unfold sg; field; lra).
  unfold sg, Rdiv. rewrite ln_mult by (try apply Rinv_0_lt_compat; lra). rewrite ln_Rinv, ln_exp by lra. unfold b. ring. }
assert (EU : forall z n, sc b alpha n * z ^ n = PositiveSeries.U alpha s z n).
{ intros z n. unfold sc, PositiveSeries.U. replace (b + alpha) with (2 * alpha + s) by (unfold b; ring). fold b.
  unfold Rdiv. ring. }
assert (EV : forall n, sc alpha b n * q ^ n = PositiveSeries.T alpha s q n + PositiveSeries.U alpha s q n).
{ intros n. rewrite PositiveSeries.T_VU by easy. unfold sc, PositiveSeries.V.
  replace (alpha + b) with (2 * alpha + s) by (unfold b; ring). unfold Rdiv. ring. }
assert (CU : forall z, 0 < z < 1 -> ex_series (PositiveSeries.U alpha s z)).
{ intros z Z. apply (ex_series_ext (V := R_NormedModule) (fun n => sc b alpha n * z ^ n)); [apply EU|].
  apply ex_pseries_R, CV_radius_inside, inside; [easy|easy|rewrite Rabs_pos_eq; lra]. }
assert (C1 := CU q Rq). assert (C2 := CU (1 - q) ltac:(lra)). split; [exact C1|split; [exact C2|]].
assert (EB := constant_by_parts alpha b B u0 A Hb PB). unfold G in EB. rewrite Eq, Eq', (w_reflect alpha b (- u0)), Ropp_involutive in EB.
assert (S1 : PSeries (sc alpha b) q = Series (PositiveSeries.T alpha s q) + Series (PositiveSeries.U alpha s q)).
{ unfold PSeries. rewrite <- Series_plus by assumption. apply Series_ext. exact EV. }
assert (S2 : PSeries (sc b alpha) (1 - q) = Series (PositiveSeries.U alpha s (1 - q))).
{ unfold PSeries. apply Series_ext. apply EU. }
rewrite S1, S2 in EB. assert (B0 := proj1 PB). rewrite Eh, Ef.
set (x := w alpha b u0) in *. set (t := Series (PositiveSeries.T alpha s q)) in *.
set (y := Series (PositiveSeries.U alpha s q)) in *. set (z := Series (PositiveSeries.U alpha s (1 - q))) in *.
apply Rmult_eq_reg_r with B; [|lra]. replace ((1 - x / B * t) * B) with (B - x * t) by (field; lra).
replace (x / B * (y + z) * B) with (x * (y + z)) by (field; lra). lra.
Qed.

(** With the remainder: partial sums enclose delta.  (rho < 1 from some n on, as q <= 1/2.) *)
Corollary delta_enclosed alpha s eps B n : 0 < alpha -> 0 < s -> beta_constant alpha (alpha + s) B ->
  let q := 1 / (1 + exp (eps / s)) in
  let front := Rpower q alpha * Rpower (1 - q) (alpha + s) / B in
  PositiveSeries.rho alpha s q n < 1 ->
  exists delta, hockey (exp eps) alpha alpha s B B delta /\
    front * sum_f_R0 (PositiveSeries.T alpha s q) n < delta /\
    delta <= front * (sum_f_R0 (PositiveSeries.T alpha s q) n
      + PositiveSeries.T alpha s q n * (PositiveSeries.rho alpha s q n / (1 - PositiveSeries.rho alpha s q n))).
Proof.
intros A S PB q front R.
destruct (delta_is_the_series alpha s eps B A S PB) as [C H]. fold q in C, H. fold front in H.
assert (Q : 0 < q) by (unfold q; apply Rdiv_lt_0_compat; [lra|generalize (exp_pos (eps / s)); lra]).
assert (F : 0 < front).
{ unfold front. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; apply exp_pos|apply PB]. }
destruct (PositiveSeries.remainder_bound alpha s q A S Q n R) as [_ [L U]].
assert (E := Series_incr_n (PositiveSeries.T alpha s q) (Datatypes.S n) (Nat.lt_0_succ n) C).
simpl pred in E.
exists (front * Series (PositiveSeries.T alpha s q)). split; [exact H|].
rewrite E. split.
- apply Rmult_lt_compat_l; [easy|lra].
- apply Rmult_le_compat_l; lra.
Qed.
