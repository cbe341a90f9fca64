#!/usr/bin/env bash
# run.sh SECONDS [TARGET...]: fuzzes each target (or those named) for so many seconds; fails when one
# crashes, hangs, leaks or takes too much memory. What a crash needs is kept in artifacts/.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
seconds=${1:?"usage: crates/fuzz/run.sh SECONDS [TARGET...]"}
shift
version=0.13.2
tools=$PWD/.venv-tools
fuzz=$tools/bin/cargo-fuzz
goldens=crates/core/tests/goldens
jpegs=crates/jpeg/tests/data
shards=crates/core/tests/record-goldens

if ! [[ $seconds =~ ^[1-9][0-9]*$ ]]; then
    echo "run.sh: '$seconds' is no number of seconds: pass one above 0, as in run.sh 120" >&2
    exit 2
fi
if ! command -v "${CXX:-c++}" >/dev/null; then
    echo "run.sh: no C++ compiler '${CXX:-c++}', which libFuzzer itself is built with: install one or set CXX" >&2
    exit 2
fi
if [[ ! -x $fuzz || $("$fuzz" --version) != *" $version" ]]; then
    CARGO_PROFILE_DEV_DEBUG=0 cargo install cargo-fuzz --version "$version" --locked --debug \
        --force --root "$tools" --target-dir "$tools/target"
    rm -rf "$tools/target"
fi

# The sanitizer's flags are unstable; the stable compiler takes them when told so.
export RUSTC_BOOTSTRAP=1
export CARGO_TARGET_DIR=$here/target
fuzz() { "$fuzz" "$1" --fuzz-dir "$here" "${@:2}"; }

# The goldens of the tests are where fuzzing begins; what it finds beyond them stays in corpus/.
seed() {
    case $1 in
        headers) cp "$goldens"/*.{png,webp,gif,bmp,tif} "$jpegs"/*.jpg "$2" ;;
        differential) cp "$goldens"/*rgb8.png "$goldens"/*plain.gif "$jpegs"/*.jpg "$2" ;;
        jpeg | coefficients) cp "$jpegs"/*.jpg "$2" ;;
        record) cp "$shards"/*.tfrecord "$2" ;;
        tiff) cp "$goldens"/*.tif "$2" ;;
        entropy) ;;
        *) cp "$goldens"/*."$1" "$2" ;;
    esac
}

mapfile -t targets < <(if (($#)); then printf '%s\n' "$@"; else fuzz list; fi)
fuzz build
failed=()
for target in "${targets[@]}"; do
    corpus=$here/corpus/$target log=$here/artifacts/$target.log
    mkdir -p "$corpus" "$here/artifacts/$target"
    seed "$target" "$corpus"
    echo "fuzz $target: $seconds seconds, from $(find "$corpus" -type f | wc -l) files"
    # A single allocation above 64 MiB would be one that the limits did not bound.
    if fuzz run "$target" "$corpus" -- -max_total_time="$seconds" -rss_limit_mb=2048 \
        -malloc_limit_mb=64 -timeout=10 -max_len=65536 -print_final_stats=1 \
        >"$log" 2>&1; then
        grep -E '^Done |number_of_executed_units|peak_rss_mb' "$log" | sed 's/^/  /'
    else
        failed+=("$target")
        tail -n 60 "$log"
    fi
done
if ((${#failed[@]})); then
    echo "fuzz: found something in: ${failed[*]} (inputs in crates/fuzz/artifacts)" >&2
    exit 1
fi
