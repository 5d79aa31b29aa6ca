# Without cgo the program needs no shared library and starts in two thirds of
# the time.
export CGO_ENABLED = 0

.PHONY: all build install test test-windows check bench fuzz clean

all: build

build: ## ./ldx
	go build -trimpath -ldflags='-s -w' -o ldx ./cmd/ldx

PREFIX = /usr/local
install: build ## the program, manual pages and completions, below DESTDIR and PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 ldx $(DESTDIR)$(PREFIX)/bin/ldx
	./ldx man >$(DESTDIR)$(PREFIX)/share/man/man1/ldx.1
	for page in du index bench; do ./ldx man $$page >$(DESTDIR)$(PREFIX)/share/man/man1/ldx-$$page.1 || exit; done
	./ldx completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/ldx
	./ldx completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_ldx
	./ldx completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/ldx.fish

test:
	go test ./...

test-windows: ## the tests in Wine, which is installed if missing (as root, or with sudo)
	.ci/run wine

check: ## everything that must pass before a change is merged
	CGO_ENABLED=1 .ci/run

bench: ## compare with fd, fdf, bfs, find and rg, as far as they are installed; see bench/README.md
	go run ./bench $(BENCHFLAGS)

FUZZTIME = 1m
fuzz: ## run each fuzz target for FUZZTIME
	go test -run '^$$' -fuzz FuzzParseDirent64 -fuzztime $(FUZZTIME) ./internal/dir
	go test -run '^$$' -fuzz FuzzDirent -fuzztime $(FUZZTIME) ./internal/dir
	go test -run '^$$' -fuzz FuzzNTRecord -fuzztime $(FUZZTIME) ./internal/dir
	go test -run '^$$' -fuzz FuzzBulk -fuzztime $(FUZZTIME) ./internal/dir
	go test -run '^$$' -fuzz FuzzWTF8 -fuzztime $(FUZZTIME) ./internal/dir
	go test -run '^$$' -fuzz FuzzBatchFileLine -fuzztime $(FUZZTIME) ./internal/spawn
	go test -run '^$$' -fuzz FuzzExcludes -fuzztime $(FUZZTIME) ./internal/du
	go test -run '^$$' -fuzz FuzzUnit -fuzztime $(FUZZTIME) ./internal/format
	go test -run '^$$' -fuzz FuzzGlob -fuzztime $(FUZZTIME) ./internal/glob
	go test -run '^$$' -fuzz 'FuzzParse$$' -fuzztime $(FUZZTIME) ./internal/ignore
	go test -run '^$$' -fuzz FuzzParseConfig -fuzztime $(FUZZTIME) ./internal/ignore
	go test -run '^$$' -fuzz FuzzMatch -fuzztime $(FUZZTIME) ./internal/match
	go test -run '^$$' -fuzz FuzzGlobExpression -fuzztime $(FUZZTIME) ./internal/match
	go test -run '^$$' -fuzz FuzzParseTime -fuzztime $(FUZZTIME) ./internal/filter
	go test -run '^$$' -fuzz FuzzParseSize -fuzztime $(FUZZTIME) ./internal/filter
	go test -run '^$$' -fuzz FuzzTemplate -fuzztime $(FUZZTIME) ./internal/format
	go test -run '^$$' -fuzz FuzzEscape -fuzztime $(FUZZTIME) ./internal/printer
	go test -run '^$$' -fuzz FuzzPalette -fuzztime $(FUZZTIME) ./internal/printer

clean:
	rm -f ldx
