# SPDX-License-Identifier: MIT
#
# Prints each line as an interactive zsh completes it, with the completion functions of a folder.
#
#	zsh -f tests/tools/complete.zsh FOLDER LINE...

zmodload zsh/zpty || exit 77
zpty term zsh -f -i
zpty -w term "unset zle_bracketed_paste; PS1= PS2= RPS1=; fpath=(${(q)1} \$fpath)
autoload -Uz compinit; compinit -D -u; setopt no_beep no_list_beep; bindkey '^I' complete-word
_show() { print -r -- \"<<\$BUFFER>>\"; BUFFER= }; zle -N _show; bindkey '^T' _show; print RE''ADY"
zpty -r term got '*READY*'
shift
for line; do
	# the line, a tab, and ^T, which prints what the line is now
	zpty -w -n term "$line"$'\t\x14'
	zpty -r term got '*<<*>>*'
	print -r -- ${${got##*<<}%%>>*}
done
zpty -d term
