(* SPDX-License-Identifier: ISC *)
(* Several private numbers in one run: composition by reach (lib/account/privacy.h,
   dp_privacy_part), the spread lemma (lib/account/neighbour.h, CONTRIBUTIONS), and trees of sums
   (lib/counter/tree.c).

   A number's noise has the rate r if the logarithm of its density moves by at most r a unit, in L1
   over all steps: discrete Laplace noise of scale b has the rate 1/b (below), a norm tree eR + path
   (NormTree.v). *)

Require Import ZArith Reals List Lra Lia.
Import ListNotations.
Open Scope R_scope.

Definition sum (l : list R) : R := fold_right Rplus 0 l.

(* --- Discrete Laplace noise. --- *)

(* log of (1 - e^(-1/b)) / (1 + e^(-1/b)) e^(-|k|/b), the constant apart. *)
Definition log_laplace (b : R) (k : Z) : R := - Rabs (IZR k) / b.

Theorem laplace_moves : forall b j k, 0 < b ->
  Rabs (log_laplace b j - log_laplace b k) <= / b * Rabs (IZR j - IZR k).
Proof.
  intros b j k B. unfold log_laplace.
  replace (- Rabs (IZR j) / b - - Rabs (IZR k) / b)
    with (/ b * (Rabs (IZR k) - Rabs (IZR j))) by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (/ b)) by (left; apply Rinv_0_lt_compat; exact B).
  apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; exact B |].
  rewrite (Rabs_minus_sym (IZR j)). apply Rabs_triang_inv2.
Qed.

(* --- Composition by reach. --- *)

(* A part: its share of epsilon, its reach, by how much it moved, by how much its log density did. *)
Record part := { share : R; reach : R; moved : R; change : R }.

Definition planned (epsilon : R) (a : part) : Prop :=
  0 < reach a /\ 0 <= share a /\ 0 <= moved a <= reach a /\
  Rabs (change a) <= share a * epsilon / reach a * moved a.

Theorem parts_compose : forall epsilon parts,
  0 <= epsilon -> Forall (planned epsilon) parts -> sum (map share parts) <= 1 ->
  Rabs (sum (map change parts)) <= epsilon.
Proof.
  intros epsilon parts E F S.
  assert (W : Rabs (sum (map change parts)) <= sum (map share parts) * epsilon).
  { clear S. induction F as [| a rest [R0 [H0 [M H]]] _ IH]; simpl.
    - rewrite Rabs_R0. lra.
    - eapply Rle_trans; [apply Rabs_triang |].
      assert (Rabs (change a) <= share a * epsilon).
      { eapply Rle_trans; [exact H |].
        apply Rle_trans with (share a * epsilon / reach a * reach a); [| right; field; lra].
        apply Rmult_le_compat_l; [| lra].
        apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; apply Rinv_0_lt_compat; lra]. }
      lra. }
  nra.
Qed.

(* --- The spread lemma. --- *)

(* Columns that move by m_c, of log densities that move by at most rate m_c: an event that adds
   non-negative amounts of total at most M, or the M that a relation allows in L1, may be split over
   columns for nothing: each column has noise of the rate epsilon / M, the whole budget at reach M. *)
Theorem spread : forall epsilon M (columns : list (R * R)),	(* (moved, change) *)
  0 < M -> 0 <= epsilon ->
  Forall (fun c => Rabs (snd c) <= epsilon / M * fst c) columns ->
  sum (map fst columns) <= M ->
  Rabs (sum (map snd columns)) <= epsilon.
Proof.
  intros epsilon M columns HM E F S.
  assert (W : Rabs (sum (map snd columns)) <= epsilon / M * sum (map fst columns)).
  { clear S. induction F as [| c rest H _ IH]; simpl.
    - rewrite Rabs_R0. lra.
    - eapply Rle_trans; [apply Rabs_triang |]. lra. }
  eapply Rle_trans; [exact W |].
  apply Rle_trans with (epsilon / M * M); [| right; field; lra].
  apply Rmult_le_compat_l; [| exact S].
  apply Rmult_le_pos; [exact E | left; apply Rinv_0_lt_compat; exact HM].
Qed.

(* One event in place of another is a move of 2 M in all. *)
Lemma replaced : forall a b : list R, length a = length b ->
  Forall (Rle 0) a -> Forall (Rle 0) b ->
  sum (map (fun c => Rabs (fst c - snd c)) (combine a b)) <= sum a + sum b.
Proof.
  induction a as [| x a IH]; destruct b as [| z b]; simpl; intros L Fa Fb; try discriminate; [lra |].
  inversion Fa. inversion Fb. subst.
  assert (Rabs (x - z) <= x + z) by (apply Rabs_le; lra).
  assert (length a = length b) by lia.
  pose proof (IH b). lra || (specialize (IH b); intuition lra).
Qed.

(* --- Trees of sums: every node's sum is released with noise of its own. --- *)

(* Sums of the steps below a node, by a tree whose nodes have any number of children; r: the rate of
   the node's noise. *)
Inductive sums : Type :=
  | Step (r : R) (moved : R)
  | Node (r : R) (children : list sums).

Section Sums.
  (* Moves of a step, at least 0; a node moves by at most the sum of what is below it. *)
  Fixpoint below (t : sums) : R :=
    match t with
    | Step _ m => m
    | Node _ ts => fold_right (fun t x => below t + x) 0 ts
    end.

  (* At most so much all log densities move together. *)
  Fixpoint loss (t : sums) : R :=
    match t with
    | Step r m => r * m
    | Node r ts => r * fold_right (fun t x => below t + x) 0 ts + fold_right (fun t x => loss t + x) 0 ts
    end.

  (* The largest sum of rates over a path is at most h. *)
  Fixpoint paths_within (h : R) (t : sums) : Prop :=
    match t with
    | Step r m => 0 <= r <= h /\ 0 <= m
    | Node r ts => 0 <= r /\ fold_right (fun t x => paths_within (h - r) t /\ x) True ts
    end.

  Fixpoint size (t : sums) : nat :=
    match t with
    | Step _ _ => 1
    | Node _ ts => S (fold_right (fun t n => size t + n)%nat 0%nat ts)
    end.

  Theorem tree_of_sums : forall t h, paths_within h t -> 0 <= below t /\ loss t <= h * below t.
  Proof.
    assert (W : forall n t h, (size t <= n)%nat -> paths_within h t ->
      0 <= below t /\ loss t <= h * below t).
    { induction n as [| n IH]; intros t h N P; [destruct t; simpl in N; lia |].
      destruct t as [r m | r ts].
      - simpl in *. destruct P as [[R0 R1] M]. split; [lra |]. apply Rmult_le_compat_r; lra.
      - simpl in P, N. destruct P as [R0 P].
        assert (V : 0 <= fold_right (fun t x => below t + x) 0 ts /\
          fold_right (fun t x => loss t + x) 0 ts <=
          (h - r) * fold_right (fun t x => below t + x) 0 ts).
        { clear R0. apply le_S_n in N. induction ts as [| t ts IHts]; simpl in *; [lra |].
          destruct P as [P1 P2].
          destruct (IH t (h - r)) as [B L]; [lia | exact P1 |].
          destruct IHts as [B' L']; [lia | exact P2 |]. lra. }
        simpl. destruct V as [B L]. split; [exact B |]. lra. }
    intros t h. apply (W (size t)). lia.
  Qed.
End Sums.

(* tree.c: h levels, each with noise of the rate epsilon / (h l1), lose at most epsilon when
   the steps move by l1 in L1. *)
Corollary tree_private : forall t epsilon l1,
  paths_within (epsilon / l1) t -> 0 < l1 -> 0 <= epsilon -> below t <= l1 -> loss t <= epsilon.
Proof.
  intros t epsilon l1 P L E B. destruct (tree_of_sums t _ P) as [B0 H].
  eapply Rle_trans; [exact H |].
  apply Rle_trans with (epsilon / l1 * l1); [| right; field; lra].
  apply Rmult_le_compat_l; [| exact B].
  apply Rmult_le_pos; [exact E | left; apply Rinv_0_lt_compat; exact L].
Qed.
