package glob

import (
	"encoding/binary"
	"math/bits"
)

// A Set matches a path against many globs at a time. What is known of the path's
// last element decides which of them are tried: a glob whose last element has no
// wildcard is found by the hash of the name, one whose last element begins or
// ends with a literal by the hash of the first or last few bytes. Only what has
// neither is tried on each path. A Set is safe for concurrent use.
type Set struct {
	members []Member
	heads   []int32 // for each bucket, the greatest member in it, plus 1
	next    []int32 // for each member, the next smaller in its bucket, plus 1
	hashes  []uint64
	shift   uint    // a hash's upper bits are its bucket
	rest    []int32 // the members in no bucket, the greatest first
	names   bool    // some members have a whole name
	// Bit k-1 is set if a member is found by its first, or last, k bytes.
	prefixes, suffixes uint8
}

// A Member is one glob of a Set.
type Member struct {
	Glob *Glob
	Dirs bool // it matches directories only
}

// wordSize is how many bytes of a prefix or suffix are hashed, at most.
const wordSize = 8

// Salts keep a name, a prefix and a suffix of the same bytes apart.
const (
	ofName   uint64 = 0x243f6a8885a308d3
	ofPrefix uint64 = 0x13198a2e03707344
	ofSuffix uint64 = 0xa4093822299f31d0
)

// NewSet returns a Set. Its members are known by their index.
func NewSet(members []Member) *Set {
	s := &Set{
		members: members,
		next:    make([]int32, len(members)),
		hashes:  make([]uint64, len(members)),
		shift:   uint(64 - bits.Len(uint(2*len(members)))),
	}
	s.heads = make([]int32, 1<<(64-s.shift))
	for i := range members {
		hash, ok := s.key(&members[i].Glob.last)
		if !ok {
			s.rest = append(s.rest, int32(i))
			continue
		}
		s.hashes[i] = hash
		head := &s.heads[hash>>s.shift]
		s.next[i], *head = *head, int32(i)+1
	}
	for i, j := 0, len(s.rest)-1; i < j; i, j = i+1, j-1 {
		s.rest[i], s.rest[j] = s.rest[j], s.rest[i]
	}
	return s
}

// key returns the hash by which a member with such a last element is found.
func (s *Set) key(e *element) (hash uint64, ok bool) {
	switch prefix, suffix := min(len(e.prefix), wordSize), min(len(e.suffix), wordSize); {
	case e.whole:
		s.names = true
		return hashName(e.prefix), true
	case prefix == 0 && suffix == 0:
		return 0, false
	case prefix > suffix:
		s.prefixes |= 1 << (prefix - 1)
		return hashWord(firstBytes(e.prefix), prefix, ofPrefix), true
	default:
		s.suffixes |= 1 << (suffix - 1)
		return hashWord(lastBytes(e.suffix), suffix, ofSuffix), true
	}
}

// A Subject is a path that Sets are asked about. It is not safe for concurrent
// use; each worker has one.
type Subject struct {
	// AppendPath appends the whole path to b. It is called only if a glob needs
	// more than the name.
	AppendPath func(b []byte) []byte

	name        []byte
	dir         bool
	path        []byte
	built       bool // path is that of name
	hash        uint64
	first, last uint64
}

// Reset makes s the path with the given last element, which stays the caller's.
func (s *Subject) Reset(name []byte, dir bool) {
	s.name, s.dir, s.built = name, dir, false
	s.hash, s.first, s.last = hashName(name), firstBytes(name), lastBytes(name)
}

// below returns the path below base.
func (s *Subject) below(base string) (path []byte, ok bool) {
	if !s.built {
		s.path, s.built = s.AppendPath(s.path[:0]), true
	}
	if len(s.path) < len(base) || string(s.path[:len(base)]) != base {
		return nil, false
	}
	return s.path[len(base):], true
}

// Last returns the greatest member that matches the subject, or -1. Globs for
// paths match what is below base, a path that ends in a slash or is empty.
func (s *Set) Last(subject *Subject, base string) int {
	best := -1
	if s.names {
		best = s.search(subject.hash, subject, base, best)
	}
	for ks := s.prefixes; ks != 0; ks &= ks - 1 {
		k := bits.TrailingZeros8(ks) + 1
		if k > len(subject.name) {
			break
		}
		best = s.search(hashWord(subject.first, k, ofPrefix), subject, base, best)
	}
	for ks := s.suffixes; ks != 0; ks &= ks - 1 {
		k := bits.TrailingZeros8(ks) + 1
		if k > len(subject.name) {
			break
		}
		best = s.search(hashWord(subject.last, k, ofSuffix), subject, base, best)
	}
	for _, i := range s.rest {
		if int(i) <= best {
			break
		}
		if s.matches(int(i), subject, base) {
			return int(i)
		}
	}
	return best
}

// search returns the greatest matching member with a hash, or best if that is
// greater.
func (s *Set) search(hash uint64, subject *Subject, base string, best int) int {
	for i := int(s.heads[hash>>s.shift]) - 1; i > best; i = int(s.next[i]) - 1 {
		if s.hashes[i] == hash && s.matches(i, subject, base) {
			return i
		}
	}
	return best
}

func (s *Set) matches(i int, subject *Subject, base string) bool {
	m := &s.members[i]
	if m.Dirs && !subject.dir {
		return false
	}
	if !m.Glob.path {
		return m.Glob.Match(subject.name)
	}
	path, ok := subject.below(base)
	return ok && m.Glob.Match(path)
}

// What is hashed has the case bit of each byte set, so that one hash serves for
// globs that ignore case and for those that do not.
const caseBits = 0x2020202020202020

func hashName(name []byte) uint64 {
	h := uint64(len(name))
	for ; len(name) > wordSize; name = name[wordSize:] {
		h = mix(h ^ (binary.LittleEndian.Uint64(name) | caseBits))
	}
	return mix(h^firstBytes(name)) ^ ofName
}

// hashWord hashes the k bytes that are the first, or the last, in word.
func hashWord(word uint64, k int, salt uint64) uint64 {
	if salt == ofPrefix {
		word &= 1<<(8*k) - 1
	} else {
		word >>= 64 - 8*k
	}
	return mix(word ^ salt ^ uint64(k)<<56)
}

func mix(h uint64) uint64 {
	hi, lo := bits.Mul64(h, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

// firstBytes returns b's first bytes in a word, the first one lowest, and
// zeros if there are fewer.
func firstBytes(b []byte) uint64 {
	n := len(b)
	switch {
	case n >= wordSize:
		return binary.LittleEndian.Uint64(b) | caseBits
	case n >= 4:
		word := uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<(8*(n-4))
		return word | caseBits&(1<<(8*n)-1)
	case n > 0:
		word := uint64(b[0]) | uint64(b[n/2])<<(8*(n/2)) | uint64(b[n-1])<<(8*(n-1))
		return word | caseBits&(1<<(8*n)-1)
	}
	return 0
}

// lastBytes returns b's last bytes in a word, the last one highest, and zeros if
// there are fewer.
func lastBytes(b []byte) uint64 {
	if n := len(b); n >= wordSize {
		return binary.LittleEndian.Uint64(b[n-wordSize:]) | caseBits
	}
	return firstBytes(b) << (8 * (wordSize - len(b)))
}
