-- An export of an account of another service that was imported into this one: the same export again changes nothing. `content_id` tells its
-- content, `source_account_id` the account that it was made of.
create table account_imports (
  account_id text not null references accounts (id),
  id text not null,
  content_id text not null,
  source_account_id text not null,
  exported_at timestamptz not null,
  imported_at timestamptz not null,
  imported_rows bigint not null,
  primary key (account_id, id),
  constraint account_imports_content_key unique (account_id, content_id)
);
