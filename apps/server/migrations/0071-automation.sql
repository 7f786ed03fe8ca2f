-- What the farm does by itself when something happens. `actions` is a list of steps, as the API describes them. In `trial` nothing is
-- done, only noted. Empty lists of places, printers and products: all. `times` occurrences within `within_minutes`, of one printer
-- (or product, or order) each, make one run; `most_per_hour` bounds the runs of the rule.
create table automation_rules (
  account_id text not null references accounts (id),
  id text not null,
  name text not null,
  mode text not null check (mode in ('on', 'trial', 'off')),
  kinds text[] not null,
  least_severity text not null check (least_severity in ('low', 'medium', 'high')),
  locations text[] not null default '{}',
  printer_ids text[] not null default '{}',
  product_ids text[] not null default '{}',
  times integer not null check (times between 1 and 100),
  within_minutes integer not null check (within_minutes between 1 and 10080),
  most_per_hour integer not null check (most_per_hour between 1 and 1000),
  actions jsonb not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create index automation_rules_by_time on automation_rules (account_id, created_at desc, id desc);

-- Up to where the events of an account were looked through for its rules. An account that never had a rule has none.
create table automation_feeds (
  account_id text not null references accounts (id),
  id text not null,
  txid bigint not null,
  event_id text not null,
  primary key (account_id, id),
  constraint automation_feeds_account_key unique (account_id)
);

-- What a rule made of an occurrence: `ran`; `trial`, what it would have done; `counted`, one of several that are needed; `held`, because
-- it ran too often. `steps` says what came of each action. `about` is what occurrences are counted by. `event_id` and `rule_id` are
-- no foreign keys: rows of what is gone are removed by their age.
create table automation_runs (
  account_id text not null references accounts (id),
  id text not null,
  rule_id text not null,
  event_id text not null,
  kind text not null,
  title text not null,
  path text not null,
  about text not null,
  outcome text not null check (outcome in ('ran', 'trial', 'counted', 'held')),
  steps jsonb not null,
  happened_at timestamptz not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint automation_runs_event_key unique (account_id, event_id, rule_id)
);
create index automation_runs_by_time on automation_runs (account_id, created_at desc, id desc);
create index automation_runs_by_rule on automation_runs (account_id, rule_id, created_at desc, id desc);
