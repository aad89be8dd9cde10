# SPDX-License-Identifier: MIT
"""Compares the system calls of a program as plat trace prints them with those of strace.

    strace_compare.py PLAT STRACE

PLAT: lines of plat trace; STRACE: of strace -f -qq -o. Both are of a run of their own, so addresses,
process ids and times differ. A call is compared by its name, the text of each argument and its
result. What strace reads through a pointer (texts, structures, arrays) may be an address in PLAT, or a
text with ~ in front; else it has to be one that strace has there, but for numbers. Calls are
compared as sets with numbers: threads run in another order each time. Prints the differences, and
ends with status 1 if there are any.
"""
import collections
import re
import sys

ADDRESS = re.compile(r"0x[0-9a-f]{5,}")
# what strace looks up behind a pointer: a text, a structure, an array, what a call changed
BEHIND = re.compile(r'^~?("|\{|\[|0x[0-9a-f]{5,}|NULL$)')


def split(text):
    """Arguments, at commas outside of brackets and texts."""
    parts, depth, quoted, at = [], 0, False, 0
    for i, c in enumerate(text):
        if quoted:
            quoted = c != '"' or text[i - 1] == "\\" and text[i - 2] != "\\"
        elif c == '"':
            quoted = True
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and not depth:
            parts.append(text[at:i].strip())
            at = i + 1
    last = text[at:].strip()
    return parts + [last] if last else parts


def plain(arg):
    arg = re.sub(r" /\* .* \*/$", "", arg)
    if BEHIND.match(arg) and arg != "NULL":
        return "POINTER"
    return ADDRESS.sub("ADDRESS", arg)


def whole_lines(path):
    """Lines, with the two parts of a call that another thread interrupts put together."""
    begun = {}
    for line in open(path, errors="replace"):
        line = line.rstrip("\n")
        pid = line.split(" ", 1)[0]
        if line.endswith(" <unfinished ...>"):
            begun[pid] = line[:-len(" <unfinished ...>")]
        elif m := re.search(r"<\.\.\. \w+ resumed>(.*)", line):
            yield begun.pop(pid, "") + m[1]
        else:
            yield line


def calls(path, pattern):
    found = []
    for line in whole_lines(path):
        m = pattern.match(line)
        if not m:
            continue
        result = m["result"].strip()
        result = re.sub(r" \((?!.*\(Timeout).*\)$| \{.*\}$| \[.*\]$", "", result)
        found.append((m["name"], tuple(plain(a) for a in split(m["args"])),
                      ADDRESS.sub("ADDRESS", result)))
    return found


PLAT = re.compile(r"^\d+\.\d+ .*/\d+ (?P<name>\w+)\((?P<args>.*)\) = (?P<result>.*?)( <[\d.]+>)?$")
STRACE = re.compile(r"^(\[pid +\d+\] |\d+ +)?(?P<name>\w+)\((?P<args>.*)\) += (?P<result>.*)$")
# Process ids, and what plat cannot know: the begin of the execve() with which the recording begins, and
# the end of rt_sigreturn().
VARIES = {"set_tid_address", "getpid", "gettid", "getppid", "rt_sigreturn", "clone", "clone3", "wait4", "kill",
          "vfork", "fork"}
# Calls of the kernel's probes come where another test probes libc meanwhile.
NOT_SEEN = {"execve", "uretprobe", "uprobe", "syscall_0x14f", "syscall_0x150"}


def shape(text):
    """Numbers and addresses differ from run to run."""
    return re.sub(r"\d+", "N", ADDRESS.sub("ADDRESS", text))


def behind_pointers(path, pattern):
    """What is behind pointers, by call and argument."""
    found = collections.defaultdict(set)
    for line in whole_lines(path):
        m = pattern.match(line)
        if m and m["name"] not in NOT_SEEN:
            for i, arg in enumerate(split(m["args"])):
                if BEHIND.match(arg) and not ADDRESS.fullmatch(arg) and arg[0] not in "~N":
                    found[m["name"], i].add(shape(arg))
    return found


def wrong_texts():
    ours, theirs = behind_pointers(sys.argv[1], PLAT), behind_pointers(sys.argv[2], STRACE)
    wrong = [f"behind the pointer: {name} {i}: {text}" for (name, i), texts in sorted(ours.items())
             for text in sorted(texts - theirs[name, i])]
    if sum(map(len, ours.values())) < 5:
        wrong.append("plat has next to nothing behind pointers")
    print("\n".join(wrong), end="\n" if wrong else "")
    return wrong


def counted(found):
    count = collections.Counter()
    for name, args, result in found:
        if name in NOT_SEEN:
            continue
        if name == "rt_sigreturn":
            args = ()
        if name in VARIES:
            args = tuple(a for a in args if not a.isdigit())
            result = result if result.startswith("-1") else ""
        count[name, args, result] += 1
    return count


def main():
    ours, theirs = (counted(calls(sys.argv[1], PLAT)), counted(calls(sys.argv[2], STRACE)))
    missing, extra = theirs - ours, ours - theirs
    for sign, left in (("-", missing), ("+", extra)):
        for (name, args, result), n in sorted(left.items(), key=str):
            print(f"{sign}{n} {name}({', '.join(args) if isinstance(args, tuple) else '...'}) = {result}")
    if not sum(theirs.values()):
        print("strace has no calls")
    return bool(wrong_texts() or missing or extra or not theirs)


sys.exit(main())
