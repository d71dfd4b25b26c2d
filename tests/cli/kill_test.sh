#!/usr/bin/env bash
# A short run of tools/kill_while_saving.sh.
set -euo pipefail
"$(dirname "$0")/../../tools/kill_while_saving.sh" 20
