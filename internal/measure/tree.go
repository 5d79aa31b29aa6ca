package measure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// MakeTree makes a tree of empty files from a seed, and returns the paths of its directories.
// A directory has nine entries on average, one of them a directory, as in real trees.
func MakeTree(ctx context.Context, path string, seed uint64, entries int) (dirs []string, err error) {
	r := rand.New(rand.NewPCG(seed, seed))
	dirs = []string{path}
	for i := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parent := dirs[r.IntN(len(dirs))]
		if i%9 == 0 {
			// The newer a directory, the likelier it gets children: some parts
			// become deep and bushy.
			parent = dirs[max(r.IntN(len(dirs)), r.IntN(len(dirs)))]
			name := filepath.Join(parent, word(r)+fmt.Sprint(i))
			if err := os.Mkdir(name, 0o755); err != nil {
				return nil, err
			}
			dirs = append(dirs, name)
			continue
		}
		f, err := os.Create(filepath.Join(parent, word(r)+fmt.Sprint(i)+extension(r)))
		if err != nil {
			return nil, err
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return dirs, nil
}

func word(r *rand.Rand) string {
	var b strings.Builder
	for range 3 + r.IntN(12) {
		b.WriteByte('a' + byte(r.IntN(26)))
	}
	return b.String()
}

func extension(r *rand.Rand) string {
	all := []string{".go", ".c", ".h", ".so", ".md", ".txt", ".png", ".js", ".py", ""}
	return all[r.IntN(len(all))]
}

// MakeFiles makes a tree of files with random contents from a seed: a hundred in each directory,
// each shorter than maxSize bytes. It returns their paths in random order.
func MakeFiles(ctx context.Context, path string, seed uint64, files, maxSize int) (paths []string, err error) {
	r := rand.New(rand.NewPCG(seed, seed))
	source := rand.NewChaCha8([32]byte{byte(seed)})
	data := make([]byte, maxSize)
	for i := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dir := filepath.Join(path, fmt.Sprintf("dir%03d", i/100))
		if i%100 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return nil, err
			}
		}
		content := data[:r.IntN(maxSize)]
		if _, err := source.Read(content); err != nil {
			return nil, err
		}
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("file%05d", i)))
		if err := os.WriteFile(paths[i], content, 0o644); err != nil {
			return nil, err
		}
	}
	r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	return paths, nil
}
