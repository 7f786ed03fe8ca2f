-- How a SKU is made: the file to print, and the units of which SKUs one plate of it yields. Without a SKU it serves all of its
-- product. The smallest rank is preferred.
create table recipes (
  account_id text not null references accounts (id),
  id text not null,
  name text not null,
  product_id text not null,
  product_sku_id text,
  print_file_id text not null,
  units_per_plate integer not null check (units_per_plate >= 1),
  rank integer not null default 0 check (rank >= 0),
  is_active boolean not null default true,
  notes text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint recipes_product_fkey foreign key (account_id, product_id) references products (account_id, id),
  constraint recipes_sku_fkey foreign key (account_id, product_sku_id) references skus (account_id, id),
  foreign key (account_id, print_file_id) references print_files (account_id, id)
);
create unique index recipes_way_key on recipes (account_id, product_id, product_sku_id, print_file_id) nulls not distinct;
create index recipes_by_age on recipes (account_id, created_at desc, id desc);
create index recipes_by_file on recipes (account_id, print_file_id);
create index recipes_by_sku on recipes (account_id, product_sku_id) where product_sku_id is not null;

-- What a mixed plate yields besides.
create table recipe_outputs (
  account_id text not null references accounts (id),
  recipe_id text not null,
  product_sku_id text not null,
  position integer not null,
  units integer not null check (units >= 1),
  primary key (account_id, recipe_id, product_sku_id),
  foreign key (account_id, recipe_id) references recipes (account_id, id) on delete cascade,
  constraint recipe_outputs_sku_fkey foreign key (account_id, product_sku_id) references skus (account_id, id)
);
create index recipe_outputs_by_sku on recipe_outputs (account_id, product_sku_id);
