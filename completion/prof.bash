# SPDX-License-Identifier: MIT
#
# Completion of prec, prep, pscript, pfold, pann and pevlist for bash. What can be typed comes from
# the command itself (--list-opts=all), so that this file knows no option by name, only kinds of
# values. Names out of recordings are never given to compgen -W, which would expand them.

# Reads words, one a line; offers those that begin with $1, less what readline leaves standing: it
# replaces what is behind the last = or : of what was typed. $2 goes in front of each word.
_prof_offer() {
	local typed=$2$1 keep word
	keep=${typed%"${typed##*[=:]}"}
	while IFS= read -r word; do
		[[ $word == "$1"* ]] && COMPREPLY+=("${2:+$2}$word")
	done
	COMPREPLY=("${COMPREPLY[@]#"$keep"}")
}

_prof_files() { # -f or -d, what is typed
	local word
	while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$1" -- "$2")
	compopt -o filenames 2> /dev/null
}

# For -e: what this machine has (prec), or what the recording has (the others).
_prof_events() {
	local i input=perf.data
	case $1 in
	*prec)
		# "NAME OR ALIAS   [kind]"
		"$1" --list-events 2> /dev/null | sed -n 's/^  *\([^[]*[^[ ]\)  *\[.*/\1/p' | sed 's/ OR /\n/g'
		;;
	*)
		for ((i = 1; i < COMP_CWORD; i++)); do
			case ${COMP_WORDS[i]} in
			-i | --input) input=${COMP_WORDS[i + 1]} ;;
			esac
			[ "$input" != = ] || input=${COMP_WORDS[i + 2]}
		done
		[ -r "$input" ] && "${1%"${1##*/}"}pevlist" -i "$input" 2> /dev/null | sed '/^#/d'
		;;
	esac
}

# A value: the command as typed, what its option calls it, what is typed of it.
_prof_value() {
	local cmd=$1 kind=$2 cur=$3 head=
	case $kind in
	*,*...*) case $cur in *,*) head=${cur%,*}, cur=${cur##*,} ;; esac ;; # the last of a list
	esac
	case $kind in
	file | path | object) _prof_files -f "$cur" ;;
	directory) _prof_files -d "$cur" ;;
	event*) _prof_offer "$cur" "$head" < <(_prof_events "$cmd") ;;
	pid* | tid*) _prof_offer "$cur" "$head" < <(cd /proc 2> /dev/null && printf '%s\n' [0-9]*) ;;
	user) _prof_offer "$cur" "" < <(compgen -u) ;;
	form) _prof_offer "$cur" "" <<< $'text\njson\nnone' ;;
	mode\[*) _prof_offer "$cur" "" <<< $'fp\ndwarf\nlbr' ;;
	mode) _prof_offer "$cur" "" <<< $'always\nnever\nauto' ;;
	*\|*) _prof_offer "$cur" "" <<< "${kind//|/$'\n'}" ;;
	esac
}

_prof_options() { # what is typed; reads the table
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
	local short long kind value
	COMPREPLY=()
	# bash splits at = and :, the commands do not: the word is what is behind the last blank
	word=${line##*[[:blank:]]}
	before=${line%"$word"}
	before=${before%"${before##*[![:blank:]]}"} before=${before##*[[:blank:]]}

	# behind -- it is the line of another command
	for ((i = 1; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" = -- ] || continue
		if [ $((i + 1)) -eq "$COMP_CWORD" ]; then
			_prof_offer "$word" "" < <(compgen -c -- "$word")
		else
			_prof_files -f "$word"
		fi
		return
	done

	table=$("$cmd" --list-opts=all 2> /dev/null) || return
	cur=$word
	case $word in
	--*=*) opt=${word%%=*} cur=${word#*=} ;;
	-*) ;;
	*) case $before in --*=*) ;; -*) opt=$before ;; esac ;;
	esac
	while IFS=$'\t' read -r short long kind value; do
		[ -n "$opt" ] || break
		[ "$opt" = "$short" ] || [ "$opt" = "$long" ] || continue
		# an optional value needs the = to be one
		case $kind,$word in value,* | may,--*=*) _prof_value "$cmd" "$value" "$cur"; return ;; esac
	done <<< "$table"

	case $word in
	-*) _prof_options "$word" <<< "$table" ;;
	*)
		case $cmd in
		*prec) _prof_offer "$word" "" < <(compgen -c -- "$word") ;;
		*) _prof_files -f "$word" ;;
		esac
		;;
	esac
}

complete -F _prof prec prep pscript pfold pann pevlist
