(** The dominating pair without random maps: two laws of one likelihood ratio whose densities
    cross at most twice are ordered at every threshold. *)
From Coq Require Import Reals Lra Lia Psatz Classical.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

Definition pos (x : R) : R := Rmax x 0.

(** Improper integrals over the real line. *)
Notation integral f l :=
  (is_RInt_gen (V := R_NormedModule) f (Rbar_locally m_infty) (Rbar_locally p_infty) l).

Lemma ends_ordered : filter_prod (Rbar_locally m_infty) (Rbar_locally p_infty)
  (fun ab => fst ab <= snd ab).
Proof.
apply (Filter_prod _ _ _ (fun x => x < 0) (fun y => 0 < y)); [now exists 0|now exists 0|].
simpl; intros; lra.
Qed.

Lemma integral_le f g lf lg :
  (forall v, f v <= g v) -> integral f lf -> integral g lg -> lf <= lg.
Proof.
intros L F G.
assert (D := is_RInt_gen_minus _ _ _ _ G F).
assert (0 <= minus lg lf); [|unfold minus, plus, opp in *; simpl in *; lra].
set (h := fun y => minus (g y) (f y)) in D.
set (P := fun z => 0 <= z).
apply (filterlim_le (F := filter_prod (Rbar_locally m_infty) (Rbar_locally p_infty))
  (fun _ => 0) (fun ab => RInt h (fst ab) (snd ab)) 0 (minus lg lf)).
- assert (E := D _ (locally_ball (minus lg lf) (mkposreal _ Rlt_0_1))). unfold filtermapi in E.
  generalize (filter_and _ _ E ends_ordered). apply filter_imp.
  intros [x y] [[I [HI _]] O]; simpl in *. apply RInt_ge_0; [lra|now exists I|].
  intros v B. unfold h, minus, plus, opp; simpl. specialize (L v). lra.
- apply filterlim_const.
- intros Q HQ. assert (E := D Q HQ). unfold filtermapi, filtermap in E |- *.
  generalize E. apply filter_imp. intros [x y] [I [HI HQI]]; simpl in *.
  replace (RInt h x y) with I; [easy|]. symmetry. now apply is_RInt_unique.
Qed.

Lemma integral_scal k f l : integral f l -> integral (fun v => k * f v) (k * l).
Proof. intros I. exact (is_RInt_gen_scal f k l I). Qed.

Lemma integral_plus f g lf lg : integral f lf -> integral g lg -> integral (fun v => f v + g v) (lf + lg).
Proof. intros F G. exact (is_RInt_gen_plus f g lf lg F G). Qed.

Lemma integral_minus f g lf lg : integral f lf -> integral g lg -> integral (fun v => f v - g v) (lf - lg).
Proof. intros F G. exact (is_RInt_gen_minus f g lf lg F G). Qed.

Lemma integral_ext f g l : (forall v, f v = g v) -> integral f l -> integral g l.
Proof.
intros E. apply (is_RInt_gen_ext (V := R_NormedModule)). generalize ends_ordered. apply filter_imp.
intros [x y] O v B. apply E.
Qed.

(** An affine function of x >= 0 that lies above (x - t)+ on a convex set and below it off it. *)
Lemma affine_separates (t : R) (I : R -> Prop) :
  (forall x y z, 0 <= x -> x <= y <= z -> I x -> I z -> I y) ->
  exists c0 c1, forall x, 0 <= x ->
    (I x -> pos (x - t) <= c0 + c1 * x) /\ (~ I x -> c0 + c1 * x <= pos (x - t)).
Proof.
intros C.
destruct (classic (exists x, 0 <= x <= t /\ I x)) as [(xl & Bl & Il)|NL].
2:{ (* I lies beyond t *)
  exists (- t), 1. intros x X. unfold pos. split.
  - intros Ix. assert (t < x) by (apply Rnot_le_lt; intros L; apply NL; exists x; auto).
    rewrite Rmax_left; lra.
  - intros _. apply Rle_trans with (2 := Rmax_l _ _); lra. }
destruct (classic (exists x, t <= x /\ I x)) as [(xr & Br & Ir)|NR].
2:{ exists 0, 0. intros x X. unfold pos. split.
  - intros Ix. assert (x < t) by (apply Rnot_le_lt; intros L; apply NR; exists x; auto).
    rewrite Rmax_right; lra.
  - intros _. apply Rle_trans with (2 := Rmax_r _ _); lra. }
(* the infimum x1 of I *)
destruct (completeness (fun y => exists x, 0 <= x /\ I x /\ y = - x)) as [m1 [U1 M1]].
{ exists 0. intros y (x & X & _ & ->); lra. }
{ exists (- xl), xl; repeat split; auto; lra. }
set (x1 := - m1).
assert (X1 : 0 <= x1).
{ unfold x1. assert (m1 <= 0); [|lra]. apply M1. intros y (x & X & _ & ->); lra. }
assert (L1 : forall x, 0 <= x -> I x -> x1 <= x).
{ intros x X Ix. unfold x1. assert (- x <= m1) by (apply U1; exists x; auto). lra. }
assert (N1 : forall x, x1 < x -> x <= xr -> I x).
{ intros x X R'. destruct (classic (exists z, 0 <= z <= x /\ I z)) as [(z & Z & Iz)|NZ].
  - apply C with z xr; auto; lra.
  - exfalso. assert (m1 <= - x); [|unfold x1 in X; lra].
    apply M1. intros y (z & Z & Iz & ->). assert (x < z); [|lra].
    apply Rnot_le_lt; intros L; apply NZ; exists z; auto. }
assert (T1 : x1 <= t) by (apply Rle_trans with xl; [apply L1; tauto|tauto]).
destruct (classic (exists M, forall x, 0 <= x -> I x -> x <= M)) as [[M HM]|NB].
2:{ (* unbounded above *)
  assert (A1 : forall x, x1 < x -> I x).
  { intros x X. destruct (classic (exists z, x <= z /\ I z)) as [(z & Z & Iz)|NZ].
    - destruct (Rle_dec x xr); [auto|]. apply C with xr z; auto; lra.
    - exfalso. apply NB. exists x. intros z Z Iz. apply Rnot_lt_le; intros L; apply NZ; exists z; split; [lra|auto]. }
  exists (- x1), 1. intros x X. unfold pos. split.
  - intros Ix. specialize (L1 x X Ix). apply Rmax_lub; lra.
  - intros NI. assert (x <= x1) by (apply Rnot_lt_le; intros L; now apply NI, A1).
    apply Rle_trans with (2 := Rmax_r _ _); lra. }
destruct (completeness (fun x => 0 <= x /\ I x)) as [x2 [U2 M2]].
{ exists M. intros x [X Ix]; auto. }
{ exists xl; tauto. }
assert (T2 : t <= x2) by (apply Rle_trans with xr; [tauto|apply U2; split; [lra|tauto]]).
assert (A2 : forall x, x1 < x < x2 -> I x).
{ intros x [Xl Xr]. destruct (Rle_dec x xr); [auto|].
  destruct (classic (exists z, x <= z /\ I z)) as [(z & Z & Iz)|NZ].
  - apply C with xr z; auto; lra.
  - exfalso. assert (x2 <= x); [|lra]. apply M2. intros z [Z Iz].
    apply Rnot_lt_le; intros L; apply NZ; exists z; split; [lra|auto]. }
destruct (Req_dec x1 x2) as [E|NE].
- (* I is the point t *)
  exists 0, 0. intros x X. unfold pos. split.
  + intros Ix. specialize (L1 x X Ix). assert (x <= x2) by (apply U2; auto).
    rewrite Rmax_right; lra.
  + intros _. apply Rle_trans with (2 := Rmax_r _ _); lra.
- assert (W : x1 < x2) by lra.
  set (k := (x2 - t) / (x2 - x1)).
  assert (K0 : 0 <= k) by (apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra]).
  assert (K : k * (x2 - x1) = x2 - t) by (unfold k; field; lra).
  assert (K1 : k <= 1).
  { apply Rmult_le_reg_r with (x2 - x1); [lra|]. rewrite K; lra. }
  exists (- k * x1), k. intros x X. unfold pos.
  replace (- k * x1 + k * x) with (k * (x - x1)) by ring. split.
  + intros Ix. specialize (L1 x X Ix). assert (x <= x2) by (apply U2; auto).
    apply Rmax_lub; [|apply Rmult_le_pos; lra].
    assert ((1 - k) * (x2 - x) >= 0) by (apply Rle_ge, Rmult_le_pos; lra). lra.
  + intros NI. destruct (Rle_dec x x1).
    * apply Rle_trans with (2 := Rmax_r _ _). assert (k * (x1 - x) >= 0) by (apply Rle_ge, Rmult_le_pos; lra). lra.
    * assert (x2 <= x) by (apply Rnot_lt_le; intros L; apply NI, A2; lra).
      apply Rle_trans with (2 := Rmax_l _ _).
      assert ((1 - k) * (x - x2) >= 0) by (apply Rle_ge, Rmult_le_pos; lra). lra.
Qed.

(** g1, g2: two densities; x: the likelihood ratio, increasing in the coordinate.
    Where g2 >= g1 is an interval, some line lies between (x - t)+ and what g2 has more. *)
Lemma excess_over_a_line (x g1 g2 : R -> R) (t : R) :
  (forall v, 0 <= x v) ->
  (forall u v, u < v -> x u < x v) ->
  (forall u v w, u < v -> v < w -> g1 u <= g2 u -> g1 w <= g2 w -> g1 v <= g2 v) ->
  exists c0 c1, forall v,
    pos (x v - t) * g2 v - pos (x v - t) * g1 v <=
    c0 * (g2 v - g1 v) + c1 * (x v * g2 v - x v * g1 v).
Proof.
intros X0 XI J.
set (I' := fun y => exists u w, x u <= y <= x w /\ g1 u <= g2 u /\ g1 w <= g2 w).
assert (CI : forall a b c, 0 <= a -> a <= b <= c -> I' a -> I' c -> I' b).
{ intros a b c _ B (u & u' & Bu & Gu & _) (w' & w & Bw & _ & Gw).
  exists u, w; repeat split; auto; lra. }
destruct (affine_separates t I' CI) as (c0 & c1 & S).
exists c0, c1.
intros v. destruct (S (x v) (X0 v)) as [SI SO].
  destruct (Rle_dec (g1 v) (g2 v)) as [L|L].
  - assert (Iv : I' (x v)) by (exists v, v; repeat split; auto; lra). specialize (SI Iv).
    assert (0 <= (c0 + c1 * x v - pos (x v - t)) * (g2 v - g1 v)) by (apply Rmult_le_pos; lra). lra.
  - assert (NI : ~ I' (x v)).
    { intros (u & w & B & Gu & Gw). apply L.
      destruct (total_order_T u v) as [[Luv|E]|Lvu]; [|now subst u|].
      - destruct (total_order_T v w) as [[Lvw|E]|Lwv]; [|now subst w|].
        + now apply (J u v w).
        + exfalso. generalize (XI w v Lwv); lra.
      - exfalso. generalize (XI v u Lvu); lra. }
    specialize (SO NI).
    assert (0 <= (pos (x v - t) - (c0 + c1 * x v)) * (g1 v - g2 v)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** If masses and means agree, too, g2's hockey-stick is smaller. *)
Theorem two_crossings (x g1 g2 : R -> R) (t m0 m1 h1 h2 : R) :
  (forall v, 0 <= x v) ->
  (forall u v, u < v -> x u < x v) ->
  (forall u v w, u < v -> v < w -> g1 u <= g2 u -> g1 w <= g2 w -> g1 v <= g2 v) ->
  integral g1 m0 -> integral g2 m0 ->
  integral (fun v => x v * g1 v) m1 -> integral (fun v => x v * g2 v) m1 ->
  integral (fun v => pos (x v - t) * g1 v) h1 ->
  integral (fun v => pos (x v - t) * g2 v) h2 ->
  h2 <= h1.
Proof.
intros X0 XI J G1 G2 M1 M2 H1 H2.
destruct (excess_over_a_line x g1 g2 t X0 XI J) as (c0 & c1 & P).
assert (D := integral_le _ _ _ _ P (integral_minus _ _ _ _ H2 H1)
  (integral_plus _ _ _ _ (integral_scal c0 _ _ (integral_minus _ _ _ _ G2 G1))
    (integral_scal c1 _ _ (integral_minus _ _ _ _ M2 M1)))).
replace (c0 * (m0 - m0) + c1 * (m1 - m1)) with 0 in D by ring. lra.
Qed.

(** Linear substitutions and reflection. *)
Lemma integral_linear f l k d : 0 < k -> integral f l -> integral (fun u => k * f (k * u + d)) l.
Proof.
intros K H P HP. specialize (H P HP). unfold filtermapi in *.
destruct H as [Q S [q HQ] [r HS] H].
apply (Filter_prod _ _ _ (fun a => Q (k * a + d)) (fun b => S (k * b + d))).
- exists ((q - d) / k). intros x L. apply HQ.
  apply Rmult_lt_compat_l with (1 := K) in L. replace (k * ((q - d) / k)) with (q - d) in L by (field; lra). lra.
- exists ((r - d) / k). intros x L. apply HS.
  apply Rmult_lt_compat_l with (1 := K) in L. replace (k * ((r - d) / k)) with (r - d) in L by (field; lra). lra.
- intros a b Qa Sb. destruct (H _ _ Qa Sb) as (y & I & Py). simpl in *. exists y. split; [|easy].
  exact (is_RInt_comp_lin f k d a b y I).
Qed.

Lemma integral_reflect f l : integral f l -> integral (fun u => f (- u)) l.
Proof.
intros H P HP. specialize (H P HP). unfold filtermapi in *.
destruct H as [Q S [q HQ] [r HS] H].
apply (Filter_prod _ _ _ (fun a => S (- a)) (fun b => Q (- b))).
- exists (- r). intros x L. apply HS. lra.
- exists (- q). intros x L. apply HQ. lra.
- intros a b Sa Qb. destruct (H _ _ Qb Sa) as (y & I & Py). simpl in *. exists y. split; [|easy].
  apply (is_RInt_swap (V := R_NormedModule)) in I.
  apply (is_RInt_comp_opp (V := R_NormedModule)) in I.
  apply (is_RInt_opp (V := R_NormedModule)) in I. rewrite opp_opp in I.
  revert I. apply (is_RInt_ext (V := R_NormedModule)). intros u _. apply opp_opp.
Qed.
