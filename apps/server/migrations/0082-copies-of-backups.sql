-- Where a backup is copied to, when that was done, and what went wrong with it. A backup whose copy failed is on the disk, with its name
-- and size, although its run failed. An error beside the time of a copy is of the older copies that should have gone.
alter table backup_runs
  add column copy_to text,
  add column copied_at timestamptz,
  add column copy_error text,
  drop constraint backup_runs_check1,
  add constraint backup_runs_named_check check (status <> 'done' or name is not null),
  add constraint backup_runs_copied_check check (copied_at is null or copy_to is not null),
  add constraint backup_runs_copy_failed_check check (copy_error is null or (copy_to is not null and status = 'failed' and name is not null));
