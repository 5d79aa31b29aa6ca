// Package attack holds the tests in which ldx meets hostile trees, file systems and limits,
// with the means of package hostile. They run a program that was built, as users have
// it.
package attack
