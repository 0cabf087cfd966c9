(** The constants of exp_minus of doubled.py: its table of powers, and log(2)/32 in three pieces. *)
From Coq Require Import Reals Lra Lia Psatz List ZArith.
From Flocq Require Import Core.
From Interval Require Import Tactic.
From Simplexcert Require Import SeriesSource Rounding Doubled Constants.
Local Open Scope R_scope.

(** The table: 2^(j/32) in two doubles. *)
Lemma table j : (0 <= j < 32)%Z ->
  Rabs (fst (nth (Z.to_nat j) exp_powers (0, 0)) + snd (nth (Z.to_nat j) exp_powers (0, 0)) - exp (IZR j * (ln 2 / 32)))
    <= 4 / 10^32 /\
  Rabs (snd (nth (Z.to_nat j) exp_powers (0, 0))) <= 12 / 10^17.
Proof.
intros [J0 J1].
assert (N : (Z.to_nat j < 32)%nat) by lia. assert (E : IZR j = INR (Z.to_nat j)) by (rewrite INR_IZR_INZ; f_equal; lia).
rewrite E. clear E J0 J1. set (n := Z.to_nat j) in *. clearbody n. unfold exp_powers.
do 32 (destruct n as [|n]; [clear N; cbn [nth fst snd]; rewrite ?S_INR; simpl INR; split; interval with (i_prec 160)|]).
lia.
Qed.

Lemma pieces : Rabs (exp_first + exp_second + exp_third - ln 2 / 32) <= / 10^38.
Proof. unfold exp_first, exp_second, exp_third. interval with (i_prec 200). Qed.

Lemma step_size : Rabs (exp_step - ln 2 / 32) <= / 10^17.
Proof. unfold exp_step. interval with (i_prec 100). Qed.

(** Doubles as whole numbers times a power of two. *)
Lemma double_whole n e : (Z.abs n < 2 ^ 53)%Z -> (-1074 <= e)%Z -> double (IZR n * bpow radix2 e).
Proof.
intros N E. apply generic_format_FLT. exists (Float radix2 n e); [reflexivity|exact N|exact E].
Qed.

Lemma table_double j : (0 <= j < 32)%Z -> double (fst (nth (Z.to_nat j) exp_powers (0, 0))).
Proof.
intros [J0 J1]. assert (N : (Z.to_nat j < 32)%nat) by lia. set (n := Z.to_nat j) in *. clearbody n. unfold exp_powers.
do 32 (destruct n as [|n]; [clear N; cbn [nth fst snd];
  match goal with
  | |- double (IZR ?m * bpow radix2 ?e) => apply (double_whole m e); [reflexivity|lia]
  | |- double 1 => rewrite <- (Rmult_1_r 1); apply (double_whole 1 0); [reflexivity|lia]
  end|]).
lia.
Qed.
