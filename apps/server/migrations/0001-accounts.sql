-- An account is one farm. Every other table of a farm has the primary key (account_id, id), and its foreign keys carry
-- account_id, so that a reference into another account cannot be written down.
create table accounts (
  id text primary key,
  name text not null,
  time_zone text not null default 'UTC',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A person may belong to several accounts; the membership holds the role.
create table users (
  id text primary key,
  email text not null,
  name text not null default '',
  password_hash text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on users (lower(email));

create table members (
  account_id text not null references accounts (id),
  id text not null,
  user_id text not null references users (id),
  role text not null check (role in ('owner', 'admin', 'operator', 'viewer')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint members_user_key unique (account_id, user_id)
);

-- Only the hash of a key is kept. Revoked and expired keys stay, so that each can be told from an unknown one.
create table api_keys (
  account_id text not null references accounts (id),
  id text not null,
  name text not null,
  key_hash bytea not null,
  key_prefix text not null,
  last_four text not null,
  scopes text[] not null,
  created_by text,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint api_keys_hash_key unique (key_hash)
);
create index api_keys_by_age on api_keys (account_id, created_at desc, id desc);

-- The first answer to a POST that carried an Idempotency-Key, written in the transaction of its effect. It may hold what
-- is shown only once (a join code), so it is sealed, and the request is known by a keyed hash.
create table idempotency_keys (
  account_id text not null references accounts (id),
  api_key_id text not null,
  key text not null,
  request_hash text not null,
  state text not null check (state in ('in_progress', 'completed')),
  status_code integer,
  body_sealed bytea,
  claimed_at timestamptz not null default now(),
  primary key (account_id, api_key_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (claimed_at);

-- What happened, in the transaction in which it happened. Rows are only ever added.
create table events (
  account_id text not null references accounts (id),
  id text not null,
  type text not null,
  subject_id text not null,
  data jsonb not null,
  actor text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
