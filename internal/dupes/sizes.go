package dupes

// sizes counts how often a size occurs: never, once or several times. It is a hash table of a
// power of two with linear probing, and half of it free.
type sizes struct {
	slots []int64 // twice the size, and 1 if it occurs several times; -1: free
	n     int
}

func newSizes() *sizes {
	s := &sizes{}
	s.grow(1 << 10)
	return s
}

func (s *sizes) grow(size int) {
	old := s.slots
	s.slots = make([]int64, size)
	for i := range s.slots {
		s.slots[i] = -1
	}
	for _, slot := range old {
		if slot >= 0 {
			*s.slot(slot >> 1) = slot
		}
	}
}

func (s *sizes) slot(size int64) *int64 {
	mask := uint64(len(s.slots) - 1)
	for i := uint64(size) * 0x9E3779B97F4A7C15 >> 32 & mask; ; i = (i + 1) & mask {
		if slot := &s.slots[i]; *slot < 0 || *slot>>1 == size {
			return slot
		}
	}
}

func (s *sizes) add(size int64) {
	slot := s.slot(size)
	if *slot >= 0 {
		*slot |= 1
		return
	}
	*slot = size << 1
	if s.n++; 2*s.n > len(s.slots) {
		s.grow(2 * len(s.slots))
	}
}

// several reports whether a size occurs more than once.
func (s *sizes) several(size int64) bool { return *s.slot(size)&1 == 1 }
