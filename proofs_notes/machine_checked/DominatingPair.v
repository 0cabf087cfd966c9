(** "dominates-every-neighbour" for the two Beta laws, and what follows from it at once. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Simplexcert Require Import TwoCrossings BetaLaw CommonAdditionHides LargerStepShowsMore.
Local Open Scope R_scope.

(** The dominating pair of a Dirichlet release.  Parameters (u_i, u_j) against (u'_i, u'_j), equal
    sums, all at least alpha, difference tau at most s: at every threshold, in either order, the
    hockey-stick is at most that of Beta(alpha + s, alpha) against Beta(alpha, alpha + s). *)
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
assert (G : forall ui uj ui' uj' Bu Bu' h,
  alpha <= ui -> alpha <= uj -> alpha <= ui' -> alpha <= uj' ->
  ui + uj = ui' + uj' -> 0 < ui - ui' <= s ->
  beta_constant ui uj Bu -> beta_constant ui' uj' Bu' ->
  integral (fun u => pos (w ui uj u / Bu - t * (w ui' uj' u / Bu'))) h -> h <= H).
{ clear - A T BP BQ IH. intros ui uj ui' uj' Bu Bu' h L1 L2 L3 L4 E S BU BU' I.
  set (tau := ui - ui'). set (c1 := ui' - alpha). set (c2 := uj - alpha).
  assert (E1 : ui = alpha + c1 + tau) by (unfold c1, tau; ring).
  assert (E2 : uj = alpha + c2) by (unfold c2; ring).
  assert (E3 : ui' = alpha + c1) by (unfold c1; ring).
  assert (E4 : uj' = alpha + c2 + tau) by (unfold c2, tau; lra).
  rewrite E1, E2 in BU. rewrite E3, E4 in BU'.
  assert (I1 : hockey t (alpha + c1) (alpha + c2) tau Bu Bu' h).
  { unfold hockey. rewrite <- E1, <- E4, <- E2, <- E3. exact I. }
  destruct (beta_exists (alpha + tau) alpha) as [Bp2 P2]; [unfold tau; lra|easy|].
  destruct (beta_exists alpha (alpha + tau)) as [Bq2 Q2]; [easy|unfold tau; lra|].
  destruct (hockey_exists t alpha alpha tau Bp2 Bq2) as [m Hm]; try easy; try apply P2; try apply Q2.
  apply Rle_trans with m.
  - apply (common_addition_hides alpha alpha tau c1 c2 t Bp2 Bq2 Bu Bu' m h); try easy; unfold tau, c1, c2; lra.
  - destruct (Req_dec tau s) as [Et|Nt].
    + rewrite Et in *. rewrite (beta_unique _ _ _ _ P2 BP), (beta_unique _ _ _ _ Q2 BQ) in Hm.
      right. unfold hockey in Hm.
      rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ Hm).
      exact (is_RInt_gen_unique (V := R_CompleteNormedModule) _ _ IH).
    + apply (larger_step_shows_more alpha tau s t Bp Bq Bp2 Bq2 H m); try easy; unfold tau in *; lra. }
split.
- apply (G ui uj ui' uj' Bu Bu' h); auto.
- apply (G uj' ui' uj ui Bu' Bu h'); [exact L4|exact L3|exact L2|exact L1|lra|lra| | |].
  + apply beta_symmetric, BU'.
  + apply beta_symmetric, BU.
  + apply integral_reflect in I'. revert I'. apply integral_ext. intros u.
    rewrite <- !w_reflect. reflexivity.
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
