# SPDX-License-Identifier: ISC
# A Slurm cluster of one node, on loopback, in a folder of its own: for shards.bats.  It needs no
# cgroups, no systemd and nothing in /etc.

# slurm_up: starts it in $cluster, and waits until its node is there; 1: why stands in $cluster/why
slurm_up() {
	local p

	for p in munged slurmctld slurmd sbatch; do
		PATH=$PATH:/usr/sbin command -v $p >/dev/null || {
			echo "no $p"
			return 1
		}
	done
	export PATH=$PATH:/usr/sbin
	# munge wants its socket where all may go
	cluster=$(mktemp -d /tmp/dpslurm.XXXXXX) && chmod 755 "$cluster" || return
	mkdir -m 755 "$cluster"/{state,spool,munge}
	slurm_conf >"$cluster/slurm.conf"
	export SLURM_CONF=$cluster/slurm.conf
	(umask 077 && head -c 1024 /dev/urandom >"$cluster/munge/key")
	daemon munged --foreground --force --num-threads=1 --socket="$cluster/munge/socket" \
	    --key-file="$cluster/munge/key" --log-file="$cluster/munge/log" \
	    --pid-file="$cluster/munge/pid" --seed-file="$cluster/munge/seed"
	daemon slurmctld -D -i
	daemon slurmd -D -N dpnode
	slurm_ready || {
		tail -n 5 "$cluster"/*.log "$cluster/munge/log"
		return 1
	}
}

# daemon COMMAND ...: in the background, its number kept
daemon() {
	setsid "$@" >>"$cluster/out.log" 2>&1 3>&- </dev/null &
	echo $! >>"$cluster/pids"
}

# The node is idle, within five minutes
slurm_ready() {
	local n

	for ((n = 0; n < 600; n++)); do
		[ "$(timeout 60 sinfo -h -o %t 2>/dev/null)" = idle ] && return
		sleep .5
	done
	return 1
}

# free_port: nobody listens there now
free_port() {
	local p

	while p=$((20000 + RANDOM % 12000)); do
		(: <"/dev/tcp/127.0.0.1/$p") 2>/dev/null || break
	done
	echo $p
}

slurm_conf() {
	local one two

	one=$(free_port)
	until two=$(free_port) && [ "$two" != "$one" ]; do
		:
	done
	cat <<-E
	ClusterName=dp
	SlurmctldHost=$(hostname -s)(127.0.0.1)
	SlurmctldPort=$one
	SlurmdPort=$two
	CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
	AuthType=auth/munge
	AuthInfo=socket=$cluster/munge/socket
	CredType=cred/munge
	SlurmUser=$(id -un)
	SlurmdUser=$(id -un)
	StateSaveLocation=$cluster/state
	SlurmdSpoolDir=$cluster/spool
	SlurmctldPidFile=$cluster/slurmctld.pid
	SlurmdPidFile=$cluster/slurmd.pid
	SlurmctldLogFile=$cluster/slurmctld.log
	SlurmdLogFile=$cluster/slurmd.log
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	SwitchType=switch/none
	MpiDefault=none
	JobAcctGatherType=jobacct_gather/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_CPU
	ReturnToService=2
	NodeName=dpnode NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
	PartitionName=all Nodes=ALL Default=YES State=UP
	E
}

# slurm_down: its processes end, and the folder goes
slurm_down() {
	local p

	[ -n "${cluster-}" ] && [ -d "$cluster" ] || return 0
	for p in $(tac "$cluster/pids" 2>/dev/null); do
		kill "$p" 2>/dev/null || :
	done
	for p in $(cat "$cluster/pids" 2>/dev/null); do
		timeout 60 tail --pid="$p" -f /dev/null || kill -9 "$p" 2>/dev/null || :
	done
	rm -rf "$cluster"
}
