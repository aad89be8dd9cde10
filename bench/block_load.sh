#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat block over direct reads and writes of several programs, with flushes, on a loop device that
# nobody else uses: each request that was issued is paired, or said to be replaced, open or lost; and
# beside bpftrace on the same requests: the same number, and the same sums, by kind, within a bucket.
#
#	bench/block_load.sh [MIB]
#
# MIB that each of four programs writes and reads (16); BIN (default bin). Needs root, tracefs, a loop
# device; without bpftrace only the first part. Status 1 when a line is MISSED.

set -u
cd "$(dirname "$0")/.." || exit 2
: "${BIN:=$PWD/bin}"
mib=${1:-16}
export LC_ALL=C
work=$(mktemp -d /tmp/block-load.XXXXXX) || exit 2
loop='' tracer=''
clean_up() {
	[ -z "$tracer" ] || kill "$tracer" 2> /dev/null
	[ -z "$loop" ] || losetup -d "$loop"
	rm -rf "$work"
}
trap clean_up EXIT
truncate -s $((mib * 4))M "$work/disk"
loop=$(losetup --show -f "$work/disk" 2> "$work/err") || { echo "no loop device: $(cat "$work/err")"; exit 77; }
dev="$((0x$(stat -c %t "$loop"))),$((0x$(stat -c %T "$loop")))"
cat > "$work/load.sh" << 'END'
for i in 0 1 2 3; do
	(
		sizes=(4k 16k 64k 256k)
		dd if=/dev/zero of="$1" bs=${sizes[i]} seek=$((i * $2))M oflag=direct,seek_bytes count=$2M iflag=count_bytes conv=notrunc,fsync
		dd if="$1" of=/dev/null bs=${sizes[i]} skip=$((i * $2))M iflag=direct,skip_bytes,count_bytes count=$2M
		sync -d "$1"
	) 2> /dev/null &
done
wait
END
# bpftrace writes dev as the kernel has it: major << 20 | minor
number=$((${dev%,*} << 20 | ${dev#*,}))
cat > "$work/block.bt" << END
tracepoint:block:block_rq_issue /args->dev == $number/ {
	@begin[args->nr_sector ? args->sector : -1] = nsecs;
}
tracepoint:block:block_rq_complete /args->dev == $number/ {
	\$key = args->nr_sector ? args->sector : -1;
	if (@begin[\$key] != 0) {
		@n[args->rwbs] = count(); @sum[args->rwbs] = sum(nsecs - @begin[\$key]);
		delete(@begin[\$key]);
	}
}
END { clear(@begin); }
END
if command -v bpftrace > /dev/null; then
	bpftrace -o "$work/bpf" "$work/block.bt" 2> "$work/err" &
	tracer=$!
	for ((i = 0; i < 100; i++)); do
		grep -q Attaching "$work/bpf" 2> /dev/null && break
		sleep 0.1
	done
	sleep 1
fi
"$BIN/plat" block -m 16M --json --record "$work/kept" -a -- bash "$work/load.sh" "$loop" "$mib" > "$work/json" 2> "$work/said"
[ -z "$tracer" ] || { kill -INT "$tracer"; wait "$tracer"; tracer=''; }
sed 's/^/# /' "$work/said"
failed=0
python3 - "$work/json" "$work/bpf" "$dev" << 'END' || failed=1
import json, os, re, sys
j = json.load(open(sys.argv[1]))
bad = 0
def verdict(text, ok):
    global bad
    bad |= not ok
    print(f"{text}  {'ok' if ok else 'MISSED'}")
n, a = j["all"]["n"], j
verdict(f"{a['begins']} issued, {a['ends']} completed: {n} paired, {a['replaced']} replaced, {a['open']} open, "
        f"{a['across_loss']} across a loss, {a['dropped']} dropped, {a['without_begin']} completed without issue; "
        f"{a['lost_records']} records lost",
        a["begins"] == n + a["replaced"] + a["open"] + a["across_loss"] + a["dropped"] + a["negative"] and
        a["ends"] == n + a["without_begin"] + a["across_loss"] + a["negative"])
rows = {r["by"][1]: r for r in j["rows"] if r["by"][0] == sys.argv[3]}
print(f"# of them on {sys.argv[3]}: " + ", ".join(f"{k} {r['n']}" for k, r in sorted(rows.items())))
if os.path.exists(sys.argv[2]):
    text = open(sys.argv[2]).read()
    for what in sorted(rows):
        got = [int(m[1]) if (m := re.search(rf"@{name}\[{re.escape(what)}\]: (\d+)", text)) else 0 for name in ("n", "sum")]
        r = rows[what]
        verdict(f"{what}: plat {r['n']} requests, {r['total'] / 1e6:.3f} ms; bpftrace {got[0]}, {got[1] / 1e6:.3f} ms",
                r["n"] == got[0] and abs(r["total"] - got[1]) <= got[1] / 100 + r["n"] * 1000)
sys.exit(bad)
END
"$BIN/plat" block --json -i "$work/kept" 2> /dev/null | cmp - "$work/json" &&
	echo "the kept recording says the same  ok" || { echo "the kept recording  MISSED"; failed=1; }
exit $failed
