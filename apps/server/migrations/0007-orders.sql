-- Money is integer cents. The totals are worked out by the database, so that they cannot differ from what they sum.
-- An order keeps the status that people gave it until its items decide otherwise.
create table orders (
  account_id text not null references accounts (id),
  id text not null,
  order_number text not null,
  platform text not null check (platform in ('shopify', 'etsy', 'woocommerce', 'manual', 'other')),
  status text not null default 'pending'
    check (status in ('pending', 'processing', 'printed', 'assembled', 'shipped', 'fulfilled', 'cancelled', 'refunded')),
  customer_name text not null default '',
  customer_email text not null default '',
  customer_phone text not null default '',
  order_date timestamptz not null default now(),
  items_total bigint not null check (items_total >= 0),
  shipping_cost bigint not null default 0 check (shipping_cost >= 0),
  tax_amount bigint not null default 0 check (tax_amount >= 0),
  discount_amount bigint not null default 0 check (discount_amount >= 0),
  total_revenue bigint not null generated always as (items_total + shipping_cost + tax_amount - discount_amount) stored,
  shipping_street text not null default '',
  shipping_city text not null default '',
  shipping_state text not null default '',
  shipping_zip text not null default '',
  shipping_country text not null default '',
  tracking_number text not null default '',
  tracking_url text not null default '',
  shipped_at timestamptz,
  external_id text not null default '',
  notes text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint orders_number_key unique (account_id, order_number),
  constraint orders_total check (items_total + shipping_cost + tax_amount >= discount_amount)
);
create index orders_by_date on orders (account_id, order_date desc, id desc);
create index orders_by_status on orders (account_id, status, order_date desc, id desc);

-- `sku` and `product_name` are those of the moment of the order. The IDs of an order's items sort as its lines were given.
create table order_items (
  account_id text not null references accounts (id),
  id text not null,
  order_id text not null,
  product_sku_id text not null,
  sku text not null,
  product_name text not null,
  quantity integer not null check (quantity >= 1),
  unit_price bigint not null check (unit_price >= 0),
  total_price bigint not null generated always as (quantity * unit_price) stored,
  quantity_fulfilled integer not null default 0,
  fulfillment_status text not null default 'pending'
    check (fulfillment_status in ('pending', 'partial', 'fulfilled', 'cancelled')),
  notes text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, order_id) references orders (account_id, id),
  foreign key (account_id, product_sku_id) references skus (account_id, id),
  check (quantity_fulfilled between 0 and quantity)
);
create index order_items_by_order on order_items (account_id, order_id, id);

-- Stock can leave for an order; its movement names that order.
alter table stock_movements
  drop constraint stock_movements_reason_check,
  add constraint stock_movements_reason_check
    check (reason in
      ('job_completed', 'order_fulfilled', 'manual', 'inventory_count', 'correction', 'damaged', 'returned')),
  add column order_id text,
  add foreign key (account_id, order_id) references orders (account_id, id);
