(* SPDX-License-Identifier: ISC *)
(* The norm tree (lib/normtree/normtree.h, PRIVACY).  Tables are given by their logarithms, as any
   functions into the reals that satisfy the inequalities of the certificate. *)

Require Import ZArith Reals List Lra Lia.
Open Scope R_scope.

(* A plan: a kind for every node.  lg and lN: logarithms of g and of N; lk: of k; A: the length of
   the kind's table, None for a pair of steps, where Y is infinite; e: the kind's share, certified.
   A step has g = 1. *)
Inductive plan : Type :=
  | Step
  | Node (lg lN lk : Z -> R) (A : option Z) (e : R) (left right : plan).

(* Increments of the steps, as a tree of the plan's form. *)
Inductive noise : Type :=
  | Leaf (w : Z)
  | Fork (left right : noise).

Fixpoint fits (p : plan) (w : noise) : Prop :=
  match p, w with
  | Step, Leaf _ => True
  | Node _ _ _ _ _ pl pr, Fork l r => fits pl l /\ fits pr r
  | _, _ => False
  end.

Fixpoint total (w : noise) : Z :=
  match w with Leaf x => x | Fork l r => (total l + total r)%Z end.

(* y(a, b): the smaller magnitude of two numbers of different signs, else 0. *)
Definition y (a b : Z) : Z :=
  if ((a <? 0) && (0 <? b) || (b <? 0) && (0 <? a))%bool%Z then Z.min (Z.abs a) (Z.abs b) else 0%Z.

(* min(y(a, b), Y(P)), Y(P) = max(0, A - |P|), or infinite. *)
Definition capped (A : option Z) (a b : Z) : Z :=
  match A with
  | Some A => Z.min (y a b) (Z.max 0 (A - Z.abs (a + b)))
  | None => y a b
  end.

Definition lg_of (p : plan) : Z -> R :=
  match p with Step => fun _ => 0 | Node lg _ _ _ _ _ _ => lg end.

(* log of t(a, b) / N(a + b): the probability of a split of P = a + b. *)
Definition log_split (p : plan) (a b : Z) : R :=
  match p with
  | Step => 0
  | Node _ lN lk A _ pl pr => lg_of pl a + lg_of pr b + lk (capped A a b) - lN (a + b)%Z
  end.

Fixpoint log_splits (p : plan) (w : noise) : R :=
  match p, w with
  | Node _ _ _ _ _ pl pr, Fork l r =>
      log_split p (total l) (total r) + log_splits pl l + log_splits pr r
  | _, _ => 0
  end.

(* log p(w): the root's P, drawn with probability R(P) / sum R, then all splits. *)
Definition log_p (lR : Z -> R) (log_sum : R) (p : plan) (w : noise) : R :=
  lR (total w) - log_sum + log_splits p w.

(* The certificate of a kind, d(P) = rho(P + 1) - rho(P) with rho = log g - log N. *)
Definition d (lg lN : Z -> R) (P : Z) : R :=
  (lg (P + 1)%Z - lN (P + 1)%Z) - (lg P - lN P).

Definition below_cap (A : option Z) (P v : Z) : Prop :=
  match A with Some A => (v < Z.max 0 (A - P))%Z | None => True end.

Record certified_kind (lg lN lk : Z -> R) (A : option Z) (e : R) : Prop := {
  even_g : forall P, lg (- P)%Z = lg P;
  even_N : forall P, lN (- P)%Z = lN P;
  falls : forall v, (0 <= v)%Z -> lk (v + 1)%Z <= lk v;
  low : forall P, (0 <= P)%Z -> - e <= d lg lN P;
  high : forall P, (0 <= P)%Z -> d lg lN P <= e;
  slope : forall P v, (0 <= P)%Z -> (0 <= v)%Z -> below_cap A P v ->
    d lg lN P + (lk v - lk (v + 1)%Z) <= e
}.

Fixpoint certified (p : plan) : Prop :=
  match p with
  | Step => True
  | Node lg lN lk A e pl pr => certified_kind lg lN lk A e /\ certified pl /\ certified pr
  end.

(* The largest sum of shares over the nodes above a step: only paths count. *)
Fixpoint path (p : plan) : R :=
  match p with
  | Step => 0
  | Node _ _ _ _ e pl pr => e + Rmax (path pl) (path pr)
  end.

(* L1 distance of two trees of increments. *)
Fixpoint distance (v w : noise) : R :=
  match v, w with
  | Leaf a, Leaf b => Rabs (IZR a - IZR b)
  | Fork l r, Fork l' r' => distance l l' + distance r r'
  | _, _ => 0
  end.

(* (1): every g but the root's appears once in a parent's split and once in its own kind's rho. *)
Definition term (lg lN lk : Z -> R) (A : option Z) (a b : Z) : R :=
  (lg (a + b)%Z - lN (a + b)%Z) + lk (capped A a b).

Fixpoint terms (p : plan) (w : noise) : R :=
  match p, w with
  | Node lg lN lk A _ pl pr, Fork l r =>
      term lg lN lk A (total l) (total r) + terms pl l + terms pr r
  | _, _ => 0
  end.

Lemma telescopes : forall p w, fits p w -> log_splits p w = terms p w - lg_of p (total w).
Proof.
  induction p as [| lg lN lk A e pl IHl pr IHr]; destruct w as [x | l r]; simpl; try tauto.
  - intros _. lra.
  - intros [Hl Hr]. rewrite (IHl l Hl), (IHr r Hr). unfold term. lra.
Qed.

Lemma y_even : forall a b, y (- a) (- b) = y a b.
Proof.
  intros a b. unfold y.
  destruct (Z.ltb_spec a 0), (Z.ltb_spec 0 b), (Z.ltb_spec b 0), (Z.ltb_spec 0 a),
    (Z.ltb_spec (- a) 0), (Z.ltb_spec 0 (- b)), (Z.ltb_spec (- b) 0), (Z.ltb_spec 0 (- a));
    simpl; lia.
Qed.

Lemma y_swap : forall a b, y a b = y b a.
Proof.
  intros a b. unfold y.
  destruct (Z.ltb_spec a 0), (Z.ltb_spec 0 b), (Z.ltb_spec b 0), (Z.ltb_spec 0 a); simpl; lia.
Qed.

Lemma y_nonnegative : forall a b, (0 <= y a b)%Z.
Proof.
  intros a b. unfold y.
  destruct (Z.ltb_spec a 0), (Z.ltb_spec 0 b), (Z.ltb_spec b 0), (Z.ltb_spec 0 a); simpl; lia.
Qed.

(* (3): while P >= 0 goes to P + 1, y stays or goes down by one. *)
Lemma y_moves : forall a b, (0 <= a + b)%Z -> y (a + 1) b = y a b \/ (y (a + 1) b = y a b - 1)%Z.
Proof.
  intros a b. unfold y.
  destruct (Z.ltb_spec a 0), (Z.ltb_spec 0 b), (Z.ltb_spec b 0), (Z.ltb_spec 0 a),
    (Z.ltb_spec (a + 1) 0), (Z.ltb_spec 0 (a + 1)); simpl; lia.
Qed.

Lemma capped_moves : forall A a b, (0 <= a + b)%Z ->
  (0 <= capped A (a + 1) b)%Z /\
  (capped A (a + 1) b = capped A a b \/
   capped A a b = (capped A (a + 1) b + 1)%Z /\ below_cap A (a + b) (capped A (a + 1) b)).
Proof.
  intros A a b H.
  pose proof (y_moves a b H) as M.
  pose proof (y_nonnegative (a + 1) b). pose proof (y_nonnegative a b).
  destruct A as [A |]; simpl; [| split; [lia | destruct M; [left | right]; lia]].
  replace (a + 1 + b)%Z with (a + b + 1)%Z by ring.
  rewrite (Z.abs_eq (a + b)), (Z.abs_eq (a + b + 1)) by lia.
  split; [lia |]. lia.
Qed.

Lemma capped_even : forall A a b, capped A (- a) (- b) = capped A a b.
Proof.
  intros [A |] a b; simpl; rewrite y_even; [| reflexivity].
  replace (- a + - b)%Z with (- (a + b))%Z by ring. rewrite Z.abs_opp. reflexivity.
Qed.

Lemma capped_swap : forall A a b, capped A a b = capped A b a.
Proof.
  intros [A |] a b; simpl; rewrite y_swap; [rewrite (Z.add_comm b a) |]; reflexivity.
Qed.

Section Kind.
  Variables (lg lN lk : Z -> R) (A : option Z) (e : R).
  Hypothesis C : certified_kind lg lN lk A e.
  Let F := term lg lN lk A.

  Lemma F_even : forall a b, F (- a) (- b) = F a b.
  Proof.
    intros a b. unfold F, term. rewrite capped_even.
    replace (- a + - b)%Z with (- (a + b))%Z by ring.
    rewrite (even_g _ _ _ _ _ C), (even_N _ _ _ _ _ C). reflexivity.
  Qed.

  Lemma F_swap : forall a b, F a b = F b a.
  Proof. intros a b. unfold F, term. rewrite capped_swap, (Z.add_comm b a). reflexivity. Qed.

  Lemma up : forall a b, (0 <= a + b)%Z -> Rabs (F (a + 1)%Z b - F a b) <= e.
  Proof.
    intros a b H. unfold F, term.
    replace (a + 1 + b)%Z with (a + b + 1)%Z by ring.
    pose proof (low _ _ _ _ _ C (a + b)%Z H) as L.
    pose proof (high _ _ _ _ _ C (a + b)%Z H) as U.
    destruct (capped_moves A a b H) as [N [E | [E B]]].
    - rewrite E. unfold d in *. apply Rabs_le. lra.
    - pose proof (slope _ _ _ _ _ C (a + b)%Z _ H N B) as S.
      pose proof (falls _ _ _ _ _ C _ N) as K.
      rewrite E. unfold d in *. apply Rabs_le. lra.
  Qed.

  Lemma one : forall a b, Rabs (F (a + 1)%Z b - F a b) <= e.
  Proof.
    intros a b. destruct (Z_le_gt_dec 0 (a + b)) as [H | H]; [exact (up a b H) |].
    rewrite <- (F_even (a + 1) b), <- (F_even a b).
    replace (- (a + 1))%Z with (- a - 1)%Z by ring.
    replace (- a)%Z with (- a - 1 + 1)%Z at 2 by ring.
    rewrite Rabs_minus_sym. apply up. lia.
  Qed.

  Lemma many : forall n a b, Rabs (F (a + Z.of_nat n)%Z b - F a b) <= e * INR n.
  Proof.
    induction n as [| n IH]; intros a b.
    - simpl. rewrite Z.add_0_r, Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
    - rewrite S_INR, Nat2Z.inj_succ.
      replace (a + Z.succ (Z.of_nat n))%Z with (a + Z.of_nat n + 1)%Z by lia.
      replace (F (a + Z.of_nat n + 1)%Z b - F a b)
        with ((F (a + Z.of_nat n + 1)%Z b - F (a + Z.of_nat n)%Z b)
              + (F (a + Z.of_nat n)%Z b - F a b)) by ring.
      eapply Rle_trans; [apply Rabs_triang |].
      pose proof (one (a + Z.of_nat n)%Z b). pose proof (IH a b). lra.
  Qed.

  Lemma left_moves : forall a a' b, Rabs (F a b - F a' b) <= e * Rabs (IZR a - IZR a').
  Proof.
    assert (W : forall a a' b, (a' <= a)%Z -> Rabs (F a b - F a' b) <= e * Rabs (IZR a - IZR a')).
    { intros a a' b H.
      replace a with (a' + Z.of_nat (Z.to_nat (a - a')))%Z at 1 by lia.
      eapply Rle_trans; [apply many |].
      rewrite INR_IZR_INZ, Z2Nat.id, minus_IZR by lia.
      apply IZR_le in H. rewrite (Rabs_pos_eq (IZR a - IZR a')); lra. }
    intros a a' b. destruct (Z_le_gt_dec a' a) as [H | H]; [apply W; exact H |].
    rewrite Rabs_minus_sym, (Rabs_minus_sym (IZR a)). apply W. lia.
  Qed.

  Lemma share_nonnegative : 0 <= e.
  Proof.
    pose proof (low _ _ _ _ _ C 0%Z (Z.le_refl 0)).
    pose proof (high _ _ _ _ _ C 0%Z (Z.le_refl 0)). lra.
  Qed.

  (* One term moves by at most e a unit, whichever child moves. *)
  Lemma term_moves : forall a b a' b',
    Rabs (F a b - F a' b') <= e * (Rabs (IZR a - IZR a') + Rabs (IZR b - IZR b')).
  Proof.
    intros a b a' b'.
    replace (F a b - F a' b') with ((F a b - F a' b) + (F b a' - F b' a'))
      by (rewrite (F_swap a' b), (F_swap a' b'); ring).
    eapply Rle_trans; [apply Rabs_triang |].
    pose proof (left_moves a a' b). pose proof (left_moves b b' a'). lra.
  Qed.
End Kind.

Lemma distance_nonnegative : forall v w, 0 <= distance v w.
Proof.
  induction v as [a | l IHl r IHr]; destruct w as [b | l' r']; simpl; try lra.
  - apply Rabs_pos.
  - specialize (IHl l'). specialize (IHr r'). lra.
Qed.

Lemma total_moves : forall p v w, fits p v -> fits p w ->
  Rabs (IZR (total v) - IZR (total w)) <= distance v w.
Proof.
  induction p as [| lg lN lk A e pl IHl pr IHr];
    destruct v as [a | l r]; destruct w as [b | l' r']; simpl; try tauto.
  - intros _ _. lra.
  - intros [Fl Fr] [Fl' Fr']. rewrite !plus_IZR.
    pose proof (IHl l l' Fl Fl'). pose proof (IHr r r' Fr Fr').
    replace (IZR (total l) + IZR (total r) - (IZR (total l') + IZR (total r')))
      with ((IZR (total l) - IZR (total l')) + (IZR (total r) - IZR (total r'))) by ring.
    eapply Rle_trans; [apply Rabs_triang |]. lra.
Qed.

(* (2): all terms together move by the shares of a path a unit. *)
Lemma terms_move : forall p v w, certified p -> fits p v -> fits p w ->
  Rabs (terms p v - terms p w) <= path p * distance v w.
Proof.
  induction p as [| lg lN lk A e pl IHl pr IHr];
    destruct v as [a | l r]; destruct w as [b | l' r']; simpl; try tauto.
  - intros _ _ _. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
  - intros [C [Cl Cr]] [Fl Fr] [Fl' Fr'].
    pose proof (IHl l l' Cl Fl Fl') as Hl. pose proof (IHr r r' Cr Fr Fr') as Hr.
    pose proof (term_moves lg lN lk A e C (total l) (total r) (total l') (total r')) as Ht.
    pose proof (total_moves pl l l' Fl Fl') as Tl. pose proof (total_moves pr r r' Fr Fr') as Tr.
    pose proof (share_nonnegative lg lN lk A e C) as E.
    pose proof (distance_nonnegative l l') as Dl. pose proof (distance_nonnegative r r') as Dr.
    pose proof (Rmax_l (path pl) (path pr)) as Ml. pose proof (Rmax_r (path pl) (path pr)) as Mr.
    set (x := term lg lN lk A (total l) (total r)) in *.
    set (x' := term lg lN lk A (total l') (total r')) in *.
    replace (x + terms pl l + terms pr r - (x' + terms pl l' + terms pr r'))
      with ((x - x') + ((terms pl l - terms pl l') + (terms pr r - terms pr r'))) by ring.
    eapply Rle_trans; [apply Rabs_triang |].
    eapply Rle_trans; [apply Rplus_le_compat_l, Rabs_triang |].
    assert (Rabs (x - x') <= e * (distance l l' + distance r r')).
    { eapply Rle_trans; [exact Ht |]. apply Rmult_le_compat_l; lra. }
    assert (path pl * distance l l' <= Rmax (path pl) (path pr) * distance l l')
      by (apply Rmult_le_compat_r; lra).
    assert (path pr * distance r r' <= Rmax (path pl) (path pr) * distance r r')
      by (apply Rmult_le_compat_r; lra).
    lra.
Qed.

(* The root's: log R - log g moves by at most eR a unit. *)
Definition certified_root (lR lg : Z -> R) (eR : R) : Prop :=
  forall a b, Rabs ((lR a - lg a) - (lR b - lg b)) <= eR * Rabs (IZR a - IZR b).

Theorem norm_tree_moves : forall lR log_sum eR p v w,
  0 <= eR -> certified p -> certified_root lR (lg_of p) eR -> fits p v -> fits p w ->
  Rabs (log_p lR log_sum p v - log_p lR log_sum p w) <= (eR + path p) * distance v w.
Proof.
  intros lR log_sum eR p v w E C CR Fv Fw. unfold log_p.
  rewrite (telescopes p v Fv), (telescopes p w Fw).
  replace (lR (total v) - log_sum + (terms p v - lg_of p (total v)) -
           (lR (total w) - log_sum + (terms p w - lg_of p (total w))))
    with (((lR (total v) - lg_of p (total v)) - (lR (total w) - lg_of p (total w)))
          + (terms p v - terms p w)) by ring.
  eapply Rle_trans; [apply Rabs_triang |].
  pose proof (CR (total v) (total w)) as H1.
  pose proof (total_moves p v w Fv Fw) as H2.
  pose proof (terms_move p v w C Fv Fw) as H3.
  assert (eR * Rabs (IZR (total v) - IZR (total w)) <= eR * distance v w)
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(* The statement of the header: at each output the two densities are within e^epsilon if one unit
   moves the step values by at most l1 in L1. *)
Theorem norm_tree_private : forall lR log_sum eR p l1 epsilon v w,
  0 <= eR -> certified p -> certified_root lR (lg_of p) eR -> fits p v -> fits p w ->
  distance v w <= l1 -> l1 * (eR + path p) <= epsilon -> 0 <= eR + path p ->
  exp (log_p lR log_sum p v) <= exp epsilon * exp (log_p lR log_sum p w).
Proof.
  intros lR log_sum eR p l1 epsilon v w E C CR Fv Fw D B Q.
  pose proof (norm_tree_moves lR log_sum eR p v w E C CR Fv Fw) as H.
  rewrite <- exp_plus.
  assert (log_p lR log_sum p v - log_p lR log_sum p w <= epsilon).
  { eapply Rle_trans; [apply Rle_abs |]. eapply Rle_trans; [exact H |].
    eapply Rle_trans; [| exact B]. rewrite Rmult_comm. apply Rmult_le_compat_r; lra. }
  destruct (Rle_lt_or_eq_dec (log_p lR log_sum p v) (epsilon + log_p lR log_sum p w)) as [L | L];
    [lra | left; apply exp_increasing; exact L | right; rewrite L; reflexivity].
Qed.
