# Builds without cgo: the program then needs no shared library and starts in
# two thirds of the time.
export CGO_ENABLED = 0

.PHONY: all build test check bench fuzz clean

all: build

build: ## ./ldx
	go build -trimpath -ldflags='-s -w' -o ldx ./cmd/ldx

test:
	go test ./...

check: ## all that must pass before a change lands
	CGO_ENABLED=1 .ci/run

bench: ## against fd, fdf, bfs and find, where they are installed
	go run ./bench $(BENCHFLAGS)

FUZZTIME = 1m
fuzz: ## each fuzz target, for FUZZTIME
	go test -run '^$$' -fuzz FuzzParseDirent64 -fuzztime $(FUZZTIME) ./internal/dir
	go test -run '^$$' -fuzz FuzzGlob -fuzztime $(FUZZTIME) ./internal/glob
	go test -run '^$$' -fuzz 'FuzzParse$$' -fuzztime $(FUZZTIME) ./internal/ignore
	go test -run '^$$' -fuzz FuzzParseConfig -fuzztime $(FUZZTIME) ./internal/ignore
	go test -run '^$$' -fuzz FuzzMatch -fuzztime $(FUZZTIME) ./internal/match
	go test -run '^$$' -fuzz FuzzGlobExpression -fuzztime $(FUZZTIME) ./internal/match

clean:
	rm -f ldx
