(** The floor of delta: where alpha and step are multiples of any k > 0, delta at epsilon is at least
    e^(-c epsilon)/(1 + 2c), c = alpha/step ("floor" of monotone-roots.md). *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw ClosedForm BetaSeries Profile BlackwellOrder.
From Simplexcert Require PositiveSeries.
Local Open Scope R_scope.

(** B(a, b) <= 1/a + 1/b: p^a (1-p)^b <= p^a (1-p) + (1-p)^b p, which has an antiderivative. *)
Lemma beta_at_most a b B : 0 < a -> 0 < b -> beta_constant a b B -> B <= 1 / a + 1 / b.
Proof.
intros Ha Hb [PB I].
set (L := fun u => ln (1 + exp u)).
set (f := fun u => exp (a * (u - L u)) / a - exp (- (b * L u)) / b).
set (g := fun u => exp (a * (u - L u)) * (1 - sg u) + exp (- (b * L u)) * sg u).
assert (D : forall u, is_derive f u (g u)).
{ intros u. assert (E := exp_pos u). unfold f, g, L, sg. auto_derive; [repeat split; lra|]. unfold Rminus. field. lra. }
assert (C : forall u, continuous g u).
{ intros u. assert (E := exp_pos u). apply (ex_derive_continuous g). unfold g, L, sg. auto_derive. repeat split; lra. }
assert (LB : forall u, 0 <= L u /\ u <= L u) by (intros u; apply ln1pexp).
assert (Ex : forall y, y <= 0 -> exp y <= 1).
{ intros y [Y| ->]; [apply Rlt_le; rewrite <- exp_0; now apply exp_increasing|rewrite exp_0; lra]. }
assert (X : forall u, 0 < exp (a * (u - L u)) <= 1).
{ intros u. split; [apply exp_pos|]. apply Ex. assert (0 <= a * (L u - u)) by (apply Rmult_le_pos; [lra|generalize (LB u); lra]). lra. }
assert (Y : forall u, 0 < exp (- (b * L u)) <= 1).
{ intros u. split; [apply exp_pos|]. apply Ex. assert (0 <= b * L u) by (apply Rmult_le_pos; [lra|apply LB]). lra. }
assert (W : forall u, w a b u <= g u).
{ intros u. assert (S := sg_range u). specialize (X u). specialize (Y u).
  assert (E : w a b u = exp (a * (u - L u)) * exp (- (b * L u))).
  { unfold w. rewrite <- exp_plus. f_equal. unfold L. ring. }
  rewrite E. unfold g. set (x := exp (a * (u - L u))) in *. set (y := exp (- (b * L u))) in *.
  assert (x * y <= x) by (rewrite <- (Rmult_1_r x) at 2; apply Rmult_le_compat_l; lra).
  assert (x * y <= y) by (rewrite <- (Rmult_1_l y) at 2; apply Rmult_le_compat_r; lra).
  assert (x * y * (1 - sg u) <= x * (1 - sg u)) by (apply Rmult_le_compat_r; lra).
  assert (x * y * sg u <= y * sg u) by (apply Rmult_le_compat_r; lra). lra. }
apply Rnot_lt_le. intros N. set (m := 1 / a + 1 / b) in *.
assert (E := I _ (locally_ball B (mkposreal _ (Rlt_Rminus _ _ N)))). unfold filtermapi in E.
destruct (filter_ex _ (filter_and _ _ E ends_ordered)) as [[u v] [(y & Iy & By) O]]. simpl in *.
assert (Ig : is_RInt (V := R_NormedModule) g u v (f v - f u)).
{ apply (is_RInt_derive (V := R_CompleteNormedModule) f g); intros z _; [apply D|apply C]. }
assert (Le : y <= f v - f u).
{ refine (is_RInt_le (w a b) g u v y (f v - f u) _ Iy Ig _); [lra|intros z _; apply W]. }
assert (Fv : f v - f u <= m).
{ unfold f, m. assert (Xv := X v). assert (Yu := Y u). assert (Xu := X u). assert (Yv := Y v).
  assert (A : 0 < / a) by now apply Rinv_0_lt_compat. assert (A' : 0 < / b) by now apply Rinv_0_lt_compat.
  unfold Rdiv.
  assert (exp (a * (v - L v)) * / a <= 1 * / a) by (apply Rmult_le_compat_r; lra).
  assert (exp (- (b * L u)) * / b <= 1 * / b) by (apply Rmult_le_compat_r; lra).
  assert (0 <= exp (a * (u - L u)) * / a) by (apply Rmult_le_pos; lra).
  assert (0 <= exp (- (b * L v)) * / b) by (apply Rmult_le_pos; lra). lra. }
unfold ball in By; simpl in By. unfold AbsRing_ball, abs, minus, plus, opp in By; simpl in By.
apply Rabs_lt_between in By. lra.
Qed.

(** At one scale: less than the floor by at most a factor 2^-(2a+s). *)
Lemma above_the_first_term a s eps B h : 0 < a -> 0 < s -> 0 <= eps -> beta_constant a (a + s) B ->
  hockey (exp eps) a a s B B h ->
  exp (- (a / s * eps)) * (s / (2 * a + s)) * exp (- ((2 * a + s) * ln 2)) <= h.
Proof.
intros A S Eps C H.
destruct (delta_is_the_series a s eps B A S C) as [Cv H'].
set (q := 1 / (1 + exp (eps / s))) in *. set (front := Rpower q a * Rpower (1 - q) (a + s) / B) in *.
assert (Dh : front * Series (PositiveSeries.T a s q) = h).
{ apply (is_RInt_gen_unique (V := R_CompleteNormedModule)) in H, H'. congruence. }
assert (Ee := exp_pos (eps / s)).
assert (E1 : 1 <= exp (eps / s)).
{ assert (X : 0 <= eps / s) by (apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra]).
  destruct X as [X|<-]; [|rewrite exp_0; lra]. rewrite <- exp_0. apply Rlt_le, exp_increasing, X. }
assert (Q0 : 0 < q) by (unfold q; apply Rdiv_lt_0_compat; lra).
assert (Q1 : q <= / 2).
{ unfold q, Rdiv. rewrite Rmult_1_l. apply Rinv_le_contravar; lra. }
assert (PB : 0 < B) by apply C.
assert (Sum : PositiveSeries.T a s q 0 <= Series (PositiveSeries.T a s q)).
{ rewrite Series_incr_1 by exact Cv. assert (0 <= Series (fun k => PositiveSeries.T a s q (Datatypes.S k))); [|lra].
  rewrite <- (Rmult_0_l (Series (fun _ => 0))), <- Series_scal_l. apply Series_le.
  - intros k. rewrite Rmult_0_l. split; [lra|apply Rlt_le, PositiveSeries.T_pos; lra].
  - now apply ex_series_incr_1 in Cv. }
assert (Fp : 0 < front).
{ unfold front. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; apply exp_pos|exact PB]. }
rewrite <- Dh. apply Rle_trans with (front * PositiveSeries.T a s q 0); [|apply Rmult_le_compat_l; lra].
rewrite PositiveSeries.T_0 by assumption.
assert (Lq : ln q = - (eps / s) + ln (1 - q)).
{ assert (X : q = exp (- (eps / s)) * (1 - q)).
  { unfold q. rewrite exp_Ropp. field. lra. }
  rewrite X at 1. rewrite ln_mult, ln_exp; [ring|apply exp_pos|lra]. }
assert (Ef : Rpower q a * Rpower (1 - q) (a + s) = exp (- (a / s * eps)) * exp ((2 * a + s) * ln (1 - q))).
{ unfold Rpower. rewrite <- !exp_plus. f_equal. rewrite Lq. field. lra. }
unfold front. rewrite Ef.
assert (L2 : exp (- ((2 * a + s) * ln 2)) <= exp ((2 * a + s) * ln (1 - q))).
{ assert (X : - ln 2 <= ln (1 - q)).
  { rewrite <- ln_Rinv by lra. destruct Q1 as [Q1| ->]; [apply Rlt_le, ln_increasing; lra|right; f_equal; lra]. }
  assert (Y : - ((2 * a + s) * ln 2) <= (2 * a + s) * ln (1 - q)).
  { replace (- ((2 * a + s) * ln 2)) with ((2 * a + s) * - ln 2) by ring. apply Rmult_le_compat_l; lra. }
  destruct Y as [Y| ->]; [apply Rlt_le, exp_increasing, Y|lra]. }
assert (Bm := beta_at_most a (a + s) B A ltac:(lra) C).
assert (Bi : a * (a + s) / (2 * a + s) <= / B).
{ apply Rmult_le_reg_r with (B * (2 * a + s)); [apply Rmult_lt_0_compat; lra|].
  replace (a * (a + s) / (2 * a + s) * (B * (2 * a + s))) with (a * (a + s) * B) by (field; lra).
  replace (/ B * (B * (2 * a + s))) with (2 * a + s) by (field; lra).
  apply Rle_trans with (a * (a + s) * (1 / a + 1 / (a + s))).
  - apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact Bm].
  - right. field. lra. }
set (E := exp (- (a / s * eps))). assert (E0 : 0 < E) by apply exp_pos.
set (x := exp (- ((2 * a + s) * ln 2))) in *. set (y := exp ((2 * a + s) * ln (1 - q))) in *.
assert (x0 : 0 < x) by apply exp_pos.
replace (E * y / B * (s / (a * (a + s)))) with (E * (s / (a * (a + s))) * (y * / B)) by (field; repeat split; lra).
replace (E * (s / (2 * a + s)) * x) with (E * (s / (a * (a + s))) * (x * (a * (a + s) / (2 * a + s)))) by (field; repeat split; lra).
apply Rmult_le_compat_l.
- apply Rmult_le_pos; [lra|]. apply Rlt_le, Rdiv_lt_0_compat; [exact S|apply Rmult_lt_0_compat; lra].
- apply Rmult_le_compat; [lra| |exact L2|exact Bi].
  apply Rlt_le, Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra.
Qed.

(** At every scale, the floor itself included; then without it, as a smaller scale shows strictly less. *)
Lemma floor_or_more a s eps B h : 0 < a -> 0 < s -> 0 <= eps -> beta_constant a (a + s) B ->
  hockey (exp eps) a a s B B h -> exp (- (a / s * eps)) / (1 + 2 * (a / s)) <= h.
Proof.
intros A S Eps C H.
assert (Fl : exp (- (a / s * eps)) / (1 + 2 * (a / s)) = exp (- (a / s * eps)) * (s / (2 * a + s))) by (field; lra).
rewrite Fl. set (E := exp (- (a / s * eps)) * (s / (2 * a + s))).
assert (E0 : 0 < E) by (apply Rmult_lt_0_compat; [apply exp_pos|apply Rdiv_lt_0_compat; lra]).
assert (L2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
assert (K : forall k, 0 < k <= 1 -> E * (1 - k * ((2 * a + s) * ln 2)) <= h).
{ intros k [K0 K1].
  destruct (beta_exists (k * a) (k * a + k * s)) as [Bk Ck]; [apply Rmult_lt_0_compat; lra| |].
  { assert (0 < k * a) by (apply Rmult_lt_0_compat; lra). assert (0 < k * s) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (Ka : 0 < k * a) by (apply Rmult_lt_0_compat; lra). assert (Ks : 0 < k * s) by (apply Rmult_lt_0_compat; lra).
  destruct (delta_is_the_series (k * a) (k * s) eps Bk Ka Ks Ck) as [_ Hk].
  set (hk := _ * Series _) in Hk.
  assert (Low := above_the_first_term (k * a) (k * s) eps Bk hk Ka Ks Eps Ck Hk).
  assert (Up : hk <= h).
  { refine (proj1 (increases_in_k a s k 1 (exp eps) Bk Bk B B hk h A S K0 K1 _ _ (beta_symmetric _ _ _ Ck) Ck _ Hk)); rewrite ?Rmult_1_l.
    - apply beta_symmetric, C.
    - exact C.
    - exact H. }
  apply Rle_trans with (2 := Up). apply Rle_trans with (2 := Low).
  replace (k * a / (k * s)) with (a / s) by (field; lra).
  replace (k * s / (2 * (k * a) + k * s)) with (s / (2 * a + s)) by (field; lra).
  fold E. apply Rmult_le_compat_l; [lra|].
  apply Rle_trans with (2 := exp_ineq1_le _). right. ring. }
apply Rnot_lt_le. intros N. set (m := (2 * a + s) * ln 2) in *.
assert (M : 0 < m) by (apply Rmult_lt_0_compat; lra).
assert (D : 0 < E * m) by (apply Rmult_lt_0_compat; lra).
set (k := Rmin 1 ((E - h) / (2 * (E * m)))).
assert (Kp : 0 < k <= 1).
{ unfold k. split; [|apply Rmin_l]. apply Rmin_pos; [lra|apply Rdiv_lt_0_compat; lra]. }
specialize (K k Kp).
assert (Kl : k * (2 * (E * m)) <= E - h).
{ apply Rle_trans with ((E - h) / (2 * (E * m)) * (2 * (E * m))); [apply Rmult_le_compat_r; [lra|apply Rmin_r]|right; field; lra]. }
lra.
Qed.

Theorem floor_of_delta a s eps B h : 0 < a -> 0 < s -> 0 <= eps -> beta_constant a (a + s) B ->
  hockey (exp eps) a a s B B h -> exp (- (a / s * eps)) / (1 + 2 * (a / s)) < h.
Proof.
intros A S Eps C H.
assert (A2 : 0 < / 2 * a) by lra. assert (S2 : 0 < / 2 * s) by lra.
destruct (beta_exists (/ 2 * a) (/ 2 * a + / 2 * s)) as [Bk Ck]; [lra|lra|].
destruct (delta_is_the_series (/ 2 * a) (/ 2 * s) eps Bk A2 S2 Ck) as [_ Hk]. set (hk := _ * Series _) in Hk.
assert (L := floor_or_more (/ 2 * a) (/ 2 * s) eps Bk hk A2 S2 Eps Ck Hk).
replace (/ 2 * a / (/ 2 * s)) with (a / s) in L by (field; lra). apply Rle_lt_trans with (1 := L).
destruct (increases_in_k a s (/ 2) 1 (exp eps) Bk Bk B B hk h) as [_ X]; try assumption; try lra; rewrite ?Rmult_1_l.
- apply beta_symmetric, C.
- exact C.
- apply beta_symmetric, Ck.
- exact H.
- apply X; [apply exp_pos|lra].
Qed.
