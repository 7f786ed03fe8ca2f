-- Tasks that the farm makes by itself. `source` says which rule made the task and `subject_id` what it is about (a printer
-- or a hub): there is at most one open task of a rule for a subject. Tasks of people have the source `person` and no subject.
alter table worklist_tasks
  add column source text not null default 'person'
    check (source in ('person', 'plate', 'unknown_fate', 'printer_error', 'hub_silent', 'print_hours', 'assembly')),
  add column subject_id text,
  add column attempt_id text,
  add constraint worklist_tasks_subject check ((source = 'person') = (subject_id is null));
create unique index worklist_tasks_open_key on worklist_tasks (account_id, source, subject_id)
  where status in ('pending', 'in_progress') and source <> 'person';
create index worklist_tasks_by_subject on worklist_tasks (account_id, source, subject_id, created_at desc)
  where source <> 'person';

-- Since when a printer reports an error; null when it does not. `maintained_at_seconds` is what it had printed when its
-- maintenance last ended.
alter table printers
  add column error_since timestamptz,
  add column maintenance_interval_hours integer check (maintenance_interval_hours between 1 and 100000),
  add column maintained_at_seconds bigint not null default 0;
create index printers_in_error on printers (error_since) where error_since is not null;
