(* SPDX-License-Identifier: ISC *)
(* Randomised answers (lib/sketch/local.h) and counters whose memory may be looked into once
   (lib/counter/pan.c). *)

Require Import ZArith Reals List Lra Lia.
Import ListNotations.
Open Scope R_scope.

(* --- Randomised response: an answer supports the line's symbol with probability p, each other
   with q < p. --- *)

Section Response.
  Variables p q epsilon : R.
  Hypothesis q0 : 0 < q.
  Hypothesis qp : q <= p.
  Hypothesis ratio : p <= exp epsilon * q.

  Definition answer (v y : nat) : R := if Nat.eqb v y then p else q.

  Theorem response_private : forall v w y, answer v y <= exp epsilon * answer w y.
  Proof.
    assert (H : 1 <= exp epsilon).
    { apply Rmult_le_reg_r with q; [exact q0 |]. lra. }
    intros v w y. unfold answer.
    destruct (Nat.eqb v y), (Nat.eqb w y); nra.
  Qed.
End Response.

(* A line that is none of the symbols is answered as one drawn from a fixed law: an average. *)
Section None.
  Variable Out : Type.
  Variables (symbols : list nat) (weight : nat -> R) (P : nat -> Out -> R) (epsilon : R).
  Hypothesis w0 : forall v, 0 <= weight v.
  Hypothesis w1 : fold_right (fun v x => weight v + x) 0 symbols = 1.
  Hypothesis private : forall v w o, P v o <= exp epsilon * P w o.

  Definition average (o : Out) : R := fold_right (fun v x => weight v * P v o + x) 0 symbols.

  Lemma between : forall l o c, (forall v, P v o <= c) ->
    fold_right (fun v x => weight v * P v o + x) 0 l <= c * fold_right (fun v x => weight v + x) 0 l.
  Proof.
    intros l o c H. induction l as [| v l IH]; simpl; [lra |].
    assert (weight v * P v o <= weight v * c) by (apply Rmult_le_compat_l; [apply w0 | apply H]).
    lra.
  Qed.

  Lemma above : forall l o c, (forall v, c <= P v o) ->
    c * fold_right (fun v x => weight v + x) 0 l <= fold_right (fun v x => weight v * P v o + x) 0 l.
  Proof.
    intros l o c H. induction l as [| v l IH]; simpl; [lra |].
    assert (weight v * c <= weight v * P v o) by (apply Rmult_le_compat_l; [apply w0 | apply H]).
    lra.
  Qed.

  Theorem none_private : forall w o,
    average o <= exp epsilon * P w o /\ P w o <= exp epsilon * average o.
  Proof.
    intros w o. split.
    - pose proof (between symbols o (exp epsilon * P w o) (fun v => private v w o)) as H.
      rewrite w1 in H. unfold average. lra.
    - assert (H : forall v, P w o / exp epsilon <= P v o).
      { intros v. apply Rmult_le_reg_l with (exp epsilon); [apply exp_pos |].
        replace (exp epsilon * (P w o / exp epsilon)) with (P w o); [apply private |].
        field. pose proof (exp_pos epsilon). lra. }
      pose proof (above symbols o _ H) as A. rewrite w1 in A. unfold average.
      apply Rmult_le_reg_r with (/ exp epsilon); [apply Rinv_0_lt_compat, exp_pos |].
      pose proof (exp_pos epsilon).
      replace (exp epsilon * fold_right (fun v x => weight v * P v o + x) 0 symbols * / exp epsilon)
        with (fold_right (fun v x => weight v * P v o + x) 0 symbols) by (field; lra).
      unfold Rdiv in A. lra.
  Qed.
End None.

(* --- Pan-private counter. ---

   Statement of pan.c: memory is seen once and every estimate; the event at step u is compensated by
   shifting noises, each by one: those of a set of intervals that is chosen by u and by the step
   before which the intruder came.  Noise is independent, a noise of scale b pays at most 1/b for a
   shift by one; `cost` noises of scale b = cost l1 / epsilon pay at most epsilon. *)

Theorem shifts_pay : forall (rate epsilon : R) (cost n : nat) (changes : list R) (l1 : R),
  0 < l1 -> 0 <= epsilon -> (0 < cost)%nat -> rate = epsilon / (INR cost * l1) ->
  (length changes <= n)%nat -> (n <= cost)%nat ->
  Forall (fun c => Rabs c <= rate * l1) changes ->
  Rabs (fold_right Rplus 0 changes) <= epsilon.
Proof.
  intros rate epsilon cost n changes l1 L E C R N NC F.
  assert (C0 : 0 < INR cost) by (apply lt_0_INR; exact C).
  assert (R0 : 0 <= rate * l1).
  { subst rate. apply Rmult_le_pos; [| lra].
    apply Rmult_le_pos; [exact E | left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption]. }
  assert (W : Rabs (fold_right Rplus 0 changes) <= INR (length changes) * (rate * l1)).
  { clear N. induction F as [| c rest H _ IH]; simpl fold_right.
    - rewrite Rabs_R0. simpl. lra.
    - replace (length (c :: rest)) with (S (length rest)) by reflexivity. rewrite S_INR.
      eapply Rle_trans; [apply Rabs_triang |]. lra. }
  eapply Rle_trans; [exact W |].
  apply Rle_trans with (INR cost * (rate * l1)).
  - apply Rmult_le_compat_r; [exact R0 | apply le_INR; lia].
  - subst rate. right. field. split; lra.
Qed.
