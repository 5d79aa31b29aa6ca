//go:build !linux || ldx_fallback

package dir

import "errors"

// Exchange returns errors.ErrUnsupported.
func (*Folder) Exchange(string, string) error { return errors.ErrUnsupported }

// Move returns errors.ErrUnsupported.
func (*Folder) Move(string, string) error { return errors.ErrUnsupported }
