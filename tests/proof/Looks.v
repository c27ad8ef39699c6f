(* SPDX-License-Identifier: ISC *)
(* Memory that is looked at several times, and begun anew after each look that all know of
   (lib/sketch/density.c, of bits): the joint law of one bit at all looks.

   g = tanh(eps1 / 2).  A bit begins as 1 with probability (1 - g) / 2; at a sight after j looks it
   is drawn again, as 1 with probability (1 + g^(j+1)) / 2; after each look it is flipped with
   probability (1 - g) / 2. *)

Require Import Reals List Bool Lra Lia.
Import ListNotations.
Open Scope R_scope.

(* 1 with probability (1 + x) / 2 *)
Definition odds (x : R) (b : bool) : R := if b then (1 + x) / 2 else (1 - x) / 2.

(* Flipped with probability (1 - g) / 2: from b to b'. *)
Definition flip (g : R) (b b' : bool) : R := if eqb b b' then (1 + g) / 2 else (1 - g) / 2.

(* Flips multiply x by g: so what was drawn after j looks and flipped is as if drawn after j + 1. *)
Theorem flipped : forall g x b,
  odds x true * flip g true b + odds x false * flip g false b = odds (g * x) b.
Proof. intros g x []; unfold odds, flip; simpl; lra. Qed.

(* Given the bit b at look j - 1, its law at look j: if it was drawn again between the two, before
   or after the flip, odds (g^(j+1)), whatever b is; else flip g b. *)
Definition next (g : R) (j : nat) (drawn : bool) (b b' : bool) : R :=
  if drawn then odds (g ^ S j) b' else flip g b b'.

(* Bits at the looks j, j + 1, ..; each with what the stream did before it. *)
Fixpoint after (g : R) (j : nat) (b : bool) (drawn bits : list bool) : R :=
  match drawn, bits with
  | d :: drawn, b' :: bits => next g j d b b' * after g (S j) b' drawn bits
  | _, _ => 1
  end.

Definition looks (g : R) (drawn bits : list bool) : R :=
  match drawn, bits with
  | d :: drawn, b :: bits => odds (if d then g else - g) b * after g 1 b drawn bits
  | _, _ => 1
  end.

(* The most that look j's factor of one stream is to the other's, given the bits. *)
Definition worst (g : R) (j : nat) (b b' : bool) : R :=
  let G := g ^ S j in
  match b, b' with
  | false, true => (1 + G) / (1 - g)
  | true, false => (1 - G) / (1 - g)
  | false, false => (1 + g) / (1 - G)
  | true, true => (1 + g) / (1 + G)
  end.

Fixpoint worsts (g : R) (j : nat) (b : bool) (bits : list bool) : R :=
  match bits with
  | [] => 1
  | b' :: bits => worst g j b b' * worsts g (S j) b' bits
  end.

Section Looks.
  Variable g : R.
  Hypothesis g0 : 0 <= g < 1.

  Lemma power : forall j, 0 <= g ^ S j <= g.
  Proof.
    induction j as [| j IH]; [simpl; lra |].
    change (g ^ S (S j)) with (g * g ^ S j). destruct g0. split; [apply Rmult_le_pos; lra | nra].
  Qed.

  Lemma next_moves : forall j d d' b b',
    0 < next g j d' b b' /\ next g j d b b' <= worst g j b b' * next g j d' b b'.
  Proof.
    intros j d d' b b'. pose proof (power j) as [L U]. unfold next, worst, odds, flip.
    set (G := g ^ S j) in *. destruct g0 as [A B].
    assert (one : forall x y, 0 < y -> y <= x -> 1 <= x / y).
    { intros x y Y XY. apply Rmult_le_reg_r with y; [exact Y |]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l; lra. }
    pose proof (one (1 + G) (1 - g) ltac:(lra) ltac:(lra)) as H1.
    pose proof (one (1 - G) (1 - g) ltac:(lra) ltac:(lra)) as H2.
    pose proof (one (1 + g) (1 - G) ltac:(lra) ltac:(lra)) as H3.
    pose proof (one (1 + g) (1 + G) ltac:(lra) ltac:(lra)) as H4.
    assert (V : forall x y z, 0 < y -> x * y / 2 <= z -> x / 2 <= z / y).
    { intros x y z Y XZ. apply Rmult_le_reg_r with y; [exact Y |]. unfold Rdiv at 2.
      rewrite Rmult_assoc, Rinv_l; lra. }
    destruct d, d', b, b'; simpl; split; try lra; try nra;
      match goal with |- ?x / 2 <= ?z / ?y * (?w / 2) =>
        replace (z / y * (w / 2)) with (z * w / 2 / y) by (field; lra); apply V; nra end.
  Qed.

  Lemma worst_positive : forall j b b', 0 < worst g j b b'.
  Proof.
    intros j b b'. pose proof (power j) as [L U]. destruct g0.
    destruct b, b'; unfold worst; apply Rdiv_lt_0_compat; lra.
  Qed.

  Lemma after_moves : forall bits j b drawn drawn',
    length drawn = length bits -> length drawn' = length bits ->
    0 < after g j b drawn' bits /\
    after g j b drawn bits <= worsts g j b bits * after g j b drawn' bits.
  Proof.
    induction bits as [| b' bits IH]; intros j b drawn drawn' N N';
      destruct drawn as [| d drawn], drawn' as [| d' drawn']; simpl in *; try discriminate; [lra |].
    injection N as N. injection N' as N'.
    destruct (IH (S j) b' drawn drawn' N N') as [P1 H1].
    destruct (IH (S j) b' drawn drawn N N) as [P2 _].
    destruct (next_moves j d d' b b') as [P3 H3].
    pose proof (worst_positive j b b') as W.
    split; [apply Rmult_lt_0_compat; assumption |].
    apply Rle_trans with (worst g j b b' * next g j d' b b' * after g (S j) b' drawn bits).
    - apply Rmult_le_compat_r; lra.
    - replace (worst g j b b' * worsts g (S j) b' bits *
               (next g j d' b b' * after g (S j) b' drawn' bits))
        with (worst g j b b' * next g j d' b b' *
              (worsts g (S j) b' bits * after g (S j) b' drawn' bits)) by ring.
      apply Rmult_le_compat_l; [| exact H1]. apply Rmult_le_pos; lra.
  Qed.

  (* Whatever the two streams did, the bits at all looks have probabilities within this factor. *)
  Theorem looks_move : forall drawn drawn' b bits,
    length drawn = S (length bits) -> length drawn' = S (length bits) ->
    looks g drawn (b :: bits) <=
    (1 + g) / (1 - g) * worsts g 1 b bits * looks g drawn' (b :: bits).
  Proof.
    intros [| d drawn] [| d' drawn'] b bits N N'; try discriminate.
    injection N as N. injection N' as N'. simpl.
    destruct (after_moves bits 1 b drawn drawn' N N') as [P1 H1].
    destruct (after_moves bits 1 b drawn drawn N N) as [P2 _].
    destruct g0 as [A B].
    assert (F : forall e : bool, 0 < odds (if e then g else - g) b /\
      (1 - g) / 2 <= odds (if e then g else - g) b <= (1 + g) / 2)
      by (intros []; destruct b; unfold odds; lra).
    destruct (F d) as [D1 [_ D2]]. destruct (F d') as [D3 [D4 _]].
    set (x := odds (if d then g else - g) b) in *. set (x' := odds (if d' then g else - g) b) in *.
    assert (X : x <= (1 + g) / (1 - g) * x').
    { apply Rle_trans with ((1 + g) / (1 - g) * ((1 - g) / 2)); [| apply Rmult_le_compat_l; [| lra]].
      - replace ((1 + g) / (1 - g) * ((1 - g) / 2)) with ((1 + g) / 2) by (field; lra). lra.
      - left. apply Rdiv_lt_0_compat; lra. }
    apply Rle_trans with ((1 + g) / (1 - g) * x' * after g 1 b drawn bits).
    - apply Rmult_le_compat_r; lra.
    - replace ((1 + g) / (1 - g) * worsts g 1 b bits * (x' * after g 1 b drawn' bits))
        with ((1 + g) / (1 - g) * x' * (worsts g 1 b bits * after g 1 b drawn' bits)) by ring.
      apply Rmult_le_compat_l; [| exact H1]. lra.
  Qed.

  (* No look costs more than the first: eps1, as (1 + g) / (1 - g) = e^eps1. *)
  Theorem worst_is_first : forall j b b', worst g j b b' <= (1 + g) / (1 - g).
  Proof.
    intros j b b'. pose proof (power j) as [L U]. destruct g0 as [A B].
    assert (V : forall x y, 0 < y -> x * (1 - g) <= (1 + g) * y -> x / y <= (1 + g) / (1 - g)).
    { intros x y Y XZ. apply Rmult_le_reg_r with y; [exact Y |].
      apply Rmult_le_reg_r with (1 - g); [lra |].
      replace (x / y * y * (1 - g)) with (x * (1 - g)) by (field; lra).
      replace ((1 + g) / (1 - g) * y * (1 - g)) with ((1 + g) * y) by (field; lra). exact XZ. }
    destruct b, b'; unfold worst; apply V; nra.
  Qed.
End Looks.

(* What is said at any time has a density L given the bits, which moves by at most e^e2: so do both
   together. *)
Corollary looks_and_answers : forall (p p' L L' e1 e2 : R),
  0 <= p' -> 0 <= L -> p <= exp e1 * p' -> L <= exp e2 * L' -> p * L <= exp (e1 + e2) * (p' * L').
Proof.
  intros p p' L L' e1 e2 P' Q A B. rewrite exp_plus.
  apply Rle_trans with (exp e1 * p' * L); [apply Rmult_le_compat_r; assumption |].
  replace (exp e1 * exp e2 * (p' * L')) with (exp e1 * p' * (exp e2 * L')) by ring.
  apply Rmult_le_compat_l; [| exact B]. apply Rmult_le_pos; [left; apply exp_pos | exact P'].
Qed.
