-- What prints and products are made of. Quantities are whole numbers, so that sums are exact: milligrams of filament, pieces
-- of everything else. `remaining` is the sum of the movements and changes only together with one. A spool of filament
-- may be loaded: one per slot of a printer. `slot` and `loaded_at` mean nothing while it is not.
create table materials (
  account_id text not null references accounts (id),
  id text not null,
  kind text not null check (kind in ('filament', 'components', 'packaging', 'parts')),
  type text not null default '',
  name text not null default '',
  color text not null default '',
  hex_code text not null default '',
  brand text not null default '',
  diameter double precision,
  size text not null default '',
  remaining bigint not null default 0 check (remaining >= 0),
  low_threshold bigint not null default 0 check (low_threshold >= 0),
  spool_weight bigint check (spool_weight > 0),
  status text not null default 'out_of_stock' check (status in ('in_stock', 'low', 'out_of_stock')),
  location text not null default '',
  printer_id text,
  slot integer check (slot >= 0),
  loaded_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint materials_printer_fkey foreign key (account_id, printer_id) references printers (account_id, id)
    on delete set null (printer_id),
  constraint materials_loaded
    check (printer_id is null or (kind = 'filament' and slot is not null and loaded_at is not null))
);
create unique index materials_slot_key on materials (account_id, printer_id, slot) where printer_id is not null;
create index materials_by_age on materials (account_id, kind, created_at desc, id desc);

-- The ledger of materials. `shortage` is what a print used beyond what was known to be there: the remaining quantity stays
-- at nothing, and the difference is not forgotten. A print takes from a spool once.
create table material_movements (
  account_id text not null references accounts (id),
  id text not null,
  material_id text not null,
  reason text not null check (reason in ('added', 'restocked', 'consumed', 'printed', 'correction')),
  change bigint not null,
  quantity_before bigint not null,
  quantity_after bigint not null,
  shortage bigint not null default 0 check (shortage >= 0),
  job_id text,
  attempt_id text,
  notes text not null default '',
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, material_id) references materials (account_id, id) on delete cascade,
  constraint material_movements_sum check (quantity_after = quantity_before + change),
  constraint material_movements_change check (change <> 0 or shortage > 0)
);
create index material_movements_by_material on material_movements (account_id, material_id, created_at desc, id desc);
create unique index material_movements_print_key on material_movements (account_id, attempt_id) where attempt_id is not null;
