-- A certificate of the service that ends soon, or that cannot be used, is a task.
alter table worklist_tasks
  drop constraint worklist_tasks_source_check,
  add constraint worklist_tasks_source_check
    check (source in ('person', 'plate', 'unknown_fate', 'printer_error', 'hub_silent', 'print_hours', 'assembly', 'health',
                      'out_of_reach', 'second_copy', 'filament', 'product', 'pick', 'pack', 'backup', 'certificate'));
