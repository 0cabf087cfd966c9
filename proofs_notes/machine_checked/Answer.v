(** The answer of dirichlet.profile.delta in doubles, where it sums the difference series, is at or
    above the hockey-stick of the dominating pair. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Interval Require Import Tactic.
From Simplexcert Require PositiveSeries.
From Simplexcert Require Import TwoCrossings BetaLaw ClosedForm BetaSeries Profile.
From Simplexcert Require Import SeriesSource Rounding RoundedSums DifferenceSeries WeightedSum ChargedDoubts LastSteps.
From Simplexcert Require Import Doubled ExpMinus SteepCase Slope Underflow Sizes.
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
    two so that A is about 1, exactly but where they underflow, and epsilon and step as parts times
    powers of two, by [_near_parts] up to a slope of 32, and by [_steep_parts] with NumPy's exponential
    above, which leaves the rest of the slope out from 800 on. A q is scaled back, exactly but where it
    underflows. *)
Definition scaled_by_front (a s : R) (power : Z) (a' s' : R) : Prop :=
  Rabs (a - bpow radix2 power * a') <= bpow radix2 power * tiny /\
  Rabs (s - bpow radix2 power * s') <= bpow radix2 power * tiny /\
  double a' /\ double s' /\ 0 <= a' /\ 0 <= s' /\ / 4 <= 2 * a' + s' <= 4.

Definition sloped_by_front (a s eps : R) (shift : Z) (top bottom : R) : Prop :=
  double top /\ double bottom /\ (top = 0 \/ / 2 <= top <= 1) /\ / 2 <= bottom <= 1 /\
  eps / s = bpow radix2 shift * (top / bottom).

Definition made_by_front (exponential : R -> R) (a s eps low scaled_low : R) : Prop :=
  exists (power shift : Z) (a' s' top bottom scaled : R),
  scaled_by_front a s power a' s' /\ sloped_by_front a s eps shift top bottom /\
  0 <= scaled_low /\ Rabs (scaled_low - bpow radix2 power * scaled) <= tiny /\
  let slope := quotient_of_parts top bottom shift in
  (fst slope <= steep_from /\ (low, scaled) = near_parts a' s' (exp_minus slope) \/
   steep_from < fst slope /\ / 2 <= top /\
   (low, scaled) = steep_parts (rnd (2 * a' + s')) (exponential (- fst slope))
     (if Rlt_dec (fst slope) left_out_from then snd slope else 0)).

(** What is assumed of NumPy's exponential, below 0: doubles, off by at most 1.5 u where it is normal, and
    by one underflow more below -679. *)
Definition exponential_below_0 (exponential : R -> R) : Prop :=
  (forall x, rnd (exponential x) = exponential x) /\
  (forall x, rnd x = x -> x <= 0 -> bpow radix2 (-1022) <= exp x ->
    Rabs (exponential x - exp x) <= 3 / 2 * u * exp x) /\
  (forall x, rnd x = x -> x <= -679 -> 0 <= exponential x /\
    Rabs (exponential x - exp x) <= 3 / 2 * u * exp x + tiny).

Lemma off_of_difference y x : 0 <= y -> 0 <= x -> Rabs (y - x) <= 8 / 5 * u * x + 3 * tiny -> off 2 (3 * tiny) y x.
Proof.
intros Y X E. assert (Us := u_size). assert (Tp := tiny_pos). apply Rabs_le_inv in E. split; [exact Y|].
assert (ux : 0 <= u * x <= / 100 * x) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
assert (uux : 0 <= u * (u * x) <= / 100 * (u * x)) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
assert (Two : forall z, - (8 / 5 * (u * x)) <= z - x <= 8 / 5 * (u * x) -> within 2 z x).
{ intros z Z. unfold within, e. simpl pow. assert (Uz : u * (x - 8 / 5 * (u * x)) <= u * z) by (apply Rmult_le_compat_l; lra).
  assert (0 <= u * (u * z)) by (repeat apply Rmult_le_pos; lra). repeat split; [exact X|lra|lra]. }
destruct (Rle_lt_dec (8 / 5 * (u * x)) (y - x)) as [Up|Up].
- exists (x + 8 / 5 * (u * x)). split; [apply Two; lra|]. apply Rabs_le. lra.
- destruct (Rle_lt_dec (y - x) (- (8 / 5 * (u * x)))) as [Dn|Dn].
  + exists (x - 8 / 5 * (u * x)). split; [apply Two; lra|]. apply Rabs_le. lra.
  + exists y. split; [apply Two; lra|]. apply Rabs_le. lra.
Qed.

(** Where e^-slope is next to nothing, and may underflow itself. *)
Lemma steep_far total ratio rest low scaled A q : rnd ratio = ratio -> 0 <= ratio -> Rabs rest <= 1 -> 0 <= A <= 4 ->
  within 1 total A -> 0 <= q <= bpow radix2 (-978) ->
  Rabs (ratio - rnd (ratio * rest) - q) <= 8 / 5 * u * q + 3 * tiny ->
  (low, scaled) = steep_parts total ratio rest ->
  off 4 (10 * tiny) low q /\ off 6 (60 * tiny) scaled (A * q).
Proof.
intros D P Rest HA W [Q0 Q1] Diff Made. unfold steep_parts in Made. cbv zeta in Made.
assert (Ml := f_equal fst Made). assert (Ms := f_equal snd Made). cbn [fst snd] in Ml, Ms. rewrite <- Ml in Ms. clear Made.
assert (Tp := tiny_pos). apply Rabs_le_inv in Rest.
assert (M : - ratio <= ratio * rest <= ratio).
{ split; [|rewrite <- (Rmult_1_r ratio) at 2; apply Rmult_le_compat_l; lra].
  replace (- ratio) with (ratio * -1) by ring. apply Rmult_le_compat_l; lra. }
assert (M' : rnd (ratio * rest) <= ratio) by (rewrite <- D at 2; apply rnd_le; lra).
set (p := rnd (ratio * rest)) in *.
assert (O1 := off_of_difference (ratio - p) q ltac:(lra) Q0 Diff).
apply off_rnd in O1. set (y := rnd (ratio - p)) in *.
assert (Dy : rnd y = y) by apply rnd_rnd. assert (Y0 : 0 <= y) by apply O1.
assert (B976 : bpow radix2 (-976) = 4 * bpow radix2 (-978)).
{ change (-976)%Z with (2 + -978)%Z. rewrite bpow_plus. reflexivity. }
assert (Tn : tiny <= / 10 * bpow radix2 (-978)).
{ unfold tiny. change (-1074)%Z with (-96 + -978)%Z. rewrite bpow_plus. apply Rmult_le_compat_r; [apply bpow_ge_0|].
  apply Rle_trans with (bpow radix2 (-10)); [apply bpow_le; lia|simpl; lra]. }
assert (Y1 : y <= bpow radix2 (-976)).
{ destruct O1 as (_ & z & Wz & Dz). destruct (within_below (2 + 1)%nat _ _ ltac:(simpl; lra) Wz) as [[_ Z] _].
  apply Rabs_le_inv in Dz. unfold slack in *. lra. }
assert (Sq : 0 <= rnd (y * y) <= y /\ rnd (y * y) <= tiny).
{ assert (L1 : bpow radix2 (-976) <= 1) by (change 1 with (bpow radix2 0); apply bpow_le; lia).
  split; [split|].
  - apply rnd_nonneg, Rmult_le_pos; lra.
  - rewrite <- Dy at 3. apply rnd_le. rewrite <- (Rmult_1_r y) at 3. apply Rmult_le_compat_l; lra.
  - replace tiny with (rnd tiny).
    + apply rnd_le. apply Rle_trans with (bpow radix2 (-976) * bpow radix2 (-976)); [apply Rmult_le_compat; lra|].
      rewrite <- bpow_plus. apply bpow_le. lia.
    + apply round_generic; [apply valid_rnd_N|]. apply generic_format_bpow. unfold FLT_exp. lia. }
assert (O2 : off 3 (6 * tiny) (y - rnd (y * y)) q).
{ destruct O1 as (_ & z & Wz & Dz). split; [lra|]. exists z. split; [exact Wz|].
  apply Rabs_le_inv in Dz. apply Rabs_le. unfold slack in *. lra. }
apply off_rnd in O2. rewrite <- Ml in O2.
assert (O3 : off 4 (10 * tiny) low q) by (apply off_weaken with (3 := O2); [lia|unfold slack; lra]).
split; [exact O3|]. rewrite Ms.
assert (O4 := off_mult 1 4 0 (10 * tiny) total low A q ltac:(simpl; lra) ltac:(simpl; lra) (off_within _ _ _ W) O3).
apply off_rnd in O4. apply off_weaken with (3 := O4); [lia|].
assert (A * tiny <= 4 * tiny) by (apply Rmult_le_compat_r; lra).
replace (0 * ((1 + slack) * q + 10 * tiny) + (1 + slack) * A * (10 * tiny)) with ((1 + slack) * 10 * (A * tiny)) by ring. unfold slack. lra.
Qed.

(** What scaling alpha and step down, and a number that is made of them up again, adds to it. *)
Lemma scaled_back a s power a' s' k d g q scaled scaled_low : 0 < a -> 0 < s -> 0 <= q <= 1 -> (k <= 6)%nat ->
  scaled_by_front a s power a' s' -> d <= 60 * tiny ->
  0 <= scaled_low -> Rabs (scaled_low - bpow radix2 power * scaled) <= g ->
  off k d scaled ((2 * a' + s') * q) -> off k ((2 * a + s) * (330 * tiny) + g) scaled_low ((2 * a + s) * q).
Proof.
intros A S Q K (Ea & Es & _ & _ & A' & S' & Size) D El0 El (_ & z & Wz & Dz).
assert (B := bpow_gt_0 radix2 power). set (b := bpow radix2 power) in *. assert (Tp := tiny_pos).
assert (Tt : tiny <= / 1000).
{ apply Rle_trans with (bpow radix2 (-10)); [apply bpow_le; lia|simpl; lra]. }
apply Rabs_le_inv in Ea. apply Rabs_le_inv in Es. apply Rabs_le_inv in El. apply Rabs_le_inv in Dz.
set (W := 2 * a' + s') in *. set (V := 2 * a + s) in *.
assert (bt : b * tiny <= / 1000 * b) by (rewrite (Rmult_comm b); apply Rmult_le_compat_r; lra).
assert (V1 : - (3 * (b * tiny)) <= V - b * W <= 3 * (b * tiny)) by (unfold V, W; lra).
assert (bW : / 4 * b <= b * W) by (rewrite (Rmult_comm (/ 4)); apply Rmult_le_compat_l; lra).
assert (b5 : b <= 5 * V) by lra.
assert (W0 : 0 < W) by lra. assert (V0 : 0 < V) by lra.
split; [exact El0|]. exists (V / W * z). split.
- replace (V * q) with (V / W * (W * q)) by (field; lra). change k with (0 + k)%nat.
  apply within_mult; [apply within_exact, Rlt_le, Rdiv_lt_0_compat; lra|exact Wz].
- destruct (within_below k _ _ ltac:(apply le_INR in K; simpl in K; lra) Wz) as [[Z0 Z1] _].
  assert (zW : z / W <= 2).
  { apply Rmult_le_reg_r with (1 := W0). unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    assert (W * q <= W * 1) by (apply Rmult_le_compat_l; lra). unfold slack in Z1. lra. }
  assert (zW0 : 0 <= z / W) by (apply Rmult_le_pos; [exact Z0|apply Rlt_le, Rinv_0_lt_compat, W0]).
  assert (M : - (6 * (b * tiny)) <= V / W * z - b * z <= 6 * (b * tiny)).
  { replace (V / W * z - b * z) with (z / W * (V - b * W)) by (field; lra). apply Rabs_le_inv. rewrite Rabs_mult, (Rabs_pos_eq (z / W)) by exact zW0.
    apply Rle_trans with (2 * (3 * (b * tiny))); [|lra]. apply Rmult_le_compat; [exact zW0|apply Rabs_pos|exact zW|apply Rabs_le; exact V1]. }
  assert (d0 : 0 <= d) by lra.
  assert (M2 : - (60 * (b * tiny)) <= b * scaled - b * z <= 60 * (b * tiny)).
  { replace (b * scaled - b * z) with (b * (scaled - z)) by ring.
    replace (60 * (b * tiny)) with (b * (60 * tiny)) by ring. split; [|apply Rmult_le_compat_l; lra].
    replace (- (b * (60 * tiny))) with (b * - (60 * tiny)) by ring. apply Rmult_le_compat_l; lra. }
  assert (b * tiny <= 5 * V * tiny) by (apply Rmult_le_compat_r; lra). apply Rabs_le. lra.
Qed.

(** q and A q within their roundings, but for what scaling back takes; or off by a few underflows. *)
Theorem made_within exponential a s eps low scaled_low : 0 < a -> 0 < s -> exponential_below_0 exponential ->
  made_by_front exponential a s eps low scaled_low ->
  let q := 1 / (1 + exp (eps / s)) in
  (bpow radix2 (-990) <= q /\ within 4 low q \/ q <= bpow radix2 (-978) /\ off 4 (10 * tiny) low q) /\
  off 6 ((2 * a + s) * (330 * tiny) + tiny) scaled_low ((2 * a + s) * q).
Proof.
intros A S (Hd & He & Hn) (power & shift & a' & s' & top & bottom & scaled & Sc & (Dt & Db & Ht & Hb & Eps) & El0 & El & Case) q.
assert (Sc' := Sc). destruct Sc' as (_ & _ & Da & Ds & A' & S' & Size & Size'). assert (Tp := tiny_pos).
assert (Q01 : 0 < q <= 1).
{ unfold q. assert (P := exp_pos (eps / s)). split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_le_reg_r with (1 + exp (eps / s)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
assert (Up : forall k d, (k <= 6)%nat -> d <= 60 * tiny -> off k d scaled ((2 * a' + s') * q) ->
  off 6 ((2 * a + s) * (330 * tiny) + tiny) scaled_low ((2 * a + s) * q)).
{ intros k d K D O. apply off_weaken with (3 := scaled_back a s power a' s' k d tiny q scaled scaled_low A S ltac:(lra) K Sc D El0 El O); [exact K|lra]. }
assert (Up0 : forall k, (k <= 6)%nat -> within k scaled ((2 * a' + s') * q) ->
  off 6 ((2 * a + s) * (330 * tiny) + tiny) scaled_low ((2 * a + s) * q)).
{ intros k K W. apply (Up k 0); [exact K|lra|now apply off_within]. }
assert (Qe : q = 1 / (1 + exp (bpow radix2 shift * (top / bottom)))) by (unfold q; rewrite Eps; reflexivity).
set (slope := bpow radix2 shift * (top / bottom)) in *. set (two := quotient_of_parts top bottom shift) in *.
assert (Below : slope <= 680 -> bpow radix2 (-990) <= q).
{ intros L. rewrite Qe. assert (E : exp slope <= exp 680) by (destruct L as [L| ->]; [apply Rlt_le, exp_increasing, L|lra]).
  assert (P := exp_pos slope). apply Rle_trans with (1 / (1 + exp 680)); [interval with (i_prec 60)|].
  unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
assert (Near : / 2 <= top <= 1 -> slope <= 1000 \/ fst two <= 999 -> Rabs (snd two) <= 126 / 10 ^ 18 * slope + / 10 ^ 30 /\
  Rabs (fst two - slope) <= 126 / 10 ^ 18 * slope + / 10 ^ 30 /\ double (fst two) /\
  Rabs (slope - (fst two + snd two)) <= 2 / 10 ^ 30 * slope + 2 / 10 ^ 30).
{ intros H L. destruct (slope_near top bottom shift Dt Db H Hb L) as (D0 & _ & _ & E & O & E'). now repeat split. }
cbv zeta in Case. unfold steep_from, left_out_from in Case. destruct Case as [[Flat Made]|[Steep [Ht' Made]]].
- destruct (near_case a' s' top bottom shift low scaled Da Ds) as [W1 W2]; try assumption; try lra.
  + apply Rle_trans with (bpow radix2 (-2)); [apply bpow_le; lia|simpl; lra].
  + fold slope in W1, W2. rewrite <- Qe in W1, W2. split; [left; split; [|exact W1]|apply (Up0 2%nat); [lia|exact W2]].
    apply Below. destruct Ht as [-> |Ht]; [unfold slope, Rdiv; rewrite Rmult_0_l, Rmult_0_r; lra|].
    destruct (Near Ht ltac:(right; lra)) as (_ & O & _). apply Rabs_le_inv in O. lra.
- assert (Ht2 : / 2 <= top <= 1) by lra. assert (W0 : within 1 (rnd (2 * a' + s')) (2 * a' + s')).
  { apply within_rnd; [|lra]. right. apply Rle_trans with (bpow radix2 (-2)); [apply bpow_le; lia|simpl; lra]. }
  destruct (Rle_lt_dec (fst two) 679) as [Mid|End].
  + destruct (Near Ht2 ltac:(right; lra)) as (_ & O & D0 & _). apply Rabs_le_inv in O.
    assert (Ex : bpow radix2 (-1022) <= exp (- fst two)).
    { apply Rle_trans with (exp (- (679))); [interval with (i_prec 60)|].
      destruct Mid as [X| ->]; [apply Rlt_le, exp_increasing; lra|lra]. }
    assert (Bq := Below ltac:(lra)). destruct (Rlt_dec (fst two) 800) as [L8|L8]; [|lra].
    destruct (steep_case a' s' top bottom shift _ _ low scaled A' S' Dt Db Ht2 Hb (conj Steep Mid)
      (He _ (rnd_double _ (double_opp _ D0)) ltac:(lra) Ex) W0 Made) as [W1 W2].
    * fold slope. rewrite <- Qe. unfold sizeable. apply Rle_trans with (bpow radix2 (-2) * bpow radix2 (-990)).
      -- rewrite <- bpow_plus. apply bpow_le. lia.
      -- apply Rmult_le_compat; try apply bpow_ge_0; [simpl; lra|exact Bq].
    * fold slope in W1, W2. rewrite <- Qe in W1, W2. split; [left; split; [exact Bq|exact W1]|apply (Up0 6%nat); [lia|exact W2]].
  + assert (Sl : 678 <= slope).
    { destruct (Rle_lt_dec 678 slope) as [L|L]; [exact L|exfalso].
      destruct (Near Ht2 ltac:(left; lra)) as (_ & O & _). apply Rabs_le_inv in O. lra. }
    assert (Qs : forall x y, x <= slope -> / exp x <= y -> 0 <= q <= y).
    { intros x y L Y. split; [lra|]. apply Rle_trans with (2 := Y). rewrite Qe. unfold Rdiv. rewrite Rmult_1_l.
      assert (E : exp x <= exp slope) by (destruct L as [L| <-]; [apply Rlt_le, exp_increasing, L|lra]).
      assert (P := exp_pos x). apply Rinv_le_contravar; lra. }
    assert (Q978 : 0 <= q <= bpow radix2 (-978)) by (apply (Qs 678); [exact Sl|interval with (i_prec 60)]).
    assert (D0 : double (fst two)).
    { unfold two, quotient_of_parts. cbv zeta. apply double_rnd. }
    destruct (Hn (- fst two) (rnd_double _ (double_opp _ D0)) ltac:(lra)) as [E0 E1]. apply Rabs_le_inv in E1.
    set (E := exponential (- fst two)) in *. set (x := exp (- fst two)) in *. assert (x0 : 0 < x) by apply exp_pos.
    set (rest := if Rlt_dec (fst two) 800 then snd two else 0) in *.
    assert (Us := u_size).
    assert (Core : Rabs rest <= 1 /\ Rabs (E - rnd (E * rest) - q) <= 8 / 5 * u * q + 3 * tiny).
    { unfold rest. destruct (Rlt_dec (fst two) 800) as [L8|L8].
      - destruct (Near Ht2 ltac:(right; lra)) as (R1 & O & _ & O2). assert (S8 : slope <= 801) by (apply Rabs_le_inv in O; lra).
        assert (R2 : Rabs (snd two) <= / 10 ^ 12) by (apply Rle_trans with (1 := R1); lra).
        split; [lra|]. clear rest Made. set (rest := snd two) in *. set (theta := slope - fst two).
        assert (O3 : Rabs (theta - rest) <= / 10 ^ 26).
        { replace (theta - rest) with (slope - (fst two + rest)) by (unfold theta; ring). apply Rle_trans with (1 := O2). lra. }
        assert (T1 : Rabs theta <= / 10 ^ 12).
        { unfold theta. rewrite <- Rabs_Ropp. replace (- (slope - fst two)) with (fst two - slope) by ring. apply Rle_trans with (1 := O). lra. }
        assert (T2 := exp_near_0 theta ltac:(lra)).
        assert (T3 : theta * theta <= / 10 ^ 24).
        { rewrite <- (Rabs_pos_eq (theta * theta)) by nra. rewrite Rabs_mult. assert (P := Rabs_pos theta).
          apply Rle_trans with (/ 10 ^ 12 * / 10 ^ 12); [apply Rmult_le_compat; lra|lra]. }
        set (r := exp (- theta)) in *. assert (Er : exp (- slope) = x * r).
        { unfold x, r, theta. rewrite <- exp_plus. f_equal. ring. }
        assert (Pe := rnd_error (E * rest)). rewrite Rabs_mult, (Rabs_pos_eq E E0) in Pe.
        assert (Pu : u * (E * Rabs rest) <= E * / 10 ^ 26).
        { replace (u * (E * Rabs rest)) with (E * (u * Rabs rest)) by ring. apply Rmult_le_compat_l; [exact E0|].
          apply Rle_trans with (/ 5000000000000000 * / 10 ^ 12); [apply Rmult_le_compat; [lra|apply Rabs_pos|lra|lra]|lra]. }
        assert (Lt : least = / 2 * tiny).
        { unfold least, tiny. change (-1075)%Z with (-1 + -1074)%Z. rewrite bpow_plus. reflexivity. }
        assert (qx : q = x * r / (1 + x * r)).
        { rewrite Qe, <- Er, exp_Ropp. assert (P := exp_pos slope). field. lra. }
        apply Rabs_le_inv in R2. apply Rabs_le_inv in O3. apply Rabs_le_inv in T2. apply Rabs_le_inv in Pe.
        set (X := x * r) in *. assert (r0 : 1 - 2 / 10 ^ 12 <= r <= 1 + 2 / 10 ^ 12) by lra.
        assert (X1 : x * (1 - 2 / 10 ^ 12) <= X <= x * (1 + 2 / 10 ^ 12)) by (split; apply Rmult_le_compat_l; lra).
        assert (X0 : 0 < X) by lra.
        assert (Xs : X <= bpow radix2 (-977)).
        { rewrite <- Er, exp_Ropp. apply Rle_trans with (/ exp 678); [|interval with (i_prec 60)].
          apply Rinv_le_contravar; [apply exp_pos|]. destruct Sl as [L| <-]; [apply Rlt_le, exp_increasing, L|lra]. }
        assert (XX : 0 <= X * X <= / 1000 * tiny).
        { split; [apply Rmult_le_pos; lra|]. apply Rle_trans with (bpow radix2 (-977) * bpow radix2 (-977)); [apply Rmult_le_compat; lra|].
          apply Rle_trans with (bpow radix2 (-10) * tiny); [unfold tiny; rewrite <- !bpow_plus; apply bpow_le; lia|].
          apply Rmult_le_compat_r; [lra|simpl; lra]. }
        assert (Dq : 0 <= X - q <= / 1000 * tiny).
        { replace (X - q) with (X * X / (1 + X)) by (rewrite qx; field; lra).
          assert (I : 0 < / (1 + X) <= 1).
          { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
          unfold Rdiv. split; [apply Rmult_le_pos; lra|]. apply Rle_trans with (X * X * 1); [apply Rmult_le_compat_l; lra|lra]. }
        (* E (1 - rest) beside x r *)
        set (g := E - x). assert (Hg : - (3 / 2 * u * x + tiny) <= g <= 3 / 2 * u * x + tiny) by (unfold g; lra).
        assert (Gr : - (/ 10 ^ 12 * (3 / 2 * u * x + tiny)) <= g * rest <= / 10 ^ 12 * (3 / 2 * u * x + tiny)).
        { apply Rabs_le_inv. rewrite Rabs_mult, Rmult_comm. apply Rmult_le_compat; try apply Rabs_pos; apply Rabs_le; lra. }
        assert (Xr : - (x * (3 / 10 ^ 24)) <= x * ((1 - rest) - r) <= x * (3 / 10 ^ 24)).
        { split; [replace (- (x * (3 / 10 ^ 24))) with (x * - (3 / 10 ^ 24)) by ring|]; apply Rmult_le_compat_l; lra. }
        assert (Split : E - rnd (E * rest) - X = g - g * rest + x * ((1 - rest) - r) - (rnd (E * rest) - E * rest)).
        { unfold g, X. ring. }
        assert (EE : E * / 10 ^ 26 <= (2 * x + tiny) * / 10 ^ 26).
        { apply Rmult_le_compat_r; [lra|]. assert (u * x <= / 100 * x) by (apply Rmult_le_compat_r; lra). unfold g in Hg. lra. }
        assert (Ux : / 10 ^ 16 * x <= u * x <= / 5000000000000000 * x) by (split; apply Rmult_le_compat_r; lra).
        assert (Uq : u * (x * (1 - 2 / 10 ^ 12) - / 1000 * tiny) <= u * q) by (apply Rmult_le_compat_l; lra).
        assert (Ut : u * tiny <= / 1000 * tiny) by (apply Rmult_le_compat_r; lra).
        apply Rabs_le. lra.
      - rewrite Rabs_R0. split; [lra|]. rewrite Rmult_0_r, rnd_0, Rminus_0_r.
        assert (Sl8 : 790 <= slope).
        { destruct (Rle_lt_dec 790 slope) as [L|L]; [exact L|exfalso].
          destruct (Near Ht2 ltac:(left; lra)) as (_ & O & _). apply Rabs_le_inv in O. lra. }
        assert (Qt := Qs 790 (/ 10 * tiny) Sl8 ltac:(unfold tiny; interval with (i_prec 60))).
        assert (xt : x <= / 10 * tiny).
        { unfold x. apply Rle_trans with (exp (- (790))); [|unfold tiny; interval with (i_prec 60)].
          apply Rlt_le, exp_increasing. lra. }
        assert (u * x <= 1 * x) by (apply Rmult_le_compat_r; lra). assert (0 <= u * q) by (apply Rmult_le_pos; lra).
        apply Rabs_le. lra. }
    destruct Core as [Rest Core].
    destruct (steep_far (rnd (2 * a' + s')) E rest low scaled (2 * a' + s') q (Hd _) E0 Rest ltac:(lra) W0 Q978 Core Made) as [L1 L2].
    split; [right; split; [apply Q978|exact L1]|]. apply (Up 6%nat (60 * tiny)); [lia|lra|exact L2].
Qed.

Section Answer.
(** The pair, and its hockey-stick at e^eps. *)
Variables a s eps B h : R.
(** Of all sizes that are tried. *)
Hypothesis tried : delta_is_tried a s eps.
Let Ha : 0 < a. Proof. apply (delta_sizes a s eps tried). Qed.
Let Hs : 0 < s. Proof. apply (delta_sizes a s eps tried). Qed.
Let q := 1 / (1 + exp (eps / s)).
Let A := 2 * a + s.
Let factor := Rpower q a * Rpower (1 - q) (a + s) / B * (A / (a * (a + s))).
Hypothesis constant : beta_constant a (a + s) B.
Hypothesis profile : hockey (exp eps) a a s B B h.
Let size : bpow radix2 (-930) <= A <= bpow radix2 932. Proof. apply (delta_sizes a s eps tried). Qed.
Let size_step : bpow radix2 (-940) <= s / A. Proof. apply (delta_sizes a s eps tried). Qed.
(** What its loop begins with. *)
Variables low scaled_low : R.
Variables term partner total : nat -> R.
Let second := rnd (a + s).
Let whole := rnd (2 * a + s).
Variable exponential : R -> R.
Hypothesis exponential_near : exponential_below_0 exponential.
Hypothesis made : made_by_front exponential a s eps low scaled_low.
Hypothesis term0 : term 0%nat = rnd (s / whole).
Hypothesis partner0 : partner 0%nat = rnd (a / whole).
Hypothesis total0 : total 0%nat = term 0%nat.
Let scale := a * (a + s) / A.
Let T k := scale * PositiveSeries.T a s q k.
Let U k := scale * PositiveSeries.U a s q k.

Lemma positive : 0 < A. Proof. unfold A; lra. Qed.

Lemma Q : 0 < q < 1.
Proof.
assert (E := exp_pos (eps / s)). unfold q. split; [apply Rdiv_lt_0_compat; lra|].
apply Rmult_lt_reg_r with (1 + exp (eps / s)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma rounded_within x : bpow radix2 (-1000) <= x -> within 1 (rnd x) x.
Proof.
intros X. assert (P : 0 < bpow radix2 (-1000)) by apply bpow_gt_0. apply within_rnd; [|lra].
right. apply Rle_trans with (2 := X). apply bpow_le. lia.
Qed.

Lemma whole_within : within 1 whole A.
Proof. apply rounded_within. apply Rle_trans with (2 := proj1 size). apply bpow_le. lia. Qed.

Lemma second_within : within 1 second (a + s).
Proof.
apply rounded_within. assert (E : bpow radix2 (-930) = 2 * bpow radix2 (-931)).
{ change (-930)%Z with (1 + -931)%Z. rewrite bpow_plus. reflexivity. }
apply Rle_trans with (bpow radix2 (-931)); [apply bpow_le; lia|]. assert (H := size). unfold A in H. lra.
Qed.

Lemma term0_within : within 2 (term 0%nat) (s / A).
Proof.
rewrite term0. assert (W : within (0 + 1) (s / whole) (s / A)).
{ apply within_div; [apply positive|apply within_exact; lra|apply whole_within]. }
refine (rounded 1 _ _ W _). apply normal_within with (2 := W); [simpl; lra|].
unfold sizeable. apply Rle_trans with (2 := size_step). apply bpow_le. lia.
Qed.

Lemma partner0_off : off 2 (2 * tiny) (partner 0%nat) (a / A).
Proof.
rewrite partner0. assert (W : within (0 + 1) (a / whole) (a / A)).
{ apply within_div; [apply positive|apply within_exact; lra|apply whole_within]. }
assert (O := off_rnd _ _ _ _ (off_within _ _ _ W)). apply off_weaken with (3 := O); [lia|].
assert (P := tiny_pos). lra.
Qed.

(** What scaling alpha and step, and A q back, adds. *)
Lemma scaling_small : A * (330 * tiny) + tiny <= bpow radix2 (-132).
Proof.
apply Rle_trans with ((A + 1) * bpow radix2 (-1065)).
- assert (E512 : bpow radix2 (-1065) = 512 * tiny).
  { unfold tiny. change (-1065)%Z with (9 + -1074)%Z. rewrite bpow_plus. reflexivity. }
  assert (A0 := positive). assert (Tp := tiny_pos). assert (0 <= A * tiny) by (apply Rmult_le_pos; lra). rewrite E512. lra.
- apply Rle_trans with (bpow radix2 933 * bpow radix2 (-1065)).
  + apply Rmult_le_compat_r; [apply bpow_ge_0|]. change 933%Z with (1 + 932)%Z. rewrite bpow_plus. simpl (bpow radix2 1).
    assert (1 <= bpow radix2 932) by (change 1 with (bpow radix2 0); apply bpow_le; lia). assert (Y := proj2 size). lra.
  + rewrite <- bpow_plus. apply Rle_refl.
Qed.

Lemma low_off : off 4 (bpow radix2 (-150)) low q /\ off 6 (bpow radix2 (-132)) scaled_low (A * q).
Proof.
destruct (made_within exponential a s eps low scaled_low Ha Hs exponential_near made) as [M W]. fold q in M. fold q A in W.
assert (T150 : 0 < bpow radix2 (-150)) by apply bpow_gt_0.
split.
- destruct M as [[_ M]|[_ M]]; [apply off_weaken with (3 := off_within _ _ _ M); [lia|lra]|].
  apply off_weaken with (3 := M); [lia|]. apply Rle_trans with (bpow radix2 4 * tiny).
  + apply Rmult_le_compat_r; [apply Rlt_le, tiny_pos|simpl; lra].
  + unfold tiny. rewrite <- bpow_plus. apply bpow_le. lia.
- apply off_weaken with (3 := W); [lia|].
  exact scaling_small.
Qed.

Lemma exact_run : T 0%nat = s / A /\ U 0%nat = a / A /\
  (forall m, T (S m) = q * (A + INR m) / (a + INR (S m)) * (T m + U m * (s / (a + s + INR (S m))))) /\
  (forall m, U (S m) = q * (A + INR m) * U m / (a + s + INR (S m))).
Proof.
assert (Q0 := proj1 Q). repeat split.
- unfold T. rewrite PositiveSeries.T_0 by assumption. unfold scale, A. field; lra.
- unfold U. rewrite PositiveSeries.U_0 by assumption. unfold scale, A. field; lra.
- intros k. unfold T, U. rewrite PositiveSeries.recurrence by assumption. assert (M := pos_INR k). rewrite S_INR. unfold scale, A. field; lra.
- intros k. unfold U. rewrite PositiveSeries.recurrence_of_partner by assumption. assert (M := pos_INR k). rewrite S_INR. unfold scale, A. field; lra.
Qed.

Lemma sizes_again : A <= bpow radix2 932 /\ bpow radix2 (-940) <= s / A.
Proof. split; [apply size|exact size_step]. Qed.

Lemma partial_sums k : acc T k = scale * sum_f_R0 (PositiveSeries.T a s q) k.
Proof. induction k as [|k IH]; simpl; [reflexivity|]. rewrite IH. unfold T. ring. Qed.

(** The loop as the source runs it, for n terms after the first. *)
Variable n : nat.
Hypothesis run : forall m, (m < n)%nat -> (term (S m), partner (S m), total (S m)) =
  step_advance m a s second low scaled_low (term m) (partner m) (total m).
Hypothesis some : (1 <= n)%nat.
Hypothesis few : INR n <= 16000.

Lemma total_double m : (m <= n)%nat -> rnd (total m) = total m.
Proof.
destruct m as [|m]; intros L; [rewrite total0, term0; apply rnd_rnd|].
rewrite (Underflow.total_added a s second low scaled_low term partner total n run) by lia. apply rnd_rnd.
Qed.

Lemma term_positive m : (m <= n)%nat -> 0 <= term m.
Proof.
intros L. destruct exact_run as (E1 & E2 & E3 & E4). destruct sizes_again as [S1 S2]. destruct low_off as [L1 L2].
exact (proj1 (proj1 (Underflow.whole_run a s q Ha Hs Q S1 S2 second low scaled_low second_within _ _ L1 L2
  (Rle_refl _) (Rle_refl _) T U E1 E2 E3 E4 term partner total term0_within partner0_off n few run m L))).
Qed.

Lemma total_grows m k : (m <= k <= n)%nat -> total m <= total k.
Proof.
intros [L1 L2]. induction k as [|k].
- replace m with 0%nat by lia. lra.
- destruct (Nat.eq_dec m (S k)) as [->|D]; [lra|].
  apply Rle_trans with (total k); [apply IHk; lia|].
  rewrite (Underflow.total_added a s second low scaled_low term partner total n run) by lia.
  rewrite <- (total_double k) at 1 by lia. apply rnd_le. assert (P := term_positive (S k) L2). lra.
Qed.

(** Its blocks, and the test that ends it. *)
Variables (place : nat -> nat) (weighted : nat -> R) (blocks : nat).
Hypothesis weighs_them : weighs place weighted total blocks n.
Hypothesis below_1 : ratio_of n a whole low < largest_ratio.
Hypothesis converged : rnd (term n * ratio_of n a whole low) <= negligible_of (total n) (ratio_of n a whole low).

Lemma weighted_nonneg j : (j <= blocks)%nat -> 0 <= weighted j.
Proof.
destruct weighs_them as (P0 & Pn & W0 & P & W). induction j as [|j]; intros L; [lra|].
rewrite W by lia. destruct (P j) as (L1 & L2); [lia|]. apply rnd_nonneg.
apply Rplus_le_le_0_compat; [apply IHj; lia|]. apply rnd_nonneg, Rmult_le_pos; [|apply pos_INR].
apply rnd_nonneg. assert (total (place j) <= total (place (S j))) by (apply total_grows; lia). lra.
Qed.

Lemma total_ample : ample (total n).
Proof.
apply Rle_trans with (total 0%nat); [|apply total_grows; lia]. rewrite total0.
destruct (within_below 2 _ _ ltac:(simpl; lra) term0_within) as [_ L]. unfold slack in L.
assert (P : 0 < bpow radix2 (-941)) by apply bpow_gt_0. assert (S' := size_step).
assert (E : bpow radix2 (-940) = 2 * bpow radix2 (-941)).
{ change (-940)%Z with (1 + -941)%Z. rewrite bpow_plus. reflexivity. }
apply Rle_trans with (bpow radix2 (-941)); [apply bpow_le; lia|lra].
Qed.

Let rho := PositiveSeries.rho a s q n.

(** The sum of all terms: the one that was made, and what the doubt of it covers. *)
Lemma enclosed : let units := units_recorded (weighted blocks) (total n) (INR n) in
  total n <= 3 * acc T n /\ rho < 1 /\ T n * (rho / (1 - rho)) <= 104 / 100 * bpow radix2 (-58) * total n /\
  Rabs (total n - acc T n) <= (u * units + bpow radix2 (-68)) * total n.
Proof.
intros units. destruct exact_run as (E1 & E2 & E3 & E4). destruct sizes_again as [S1 S2]. destruct low_off as [L1 L2].
destruct (Underflow.sum_near a s q Ha Hs Q S1 S2 second low scaled_low second_within _ _ L1 L2
  (Rle_refl _) (Rle_refl _) T U E1 E2 E3 E4 term partner total term0_within partner0_off n few run total0
  place weighted blocks weighs_them) as (M1 & M2 & M3 & x & Wx & Dx).
assert (V := total_ample). assert (V0 : 0 < total n) by (apply Rlt_le_trans with (2 := V); apply bpow_gt_0).
assert (Q0 := Q). assert (A0 := positive). assert (R0 := PositiveSeries.rho_pos a s q (proj1 Q0) n). fold rho in R0.
assert (C0 : 0 < bpow radix2 (-58)) by apply bpow_gt_0. set (c := bpow radix2 (-58)) in *.
split; [exact M2|]. fold units in M3.
enough (rho < 1 /\ T n * (rho / (1 - rho)) <= 104 / 100 * c * total n) by (split; [|split]; tauto).
assert (M := made_within exponential a s eps low scaled_low Ha Hs exponential_near made). cbv zeta in M. fold q A in M.
destruct M as [[(Bq & W)|(Sq & _)] _].
- assert (Sl : sizeable q) by (unfold sizeable; apply Rle_trans with (2 := Bq); apply bpow_le; lia).
  destruct (stops_late a s q Ha Hs (proj1 Q0) low whole W whole_within Sl n (term n) (total n) x some few V Wx below_1 converged) as [R1 Rest].
  fold rho c in R1, Rest. split; [lra|].
  assert (Rr : 0 <= rho / (1 - rho) <= 1250).
  { split; [apply Rlt_le, Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (1 - rho); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  apply Rabs_le_inv in Dx. assert (B84 : bpow radix2 (-84) * total n * 1250 <= / 100 * c * total n).
  { unfold c. change (-84)%Z with (-26 + -58)%Z. rewrite bpow_plus. fold c.
    assert (0 <= c * total n) by (apply Rmult_le_pos; lra). simpl (bpow radix2 (-26)). lra. }
  assert ((T n - x) * (rho / (1 - rho)) <= bpow radix2 (-84) * total n * 1250).
  { apply Rle_trans with (bpow radix2 (-84) * total n * (rho / (1 - rho))); [apply Rmult_le_compat_r; lra|].
    apply Rmult_le_compat_l; [|lra]. apply Rmult_le_pos; [apply bpow_ge_0|lra]. }
  lra.
- assert (A1 : A + 1 <= bpow radix2 933).
  { change 933%Z with (1 + 932)%Z. rewrite bpow_plus. simpl (bpow radix2 1).
    assert (1 <= bpow radix2 932) by (change 1 with (bpow radix2 0); apply bpow_le; lia). assert (Y := proj2 size). lra. }
  assert (QA : q * (A + 1) <= bpow radix2 (-45)).
  { apply Rle_trans with (bpow radix2 (-978) * bpow radix2 933); [apply Rmult_le_compat; lra|].
    rewrite <- bpow_plus. apply Rle_refl. }
  assert (B45 : bpow radix2 (-45) = 8192 * c) by (unfold c; change (-45)%Z with (13 + -58)%Z; rewrite bpow_plus; reflexivity).
  assert (C1 : c <= / 10 ^ 17) by (unfold c; simpl; lra).
  assert (Small : forall k, Underflow.factor A q a k <= bpow radix2 (-45)).
  { intros k. unfold Underflow.factor. assert (K := pos_INR k). rewrite S_INR. apply Rle_trans with (2 := QA).
    unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    apply Rmult_le_reg_r with (a + (INR k + 1)); [lra|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (0 <= A * (a + INR k)) by (apply Rmult_le_pos; lra). lra. }
  assert (G1 : forall k, growth A q a k = 1).
  { apply no_growth. intros k. specialize (Small k). lra. }
  assert (Rs : rho <= 2 * bpow radix2 (-45)).
  { unfold rho, PositiveSeries.rho. fold A. assert (N := pos_INR n).
    assert (X1 : (INR n + 2) / (INR n + 1) <= 2).
    { apply Rmult_le_reg_r with (INR n + 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    assert (X0 : 0 <= (INR n + 2) / (INR n + 1)) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
    assert (X2 : Rmax 1 ((A + INR n) / (a + INR n + 1)) <= A + 1).
    { apply Rmax_lub; [lra|]. apply Rmult_le_reg_r with (a + INR n + 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      assert (0 <= A * (a + INR n)) by (apply Rmult_le_pos; lra). lra. }
    assert (X3 := Rmax_l 1 ((A + INR n) / (a + INR n + 1))).
    apply Rle_trans with (q * 2 * (A + 1)); [|lra].
    apply Rmult_le_compat; [apply Rmult_le_pos; lra|lra|apply Rmult_le_compat; lra|exact X2]. }
  assert (Last : T n <= bpow radix2 (-45) * (16002 * (3 * total n))).
  { clear - some few E1 E2 E3 E4 Small G1 M1 M2 V0 Ha Hs size size_step Q0 A0. destruct n as [|k]; [lia|]. rewrite S_INR in few.
    rewrite E3. fold A. change (q * (A + INR k) / (a + INR (S k))) with (Underflow.factor A q a k).
    assert (N := pos_INR k). assert (Tk := T_upper a s q Ha Hs Q0 T U E1 E2 E3 E4 k).
    assert (Fk := fed a s q Ha Hs Q0 T U E1 E2 E3 E4 k). rewrite G1, Rmult_1_r in Tk, Fk. fold A in Tk, Fk.
    destruct (TU_positive a s q Ha Hs Q0 T U E1 E2 E3 E4 k) as [Tp Up].
    assert (S0 : s / A <= 3 * total (S k)).
    { apply Rle_trans with (2 := M1). rewrite <- E1. clear - E1 E2 E3 E4 Ha Hs Q0. generalize (S k). intros m.
      assert (P := fun k => proj1 (TU_positive a s q Ha Hs Q0 T U E1 E2 E3 E4 k)).
      induction m as [|m IH]; simpl; [lra|]. generalize (P (S m)). lra. }
    assert (s0 : 0 < s / A) by (apply Rdiv_lt_0_compat; lra).
    assert (F0 : 0 <= U k * (s / (a + s + INR (S k)))).
    { apply Rmult_le_pos; [lra|]. apply Rlt_le, Rdiv_lt_0_compat; [easy|]. generalize (pos_INR (S k)). lra. }
    assert (Rp := Underflow.factor_pos A q a A0 ltac:(lra) Ha k).
    apply Rmult_le_compat; [lra|lra|apply Small|].
    apply Rle_trans with (16001 * (s / A) + s / A); [|lra].
    assert ((INR k + 1) * (s / A) <= 16001 * (s / A)) by (apply Rmult_le_compat_r; lra). lra. }
  split; [lra|]. assert (Rr : 0 <= rho / (1 - rho) <= 4 * bpow radix2 (-45)).
  { split; [apply Rlt_le, Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (1 - rho); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. rewrite B45 in *.
    assert (rho * c <= / 10 ^ 6 * c) by (apply Rmult_le_compat_r; lra). lra. }
  assert (T0n : 0 <= T n) by apply Rlt_le, (TU_positive a s q Ha Hs Q0 T U E1 E2 E3 E4 n).
  apply Rle_trans with (bpow radix2 (-45) * (16002 * (3 * total n)) * (4 * bpow radix2 (-45))).
  + apply Rmult_le_compat; lra.
  + rewrite B45. replace (8192 * c * (16002 * (3 * total n)) * (4 * (8192 * c))) with (8192 * 8192 * 4 * 3 * 16002 * c * (c * total n)) by ring.
    replace (104 / 100 * c * total n) with (104 / 100 * (c * total n)) by ring.
    apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|lra].
Qed.

Lemma factor_positive : 0 < factor /\ 0 < scale.
Proof.
assert (A0 := positive). assert (P : 0 < a * (a + s)) by (apply Rmult_lt_0_compat; lra).
split; [|unfold scale; now apply Rdiv_lt_0_compat]. unfold factor. apply Rmult_lt_0_compat; [|now apply Rdiv_lt_0_compat].
apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; apply exp_pos|apply constant].
Qed.

Lemma hockey_between : rho < 1 ->
  factor * acc T n < h <= factor * (acc T n + T n * (rho / (1 - rho))).
Proof.
intros R1. assert (A0 := positive). destruct (delta_enclosed a s eps B n Ha Hs constant R1) as (d & Hd & Lower & Upper).
assert (Dh : d = h) by (apply (is_RInt_gen_unique (V := R_CompleteNormedModule)) in Hd, profile; congruence).
subst d. fold q in Lower, Upper.
assert (B0 : 0 < B) by apply constant.
assert (Fa : forall x, factor * (scale * x) = Rpower q a * Rpower (1 - q) (a + s) / B * x).
{ intros x. unfold factor, scale. field. repeat split; lra. }
rewrite partial_sums. unfold T. rewrite Rmult_assoc, <- Rmult_plus_distr_l, !Fa. split; [exact Lower|exact Upper].
Qed.

Lemma hockey_1 : 0 <= h <= 1.
Proof.
split.
- assert (E := hockey_between (proj1 (proj2 enclosed))). destruct factor_positive as [F _].
  assert (V := total_ample). assert (V0 : 0 < total n) by (apply Rlt_le_trans with (2 := V); apply bpow_gt_0).
  assert (M := proj1 enclosed). assert (0 <= factor * acc T n) by (apply Rmult_le_pos; lra). lra.
- refine (hockey_at_most_1 (exp eps) a a s B B h _ _ _ profile); [apply Rlt_le, exp_pos|apply constant|].
  apply beta_symmetric, constant.
Qed.

(** Where the test ends the loop, the sum and the doubt that _record computes enclose the whole series. *)
Theorem recorded_doubt_encloses :
  let doubt_of_sum := recorded_doubt (recorded_units n (weighted blocks) (total n)) in
  Rabs (h - factor * total n) <= doubt_of_sum * (10002 / 10000) * (factor * total n).
Proof.
intros doubt_of_sum. destruct enclosed as (_ & R1 & Rest & Sum). set (units := units_recorded (weighted blocks) (total n) (INR n)) in *.
destruct (hockey_between R1) as [Lower Upper]. destruct factor_positive as [F _].
assert (V := total_ample). assert (V0 : 0 < total n) by (apply Rlt_le_trans with (2 := V); apply bpow_gt_0).
destruct (recorded_doubt_rounded n (weighted blocks) (total n) (weighted_nonneg _ (Nat.le_refl _)) V) as [Un Dn].
fold doubt_of_sum units in Dn. fold units in Un.
assert (C : bpow radix2 (-68) <= / 1000 * bpow radix2 (-58)).
{ change (-68)%Z with (-10 + -58)%Z. rewrite bpow_plus. apply Rmult_le_compat_r; [apply bpow_ge_0|simpl; lra]. }
assert (C0 : 0 < bpow radix2 (-58)) by apply bpow_gt_0. set (c := bpow radix2 (-58)) in *.
assert (Us := u_pos). assert (0 <= u * units) by (apply Rmult_le_pos; lra).
assert (D0 : u * units + 2 * c <= doubt_of_sum * (10002 / 10000)) by lra.
apply Rabs_le_inv in Sum. assert (cV : bpow radix2 (-68) * total n <= / 1000 * c * total n) by (apply Rmult_le_compat_r; lra).
assert (N : forall x, x <= (u * units + 2 * c) * total n -> factor * x <= doubt_of_sum * (10002 / 10000) * (factor * total n)).
{ intros x X. replace (doubt_of_sum * (10002 / 10000) * (factor * total n)) with (factor * (doubt_of_sum * (10002 / 10000) * total n)) by ring.
  apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := X). apply Rmult_le_compat_r; lra. }
assert (0 <= c * total n) by (apply Rmult_le_pos; lra).
assert (N1 := N (acc T n + T n * (rho / (1 - rho)) - total n) ltac:(lra)).
assert (N2 := N (total n - acc T n) ltac:(lra)).
apply Rabs_le. lra.
Qed.

(** What front says of the logarithm of the factor, log within a unit in the last place, and the next
    double. *)
Variables logarithm doubt : R.
Hypothesis front : Rabs (logarithm - ln factor) <= doubt.
Variable log : R -> R.
Hypothesis log_is_a_double : forall x, rnd (log x) = log x.
Hypothesis log_error : forall x, rnd x = x -> bpow radix2 (-1000) <= x -> Rabs (log x - ln x) <= 2 * u * Rabs (ln x).
Variable next : R -> R -> R.
Hypothesis next_between : forall x y, Rmin x y <= next x y.

(** No sum is so large that _shrink would change it, where the terms fall from the first on or the factor
    is not next to nothing: the sum times the factor is at most 1. *)
Theorem never_shrinks m : (m <= n)%nat -> A * q <= a + 1 \/ -480 <= logarithm - doubt -> total m <= large_sum.
Proof.
intros L Case. unfold large_sum. apply Rle_trans with (total n); [apply total_grows; lia|].
destruct enclosed as (M & R1 & _). apply Rle_trans with (1 := M). clear M.
assert (P700 : bpow radix2 700 = 8 * bpow radix2 697).
{ change 700%Z with (3 + 697)%Z. rewrite bpow_plus. reflexivity. }
assert (P0 : 0 < bpow radix2 697) by apply bpow_gt_0.
assert (X : acc T n <= bpow radix2 697); [|lra]. destruct Case as [Falls|Large].
- destruct exact_run as (E1 & E2 & E3 & E4). assert (A0 := positive). assert (Q0 := Q).
  assert (s1 : s / A <= 1).
  { apply Rmult_le_reg_r with A; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. unfold A; lra. }
  assert (s0 : 0 < s / A) by (apply Rdiv_lt_0_compat; lra).
  assert (G1 := falling A q a ltac:(lra) Ha Falls).
  assert (Each : forall k, (k <= n)%nat -> T k <= 16001).
  { intros k K. apply le_INR in K. assert (N := pos_INR k).
    apply Rle_trans with (1 := T_upper a s q Ha Hs Q T U E1 E2 E3 E4 k). rewrite G1. fold A.
    rewrite <- (Rmult_1_r 16001). apply Rmult_le_compat; lra. }
  apply Rle_trans with (16001 * 16001).
  + assert (Y : forall k, (k <= n)%nat -> acc T k <= INR (S k) * 16001).
    { induction k as [|k IH]; intros K; [simpl; specialize (Each 0%nat K); lra|].
      change (acc T (S k)) with (acc T k + T (S k)). rewrite (S_INR (S k)). specialize (IH ltac:(lia)). specialize (Each (S k) K). lra. }
    apply Rle_trans with (1 := Y n (le_n _)). apply Rmult_le_compat_r; [lra|]. rewrite S_INR. lra.
  + apply Rle_trans with (bpow radix2 40); [simpl; lra|apply bpow_le; lia].
- destruct (hockey_between R1) as [Lower _]. assert (H1 := proj2 hockey_1). destruct factor_positive as [F _].
  apply Rabs_le_inv in front. assert (Fl : exp (-480) <= factor).
  { rewrite <- (exp_ln factor F). destruct (Rle_lt_or_eq_dec (-480) (ln factor) ltac:(lra)) as [Lt| <-]; [apply Rlt_le, exp_increasing, Lt|lra]. }
  assert (E : / bpow radix2 697 <= exp (-480)) by interval with (i_prec 60).
  apply Rmult_le_reg_l with (/ bpow radix2 697); [now apply Rinv_0_lt_compat|]. rewrite Rinv_l by lra.
  destruct (Rle_lt_dec (acc T n) 0) as [Neg|Pos].
  + assert (0 < / bpow radix2 697) by now apply Rinv_0_lt_compat.
    assert (0 <= / bpow radix2 697 * - acc T n) by (apply Rmult_le_pos; lra). lra.
  + assert (/ bpow radix2 697 * acc T n <= factor * acc T n) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** The answer is at or above the hockey-stick. *)
Theorem answer_is_not_below :
  let part := logarithm_of_sum log (total n) 0 in
  let doubt_of_sum := recorded_doubt (recorded_units n (weighted blocks) (total n)) in
  let log_delta := raised (rnd (logarithm + part)) doubt doubt_of_sum (rounding_of part logarithm) in
  h <= answer_of next (value_of exponential (Rmin log_delta 0)).
Proof.
intros part doubt_of_sum log_delta.
assert (V := total_ample). assert (V0 : 0 < total n) by (apply Rlt_le_trans with (2 := V); apply bpow_gt_0).
assert (Part : part = log (total n)).
{ unfold part, logarithm_of_sum. rewrite Rmult_0_l, rnd_0, Rplus_0_r. apply log_is_a_double. }
assert (E := recorded_doubt_encloses). cbv zeta in E. fold doubt_of_sum in E. apply Rabs_le_inv in E.
destruct factor_positive as [Fp _]. destruct hockey_1 as [Low One].
destruct (recorded_doubt_rounded n (weighted blocks) (total n) (weighted_nonneg _ (Nat.le_refl _)) V) as [Un Dn].
fold doubt_of_sum in Dn. assert (C0 : 0 < bpow radix2 (-58)) by apply bpow_gt_0. assert (Us := u_pos).
assert (0 <= u * units_recorded (weighted blocks) (total n) (INR n)) by (apply Rmult_le_pos; lra).
assert (D0 : 0 <= doubt_of_sum) by lra.
set (need := doubt_of_sum * (10002 / 10000)) in *.
apply answer_enough; [|exact next_between|apply rnd_rnd|lra|].
1:{ intros x X1 X2 X3. apply Rle_trans with (1 := proj1 (proj2 exponential_near) x X1 X2 X3).
  apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|lra]. }
assert (Lo : ln factor + ln (total n) + need <= log_delta).
{ apply Rabs_le_inv in front. unfold log_delta. rewrite Part.
  apply raised_enough; [lra|unfold need; lra|unfold need; lra|lra|apply log_error; [now apply total_double|exact V]]. }
apply Rle_trans with (factor * total n * (1 + need)); [lra|].
apply Rle_trans with (exp (ln factor + ln (total n) + need)).
- rewrite !exp_plus, !exp_ln by assumption. apply Rmult_le_compat_l; [apply Rlt_le, Rmult_lt_0_compat; assumption|].
  apply exp_ineq1_le.
- destruct Lo as [Lo|<-]; [apply Rlt_le, exp_increasing, Lo|lra].
Qed.
End Answer.
