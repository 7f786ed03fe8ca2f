-- The Spoolman that the spools of an account are kept in as well. `leader` is whose quantities count where both differ. Health and lease are
-- as in `shops`.
create table spoolman_connections (
  account_id text not null references accounts (id),
  id text not null,
  url text not null,
  leader text not null check (leader in ('printyard', 'spoolman')),
  sends_usage boolean not null,
  paused_at timestamptz,
  due_at timestamptz not null,
  last_read_at timestamptz,
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  retry_at timestamptz,
  problem text,
  lease_id text,
  leased_until timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  constraint spoolman_connections_account_key unique (account_id),
  check ((lease_id is null) = (leased_until is null))
);

-- A spool of the Spoolman at `url`, by its number there. It stays when that is disconnected, so that it is known again. `material_id` null: it is not kept here, because it has no weight (`unweighed`), or because it was
-- deleted here. `sending_…` is written before usage is told: what the spool had been used by then, what was told, and when. It stays until it is
-- known whether the spool took it.
create table spoolman_spools (
  account_id text not null references accounts (id),
  spool_id integer not null,
  url text not null,
  material_id text,
  state text not null check (state in ('linked', 'unweighed', 'gone')),
  sending_from bigint,
  sending_milligrams bigint check (sending_milligrams > 0),
  sending_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, spool_id),
  foreign key (account_id, material_id) references materials (account_id, id) on delete set null (material_id),
  check ((sending_from is null) = (sending_milligrams is null) and (sending_from is null) = (sending_at is null))
);
create unique index spoolman_spools_material_key on spoolman_spools (account_id, material_id) where material_id is not null;

-- Usage that Spoolman is to be told of. Added in the transaction that books it, and deleted when Spoolman has it. `unclear`: the answer was
-- lost, and what the spool says since does not tell whether it came in; a person decides. `refused`: Spoolman does not take it.
create table spoolman_usages (
  account_id text not null references accounts (id),
  id text not null,
  spool_id integer not null,
  milligrams bigint not null check (milligrams > 0),
  state text not null check (state in ('pending', 'sending', 'unclear', 'refused')),
  problem text,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, spool_id) references spoolman_spools (account_id, spool_id) on delete cascade
);
create index spoolman_usages_by_spool on spoolman_usages (account_id, spool_id);
