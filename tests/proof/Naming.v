(* SPDX-License-Identifier: ISC *)
(* Names that nobody declared (lib/stat/top.h, GUARANTEE; RUNNING).

   y t = c t + N t at steps t = 1, 2, ..; a name is told of from the first step t >= first (the step
   of its first event) with tau <= y t on. *)

Require Import ZArith Reals List Bool Lra Lia.
Import ListNotations.
Open Scope R_scope.

(* --- (1) What is released differs from M* in the gap alone. --- *)

Definition named (first : nat) (tau : Z) (y : nat -> Z) (t : nat) : bool :=
  existsb (fun s => (first <=? s)%nat && (tau <=? y s)%Z) (seq 0 (S t)).

Definition told (first : nat) (tau : Z) (y : nat -> Z) (t : nat) : option Z :=
  if named first tau y t then Some (y t) else None.

(* In the gap: from `first` (of the input with the unit) to before `late` (of the one without). *)
Definition in_gap (first late : nat) (tau : Z) (y : nat -> Z) : Prop :=
  exists s, (first <= s < late)%nat /\ (tau <= y s)%Z.

Lemma named_iff : forall first tau y t,
  named first tau y t = true <-> exists s, (first <= s <= t)%nat /\ (tau <= y s)%Z.
Proof.
  intros first tau y t. unfold named. rewrite existsb_exists. split.
  - intros [s [I H]]. apply in_seq in I. apply andb_prop in H. destruct H as [A B].
    apply Nat.leb_le in A. apply Z.leb_le in B. exists s. split; [lia | exact B].
  - intros [s [I H]]. exists s. split; [apply in_seq; lia |].
    apply andb_true_intro. split; [apply Nat.leb_le; lia | apply Z.leb_le; exact H].
Qed.

Theorem alike_outside_the_gap : forall first late tau y,
  (first <= late)%nat -> ~ in_gap first late tau y ->
  forall t, told late tau y t = told first tau y t.
Proof.
  intros first late tau y O G t. unfold told.
  replace (named late tau y t) with (named first tau y t); [reflexivity |].
  apply eq_true_iff_eq. rewrite !named_iff. split; intros [s [I H]].
  - exists s. split; [| exact H]. destruct (le_lt_dec late s); [lia |].
    exfalso. apply G. exists s. split; [lia | exact H].
  - exists s. split; [lia | exact H].
Qed.

(* With c more events of the unit in the gap and none of others: to be named there the noise must
   reach tau - c at some step. *)
Theorem gap_needs_noise : forall first late tau (c : Z) (count N : nat -> Z),
  (forall s, (first <= s < late)%nat -> (count s <= c)%Z) ->
  in_gap first late tau (fun s => (count s + N s)%Z) -> exists s, (tau - c <= N s)%Z.
Proof.
  intros first late tau c count N C [s [I H]]. exists s. pose proof (C s I). lia.
Qed.

(* --- (2) delta is the probability of that. --- *)

Definition sum (l : list R) : R := fold_right Rplus 0 l.

Definition restrict {A : Type} (keep : A -> bool) (l : list A) := filter keep l.

Section Bad.
  (* Outcomes of M*, of which p and q are the probabilities on x and on x'; bad: some name in its
     gap.  Off bad, M does what M* does on both inputs; on x always. *)
  Variables Star Out : Type.
  Variable all : list Star.
  Variables p q : Star -> R.
  Variables epsilon beta : R.
  Variable bad : Star -> bool.
  Variables m m' : Star -> Out.		(* M as a function of M*'s outcome, on x and on x' *)
  Variable S : Out -> bool.		(* any set of outputs *)
  Hypothesis p0 : forall o, 0 <= p o.
  Hypothesis q0 : forall o, 0 <= q o.
  Hypothesis private : forall o, p o <= exp epsilon * q o.
  Hypothesis private' : forall o, q o <= exp epsilon * p o.
  Hypothesis alike : forall o, bad o = false -> m o = m' o.
  Hypothesis rare : sum (map p (filter bad all)) <= beta.
  Hypothesis rare' : sum (map q (filter bad all)) <= beta.

  Let P (f : Star -> Out) (w : Star -> R) := sum (map w (filter (fun o => S (f o)) all)).

  Lemma half : forall (w v : Star -> R) (f g : Star -> Out),
    (forall o, 0 <= w o) -> (forall o, 0 <= v o) ->
    (forall o, w o <= exp epsilon * v o) -> (forall o, bad o = false -> f o = g o) ->
    P f w <= exp epsilon * P g v + sum (map w (filter bad all)).
  Proof.
    clear rare rare'. intros w v f g W V H E. unfold P. pose proof (exp_pos epsilon).
    induction all as [| o rest IH]; simpl; [lra |].
    pose proof (W o). pose proof (V o). pose proof (H o).
    assert (0 <= exp epsilon * v o) by (apply Rmult_le_pos; lra).
    destruct (bad o) eqn:B.
    - destruct (S (f o)), (S (g o)); simpl; lra.
    - rewrite (E o B). destruct (S (g o)); simpl; lra.
  Qed.

  Theorem naming : P m p <= exp epsilon * P m' q + beta /\ P m' q <= exp epsilon * P m p + beta.
  Proof.
    split.
    - pose proof (half p q m m' p0 q0 private alike). lra.
    - assert (A : forall o, bad o = false -> m' o = m o) by (intros o B; symmetry; apply alike; exact B).
      pose proof (half q p m' m q0 p0 private' A). lra.
  Qed.
End Bad.

(* --- (3) A unit of K events, c_k >= 1 of name k: the sum of e^(a (c_k - 1)) is at most the larger
   of K and e^(a (K - 1)). --- *)

Section Units.
  Variable a : R.
  Hypothesis a0 : 0 <= a.
  Let q := exp a.

  Lemma q1 : 1 <= q.
  Proof. unfold q. rewrite <- exp_0. destruct a0; [left; apply exp_increasing; lra | subst; lra]. Qed.

  Lemma pow_1 : forall n, 1 <= q ^ n.
  Proof. intros n. apply pow_R1_Rle, q1. Qed.

  (* q^n - 1 = (q - 1)(1 + q + .. ) <= n (q - 1) q^n *)
  Lemma rise : forall n, q ^ n - 1 <= INR n * (q - 1) * q ^ n.
  Proof.
    induction n as [| n IH]; [simpl; lra |].
    rewrite S_INR. simpl. pose proof q1. pose proof (pow_1 n). pose proof (pos_INR n).
    assert (INR n * (q - 1) * q ^ n <= INR n * (q - 1) * (q * q ^ n)).
    { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | nra]. }
    assert ((q - 1) * q ^ n <= (q - 1) * (q * q ^ n)).
    { apply Rmult_le_compat_l; [lra | nra]. }
    lra.
  Qed.

  (* Chords: (q^n - 1) / n does not fall. *)
  Lemma chord : forall n k, INR (n + k) * (q ^ n - 1) <= INR n * (q ^ (n + k) - 1).
  Proof.
    intros n k. induction k as [| k IH]; [rewrite Nat.add_0_r; lra |].
    replace (n + S k)%nat with (S (n + k)) by lia. rewrite S_INR. simpl.
    pose proof (rise n) as R1. pose proof q1. pose proof (pos_INR n).
    assert (q ^ n <= q ^ (n + k)).
    { apply Rle_pow; [exact q1 | lia]. }
    assert (INR n * (q - 1) * q ^ n <= INR n * (q - 1) * q ^ (n + k)).
    { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | assumption]. }
    nra.
  Qed.

  (* c: of each name, its events less one. *)
  Fixpoint events (c : list nat) : nat :=
    match c with [] => 0 | n :: c => S n + events c end.

  Lemma bounded : forall N c, (1 <= N)%nat -> Forall (fun n => n <= N)%nat c ->
    INR N * sum (map (fun n => q ^ n) c) <=
    INR N * INR (length c) + (INR (events c) - INR (length c)) * (q ^ N - 1).
  Proof.
    intros N c H F. induction F as [| n c Hn _ IH]; [simpl; lra |].
    replace (sum (map (fun n => q ^ n) (n :: c))) with (q ^ n + sum (map (fun n => q ^ n) c))
      by reflexivity.
    replace (length (n :: c)) with (S (length c)) by reflexivity.
    replace (events (n :: c)) with (S n + events c)%nat by reflexivity.
    pose proof (chord n (N - n)) as C. replace (n + (N - n))%nat with N in C by lia.
    rewrite plus_INR, !S_INR. lra.
  Qed.

  Lemma each_small : forall c K, (events c <= S K)%nat -> Forall (fun n => n <= K)%nat c.
  Proof.
    induction c as [| n c IH]; intros K H; [constructor |].
    simpl in H. constructor; [lia |]. apply IH. lia.
  Qed.

  Lemma names_at_most : forall c, (length c <= events c)%nat.
  Proof. induction c as [| n c IH]; simpl; lia. Qed.

  Theorem unit_of_events : forall c K, (1 <= K)%nat -> (events c <= K)%nat -> c <> [] ->
    sum (map (fun n => q ^ n) c) <= Rmax (INR K) (q ^ (K - 1)).
  Proof.
    intros c K HK E NE.
    destruct (Nat.eq_dec K 1) as [-> | H1].
    - assert (c = [0%nat]).
      { destruct c as [| n [| n' c]]; simpl in E; [tauto | f_equal; lia | lia]. }
      subst. simpl. eapply Rle_trans; [| apply Rmax_l]. simpl. lra.
    - assert (HN : (1 <= K - 1)%nat) by lia.
      assert (F : Forall (fun n => n <= K - 1)%nat c) by (apply each_small; lia).
      pose proof (bounded (K - 1) c HN F) as B.
      pose proof (names_at_most c) as L.
      assert (L1 : (1 <= length c)%nat) by (destruct c; [tauto | simpl; lia]).
      pose proof (pow_1 (K - 1)) as Q.
      assert (EK : INR (events c) <= INR K) by (apply le_INR; exact E).
      assert (LK : INR (length c) <= INR (events c)) by (apply le_INR; exact L).
      assert (LL : 1 <= INR (length c)) by (apply (le_INR 1); exact L1).
      assert (KN : INR (K - 1) = INR K - 1) by (rewrite minus_INR by lia; simpl; lra).
      assert (K2 : 2 <= INR K) by (apply (le_INR 2); lia).
      set (s := sum (map (fun n => q ^ n) c)) in *. set (m := INR (length c)) in *.
      set (X := q ^ (K - 1)) in *. rewrite KN in B.
      assert (B' : (INR K - 1) * s <= (INR K - 1) * m + (INR K - m) * (X - 1)).
      { eapply Rle_trans; [exact B |]. apply Rplus_le_compat_l, Rmult_le_compat_r; lra. }
      (* linear in m: (K - 1) s <= (m - 1) K + (K - m) X *)
      assert (B2 : (INR K - 1) * s <= (m - 1) * INR K + (INR K - m) * X) by nra.
      pose proof (Rmax_l (INR K) X). pose proof (Rmax_r (INR K) X).
      set (M := Rmax (INR K) X) in *.
      assert ((m - 1) * INR K <= (m - 1) * M) by (apply Rmult_le_compat_l; lra).
      assert ((INR K - m) * X <= (INR K - m) * M) by (apply Rmult_le_compat_l; lra).
      assert ((INR K - 1) * s <= (INR K - 1) * M) by lra.
      apply Rmult_le_reg_l with (INR K - 1); lra.
  Qed.
End Units.
