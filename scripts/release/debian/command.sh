#!/bin/sh
# Runs a command of Printyard as its own user, with the settings of the service.
set -eu
if [ "$(id -u)" = 0 ]; then
  exec runuser -u @NAME@ -- /usr/bin/@NAME@ "$@"
fi
if [ -r /etc/@NAME@/@NAME@.env ]; then
  set -a
  . /etc/@NAME@/@NAME@.env
  set +a
fi
export @DATA_SETTING@="${@DATA_SETTING@:-/var/lib/@NAME@}"
exec /usr/lib/@NAME@/bin/@NAME@ "$@"
