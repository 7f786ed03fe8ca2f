-- Units that the last plan wants to be printed and that nothing covers, of the lines of orders. Written by the planner with the pegs.
create table plan_gaps (
  account_id text not null references accounts (id),
  order_item_id text not null,
  product_sku_id text not null,
  units bigint not null check (units >= 1),
  primary key (account_id, order_item_id, product_sku_id),
  foreign key (account_id, order_item_id) references order_items (account_id, id) on delete cascade
);
create index plan_gaps_by_sku on plan_gaps (account_id, product_sku_id);

-- When the forecast of an account was asked for and made last. A plan asks for it; after some minutes it is made again, because what waits
-- gets later by waiting.
create table forecast_rounds (
  account_id text primary key references accounts (id),
  asked_at timestamptz,
  made_at timestamptz
);
create index forecast_rounds_asked on forecast_rounds (asked_at) where asked_at is not null;

-- When what prints, waits or is to be printed will be done, by learnt print times. `reason`: why a time is null.
create table job_forecasts (
  account_id text not null references accounts (id),
  job_id text not null,
  p50_at timestamptz,
  p90_at timestamptz,
  reason text,
  primary key (account_id, job_id),
  foreign key (account_id, job_id) references jobs (account_id, id) on delete cascade
);
create table gap_forecasts (
  account_id text not null references accounts (id),
  order_item_id text not null,
  product_sku_id text not null,
  p50_at timestamptz,
  p90_at timestamptz,
  reason text,
  primary key (account_id, order_item_id, product_sku_id),
  foreign key (account_id, order_item_id) references order_items (account_id, id) on delete cascade
);

-- When an open order will be ready, and by when it can be promised to leave: the end of the working day of its p90.
create table order_forecasts (
  account_id text not null references accounts (id),
  order_id text not null,
  is_ready boolean not null,
  ready_p50_at timestamptz,
  ready_p90_at timestamptz,
  leaves_p90_at timestamptz,
  promised_at timestamptz,
  reason text,
  sku text not null default '',
  primary key (account_id, order_id),
  foreign key (account_id, order_id) references orders (account_id, id) on delete cascade
);

-- What was promised of an order, when: the first one is made as soon as all of its lines are mapped and nothing of it is blocked or
-- unknown; another one when the date has moved.
create table order_promises (
  account_id text not null references accounts (id),
  id text not null,
  order_id text not null,
  number integer not null check (number >= 1),
  ready_p50_at timestamptz not null,
  ready_p90_at timestamptz not null,
  promised_at timestamptz not null,
  made_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, order_id) references orders (account_id, id) on delete cascade,
  constraint order_promises_number_key unique (account_id, order_id, number)
);
create index order_promises_by_date on order_promises (account_id, promised_at) where number = 1;

insert into forecast_rounds (account_id, asked_at) select id, now() from accounts;
insert into replan_requests (account_id) select id from accounts;

-- Plates that ended, for what came of them.
create index attempts_ended on attempts (account_id, finished_at) where outcome in ('done', 'failed', 'cancelled');
