#!/bin/sh
# The commands of a hub: `printyard-hub run` is `printyard hub run`.
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
exec "$home/node/bin/node" "$home/app/bin/printyard.mjs" hub "$@"
