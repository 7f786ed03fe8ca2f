-- Backups are of the whole installation: none of these tables belongs to an account. `installation_id` tells the folder of backups
-- of one installation from that of another, and stays the same in a restored one.
create table backup_schedule (
  only_row boolean primary key default true check (only_row),
  installation_id uuid not null default gen_random_uuid(),
  is_enabled boolean not null default false,
  -- Of the day in UTC.
  hour smallint not null default 2 check (hour between 0 and 23),
  keep_daily smallint not null default 7 check (keep_daily between 1 and 1000),
  keep_weekly smallint not null default 4 check (keep_weekly between 0 and 1000),
  keep_monthly smallint not null default 6 check (keep_monthly between 0 and 1000),
  updated_at timestamptz not null default now()
);

insert into backup_schedule default values;

-- Each try to make a backup. The process that makes it holds an advisory lock; a run without that was broken off.
create table backup_runs (
  id text primary key,
  cause text not null check (cause in ('schedule', 'person', 'command')),
  status text not null check (status in ('running', 'done', 'failed')),
  folder text not null,
  started_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (status = 'running')),
  name text,
  total_bytes bigint,
  new_bytes bigint,
  file_count integer,
  missing_file_count integer,
  row_count bigint,
  is_encrypted boolean,
  error_code text,
  error text,
  check ((status = 'done') = (name is not null)),
  check ((status = 'failed') = (error is not null))
);

create unique index backup_runs_one_at_a_time on backup_runs ((true)) where status = 'running';
create index backup_runs_by_start on backup_runs (started_at desc, id desc);

-- A backup that failed is a task.
alter table worklist_tasks
  drop constraint worklist_tasks_source_check,
  add constraint worklist_tasks_source_check
    check (source in ('person', 'plate', 'unknown_fate', 'printer_error', 'hub_silent', 'print_hours', 'assembly', 'health',
                      'out_of_reach', 'second_copy', 'filament', 'product', 'pick', 'pack', 'backup'));
