create table products (
  account_id text not null references accounts (id),
  id text not null,
  name text not null,
  description text not null default '',
  category text not null default '',
  requires_assembly boolean not null default false,
  requires_post_processing boolean not null default false,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint products_name_key unique (account_id, name)
);
create index products_by_age on products (account_id, created_at desc, id desc);

alter table print_files add foreign key (account_id, product_id) references products (account_id, id);

create table skus (
  account_id text not null references accounts (id),
  id text not null,
  product_id text not null,
  sku text not null,
  color text not null default '',
  filament_type text not null default '',
  hex_code text not null default '',
  quantity integer not null default 1 check (quantity >= 1),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint skus_product_fkey foreign key (account_id, product_id) references products (account_id, id),
  constraint skus_sku_key unique (account_id, sku)
);
create index skus_by_age on skus (account_id, created_at desc, id desc);
create index skus_by_product on skus (account_id, product_id, created_at, id);

-- One row per SKU. The stock columns are the sums of the movements and change only together with one. They are bigint, so
-- that no sum of movements can overflow: the units of a completed job must never be refused.
create table inventory_items (
  account_id text not null references accounts (id),
  id text not null,
  product_sku_id text not null,
  ready_stock bigint not null default 0,
  quantity_needs_assembly bigint not null default 0,
  low_stock_threshold integer not null default 0 check (low_stock_threshold >= 0),
  status text not null default 'out_of_stock'
    check (status in ('out_of_stock', 'needs_assembly', 'low_stock', 'in_stock')),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, product_sku_id) references skus (account_id, id),
  constraint inventory_items_sku_key unique (account_id, product_sku_id)
);
create index inventory_items_by_age on inventory_items (account_id, created_at desc, id desc);

-- The ledger. `stock` says which of the two quantities moved. `created_at` is the time of the statement, not of its
-- transaction, so that the movements of an item stand in the order in which they were applied.
create table stock_movements (
  account_id text not null references accounts (id),
  id text not null,
  inventory_item_id text not null,
  stock text not null check (stock in ('ready', 'needs_assembly')),
  reason text not null
    check (reason in ('job_completed', 'manual', 'inventory_count', 'correction', 'damaged', 'returned')),
  change integer not null check (change <> 0),
  quantity_before bigint not null,
  quantity_after bigint not null,
  job_id text,
  notes text not null default '',
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, inventory_item_id) references inventory_items (account_id, id),
  constraint stock_movements_sum check (quantity_after = quantity_before + change)
);
create index stock_movements_by_item on stock_movements (account_id, inventory_item_id, created_at desc, id desc);
