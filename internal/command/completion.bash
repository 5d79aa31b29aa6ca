# bash completion for PROGRAM

_PROGRAM() {
	local line=${COMP_LINE:0:COMP_POINT} i word typed words=() result=() found=() directive=0 tab=$'\t'
	COMPREPLY=()
	# bash splits words at = and : too; those with no space between them are joined again.
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		[ $i -eq $COMP_CWORD ] && word=${line#"${line%%[![:space:]]*}"}
		if [ $i -eq 0 ] || [[ $line == [[:space:]]* ]]; then
			line=${line#"${line%%[![:space:]]*}"}
			words+=("")
		fi
		line=${line#"$word"}
		words[${#words[@]}-1]+=${word//[\"\'\\]/}
	done
	typed=${words[${#words[@]}-1]}

	while IFS= read -r line; do
		result+=("$line")
	done < <("${COMP_WORDS[0]/#\~/$HOME}" __complete "${words[@]:1:${#words[@]}-2}" "$typed" 2>/dev/null)
	for line in "${result[@]}"; do
		if [[ $line == :* ]]; then
			directive=${line:1}
		elif [[ ${line%%"$tab"*} == "${typed##*=}"* || ${line%%"$tab"*} == "$typed"* ]]; then
			found+=("$line")
		fi
	done

	if [ ${#found[@]} -eq 0 ]; then
		if ((directive & 16)); then
			compopt -o filenames 2>/dev/null
			while IFS= read -r line; do
				COMPREPLY+=("$line")
			done < <(compgen -d -- "${typed##*=}")
			compopt +o default 2>/dev/null
		elif ((directive & 4)); then
			compopt +o default 2>/dev/null
		fi
		return # otherwise bash completes a file, as it is told below
	fi
	((directive & 2)) && compopt -o nospace 2>/dev/null
	for line in "${found[@]}"; do
		word=${line%%"$tab"*}
		# A list that is only shown, after a second tab, has what the words are for.
		if [ ${#found[@]} -gt 1 ] && [[ $COMP_TYPE -eq 63 && $line == *"$tab"* ]]; then
			printf -v word '%-26s %s' "$word" "${line#*"$tab"}"
		fi
		COMPREPLY+=("$word")
	done
}

complete -o default -F _PROGRAM PROGRAM
