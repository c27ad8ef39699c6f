(* SPDX-License-Identifier: ISC *)
(* From densities to releases: sets of outputs, data that respond to them, and noise that is drawn
   within a stated factor of its tables.  (lib/account/privacy.h, PURE; normtree.h, (4).) *)

Require Import ZArith Reals List Lra Lia.
Import ListNotations.
Open Scope R_scope.

(* --- Data that respond: x_t may be any function of y_1 .. y_(t-1). --- *)

(* A way of choosing the data: what stands before is given, newest last. *)
Definition responding := list Z -> Z.

(* The outputs for noise z, after those in `before`. *)
Fixpoint outputs (X : responding) (before z : list Z) : list Z :=
  match z with
  | [] => []
  | n :: rest => let out := (X before + n)%Z in out :: outputs X (before ++ [out]) rest
  end.

(* The noise that explains outputs y. *)
Fixpoint explains (X : responding) (before y : list Z) : list Z :=
  match y with
  | [] => []
  | out :: rest => (out - X before)%Z :: explains X (before ++ [out]) rest
  end.

(* The inputs that were chosen along outputs y. *)
Fixpoint inputs (X : responding) (before y : list Z) : list Z :=
  match y with
  | [] => []
  | out :: rest => X before :: inputs X (before ++ [out]) rest
  end.

(* One noise gives one output, and the other way round: so the density of the outputs at y is that
   of the noise at explains y = y - inputs y. *)
Theorem outputs_explained : forall X z before, explains X before (outputs X before z) = z.
Proof.
  intros X z. induction z as [| n rest IH]; intros before; simpl; [reflexivity |].
  rewrite IH. f_equal. lia.
Qed.

Theorem explained_outputs : forall X y before, outputs X before (explains X before y) = y.
Proof.
  intros X y. induction y as [| out rest IH]; intros before; simpl; [reflexivity |].
  replace (X before + (out - X before))%Z with out by lia. rewrite IH. reflexivity.
Qed.

Fixpoint minus (y x : list Z) : list Z :=
  match y, x with
  | a :: y, b :: x => (a - b)%Z :: minus y x
  | _, _ => []
  end.

Theorem explains_is_difference : forall X y before,
  explains X before y = minus y (inputs X before y).
Proof.
  intros X y. induction y as [| out rest IH]; intros before; simpl; [reflexivity |].
  rewrite IH. reflexivity.
Qed.

(* --- Sets of outputs. --- *)

Definition sum (l : list R) : R := fold_right Rplus 0 l.

Section Sets.
  Variable Out : Type.
  Variables p q : Out -> R.		(* probabilities of an output, for two neighbours *)
  Variable epsilon : R.
  Hypothesis pointwise : forall o, p o <= exp epsilon * q o.

  Theorem sets : forall S : list Out, sum (map p S) <= exp epsilon * sum (map q S).
  Proof.
    induction S as [| o S IH]; simpl; [lra |]. pose proof (pointwise o). lra.
  Qed.
End Sets.

(* --- Draws within a factor of what the tables say: twice that factor, and no more. --- *)

Section Drawn.
  Variable Out : Type.
  Variables p q p' q' : Out -> R.	(* p', q': as drawn *)
  Variables epsilon s : R.
  Hypothesis pointwise : forall o, p o <= exp epsilon * q o.
  Hypothesis drawn_p : forall o, p' o <= exp s * p o.
  Hypothesis drawn_q : forall o, q o <= exp s * q' o.

  Theorem drawn_private : forall o, p' o <= exp (epsilon + 2 * s) * q' o.
  Proof.
    intros o.
    replace (epsilon + 2 * s) with (s + (epsilon + s)) by ring. rewrite !exp_plus.
    pose proof (exp_pos s). pose proof (exp_pos epsilon).
    pose proof (pointwise o). pose proof (drawn_p o). pose proof (drawn_q o).
    apply Rle_trans with (exp s * p o); [assumption |]. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [lra |].
    apply Rle_trans with (exp epsilon * q o); [assumption |]. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; lra.
  Qed.
End Drawn.

(* --- Post-processing: what is made of a release loses no more. --- *)

Section Processing.
  Variables Out Made : Type.
  Variables p q : Out -> R.
  Variable epsilon : R.
  Hypothesis pointwise : forall o, p o <= exp epsilon * q o.
  Variable make : Out -> Made.
  Variable is : Made -> Made -> bool.
  Variable all : list Out.

  Theorem processed : forall m,
    sum (map p (filter (fun o => is (make o) m) all)) <=
    exp epsilon * sum (map q (filter (fun o => is (make o) m) all)).
  Proof. intros m. apply sets. exact pointwise. Qed.
End Processing.
