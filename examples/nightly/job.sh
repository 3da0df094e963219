#!/bin/sh
# Writes a row a second, with the stamp of the term in which it was started, until it is stopped or refused.
# Usage: job.sh LEDGER
set -u
echo "working with token $SIGNET_TOKEN"
while :; do
  sqlite3 -cmd '.timeout 2000' "$1" \
    "INSERT INTO entry (written_by, signet_token, signet_term)
     VALUES ('$SIGNET_CANDIDATE', $SIGNET_TOKEN, '$SIGNET_TERM_ID')" || exit 1
  sleep 1
done
