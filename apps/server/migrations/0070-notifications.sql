-- Where notifications are sent: a service that people read, or a browser of a person (`web_push`). `settings_sealed` holds all that was
-- entered, `target` what may be shown of it. A channel with a `user_id` belongs to that member, and goes with them. `endpoint_hash` finds a
-- browser that subscribes again. Health and lease are as in `webhooks`.
create table notification_channels (
  account_id text not null references accounts (id),
  id text not null,
  kind text not null check (kind in ('mail', 'ntfy', 'telegram', 'discord', 'slack', 'matrix', 'webhook', 'web_push')),
  name text not null,
  user_id text,
  target text not null,
  settings_sealed bytea not null,
  endpoint_hash bytea,
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
  constraint notification_channels_user_fkey foreign key (account_id, user_id)
    references members (account_id, user_id) on delete cascade,
  constraint notification_channels_endpoint_key unique (account_id, endpoint_hash),
  check ((kind = 'web_push') = (endpoint_hash is not null)),
  check (kind not in ('web_push', 'mail') or user_id is not null),
  check ((paused_at is null) = (pause_reason is null)),
  check ((lease_id is null) = (leased_until is null))
);
create index notification_channels_by_time on notification_channels (account_id, created_at desc, id desc);

-- What is told to whom. Empty lists of places, printers and products: all. `to_acting_members` stands for the browsers of all members
-- who may act, `user_ids` for those of these. Quiet hours are `HH:MM` in `time_zone`.
create table notification_rules (
  account_id text not null references accounts (id),
  id text not null,
  name text not null,
  is_active boolean not null default true,
  kinds text[] not null,
  least_severity text not null default 'low' check (least_severity in ('low', 'medium', 'high')),
  locations text[] not null default '{}',
  printer_ids text[] not null default '{}',
  product_ids text[] not null default '{}',
  channel_ids text[] not null default '{}',
  user_ids text[] not null default '{}',
  to_acting_members boolean not null default false,
  quiet_from text,
  quiet_to text,
  time_zone text not null,
  urgent_passes boolean not null default true,
  digest_minutes integer not null default 0 check (digest_minutes between 0 and 1440),
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  check ((quiet_from is null) = (quiet_to is null))
);
create index notification_rules_by_time on notification_rules (account_id, created_at desc, id desc);

-- Up to where the events of an account were looked through for its notifications. An account that never had a channel has none.
create table notification_feeds (
  account_id text not null references accounts (id),
  id text not null,
  txid bigint not null,
  event_id text not null,
  primary key (account_id, id),
  constraint notification_feeds_account_key unique (account_id)
);

-- What a channel was told of and is not over: it is told again only when it becomes more severe.
create table notification_states (
  account_id text not null references accounts (id),
  channel_id text not null,
  subject text not null,
  severity text not null check (severity in ('low', 'medium', 'high')),
  primary key (account_id, channel_id, subject)
);
create index notification_states_by_subject on notification_states (account_id, subject);

-- A message for a channel: to be sent from `due_at` on while `pending`, then the log of it. `dropped`: it was over before it was sent.
-- A test has no event.
-- `channel_id` and `event_id` are no foreign keys: rows of what is gone are removed by their age, a few at a time.
create table notifications (
  account_id text not null references accounts (id),
  id text not null,
  channel_id text not null,
  rule_id text,
  event_id text,
  kind text not null,
  subject text not null,
  severity text not null check (severity in ('low', 'medium', 'high')),
  title text not null,
  body text not null,
  path text not null,
  printer_id text,
  task_id text,
  is_digest boolean not null default false,
  is_test boolean not null default false,
  status text not null check (status in ('pending', 'sent', 'failed', 'dropped')),
  attempts integer not null default 0 check (attempts >= 0),
  due_at timestamptz not null,
  attempted_at timestamptz,
  duration_ms integer,
  status_code integer,
  failure text,
  answer text,
  taken_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint notifications_event_key unique (account_id, channel_id, event_id, kind)
);
create index notifications_by_time on notifications (account_id, created_at desc, id desc);
create index notifications_by_channel on notifications (account_id, channel_id, created_at desc, id desc);
create index notifications_pending on notifications (account_id, channel_id, due_at) where status = 'pending';
create index notifications_pending_by_subject on notifications (account_id, subject) where status = 'pending';

-- The key pair by which the service shows push services who sends; made once, because browsers subscribe to this one.
create table push_keys (
  id text primary key check (id = 'push_keys'),
  public_key text not null,
  private_key_sealed bytea not null,
  created_at timestamptz not null
);

-- Whether the order is told to be at risk, so that the events of it come once.
alter table order_forecasts add column is_at_risk boolean not null default false;
