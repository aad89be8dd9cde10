# shellcheck shell=bash disable=SC2154,SC2086
# SPDX-License-Identifier: MIT
#
# Situations of checks/advice.sh: who may record. A user without rights is nobody (65534).

as_nobody() { nobody prec -o n.data "$@" 2>&1; }
kernel_only='-e cpu-clock:k'
with_bin() { # a prec of its own, which setcap may change
	mkdir bin
	cp $D/bin/prec bin/
	PATH=$PWD/bin:$PATH
}

row_paranoid() {
	local p
	# value, what is recorded; the value that is needed is in the advice
	while read -r p what; do
		paranoid $p
		advised paranoid "$(as_nobody $what -- true)"
		has "$said" "kernel.perf_event_paranoid is $p"
		paste
		lacks "$(as_nobody $what -- true)" permitted
		# with the capability nothing is refused
		paranoid $p
		lacks "$(caps=+perfmon as_nobody $what -- true)" permitted
	done <<- E
		1 -a -e cpu-clock
		2 -a -e cpu-clock
		3 -a -e cpu-clock
		2 $kernel_only
		3 $kernel_only
	E
	# a plain recording goes on without the kernel, and says how to get it
	paranoid 2
	advised paranoid "$(as_nobody -e cpu-clock -- true)"
	has "$said" "recording user space only"
	paste
	lacks "$(as_nobody -e cpu-clock -- true)" "user space only"
}
row_setcap() {
	local p
	with_bin
	for p in 1 2 3; do
		paranoid $p
		cp $D/bin/prec bin/prec # without capabilities
		advised setcap "$(as_nobody -a -e cpu-clock -- true)"
		has "$command" "$PWD/bin/prec"
		paste
		said=$(as_nobody -a -e cpu-clock -- true)
		lacks "$said" permitted
		lacks "$said" hidden
	done
}
row_setcap_admin() {
	[ -r /sys/bus/event_source/devices/uprobe/type ] || skip "no uprobe PMU"
	with_bin
	local probe="-e uprobe:$D/app:main"
	paranoid 1
	setting kernel.perf_event_paranoid=2
	advised setcap-admin "$(as_nobody $probe -- $D/app 1)"
	lacks "$said" "security module"
	# where CAP_PERFMON is not enough, it does not say otherwise
	said=$(caps=+perfmon as_nobody $probe -- $D/app 1)
	lacks "$said" "security module"
	paste
	lacks "$(as_nobody $probe -- $D/app 1)" permitted
}
# The folder `root` has this machine's files without the marks of a container.
outside_container() {
	mkdir layer root
	mount -t tmpfs none layer && mkdir layer/{up,work}
	mknod layer/up/.dockerenv c 0 0
	mount -t overlay -o lowerdir=/,upperdir=$PWD/layer/up,workdir=$PWD/layer/work none root ||
		skip "no overlay"
	mount --bind /proc root/proc && mount --bind /sys root/sys && mount --bind /tmp root/tmp
}
# Root of a container: no capability to record.
in_container() { setpriv --bounding-set=-perfmon,-sys_admin --inh-caps=-perfmon,-sys_admin "$@" 2>&1; }
docker_plays() {
	played docker
	player docker <<- 'E'
		[ "$1 $2 $3" = 'run --cap-add PERFMON' ] || exit 1
		while [ "$1" != -- ]; do shift; done
		shift
		exec "$@"
	E
}
row_container() {
	docker_plays
	paranoid 2
	advised container "$(in_container prec -q -o n.data -a -e cpu-clock -- true)"
	command="$command -- prec -q -o n.data -a -e cpu-clock -- true" paste
}
row_paranoid_host() {
	paranoid 2
	advised paranoid-host "$(in_container prec -q -o n.data -a -e cpu-clock -- true)"
	paste
	lacks "$(in_container prec -q -o n.data -a -e cpu-clock -- true)" CAP_PERFMON
}
row_seccomp() {
	docker_plays
	advised seccomp "$($D/sandbox prec -q -o n.data -e cpu-clock -- true 2>&1)"
	command="$command -- prec -q -o n.data -e cpu-clock -- true" paste
}
row_denied_log() {
	played "dmesg; the refusal"
	player dmesg <<< 'echo "audit: denied perf_event_open"'
	outside_container
	advised denied-log "$(refused 13 chroot root prec -q -o /tmp/n.data -e cpu-clock -- true)"
	look
}
row_tracefs_mount() {
	umount -l /sys/kernel/tracing 2> /dev/null
	umount -l /sys/kernel/debug 2> /dev/null
	grep -qE 'tracefs|debugfs' /proc/mounts && skip "tracefs stays mounted"
	advised tracefs-mount "$(rec -e sched:sched_switch -- true)"
	paste
	lacks "$(rec -e sched:sched_switch -- true)" mounted
}
row_tracefs_mode() {
	[ -d /sys/kernel/tracing/events ] || mount -t tracefs nodev /sys/kernel/tracing
	mount -o remount,mode=700,gid=0 /sys/kernel/tracing
	paranoid -1
	advised tracefs-mode "$(as_nobody -e sched:sched_switch -- true)"
	paste
	said=$(as_nobody -e sched:sched_switch -- true)
	lacks "$said" "cannot"
	lacks "$said" "denied"
	mount -o remount,mode=700,gid=0 /sys/kernel/tracing
	# tracepoints need -1 whatever forbids them now
	local p
	for p in 1 2 3; do
		paranoid $p
		mount -o remount,mode=750,gid=65534 /sys/kernel/tracing
		advised paranoid "$(as_nobody -e sched:sched_switch -- true)"
		has "$command" paranoid=-1
		paste
		lacks "$(as_nobody -e sched:sched_switch -- true)" permitted
	done
	mount -o remount,mode=700,gid=0 /sys/kernel/tracing
}
