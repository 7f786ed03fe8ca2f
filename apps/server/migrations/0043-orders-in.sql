-- Where an order was placed: a platform and, for accounts with several shops on it, the name of the shop; '' for the only one.
-- A number is that of one shop. `currency` null: recorded before the account said in which currency it sells; it is the one
-- that it names first. What a shop tells twice was recorded twice until now: such orders stay, and are marked.
alter table orders
  add column shop text not null default '',
  add column currency text check (currency ~ '^[A-Z]{3}$'),
  add column priority text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  add column ship_by timestamptz,
  add column external_id_repeated boolean not null default false,
  add column search_words tsvector not null default ''::tsvector,
  drop constraint orders_number_key,
  add constraint orders_number_key unique (account_id, platform, shop, order_number);

update orders set external_id_repeated = true
from (
  select account_id, id,
         row_number() over (partition by account_id, platform, external_id order by created_at, id) as position
  from orders where external_id <> ''
) told
where orders.account_id = told.account_id and orders.id = told.id and told.position > 1;

create unique index orders_external_id_key on orders (account_id, platform, shop, external_id)
  where external_id <> '' and not external_id_repeated;
create index orders_by_shop on orders (account_id, platform, shop, order_date desc, id desc);

-- A line that names nothing of ours is kept as the shop tells it: `seller_sku`, or `listing_id` with `variation`, is what it is
-- known by there, and `sku` and `product_name` show what is known. One of `quantity` is `pack_size` units of the SKU.
-- `mapped_by` is the mapping that decided, null where the line names its SKU.
alter table order_items
  alter column product_sku_id drop not null,
  add column pack_size integer not null default 1 check (pack_size between 1 and 1000),
  add column seller_sku text not null default '',
  add column listing_id text not null default '',
  add column variation text not null default '',
  add column mapped_by text,
  add column personalisation jsonb not null default '[]'
    check (jsonb_typeof(personalisation) = 'array'),
  add column units integer generated always as (quantity * pack_size) stored;
create index order_items_unmapped on order_items (account_id, seller_sku, listing_id, variation, order_id)
  where product_sku_id is null;
create index order_items_by_mapping on order_items (account_id, mapped_by) where mapped_by is not null;

-- Which SKU, and how many of it, a shop means. What sells without a code of its seller is known by listing and variation.
create table listing_maps (
  account_id text not null references accounts (id),
  id text not null,
  platform text not null check (platform in ('shopify', 'etsy', 'woocommerce', 'manual', 'other')),
  shop text not null default '',
  seller_sku text not null default '',
  listing_id text not null default '',
  variation text not null default '',
  product_sku_id text not null,
  pack_size integer not null default 1 check (pack_size between 1 and 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint listing_maps_key unique (account_id, platform, shop, seller_sku, listing_id, variation),
  foreign key (account_id, product_sku_id) references skus (account_id, id),
  check ((seller_sku = '') <> (listing_id = '')),
  check (variation = '' or listing_id <> '')
);
create index listing_maps_by_time on listing_maps (account_id, created_at desc, id desc);
create index listing_maps_by_sku on listing_maps (account_id, product_sku_id, created_at desc, id desc);
alter table order_items add foreign key (account_id, mapped_by) references listing_maps (account_id, id);

-- One row per account that set anything. `working_days`: 1 is Monday, 7 is Sunday. `handling_days` null: an order is to be
-- shipped when its shop says so.
create table order_settings (
  account_id text not null references accounts (id),
  id text not null,
  currency text check (currency ~ '^[A-Z]{3}$'),
  handling_days integer check (handling_days between 0 and 365),
  working_days integer[] not null default '{1,2,3,4,5}' check (cardinality(working_days) between 1 and 7),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint order_settings_account_key unique (account_id)
);

-- What an order is found by; the service writes it with each change. Those from before are found by what needs no folding.
update orders set search_words = array_to_tsvector(array(
  select distinct left(word, 200)
  from unnest(
    array[orders.order_number, orders.customer_name, orders.customer_email, orders.external_id, orders.tracking_number]
    || array(select distinct i.sku from order_items i where i.account_id = orders.account_id and i.order_id = orders.id)
  ) as texts (each)
  cross join lateral (
    select unnest(regexp_split_to_array(lower(each), '\s+') || regexp_split_to_array(lower(each), '[\s!-/:-@\[-`{-~]+'))
  ) as words (word)
  where word <> ''
));
create index orders_by_word on orders using gin (search_words);
