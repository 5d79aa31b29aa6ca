# Measures ldx with different numbers of threads; benchmark.sh for Windows without bash.
#
#   bench\benchmark.ps1 [-Runs N] [-Cold] [-Warm] [-Threads 1,2,4,..] [-Dirs A,B]
#                       [-Label NAME,NAME] [-ShowPaths] [-Out FILE]
#
# It builds nothing, and needs only ldx in PATH, or $env:LDX. Ctrl-C keeps the rows so
# far. Windows has no command to drop its caches: rows of -Cold say unknown.
param(
    [int]$Runs,
    [switch]$Cold,
    [switch]$Warm,
    [string[]]$Threads,
    [string[]]$Dirs = @('.'),
    [string[]]$Label,
    [switch]$ShowPaths,
    [string]$Out = "ldx-bench-$(Get-Date -Format yyyyMMdd-HHmmss).csv"
)
$ErrorActionPreference = 'Stop'

$ldx = if ($env:LDX) { $env:LDX } else { 'ldx' }
if (-not (Get-Command $ldx -ErrorAction SilentlyContinue)) {
    [Console]::Error.WriteLine("benchmark.ps1: $ldx is not in PATH; set LDX to its path")
    exit 2
}

& $ldx bench threads --help *> $null
if ($LASTEXITCODE -ne 0) {
    [Console]::Error.WriteLine("benchmark.ps1: $ldx is too old to measure itself (ldx bench)")
    exit 2
}

$Dirs = $Dirs -split ',' # powershell -File does not split it
$arguments = @('bench', 'threads', '--out', $Out)
if ($PSBoundParameters.ContainsKey('Runs')) { $arguments += '--runs', $Runs }
if ($Cold) { $arguments += '--cold' }
if ($Warm) { $arguments += '--warm' }
if ($Threads) { $arguments += '--threads', ($Threads -join ',') }
if ($Label) { $arguments += '--label', ($Label -join ',') }
if ($ShowPaths) { $arguments += '--show-paths' }
& $ldx @arguments -- @Dirs
exit $LASTEXITCODE
