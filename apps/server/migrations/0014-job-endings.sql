-- A cancel of a job whose hub is away waits here until the hub can be asked. `units_rejected` counts units of the job that
-- a person found bad when the plate was cleared; a job that makes them again names in `reprint_of` the one it is for.
alter table jobs
  add column cancel_requested_at timestamptz,
  add column cancel_requested_by text,
  add column units_rejected integer not null default 0,
  add column reprint_of text,
  add constraint jobs_cancel_request check ((cancel_requested_at is null) = (cancel_requested_by is null)),
  add constraint jobs_rejects check (units_rejected between 0 and number_of_units);

create index jobs_cancel_requested on jobs (account_id, id) where cancel_requested_at is not null;

-- Since when the fate of a sent start is not known: people are asked when it stays so.
alter table attempts add column unknown_since timestamptz;
update attempts set unknown_since = updated_at where outcome = 'unknown';
create index attempts_unknown on attempts (unknown_since) where outcome = 'unknown' and phase <> 'finished';
create index attempts_unsettled on attempts (updated_at)
  where phase in ('reserved', 'transferring', 'starting') and outcome is null;

-- One print that failed or was stopped. `type` is derived from what the printer said, until a person says better.
create table print_failures (
  account_id text not null references accounts (id),
  id text not null,
  job_id text not null,
  attempt_id text not null,
  printer_id text not null,
  type text not null
    check (type in ('adhesion', 'spaghetti', 'layer_shift', 'clog', 'filament_runout', 'thermal', 'power_loss',
                    'mechanical', 'connection', 'file', 'cancelled_by_person', 'other', 'unknown')),
  typed_by_person boolean not null default false,
  reason_code text,
  reason text,
  notes text not null default '',
  resolved_at timestamptz,
  resolved_by text,
  occurred_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, job_id) references jobs (account_id, id),
  foreign key (account_id, attempt_id) references attempts (account_id, id),
  foreign key (account_id, printer_id) references printers (account_id, id),
  constraint print_failures_attempt_key unique (account_id, attempt_id),
  check ((resolved_at is null) = (resolved_by is null))
);
create index print_failures_by_age on print_failures (account_id, occurred_at desc, id desc);
create index print_failures_by_job on print_failures (account_id, job_id);
create index commands_by_job on commands (account_id, job_id) where job_id is not null;

-- Units that are found bad leave the stock again. Whether they are printed anew is a wish of the account.
alter table stock_movements
  drop constraint stock_movements_reason_check,
  add constraint stock_movements_reason_check
    check (reason in
      ('job_completed', 'units_rejected', 'order_fulfilled', 'manual', 'inventory_count', 'correction', 'damaged',
       'returned'));
alter table accounts add column requeue_rejected_units boolean not null default false;
