(** The answer of dirichlet.profile.delta in doubles, where it sums the difference series, is at or
    above the hockey-stick of the dominating pair. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Interval Require Import Tactic.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import TwoCrossings BetaLaw ClosedForm BetaSeries Profile.
From Simplexcert Require Import SeriesSource Rounding RoundedSums DifferenceSeries WeightedSum ChargedDoubts LastSteps.
From Simplexcert Require Import Doubled ExpMinus Slope Underflow.
Local Open Scope R_scope.

Lemma hockey_at_most_1 t a b tau Bp Bq h : 0 <= t -> 0 < Bq -> beta_constant (a + tau) b Bp ->
  hockey t a b tau Bp Bq h -> h <= 1.
Proof.
intros T Q [P I] H. assert (J := integral_scal (/ Bp) _ _ I). rewrite Rinv_l in J by lra.
refine (integral_le _ _ _ _ _ H J). intros x. cbv beta. unfold pos.
assert (W := w_pos (a + tau) b x). assert (W' := w_pos a (b + tau) x).
assert (0 <= / Bp * w (a + tau) b x) by (apply Rlt_le, Rmult_lt_0_compat; [apply Rinv_0_lt_compat, P|exact W]).
assert (0 <= t * (w a (b + tau) x / Bq)).
{ apply Rmult_le_pos; [exact T|]. apply Rlt_le, Rdiv_lt_0_compat; assumption. }
apply Rmax_lub; [|assumption]. unfold Rdiv at 1. lra.
Qed.

(** q and A q as [front] makes them from epsilon, alpha and step: of alpha and step scaled by a power of
    two so that A is about 1, and epsilon and step as parts times powers of two, by [_near_parts] up
    to a slope of 32, and by [_steep_parts] with NumPy's exponential above, which leaves the rest of
    the slope out from 800 on. A q is scaled back, exactly but where it underflows. *)
Definition made_by_front (exponential : R -> R) (a s eps low scaled_low : R) : Prop :=
  exists (power shift : Z) (a' s' top bottom scaled : R),
  a = bpow radix2 power * a' /\ s = bpow radix2 power * s' /\
  0 <= scaled_low /\ Rabs (scaled_low - bpow radix2 power * scaled) <= tiny /\
  double a' /\ double s' /\ / 4 <= 2 * a' + s' <= 4 /\
  double top /\ double bottom /\ (top = 0 \/ / 2 <= top <= 1) /\ / 2 <= bottom <= 1 /\
  eps / s = bpow radix2 shift * (top / bottom) /\
  let slope := quotient_of_parts top bottom shift in
  (fst slope <= 32 /\ (low, scaled) = near_parts a' s' (exp_minus slope) \/
   32 < fst slope /\ / 2 <= top /\
   (low, scaled) = steep_parts (rnd (2 * a' + s')) (exponential (- fst slope))
     (if Rlt_dec (fst slope) 800 then snd slope else 0)).

(** What is assumed of NumPy's exponential, below 0: doubles, off by at most 1.5 u where it is normal, and
    next to nothing below -679. *)
Definition exponential_below_0 (exponential : R -> R) : Prop :=
  (forall x, rnd (exponential x) = exponential x) /\
  (forall x, rnd x = x -> x <= 0 -> bpow radix2 (-1022) <= exp x ->
    Rabs (exponential x - exp x) <= 3 / 2 * u * exp x) /\
  (forall x, x <= -679 -> 0 <= exponential x <= bpow radix2 (-978)).

Lemma steep_end total ratio rest low scaled : rnd ratio = ratio -> 0 <= ratio <= bpow radix2 (-978) ->
  Rabs rest <= 1 -> 0 <= total <= 5 -> (low, scaled) = steep_parts total ratio rest ->
  0 <= low <= bpow radix2 (-977) /\ 0 <= scaled <= bpow radix2 (-974).
Proof.
intros D [P L] Rest Tt Made. unfold steep_parts in Made. cbv zeta in Made.
assert (Ml := f_equal fst Made). assert (Ms := f_equal snd Made). cbn [fst snd] in Ml, Ms. rewrite Ml, Ms. clear Made Ml Ms.
assert (F : forall k, (-1000 <= k)%Z -> rnd (bpow radix2 k) = bpow radix2 k).
{ intros k K. apply round_generic; [apply valid_rnd_N|]. apply generic_format_bpow. unfold FLT_exp. lia. }
assert (B : bpow radix2 (-977) = 2 * bpow radix2 (-978)).
{ change (-977)%Z with (1 + -978)%Z. rewrite bpow_plus. reflexivity. }
assert (B' : bpow radix2 (-974) = 8 * bpow radix2 (-977)).
{ change (-974)%Z with (3 + -977)%Z. rewrite bpow_plus. reflexivity. }
assert (Z : 0 < bpow radix2 (-978)) by apply bpow_gt_0.
apply Rabs_le_inv in Rest.
assert (M : - ratio <= ratio * rest <= ratio).
{ split; [|rewrite <- (Rmult_1_r ratio) at 2; apply Rmult_le_compat_l; lra].
  replace (- ratio) with (ratio * -1) by ring. apply Rmult_le_compat_l; lra. }
assert (D' : rnd (- ratio) = - ratio).
{ apply rnd_double, double_opp. rewrite <- D. apply double_rnd. }
assert (M' : - ratio <= rnd (ratio * rest) <= ratio).
{ split; [rewrite <- D'|rewrite <- D at 2]; apply rnd_le; lra. }
set (p := rnd (ratio * rest)) in *.
assert (R : 0 <= rnd (ratio - p) <= bpow radix2 (-977)).
{ split; [apply rnd_nonneg; lra|]. rewrite <- F by lia. apply rnd_le. lra. }
set (y := rnd (ratio - p)) in *. assert (Dy : rnd y = y) by apply rnd_rnd.
assert (One : bpow radix2 (-977) <= 1) by (change 1 with (bpow radix2 0); apply bpow_le; lia).
assert (Sq : 0 <= rnd (y * y) <= y).
{ split; [apply rnd_nonneg, Rmult_le_pos; lra|]. rewrite <- Dy at 3. apply rnd_le.
  rewrite <- (Rmult_1_r y) at 3. apply Rmult_le_compat_l; lra. }
assert (Lo : 0 <= rnd (y - rnd (y * y)) <= bpow radix2 (-977)).
{ split; [apply rnd_nonneg; lra|]. rewrite <- F by lia. apply rnd_le. lra. }
split; [exact Lo|]. set (l := rnd (y - rnd (y * y))) in *. split; [apply rnd_nonneg, Rmult_le_pos; lra|].
rewrite <- (F (-974)%Z) by lia. apply rnd_le. rewrite B'. apply Rmult_le_compat; lra.
Qed.

(** q and A q within their roundings, but for what scaling back takes; or next to nothing, as they are. *)
Theorem made_within exponential a s eps low scaled_low : 0 < a -> 0 < s -> exponential_below_0 exponential ->
  made_by_front exponential a s eps low scaled_low ->
  let q := 1 / (1 + exp (eps / s)) in
  bpow radix2 (-990) <= q /\ within 4 low q /\ off 6 tiny scaled_low ((2 * a + s) * q) \/
  q <= bpow radix2 (-978) /\ 0 <= low <= bpow radix2 (-977) /\
    0 <= scaled_low <= (2 * a + s) * bpow radix2 (-972) + tiny.
Proof.
intros A S (Hd & He & Hn) (power & shift & a' & s' & top & bottom & scaled & Ea & Es & El0 & El & Da & Ds & [Size Size'] & Dt & Db & Ht & Hb & Eps & Case) q.
assert (B := bpow_gt_0 radix2 power).
assert (A' : 0 < a') by (apply Rmult_lt_reg_l with (1 := B); lra).
assert (S' : 0 < s') by (apply Rmult_lt_reg_l with (1 := B); lra).
assert (Whole : (2 * a + s) * q = bpow radix2 power * ((2 * a' + s') * q)) by (rewrite Ea, Es; ring).
assert (Up : forall k, (k <= 6)%nat -> within k scaled ((2 * a' + s') * q) -> off 6 tiny scaled_low ((2 * a + s) * q)).
{ intros k K W. split; [exact El0|]. exists (bpow radix2 power * scaled). split; [|exact El].
  rewrite Whole. apply within_weaken with (k := (0 + k)%nat); [exact K|].
  apply within_mult; [apply within_exact; lra|exact W]. }
assert (Qe : q = 1 / (1 + exp (bpow radix2 shift * (top / bottom)))) by (unfold q; rewrite Eps; reflexivity).
set (slope := bpow radix2 shift * (top / bottom)) in *. set (two := quotient_of_parts top bottom shift) in *.
assert (Below : slope <= 680 -> bpow radix2 (-990) <= q).
{ intros L. rewrite Qe. assert (E : exp slope <= exp 680) by (destruct L as [L| ->]; [apply Rlt_le, exp_increasing, L|lra]).
  assert (P := exp_pos slope). apply Rle_trans with (1 / (1 + exp 680)); [interval with (i_prec 60)|].
  unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
assert (Near : / 2 <= top <= 1 -> slope <= 1000 \/ fst two <= 999 -> Rabs (snd two) <= 126 / 10 ^ 18 * slope + / 10 ^ 30 /\
  Rabs (fst two - slope) <= 126 / 10 ^ 18 * slope + / 10 ^ 30 /\ double (fst two)).
{ intros H L. destruct (slope_near top bottom shift Dt Db H Hb L) as (D0 & _ & _ & E & O & _). now repeat split. }
cbv zeta in Case. destruct Case as [[Flat Made]|[Steep [Ht' Made]]].
- left. destruct (near_case a' s' top bottom shift low scaled Da Ds) as [W1 W2]; try assumption; try lra.
  + apply Rle_trans with (bpow radix2 (-2)); [apply bpow_le; lia|simpl; lra].
  + fold slope in W1, W2. rewrite <- Qe in W1, W2. split; [|split; [exact W1|apply (Up 2%nat); [lia|exact W2]]].
    apply Below. destruct Ht as [-> |Ht]; [unfold slope, Rdiv; rewrite Rmult_0_l, Rmult_0_r; lra|].
    destruct (Near Ht ltac:(right; lra)) as (_ & O & _). apply Rabs_le_inv in O. lra.
- assert (Ht2 : / 2 <= top <= 1) by lra. assert (W0 : within 1 (rnd (2 * a' + s')) (2 * a' + s')).
  { apply within_rnd; [|lra]. right. apply Rle_trans with (bpow radix2 (-2)); [apply bpow_le; lia|simpl; lra]. }
  destruct (Rle_lt_dec (fst two) 679) as [Mid|End].
  + left. destruct (Near Ht2 ltac:(right; lra)) as (_ & O & D0). apply Rabs_le_inv in O.
    assert (Ex : bpow radix2 (-1022) <= exp (- fst two)).
    { apply Rle_trans with (exp (- (679))); [interval with (i_prec 60)|].
      destruct Mid as [X| ->]; [apply Rlt_le, exp_increasing; lra|lra]. }
    assert (Bq := Below ltac:(lra)). destruct (Rlt_dec (fst two) 800) as [L8|L8]; [|lra].
    destruct (steep_case a' s' top bottom shift _ _ low scaled A' S' Dt Db Ht2 Hb (conj Steep Mid)
      (He _ (rnd_double _ (double_opp _ D0)) ltac:(lra) Ex) W0 Made) as [W1 W2].
    * fold slope. rewrite <- Qe. unfold sizeable. apply Rle_trans with (bpow radix2 (-2) * bpow radix2 (-990)).
      -- rewrite <- bpow_plus. apply bpow_le. lia.
      -- apply Rmult_le_compat; try apply bpow_ge_0; [simpl; lra|exact Bq].
    * fold slope in W1, W2. rewrite <- Qe in W1, W2. split; [exact Bq|split; [exact W1|apply (Up 6%nat); [lia|exact W2]]].
  + right.
    assert (Sl : 678 <= slope).
    { destruct (Rle_lt_dec 678 slope) as [L|L]; [exact L|exfalso].
      destruct (Near Ht2 ltac:(left; lra)) as (_ & O & _). apply Rabs_le_inv in O. lra. }
    assert (Rest : Rabs (if Rlt_dec (fst two) 800 then snd two else 0) <= 1).
    { destruct (Rlt_dec (fst two) 800) as [L8|L8]; [|rewrite Rabs_R0; lra].
      destruct (Near Ht2 ltac:(right; lra)) as (E & O & _). apply Rabs_le_inv in O. apply Rle_trans with (1 := E). lra. }
    assert (W5 : 0 <= rnd (2 * a' + s') <= 5).
    { split; [apply rnd_nonneg; lra|]. destruct (within_below 1 _ _ ltac:(simpl; lra) W0) as [[_ X] _]. unfold slack in X. lra. }
    destruct (steep_end _ _ _ low scaled (Hd _) (Hn (- fst two) ltac:(lra)) Rest W5 Made) as [L1 L2].
    split; [|split; [exact L1|split; [exact El0|]]].
    * rewrite Qe. assert (E : exp 678 <= exp slope) by (destruct Sl as [L| <-]; [apply Rlt_le, exp_increasing, L|lra]).
      apply Rle_trans with (/ exp 678).
      -- unfold Rdiv. rewrite Rmult_1_l. assert (P := exp_pos 678). apply Rinv_le_contravar; lra.
      -- interval with (i_prec 60).
    * apply Rabs_le_inv in El. assert (bpow radix2 power * scaled <= (2 * a + s) * bpow radix2 (-972)); [|lra].
      rewrite Ea, Es. replace ((2 * (bpow radix2 power * a') + bpow radix2 power * s') * bpow radix2 (-972)) with
        (bpow radix2 power * ((2 * a' + s') * bpow radix2 (-972))) by ring.
      apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := proj2 L2).
      assert (Q4 : bpow radix2 (-974) = / 4 * bpow radix2 (-972)).
      { change (-974)%Z with (-2 + -972)%Z. rewrite bpow_plus. reflexivity. }
      rewrite Q4. apply Rmult_le_compat_r; [apply bpow_ge_0|lra].
Qed.

Section Answer.
(** The pair, and its hockey-stick at e^eps. *)
Variables a s eps B h : R.
Hypothesis (Ha : 0 < a) (Hs : 0 < s).
Let q := 1 / (1 + exp (eps / s)).
Let A := 2 * a + s.
Let factor := Rpower q a * Rpower (1 - q) (a + s) / B * (A / (a * (a + s))).
Hypothesis constant : beta_constant a (a + s) B.
Hypothesis profile : hockey (exp eps) a a s B B h.
(** The loop as the source runs it, for n terms after the first. *)
Variables low scaled_low : R.
Variables term partner total : nat -> R.
Variable n : nat.
Let second := rnd (a + s).
Let whole := rnd (2 * a + s).
Variable exponential : R -> R.
Hypothesis exp_error : forall x, rnd x = x -> x <= 0 -> bpow radix2 (-1022) <= exp x ->
  Rabs (exponential x - exp x) <= 3 / 2 * u * exp x.
Hypothesis made : made_by_front exponential a s eps low scaled_low.
Hypothesis term0 : term 0%nat = rnd (s / whole).
Hypothesis partner0 : partner 0%nat = rnd (a / whole).
Hypothesis total0 : total 0%nat = term 0%nat.
Hypothesis run : forall m, (m < n)%nat -> (term (S m), partner (S m), total (S m)) =
  step_advance m a s second low scaled_low (term m) (partner m) (total m).
Hypothesis some : (1 <= n)%nat.
Hypothesis few : INR n <= 16000.
(** Its blocks, and the test that ends it. *)
Variables (place : nat -> nat) (weighted : nat -> R) (blocks : nat).
Hypothesis weighs_them : weighs place weighted total blocks n.
Hypothesis below_1 : ratio_of n a whole low < largest_ratio.
Hypothesis converged : rnd (term n * ratio_of n a whole low) <= negligible_of (total n) (ratio_of n a whole low).
(** The exact numbers do not underflow. *)
Let scale := a * (a + s) / A.
Let T k := scale * PositiveSeries.T a s q k.
Let U k := scale * PositiveSeries.U a s q k.
Hypothesis size_a : sizeable a.
Hypothesis size_s : bpow radix2 (-999) <= s / A.
Hypothesis size_share : sizeable (a / A).
Hypothesis size_q : bpow radix2 (-1000) <= q.
Hypothesis size_scaled : sizeable (A * q).
Hypothesis sizes : forall m, (m < n)%nat ->
  sizeable (U m / (a + s + INR (S m))) /\ sizeable (U m / (a + s + INR (S m)) * s) /\ sizeable (U (S m)) /\
  sizeable (q * (A + INR m) / (a + INR (S m))) /\ sizeable (T (S m)).
(** What front says of the logarithm of the factor, log and exp within a unit in the last place,
    and the next double. *)
Variables logarithm doubt : R.
Hypothesis front : Rabs (logarithm - ln factor) <= doubt.
Variable log : R -> R.
Hypothesis log_is_a_double : forall x, rnd (log x) = log x.
Hypothesis log_error : forall x, rnd x = x -> bpow radix2 (-1000) <= x -> Rabs (log x - ln x) <= 2 * u * Rabs (ln x).
Variable next : R -> R -> R.
Hypothesis next_between : forall x y, Rmin x y <= next x y.

Lemma positive : 0 < A. Proof. unfold A; lra. Qed.

Lemma size_low : sizeable q.
Proof. unfold sizeable. apply Rle_trans with (2 := size_q). apply bpow_le. lia. Qed.

Lemma Wlow : within 4 low q.
Proof. exact (proj1 (made_within exponential a s eps low scaled_low Ha Hs exp_error made size_q)). Qed.

Lemma Wscaled : within 6 scaled_low (A * q).
Proof. exact (proj2 (made_within exponential a s eps low scaled_low Ha Hs exp_error made size_q)). Qed.

Lemma whole_within : within 1 whole A.
Proof.
apply within_rnd; [|generalize positive; unfold A; lra]. apply normal_within with (k := 0%nat) (x := A).
- simpl; lra.
- apply within_exact. generalize positive; lra.
- apply sizeable_le with (1 := size_a). unfold A; lra.
Qed.

Lemma second_within : within 1 second (a + s).
Proof.
apply within_rnd; [|lra]. apply normal_within with (k := 0%nat) (x := a + s).
- simpl; lra.
- apply within_exact. lra.
- apply sizeable_le with (1 := size_a). lra.
Qed.

Lemma share_within x : 0 < x -> sizeable (x / A) -> within 2 (rnd (x / whole)) (x / A).
Proof.
intros X Z. assert (W : within (0 + 1) (x / whole) (x / A)).
{ apply within_div; [apply positive|apply within_exact; lra|apply whole_within]. }
refine (rounded 1 _ _ W _). apply normal_within with (2 := W); [simpl; lra|exact Z].
Qed.

Lemma first_size : sizeable (s / A).
Proof. unfold sizeable. apply Rle_trans with (2 := size_s). apply bpow_le. lia. Qed.

Lemma Q : 0 < q < 1.
Proof.
assert (E := exp_pos (eps / s)). unfold q. split; [apply Rdiv_lt_0_compat; lra|].
apply Rmult_lt_reg_r with (1 + exp (eps / s)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma run_within m : (m <= n)%nat -> 0 <= total m /\ within (11 * m + 6) (term m) (T m).
Proof.
intros L. assert (Q0 := proj1 Q).
destruct (DifferenceSeries.whole_run a s q Ha Hs Q0 second low scaled_low second_within Wscaled Wlow T U) with
  (term := term) (partner := partner) (total := total) (steps := n) (n := m) as (P & Wt & _); try assumption; try apply size_low.
- unfold T. rewrite PositiveSeries.T_0 by assumption. unfold scale, A. field; lra.
- unfold U. rewrite PositiveSeries.U_0 by assumption. unfold scale, A. field; lra.
- intros k. unfold T, U. rewrite PositiveSeries.recurrence by assumption. assert (M := pos_INR k). rewrite S_INR. unfold scale, A. field; lra.
- intros k. unfold U. rewrite PositiveSeries.recurrence_of_partner by assumption. assert (M := pos_INR k). rewrite S_INR. unfold scale, A. field; lra.
- rewrite term0. apply share_within; [exact Hs|apply first_size].
- rewrite partner0. apply share_within; [exact Ha|exact size_share].
- now split.
Qed.

Lemma total_added m : (m < n)%nat -> total (S m) = rnd (total m + term (S m)).
Proof.
intros L. assert (R := run m L). unfold step_advance in R. cbv zeta in R.
assert (Rt := f_equal (fun p => fst (fst p)) R). assert (Rs := f_equal snd R). cbn [fst snd] in Rt, Rs.
rewrite Rs, Rt. reflexivity.
Qed.

Lemma total_double m : (m <= n)%nat -> rnd (total m) = total m.
Proof.
destruct m as [|m]; intros L.
- rewrite total0, term0. apply rnd_rnd.
- rewrite total_added by lia. apply rnd_rnd.
Qed.

Lemma total_grows m k : (m <= k <= n)%nat -> total m <= total k.
Proof.
intros [L1 L2]. induction k as [|k].
- replace m with 0%nat by lia. lra.
- destruct (Nat.eq_dec m (S k)) as [->|D]; [lra|].
  apply Rle_trans with (total k); [apply IHk; lia|].
  rewrite total_added by lia. rewrite <- (total_double k) at 1 by lia. apply rnd_le.
  destruct (run_within (S k)) as (_ & Wt); [lia|]. apply within_nonneg in Wt. lra.
Qed.

Lemma weighted_nonneg j : (j <= blocks)%nat -> 0 <= weighted j.
Proof.
destruct weighs_them as (P0 & Pn & W0 & P & W). induction j as [|j]; intros L; [lra|].
rewrite W by lia. destruct (P j) as (L1 & L2); [lia|]. apply rnd_nonneg.
apply Rplus_le_le_0_compat; [apply IHj; lia|]. apply rnd_nonneg, Rmult_le_pos; [|apply pos_INR].
apply rnd_nonneg. assert (total (place j) <= total (place (S j))) by (apply total_grows; lia). lra.
Qed.

Lemma total_ample : ample (total n).
Proof.
apply Rle_trans with (total 0%nat); [|apply total_grows; lia]. rewrite total0, term0.
destruct (share_within s Hs first_size) as (_ & L & _).
assert (E : e 2 <= 2) by (unfold e; simpl; generalize u_size u_pos; nra).
assert (P : 0 <= rnd (s / whole)).
{ apply (within_nonneg 2 _ (s / A)). apply share_within; [exact Hs|apply first_size]. }
assert (X : bpow radix2 (-999) <= rnd (s / whole) * 2).
{ apply Rle_trans with (1 := size_s). apply Rle_trans with (1 := L). now apply Rmult_le_compat_l. }
change (-999)%Z with (1 + -1000)%Z in X. rewrite bpow_plus in X. simpl (bpow radix2 1) in X. lra.
Qed.

Lemma partial_sums k : acc T k = scale * sum_f_R0 (PositiveSeries.T a s q) k.
Proof. induction k as [|k IH]; simpl; [reflexivity|]. rewrite IH. unfold T. ring. Qed.

(** The answer is at or above the hockey-stick. *)
Theorem answer_is_not_below :
  let part := logarithm_of_sum log (total n) 0 in
  let doubt_of_sum := recorded_doubt (recorded_units n (weighted blocks) (total n)) in
  let log_delta := raised (rnd (logarithm + part)) doubt doubt_of_sum (rounding_of part logarithm) in
  h <= answer_of next (value_of exponential (Rmin log_delta 0)).
Proof.
intros part doubt_of_sum log_delta. assert (Q0 := Q). assert (A0 := positive).
assert (Us := u_size). assert (Ls := least_small).
assert (V := total_ample). assert (V0 : 0 < total n) by (apply Rlt_le_trans with (2 := V); apply bpow_gt_0).
assert (Part : part = log (total n)).
{ unfold part, logarithm_of_sum. rewrite Rmult_0_l, rnd_0, Rplus_0_r. apply log_is_a_double. }
(* the series *)
destruct (run_within n) as (_ & Wt); [lia|].
assert (Es : scale * PositiveSeries.T a s q n = PositiveSeries.T a s q n * (a * (a + s) / (2 * a + s))) by (unfold scale, A; ring).
unfold T in Wt. rewrite Es in Wt.
destruct (stops_late_enough a s q Ha Hs (proj1 Q0) low whole Wlow whole_within size_low n (term n) (total n)
  some few V Wt below_1 converged) as [R1 Rest].
assert (Sum := recorded_doubt_covers_rounding a s q second low scaled_low term partner total n place weighted blocks
  Ha Hs (proj1 Q0) second_within Wscaled Wlow).
assert (Sum' : Rabs (total n - acc T n) <= u * units_recorded (weighted blocks) (total n) (INR n) * total n).
{ apply Sum; try assumption; try apply Wscaled; try apply size_low.
  - rewrite term0. apply share_within; [exact Hs|apply first_size].
  - rewrite partner0. apply share_within; [exact Ha|exact size_share].
  - rewrite PositiveSeries.T_0 by assumption. unfold sizeable. apply Rle_trans with (1 := first_size).
    right. unfold A. field. repeat split; lra. }
clear Sum. apply Rabs_le_inv in Sum'.
destruct (recorded_doubt_rounded n (weighted blocks) (total n) (weighted_nonneg _ (Nat.le_refl _)) V) as [Un Dn].
fold doubt_of_sum in Dn. set (units := units_recorded (weighted blocks) (total n) (INR n)) in *.
set (c := bpow radix2 (-58)) in *. assert (C0 : 0 < c) by apply bpow_gt_0.
(* the hockey-stick *)
destruct (delta_enclosed a s eps B n Ha Hs constant R1) as (d & Hd & Lower & Upper). fold q in Lower, Upper.
assert (Dh : d = h) by (apply (is_RInt_gen_unique (V := R_CompleteNormedModule)) in Hd, profile; congruence).
subst d. set (front0 := Rpower q a * Rpower (1 - q) (a + s) / B) in *.
assert (F0 : 0 < front0).
{ unfold front0. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; apply exp_pos|apply constant]. }
assert (Sc : 0 < scale) by (unfold scale; apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra|exact A0]).
assert (Fa : factor * scale = front0) by (unfold factor, scale; fold front0; field; unfold A; repeat split; lra).
assert (Fp : 0 < factor).
{ apply Rmult_lt_reg_r with (1 := Sc). rewrite Fa. lra. }
set (need := u * units + 2 * c).
assert (N0 : 0 <= u * units) by (apply Rmult_le_pos; lra).
assert (Up : h <= factor * total n * (1 + need)).
{ apply Rle_trans with (1 := Upper). rewrite <- Fa.
  replace (factor * scale * (sum_f_R0 (PositiveSeries.T a s q) n + PositiveSeries.T a s q n *
      (PositiveSeries.rho a s q n / (1 - PositiveSeries.rho a s q n)))) with
    (factor * (acc T n + PositiveSeries.T a s q n * (a * (a + s) / (2 * a + s)) *
      (PositiveSeries.rho a s q n / (1 - PositiveSeries.rho a s q n)))).
  2:{ rewrite partial_sums. unfold scale, A. ring. }
  rewrite (Rmult_assoc factor (total n)). apply Rmult_le_compat_l; [lra|].
  assert (c * total n >= 0) by (apply Rle_ge, Rmult_le_pos; lra).
  unfold need. lra. }
assert (Low : 0 <= h).
{ apply Rle_trans with (2 := Rlt_le _ _ Lower). apply Rmult_le_pos; [lra|].
  apply Rmult_le_reg_l with (1 := Sc). rewrite Rmult_0_r, <- partial_sums.
  clear - Ha Hs Q0 Sc. induction n as [|k IH]; simpl.
  - unfold T. apply Rmult_le_pos; [lra|]. apply Rlt_le. apply PositiveSeries.T_pos; try assumption; apply Q0.
  - apply Rplus_le_le_0_compat; [exact IH|]. unfold T. apply Rmult_le_pos; [lra|]. apply Rlt_le. apply PositiveSeries.T_pos; try assumption; apply Q0. }
assert (One : h <= 1).
{ refine (hockey_at_most_1 (exp eps) a a s B B h _ _ _ profile); [apply Rlt_le, exp_pos|apply constant|].
  apply beta_symmetric, constant. }
apply answer_enough; [|exact next_between|apply rnd_rnd|lra|].
1:{ intros x X1 X2 X3. apply Rle_trans with (1 := exp_error x X1 X2 X3).
  apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|lra]. }
(* logarithms *)
assert (Lo : ln factor + ln (total n) + need <= log_delta).
{ apply Rabs_le_inv in front. unfold log_delta. rewrite Part.
  assert (0 <= need) by (unfold need; lra). fold need in Dn.
  apply raised_enough; [lra|assumption|lra|lra|apply log_error; [now apply total_double|exact V]]. }
apply Rle_trans with (1 := Up).
apply Rle_trans with (exp (ln factor + ln (total n) + need)).
- rewrite !exp_plus, !exp_ln by assumption. apply Rmult_le_compat_l; [apply Rlt_le, Rmult_lt_0_compat; assumption|].
  apply exp_ineq1_le.
- destruct Lo as [Lo|<-]; [apply Rlt_le, exp_increasing, Lo|lra].
Qed.
End Answer.
