-- A job needs `plates_total` plates, printed one after another. Its names are those of the moment it was queued.
create table jobs (
  account_id text not null references accounts (id),
  id text not null,
  status text not null
    check (status in ('queued', 'processing', 'printing', 'paused', 'completed', 'failed', 'cancelled')),
  print_file_id text not null,
  file_version_id text not null,
  printer_id text,
  product_id text,
  product_sku_id text,
  product_name text,
  sku_name text,
  file_name text not null,
  color text not null default '',
  filament_type text not null default '',
  material_type text not null default '',
  number_of_units integer not null check (number_of_units >= 1),
  quantity_per_print integer not null check (quantity_per_print >= 1),
  requires_assembly boolean not null default false,
  plates_total integer not null check (plates_total >= 1),
  plates_done integer not null default 0,
  progress_percentage double precision,
  estimated_print_time_minutes integer,
  actual_print_time_minutes integer,
  filament_needed_grams double precision,
  failure_reason text,
  created_by text not null,
  time_submitted timestamptz not null default now(),
  time_started timestamptz,
  time_completed timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, print_file_id) references print_files (account_id, id),
  foreign key (account_id, file_version_id) references print_file_versions (account_id, id),
  foreign key (account_id, printer_id) references printers (account_id, id),
  foreign key (account_id, product_id) references products (account_id, id),
  foreign key (account_id, product_sku_id) references skus (account_id, id),
  check (plates_done between 0 and plates_total)
);
create index jobs_by_age on jobs (account_id, created_at desc, id desc);
create index jobs_history on jobs (account_id, time_completed desc, id desc)
  where status in ('completed', 'failed', 'cancelled');
create index jobs_unfinished on jobs (account_id, created_at, id)
  where status in ('queued', 'processing', 'printing', 'paused');

-- Each try to print one plate. A live attempt (phase other than finished) holds its printer: the partial unique index is
-- what keeps a printer from being given two plates, whatever runs beside it. An attempt of unknown outcome stays live.
create table attempts (
  account_id text not null references accounts (id),
  id text not null,
  job_id text not null,
  plate_number integer not null check (plate_number >= 1),
  printer_id text not null,
  hub_id text not null,
  file_version_id text not null,
  fence bigint not null,
  phase text not null check (phase in ('reserved', 'transferring', 'starting', 'confirmed', 'finished')),
  outcome text check (outcome in ('done', 'failed', 'cancelled', 'not_started', 'unknown')),
  reason_code text,
  evidence jsonb,
  actor text not null,
  reserved_at timestamptz not null default now(),
  confirmed_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, job_id) references jobs (account_id, id),
  foreign key (account_id, printer_id) references printers (account_id, id),
  foreign key (account_id, hub_id) references hubs (account_id, id),
  foreign key (account_id, file_version_id) references print_file_versions (account_id, id),
  check (phase <> 'finished' or (outcome is not null and outcome <> 'unknown' and finished_at is not null))
);
create unique index attempts_live_printer_key on attempts (account_id, printer_id) where phase <> 'finished';
create unique index attempts_live_job_key on attempts (account_id, job_id) where phase <> 'finished';
create unique index attempts_fence_key on attempts (account_id, printer_id, fence);
create index attempts_by_job on attempts (account_id, job_id, reserved_at);
create index attempts_live_by_hub on attempts (account_id, hub_id) where phase <> 'finished';

-- Every order to a printer that is not a print, with who gave it and what came of it.
create table commands (
  account_id text not null references accounts (id),
  id text not null,
  printer_id text not null,
  hub_id text not null,
  job_id text,
  attempt_id text,
  kind text not null
    check (kind in ('print', 'pause', 'resume', 'stop', 'heaters', 'light', 'load_filament', 'unload_filament')),
  args jsonb not null,
  fence bigint not null,
  state text not null check (state in ('sent', 'succeeded', 'failed', 'unknown')),
  error_code text,
  error_message text,
  actor text not null,
  deadline timestamptz not null,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, printer_id) references printers (account_id, id),
  foreign key (account_id, hub_id) references hubs (account_id, id),
  foreign key (account_id, job_id) references jobs (account_id, id)
);
create index commands_unanswered on commands (deadline) where state = 'sent';
-- The same order to the same run is under way at most once.
create unique index commands_under_way_key on commands (account_id, attempt_id, kind) where state = 'sent';
create index commands_by_printer on commands (account_id, printer_id, created_at desc);
