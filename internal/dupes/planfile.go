package dupes

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"ldx/internal/catalogue"
	"ldx/internal/dir"
)

// A Plan is what is to be done, saved for later.
type Plan struct {
	Deed   Deed
	Roots  []Root // with absolute paths
	Groups []Planned
}

// planVersion is that of the file. A reader knows no other.
const planVersion = 1

// The file, as JSON. A text that is not UTF-8 is in base64.
type (
	planFile struct {
		Version int         `json:"ldx_dupes_plan"`
		Deed    string      `json:"deed"`
		Roots   []planRoot  `json:"roots"`
		Groups  []planGroup `json:"groups"`
	}
	planRoot struct {
		planText
		Device uint64 `json:"device"`
		Inode  uint64 `json:"inode"`
	}
	planGroup struct {
		Size   int64      `json:"size"`
		Sum    string     `json:"sha256"`
		Keep   planCopy   `json:"keep"`
		Change []planCopy `json:"change"`
	}
	planCopy struct {
		Device    uint64     `json:"device"`
		Inode     uint64     `json:"inode"`
		Modified  int64      `json:"mtime_ns"`
		Changed   int64      `json:"ctime_ns"`
		Allocated int64      `json:"allocated"`
		Links     uint64     `json:"links"`
		Names     []planName `json:"names"`
	}
	planName struct {
		Root int `json:"root"`
		planText
	}
	planText struct {
		Path string `json:"path,omitempty"`
		B64  []byte `json:"path_b64,omitempty"`
	}
)

func newPlanText(path string) planText {
	if utf8.ValidString(path) {
		return planText{Path: path}
	}
	return planText{B64: []byte(path)}
}

func (t *planText) text() string {
	if t.B64 != nil {
		return string(t.B64)
	}
	return t.Path
}

// WritePlan writes a plan. The roots must have absolute paths.
func WritePlan(to io.Writer, deed Deed, roots []Root, groups iter.Seq[Planned]) error {
	file := planFile{Version: planVersion, Deed: deed.String(), Groups: []planGroup{}}
	for _, r := range roots {
		file.Roots = append(file.Roots, planRoot{newPlanText(r.Path), r.ID.Device, r.ID.Inode})
	}
	for p := range groups {
		g := planGroup{Size: p.Size, Sum: hex.EncodeToString(p.Sum[:]), Keep: newPlanCopy(&p.Copies[p.Keep])}
		for _, i := range p.Change {
			g.Change = append(g.Change, newPlanCopy(&p.Copies[i]))
		}
		file.Groups = append(file.Groups, g)
	}
	w := json.NewEncoder(to)
	w.SetEscapeHTML(false)
	w.SetIndent("", " ")
	return w.Encode(&file)
}

func newPlanCopy(c *Copy) planCopy {
	p := planCopy{Device: c.Device, Inode: c.Inode, Modified: c.Modified, Changed: c.Changed, Allocated: c.Allocated, Links: c.Links}
	for _, n := range c.Names {
		path := n.Base
		if n.Folder != "" {
			path = n.Folder + "/" + n.Base
		}
		if n.IsRoot {
			path = ""
		}
		p.Names = append(p.Names, planName{n.Root, newPlanText(path)})
	}
	return p
}

// ParsePlan reads what WritePlan has written. A plan is not trusted: no name in it leads out of its
// root, and a Doer compares everything else with the files.
func ParsePlan(data []byte) (*Plan, error) {
	var file planFile
	r := json.NewDecoder(bytes.NewReader(data))
	r.DisallowUnknownFields()
	if err := r.Decode(&file); err != nil {
		return nil, fmt.Errorf("it is not a plan of ldx dupes: %w", err)
	}
	if _, err := r.Token(); err != io.EOF {
		return nil, errors.New("there is something after the plan")
	}
	if file.Version != planVersion {
		return nil, fmt.Errorf("it is a plan of version %d, and this ldx knows version %d", file.Version, planVersion)
	}
	deed := slices.Index(deedNames[:], file.Deed)
	if deed <= 0 {
		return nil, fmt.Errorf("there is no deed %q", file.Deed)
	}
	plan := &Plan{Deed: Deed(deed)}
	for _, r := range file.Roots {
		path := r.text()
		if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
			return nil, fmt.Errorf("the root %q is no absolute path", path)
		}
		plan.Roots = append(plan.Roots, Root{Path: path, ID: dir.ID{Device: r.Device, Inode: r.Inode}})
	}
	for i := range file.Groups {
		p, err := file.Groups[i].planned(plan.Roots)
		if err != nil {
			return nil, fmt.Errorf("group %d: %w", i+1, err)
		}
		plan.Groups = append(plan.Groups, p)
	}
	return plan, nil
}

func (g *planGroup) planned(roots []Root) (p Planned, err error) {
	sum, err := hex.DecodeString(g.Sum)
	if err != nil || len(sum) != len(catalogue.Sum{}) || g.Size < 0 || len(g.Change) == 0 {
		return p, errors.New("its size, hash or copies are missing")
	}
	p.Size, p.Sum = g.Size, catalogue.Sum(sum)
	for i, from := range append([]planCopy{g.Keep}, g.Change...) {
		c := Copy{File: File{
			ID: dir.ID{Device: from.Device, Inode: from.Inode}, Size: g.Size, Modified: from.Modified, Changed: from.Changed,
			Allocated: max(0, from.Allocated), Links: from.Links,
		}}
		if i > 0 {
			p.Change = append(p.Change, i)
			if c.ID == p.Copies[0].ID {
				return p, errors.New("the file that is kept is changed")
			}
		}
		for _, n := range from.Names {
			name, err := n.name(roots)
			if err != nil {
				return p, err
			}
			c.Names = append(c.Names, name)
		}
		if len(c.Names) == 0 {
			return p, errors.New("a file has no name")
		}
		p.Copies = append(p.Copies, c)
	}
	return p, nil
}

// name returns the name of a file, which must be below its root.
func (n *planName) name(roots []Root) (name Name, err error) {
	if n.Root < 0 || n.Root >= len(roots) {
		return name, fmt.Errorf("there is no root %d", n.Root)
	}
	root, path := roots[n.Root].Path, n.text()
	if path == "" {
		return Name{Path: root, Absolute: root, Root: n.Root, Base: filepath.Base(root), IsRoot: true}, nil
	}
	for element := range strings.SplitSeq(path, "/") {
		if element == "" || element == "." || element == ".." || strings.ContainsRune(element, 0) {
			return name, fmt.Errorf("%q is no path below %s", path, root)
		}
	}
	at := strings.LastIndexByte(path, '/') + 1
	absolute := withSlash(root) + path
	return Name{Path: absolute, Absolute: absolute, Root: n.Root, Folder: strings.TrimSuffix(path[:at], "/"), Base: path[at:]}, nil
}

// Planned returns the groups of a plan. What the rules protect is not changed.
func (p *Plan) Planned(r *Rules, report func(error)) iter.Seq[Planned] {
	return func(yield func(Planned) bool) {
		for _, g := range p.Groups {
			change := g.Change
			g.Change = nil
			for _, i := range change {
				if r.mayChange(&g.Copies[i], &g.Copies[g.Keep], report) {
					g.Change = append(g.Change, i)
				}
			}
			if len(g.Change) > 0 && !yield(g) {
				return
			}
		}
	}
}
