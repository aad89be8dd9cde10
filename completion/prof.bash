# SPDX-License-Identifier: MIT
#
# Completion of prec, prep, pscript, pfold, pann, pevlist and plat for bash. The options come from the
# command itself (--list-opts=all), so this file names no options, only kinds of values. Names from
# recordings are never passed to compgen -W, which would expand them.

# Reads words, one per line, and offers the words that begin with $1, each with $2 in front. Readline
# replaces only the text behind the last = or : of the typed word, so the text before it is removed.
_prof_offer() {
	local typed=$2$1 keep word
	keep=${typed%"${typed##*[=:]}"}
	while IFS= read -r word; do
		[[ $word == "$1"* ]] && COMPREPLY+=("${2:+$2}$word")
	done
	COMPREPLY=("${COMPREPLY[@]#"$keep"}")
}

_prof_files() { # -f or -d, the typed text
	local word
	while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$1" -- "$2")
	compopt -o filenames 2> /dev/null
}

# Prints the events for -e: the machine's for prec, the recording's for the other commands.
_prof_events() {
	local input
	case $1 in
	*prec)
		# "NAME OR ALIAS   [kind]"
		"$1" --list-events 2> /dev/null | sed -n 's/^  *\([^[]*[^[ ]\)  *\[.*/\1/p' | sed 's/ OR /\n/g'
		;;
	*)
		input=$(_prof_input)
		[ -r "$input" ] && "${1%"${1##*/}"}pevlist" -i "$input" 2> /dev/null | sed '/^#/d'
		;;
	esac
}

# The keys and columns of prep --sort and --fields that need no special recording.
_prof_keys='comm pid tgid tid dso symbol symoff addr srcline srcfile parent cpu socket time cgroup'
_prof_keys+=' weight transaction trace symbol_size dso_size code_page_size parallelism'
_prof_keys+=' overhead overhead_children overhead_sys overhead_us latency latency_children period sample'

# Prints the input of the command line: the file of -i, or perf.data.
_prof_input() {
	local i input=perf.data
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-i | --input) input=${COMP_WORDS[i + 1]} ;;
		esac
		[ "$input" != = ] || input=${COMP_WORDS[i + 2]}
	done
	printf '%s\n' "$input"
}

# Prints the symbols with samples of the recording, quoted for the shell, for pann.
_prof_symbols() {
	local input name
	input=$(_prof_input)
	[ -r "$input" ] || return
	"${1%"${1##*/}"}prep" -i "$input" -q --no-children -g none -F symbol < /dev/null 2> /dev/null |
		sed -n 's/^ *\[[^]]*\] //p' | sed '/^0x/d; s/ *$//' | sort -u |
		while IFS= read -r name; do printf '%q\n' "$name"; done
}

# Completes the value of an option. Arguments: the command as typed, the option's name for the value,
# the typed part of the value.
_prof_value() {
	local cmd=$1 kind=$2 cur=$3 head=
	case $kind in
	*,*...*) case $cur in *,*) head=${cur%,*}, cur=${cur##*,} ;; esac ;; # the last item of a list
	esac
	case $kind in
	file | path | object) _prof_files -f "$cur" ;;
	directory) _prof_files -d "$cur" ;;
	event*) _prof_offer "$cur" "$head" < <(_prof_events "$cmd") ;;
	pid* | tid*) _prof_offer "$cur" "$head" < <(cd /proc 2> /dev/null && printf '%s\n' [0-9]*) ;;
	user) _prof_offer "$cur" "" < <(compgen -u) ;;
	n\|max) _prof_offer "$cur" "" <<< $'99\n199\n997\n4000\nmax' ;;
	key\[*) _prof_offer "${cur#+}" "$head${cur%"${cur#+}"}" <<< "${_prof_keys// /$'\n'}" ;;
	form) _prof_offer "$cur" "" <<< $'text\njson\nnone' ;;
	mode\[*) _prof_offer "$cur" "" <<< $'fp\ndwarf\nunwind\nlbr' ;;
	mode) _prof_offer "$cur" "" <<< $'always\nnever\nauto' ;;
	*\|*) _prof_offer "$cur" "" <<< "${kind//|/$'\n'}" ;;
	esac
}

_prof_options() { # the typed text; reads the option table
	local short long kind value words=
	while IFS=$'\t' read -r short long kind value; do
		[ "$long" = - ] || words+=$long$'\n'
		[ "$short" = - ] || words+=$short$'\n'
		case $kind,$long in
		flag,--no-*) words+=--${long#--no-}$'\n' ;;
		flag,*) case $1 in --n*) words+=--no-${long#--}$'\n' ;; esac ;;
		esac
	done
	_prof_offer "$1" "" <<< "${words%$'\n'}"
}

_prof() {
	local cmd=${COMP_WORDS[0]} line=${COMP_LINE:0:COMP_POINT} opt= i cur table word before
	local short long kind value analysis=
	COMPREPLY=()
	# bash splits words at = and :, but the commands do not: the word starts behind the last blank
	word=${line##*[[:blank:]]}
	before=${line%"$word"}
	before=${before%"${before##*[![:blank:]]}"} before=${before##*[[:blank:]]}

	# behind -- the line is that of another command
	for ((i = 1; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" = -- ] || continue
		if [ $((i + 1)) -eq "$COMP_CWORD" ]; then
			_prof_offer "$word" "" < <(compgen -c -- "$word")
		else
			_prof_files -f "$word"
		fi
		return
	done

	# plat func, plat leak and others have options of their own
	case ${cmd##*/},${COMP_WORDS[1]-} in plat,[a-z]*) [ "$COMP_CWORD" -lt 2 ] || analysis=${COMP_WORDS[1]} ;; esac
	[[ ${cmd##*/} != plat || ! $line =~ [[:blank:]]--as[=[:blank:]]([a-z-]+)[[:blank:]] ]] || analysis=--as=${BASH_REMATCH[1]}
	table=$("$cmd" ${analysis:+"$analysis"} --list-opts=all 2> /dev/null) || return
	if [ "${cmd##*/},$COMP_CWORD" = plat,1 ] && [[ $word != -* ]]; then
		_prof_offer "$word" "" < <("$cmd" --list-recipes 2> /dev/null | awk '{ print $1 }'; compgen -f -- "$word")
		return
	fi
	cur=$word
	case $word in
	--*=*) opt=${word%%=*} cur=${word#*=} ;;
	-*) ;;
	*) case $before in --*=*) ;; -*) opt=$before ;; esac ;;
	esac
	while IFS=$'\t' read -r short long kind value; do
		[ -n "$opt" ] || break
		[ "$opt" = "$short" ] || [ "$opt" = "$long" ] || continue
		# an optional value must follow a =
		case $kind,$word in value,* | may,--*=*) _prof_value "$cmd" "$value" "$cur"; return ;; esac
	done <<< "$table"

	case $word in
	-*) _prof_options "$word" <<< "$table" ;;
	*)
		case $cmd in
		*prec) _prof_offer "$word" "" < <(compgen -c -- "$word") ;;
		*pann) _prof_offer "$word" "" < <(_prof_symbols "$cmd") ;;
		*) _prof_files -f "$word" ;;
		esac
		;;
	esac
}

complete -F _prof prec prep pscript pfold pann pevlist plat
