-- A line by the ID that it has in its shop, by which edits of the order find it. What a customer was erased from is not filled again by
-- what the shop still tells.
alter table order_items add column external_id text not null default '';
alter table orders add column customer_erased_at timestamptz;

-- A shop that orders are read from. `shop` is the name that its orders have, '' for the only one of its platform. `settings_sealed`
-- holds all that was entered besides the address. `cursor` is up to where its orders were read, in the words of its connector; it
-- moves in the transaction that writes the orders. Health and lease are as in `webhooks`: nothing is asked of the shop before `retry_at`,
-- after a failure or because it asked for time. `problem` is what the last failure said.
create table shops (
  account_id text not null references accounts (id),
  id text not null,
  platform text not null check (platform in ('woocommerce', 'shopify', 'etsy')),
  name text not null,
  shop text not null,
  url text not null,
  settings_sealed bytea not null,
  cursor jsonb,
  orders_since timestamptz not null,
  personalisation_names text[] not null default '{}',
  pushes_fulfilment boolean not null,
  pushes_stock boolean not null,
  stock_buffer integer not null check (stock_buffer between 0 and 100000),
  paused_at timestamptz,
  due_at timestamptz not null,
  last_read_at timestamptz,
  stock_due_at timestamptz not null,
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
  constraint shops_name_key unique (account_id, platform, shop),
  check ((lease_id is null) = (leased_until is null))
);
create index shops_by_time on shops (account_id, created_at desc, id desc);

-- What was read of each order of a shop. `order_id` null: it is not recorded, and `reason` says why. `content_hash` tells whether the
-- shop has changed it since. From `reread_at` on it is asked for by itself.
create table shop_orders (
  account_id text not null references accounts (id),
  shop_id text not null,
  external_id text not null,
  order_id text,
  content_hash bytea not null,
  state text not null check (state in ('followed', 'skipped', 'refused')),
  reason text not null default '',
  reread_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, shop_id, external_id),
  foreign key (account_id, shop_id) references shops (account_id, id) on delete cascade,
  foreign key (account_id, order_id) references orders (account_id, id)
);
create index shop_orders_by_order on shop_orders (account_id, order_id) where order_id is not null;
create index shop_orders_refused on shop_orders (account_id, shop_id) where state = 'refused';
create index shop_orders_to_reread on shop_orders (account_id, shop_id, reread_at) where reread_at is not null;

-- A parcel that its shop is to be told of. Added in the transaction that makes the parcel.
create table shop_pushes (
  account_id text not null references accounts (id),
  id text not null,
  shop_id text not null,
  order_id text not null,
  shipment_id text not null,
  state text not null check (state in ('pending', 'sent', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  due_at timestamptz not null,
  attempted_at timestamptz,
  problem text,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint shop_pushes_shipment_key unique (account_id, shop_id, shipment_id),
  foreign key (account_id, shop_id) references shops (account_id, id) on delete cascade,
  foreign key (account_id, order_id) references orders (account_id, id),
  foreign key (account_id, shipment_id) references shipments (account_id, id)
);
create index shop_pushes_pending on shop_pushes (account_id, shop_id, due_at) where state = 'pending';
create index shop_pushes_by_order on shop_pushes (account_id, order_id);
create index shop_pushes_by_shipment on shop_pushes (account_id, shipment_id);

-- What a shop was last told to have of a listing. `seen` is another level that the shop had when it was looked at: what it sold may not
-- have been read yet, so it is told only when the level is the same after its orders were read once more.
create table shop_stock (
  account_id text not null references accounts (id),
  shop_id text not null,
  listing text not null,
  told integer,
  seen integer,
  problem text,
  updated_at timestamptz not null,
  primary key (account_id, shop_id, listing),
  foreign key (account_id, shop_id) references shops (account_id, id) on delete cascade
);
