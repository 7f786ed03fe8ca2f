-- What the camera of a printer saw when a print failed or was stopped (docs/decisions/0080-pictures-of-failures.md).
-- `picture_wanted_until` is from when on it is too late to look; null as soon as one process has taken it up, so that a failure is
-- looked at once, and for failures that were told too late.
alter table print_failures add column picture_wanted_until timestamptz;
create index print_failures_to_picture on print_failures (account_id) where picture_wanted_until is not null;

-- At most one for each failure. The content lies in the file store, as a JPEG and as a smaller WebP.
create table failure_pictures (
  account_id text not null references accounts (id),
  failure_id text not null,
  sha256 text not null,
  thumb_sha256 text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  taken_at timestamptz not null,
  primary key (account_id, failure_id),
  foreign key (account_id, failure_id) references print_failures (account_id, id)
);
create index failure_pictures_by_content on failure_pictures (sha256);
create index failure_pictures_by_thumbnail on failure_pictures (thumb_sha256);
create index failure_pictures_by_age on failure_pictures (taken_at);

-- How far a backup is that is being made: bytes of files, or rows. `step_total` is null where it is not known before the end.
alter table backup_runs
  add column step text check (step in ('files', 'tables', 'restore', 'check', 'copy')),
  add column step_done bigint check (step_done >= 0),
  add column step_total bigint check (step_total >= 0);

-- How far the imports of orders are that go on at this moment, by an ID that the caller chose. They are written beside the transaction of the
-- import. `total_rows` is null while the file is read.
create table order_import_progress (
  account_id text not null references accounts (id),
  id text not null,
  done_rows integer not null check (done_rows >= 0),
  total_rows integer check (total_rows >= 0),
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create index order_import_progress_by_age on order_import_progress (updated_at);

-- Where a file stands in the library: names of folders with slashes between them; empty for none. A folder is there while a file is in it.
alter table print_files add column folder text not null default '' check (length(folder) <= 200);
create index print_files_by_folder on print_files (account_id, folder) where folder <> '' and deleted_at is null;
