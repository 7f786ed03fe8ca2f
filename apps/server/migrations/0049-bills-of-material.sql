-- What one unit of a SKU is put together from. One level: children may have bills of their own, and no SKU is reached from itself.
create table bom_children (
  account_id text not null references accounts (id),
  id text not null,
  sku_id text not null,
  child_sku_id text not null,
  quantity_required integer not null check (quantity_required >= 1),
  position integer not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, sku_id) references skus (account_id, id) on delete cascade,
  foreign key (account_id, child_sku_id) references skus (account_id, id),
  constraint bom_children_child_key unique (account_id, sku_id, child_sku_id),
  check (sku_id <> child_sku_id)
);
create index bom_children_by_child on bom_children (account_id, child_sku_id);

create table bom_materials (
  account_id text not null references accounts (id),
  id text not null,
  sku_id text not null,
  material_id text not null,
  quantity_required integer not null check (quantity_required >= 1),
  position integer not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, sku_id) references skus (account_id, id) on delete cascade,
  constraint bom_materials_material_fkey foreign key (account_id, material_id) references materials (account_id, id),
  constraint bom_materials_material_key unique (account_id, sku_id, material_id)
);
create index bom_materials_by_material on bom_materials (account_id, material_id);

-- What an assembly takes of SKUs and materials is in their ledgers, and names it.
alter table stock_movements
  drop constraint stock_movements_reason_check,
  add constraint stock_movements_reason_check
    check (reason in
      ('job_completed', 'units_rejected', 'assembled', 'used_in_assembly', 'order_fulfilled', 'manual', 'inventory_count',
       'correction', 'damaged', 'returned')),
  add column assembly_task_id text;

alter table material_movements
  drop constraint material_movements_reason_check,
  add constraint material_movements_reason_check
    check (reason in ('added', 'restocked', 'consumed', 'printed', 'assembled', 'correction')),
  add column assembly_task_id text;

-- A picture of its own, where the first image of the product is not the one to show; empty for none.
alter table inventory_items add column image_url text not null default '';

-- What is looked up before a SKU goes out of use.
create index order_items_open_by_sku on order_items (account_id, product_sku_id)
  where fulfillment_status in ('pending', 'partial');
create index assembly_tasks_open_by_sku on assembly_tasks (account_id, product_sku_id)
  where status in ('pending', 'in_progress');

-- A kit is a product that is put together from parts of its own. Each part has a SKU for each colour in which variants need it. One
-- that left the kit stays, not active, while SKUs of it are kept.
create table kit_parts (
  account_id text not null references accounts (id),
  id text not null,
  product_id text not null,
  name text not null,
  print_file_id text,
  quantity_per_kit integer not null check (quantity_per_kit >= 1),
  fixed_color text not null default '',
  fixed_hex_code text not null default '',
  requires_assembly boolean not null default false,
  is_active boolean not null default true,
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references products (account_id, id) on delete cascade,
  foreign key (account_id, print_file_id) references print_files (account_id, id)
);
create index kit_parts_by_product on kit_parts (account_id, product_id, position);

create table kit_part_components (
  account_id text not null references accounts (id),
  id text not null,
  kit_part_id text not null,
  material_id text not null,
  quantity_required integer not null check (quantity_required >= 1),
  notes text not null default '',
  position integer not null,
  primary key (account_id, id),
  foreign key (account_id, kit_part_id) references kit_parts (account_id, id) on delete cascade,
  constraint kit_part_components_material_fkey foreign key (account_id, material_id) references materials (account_id, id)
);
create index kit_part_components_by_part on kit_part_components (account_id, kit_part_id, position);

-- What goes into a kit besides its parts: into one variant, or into all (`sku_id` is null).
create table kit_extras (
  account_id text not null references accounts (id),
  id text not null,
  product_id text not null,
  sku_id text,
  material_id text not null,
  quantity_required integer not null check (quantity_required >= 1),
  position integer not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references products (account_id, id) on delete cascade,
  foreign key (account_id, sku_id) references skus (account_id, id) on delete cascade,
  constraint kit_extras_material_fkey foreign key (account_id, material_id) references materials (account_id, id)
);
create index kit_extras_by_product on kit_extras (account_id, product_id, position);

-- A SKU that is a part of the kit of its product; null for all others.
alter table skus
  add column kit_part_id text,
  add constraint skus_kit_part_fkey foreign key (account_id, kit_part_id) references kit_parts (account_id, id);
create index skus_by_kit_part on skus (account_id, kit_part_id) where kit_part_id is not null;

-- What was used in some days, whatever it was taken from.
create index material_movements_by_age on material_movements (account_id, created_at);
