// Package attack holds the tests that run ldx on hostile trees, file systems
// and limits made by package hostile. They run a program built as users have
// it.
package attack
