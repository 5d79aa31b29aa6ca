package spawn

import "ldx/internal/format"

// warnDash calls Dashed if a command may take an argument for a flag: if it begins with a dash because
// a placeholder does. It is no flag after --, nor one of the program itself after -c. before are the
// arguments before it.
func (o *Options) warnDash(command string, before []*format.Template, arg *format.Template, text []byte) {
	if o.Dashed == nil || len(text) == 0 || text[0] != '-' || !arg.BeginsWithPlaceholder() {
		return
	}
	for _, b := range before {
		if fixed := b.Append(nil, nil, ""); !b.Placeholders() && (string(fixed) == "--" || string(fixed) == "-c") {
			return
		}
	}
	o.Dashed(command, string(text))
}
