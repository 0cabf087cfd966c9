(** Composition of two releases with densities over the real line, the second chosen in the light of the
    first one's answer, by iterated integrals: no exchange of integrals is asked, as the inner one is a
    finite sum but for a share of the masses. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import FiniteExperiments TwoCrossings Densities.
Local Open Scope R_scope.

Lemma integral_over_part f l c d : (forall v, 0 <= f v) -> (forall v, continuous f v) -> integral f l -> c <= d ->
  RInt f c d <= l.
Proof.
intros N C I L. apply Rnot_lt_le. intros B.
assert (E := I _ (locally_ball l (mkposreal (RInt f c d - l) ltac:(lra)))). unfold filtermapi in E.
destruct E as [P Q [M HM] [M' HM'] H].
destruct (H (Rmin (M - 1) c) (Rmax (M' + 1) d)) as (i & Hi & Bi).
{ apply HM. generalize (Rmin_l (M - 1) c). lra. }
{ apply HM'. generalize (Rmax_l (M' + 1) d). lra. }
simpl in Hi. set (x := Rmin (M - 1) c) in *. set (y := Rmax (M' + 1) d) in *.
assert (X : x <= c) by apply Rmin_r. assert (Y : d <= y) by apply Rmax_r.
assert (Ex : forall a b, ex_RInt f a b) by (intros a b; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply C).
apply (is_RInt_unique (V := R_CompleteNormedModule)) in Hi.
assert (S1 := RInt_Chasles f x c y (Ex _ _) (Ex _ _)). assert (S2 := RInt_Chasles f c d y (Ex _ _) (Ex _ _)).
unfold plus in S1, S2. simpl in S1, S2.
assert (0 <= RInt f x c) by (apply RInt_ge_0; auto). assert (0 <= RInt f d y) by (apply RInt_ge_0; auto).
unfold ball, AbsRing_ball, minus, plus, opp, abs in Bi. simpl in Bi. unfold AbsRing_ball, minus, plus, opp, abs in Bi. simpl in Bi.
apply Rabs_def2 in Bi. lra.
Qed.

Lemma integral_near_part f l eps : integral f l -> 0 < eps -> exists c d, c < d /\ l - eps < RInt f c d.
Proof.
intros I E0. assert (E := I _ (locally_ball l (mkposreal eps E0))). unfold filtermapi in E.
destruct E as [P Q [M HM] [M' HM'] H].
destruct (H (Rmin (M - 1) 0) (Rmax (M' + 1) 1)) as (i & Hi & Bi).
{ apply HM. generalize (Rmin_l (M - 1) 0). lra. }
{ apply HM'. generalize (Rmax_l (M' + 1) 1). lra. }
simpl in Hi. exists (Rmin (M - 1) 0), (Rmax (M' + 1) 1). split.
- generalize (Rmin_r (M - 1) 0) (Rmax_r (M' + 1) 1). lra.
- apply (is_RInt_unique (V := R_CompleteNormedModule)) in Hi. rewrite Hi.
  unfold ball, AbsRing_ball, minus, plus, opp, abs in Bi. simpl in Bi. unfold AbsRing_ball, minus, plus, opp, abs in Bi. simpl in Bi.
  apply Rabs_def2 in Bi. lra.
Qed.

Lemma pos_close x y e : Rabs (x - y) <= e -> FiniteExperiments.pos x <= FiniteExperiments.pos y + e.
Proof.
intros E. apply Rabs_le_between in E. unfold FiniteExperiments.pos, Rmax. repeat destruct Rle_dec; lra.
Qed.

Section Second.
(** The pair of the second release. *)
Variables P2 Q2 : R -> R.
Hypothesis (P0 : forall y, 0 <= P2 y) (Q0 : forall y, 0 <= Q2 y).
Hypothesis (Pc : forall y, continuous P2 y) (Qc : forall y, continuous Q2 y).
Hypothesis (P1 : integral P2 1).
Variable Phi : R -> R -> R.
Hypothesis integrals : forall a b, 0 <= a -> 0 <= b ->
  integral (fun y => FiniteExperiments.pos (a * P2 y - b * Q2 y)) (Phi a b).

Let F a b y := FiniteExperiments.pos (a * P2 y - b * Q2 y).

Lemma F_continuous a b y : continuous (F a b) y.
Proof.
unfold F, FiniteExperiments.pos.
apply (continuous_ext (fun y => / 2 * ((a * P2 y - b * Q2 y) + Rabs (a * P2 y - b * Q2 y)))).
{ intros z. unfold Rmax, Rabs. destruct Rle_dec, Rcase_abs; simpl; lra. }
assert (D : continuous (fun y => a * P2 y - b * Q2 y) y).
{ apply (continuous_minus (V := R_NormedModule)); apply (continuous_scal_r (V := R_NormedModule)); [apply Pc|apply Qc]. }
apply (continuous_scal_r (V := R_NormedModule)). apply (continuous_plus (V := R_NormedModule)); [exact D|].
apply (continuous_comp _ Rabs); [exact D|apply continuous_Rabs].
Qed.

Lemma F_exists a b c d : ex_RInt (F a b) c d.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply F_continuous. Qed.

Lemma part_of_Phi a b c d eps : 0 <= a -> 0 <= b -> c <= d -> 1 - eps < RInt P2 c d ->
  RInt (F a b) c d <= Phi a b <= RInt (F a b) c d + a * eps.
Proof.
intros A B L T. split.
- apply integral_over_part; [intros; apply Rmax_r|apply F_continuous|now apply integrals|exact L].
- assert (I := integral_minus _ _ _ _ (integral_scal a _ _ P1) (integrals a b A B)).
  assert (Rest : RInt (fun y => a * P2 y - F a b y) c d <= a * 1 - Phi a b).
  { apply integral_over_part; [| |exact I|exact L].
    - intros y. unfold F, FiniteExperiments.pos. assert (0 <= a * P2 y) by now apply Rmult_le_pos.
      assert (0 <= b * Q2 y) by now apply Rmult_le_pos. unfold Rmax. destruct Rle_dec; lra.
    - intros y. apply (continuous_minus (V := R_NormedModule)); [|apply F_continuous].
      apply (continuous_scal_r (V := R_NormedModule)), Pc. }
  assert (EP : ex_RInt P2 c d) by (apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply Pc).
  assert (Split : RInt (fun y => a * P2 y - F a b y) c d = a * RInt P2 c d - RInt (F a b) c d).
  { apply is_RInt_unique. apply (is_RInt_minus (V := R_NormedModule)); [|apply (RInt_correct (V := R_CompleteNormedModule)), F_exists].
    apply (is_RInt_scal (V := R_NormedModule)), (RInt_correct (V := R_CompleteNormedModule)), EP. }
  rewrite Split in Rest. assert (a * (1 - eps) <= a * RInt P2 c d) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** Over one cell, and over many. *)
Lemma cell a b y w eta : 0 <= a -> 0 <= b -> 0 <= w ->
  (forall z, y <= z <= y + w -> Rabs (P2 z - P2 y) <= eta /\ Rabs (Q2 z - Q2 y) <= eta) ->
  Rabs (RInt (F a b) y (y + w) - w * F a b y) <= (a + b) * eta * w.
Proof.
intros A B W H.
assert (E : forall z, y <= z <= y + w -> F a b y - (a + b) * eta <= F a b z <= F a b y + (a + b) * eta).
{ intros z Z. destruct (H z Z) as [H1 H2]. unfold F.
  assert (D : Rabs ((a * P2 z - b * Q2 z) - (a * P2 y - b * Q2 y)) <= (a + b) * eta).
  { replace ((a * P2 z - b * Q2 z) - (a * P2 y - b * Q2 y)) with (a * (P2 z - P2 y) + - (b * (Q2 z - Q2 y))) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp, !Rabs_mult, (Rabs_pos_eq a), (Rabs_pos_eq b) by easy.
    assert (a * Rabs (P2 z - P2 y) <= a * eta) by now apply Rmult_le_compat_l.
    assert (b * Rabs (Q2 z - Q2 y) <= b * eta) by now apply Rmult_le_compat_l. lra. }
  assert (D1 := pos_close _ _ _ D). rewrite <- Rabs_Ropp in D. rewrite Ropp_minus_distr in D. assert (D2 := pos_close _ _ _ D). lra. }
assert (C : forall k : R, RInt (fun _ => k) y (y + w) = w * k).
{ intros k. rewrite RInt_const. unfold scal. simpl. unfold mult. simpl. ring. }
assert (X : forall k : R, ex_RInt (V := R_NormedModule) (fun _ : R => k) y (y + w)) by (intros; apply (ex_RInt_const (V := R_NormedModule))).
assert (Lo : RInt (fun _ => F a b y - (a + b) * eta) y (y + w) <= RInt (F a b) y (y + w)).
{ apply RInt_le; [lra|apply X|apply F_exists|]. intros z Z. apply E. lra. }
assert (Hi : RInt (F a b) y (y + w) <= RInt (fun _ => F a b y + (a + b) * eta) y (y + w)).
{ apply RInt_le; [lra|apply F_exists|apply X|]. intros z Z. apply E. lra. }
rewrite C in Lo, Hi. apply Rabs_le. lra.
Qed.

Lemma cells a b c w eta n : 0 <= a -> 0 <= b -> 0 <= w ->
  (forall y z, c <= y <= c + INR n * w -> c <= z <= c + INR n * w -> Rabs (z - y) <= w ->
    Rabs (P2 z - P2 y) <= eta /\ Rabs (Q2 z - Q2 y) <= eta) ->
  Rabs (RInt (F a b) c (c + INR n * w) - sum n (fun i => w * F a b (c + INR i * w))) <= (a + b) * eta * (INR n * w).
Proof.
intros A B W. induction n as [|n IH]; intros H.
- simpl. rewrite !Rmult_0_l, Rplus_0_r, RInt_point. unfold zero. simpl. rewrite Rminus_0_r, Rabs_R0. lra.
- assert (N := pos_INR n). assert (Nw : 0 <= INR n * w) by now apply Rmult_le_pos.
  rewrite S_INR in *. assert (E : c + (INR n + 1) * w = c + INR n * w + w) by ring.
  assert (Hc : Rabs (RInt (F a b) (c + INR n * w) (c + INR n * w + w) - w * F a b (c + INR n * w)) <= (a + b) * eta * w).
  { apply cell; try assumption. intros z Z. apply H; [lra|lra|]. rewrite Rabs_pos_eq; lra. }
  specialize (IH ltac:(intros y z Y Z D; apply H; lra || exact D)).
  assert (Ch := RInt_Chasles (F a b) c (c + INR n * w) (c + INR n * w + w) (F_exists _ _ _ _) (F_exists _ _ _ _)).
  unfold plus in Ch. simpl in Ch. rewrite E, <- Ch. simpl sum.
  match goal with |- Rabs (?u + ?v - (?x + ?y)) <= _ => replace (u + v - (x + y)) with ((u - x) + (v - y)) by ring end.
  apply Rle_trans with (1 := Rabs_triang _ _). lra.
Qed.

(** The inner integral is a finite sum but for a share of the masses. *)
Lemma inner_sum eps : 0 < eps -> exists n w (y : nat -> R), 0 <= w /\ forall a b, 0 <= a -> 0 <= b ->
  Rabs (Phi a b - sum n (fun i => w * F a b (y i))) <= (a + b) * eps.
Proof.
intros E0. destruct (integral_near_part P2 1 (eps / 2) P1 ltac:(lra)) as (c & d & L & T).
set (eta := eps / 2 / (d - c)). assert (eta0 : 0 < eta) by (apply Rdiv_lt_0_compat; lra).
assert (Cp : forall x, c <= x <= d -> continuity_pt P2 x) by (intros; apply continuity_pt_filterlim, Pc).
assert (Cq : forall x, c <= x <= d -> continuity_pt Q2 x) by (intros; apply continuity_pt_filterlim, Qc).
destruct (Heine_cor2 Cp (mkposreal eta eta0)) as [dp Hp].
destruct (Heine_cor2 Cq (mkposreal eta eta0)) as [dq Hq]. simpl in Hp, Hq.
assert (dpp := cond_pos dp). assert (dqp := cond_pos dq). set (delta := Rmin dp dq).
assert (delta0 : 0 < delta) by (apply Rmin_glb_lt; assumption).
destruct (archimed_cor1 (delta / (d - c))) as (n & Hn & n0); [apply Rdiv_lt_0_compat; lra|].
assert (N0 : 0 < INR n) by now apply lt_0_INR.
set (w := (d - c) / INR n). assert (w0 : 0 < w) by (apply Rdiv_lt_0_compat; lra).
assert (wd : w < delta).
{ unfold w, Rdiv. apply Rlt_le_trans with ((d - c) * (delta / (d - c))); [apply Rmult_lt_compat_l; lra|]. right. field. lra. }
assert (End : c + INR n * w = d) by (unfold w; field; lra).
exists n, w, (fun i => c + INR i * w). split; [lra|]. intros a b A B.
assert (Cells := cells a b c w eta n A B ltac:(lra)). rewrite End in Cells.
assert (Near : forall y z, c <= y <= d -> c <= z <= d -> Rabs (z - y) <= w -> Rabs (P2 z - P2 y) <= eta /\ Rabs (Q2 z - Q2 y) <= eta).
{ intros y z Y Z D. assert (M1 := Rmin_l dp dq). assert (M2 := Rmin_r dp dq). fold delta in M1, M2.
  split; apply Rlt_le; [apply Hp|apply Hq]; try assumption; lra. }
specialize (Cells Near). replace (INR n * w) with (d - c) in Cells by lra.
replace ((a + b) * eta * (d - c)) with ((a + b) * (eps / 2)) in Cells by (unfold eta; field; lra).
destruct (part_of_Phi a b c d (eps / 2) A B ltac:(lra) T) as [S1 S2].
assert (0 <= b * (eps / 2)) by (apply Rmult_le_pos; lra). assert (0 <= a * (eps / 2)) by (apply Rmult_le_pos; lra).
apply Rabs_le_between in Cells. apply Rabs_le_between. lra.
Qed.
End Second.

(** The first release has densities p, q, whose weighted hockey-sticks are at most those of P, Q; given its
    answer x the second has p2 x, q2 x, whose weighted hockey-sticks are at most those of P2, Q2, which are
    Phi. [g x] is the hockey-stick at t of what is released, given x, and l its integral; L is that of the
    product of the two pairs. *)
Theorem composition_of_two_densities t (p q P Q P2 Q2 : R -> R) (p2 q2 : R -> R -> R) (Phi : R -> R -> R) g l L :
  0 <= t -> (forall x, 0 <= p x) -> (forall x, 0 <= q x) -> (forall x, 0 <= P x) -> (forall x, 0 <= Q x) ->
  integral p 1 -> integral q 1 -> integral P 1 -> integral Q 1 ->
  (forall a b, 0 <= a -> 0 <= b -> exists h H,
    integral (fun x => FiniteExperiments.pos (a * p x - b * q x)) h /\
    integral (fun x => FiniteExperiments.pos (a * P x - b * Q x)) H /\ h <= H) ->
  (forall y, 0 <= P2 y) -> (forall y, 0 <= Q2 y) -> (forall y, continuous P2 y) -> (forall y, continuous Q2 y) ->
  integral P2 1 ->
  (forall a b, 0 <= a -> 0 <= b -> integral (fun y => FiniteExperiments.pos (a * P2 y - b * Q2 y)) (Phi a b)) ->
  (forall x a b h, 0 <= a -> 0 <= b ->
    integral (fun y => FiniteExperiments.pos (a * p2 x y - b * q2 x y)) h -> h <= Phi a b) ->
  (forall x, integral (fun y => FiniteExperiments.pos (p x * p2 x y - t * (q x * q2 x y))) (g x)) ->
  integral g l -> integral (fun x => Phi (P x) (t * Q x)) L ->
  l <= L.
Proof.
intros T p0 q0 P0 Q0 p1 q1 P1 Q1 first P20 Q20 Pc Qc P21 IPhi second G Il IL.
apply Rnot_lt_le. intros Bad. set (eps := (l - L) / (4 * (1 + t))).
assert (E0 : 0 < eps) by (apply Rdiv_lt_0_compat; lra).
assert (E4 : 2 * (1 + t) * eps < l - L).
{ replace (2 * (1 + t) * eps) with ((l - L) / 2) by (unfold eps; field; lra). lra. }
destruct (inner_sum P2 Q2 P20 Q20 Pc Qc P21 Phi IPhi eps E0) as (n & w & y & w0 & S).
assert (Each : forall i, exists h H,
  integral (fun x => w * FiniteExperiments.pos (p x * P2 (y i) - t * q x * Q2 (y i))) (w * h) /\
  integral (fun x => w * FiniteExperiments.pos (P x * P2 (y i) - t * Q x * Q2 (y i))) (w * H) /\ h <= H).
{ intros i. destruct (first (P2 (y i)) (t * Q2 (y i))) as (h & H & I1 & I2 & O); [apply P20|now apply Rmult_le_pos|].
  exists h, H. split; [|split; [|exact O]]; apply integral_scal.
  - apply (integral_ext _ _ _) with (2 := I1). intros x. f_equal. ring.
  - apply (integral_ext _ _ _) with (2 := I2). intros x. f_equal. ring. }
assert (Some : forall N, exists h H : nat -> R, forall i, (i < N)%nat ->
  integral (fun x => w * FiniteExperiments.pos (p x * P2 (y i) - t * q x * Q2 (y i))) (w * h i) /\
  integral (fun x => w * FiniteExperiments.pos (P x * P2 (y i) - t * Q x * Q2 (y i))) (w * H i) /\ h i <= H i).
{ induction N as [|N IH]; [exists (fun _ => 0), (fun _ => 0); intros; lia|].
  destruct IH as (h & H & IH). destruct (Each N) as (k & K & HK).
  exists (fun i => if Nat.eq_dec i N then k else h i), (fun i => if Nat.eq_dec i N then K else H i).
  intros i Li. destruct (Nat.eq_dec i N) as [->|D]; [exact HK|]. apply IH. lia. }
destruct (Some n) as (h & H & HH).
assert (I1 := integral_sum n _ (fun i => w * h i) (fun i Li => proj1 (HH i Li))).
assert (I2 := integral_sum n _ (fun i => w * H i) (fun i Li => proj1 (proj2 (HH i Li)))).
assert (Le : sum n (fun i => w * h i) <= sum n (fun i => w * H i)).
{ apply sum_le. intros i Li. apply Rmult_le_compat_l; [exact w0|]. now apply HH. }
assert (M1 := integral_scal eps _ _ (integral_plus _ _ _ _ p1 (integral_scal t _ _ q1))).
assert (M2 := integral_scal eps _ _ (integral_plus _ _ _ _ P1 (integral_scal t _ _ Q1))).
assert (U1 : l <= sum n (fun i => w * h i) + eps * (1 + t * 1)).
{ refine (integral_le _ _ _ _ _ Il (integral_plus _ _ _ _ I1 M1)). intros x. cbv beta.
  assert (A := p0 x). assert (B : 0 <= t * q x) by now apply Rmult_le_pos.
  assert (g x <= Phi (p x) (t * q x)).
  { apply (second x); [exact A|exact B|]. apply (integral_ext _ _ _) with (2 := G x). intros z. f_equal. ring. }
  assert (Sx := S _ _ A B). apply Rabs_le_between in Sx. lra. }
assert (U2 : sum n (fun i => w * H i) <= L + eps * (1 + t * 1)).
{ refine (integral_le _ _ _ _ _ I2 (integral_plus _ _ _ _ IL M2)). intros x. cbv beta.
  assert (A := P0 x). assert (B : 0 <= t * Q x) by now apply Rmult_le_pos.
  assert (Sx := S _ _ A B). apply Rabs_le_between in Sx. lra. }
lra.
Qed.
