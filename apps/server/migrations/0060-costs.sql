-- What things cost a farm. Amounts are whole millionths of the unit of `cost_settings.currency`; null: not known. Only owners and
-- admins read them.
create table cost_settings (
  account_id text primary key references accounts (id),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  machine_hour_price bigint check (machine_hour_price >= 0),
  watts integer check (watts >= 0),
  energy_price bigint check (energy_price >= 0),
  labour_hour_price bigint check (labour_hour_price >= 0),
  plate_labour_seconds integer check (plate_labour_seconds >= 0),
  assembly_labour_seconds integer check (assembly_labour_seconds >= 0),
  order_labour_seconds integer check (order_labour_seconds >= 0),
  updated_at timestamptz not null
);

-- What differs from the account for a model of printers, and for one printer.
create table model_prices (
  account_id text not null references accounts (id),
  model text not null,
  machine_hour_price bigint check (machine_hour_price >= 0),
  watts integer check (watts >= 0),
  primary key (account_id, model)
);
create table printer_prices (
  account_id text not null references accounts (id),
  printer_id text not null,
  machine_hour_price bigint check (machine_hour_price >= 0),
  watts integer check (watts >= 0),
  primary key (account_id, printer_id),
  foreign key (account_id, printer_id) references printers (account_id, id) on delete cascade
);

-- A kilogram of a type of filament, where no spool says otherwise.
create table filament_prices (
  account_id text not null references accounts (id),
  filament_type text not null,
  price bigint not null check (price >= 0),
  primary key (account_id, filament_type)
);

-- What a platform keeps of an order: millionths of what the customer pays, and an amount for each order.
create table platform_fees (
  account_id text not null references accounts (id),
  platform text not null check (platform in ('shopify', 'etsy', 'woocommerce', 'manual', 'other')),
  share_ppm integer not null check (share_ppm between 0 and 1000000),
  fixed bigint not null check (fixed >= 0),
  primary key (account_id, platform)
);

-- A kilogram of a spool, or a piece of a component or of packaging.
create table material_prices (
  account_id text not null references accounts (id),
  material_id text not null,
  price bigint not null check (price >= 0),
  updated_at timestamptz not null,
  primary key (account_id, material_id),
  foreign key (account_id, material_id) references materials (account_id, id) on delete cascade
);

-- What putting units of a SKU together took is read from the latest of them.
create index assembly_tasks_done_by_sku on assembly_tasks (account_id, product_sku_id, completed_at desc)
  where status = 'completed';
