create table hubs (
  account_id text not null references accounts (id),
  id text not null,
  name text not null,
  token_hash bytea,
  firmware_version text not null default '',
  hardware_version text not null default '',
  -- Length of the hub's journal when it last said hello. A shorter one later means that the journal was lost.
  journal_position bigint not null default 0,
  last_seen_at timestamptz,
  claimed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint hubs_name_key unique (account_id, name),
  constraint hubs_token_key unique (token_hash)
);

-- A join code is short and read aloud, so it lives for ten minutes and works once.
create table hub_join_codes (
  account_id text not null references accounts (id),
  id text not null,
  hub_id text not null,
  code_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, hub_id) references hubs (account_id, id) on delete cascade,
  constraint hub_join_codes_hash_key unique (code_hash)
);

-- `status` holds nothing live: what a printer is doing is known from its hub alone. `fence` grows with every order that
-- moves something; `connection_sealed` is encrypted under the service's secret key.
create table printers (
  account_id text not null references accounts (id),
  id text not null,
  hub_id text,
  name text not null,
  model text not null,
  manufacturer text not null default '',
  location text not null default '',
  notes text not null default '',
  connection_type text not null
    check (connection_type in ('virtual', 'octoprint', 'moonraker', 'prusalink', 'bambu', 'elegoo', 'creality')),
  connection_sealed bytea not null,
  nozzle_size double precision,
  current_color text not null default '',
  current_color_hex text not null default '',
  current_filament_type text not null default '',
  current_build_plate text not null default '',
  has_ams boolean not null default false,
  filament_level double precision,
  firmware_version text not null default '',
  auto_start boolean not null default false,
  is_active boolean not null default true,
  in_maintenance boolean not null default false,
  maintenance_type text,
  last_maintenance_date timestamptz,
  total_print_seconds bigint not null default 0,
  fence bigint not null default 0,
  plate_state text not null default 'unknown' check (plate_state in ('clear', 'occupied', 'unknown')),
  plate_job_id text,
  plate_changed_at timestamptz not null default now(),
  plate_changed_by text not null default 'system',
  plate_change_reason text not null default 'new_printer'
    check (plate_change_reason in ('new_printer', 'print_started', 'foreign_print', 'cleared_by_person', 'ejected')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, hub_id) references hubs (account_id, id),
  constraint printers_name_key unique (account_id, name)
);
create index printers_by_hub on printers (account_id, hub_id);
