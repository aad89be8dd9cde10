# shellcheck shell=bash disable=SC2154,SC2086
# SPDX-License-Identifier: MIT
#
# Situations of checks/advice.sh: limits of the kernel, and what a machine does not offer. Refusals
# that this machine does not make are played by a library in front of perf_event_open.

# Runs a command whose perf_event_open fails with an errno, while $REFUSE_WHILE exists if that is set.
refused() { # errno command...
	REFUSE_ERRNO=$1 LD_PRELOAD=$D/refuse.so "${@:2}" 2>&1
}
# A sysctl that only notes that the setting was changed.
sysctl_plays() { # setting
	played "sysctl; the refusal"
	export REFUSE_WHILE=$PWD/refused
	touch refused
	player sysctl <<< "case \$* in $1*) rm $PWD/refused ;; *) exit 1 ;; esac"
}

row_cpu_clock() {
	ls -d /sys/bus/event_source/devices/cpu* > /dev/null 2>&1 && skip "this machine has a PMU"
	advised cpu-clock "$(rec -e instructions -- true)"
	lacks "$(rec $command -- true)" "no hardware counters"
}
# As on a machine with a CPU PMU: its events are recorded as cpu-clock, without branches.
pmu_plays() {
	played "a PMU"
	mount -t tmpfs none /sys/bus/event_source/devices && mkdir /sys/bus/event_source/devices/cpu ||
		skip "no mount on sysfs"
	export PLAY_PMU=1
}
row_branch_event() {
	pmu_plays
	export REFUSE_TYPE=1
	advised branch-event "$(refused 95 prec -q -o f.data -b -e cpu-clock -- true)"
	said=$(refused 95 prec -q -o f.data -b $command -- true) || fail "$said"
	lacks "$said" "branch stacks"
}
row_highest_precision() {
	pmu_plays
	export REFUSE_PRECISE=1
	advised highest-precision "$(refused 95 prec -q -o f.data -e cycles:ppu -- true)"
	has "$command" "-e cycles:uP"
	said=$(refused 95 prec -q -o f.data $command -- true) || fail "$said"
	lacks "$said" "precision"
}
row_list_events() {
	played "the refusal"
	advised list-events "$(REFUSE_TYPE=1 refused 2 prec -q -o f.data -e context-switches -- true)"
	look
}
row_sample_rate() {
	advised sample-rate "$(rec --strict-freq -F 200000 -e cpu-clock -- true)"
	paste
	lacks "$(rec --strict-freq -F 200000 -e cpu-clock -- true)" permits
	# without --strict-freq it records at a lower rate
	setting kernel.perf_event_max_sample_rate=100000
	advised sample-rate "$(prec -o f.data -F 200000 -e cpu-clock -- true 2>&1)"
	paste
	lacks "$(prec -o f.data -F 200000 -e cpu-clock -- true 2>&1)" lowered
}
row_open_files() {
	played "the hard limit that root raises"
	advised open-files "$(prlimit --nofile=14:14 prec -q -o f.data -a \
		-e cpu-clock,task-clock,page-faults,context-switches,minor-faults,major-faults -- true 2>&1)"
	paste
	bash -c "$command && exec prec -q -o f.data -a -e \
		cpu-clock,task-clock,page-faults,context-switches,minor-faults,major-faults -- true" ||
		fail "still too few files"
}
row_file_max() {
	sysctl_plays fs.file-max=
	advised file-max "$(refused 23 prec -q -o f.data -e cpu-clock -- true)"
	paste
	lacks "$(refused 23 prec -q -o f.data -e cpu-clock -- true)" "open files"
}
row_nmi_watchdog() {
	sysctl_plays kernel.nmi_watchdog=0
	advised nmi-watchdog "$(refused 16 prec -q -o f.data -e cpu-clock -- true)"
	paste
	lacks "$(refused 16 prec -q -o f.data -e cpu-clock -- true)" watchdog
}
row_chain_length() {
	advised chain-length "$(rec -g -e cpu-clock/max-stack=500/ -- true)"
	retried
	lacks "$(rec -g -e cpu-clock/max-stack=500/ -- true)" "chains are limited"
}
row_mlock() {
	advised mlock "$(nobody prec -q -o n.data -e cpu-clock:u -m 16M -- true 2>&1)"
	paste
	lacks "$(nobody prec -q -o n.data -e cpu-clock:u -m 16M -- true 2>&1)" "cannot lock"
}
row_smaller_rings() {
	advised smaller-rings "$(nobody prec -q -o n.data -e cpu-clock:u -m 16M -- true 2>&1)"
	lacks "$(nobody prec -q -o n.data -e cpu-clock:u $command -- true 2>&1)" "cannot lock"
}
row_all_cpus() {
	played "the refusal"
	advised all-cpus "$(refused 22 prec -q -o f.data -e cpu-clock -G / -p $$ -- true)"
	lacks "$(rec -e cpu-clock -G / $command -- true)" "only be recorded on CPUs"
}
row_weak_group() {
	played "the refusal"
	export REFUSE_MEMBERS=1
	advised weak-group "$(refused 22 prec -o f.data -e '{cpu-clock,page-faults}' -- true)"
	has "$said" "weak (modifier W)"
	lacks "$(refused 22 prec -o f.data -e '{cpu-clock,page-faults}:W' -- true)" "make the group"
}
row_show_attrs() {
	played "the refusal"
	advised show-attrs "$(refused 22 prec -q -o f.data -e cpu-clock -- true)"
	command="$command -o f.data -e cpu-clock -- true" look
}
row_cgroup_mount() {
	local m
	for m in $(awk '$3 ~ /^cgroup/ { print $2 }' /proc/mounts); do
		umount -l "$m" 2> /dev/null
	done
	grep -q ' cgroup' /proc/mounts && skip "cgroups stay mounted"
	advised cgroup-mount "$(rec -a -e cpu-clock -G / -- true)"
	mkdir -p /sys/fs/cgroup
	paste
	lacks "$(rec -a -e cpu-clock -G / -- true)" "no cgroup hierarchy"
}
