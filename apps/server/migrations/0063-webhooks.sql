-- Where events are sent. `event_types` and `subject_ids` empty: all. `secrets_sealed` holds the present secret and those that a rotation
-- left valid. Events after (`since_txid`, `since_event_id`) are for it. `failures` counts failed attempts in a row, of whatever event;
-- before `retry_at` nothing is sent. One process at a time sends: the one whose `lease_id` stands there until `leased_until`.
create table webhooks (
  account_id text not null references accounts (id),
  id text not null,
  url text not null,
  description text not null default '',
  event_types text[] not null default '{}',
  subject_ids text[] not null default '{}',
  secrets_sealed bytea not null,
  since_txid bigint not null,
  since_event_id text not null,
  paused_at timestamptz,
  pause_reason text check (pause_reason in ('person', 'failing', 'gone')),
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  retry_at timestamptz,
  lease_id text,
  leased_until timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  check ((paused_at is null) = (pause_reason is null)),
  check ((lease_id is null) = (leased_until is null))
);
create index webhooks_by_time on webhooks (account_id, created_at desc, id desc);

-- Up to where the events of an account were looked through for its webhooks. An account without webhooks has none.
create table webhook_feeds (
  account_id text not null references accounts (id),
  id text not null,
  txid bigint not null,
  event_id text not null,
  primary key (account_id, id),
  constraint webhook_feeds_account_key unique (account_id)
);

-- An event for a webhook: to be sent while `pending`, from `due_at` on, in the order (event_txid, event_id) for each subject; then the
-- log of it. The last attempt stands in columns, those before it in `history`. `event_id` and `webhook_id` are no foreign keys: rows of a
-- webhook or event that is gone are removed by their age, a few at a time.
create table webhook_deliveries (
  account_id text not null references accounts (id),
  id text not null,
  webhook_id text not null,
  event_id text not null,
  event_type text not null,
  subject_id text not null,
  event_txid bigint not null,
  is_test boolean not null default false,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  due_at timestamptz not null,
  attempted_at timestamptz,
  duration_ms integer,
  status_code integer,
  failure text,
  answer text,
  history jsonb not null default '[]',
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint webhook_deliveries_event_key unique (account_id, webhook_id, event_id)
);
create index webhook_deliveries_by_webhook on webhook_deliveries (account_id, webhook_id, created_at desc, id desc);
create index webhook_deliveries_by_status on webhook_deliveries (account_id, webhook_id, status, created_at desc, id desc);
create index webhook_deliveries_pending on webhook_deliveries (account_id, webhook_id, event_txid, event_id)
  where status = 'pending';
create index webhook_deliveries_by_subject on webhook_deliveries (account_id, webhook_id, subject_id, event_txid, event_id)
  where status = 'pending';
