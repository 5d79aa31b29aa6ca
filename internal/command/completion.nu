# nushell completions for PROGRAM, for nushell 0.108 or later

def "nu-complete PROGRAM" [spans: list<string>] {
  let answer = ^PROGRAM __complete ...($spans | skip 1) | complete | get stdout | lines
  let words = $answer | where not ($it starts-with ":") | split column --number 2 "\t" value description
  if ($words | is-empty) and not (":4" in $answer) { null } else { $words } # null: files
}

@complete "nu-complete PROGRAM"
export extern PROGRAM []
