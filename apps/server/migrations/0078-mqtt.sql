-- The MQTT broker that an account publishes to; at most one. `settings_sealed` holds user name, password and the certificate of its
-- authority. `published` are the topics that may hold retained messages of ours there: written before they are published, so that what
-- was left by a process that was killed is cleared by the next. `failing_since` and `problem` are of the last connection; one process
-- at a time holds the connection, by the lease.
create table mqtt_brokers (
  account_id text not null references accounts (id),
  id text not null,
  url text not null,
  settings_sealed bytea not null,
  base_topic text not null,
  discovery_prefix text not null,
  allowed_commands text[] not null default '{}'
    check (allowed_commands <@ array['pause', 'resume', 'stop', 'light']),
  is_active boolean not null default false,
  published text[] not null default '{}',
  connected_since timestamptz,
  failing_since timestamptz,
  problem text,
  lease_id text,
  leased_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  constraint mqtt_brokers_account_key unique (account_id),
  check ((lease_id is null) = (leased_until is null))
);

-- A switchable socket that a printer gets its power from. `off_after_minutes` null: it is never switched off by itself.
create table smart_plugs (
  account_id text not null references accounts (id),
  id text not null,
  printer_id text not null,
  command_topic text not null,
  payload_on text not null,
  payload_off text not null,
  state_topic text not null,
  off_after_minutes integer check (off_after_minutes between 1 and 1440),
  switches_on boolean not null default false,
  state text check (state in ('on', 'off')),
  state_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  constraint smart_plugs_printer_key unique (account_id, printer_id),
  foreign key (account_id, printer_id) references printers (account_id, id) on delete cascade
);

-- While its power is being switched off, nothing is started on a printer. It ends by itself: the process that switches may be killed.
alter table printers add column power_off_until timestamptz;
