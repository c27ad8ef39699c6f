(* SPDX-License-Identifier: ISC *)
(* Choices of bounded range, one after the other (lib/account/internal.h; Dong, Durfee, Rogers 2020).

   The laws of a choice under two neighbours are p and q.  It is of range c if q j / p j lies within
   e^-t .. e^(c-t) for all j, for some t in 0 .. c.  What is chosen next, and from what, may be any
   function of the choices before. *)

Require Import Reals Lra Lia.
Open Scope R_scope.

Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S n => sum n f + f n end.

Lemma sum_le : forall n f g, (forall j, (j < n)%nat -> f j <= g j) -> sum n f <= sum n g.
Proof.
  induction n as [| n IH]; intros f g H; simpl; [lra |].
  apply Rplus_le_compat; [apply IH; intros; apply H; lia | apply H; lia].
Qed.

Lemma sum_linear : forall n a b f g,
  sum n (fun j => a * f j + b * g j) = a * sum n f + b * sum n g.
Proof. induction n as [| n IH]; intros a b f g; simpl; [ring |]. rewrite IH. ring. Qed.

Lemma sum_ext : forall n f g, (forall j, (j < n)%nat -> f j = g j) -> sum n f = sum n g.
Proof.
  induction n as [| n IH]; intros f g H; simpl; [reflexivity |].
  rewrite (IH f g), H by (intros; try apply H; lia). reflexivity.
Qed.

(* --- The exponential mechanism is of range spread / b (lib/random/selection.h, WEIGH): weights w_j
   and w_j e^(d_j), where all d_j lie within c of each other. --- *)

Theorem weigh_range : forall n (w d : nat -> R) x c,
  0 <= c -> (forall j, (j < n)%nat -> 0 < w j /\ x <= d j <= x + c) ->
  let W := sum n w in let W' := sum n (fun j => w j * exp (d j)) in
  0 < W ->
  exists t, 0 <= t <= c /\ forall j, (j < n)%nat ->
    exp (- t) * (w j / W) <= w j * exp (d j) / W' <= exp (c - t) * (w j / W).
Proof.
  intros n w d x c C H W W' P.
  assert (up : forall a b, a <= b -> exp a <= exp b).
  { intros a b L. destruct (Req_dec a b) as [-> | N]; [lra | left; apply exp_increasing; lra]. }
  assert (L : exp x * W <= W').
  { unfold W, W'. replace (exp x * sum n w) with (sum n (fun j => exp x * w j + 0 * 0))
      by (rewrite (sum_linear n (exp x) 0 w (fun _ => 0)); ring).
    apply sum_le. intros j J. destruct (H j J) as [A [B _]]. pose proof (up _ _ B). nra. }
  assert (U : W' <= exp (x + c) * W).
  { unfold W, W'. replace (exp (x + c) * sum n w) with (sum n (fun j => exp (x + c) * w j + 0 * 0))
      by (rewrite (sum_linear n (exp (x + c)) 0 w (fun _ => 0)); ring).
    apply sum_le. intros j J. destruct (H j J) as [A [_ B]]. pose proof (up _ _ B). nra. }
  pose proof (exp_pos x) as E. assert (P' : 0 < W') by nra.
  assert (Q : 0 < W' / (exp x * W)) by (apply Rdiv_lt_0_compat; nra).
  exists (ln (W' / (exp x * W))).
  assert (T : exp (ln (W' / (exp x * W))) = W' / (exp x * W)) by (apply exp_ln; exact Q).
  set (t := ln (W' / (exp x * W))) in *.
  assert (I : exp (- t) = exp x * W / W') by (rewrite exp_Ropp, T; field; split; nra).
  split; [split |].
  - apply Rnot_lt_le. intros N. apply exp_increasing in N. rewrite exp_0, T in N.
    apply (Rmult_lt_compat_r (exp x * W)) in N; [| nra]. unfold Rdiv in N.
    rewrite Rmult_assoc, Rinv_l in N; nra.
  - apply Rnot_lt_le. intros N. apply exp_increasing in N. rewrite T in N.
    apply (Rmult_lt_compat_r (exp x * W)) in N; [| nra]. unfold Rdiv in N.
    rewrite Rmult_assoc, Rinv_l in N by nra. rewrite exp_plus in U. nra.
  - intros j J. destruct (H j J) as [A [B D]].
    replace (c - t) with (c + - t) by ring. rewrite exp_plus, I.
    pose proof (up _ _ B) as B'. pose proof (up _ _ D) as D'. rewrite exp_plus in D'.
    assert (V : 0 < / W') by (apply Rinv_0_lt_compat; exact P').
    replace (exp x * W / W' * (w j / W)) with (exp x * (w j * / W')) by (field; split; lra).
    replace (exp c * (exp x * W / W') * (w j / W)) with (exp x * exp c * (w j * / W'))
      by (field; split; lra).
    assert (0 < w j * / W') by (apply Rmult_lt_0_compat; assumption).
    unfold Rdiv. replace (w j * exp (d j) * / W') with (exp (d j) * (w j * / W')) by ring.
    split; apply Rmult_le_compat_r; lra.
Qed.

(* --- n choices.  The end of a run is in the event, or it is not. --- *)

Inductive run : Type :=
  | Done (within : bool)
  | Choose (n : nat) (p q : nat -> R) (next : nat -> run).

(* Probabilities of the event. *)
Fixpoint P (r : run) : R :=
  match r with
  | Done b => if b then 1 else 0
  | Choose n p q next => sum n (fun j => p j * P (next j))
  end.
Fixpoint Q (r : run) : R :=
  match r with
  | Done b => if b then 1 else 0
  | Choose n p q next => sum n (fun j => q j * Q (next j))
  end.

(* k choices, all of range c. *)
Fixpoint of_range (c : R) (k : nat) (r : run) : Prop :=
  match r, k with
  | Done _, O => True
  | Choose n p q next, S k =>
      sum n p = 1 /\ sum n q = 1 /\
      exists t, 0 <= t <= c /\ forall j, (j < n)%nat ->
        0 < p j /\ exp (- t) * p j <= q j <= exp (c - t) * p j /\ of_range c k (next j)
  | _, _ => False
  end.

Section Composed.
  (* H k at y = e^x: convex, and at least what a choice between the two ends makes of H (k - 1). *)
  Variables (c : R) (H : nat -> R -> R).
  Hypothesis c0 : 0 < c.
  Hypothesis ends : forall y, 0 < y -> 0 <= H 0 y /\ 1 - y <= H 0 y.
  Hypothesis convex : forall k a u b, 0 < a -> a <= u <= b ->
    (b - a) * H k u <= (b - u) * H k a + (u - a) * H k b.
  Hypothesis step : forall k y t, 0 < y -> 0 <= t <= c ->
    let p := (1 - exp (t - c)) / (1 - exp (- c)) in
    p * H k (y * exp (- t)) + (1 - p) * H k (y * exp (c - t)) <= H (S k) y.

  Theorem ranges_compose : forall k r y, of_range c k r -> 0 < y -> P r - y * Q r <= H k y.
  Proof.
    induction k as [| k IH]; intros r y F Y; destruct r as [b | n p q next]; simpl in F; try tauto.
    - destruct (ends y Y). destruct b; simpl; lra.
    - destruct F as [SP [SQ [t [T F]]]].
      pose proof (step k y t Y T) as ST. simpl in ST.
      set (a := exp (- t)) in *. set (b := exp (c - t)) in *.
      assert (A : 0 < a) by apply exp_pos.
      assert (AB : a < b) by (apply exp_increasing; lra).
      assert (E : (1 - exp (t - c)) / (1 - exp (- c)) = (b - 1) / (b - a)).
      { assert (X : exp (t - c) = / b) by (unfold b; rewrite <- exp_Ropp; f_equal; ring).
        assert (Z : exp (- c) = a / b).
        { unfold a, b, Rdiv. rewrite <- exp_Ropp, <- exp_plus. f_equal. ring. }
        rewrite X, Z. field. repeat split; lra. }
      rewrite E in ST.
      (* a choice is at most what its chord gives *)
      assert (C : P (Choose n p q next) - y * Q (Choose n p q next) <=
        sum n (fun j => (/ (b - a) * (b * H k (y * a) - a * H k (y * b))) * p j
                        + (/ (b - a) * (H k (y * b) - H k (y * a))) * q j)).
      { simpl. replace (sum n (fun j => p j * P (next j)) - y * sum n (fun j => q j * Q (next j)))
          with (sum n (fun j => 1 * (p j * P (next j)) + - y * (q j * Q (next j))))
          by (rewrite (sum_linear n 1 (- y) (fun j => p j * P (next j))); ring).
        apply sum_le. intros j J. destruct (F j J) as [p0 [[L U] G]].
        assert (D : 0 < q j) by nra.
        assert (YQ : 0 < y * (q j / p j)) by (apply Rmult_lt_0_compat; [| apply Rdiv_lt_0_compat]; lra).
        pose proof (IH (next j) (y * (q j / p j)) G YQ) as HJ.
        assert (LU : y * a <= y * (q j / p j) <= y * b).
        { assert (q j / p j * p j = q j) by (field; lra).
          split; apply Rmult_le_compat_l; try lra; apply Rmult_le_reg_r with (p j); lra. }
        assert (YA : 0 < y * a) by nra.
        pose proof (convex k (y * a) (y * (q j / p j)) (y * b) YA LU) as CV.
        apply Rmult_le_compat_l with (r := p j) in HJ; [| lra].
        replace (p j * (P (next j) - y * (q j / p j) * Q (next j)))
          with (1 * (p j * P (next j)) + - y * (q j * Q (next j))) in HJ by (field; lra).
        eapply Rle_trans; [exact HJ |].
        apply Rmult_le_reg_l with (y * (b - a)); [nra |].
        apply Rmult_le_compat_l with (r := p j) in CV; [| lra].
        replace (y * (b - a) * (/ (b - a) * (b * H k (y * a) - a * H k (y * b)) * p j +
                 / (b - a) * (H k (y * b) - H k (y * a)) * q j))
          with (p j * ((y * b - y * (q j / p j)) * H k (y * a) +
                       (y * (q j / p j) - y * a) * H k (y * b))) by (field; lra).
        replace (y * (b - a) * (p j * H k (y * (q j / p j))))
          with (p j * ((y * b - y * a) * H k (y * (q j / p j)))) by ring.
        exact CV. }
      eapply Rle_trans; [exact C |]. rewrite sum_linear, SP, SQ.
      eapply Rle_trans; [| exact ST]. right. field. lra.
  Qed.
End Composed.
