(** exp_minus: the Taylor polynomial of doubled.py on its reduced range, by CoqInterval. *)
From Coq Require Import Reals.
From Interval Require Import Tactic.
Local Open Scope R_scope.

(** |r| <= log(2)/64: 1 + r + r^2 (1/2 + r/6 + ... + r^5/5040) is exp r to 5e-21 (the source's claim). *)
Theorem taylor_left_out r : Rabs r <= 10831 / 1000000 ->
  Rabs (exp r - (1 + r + r * r * (1/2 + r * (1/6 + r * (1/24 + r * (1/120 + r * (1/720 + r * (1/5040)))))))) <= 5 / 10^21.
Proof. intros B. interval with (i_bisect r, i_taylor r, i_degree 12, i_prec 120). Qed.

(** The reduced range covers log(2)/64. *)
Theorem range : ln 2 / 64 <= 10831 / 1000000.
Proof. interval with (i_prec 120). Qed.

(** gammas.py: _HALF_LOG_TWO_PI is right to half a unit. *)
Theorem half_log_two_pi : Rabs (91893853320467274178 / 10^20 - ln (2 * PI) / 2) <= / 10^19.
Proof. interval with (i_prec 120). Qed.

(** front.py: 17 terms of the deviance series at share <= 1/3 leave out less than 1e-17 of it. *)
Theorem deviance_tail : (1/3)^34 / 35 / (1 - /9) <= / 10^17.
Proof. interval with (i_prec 120). Qed.
