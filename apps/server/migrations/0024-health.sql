-- What is wrong with a printer or a hub, as [{reason, message, since}], the oldest first; `since` is ISO 8601. Kept with the thing
-- itself, so that showing it costs no other read.
alter table printers
  add column health jsonb not null default '[]' check (jsonb_array_length(health) <= 100);
alter table hubs
  add column health jsonb not null default '[]' check (jsonb_array_length(health) <= 100);

create index printers_with_health on printers (account_id, id) where health <> '[]';

-- The subject of a health task is the printer or hub and the reason: one open task per thing and problem.
alter table worklist_tasks
  drop constraint worklist_tasks_source_check,
  add constraint worklist_tasks_source_check
    check (source in ('person', 'plate', 'unknown_fate', 'printer_error', 'hub_silent', 'print_hours', 'assembly', 'health'));
