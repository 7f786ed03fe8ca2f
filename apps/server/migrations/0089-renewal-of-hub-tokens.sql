-- The token that replaces the one of a hub. Both count until the hub has shown that it keeps the next one.
alter table hubs
  add column next_token_hash bytea,
  -- When the hub has last shown that it keeps a token which the service gave it by itself; null: it has the one of its joining.
  add column token_renewed_at timestamptz,
  add constraint hubs_next_token_key unique (next_token_hash);
