-- Where a printer's time goes. Each printer is in exactly one period at any moment: the open one has no end, and a period
-- begins where the one before it ended, so that periods neither overlap nor leave gaps. A period of no length is never
-- kept. `job_id` and `attempt_id` are those of the print, and outlive it.
create table printer_periods (
  account_id text not null references accounts (id),
  printer_id text not null,
  cause text not null
    check (cause in ('printing', 'transferring', 'paused', 'plate_not_clear', 'no_matching_job', 'filament', 'not_started',
      'error', 'offline', 'maintenance', 'inactive')),
  attempt_id text,
  job_id text,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (account_id, printer_id, started_at),
  foreign key (account_id, printer_id) references printers (account_id, id) on delete cascade,
  check (ended_at > started_at)
);
create unique index printer_periods_open_key on printer_periods (account_id, printer_id) where ended_at is null;
-- What sums over all printers of a farm read from the index alone.
create index printer_periods_by_end on printer_periods (account_id, ended_at) include (printer_id, cause, started_at)
  where ended_at is not null;

-- Until when the printers of a farm were watched. What lies between it and the next look was seen by nobody.
create table printer_watches (
  account_id text primary key references accounts (id),
  watched_until timestamptz not null
);
