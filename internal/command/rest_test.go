package command_test

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"

	"ldx/internal/command"
)

func TestJoinRest(t *testing.T) {
	var commands [][]string
	set := command.NewFlags(pflag.NewFlagSet("", pflag.ContinueOnError))
	set.Section("")
	set.Rest(&commands, "exec", "x", "")
	set.Rest(&commands, "exec-batch", "X", "")
	set.Bool(new(bool), "hidden", "H", "")
	set.Add(new(command.Texts), "extension", "e", "")
	set.Add(new(command.Count), "max-depth", "d", "")
	set.Add(new(command.Text), "hyperlink", "", "").NoOptDefVal = "auto"
	for _, row := range []struct{ args, want string }{
		{"a b", "a b"},
		{"-x echo", "--exec=echo"},
		{"-x echo a ; b", "--exec=echo|a b"},
		{"-x echo -- {} ; -X cat", "--exec=echo|--|{} --exec-batch=cat"},
		{"--exec echo -H", "--exec=echo|-H"},
		{"--exec=echo -H", "--exec=echo -H"},
		{"-xecho b", "-xecho b"},
		{"-x=echo b", "-x=echo b"},
		{"-Hx echo b", "-H --exec=echo|b"},
		{"-HX echo b", "-H --exec-batch=echo|b"},
		{"-e x echo", "-e x echo"},
		{"-ex echo", "-ex echo"},
		{"-d 3 -x echo", "-d 3 --exec=echo"},
		{"--extension -x -x echo", "--extension -x --exec=echo"},
		{"--hyperlink -x echo", "--hyperlink --exec=echo"},
		{"-- -x echo", "-- -x echo"},
		{"-x", "--exec="},
		{"-x ;", "--exec="},
		{"- -x echo", "- --exec=echo"},
		{"-Z -x echo", "-Z --exec=echo"},
	} {
		got, some := command.JoinRest(set.FlagSet, strings.Fields(row.args))
		assert.Equal(t, row.want, strings.ReplaceAll(strings.Join(got, " "), "\x00", "|"), row.args)
		assert.Equal(t, strings.Contains(row.want+" ", "--exec"), some, row.args)
	}
}

// What a shell asks for is made a question about the last argument.
func TestJoinRestCompletion(t *testing.T) {
	set := command.NewFlags(pflag.NewFlagSet("", pflag.ContinueOnError))
	set.Section("")
	set.Rest(new([][]string), "exec", "x", "")
	set.Bool(new(bool), "hidden", "H", "")
	set.Add(new(command.Texts), "extension", "e", "")
	for _, row := range []struct{ args, want string }{
		{"_", "_"},
		{"a -_", "a -_"},
		{"-x _", "--exec _"},
		{"-Hx _", "-H --exec _"},
		{"-x echo _", "-- _"},
		{"-H -x echo -z -_", "-- -_"},
		{"-x echo ; -_", "-_"},
		{"-H -x echo -z ; -x _", "-H --exec _"},
		{"-e -x _", "-e -x _"},
		{"-- -x echo _", "-- -x echo _"},
		{"-x", "-x"},
	} {
		got, some := command.JoinRest(set.FlagSet, strings.Fields("__complete "+row.args))
		assert.Equal(t, "__complete "+row.want, strings.Join(got, " "), row.args)
		assert.False(t, some)
	}
	got, _ := command.JoinRest(set.FlagSet, []string{"__complete"})
	assert.Equal(t, []string{"__complete"}, got)
}
