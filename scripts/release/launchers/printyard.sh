#!/bin/sh
# Starts Printyard with the Node beside it, from wherever this file or a link to it is called.
set -eu
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
home=$(cd "$(dirname "$self")/.." && pwd -P)
exec "$home/node/bin/node" --max-semi-space-size=4 "$home/app/bin/printyard.mjs" "$@"
