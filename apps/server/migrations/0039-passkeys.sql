-- Keys of authenticators by which people sign in (WebAuthn). `sign_count` only grows, where an authenticator counts at all.
create table passkeys (
  id text primary key,
  user_id text not null references users (id),
  credential_id text not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkeys_credential_key unique (credential_id)
);
create index passkeys_by_user on passkeys (user_id, created_at, id);

-- Challenges that were given out, each for one answer within minutes. `user_id` is null where nobody is signed in.
create table passkey_challenges (
  challenge text primary key,
  purpose text not null check (purpose in ('register', 'sign_in', 'prove')),
  user_id text references users (id),
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
