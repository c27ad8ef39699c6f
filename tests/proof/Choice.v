(* SPDX-License-Identifier: ISC *)
(* Permute-and-flip (lib/random/selection.h, FLIP): in an order taken at random j is accepted with
   probability w_j = exp(-gap_j / b), and the first one accepted is the choice.  So i is chosen if it
   would be accepted and is the first of those that would: with probability
   w_i E[1 / (1 + N)], N the number of others that would be. *)

Require Import Reals List Lra Lia.
Import ListNotations.
Open Scope R_scope.

(* E f(N), N the number of independent coins, of probabilities ws, that fall on heads. *)
Fixpoint mean (f : nat -> R) (ws : list R) : R :=
  match ws with
  | [] => f O
  | w :: ws => w * mean (fun n => f (S n)) ws + (1 - w) * mean f ws
  end.

Definition first (n : nat) : R := / INR (S n).

Definition chosen (w : R) (others : list R) : R := w * mean first others.

Definition coin (w : R) : Prop := 0 <= w <= 1.

Lemma mean_linear : forall ws a b f g,
  mean (fun n => a * f n + b * g n) ws = a * mean f ws + b * mean g ws.
Proof.
  induction ws as [| w ws IH]; intros a b f g; simpl; [reflexivity |].
  rewrite (IH a b (fun n => f (S n)) (fun n => g (S n))), (IH a b f g). ring.
Qed.

Lemma mean_monotone : forall ws f g, Forall coin ws -> (forall n, f n <= g n) ->
  mean f ws <= mean g ws.
Proof.
  intros ws f g F. revert f g.
  induction F as [| w ws [W0 W1] _ IH]; intros f g H; simpl; [apply H |].
  pose proof (IH (fun n => f (S n)) (fun n => g (S n)) (fun n => H (S n))).
  pose proof (IH f g H).
  apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
Qed.

Lemma mean_ext : forall ws f g, (forall n, f n = g n) -> mean f ws = mean g ws.
Proof.
  induction ws as [| w ws IH]; intros f g H; simpl; [apply H |].
  rewrite (IH (fun n => f (S n)) (fun n => g (S n))), (IH f g); auto.
Qed.

(* A larger chance of others is a smaller one of i. *)
Lemma mean_falls : forall ws ws', Forall coin ws -> Forall coin ws' -> Forall2 Rle ws ws' ->
  forall f, (forall n, f (S n) <= f n) -> mean f ws' <= mean f ws.
Proof.
  intros ws ws' C C' L. induction L as [| w w' ws ws' H _ IH]; intros f D; simpl; [lra |].
  inversion C. inversion C'. subst. unfold coin in *.
  pose proof (IH H3 H7 (fun n => f (S n)) (fun n => D (S n))) as H4.
  pose proof (IH H3 H7 f D) as H5.
  pose proof (mean_monotone ws (fun n => f (S n)) f H3 D) as H8.
  set (x := mean (fun n => f (S n)) ws) in *. set (y := mean f ws) in *.
  set (x' := mean (fun n => f (S n)) ws') in *. set (y' := mean f ws') in *.
  assert (w' * x' <= w' * x) by (apply Rmult_le_compat_l; lra).
  assert ((1 - w') * y' <= (1 - w') * y) by (apply Rmult_le_compat_l; lra).
  assert (0 <= (w' - w) * (y - x)) by (apply Rmult_le_pos; lra).
  nra.
Qed.

(* Thinning: each coin also needs one of probability c. *)
Fixpoint thin (c : R) (f : nat -> R) (n : nat) : R :=
  match n with
  | O => f O
  | S n => c * thin c (fun m => f (S m)) n + (1 - c) * thin c f n
  end.

Lemma thinned : forall c ws f, mean f (map (Rmult c) ws) = mean (thin c f) ws.
Proof.
  intros c ws. induction ws as [| w ws IH]; intros f; simpl; [reflexivity |].
  rewrite (IH (fun n => f (S n))), (IH f).
  rewrite (mean_linear ws c (1 - c) (thin c (fun m => f (S m))) (thin c f)). ring.
Qed.

Lemma thin_linear : forall c n a b f g,
  thin c (fun m => a * f m + b * g m) n = a * thin c f n + b * thin c g n.
Proof.
  intros c n. induction n as [| n IH]; intros a b f g; simpl; [reflexivity |].
  rewrite (IH a b (fun m => f (S m)) (fun m => g (S m))), (IH a b f g). ring.
Qed.

Lemma thin_ext : forall c n f g, (forall m, f m = g m) -> thin c f n = thin c g n.
Proof.
  intros c n. induction n as [| n IH]; intros f g H; simpl; [apply H |].
  rewrite (IH (fun m => f (S m)) (fun m => g (S m))), (IH f g); auto.
Qed.

Lemma thin_bound : forall c n f x, coin c -> (forall m, f m <= x) -> thin c f n <= x.
Proof.
  intros c n. induction n as [| n IH]; intros f x C H; simpl; [apply H |].
  pose proof (IH (fun m => f (S m)) x C (fun m => H (S m))) as H1. pose proof (IH f x C H) as H2.
  destruct C. set (s := thin c (fun m => f (S m)) n) in *. set (t := thin c f n) in *.
  assert (c * s <= c * x) by (apply Rmult_le_compat_l; lra).
  assert ((1 - c) * t <= (1 - c) * x) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* Of n + 1 coins the number B: E[B h(B)] = (n + 1) c E[h(1 + Bin(n, c))]. *)
Lemma size_biased : forall c n h,
  thin c (fun m => INR m * h m) (S n) = INR (S n) * c * thin c (fun m => h (S m)) n.
Proof.
  intros c n. induction n as [| n IH]; intros h; [simpl; ring |].
  change (thin c (fun m => INR m * h m) (S (S n)))
    with (c * thin c (fun m => INR (S m) * h (S m)) (S n)
          + (1 - c) * thin c (fun m => INR m * h m) (S n)).
  rewrite (thin_ext c (S n) (fun m => INR (S m) * h (S m))
    (fun m => 1 * (INR m * h (S m)) + 1 * h (S m)))
    by (intros m; rewrite S_INR; ring).
  rewrite (thin_linear c (S n) 1 1 (fun m => INR m * h (S m)) (fun m => h (S m))).
  rewrite (IH (fun m => h (S m))), (IH h).
  change (thin c (fun m => h (S m)) (S n))
    with (c * thin c (fun m => h (S (S m))) n + (1 - c) * thin c (fun m => h (S m)) n).
  rewrite (S_INR (S n)). ring.
Qed.

Lemma thin_first : forall c n, coin c -> c * thin c first n <= first n.
Proof.
  intros c n C.
  assert (H : INR (S n) * c * thin c first n <= 1).
  { pose proof (size_biased c n (fun m => / INR m)) as B.
    unfold first in *. rewrite <- B. apply thin_bound; [exact C |].
    intros [| m]; [simpl; lra |]. rewrite Rinv_r; [lra |]. apply not_0_INR. lia. }
  assert (0 < INR (S n)) by (apply lt_0_INR; lia).
  unfold first at 2. apply Rmult_le_reg_l with (INR (S n)); [assumption |].
  rewrite Rinv_r by lra. lra.
Qed.

Lemma first_falls : forall n, first (S n) <= first n.
Proof.
  intros n. unfold first. apply Rinv_le_contravar; [apply lt_0_INR; lia | apply le_INR; lia].
Qed.

(* If others are at least c times as likely as before to be accepted, i is at most 1/c times as
   likely as before to be the first. *)
Lemma others_scaled : forall c ws ws', coin c -> Forall coin ws -> Forall coin ws' ->
  Forall2 Rle (map (Rmult c) ws) ws' -> c * mean first ws' <= mean first ws.
Proof.
  intros c ws ws' C F F' L.
  assert (Fc : Forall coin (map (Rmult c) ws)).
  { clear L. induction F as [| w ws [W0 W1] _ IH]; simpl; constructor; [| exact IH].
    destruct C. split; [apply Rmult_le_pos; lra |].
    apply Rle_trans with (1 * 1); [apply Rmult_le_compat; lra | lra]. }
  pose proof (mean_falls _ _ Fc F' L first first_falls) as H.
  rewrite thinned in H.
  apply Rle_trans with (c * mean (thin c first) ws).
  - apply Rmult_le_compat_l; [destruct C; lra | exact H].
  - replace (c * mean (thin c first) ws) with (mean (fun n => c * thin c first n + 0 * 0) ws).
    + apply mean_monotone; [exact F |]. intros n. pose proof (thin_first c n C). lra.
    + rewrite (mean_linear ws c 0 (thin c first) (fun _ => 0)). lra.
Qed.

(* Scores s and s + d, 0 <= d <= spread; M and M' their largest. *)
Definition accept (b M s : R) : R := exp ((s - M) / b).

Theorem flip_private : forall b spread M M' s d (others : list (R * R)),	(* (s_j, d_j) *)
  0 < b -> 0 <= d <= spread -> Forall (fun o => 0 <= snd o <= spread) others ->
  Forall (fun o => fst o <= M /\ fst o + snd o <= M') others ->
  M <= M' ->
  chosen (accept b M' (s + d)) (map (fun o => accept b M' (fst o + snd o)) others) <=
  exp (spread / b) * chosen (accept b M s) (map (fun o => accept b M (fst o)) others).
Proof.
  intros b spread M M' s d others B D F L MM. unfold chosen.
  set (c := exp ((M - M') / b)).
  assert (IB : 0 < / b) by (apply Rinv_0_lt_compat; exact B).
  assert (small : forall x, x <= 0 -> exp (x / b) <= 1).
  { intros x X. rewrite <- exp_0. destruct (Req_dec x 0) as [-> | N].
    - unfold Rdiv. rewrite Rmult_0_l. lra.
    - left. apply exp_increasing. unfold Rdiv. nra. }
  assert (C : coin c) by (split; [left; apply exp_pos | apply small; lra]).
  assert (F1 : Forall coin (map (fun o => accept b M (fst o)) others)).
  { clear F. induction L as [| o r [A1 A2] _ IH]; simpl; constructor; [| exact IH].
    split; [left; apply exp_pos | apply small; lra]. }
  assert (F2 : Forall coin (map (fun o => accept b M' (fst o + snd o)) others)).
  { clear F F1. induction L as [| o r [A1 A2] _ IH]; simpl; constructor; [| exact IH].
    split; [left; apply exp_pos | apply small; lra]. }
  assert (S2 : Forall2 Rle (map (Rmult c) (map (fun o => accept b M (fst o)) others))
    (map (fun o => accept b M' (fst o + snd o)) others)).
  { clear L F1 F2. induction F as [| o r [A1 A2] _ IH]; simpl; constructor; [| exact IH].
    unfold c, accept. rewrite <- exp_plus.
    replace ((M - M') / b + (fst o - M) / b) with ((fst o - M') / b) by (field; lra).
    destruct (Req_dec (snd o) 0) as [-> | N]; [right; f_equal; f_equal; ring |].
    left. apply exp_increasing. unfold Rdiv. apply Rmult_lt_compat_r; lra. }
  pose proof (others_scaled c _ _ C F1 F2 S2) as H.
  set (x := mean first (map (fun o => accept b M (fst o)) others)) in *.
  set (x' := mean first (map (fun o => accept b M' (fst o + snd o)) others)) in *.
  (* accept' = c e^(d / b) accept *)
  replace (accept b M' (s + d)) with (exp (d / b) * accept b M s * c)
    by (unfold accept, c; rewrite <- !exp_plus; f_equal; field; lra).
  assert (P : 0 < exp (d / b) * accept b M s)
    by (apply Rmult_lt_0_compat; [apply exp_pos | unfold accept; apply exp_pos]).
  apply Rle_trans with (exp (d / b) * accept b M s * x).
  - rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
  - rewrite (Rmult_assoc (exp (d / b))).
    assert (E : exp (d / b) <= exp (spread / b)).
    { destruct (Req_dec d spread) as [-> | N]; [lra |].
      left. apply exp_increasing. unfold Rdiv. apply Rmult_lt_compat_r; lra. }
    assert (X : 0 <= x).
    { replace 0 with (mean (fun _ => 0 * 0 + 0 * 0) (map (fun o => accept b M (fst o)) others)).
      - apply mean_monotone; [exact F1 |]. intros n. unfold first.
        assert (0 < INR (S n)) by (apply lt_0_INR; lia).
        pose proof (Rinv_0_lt_compat _ H0). lra.
      - rewrite (mean_linear _ 0 0 (fun _ => 0) (fun _ => 0)). ring. }
    apply Rmult_le_compat_r; [| exact E].
    apply Rmult_le_pos; [unfold accept; left; apply exp_pos | exact X].
Qed.

(* The other direction is that of spread - d: a constant added to all scores changes nothing. *)
Corollary flip_private_back : forall b spread M M' s d (others : list (R * R)),
  0 < b -> 0 <= d <= spread -> Forall (fun o => 0 <= snd o <= spread) others ->
  Forall (fun o => fst o <= M /\ fst o + snd o <= M') others ->
  M' <= M + spread ->
  chosen (accept b M s) (map (fun o => accept b M (fst o)) others) <=
  exp (spread / b) * chosen (accept b M' (s + d)) (map (fun o => accept b M' (fst o + snd o)) others).
Proof.
  intros b spread M M' s d others B D F L MM.
  pose (back := fun o : R * R => (fst o + snd o, spread - snd o)).
  assert (same : forall x y, accept b (M + spread) (x + y + (spread - y)) = accept b M x)
    by (intros; unfold accept; f_equal; f_equal; ring).
  assert (F' : Forall (fun o => 0 <= snd o <= spread) (map back others)).
  { apply Forall_map. eapply Forall_impl; [| exact F]. intros [x y]. simpl. lra. }
  assert (L' : Forall (fun o => fst o <= M' /\ fst o + snd o <= M + spread) (map back others)).
  { apply Forall_map. eapply Forall_impl; [| exact L]. intros [x y]. simpl. lra. }
  pose proof (flip_private b spread M' (M + spread) (s + d) (spread - d) (map back others)
    B ltac:(lra) F' L' MM) as H.
  rewrite same, !map_map in H. simpl in H.
  rewrite (map_ext (fun o => accept b (M + spread) (fst o + snd o + (spread - snd o)))
    (fun o => accept b M (fst o)) (fun o => same (fst o) (snd o))) in H.
  exact H.
Qed.
