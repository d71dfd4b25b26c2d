#!/usr/bin/env bash
# The gallery is one page with every figure inside, the same whatever the threads; the commands that
# it shows can be run and draw what the page shows.
set -euo pipefail

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
  echo "SKIPPED: there is no python3 to read the page with"
  exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

"$COPPICE" gallery --out one --quiet
"$COPPICE" gallery --out two --quiet --threads 1
diff -r one two || fail "two galleries differ"

"$python" - <<'CHECK' || fail "the page"
import base64, glob, os, re, struct, zlib
from html.parser import HTMLParser

page = open("one/index.html").read()
assert "http://" not in re.sub(r'xmlns(:xlink)?="[^"]*"', "", page) and "https://" not in page
sections = re.findall(r'<section id="([^"]+)">(.*?)</section>', page, re.S)
files = sorted(os.path.splitext(os.path.basename(f))[0] for f in glob.glob("one/*.svg"))
assert sorted(name for name, _ in sections) == files and len(files) >= 20, files
for name, text in sections:
    assert f'href="#{name}"' in page
    assert "Settings." in text and "Look for." in text and "coppice train" in text, name
    assert open(f"one/{name}.svg").read() in text, name
    images = re.findall(r"data:image/png;base64,([A-Za-z0-9+/=]+)", text)
    assert images or text.count("<circle") > 100 or "eigenvalues" in text, name
    for image in images:
        data = base64.b64decode(image)
        assert data[:8] == b"\x89PNG\r\n\x1a\n", name
        width, height = struct.unpack(">II", data[16:24])
        assert width >= 100 and height >= 1, (name, width, height)
        packed, at = b"", 8
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            if kind == b"IDAT":
                packed += data[at + 8:at + 8 + size]
            at += size + 12
        assert len(set(zlib.decompress(packed))) > 2, f"{name}: an image of one colour"
    assert not re.search(r"[^a-z](nan|inf)[^a-z]", re.sub(r"base64,[^\"]*", "", text)), name
HTMLParser().feed(page)
CHECK

# The commands of some figures, as they are on the page.
for figure in criminisi-3.9 criminisi-4.6 criminisi-6.8; do
  mkdir "$figure"
  "$COPPICE" gallery --list --only "$figure" --json |
    "$python" -c 'import json, sys
print("\n".join(json.load(sys.stdin)["figures"][0]["commands"]))' >"$figure/commands"
  grep -q '^coppice plot' "$figure/commands" || fail "$figure has no commands"
  (cd "$figure" && coppice() { "$COPPICE" "$@" --quiet; } && source ./commands) ||
    fail "the commands of $figure"
  [[ $(find "$figure" -name 'panel*.svg' | wc -l) -ge 2 ]] || fail "$figure has no panels"
done

# A section has no pixels: its curves in the page are those of the command, moved and scaled.
"$python" - <<'CHECK' || fail "the commands draw something else than the page"
import re
def curve(path, colour):
    for points in re.findall(rf'<polyline points="([^"]*)"[^>]*stroke="{colour}"', open(path).read()):
        spots = [tuple(map(float, p.split(","))) for p in points.split()]
        if len(spots) > 50:
            return spots
    raise SystemExit(f"{path}: no curve")
def height_at(spots, share):
    left, right = spots[0][0], spots[-1][0]
    top, bottom = min(y for _, y in spots), max(y for _, y in spots)
    x = left + share * (right - left)
    y = min(spots, key=lambda s: abs(s[0] - x))[1]
    return (y - top) / (bottom - top)
shown, drawn = curve("one/criminisi-3.9.svg", "#0072b2"), curve("criminisi-3.9/panel3.svg", "#0072b2")
for n in range(101):
    assert abs(height_at(shown, n / 100) - height_at(drawn, n / 100)) < 0.06, n
CHECK

"$COPPICE" gallery --out some --only kim-trees,criminisi-3.3 --quiet
[[ $(find some -name '*.svg' | wc -l) -eq 2 ]] || fail "--only"

# usage: refused EXIT_CODE PATTERN ARGUMENT...
refused() {
  local wanted=$1 pattern=$2 status=0
  shift 2
  "$COPPICE" gallery "$@" >out.txt 2>error.txt || status=$?
  [[ $status -eq $wanted ]] || fail "gallery $*: exit code $status: $(cat error.txt)"
  grep -Eq -- "^coppice gallery: .*$pattern" error.txt || fail "gallery $*: $(cat error.txt)"
}
refused 2 'say where the page goes'
refused 2 'did you mean kim-trees' --out x --only kim-tree
refused 3 'cannot be made' --out nowhere/gallery
touch file
refused 3 'cannot be made' --out file
[[ ! -e x ]] || fail "a refused gallery made a folder"
