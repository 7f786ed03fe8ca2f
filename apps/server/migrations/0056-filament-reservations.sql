-- What the print of an attempt takes of each spool, in milligrams, kept since its start. `slot` is the one that the printer was told or
-- prints that filament from; null where the printer has one place, or chooses by itself. `material_id` is null where no spool is known.
-- A reservation counts as long as its attempt is not finished: nothing releases it, so that nothing can forget to. Of an attempt
-- that is over it says what was foreseen.
create table filament_reservations (
  account_id text not null references accounts (id),
  id text not null,
  attempt_id text not null,
  slot integer check (slot >= 0),
  material_id text,
  milligrams bigint not null check (milligrams > 0),
  primary key (account_id, id),
  constraint filament_reservations_slot_key unique nulls not distinct (account_id, attempt_id, slot),
  foreign key (account_id, attempt_id) references attempts (account_id, id) on delete cascade,
  foreign key (account_id, material_id) references materials (account_id, id) on delete set null (material_id)
);
create index filament_reservations_by_material on filament_reservations (account_id, material_id)
  where material_id is not null;

-- What is asked of spools before a print. `filament_margin` in milligrams: what is kept back on each spool.
create table material_settings (
  account_id text not null references accounts (id),
  id text not null,
  checks_filament boolean not null default true,
  filament_margin bigint not null default 0 check (filament_margin >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint material_settings_account_key unique (account_id)
);
