-- A letter that makes somebody a member. It is good for the person with this e-mail address alone; of the link in it only
-- the hash is kept. `mailed_at`: nobody but the mailbox has seen the link.
create table invitations (
  account_id text not null references accounts (id),
  id text not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'operator', 'viewer')),
  token_hash bytea not null,
  invited_by text not null references users (id),
  mailed_at timestamptz,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text references users (id),
  withdrawn_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint invitations_token_key unique (token_hash),
  constraint invitations_acceptance check ((accepted_at is null) = (accepted_by is null))
);
-- Inviting an address again replaces the link of before.
create unique index invitations_open_key on invitations (account_id, lower(email))
  where accepted_at is null and withdrawn_at is null;
create index invitations_by_age on invitations (account_id, created_at desc, id desc)
  where accepted_at is null and withdrawn_at is null;

-- A link by which a person sets a new password. The newest one alone works.
create table password_resets (
  user_id text primary key references users (id),
  token_hash bytea not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint password_resets_token_key unique (token_hash)
);

-- The secret of an authenticator app, sealed. It counts from when its first code was confirmed. `last_step` is the time
-- step of the newest code that was used: that code and all older ones are spent.
create table second_factors (
  user_id text primary key references users (id),
  secret_sealed bytea not null,
  confirmed_at timestamptz,
  last_step bigint,
  created_at timestamptz not null
);

-- Codes for whoever lost the app, each for one use: a used one is deleted. Kept as a keyed hash.
create table backup_codes (
  user_id text not null references second_factors (user_id) on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

-- Who a person is for a sign-in provider. Their address there may change; this does not.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users (id),
  created_at timestamptz not null,
  primary key (issuer, subject),
  -- An address that a provider gives to somebody else later does not open what is its first holder's.
  constraint oidc_identities_user_key unique (user_id, issuer)
);
