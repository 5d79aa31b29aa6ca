package glob

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// A Set matches a path against many globs at once. It selects the globs to try
// by a hash of bytes that every match has: the whole name, if it has no
// wildcard; else the first or last few bytes of the name; else the directory
// that the path begins with, or its first few bytes; else a few bytes
// somewhere. Only globs without any of these are tried on every path. A Set is
// safe for concurrent use.
type Set struct {
	members []Member
	heads   []int32 // the highest member of each bucket, plus 1
	next    []int32 // for each member, the next lower one in its bucket, plus 1
	hashes  []uint64
	shift   uint    // the upper bits of a hash are its bucket
	rest    []int32 // the members in no bucket, highest first

	// The lengths to hash: bit k-1 is set if some member is selected by k
	// bytes.
	names                            bool
	prefixes, suffixes, paths        uint8
	somewhereInName, somewhereInPath uint8
	longest                          int      // longest directory that a member is selected by, in bytes
	somewhere                        []uint64 // a bit for the low 16 bits of each gram's hash
}

// A Member is one glob of a Set.
type Member struct {
	Glob *Glob
	Dirs bool // it matches directories only
}

const (
	wordSize = 8 // maximum bytes of a name or path that are hashed
	gramSize = 4 // maximum bytes that are hashed if they may be anywhere
)

// Salts make hashes of the same bytes differ by kind.
const (
	ofName   uint64 = 0x243f6a8885a308d3
	ofPrefix uint64 = 0x13198a2e03707344
	ofSuffix uint64 = 0xa4093822299f31d0
	ofPath   uint64 = 0x082efa98ec4e6c89
	ofGram   uint64 = 0x452821e638d01377
)

// NewSet returns a Set. Last identifies members by their index.
func NewSet(members []Member) *Set {
	s := &Set{
		members: members,
		next:    make([]int32, len(members)),
		hashes:  make([]uint64, len(members)),
		shift:   uint(64 - bits.Len(uint(2*len(members)))),
	}
	s.heads = make([]int32, 1<<(64-s.shift))
	for i := range members {
		hash, ok := s.key(members[i].Glob)
		if !ok {
			s.rest = append(s.rest, int32(i))
			continue
		}
		s.hashes[i] = hash
		head := &s.heads[hash>>s.shift]
		s.next[i], *head = *head, int32(i)+1
	}
	slices.Reverse(s.rest)
	return s
}

// key returns the hash by which a glob is selected. ok is false if it has none.
func (s *Set) key(g *Glob) (hash uint64, ok bool) {
	k := &g.known
	prefix, suffix := min(len(k.prefix), wordSize), min(len(k.suffix), wordSize)
	head, need := min(len(k.head), wordSize), min(len(k.need), gramSize)
	switch {
	case k.whole:
		s.names = true
		return hashName(k.prefix), true
	case prefix > suffix:
		s.prefixes |= 1 << (prefix - 1)
		return hashWord(firstBytes(k.prefix), prefix, ofPrefix), true
	case suffix > 0:
		s.suffixes |= 1 << (suffix - 1)
		return hashLast(lastBytes(k.suffix), suffix), true
	case g.path && bytes.LastIndexByte(k.head, '/') > 0:
		above := k.head[:bytes.LastIndexByte(k.head, '/')]
		s.longest = max(s.longest, len(above))
		return hashName(above) ^ ofPath, true
	case g.path && head > 0:
		s.paths |= 1 << (head - 1)
		return hashWord(firstBytes(k.head), head, ofPath), true
	case need > 1:
		sizes := &s.somewhereInName
		if g.path {
			sizes = &s.somewhereInPath
		}
		*sizes |= 1 << (need - 1)
		if s.somewhere == nil {
			s.somewhere = make([]uint64, 1<<16/64)
		}
		gram := uint32(0)
		for _, b := range k.need[:need] {
			gram = gram<<8 | uint32(b|caseBit)
		}
		bit := gramBit(gram)
		s.somewhere[bit>>6] |= 1 << (bit & 63)
		return hashGram(gram, need), true
	}
	return 0, false
}

// A Subject is a path to match against Sets. It is not safe for concurrent use;
// each worker has its own.
type Subject struct {
	// AppendPath appends the whole path to b. It is called only if a glob needs
	// more than the name.
	AppendPath func(b []byte) []byte

	name        []byte
	dir         bool
	path        []byte
	built       bool // path is valid for name
	hash        uint64
	first, last uint64
}

// Reset sets the path's last element. The caller keeps name, and must not
// change it until the next Reset.
func (s *Subject) Reset(name []byte, dir bool) {
	s.name, s.dir, s.built = name, dir, false
	s.hash, s.first, s.last = hashName(name), firstBytes(name), lastBytes(name)
}

// below returns the path relative to base. ok is false if it is not below base.
func (s *Subject) below(base string) (path []byte, ok bool) {
	if !s.built {
		s.path, s.built = s.AppendPath(s.path[:0]), true
	}
	if len(s.path) < len(base) || string(s.path[:len(base)]) != base {
		return nil, false
	}
	return s.path[len(base):], true
}

// Last returns the index of the last member that matches the subject, or -1.
// Globs for paths match the path below base, which ends in a slash or is empty.
func (s *Set) Last(subject *Subject, base string) int {
	best := -1
	if s.names {
		best = s.search(subject.hash, subject, base, best)
	}
	n := len(subject.name)
	for k := range sizes(s.prefixes, n) {
		best = s.search(hashWord(subject.first, k, ofPrefix), subject, base, best)
	}
	for k := range sizes(s.suffixes, n) {
		best = s.search(hashLast(subject.last, k), subject, base, best)
	}
	if s.somewhereInName != 0 {
		best = s.searchIn(subject.name, s.somewhereInName, subject, base, best)
	}
	if s.paths|s.somewhereInPath != 0 {
		path, _ := subject.below(base)
		first := firstBytes(path)
		for k := range sizes(s.paths, len(path)) {
			best = s.search(hashWord(first, k, ofPath), subject, base, best)
		}
		best = s.searchIn(path, s.somewhereInPath, subject, base, best)
	}
	if s.longest > 0 {
		path, _ := subject.below(base)
		for i, b := range path[:min(len(path), s.longest+1)] {
			if b == '/' {
				best = s.search(hashName(path[:i])^ofPath, subject, base, best)
			}
		}
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

// sizes yields each k up to limit for which bit k-1 is set.
func sizes(set uint8, limit int) func(func(k int) bool) {
	return func(yield func(k int) bool) {
		for ; set != 0; set &= set - 1 {
			if k := bits.TrailingZeros8(set) + 1; k > limit || !yield(k) {
				return
			}
		}
	}
}

// searchIn returns the highest matching member selected by bytes anywhere in
// text, or best if that is higher.
func (s *Set) searchIn(text []byte, ks uint8, subject *Subject, base string, best int) int {
	for k := range sizes(ks, len(text)) {
		gram, mask := uint32(0), uint32(1<<(8*k)-1)
		for i, b := range text {
			gram = (gram<<8 | uint32(b|caseBit)) & mask
			if bit := gramBit(gram); s.somewhere[bit>>6]>>(bit&63)&1 != 0 && i+1 >= k {
				best = s.search(hashGram(gram, k), subject, base, best)
			}
		}
	}
	return best
}

// search returns the highest matching member with the hash, or best if that is
// higher.
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

// Bytes are hashed with the case bit set, so that one hash serves both globs
// that ignore case and globs that do not.
const (
	caseBit  = 0x20
	caseBits = 0x2020202020202020
)

func hashName(name []byte) uint64 {
	h := uint64(len(name))
	for ; len(name) > wordSize; name = name[wordSize:] {
		h = mix(h ^ (binary.LittleEndian.Uint64(name) | caseBits))
	}
	return mix(h^firstBytes(name)) ^ ofName
}

// hashWord hashes the low k bytes of word.
func hashWord(word uint64, k int, salt uint64) uint64 {
	word &= 1<<(8*k) - 1
	return mix(word ^ salt ^ uint64(k)<<56)
}

// hashLast hashes the high k bytes of word.
func hashLast(word uint64, k int) uint64 {
	return hashWord(word>>(8*(wordSize-k)), k, ofSuffix)
}

func hashGram(gram uint32, k int) uint64 { return hashWord(uint64(gram), k, ofGram) }

// gramBit returns a gram's bit in Set.somewhere.
func gramBit(gram uint32) uint32 { return gram * 0x9e3779b1 >> 16 }

func mix(h uint64) uint64 {
	hi, lo := bits.Mul64(h, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

// firstBytes returns the first bytes of b in a word, the first one lowest.
// Missing bytes are zero.
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

// lastBytes returns the last bytes of b in a word, the last one highest.
// Missing bytes are zero.
func lastBytes(b []byte) uint64 {
	if n := len(b); n >= wordSize {
		return binary.LittleEndian.Uint64(b[n-wordSize:]) | caseBits
	}
	return firstBytes(b) << (8 * (wordSize - len(b)))
}
