-- Who is signed in, where, and in which of their accounts. Only the hash of the cookie is kept. A member who leaves takes
-- their sessions in the account along.
create table sessions (
  account_id text not null,
  id text not null,
  user_id text not null,
  token_hash bytea not null,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (account_id, id),
  constraint sessions_token_key unique (token_hash),
  constraint sessions_member_fkey foreign key (account_id, user_id)
    references members (account_id, user_id) on delete cascade
);
create index sessions_by_user on sessions (user_id, created_at desc, id desc);
create index sessions_by_end on sessions (expires_at);

create index members_by_user on members (user_id);
