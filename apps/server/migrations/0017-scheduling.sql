-- The order of the queue: priority, then due date, then position, which people change by dragging. Positions come from a
-- sequence, so that a new job is the last of its equals, and leave room between any two. `any_color` is false where the
-- caller or the SKU named the colour: that of a file is only what the slicer happened to show. `auto_assigned`: the
-- service chose the printer, so that a job that is not printed there goes back to waiting for any.
create sequence jobs_queue_position;

alter table jobs
  add column priority text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  add column priority_rank smallint not null generated always as (
    case priority when 'urgent' then 0 when 'high' then 1 when 'normal' then 2 else 3 end
  ) stored,
  add column due_date timestamptz,
  add column queue_position double precision,
  add column any_color boolean not null default true,
  add column auto_assigned boolean not null default false;

update jobs set queue_position = aged.position
from (
  select account_id, id, row_number() over (order by created_at, id) as position from jobs
) aged
where jobs.account_id = aged.account_id and jobs.id = aged.id;
select setval('jobs_queue_position', (select count(*) + 1 from jobs), false);

alter table jobs
  alter column queue_position set default nextval('jobs_queue_position'),
  alter column queue_position set not null;
alter sequence jobs_queue_position owned by jobs.queue_position;

create index jobs_queue on jobs (account_id, priority_rank, due_date, queue_position, id) where status = 'queued';
create index jobs_queued_for_printer on jobs (account_id, printer_id) where status = 'queued';

-- Printers with the same power group share a supply that not all of them may heat from at once.
alter table printers
  add column power_group text not null default '',
  add column loaded_filament_grams double precision check (loaded_filament_grams >= 0);
create index printers_by_power_group on printers (account_id, power_group) where power_group <> '';

-- How high the print becomes, as the slicer says.
alter table print_file_versions
  add column max_z_mm double precision generated always as ((metadata ->> 'maxZMm')::double precision) stored;

-- By which a printer, or a job, that was refused again and again is left alone for a while.
create index attempts_not_started on attempts (account_id, finished_at) where outcome = 'not_started';

-- One row per account that set anything. `working_days`: 1 is Monday, 7 is Sunday; times are `08:30` in the account's
-- zone. Without them a print may end at any time.
create table scheduler_settings (
  account_id text not null references accounts (id),
  id text not null,
  working_days integer[],
  working_from text,
  working_to text,
  heating_at_once integer check (heating_at_once >= 1),
  heating_gap_seconds integer check (heating_gap_seconds >= 1),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint scheduler_settings_account_key unique (account_id),
  check ((working_days is null) = (working_from is null) and (working_from is null) = (working_to is null))
);
