-- What was done today is read by when it was completed.
create index worklist_tasks_by_completion on worklist_tasks (account_id, completed_at desc, id desc)
  where completed_at is not null;
