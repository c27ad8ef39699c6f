(* SPDX-License-Identifier: ISC *)
(* A unit whose K moves are B steps apart, or more (lib/account/privacy.h, SPACED): of noise w =
   C^-1 z whose coefficients fall, c_0 >= c_1 >= .. >= 0, the draws are shifted most, in squares,
   where the moves are as early and as near as they may be. *)

Require Import Reals List Lra Lia.
Import ListNotations.
Open Scope R_scope.

Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S n => sum n f + f n end.

Lemma sum_le : forall n f g, (forall j, (j < n)%nat -> f j <= g j) -> sum n f <= sum n g.
Proof.
  induction n as [| n IH]; intros f g H; simpl; [lra |].
  apply Rplus_le_compat; [apply IH; intros; apply H; lia | apply H; lia].
Qed.

Lemma sum_ext : forall n f g, (forall j, (j < n)%nat -> f j = g j) -> sum n f = sum n g.
Proof.
  induction n as [| n IH]; intros f g H; simpl; [reflexivity |].
  rewrite (IH f g), H by (intros; try apply H; lia). reflexivity.
Qed.

Lemma sum_plus : forall n f g, sum n (fun j => f j + g j) = sum n f + sum n g.
Proof. induction n as [| n IH]; intros f g; simpl; [ring |]. rewrite IH. ring. Qed.

Lemma sum_scale : forall n a f, sum n (fun j => a * f j) = a * sum n f.
Proof. induction n as [| n IH]; intros a f; simpl; [ring |]. rewrite IH. ring. Qed.

Lemma sum_swap : forall n m f,
  sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n as [| n IH]; intros m f; simpl.
  - induction m as [| m IHm]; simpl; [reflexivity |]. rewrite <- IHm. ring.
  - rewrite IH, <- sum_plus. reflexivity.
Qed.

Lemma square : forall K v, (sum K v) ^ 2 = sum K (fun i => sum K (fun j => v i * v j)).
Proof.
  intros K v.
  rewrite (sum_ext K (fun i => sum K (fun j => v i * v j)) (fun i => sum K v * v i))
    by (intros; rewrite sum_scale; ring).
  rewrite sum_scale. ring.
Qed.

(* Terms before step s are 0. *)
Lemma sum_later : forall T s f, (s <= T)%nat ->
  sum T (fun t => if Nat.leb s t then f t else 0) = sum (T - s) (fun u => f (s + u)%nat).
Proof.
  induction T as [| T IH]; intros s f H; [replace s with 0%nat by lia; reflexivity |].
  simpl sum at 1. destruct (Nat.eq_dec s (S T)) as [-> | N].
  - replace (S T - S T)%nat with 0%nat by lia. replace (Nat.leb (S T) T) with false
      by (symmetry; apply Nat.leb_gt; lia).
    rewrite (sum_ext T _ (fun _ => 0 * 0)).
    + rewrite (sum_scale T 0 (fun _ => 0)). simpl. ring.
    + intros j J. replace (Nat.leb (S T) j) with false by (symmetry; apply Nat.leb_gt; lia). ring.
  - rewrite IH by lia. replace (S T - s)%nat with (S (T - s)) by lia. simpl.
    replace (Nat.leb s T) with true by (symmetry; apply Nat.leb_le; lia).
    replace (s + (T - s))%nat with T by lia. reflexivity.
Qed.

Section Spaced.
  Variable c : nat -> R.
  Hypothesis positive : forall k, 0 <= c k.
  Hypothesis falls : forall k, c (S k) <= c k.

  (* What a move at step s shifts the draw of step t by. *)
  Definition column (s t : nat) : R := if Nat.leb s t then c (t - s) else 0.

  Lemma falls_far : forall j k, (j <= k)%nat -> c k <= c j.
  Proof. intros j k H. induction H as [| k H IH]; [lra |]. pose proof (falls k). lra. Qed.

  Lemma column_positive : forall s t, 0 <= column s t.
  Proof. intros s t. unfold column. destruct (Nat.leb s t); [apply positive | lra]. Qed.

  (* Of two columns, s <= s': lag s' - s, over T - s' steps. *)
  Lemma product : forall T s s', (s <= s' <= T)%nat ->
    sum T (fun t => column s t * column s' t) = sum (T - s') (fun u => c (s' - s + u) * c u).
  Proof.
    intros T s s' H.
    rewrite <- (sum_ext (T - s') (fun u => column s (s' + u) * column s' (s' + u))).
    - rewrite <- (sum_later T s' (fun t => column s t * column s' t)) by lia.
      apply sum_ext. intros t _. unfold column. destruct (Nat.leb s' t) eqn:L; [reflexivity | ring].
    - intros u _. unfold column.
      replace (Nat.leb s (s' + u)) with true by (symmetry; apply Nat.leb_le; lia).
      replace (Nat.leb s' (s' + u)) with true by (symmetry; apply Nat.leb_le; lia).
      replace (s' + u - s)%nat with (s' - s + u)%nat by lia.
      replace (s' + u - s')%nat with u by lia. reflexivity.
  Qed.

  Lemma longer : forall n m f, (n <= m)%nat -> (forall u, 0 <= f u) -> sum n f <= sum m f.
  Proof. intros n m f H P. induction H as [| m H IH]; simpl; [lra |]. pose proof (P m). lra. Qed.

  (* Earlier and nearer is more. *)
  Lemma nearer : forall T s s' r r', (s <= s' <= T)%nat -> (r <= r')%nat -> (r' <= s')%nat ->
    (r' - r <= s' - s)%nat ->
    sum T (fun t => column s t * column s' t) <= sum T (fun t => column r t * column r' t).
  Proof.
    intros T s s' r r' H R' L N. rewrite !product by lia.
    apply Rle_trans with (sum (T - s') (fun u => c (r' - r + u) * c u)).
    - apply sum_le. intros u _. apply Rmult_le_compat_r; [apply positive | apply falls_far; lia].
    - apply longer; [lia |]. intros u. apply Rmult_le_pos; apply positive.
  Qed.

  (* K moves m_i, of at most 1, at steps s_i <= T that are B apart, against moves of 1 at 0, B, .. *)
  Theorem spaced : forall K B T (s : nat -> nat) (m : nat -> R),
    (forall i, (i < K)%nat -> (s i <= T)%nat /\ Rabs (m i) <= 1) ->
    (forall i, (S i < K)%nat -> (s i + B <= s (S i))%nat) ->
    sum T (fun t => (sum K (fun i => m i * column (s i) t)) ^ 2) <=
    sum T (fun t => (sum K (fun i => column (i * B) t)) ^ 2).
  Proof.
    intros K B T s m W A.
    assert (apart : forall i j, (i <= j)%nat -> (j < K)%nat -> (s i + (j - i) * B <= s j)%nat).
    { intros i j H J. induction H as [| j H IH]; [lia |].
      pose proof (IH ltac:(lia)). pose proof (A j J).
      replace (S j - i)%nat with (S (j - i)) by lia. simpl. lia. }
    assert (E : forall v : nat -> nat -> R,
      sum T (fun t => (sum K (fun i => v i t)) ^ 2) =
      sum K (fun i => sum K (fun j => sum T (fun t => v i t * v j t)))).
    { intros v. rewrite (sum_ext T _ (fun t => sum K (fun i => sum K (fun j => v i t * v j t))))
        by (intros; apply square).
      rewrite sum_swap. apply sum_ext. intros. apply sum_swap. }
    rewrite (E (fun i t => m i * column (s i) t)), (E (fun i t => column (i * B) t)).
    apply sum_le. intros i I. apply sum_le. intros j J.
    apply Rle_trans with (sum T (fun t => column (s i) t * column (s j) t)).
    - apply sum_le. intros t _. destruct (W i I) as [_ Mi]. destruct (W j J) as [_ Mj].
      pose proof (column_positive (s i) t). pose proof (column_positive (s j) t).
      assert (Rabs (m i * m j) <= 1).
      { rewrite Rabs_mult. pose proof (Rabs_pos (m i)). pose proof (Rabs_pos (m j)). nra. }
      pose proof (Rle_abs (m i * m j)).
      assert (0 <= column (s i) t * column (s j) t) by (apply Rmult_le_pos; assumption). nra.
    - destruct (Nat.le_gt_cases i j) as [L | L].
      + pose proof (apart i j L J). pose proof (apart 0%nat j ltac:(lia) J).
        destruct (W j J) as [Tj _]. apply nearer; nia.
      + pose proof (apart j i ltac:(lia) I). pose proof (apart 0%nat i ltac:(lia) I).
        destruct (W i I) as [Ti _].
        rewrite (sum_ext T (fun t => column (s i) t * column (s j) t)
          (fun t => column (s j) t * column (s i) t)) by (intros; ring).
        rewrite (sum_ext T (fun t => column (i * B) t * column (j * B) t)
          (fun t => column (j * B) t * column (i * B) t)) by (intros; ring).
        apply nearer; nia.
  Qed.
End Spaced.
