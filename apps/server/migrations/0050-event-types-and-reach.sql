-- `created`, `updated` and `deleted` mean the same for every subject: what was written under other names is read under these.
update events
set type = case type
      when 'account.changed' then 'account.updated'
      when 'file.added' then 'file.created'
      when 'hub.changed' then 'hub.updated'
      when 'job.changed' then 'job.updated'
      when 'material.changed' then 'material.updated'
      when 'print_failure.changed' then 'print_failure.updated'
      when 'printer.added' then 'printer.created'
      when 'printer.changed' then 'printer.updated'
      when 'scheduler.settings_changed' then 'scheduler.updated'
      when 'user.renamed' then 'user.updated'
      else type
    end,
    data = case
      when type in ('hub.changed', 'user.renamed') then data || '{"fields": ["name"]}'
      when type = 'file.updated' then data || jsonb_build_object('fields', array(select jsonb_object_keys(data)))
      else data
    end
where type in ('account.changed', 'file.added', 'file.updated', 'hub.changed', 'job.changed', 'material.changed',
               'print_failure.changed', 'printer.added', 'printer.changed', 'scheduler.settings_changed', 'user.renamed');

-- Assembly tasks are listed as people work on them: in progress, pending, completed, cancelled; within each the newest first.
alter table assembly_tasks
  add column status_rank smallint not null
    generated always as (case status when 'in_progress' then 3 when 'pending' then 2 when 'completed' then 1 else 0 end) stored;
create index assembly_tasks_by_rank on assembly_tasks (account_id, status_rank desc, created_at desc, id desc);

-- Whether the last event of a printer says that it is out of reach, and that it reports an error. A new printer is out of reach
-- until its hub has reached it; of those from before it is assumed that it was.
alter table printers
  add column told_offline boolean not null default false,
  add column told_error boolean not null default false;
alter table printers alter column told_offline set default true;
