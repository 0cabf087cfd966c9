(** A claim of one release, decided in whole numbers: from q and the front factor, each bounded by a
    rational, the series is summed upwards and the beta constant downwards, and what comes out is
    compared with the claimed delta.  All rounding is on the safe side, and proved. *)
From Coq Require Import Reals Lra Lia Psatz ZArith Bool.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw BetaSeries Profile UnitInterval.
From Simplexcert Require PositiveSeries.
Local Open Scope R_scope.

(** The beta constant from the two halves of the line, each by its series at r = 1/2. *)
Theorem constant_by_halves a b B : 0 < a -> 0 < b -> beta_constant a b B ->
  B = exp (- ((a + b) * ln 2)) * (PSeries (sc a b) (/ 2) + PSeries (sc b a) (/ 2)).
Proof.
intros Ha Hb C. rewrite (constant_by_parts a b B 0 Ha Hb C). unfold G, w. rewrite Ropp_0, sg_0, exp_0.
replace (a * 0 - (a + b) * ln (1 + 1)) with (- ((a + b) * ln 2)) by (replace (1 + 1) with 2 by ring; ring).
replace (b * 0 - (b + a) * ln (1 + 1)) with (- ((a + b) * ln 2)) by (replace (1 + 1) with 2 by ring; ring).
ring.
Qed.

(** Quotients rounded up and down. *)
Definition up (x y : Z) : Z := (- ((- x) / y))%Z.

Lemma down_below x y : (0 < y)%Z -> IZR (x / y) <= IZR x / IZR y.
Proof.
intros Y. assert (P : 0 < IZR y) by now apply IZR_lt.
apply Rmult_le_reg_r with (1 := P). unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
rewrite <- mult_IZR. apply IZR_le. rewrite Z.mul_comm. now apply Z.mul_div_le.
Qed.

Lemma up_above x y : (0 < y)%Z -> IZR x / IZR y <= IZR (up x y).
Proof.
intros Y. unfold up. rewrite opp_IZR. assert (D := down_below (- x) y Y).
rewrite opp_IZR in D. unfold Rdiv in *. lra.
Qed.

Section Sums.
(** alpha = an/den, step = sn/den; sums are in units of 1/one. *)
Variables one den an sn : Z.
Hypotheses (Hone : (0 < one)%Z) (Hden : (0 < den)%Z) (Han : (0 < an)%Z) (Hsn : (0 < sn)%Z).
Let alpha := IZR an / IZR den.
Let step := IZR sn / IZR den.

Let D0 : 0 < IZR den. Proof. now apply IZR_lt. Qed.
Let O0 : 0 < IZR one. Proof. now apply IZR_lt. Qed.
Let A0 : 0 < alpha. Proof. apply Rdiv_lt_0_compat; [now apply IZR_lt|apply D0]. Qed.
Let S0 : 0 < step. Proof. apply Rdiv_lt_0_compat; [now apply IZR_lt|apply D0]. Qed.

(** Terms of sum_n poch(a+b, n)/poch(a, n+1) 2^-n, rounded down; a = xn/den, a + b = cn/den. *)
Fixpoint halves (xn cn : Z) (count : nat) (n v total : Z) : Z :=
  match count with
  | O => total
  | S rest =>
      let v' := (v * (cn + n * den) / (2 * (xn + (n + 1) * den)))%Z in
      halves xn cn rest (n + 1)%Z v' (total + v')%Z
  end.

Lemma halves_below xn yn count : (0 < xn)%Z -> (0 < yn)%Z -> forall n v total,
  let c k := sc (IZR xn / IZR den) (IZR yn / IZR den) k * (/ 2) ^ k in
  (0 <= v)%Z -> IZR v <= IZR one * c n -> IZR total <= IZR one * sum_f_R0 c n ->
  IZR (halves xn (xn + yn) count (Z.of_nat n) v total) <= IZR one * sum_f_R0 c (n + count).
Proof.
intros X Y. set (a := IZR xn / IZR den). set (b := IZR yn / IZR den).
assert (Pa : 0 < a) by (apply Rdiv_lt_0_compat; [now apply IZR_lt|apply D0]).
assert (Pb : 0 < b) by (apply Rdiv_lt_0_compat; [now apply IZR_lt|apply D0]).
induction count; intros n v total c V Lv Lt; [rewrite Nat.add_0_r; exact Lt|].
set (v' := (v * (xn + yn + Z.of_nat n * den) / (2 * (xn + (Z.of_nat n + 1) * den)))%Z).
assert (Dp : (0 < 2 * (xn + (Z.of_nat n + 1) * den))%Z) by nia.
assert (Np : (0 <= xn + yn + Z.of_nat n * den)%Z) by nia.
assert (V' : (0 <= v')%Z) by (apply Z.div_pos; [now apply Z.mul_nonneg_nonneg|easy]).
assert (Step : IZR v' <= IZR one * c (S n)).
{ apply Rle_trans with (1 := down_below _ _ Dp).
  assert (Es : c (S n) = (a + b + INR n) / (2 * (a + INR (S n))) * c n).
  { unfold c. assert (E := sc_step a b Pa n). assert (N := pos_INR (S n)). simpl pow.
    apply Rmult_eq_reg_l with (a + INR (S n)); [|lra].
    replace ((a + INR (S n)) * (sc a b (S n) * (/ 2 * (/ 2) ^ n)))
      with ((a + INR (S n)) * sc a b (S n) * (/ 2 * (/ 2) ^ n)) by ring.
    rewrite E. field. lra. }
  rewrite Es.
  assert (En : IZR (v * (xn + yn + Z.of_nat n * den)) / IZR (2 * (xn + (Z.of_nat n + 1) * den))
    = (a + b + INR n) / (2 * (a + INR (S n))) * IZR v).
  { rewrite !mult_IZR, !plus_IZR, !mult_IZR, plus_IZR, <- INR_IZR_INZ, S_INR. unfold a, b.
    assert (N := pos_INR n). assert (0 < IZR xn) by now apply IZR_lt.
    assert (K := Rmult_lt_0_compat (INR n + 1) (IZR den) ltac:(lra) D0).
    assert (Pd := D0). field. repeat split; try lra. }
  rewrite En.
  replace (IZR one * ((a + b + INR n) / (2 * (a + INR (S n))) * c n))
    with ((a + b + INR n) / (2 * (a + INR (S n))) * (IZR one * c n)) by ring.
  apply Rmult_le_compat_l; [|easy].
  assert (N := pos_INR n). assert (N' := pos_INR (S n)).
  apply Rlt_le, Rdiv_lt_0_compat; lra. }
change (halves xn (xn + yn) (S count) (Z.of_nat n) v total)
  with (halves xn (xn + yn) count (Z.of_nat n + 1) v' (total + v')).
replace (Z.of_nat n + 1)%Z with (Z.of_nat (S n)) by lia.
replace (n + S count)%nat with (S n + count)%nat by lia.
apply IHcount; [exact V'|exact Step|].
rewrite plus_IZR. simpl sum_f_R0. rewrite Rmult_plus_distr_l. apply Rplus_le_compat; [exact Lt|exact Step].
Qed.

Lemma partial_below (c : nat -> R) n : (forall k, 0 <= c k) -> ex_series c -> sum_f_R0 c n <= Series c.
Proof.
intros P C. rewrite (Series_incr_n c (S n) (Nat.lt_0_succ n) C). simpl pred.
assert (0 <= Series (fun k => c (S n + k)%nat)); [|lra].
rewrite <- (Rmult_0_l (Series (fun _ => 0))), <- Series_scal_l. apply Series_le.
- intros k. rewrite Rmult_0_l. split; [lra|apply P].
- now apply (ex_series_incr_n c (S n)).
Qed.

(** S(a, b, 1/2), rounded down. *)
Definition half_sum (xn yn : Z) (count : nat) : Z :=
  let v := (one * den / xn)%Z in halves xn (xn + yn) count 0 v v.

Lemma half_sum_below xn yn count : (0 < xn)%Z -> (0 < yn)%Z ->
  IZR (half_sum xn yn count) <= IZR one * PSeries (sc (IZR xn / IZR den) (IZR yn / IZR den)) (/ 2).
Proof.
intros X Y. set (a := IZR xn / IZR den). set (b := IZR yn / IZR den).
assert (Pa : 0 < a) by (apply Rdiv_lt_0_compat; [now apply IZR_lt|apply D0]).
assert (Pb : 0 < b) by (apply Rdiv_lt_0_compat; [now apply IZR_lt|apply D0]).
set (c := fun k => sc a b k * (/ 2) ^ k).
apply Rle_trans with (IZR one * sum_f_R0 c (0 + count)).
2:{ apply Rmult_le_compat_l; [lra|]. apply partial_below.
  - intros k. apply Rmult_le_pos; [apply Rlt_le, sc_pos; easy|apply pow_le; lra].
  - apply ex_pseries_R, CV_radius_inside, inside; [easy|easy|rewrite Rabs_pos_eq; lra]. }
assert (F : IZR (one * den / xn) <= IZR one * c 0%nat).
{ apply Rle_trans with (1 := down_below _ _ X). right. rewrite mult_IZR. unfold c, sc, a; simpl.
  assert (0 < IZR xn) by now apply IZR_lt. field. lra. }
apply (halves_below xn yn count X Y 0%nat); [apply Z.div_pos; nia|exact F|exact F].
Qed.

(** The positive series, rounded up; qn/qd is above q. *)
Variables qn qd : Z.
Hypotheses (Hqn : (0 < qn)%Z) (Hqd : (0 < qd)%Z).
Variable q : R.
Hypotheses (Q0 : 0 < q) (Q1 : q <= IZR qn / IZR qd).

Fixpoint ascend (count : nat) (n t u total : Z) : Z * Z * Z :=
  match count with
  | O => (n, t, total)
  | S rest =>
      let c := (qn * (an + an + sn + n * den))%Z in
      let below := (an + sn + (n + 1) * den)%Z in
      let t' := up (c * (t + up (u * sn) below)) (qd * (an + (n + 1) * den)) in
      ascend rest (n + 1)%Z t' (up (c * u) (qd * below)) (total + t')%Z
  end.

Notation T := (PositiveSeries.T alpha step q).
Notation U := (PositiveSeries.U alpha step q).

Lemma ascend_above count : forall n t u total,
  IZR one * T n <= IZR t -> IZR one * U n <= IZR u -> IZR one * sum_f_R0 T n <= IZR total ->
  exists t' total', ascend count (Z.of_nat n) t u total = (Z.of_nat (n + count), t', total') /\
    IZR one * T (n + count) <= IZR t' /\ IZR one * sum_f_R0 T (n + count) <= IZR total'.
Proof.
assert (Pd := D0). assert (Pan : 0 < IZR an) by now apply IZR_lt. assert (Psn : 0 < IZR sn) by now apply IZR_lt.
assert (Pqd : 0 < IZR qd) by now apply IZR_lt. assert (Pqn : 0 < IZR qn) by now apply IZR_lt.
induction count; intros n t u total Lt Lu Ls.
- exists t, total. rewrite Nat.add_0_r. easy.
- set (c := (qn * (an + an + sn + Z.of_nat n * den))%Z).
  set (below := (an + sn + (Z.of_nat n + 1) * den)%Z).
  set (carry := up (u * sn) below). set (t' := up (c * (t + carry)) (qd * (an + (Z.of_nat n + 1) * den))).
  set (u' := up (c * u) (qd * below)).
  assert (N := pos_INR n). assert (Nz : (0 <= Z.of_nat n)%Z) by lia.
  assert (Bz : (0 < below)%Z) by (unfold below; nia).
  assert (Az : (0 < an + (Z.of_nat n + 1) * den)%Z) by nia.
  assert (Eb : IZR below = IZR den * (alpha + step + INR (S n))).
  { unfold below. rewrite !plus_IZR, mult_IZR, plus_IZR, <- INR_IZR_INZ, S_INR. unfold alpha, step. field. lra. }
  assert (Ea : IZR (an + (Z.of_nat n + 1) * den) = IZR den * (alpha + INR (S n))).
  { rewrite plus_IZR, mult_IZR, plus_IZR, <- INR_IZR_INZ, S_INR. unfold alpha. field. lra. }
  assert (Ec : IZR c = IZR qn * (IZR den * (2 * alpha + step + INR n))).
  { unfold c. rewrite mult_IZR, !plus_IZR, mult_IZR, <- INR_IZR_INZ. unfold alpha, step. field. lra. }
  assert (N' := pos_INR (S n)). assert (Pa := A0). assert (Ps := S0).
  assert (Pc : 0 < 2 * alpha + step + INR n) by lra.
  assert (Tp := PositiveSeries.T_pos alpha step q A0 S0 Q0 n).
  assert (Up : 0 < U n).
  { unfold PositiveSeries.U. repeat apply Rmult_lt_0_compat; [apply PositiveSeries.poch_pos; lra|now apply pow_lt|].
    apply Rinv_0_lt_compat, PositiveSeries.poch_pos; lra. }
  assert (Carry : IZR one * (U n * (step / (alpha + step + INR (S n)))) <= IZR carry).
  { unfold carry. apply Rle_trans with (2 := up_above _ _ Bz). rewrite mult_IZR, Eb.
    replace (IZR u * IZR sn / (IZR den * (alpha + step + INR (S n))))
      with (IZR u * (step / (alpha + step + INR (S n)))) by (unfold step at 1; field; lra).
    rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [|easy]. apply Rlt_le, Rdiv_lt_0_compat; lra. }
  assert (F : q * (2 * alpha + step + INR n) <= IZR c / (IZR qd * IZR den)).
  { rewrite Ec. replace (IZR qn * (IZR den * (2 * alpha + step + INR n)) / (IZR qd * IZR den))
      with (IZR qn / IZR qd * (2 * alpha + step + INR n)) by (field; lra).
    apply Rmult_le_compat_r; lra. }
  assert (Lt' : IZR one * T (S n) <= IZR t').
  { rewrite (PositiveSeries.recurrence alpha step q A0 S0). unfold t'.
    apply Rle_trans with (2 := up_above _ _ (Z.mul_pos_pos _ _ Hqd Az)). rewrite !mult_IZR, Ea, plus_IZR.
    replace (IZR c * (IZR t + IZR carry) / (IZR qd * (IZR den * (alpha + INR (S n)))))
      with (IZR c / (IZR qd * IZR den) * (/ (alpha + INR (S n)) * (IZR t + IZR carry))) by (field; lra).
    replace (IZR one * (q * (2 * alpha + step + INR n) / (alpha + INR (S n)) * (T n + U n * (step / (alpha + step + INR (S n))))))
      with (q * (2 * alpha + step + INR n) * (/ (alpha + INR (S n)) *
        (IZR one * T n + IZR one * (U n * (step / (alpha + step + INR (S n))))))) by (field; lra).
    assert (I0 : 0 < / (alpha + INR (S n))) by (apply Rinv_0_lt_compat; lra).
    apply Rmult_le_compat.
    - apply Rmult_le_pos; lra.
    - apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra.
      apply Rmult_le_pos; [lra|]. apply Rlt_le, Rdiv_lt_0_compat; lra.
    - exact F.
    - apply Rmult_le_compat_l; lra. }
  assert (Lu' : IZR one * U (S n) <= IZR u').
  { rewrite (PositiveSeries.recurrence_of_partner alpha step q A0 S0). unfold u'.
    apply Rle_trans with (2 := up_above _ _ (Z.mul_pos_pos _ _ Hqd Bz)). rewrite !mult_IZR, Eb.
    replace (IZR c * IZR u / (IZR qd * (IZR den * (alpha + step + INR (S n)))))
      with (IZR c / (IZR qd * IZR den) * (/ (alpha + step + INR (S n)) * IZR u)) by (field; lra).
    replace (IZR one * (q * (2 * alpha + step + INR n) * U n / (alpha + step + INR (S n))))
      with (q * (2 * alpha + step + INR n) * (/ (alpha + step + INR (S n)) * (IZR one * U n))) by (field; lra).
    assert (I0 : 0 < / (alpha + step + INR (S n))) by (apply Rinv_0_lt_compat; lra).
    apply Rmult_le_compat.
    - apply Rmult_le_pos; lra.
    - apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra.
    - exact F.
    - apply Rmult_le_compat_l; lra. }
  change (ascend (S count) (Z.of_nat n) t u total) with (ascend count (Z.of_nat n + 1) t' u' (total + t')).
  replace (Z.of_nat n + 1)%Z with (Z.of_nat (S n)) by lia.
  replace (n + S count)%nat with (S n + count)%nat by lia.
  apply IHcount; [exact Lt'|exact Lu'|].
  rewrite plus_IZR. simpl sum_f_R0. rewrite Rmult_plus_distr_l. apply Rplus_le_compat; [exact Ls|exact Lt'].
Qed.

(** All of it, or nothing where the terms do not fall yet. *)
Definition whole_sum (count : nat) : option Z :=
  let '(n, t, total) :=
    let t := up (one * sn * den) (an * (an + sn)) in ascend count 0 t (up (one * den) (an + sn)) t in
  let higher := (qn * (n + 2) * Z.max (an + (n + 1) * den) (an + an + sn + n * den))%Z in
  let lower := (qd * (n + 1) * (an + (n + 1) * den))%Z in
  if (higher <? lower)%Z then Some (total + up (t * higher) (lower - higher))%Z else None.

Lemma whole_sum_above count s : whole_sum count = Some s -> IZR one * Series T <= IZR s.
Proof.
assert (Pd := D0). assert (Pa := A0). assert (Ps := S0). assert (Po := O0).
assert (Pan : 0 < IZR an) by now apply IZR_lt. assert (Psn : 0 < IZR sn) by now apply IZR_lt.
assert (Pqd : 0 < IZR qd) by now apply IZR_lt. assert (Pqn : 0 < IZR qn) by now apply IZR_lt.
assert (Ws : (0 < an + sn)%Z) by lia.
unfold whole_sum.
set (t0 := up (one * sn * den) (an * (an + sn))). set (u0 := up (one * den) (an + sn)).
assert (F : IZR one * T 0 <= IZR t0).
{ rewrite (PositiveSeries.T_0 alpha step q A0 S0). unfold t0. apply Rle_trans with (2 := up_above _ _ (Z.mul_pos_pos _ _ Han Ws)).
  right. rewrite !mult_IZR, plus_IZR. unfold alpha, step. field. lra. }
assert (FU : IZR one * U 0 <= IZR u0).
{ rewrite (PositiveSeries.U_0 alpha step q A0 S0). unfold u0. apply Rle_trans with (2 := up_above _ _ Ws).
  right. rewrite !mult_IZR, plus_IZR. unfold alpha, step. field. lra. }
destruct (ascend_above count 0%nat t0 u0 t0 F FU F) as (t & total & E & Lt & Ls).
simpl Z.of_nat in E. rewrite E. simpl Nat.add in *.
set (n := Z.of_nat count). set (higher := (qn * (n + 2) * Z.max (an + (n + 1) * den) (an + an + sn + n * den))%Z).
set (lower := (qd * (n + 1) * (an + (n + 1) * den))%Z).
destruct (Z.ltb_spec higher lower) as [L|]; [|easy]. intros [= <-].
assert (Nz : (0 <= n)%Z) by (unfold n; lia).
assert (N := pos_INR count). assert (En : IZR n = INR count) by (unfold n; now rewrite <- INR_IZR_INZ).
assert (Lp : 0 < IZR lower) by (apply IZR_lt; unfold lower; nia).
assert (R : PositiveSeries.rho alpha step q count <= IZR higher / IZR lower).
{ unfold PositiveSeries.rho, higher, lower.
  assert (M : Rmax 1 ((2 * alpha + step + INR count) / (alpha + INR count + 1)) =
    IZR (Z.max (an + (n + 1) * den) (an + an + sn + n * den)) / (IZR den * (alpha + INR count + 1))).
  { assert (P1 : 0 < alpha + INR count + 1) by lra.
    assert (E1 : IZR (an + (n + 1) * den) / (IZR den * (alpha + INR count + 1)) = 1).
    { rewrite plus_IZR, mult_IZR, plus_IZR, En. unfold alpha in *. field_simplify_eq; [ring|].
      split; [lra|]. replace (IZR an + INR count * IZR den + IZR den) with (IZR den * (IZR an / IZR den + INR count + 1)) by (field; lra).
      apply Rgt_not_eq, Rmult_lt_0_compat; lra. }
    assert (E2 : IZR (an + an + sn + n * den) / (IZR den * (alpha + INR count + 1)) =
      (2 * alpha + step + INR count) / (alpha + INR count + 1)).
    { rewrite !plus_IZR, mult_IZR, En.
      replace (IZR an + IZR an + IZR sn + INR count * IZR den) with (IZR den * (2 * alpha + step + INR count))
        by (unfold alpha, step; field; lra).
      field. lra. }
    assert (I0 : 0 < / (IZR den * (alpha + INR count + 1))) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
    destruct (Z.max_spec (an + (n + 1) * den) (an + an + sn + n * den)) as [[Lz ->]|[Lz ->]].
    - assert (K : IZR (an + (n + 1) * den) / (IZR den * (alpha + INR count + 1)) <=
        IZR (an + an + sn + n * den) / (IZR den * (alpha + INR count + 1)))
        by (apply Rmult_le_compat_r; [lra|]; apply IZR_le; lia).
      rewrite E1, E2 in K. rewrite E2. now apply Rmax_right.
    - assert (K : IZR (an + an + sn + n * den) / (IZR den * (alpha + INR count + 1)) <=
        IZR (an + (n + 1) * den) / (IZR den * (alpha + INR count + 1)))
        by (apply Rmult_le_compat_r; [lra|]; apply IZR_le; lia).
      rewrite E1, E2 in K. rewrite E1. now apply Rmax_left. }
  rewrite M. set (m := Z.max (an + (n + 1) * den) (an + an + sn + n * den)).
  assert (Pm : 0 <= IZR m) by (apply IZR_le; unfold m; nia).
  rewrite !mult_IZR, !plus_IZR, En.
  replace (IZR an + IZR ((n + 1) * den)) with (IZR den * (alpha + INR count + 1))
    by (rewrite mult_IZR, plus_IZR, En; unfold alpha; field; lra).
  assert (P1 : 0 < alpha + INR count + 1) by lra.
  replace (IZR qn * (INR count + 2) * IZR m / (IZR qd * (INR count + 1) * (IZR den * (alpha + INR count + 1))))
    with (IZR qn / IZR qd * ((INR count + 2) / (INR count + 1)) * (IZR m / (IZR den * (alpha + INR count + 1))))
    by (field; lra).
  apply Rmult_le_compat_r.
  - apply Rmult_le_pos; [easy|]. apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
  - apply Rmult_le_compat_r; [|easy]. apply Rlt_le, Rdiv_lt_0_compat; lra. }
assert (Gap : 0 < IZR lower - IZR higher) by (apply IZR_lt in L; lra).
assert (Hl : IZR higher / IZR lower < 1).
{ apply Rmult_lt_reg_r with (1 := Lp). unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
set (rho := PositiveSeries.rho alpha step q count) in *.
assert (R0 := PositiveSeries.rho_pos alpha step q Q0 count). fold rho in R0.
assert (R1 : rho < 1) by lra.
destruct (PositiveSeries.remainder_bound alpha step q A0 S0 Q0 count R1) as [C [_ B]]. fold rho in B.
rewrite (Series_incr_n T (S count) (Nat.lt_0_succ count) C). simpl pred.
rewrite Rmult_plus_distr_l, plus_IZR. apply Rplus_le_compat; [exact Ls|].
assert (Wl : (0 < lower - higher)%Z) by lia.
apply Rle_trans with (2 := up_above _ _ Wl).
rewrite mult_IZR, minus_IZR.
assert (Tp := PositiveSeries.T_pos alpha step q A0 S0 Q0 count).
assert (X : rho / (1 - rho) <= IZR higher / (IZR lower - IZR higher)).
{ apply Rmult_le_reg_r with ((1 - rho) * (IZR lower - IZR higher)); [apply Rmult_lt_0_compat; lra|].
  replace (rho / (1 - rho) * ((1 - rho) * (IZR lower - IZR higher))) with (rho * IZR lower - rho * IZR higher) by (field; lra).
  replace (IZR higher / (IZR lower - IZR higher) * ((1 - rho) * (IZR lower - IZR higher)))
    with (IZR higher - rho * IZR higher) by (field; lra).
  apply Rplus_le_compat_r. apply Rmult_le_compat_r with (r := IZR lower) in R; [|lra].
  unfold Rdiv in R. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in R by lra. exact R. }
replace (IZR t * IZR higher / (IZR lower - IZR higher)) with (IZR t * (IZR higher / (IZR lower - IZR higher))) by (field; lra).
apply Rle_trans with (IZR one * (T count * (rho / (1 - rho)))); [now apply Rmult_le_compat_l; [lra|]|].
rewrite <- Rmult_assoc. apply Rmult_le_compat; [apply Rmult_le_pos; lra| |exact Lt|exact X].
apply Rlt_le, Rdiv_lt_0_compat; lra.
Qed.
End Sums.

(** What a proof has compared: claimed delta = dn/dd, front factor at most en/ed. *)
Definition compared (one den an sn qn qd en ed dn dd : Z) (count : nat) : bool :=
  ((0 <? one) && (0 <? den) && (0 <? an) && (0 <? sn) && (0 <? qn) && (0 <? qd) && (0 <? en)
   && (0 <? ed) && (0 <? dn) && (0 <? dd))%Z
  && match whole_sum one den an sn qn qd count with
     | None => false
     | Some s =>
         let b := (half_sum one den an (an + sn) count + half_sum one den (an + sn) an count)%Z in
         ((0 <? b) && (en * s * dd <=? dn * ed * b))%Z
     end.

Theorem delta_is_at_most one den an sn qn qd en ed dn dd count eps B h :
  compared one den an sn qn qd en ed dn dd count = true ->
  let alpha := IZR an / IZR den in let step := IZR sn / IZR den in let x := eps / step in
  1 / (1 + exp x) <= IZR qn / IZR qd ->
  exp (- (alpha * x) - (2 * alpha + step) * ln ((1 + exp (- x)) / 2)) <= IZR en / IZR ed ->
  beta_constant alpha (alpha + step) B -> hockey (exp eps) alpha alpha step B B h ->
  h <= IZR dn / IZR dd.
Proof.
intros K alpha step x Lq Le PB IH. unfold compared in K. rewrite !andb_true_iff, !Z.ltb_lt in K.
destruct K as [[[[[[[[[[P1 P2] P3] P4] P5] P6] P7] P8] P9] P10] M].
destruct (whole_sum one den an sn qn qd count) as [s|] eqn:W; [|easy].
rewrite andb_true_iff, Z.ltb_lt, Z.leb_le in M. destruct M as [Pb M].
assert (D0 : 0 < IZR den) by now apply IZR_lt. assert (O0 : 0 < IZR one) by now apply IZR_lt.
assert (A0 : 0 < alpha) by (apply Rdiv_lt_0_compat; [now apply IZR_lt|easy]).
assert (S0 : 0 < step) by (apply Rdiv_lt_0_compat; [now apply IZR_lt|easy]).
assert (Ex := exp_pos x). set (q := 1 / (1 + exp x)) in *.
assert (Q0 : 0 < q) by (apply Rdiv_lt_0_compat; lra).
assert (Ws := whole_sum_above one den an sn P1 P2 P3 P4 qn qd P5 P6 q Q0 Lq count s W).
assert (Eb : IZR (an + sn) / IZR den = alpha + step) by (rewrite plus_IZR; unfold alpha, step; field; lra).
assert (H1 := half_sum_below one den P1 P2 an (an + sn) count P3 ltac:(lia)).
assert (H2 := half_sum_below one den P1 P2 (an + sn) an count ltac:(lia) P3).
rewrite Eb in H1, H2. fold alpha in H1, H2.
set (h1 := half_sum one den an (an + sn) count) in *. set (h2 := half_sum one den (an + sn) an count) in *.
set (S1 := PSeries (sc alpha (alpha + step)) (/ 2)) in *. set (S2 := PSeries (sc (alpha + step) alpha) (/ 2)) in *.
assert (EB := constant_by_halves alpha (alpha + step) B A0 ltac:(lra) PB). fold S1 S2 in EB.
destruct (delta_is_the_series alpha step eps B A0 S0 PB) as [C Hk]. fold x q in Hk, C.
assert (Eh : h = Rpower q alpha * Rpower (1 - q) (alpha + step) / B * Series (PositiveSeries.T alpha step q)).
{ unfold hockey in *. rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ IH).
  exact (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ Hk). }
assert (PS : 0 < S1 + S2).
{ apply Rmult_lt_reg_l with (IZR one); [easy|]. apply IZR_lt in Pb. rewrite plus_IZR in Pb. lra. }
set (E := exp (- (alpha * x) - (2 * alpha + step) * ln ((1 + exp (- x)) / 2))) in *.
assert (Ef : Rpower q alpha * Rpower (1 - q) (alpha + step) / B = E / (S1 + S2)).
{ assert (Emx := exp_pos (- x)). set (l := ln (1 + exp (- x))).
  assert (Lq1 : ln q = - x - l).
  { assert (V : q = exp (- x) / (1 + exp (- x))).
    { unfold q. rewrite exp_Ropp. field. lra. }
    rewrite V. unfold Rdiv. rewrite ln_mult, ln_Rinv, ln_exp; [unfold l; ring|lra|easy|apply Rinv_0_lt_compat; lra]. }
  assert (Lq2 : ln (1 - q) = - l).
  { assert (V : 1 - q = / (1 + exp (- x))).
    { unfold q. rewrite exp_Ropp. field. lra. }
    rewrite V, ln_Rinv by lra. reflexivity. }
  unfold Rpower. rewrite Lq1, Lq2, <- exp_plus, EB. unfold E.
  assert (Eln : ln ((1 + exp (- x)) / 2) = l - ln 2).
  { unfold Rdiv. rewrite ln_mult, ln_Rinv; [reflexivity|lra|lra|apply Rinv_0_lt_compat; lra]. }
  rewrite Eln.
  replace (- (alpha * x) - (2 * alpha + step) * (l - ln 2))
    with ((alpha * (- x - l) + (alpha + step) * - l) + (alpha + (alpha + step)) * ln 2) by ring.
  set (f := alpha * (- x - l) + (alpha + step) * - l). set (g := (alpha + (alpha + step)) * ln 2).
  rewrite (exp_plus f g), (exp_Ropp g). assert (Y := exp_pos g). field. lra. }
rewrite Eh, Ef. set (Z := Series (PositiveSeries.T alpha step q)) in *.
assert (E0 : 0 < E) by apply exp_pos.
assert (Pn : 0 < IZR en) by now apply IZR_lt. assert (Pe : 0 < IZR ed) by now apply IZR_lt.
assert (Pdd : 0 < IZR dd) by now apply IZR_lt. assert (Pdn : 0 < IZR dn) by now apply IZR_lt.
apply IZR_le in M. rewrite !mult_IZR, plus_IZR in M.
assert (K1 : E * IZR ed <= IZR en).
{ apply Rmult_le_compat_r with (r := IZR ed) in Le; [|lra]. unfold Rdiv in Le. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in Le by lra. exact Le. }
assert (Z0 : 0 <= Z).
{ unfold Z. rewrite <- (Rmult_0_l (Series (fun _ => 0))), <- Series_scal_l. apply Series_le; [|exact C].
  intros k. rewrite Rmult_0_l. split; [lra|]. apply Rlt_le, PositiveSeries.T_pos; easy. }
apply Rmult_le_reg_r with (IZR one * IZR ed * IZR dd * (S1 + S2)); [repeat apply Rmult_lt_0_compat; easy|].
replace (E / (S1 + S2) * Z * (IZR one * IZR ed * IZR dd * (S1 + S2)))
  with ((E * IZR ed) * (IZR one * Z) * IZR dd) by (field; lra).
replace (IZR dn / IZR dd * (IZR one * IZR ed * IZR dd * (S1 + S2)))
  with (IZR dn * IZR ed * (IZR one * S1 + IZR one * S2)) by (field; lra).
apply Rle_trans with (IZR en * IZR s * IZR dd).
- apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat; [apply Rmult_le_pos; lra|apply Rmult_le_pos; lra|exact K1|exact Ws].
- apply Rle_trans with (1 := M). apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. lra.
Qed.

(** A floor alpha and a step hide two Beta laws from each other, whatever neighbours have them. *)
Definition hides (alpha step eps delta : R) : Prop :=
  forall a b a' b' B B' h,
  alpha <= a -> alpha <= b -> alpha <= a' -> alpha <= b' -> a + b = a' + b' -> Rabs (a - a') <= step ->
  normalises a b B -> normalises a' b' B' ->
  hockey_stick (exp eps) a b B a' b' B' h -> h <= delta.

Theorem hidden one den an sn qn qd en ed dn dd count eps :
  compared one den an sn qn qd en ed dn dd count = true ->
  let alpha := IZR an / IZR den in let step := IZR sn / IZR den in let x := eps / step in
  0 <= eps ->
  1 / (1 + exp x) <= IZR qn / IZR qd ->
  exp (- (alpha * x) - (2 * alpha + step) * ln ((1 + exp (- x)) / 2)) <= IZR en / IZR ed ->
  hides alpha step eps (IZR dn / IZR dd).
Proof.
intros K alpha step x Eps Lq Le a b a' b' B B' h L1 L2 L3 L4 E S N N' I.
assert (K' := K). unfold compared in K'. rewrite !andb_true_iff, !Z.ltb_lt in K'.
destruct K' as [[[[[[[[[[P1 P2] P3] P4] P5] P6] P7] P8] P9] P10] _].
assert (D0 : 0 < IZR den) by now apply IZR_lt.
assert (A0 : 0 < alpha) by (apply Rdiv_lt_0_compat; [now apply IZR_lt|easy]).
assert (S0 : 0 < step) by (apply Rdiv_lt_0_compat; [now apply IZR_lt|easy]).
assert (Pd : 0 < IZR dn / IZR dd) by (apply Rdiv_lt_0_compat; now apply IZR_lt).
destruct (normalised alpha (alpha + step)) as [C NC]; [easy|lra|].
assert (BC := proj1 (normalises_in_r _ _ _) NC).
assert (NC' : normalises (alpha + step) alpha C) by (apply normalises_in_r, beta_symmetric; assumption).
assert (PC := proj1 NC). assert (PB := proj1 N). assert (PB' := proj1 N').
assert (T0 : 0 <= exp eps) by apply Rlt_le, exp_pos.
destruct (hockey_exists (exp eps) alpha alpha step C C) as [H IH]; try assumption.
assert (IH' : hockey_stick (exp eps) (alpha + step) alpha C alpha (alpha + step) C H) by (apply hockey_stick_in_r; assumption).
assert (HH := delta_is_at_most one den an sn qn qd en ed dn dd count eps C H K Lq Le BC IH).
destruct (Rtotal_order (a - a') 0) as [L|[Z|L]].
- rewrite Rabs_left in S by lra.
  assert (Pa : 0 < a) by lra. assert (Pb : 0 < b) by lra. assert (Pa' : 0 < a') by lra. assert (Pb' : 0 < b') by lra.
  assert (X : exists h', hockey_stick (exp eps) a' b' B' a b B h').
  { destruct (hockey_exists (exp eps) a b' (a' - a) B' B) as [h' Hh]; try assumption; try lra.
    exists h'. apply hockey_stick_in_r; [assumption|assumption|]. unfold hockey in Hh.
    replace (a + (a' - a)) with a' in Hh by ring. replace (b' + (a' - a)) with b in Hh by lra. exact Hh. }
  destruct X as [h' I'].
  assert (Q := dominating_pair_in_r alpha step a' b' a b (exp eps) B' B C C h' h H
    A0 T0 L3 L4 L1 L2 (eq_sym E) ltac:(lra) N' N NC' NC I' I IH'). lra.
- assert (a' = a) by lra. assert (b' = b) by lra. subst a' b'.
  assert (B' = B) by exact (beta_unique a b _ _ (proj1 (normalises_in_r _ _ _) N') (proj1 (normalises_in_r _ _ _) N)).
  subst B'.
  assert (J := proj1 (hockey_stick_in_r _ _ _ _ _ _ _ _ PB PB) I).
  assert (h <= 0); [|lra]. apply (integral_le _ (fun _ => 0 * w a b 0) _ 0) with (2 := J).
  + intros v. rewrite Rmult_0_l. unfold pos. apply Rmax_lub; [|lra].
    assert (V : 0 < w a b v / B) by (apply Rdiv_lt_0_compat; [apply w_pos|assumption]).
    assert (1 <= exp eps) by (rewrite <- exp_0; destruct Eps as [Eps|<-]; [apply Rlt_le, exp_increasing, Eps|lra]).
    assert (0 <= (exp eps - 1) * (w a b v / B)) by (apply Rmult_le_pos; lra). lra.
  + assert (Z0 := integral_minus _ _ _ _ J J). replace (h - h) with 0 in Z0 by ring. revert Z0.
    apply integral_ext. intros v. req. ring.
- rewrite Rabs_pos_eq in S by lra.
  assert (Pa : 0 < a) by lra. assert (Pb : 0 < b) by lra. assert (Pa' : 0 < a') by lra. assert (Pb' : 0 < b') by lra.
  assert (X : exists h', hockey_stick (exp eps) a' b' B' a b B h').
  { destruct (hockey_exists (exp eps) b a' (a - a') B' B) as [h' Hh]; try assumption; try lra.
    exists h'. apply hockey_stick_in_r; [assumption|assumption|]. unfold hockey in Hh. apply integral_reflect in Hh.
    replace (b + (a - a')) with b' in Hh by lra. replace (a' + (a - a')) with a in Hh by lra.
    revert Hh. apply integral_ext. intros v. now rewrite <- !w_reflect. }
  destruct X as [h' I'].
  assert (Q := dominating_pair_in_r alpha step a b a' b' (exp eps) B B' C C h h' H
    A0 T0 L1 L2 L3 L4 E ltac:(lra) N N' NC' NC I I' IH'). lra.
Qed.

(** A release of x, drawn from the Dirichlet law with parameters k x_i + offset: any two of its
    entries, x and y, all at least the floor, between neighbours that differ by at most shift. *)
Definition private (k offset floor shift eps delta : R) : Prop :=
  forall x y x' y' B B' h,
  floor <= x -> floor <= y -> floor <= x' -> floor <= y' -> x + y = x' + y' -> Rabs (x - x') <= shift ->
  normalises (k * x + offset) (k * y + offset) B -> normalises (k * x' + offset) (k * y' + offset) B' ->
  hockey_stick (exp eps) (k * x + offset) (k * y + offset) B (k * x' + offset) (k * y' + offset) B' h ->
  h <= delta.

Theorem private_where_hidden k offset floor shift eps delta : 0 < k ->
  hides (k * floor + offset) (k * shift) eps delta -> private k offset floor shift eps delta.
Proof.
intros K H x y x' y' B B' h L1 L2 L3 L4 E S N N' I.
assert (M : forall z, floor <= z -> k * floor + offset <= k * z + offset).
{ intros z L. apply Rplus_le_compat_r, Rmult_le_compat_l; lra. }
apply (H _ _ _ _ _ _ _ (M x L1) (M y L2) (M x' L3) (M y' L4)) with (3 := N) (4 := N') (5 := I).
- replace (k * x + offset + (k * y + offset)) with (k * (x + y) + 2 * offset) by ring. rewrite E. ring.
- replace (k * x + offset - (k * x' + offset)) with (k * (x - x')) by ring.
  rewrite Rabs_mult, Rabs_pos_eq by lra. apply Rmult_le_compat_l; lra.
Qed.
