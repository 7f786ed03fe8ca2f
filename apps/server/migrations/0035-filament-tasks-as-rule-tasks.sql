-- Tasks to change filament are tasks of a rule like all others: the subject is the printer and the filament, and
-- `worklist_tasks_open_key` allows one open task for it. `filament_key` goes on naming the filament of a task that is open or
-- was closed by a person.
alter table worklist_tasks
  drop constraint worklist_tasks_source_check,
  add constraint worklist_tasks_source_check
    check (source in ('person', 'plate', 'unknown_fate', 'printer_error', 'hub_silent', 'print_hours', 'assembly', 'health',
                      'out_of_reach', 'second_copy', 'filament'));
update worklist_tasks set source = 'filament', subject_id = coalesce(printer_id, id) || ' ' || coalesce(filament_key, '')
where source = 'person' and created_by = 'system' and task_type = 'filament_change';
drop index worklist_tasks_open_filament_key;
