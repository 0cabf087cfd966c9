(** "dominates-every-neighbour" for the two Beta laws, and what follows from it at once. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw CommonAdditionHides LargerStepShowsMore.
Local Open Scope R_scope.

(** The dominating pair of a Dirichlet release.  Parameters (u_i, u_j) against (u'_i, u'_j), equal
    sums, all at least alpha, difference tau at most s: at every threshold, in either order, the
    hockey-stick is at most that of Beta(alpha + s, alpha) against Beta(alpha, alpha + s); and less
    at every threshold above 0, unless they are that pair. *)
Lemma dominated alpha s ui uj ui' uj' t Bu Bu' Bp Bq h H :
  0 < alpha -> 0 <= t ->
  alpha <= ui -> alpha <= uj -> alpha <= ui' -> alpha <= uj' ->
  ui + uj = ui' + uj' -> 0 < ui - ui' <= s ->
  beta_constant ui uj Bu -> beta_constant ui' uj' Bu' ->
  beta_constant (alpha + s) alpha Bp -> beta_constant alpha (alpha + s) Bq ->
  integral (fun u => pos (w ui uj u / Bu - t * (w ui' uj' u / Bu'))) h ->
  hockey t alpha alpha s Bp Bq H ->
  h <= H /\ (0 < t -> ui' <> alpha \/ uj <> alpha \/ ui - ui' <> s -> h < H).
Proof.
intros A T L1 L2 L3 L4 E S BU BU' BP BQ I IH.
set (tau := ui - ui'). set (c1 := ui' - alpha). set (c2 := uj - alpha).
assert (E1 : ui = alpha + c1 + tau) by (unfold c1, tau; ring).
assert (E2 : uj = alpha + c2) by (unfold c2; ring).
assert (E3 : ui' = alpha + c1) by (unfold c1; ring).
assert (E4 : uj' = alpha + c2 + tau) by (unfold c2, tau; lra).
assert (C1 : 0 <= c1) by (unfold c1; lra). assert (C2 : 0 <= c2) by (unfold c2; lra).
assert (T0 : 0 < tau) by (unfold tau; lra).
rewrite E1, E2 in BU. rewrite E3, E4 in BU'.
assert (I1 : hockey t (alpha + c1) (alpha + c2) tau Bu Bu' h).
{ unfold hockey. rewrite <- E1, <- E4, <- E2, <- E3. exact I. }
destruct (beta_exists (alpha + tau) alpha) as [Bp2 P2]; [lra|easy|].
destruct (beta_exists alpha (alpha + tau)) as [Bq2 Q2]; [easy|lra|].
destruct (hockey_exists t alpha alpha tau Bp2 Bq2) as [m Hm]; try assumption; try apply P2; try apply Q2.
destruct (common_addition_hides alpha alpha tau c1 c2 t Bp2 Bq2 Bu Bu' m h T0 C1 C2 P2 Q2 BU BU' Hm I1) as [W1 W2].
assert (X : m <= H /\ (0 < t -> tau <> s -> m < H)).
{ destruct (Req_dec tau s) as [Et|Nt].
  - split; [|now intros].
    rewrite Et in *. rewrite (beta_unique _ _ _ _ P2 BP), (beta_unique _ _ _ _ Q2 BQ) in Hm.
    right. unfold hockey in Hm, IH.
    rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ Hm).
    exact (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ IH).
  - destruct (larger_step_shows_more alpha tau s t Bp Bq Bp2 Bq2 H m A T0 ltac:(unfold tau in *; lra) BP BQ P2 Q2 IH Hm) as [V1 V2].
    split; [exact V1|]. intros Tp _. now apply V2. }
destruct X as [X1 X2]. split; [lra|]. intros Tp O.
destruct (Req_dec tau s) as [Et|Nt]; [|specialize (X2 Tp Nt); lra].
assert (0 < c1 + c2).
{ unfold c1, c2. destruct O as [O|[O|O]]; [|  |contradiction].
  - assert (alpha < ui') by (destruct (Req_dec ui' alpha); [contradiction|lra]). lra.
  - assert (alpha < uj) by (destruct (Req_dec uj alpha); [contradiction|lra]). lra. }
specialize (W2 Tp H0). lra.
Qed.

Theorem dominating_pair alpha s ui uj ui' uj' t Bu Bu' Bp Bq h h' H :
  0 < alpha -> 0 <= t ->
  alpha <= ui -> alpha <= uj -> alpha <= ui' -> alpha <= uj' ->
  ui + uj = ui' + uj' -> 0 < ui - ui' <= s ->
  beta_constant ui uj Bu -> beta_constant ui' uj' Bu' ->
  beta_constant (alpha + s) alpha Bp -> beta_constant alpha (alpha + s) Bq ->
  integral (fun u => pos (w ui uj u / Bu - t * (w ui' uj' u / Bu'))) h ->
  integral (fun u => pos (w ui' uj' u / Bu' - t * (w ui uj u / Bu))) h' ->
  integral (fun u => pos (w (alpha + s) alpha u / Bp - t * (w alpha (alpha + s) u / Bq))) H ->
  h <= H /\ h' <= H.
Proof.
intros A T L1 L2 L3 L4 E S BU BU' BP BQ I I' IH.
split.
- exact (proj1 (dominated alpha s ui uj ui' uj' t Bu Bu' Bp Bq h H A T L1 L2 L3 L4 E S BU BU' BP BQ I IH)).
- refine (proj1 (dominated alpha s uj' ui' uj ui t Bu' Bu Bp Bq h' H A T L4 L3 L2 L1 _ _ _ _ BP BQ _ IH)); try lra.
  + apply beta_symmetric, BU'.
  + apply beta_symmetric, BU.
  + apply integral_reflect in I'. revert I'. apply integral_ext. intros u.
    rewrite <- !w_reflect. reflexivity.
Qed.

(** "Only the pair attains": at any one threshold above 0, in either order. *)
Theorem only_the_pair_attains alpha s ui uj ui' uj' t Bu Bu' Bp Bq h h' H :
  0 < alpha -> 0 < t ->
  alpha <= ui -> alpha <= uj -> alpha <= ui' -> alpha <= uj' ->
  ui + uj = ui' + uj' -> 0 < ui - ui' <= s ->
  beta_constant ui uj Bu -> beta_constant ui' uj' Bu' ->
  beta_constant (alpha + s) alpha Bp -> beta_constant alpha (alpha + s) Bq ->
  integral (fun u => pos (w ui uj u / Bu - t * (w ui' uj' u / Bu'))) h ->
  integral (fun u => pos (w ui' uj' u / Bu' - t * (w ui uj u / Bu))) h' ->
  integral (fun u => pos (w (alpha + s) alpha u / Bp - t * (w alpha (alpha + s) u / Bq))) H ->
  h = H \/ h' = H <-> ui = alpha + s /\ uj = alpha /\ ui' = alpha /\ uj' = alpha + s.
Proof.
intros A Tp L1 L2 L3 L4 E S BU BU' BP BQ I I' IH.
assert (T : 0 <= t) by lra. split.
- intros O.
  assert (D := proj2 (dominated alpha s ui uj ui' uj' t Bu Bu' Bp Bq h H A T L1 L2 L3 L4 E S BU BU' BP BQ I IH) Tp).
  assert (I2 : integral (fun u => pos (w uj' ui' u / Bu' - t * (w uj ui u / Bu))) h').
  { apply integral_reflect in I'. revert I'. apply integral_ext. intros u. rewrite <- !w_reflect. reflexivity. }
  assert (D' := proj2 (dominated alpha s uj' ui' uj ui t Bu' Bu Bp Bq h' H A T L4 L3 L2 L1 ltac:(lra) ltac:(lra)
    (beta_symmetric _ _ _ BU') (beta_symmetric _ _ _ BU) BP BQ I2 IH) Tp).
  destruct (Req_dec ui' alpha) as [Z1|Z1]; [|destruct O; [specialize (D (or_introl Z1))|specialize (D' (or_intror (or_introl Z1)))]; lra].
  destruct (Req_dec uj alpha) as [Z2|Z2]; [|destruct O; [specialize (D (or_intror (or_introl Z2)))|specialize (D' (or_introl Z2))]; lra].
  destruct (Req_dec (ui - ui') s) as [Z3|Z3]; [repeat split; lra|].
  assert (Z4 : uj' - uj <> s) by lra.
  destruct O; [specialize (D (or_intror (or_intror Z3)))|specialize (D' (or_intror (or_intror Z4)))]; lra.
- intros (-> & -> & -> & ->). left.
  rewrite (beta_unique _ _ _ _ BU BP), (beta_unique _ _ _ _ BU' BQ) in I.
  rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ I).
  exact (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ IH).
Qed.

(** "decreases-in-alpha", "increases-in-step" (not strictly). *)
Theorem monotone_in_alpha_and_step alpha s alpha' s' t Bp Bq Bp' Bq' H H' :
  0 <= t -> 0 < alpha <= alpha' -> 0 < s' <= s ->
  beta_constant (alpha + s) alpha Bp -> beta_constant alpha (alpha + s) Bq ->
  beta_constant (alpha' + s') alpha' Bp' -> beta_constant alpha' (alpha' + s') Bq' ->
  hockey t alpha alpha s Bp Bq H -> hockey t alpha' alpha' s' Bp' Bq' H' -> H' <= H.
Proof.
intros T A S P Q P' Q' I I'.
refine (proj1 (dominating_pair alpha s (alpha' + s') alpha' alpha' (alpha' + s') t Bp' Bq' Bp Bq H' _ H
  _ T _ _ _ _ _ _ P' Q' P Q I' _ I)); try lra.
destruct (hockey_exists t alpha' alpha' s' Bp' Bq') as [m Hm]; [easy|lra|lra|lra|apply P'|apply Q'|].
assert (E := beta_unique _ _ _ _ (beta_symmetric _ _ _ P') Q'). subst Bq'.
apply integral_reflect in I'. revert I'. apply integral_ext. intros u. cbv beta.
rewrite <- !w_reflect. reflexivity.
Qed.
