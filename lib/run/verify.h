/*
 * verify.h - plans of runs, checked by audit/certificate.h: for dpaudit.  All print, and end with
 * the status of dpaudit(1): 0 holds, 6 refuted, 3 no plan, or none that can be checked.
 */
#ifndef DP_VERIFY_H
#define DP_VERIFY_H

#define DP_EX_REFUTED	6

/* argv, NULL last, and --explain=plan before its arguments: its plan; behind #, the verdict. */
int	dp_verify_command(char **argv);
/* A file, or standard input: "-". */
int	dp_verify_plan(const char *file);

#endif
