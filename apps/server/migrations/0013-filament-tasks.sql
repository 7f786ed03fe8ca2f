-- A task to change filament that the farm made by itself names the filament: there is at most one open task per printer
-- and filament. When the farm closes it the name goes, so that what still has one was closed by a person.
alter table worklist_tasks add column filament_key text;
create unique index worklist_tasks_open_filament_key on worklist_tasks (account_id, printer_id, filament_key)
  where filament_key is not null and status in ('pending', 'in_progress');
create index worklist_tasks_by_filament on worklist_tasks (account_id, updated_at) where filament_key is not null;
