(** The complement's series from epsilon, alpha and step to its two sums: for all sizes of them, whatever
    underflows, what the source charges covers the rounding. *)
From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Interval Require Import Tactic.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import SeriesSource Rounding RoundedSums Doubled ExpMinus NearCase SteepCase Slope Underflow FactorUnderflow Sizes Answer.
Local Open Scope R_scope.

(** A (1-q) as [front] makes it; it is no less than A/2, so scaling it back is exact. *)
Definition high_by_front (exponential : R -> R) (a s eps scaled_high : R) : Prop :=
  exists (power shift : Z) (a' s' top bottom high : R),
  scaled_by_front a s power a' s' /\ sloped_by_front a s eps shift top bottom /\
  scaled_high = bpow radix2 power * high /\
  let slope := quotient_of_parts top bottom shift in
  (fst slope <= steep_from /\ high = near_high a' s' (exp_minus slope) \/
   steep_from < fst slope /\ / 2 <= top /\
   high = steep_high (rnd (2 * a' + s')) (exponential (- fst slope))
     (if Rlt_dec (fst slope) left_out_from then snd slope else 0)).

Lemma steep_high_within total E rest A x rho : within 1 total A -> / 4 <= A -> 0 <= rho <= 1 -> 0 <= E ->
  Rabs (E - x) <= 3 / 2 * u * x + tiny -> 0 <= x <= / 10 ^ 12 -> Rabs rest <= / 10 ^ 12 -> Rabs (x - rho) <= / 10 ^ 20 ->
  within 4 (steep_high total E rest) (A / (1 + rho)).
Proof.
intros W A4 Rho E0 Ex X Rest Xr. assert (Us := u_size). assert (Ls := least_small).
assert (Tn : tiny <= / 10 ^ 30) by (apply Rle_trans with (bpow radix2 (-110)); [apply bpow_le; lia|simpl; lra]).
assert (ux : u * x <= / 5000000000000000 * / 10 ^ 12) by (apply Rmult_le_compat; lra).
apply Rabs_le_inv in Ex. apply Rabs_le_inv in Xr.
unfold steep_high. cbv zeta.
assert (P1 := rnd_error (E * rest)). assert (M1 : Rabs (E * rest) <= 2 / 10 ^ 24).
{ rewrite Rabs_mult, (Rabs_pos_eq E E0). apply Rle_trans with (2 / 10 ^ 12 * / 10 ^ 12); [apply Rmult_le_compat; try lra; apply Rabs_pos|lra]. }
assert (U1 : u * Rabs (E * rest) <= / 100 * (2 / 10 ^ 24)) by (apply Rmult_le_compat; try lra; apply Rabs_pos).
apply Rabs_le_inv in P1. apply Rabs_le_inv in M1. set (p := rnd (E * rest)) in *.
assert (P2 := rnd_error (E - p)). assert (M2 : Rabs (E - p) <= 3 / 10 ^ 12) by (apply Rabs_le; lra).
assert (U2 : u * Rabs (E - p) <= / 5000000000000000 * (3 / 10 ^ 12)) by (apply Rmult_le_compat; try lra; apply Rabs_pos).
apply Rabs_le_inv in P2. set (y := rnd (E - p)) in *.
assert (Y : - (3 / 10 ^ 20) <= y - rho <= 3 / 10 ^ 20) by lra.
assert (W1 : within 1 (1 + y) (1 + rho)).
{ unfold within, e. rewrite pow_1. assert (u * (9 / 10) <= u * (1 + y)) by (apply Rmult_le_compat_l; lra).
  assert (u * 1 <= u * (1 + rho)) by (apply Rmult_le_compat_l; lra). repeat split; lra. }
assert (W2 := rounded 1 _ _ W1 (normal_within 1 _ _ ltac:(simpl; lra) W1 (sizeable_1 (1 + rho) ltac:(lra)))).
assert (W3 := within_div _ _ _ _ _ _ (ltac:(lra) : 0 < 1 + rho) W W2).
apply (rounded 3); [exact W3|]. apply normal_within with (2 := W3); [simpl; lra|].
unfold sizeable. apply Rle_trans with (bpow radix2 (-3)); [apply bpow_le; lia|]. simpl.
apply Rmult_le_reg_r with (1 + rho); [lra|]. unfold Rdiv. rewrite (Rmult_assoc A), Rinv_l; lra.
Qed.

Theorem high_within exponential a s eps scaled_high : 0 < a -> 0 < s -> exponential_below_0 exponential ->
  high_by_front exponential a s eps scaled_high ->
  let q := 1 / (1 + exp (eps / s)) in
  off 4 ((2 * a + s) * (330 * tiny)) scaled_high ((2 * a + s) * (1 - q)).
Proof.
intros A S (Hd & He & Hn) (power & shift & a' & s' & top & bottom & high & Sc & (Dt & Db & Ht & Hb & Eps) & Eh & Case) q.
assert (Sc' := Sc). destruct Sc' as (_ & _ & Da & Ds & A' & S' & Size & Size'). assert (Tp := tiny_pos).
assert (Q01 : 0 < q <= 1).
{ unfold q. assert (P := exp_pos (eps / s)). split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_le_reg_r with (1 + exp (eps / s)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
assert (Qr : 1 - q = / (1 + exp (- (eps / s)))).
{ unfold q. rewrite exp_Ropp. assert (P := exp_pos (eps / s)). field. lra. }
set (W := 2 * a' + s') in *.
enough (H : within 4 high (W * (1 - q))).
{ assert (B := bpow_gt_0 radix2 power). assert (H0 := within_nonneg _ _ _ H).
  assert (O := scaled_back a s power a' s' 4 0 0 (1 - q) high scaled_high A S ltac:(lra) ltac:(lia) Sc ltac:(lra)
    ltac:(rewrite Eh; apply Rmult_le_pos; lra) ltac:(rewrite Eh, Rminus_diag_eq, Rabs_R0; [lra|reflexivity]) (off_within _ _ _ H)).
  rewrite Rplus_0_r in O. exact O. }
rewrite Qr, Eps. change (W * / (1 + exp (- (bpow radix2 shift * (top / bottom))))) with (W / (1 + exp (- (bpow radix2 shift * (top / bottom))))).
set (slope := bpow radix2 shift * (top / bottom)) in *. set (two := quotient_of_parts top bottom shift) in *.
assert (W0 : within 1 (rnd W) W).
{ apply within_rnd; [|lra]. right. apply Rle_trans with (bpow radix2 (-2)); [apply bpow_le; lia|simpl; lra]. }
cbv zeta in Case. unfold steep_from, left_out_from in Case. destruct Case as [[Flat ->]|[Steep [Ht' ->]]].
- apply within_weaken with (k := 2%nat); [lia|].
  replace (W / (1 + exp (- slope))) with (W * (1 - 1 / (1 + exp slope))).
  2:{ rewrite exp_Ropp. assert (P := exp_pos slope). field. lra. }
  assert (Pair : forall p x, pair (/ 10 ^ 19) p x -> pair (bpow radix2 (-62)) p x).
  { intros p x (D1 & D2 & X & E & L & O). assert (Z : 0 < bpow radix2 (-400)) by apply bpow_gt_0.
    assert (K : / 10 ^ 19 <= bpow radix2 (-62)) by (simpl; lra).
    assert (/ 10 ^ 19 * x <= bpow radix2 (-62) * x) by (apply Rmult_le_compat_r; lra).
    repeat split; try assumption; [apply Rle_trans with (1 := E); assumption|apply Rle_trans with (1 := O); lra]. }
  assert (Big : bpow radix2 (-300) <= W) by (apply Rle_trans with (bpow radix2 (-2)); [apply bpow_le; lia|simpl; lra]).
  destruct Ht as [Et | Ht].
  + assert (Es : slope = 0) by (unfold slope; rewrite Et; unfold Rdiv; rewrite Rmult_0_l, Rmult_0_r; reflexivity).
    unfold two. rewrite Et, zero_slope, Es.
    refine (near_high_within a' s' 0 Da Ds A' S' Big _ (exp_minus (0, 0)) _); [lra|].
    apply Pair. apply exp_minus_pair; try apply double_0; try lra; [rewrite Rabs_R0; lra|apply Rabs_le; lra].
  + destruct (slope_near top bottom shift Dt Db Ht Hb) as (D0 & D1 & P & L & O & E); [right; fold two; lra|].
    fold slope two in D0, D1, P, L, O, E. apply Rabs_le_inv in O. assert (S0 := slope_pos top bottom shift Ht Hb). fold slope in S0.
    refine (near_high_within a' s' slope Da Ds A' S' Big _ (exp_minus two) _); [lra|].
    apply Pair. rewrite (surjective_pairing two). apply exp_minus_pair; [exact D0|exact D1|lra| |].
    * apply Rle_trans with (1 := L). lra.
    * apply Rle_trans with (1 := E). lra.
- assert (Ht2 : / 2 <= top <= 1) by lra.
  assert (D0 : double (fst two)) by (unfold two, quotient_of_parts; cbv zeta; apply double_rnd).
  assert (E32 : exp (- (32)) <= / 10 ^ 12) by interval with (i_prec 60).
  assert (X : 0 < exp (- fst two) <= / 10 ^ 12).
  { split; [apply exp_pos|]. apply Rle_trans with (2 := E32). apply Rlt_le, exp_increasing. lra. }
  assert (Both : 0 <= exponential (- fst two) /\
    Rabs (exponential (- fst two) - exp (- fst two)) <= 3 / 2 * u * exp (- fst two) + tiny).
  { assert (Dd := rnd_double _ (double_opp _ D0)). destruct (Rle_lt_dec (fst two) 679) as [M|M]; [|apply Hn; [exact Dd|lra]].
    assert (Ex : bpow radix2 (-1022) <= exp (- fst two)).
    { apply Rle_trans with (exp (- (679))); [interval with (i_prec 60)|].
      destruct M as [M| ->]; [apply Rlt_le, exp_increasing; lra|lra]. }
    assert (B := He _ Dd ltac:(lra) Ex). assert (Us := u_size).
    assert (u * exp (- fst two) <= / 10 * exp (- fst two)) by (apply Rmult_le_compat_r; lra).
    split; [apply Rabs_le_inv in B; lra|lra]. }
  destruct Both as [E0 E1]. set (x := exp (- fst two)) in *. set (rho := exp (- slope)) in *.
  destruct (Rlt_dec (fst two) 800) as [L8|L8].
  + destruct (slope_near top bottom shift Dt Db Ht2 Hb) as (_ & _ & _ & R1 & O & _); [right; fold two; lra|].
    fold slope two in R1, O. assert (O' := O). apply Rabs_le_inv in O'.
    assert (T1 : Rabs (slope - fst two) <= / 10 ^ 12).
    { rewrite <- Rabs_Ropp. replace (- (slope - fst two)) with (fst two - slope) by ring. apply Rle_trans with (1 := O). lra. }
    set (theta := slope - fst two) in *. assert (T2 := exp_near_0 theta ltac:(lra)).
    assert (T3 : theta * theta <= / 10 ^ 24).
    { rewrite <- (Rabs_pos_eq (theta * theta)) by nra. rewrite Rabs_mult. assert (P := Rabs_pos theta).
      apply Rle_trans with (/ 10 ^ 12 * / 10 ^ 12); [apply Rmult_le_compat; lra|lra]. }
    assert (Er : rho = x * exp (- theta)) by (unfold rho, x, theta; rewrite <- exp_plus; f_equal; ring).
    apply Rabs_le_inv in T1. apply Rabs_le_inv in T2.
    assert (Dx : - (x * (2 / 10 ^ 12)) <= x - rho <= x * (2 / 10 ^ 12)).
    { replace (x - rho) with (x * (1 - exp (- theta))) by (rewrite Er; ring).
      replace (- (x * (2 / 10 ^ 12))) with (x * - (2 / 10 ^ 12)) by ring. split; apply Rmult_le_compat_l; lra. }
    apply (steep_high_within _ _ _ _ x _ W0 Size); [lra|exact E0|exact E1|lra| |].
    * apply Rle_trans with (1 := R1). lra.
    * apply Rabs_le. lra.
  + assert (Sl8 : 790 <= slope).
    { destruct (Rle_lt_dec 790 slope) as [L|L]; [exact L|exfalso].
      destruct (slope_near top bottom shift Dt Db Ht2 Hb) as (_ & _ & _ & _ & O & _); [left; fold slope; lra|].
      fold slope two in O. apply Rabs_le_inv in O. lra. }
    assert (E790 : exp (- (790)) <= / 10 ^ 40) by interval with (i_prec 60).
    assert (R8 : 0 < rho <= / 10 ^ 40).
    { split; [apply exp_pos|]. apply Rle_trans with (2 := E790). unfold rho.
      destruct Sl8 as [L| <-]; [apply Rlt_le, exp_increasing; lra|lra]. }
    assert (X8 : x <= / 10 ^ 40).
    { apply Rle_trans with (2 := E790). unfold x. apply Rlt_le, exp_increasing. lra. }
    apply (steep_high_within _ _ _ _ x _ W0 Size); [lra|exact E0|exact E1|lra| |].
    * rewrite Rabs_R0. lra.
    * apply Rabs_le. lra.
Qed.

Section Complement.
Variables a s eps : R.
(** Of all sizes that are tried. *)
Hypothesis tried : delta_is_tried a s eps.
Let Ha : 0 < a. Proof. apply (delta_sizes a s eps tried). Qed.
Let Hs : 0 < s. Proof. apply (delta_sizes a s eps tried). Qed.
Hypothesis Heps : 0 <= eps.
Let q := 1 / (1 + exp (eps / s)).
Let A := 2 * a + s.
Let size : bpow radix2 (-930) <= A <= bpow radix2 932. Proof. apply (delta_sizes a s eps tried). Qed.
(** Past the mean of the law of r, where the route is taken. *)
Hypothesis past_mean : a <= A * q.
Variable exponential : R -> R.
Hypothesis exponential_near : exponential_below_0 exponential.
Variables low scaled_low scaled_high : R.
Hypothesis made : made_by_front exponential a s eps low scaled_low.
Hypothesis made_high : high_by_front exponential a s eps scaled_high.
Let second := rnd (a + s).
Let whole := rnd (2 * a + s).
Variables term total : nat -> R.
Variable n : nat.
Hypothesis term0 : term 0%nat = rnd (a / whole).
Hypothesis total0 : total 0%nat = term 0%nat.
Hypothesis few : INR n <= 16000.
Let v z k := a * (a + s) / A * PositiveSeries.U a s z k.

Lemma A_positive : 0 < A. Proof. unfold A; lra. Qed.

Lemma q_below : 0 < q <= / 2.
Proof.
assert (E : 1 <= exp (eps / s)).
{ rewrite <- exp_0. assert (P : 0 <= eps / s) by (apply Rmult_le_pos; [exact Heps|apply Rlt_le, Rinv_0_lt_compat, Hs]).
  destruct P as [P| <-]; [apply Rlt_le, exp_increasing, P|lra]. }
unfold q. split; [apply Rdiv_lt_0_compat; lra|]. unfold Rdiv. rewrite Rmult_1_l. apply Rinv_le_contravar; lra.
Qed.

(** What the answer's proof has of q, A q, b, A and alpha/A. *)
Let whole_near := Answer.whole_within a s eps tried.
Let second_near := Answer.second_within a s eps tried.
Let scaling_small := Answer.scaling_small a s eps tried.
Let first_off := Answer.partner0_off a s eps tried term term0.

(** V(q), from q and A q. *)
Theorem complement_at_q :
  (forall m, (m < n)%nat -> (term (S m), total (S m)) =
    step_advance_complement m second low scaled_low (term m) (total m)) ->
  Rabs (total n - acc (v q) n) <= u * units_of_complement (INR n) * acc (v q) n + bpow radix2 (-900).
Proof.
intros R. assert (Q := q_below). assert (A0 := A_positive).
destruct (Answer.low_off a s eps tried low scaled_low exponential exponential_near made) as [L W].
refine (complement_sum_near a s q second low scaled_low _ _ term total n Ha Hs _ _ second_near
  (off_weaken 4 6 _ _ _ _ _ (Rle_refl _) L) (off_weaken 6 7 _ _ _ _ _ (Rle_refl _) W) (Rle_refl _) (Rle_refl _)
  first_off total0 R few); try lia; try lra.
assert (A * q <= A * / 2) by (apply Rmult_le_compat_l; lra). unfold A in *. lra.
Qed.

(** V(1-q), from A (1-q), and that over A. *)
Theorem complement_at_1_minus_q :
  (forall m, (m < n)%nat -> (term (S m), total (S m)) =
    step_advance_complement m second (rnd (scaled_high / whole)) scaled_high (term m) (total m)) ->
  Rabs (total n - acc (v (1 - q)) n) <= u * units_of_complement (INR n) * acc (v (1 - q)) n + bpow radix2 (-900).
Proof.
intros R. assert (Q := q_below). assert (Tp := tiny_pos). assert (A0 := A_positive).
assert (W := high_within exponential a s eps scaled_high Ha Hs exponential_near made_high). cbv zeta in W. fold q A in W.
assert (P := off_rnd _ _ _ _ (off_div 4 1 _ _ _ _ _ ltac:(simpl; lra) A0 W whole_near)).
replace (A * (1 - q) / A) with (1 - q) in P by (field; lra).
replace (A * (330 * tiny) / A) with (330 * tiny) in P by (field; lra).
refine (complement_sum_near a s (1 - q) second _ scaled_high _ (A * (330 * tiny)) term total n Ha Hs _ _ second_near
  P (off_weaken 4 7 _ _ _ _ _ (Rle_refl _) W) _ _ first_off total0 R few); try lia; try lra.
- fold A. unfold A in *. lra.
- apply Rle_trans with (bpow radix2 10 * tiny); [|unfold tiny; rewrite <- bpow_plus; apply bpow_le; lia].
  simpl (bpow radix2 10). unfold slack. lra.
- assert (H := scaling_small). unfold A in *. lra.
Qed.
End Complement.
